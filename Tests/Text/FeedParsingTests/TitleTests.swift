import TextRules

@Suite("Titles") struct TitleTests {
  /// Returns a text escaped for an element.
  private func escaped(_ text: String) -> String { XMLEscaping.escaped(text) }

  @Test(
    "Only formatting of a title is markup",
    arguments: [
      ("if x<y and y>z then", "if x<y and y>z then"),
      ("Intent to unship: <a> as <area> in maps", "Intent to unship: <a> as <area> in maps"),
      ("std::vector<int> and Map<String,T>", "std::vector<int> and Map<String,T>"),
      ("<script> tag considered harmful", "<script> tag considered harmful"),
      ("[PATCH] include <stdio.h>", "[PATCH] include <stdio.h>"),
      (
        "<style>, <template>, <iframe> and <noscript>",
        "<style>, <template>, <iframe> and <noscript>"
      ),
      ("Using <template> and </template>", "Using <template> and </template>"),
      ("Use <b> and </b> wisely", "Use <b> and </b> wisely"),
      ("How to use List<p> and Set<s> and Foo<i>", "How to use List<p> and Set<s> and Foo<i>"),
      ("<!-- comments --> in <?php", "<!-- comments --> in <?php"),
      ("The <img> element", "The <img> element"),
      ("a <b>bold</b> <i class='x'>move</I>", "a bold move"),
      ("Water H<sub>2</sub>O, a <a href='/x'>link</a>", "Water H2O, a link"),
      ("<p>Whole paragraph</p>", "Whole paragraph"),
      ("<h2><a href='/x'>Whole <em>heading</em></a></h2>", "Whole heading"),
      ("One<br/>two <img src='/x.png' alt=''>three", "One two three"),
      ("a < b &amp;&amp; c > d", "a < b && c > d"),
      ("safe<script type=\"x\">alert('1')</script> <embed src=\"/x\">", "safe <embed src=\"/x\">"),
      ("sa<!-- x -->fe<embed src=\"/x\"> <a title=\"&amp;\">&amp;</a>", "safe &"),
      ("How <script>alert(1)</script> works", "How <script>alert(1)</script> works"),
      ("Cut off <a href=\"http://x", "Cut off"),
      ("<b><i>both</b></i>", "both"),
    ])
  func onlyFormatting(title: String, expected: String) throws {
    let item = "<item><title>\(escaped(title))</title><guid>1</guid></item>"
    #expect(try parse(rss(item)).items.first?.title == expected)
    let entry = "<entry><id>1</id><title type=\"html\">\(escaped(title))</title></entry>"
    #expect(try parse(atom(entry)).items.first?.title == expected)
    let media = "<item><guid>1</guid><media:title>\(escaped(title))</media:title></item>"
    let declaration = "xmlns:media=\"http://search.yahoo.com/mrss/\""
    #expect(try parse(rss(media, declarations: declaration)).items.first?.title == expected)
  }

  @Test("Elements of the document in a title are markup") func elementsAreMarkup() throws {
    let entry = """
      <entry><id>1</id><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">X <em>y</em> \
      &lt;script&gt;</div></title></entry>
      """
    #expect(try parse(atom(entry)).items.first?.title == "X y <script>")
    let json = """
      {"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","title":"Use <b> and </b>"}]}
      """
    #expect(try parse(json).items.first?.title == "Use <b> and </b>")
  }

  @Test(
    "A title from a text separates words at blocks alone",
    arguments: [
      ("<p>I ate <a href='/t'>#<span>soup</span></a></p>", "I ate #soup"),
      ("<p><span class='h-card'><a href='/b'>@<span>bob</span></a></span> hi</p>", "@bob hi"),
      ("un<b>believ</b>able", "unbelievable"),
      ("<p>One</p><p>two</p>three<br>four<hr>five", "One two three four five"),
      ("<ul><li>a<li>b</ul><table><tr><td>c<td>d</table>", "a b c d"),
      (
        "<a href='https://l.example/a'><span class='invisible'>https://</span>"
          + "<span class='ellipsis'>l.example/a</span><span class='invisible'>/long</span></a> x",
        "l.example/a x"
      ),
    ])
  func derivedTitle(html: String, expected: String) throws {
    let item = "<item><guid>1</guid><description>\(escaped(html))</description></item>"
    let feed = try parse(rss(item))
    #expect(DerivedTitle.of(try #require(feed.items.first)) == expected)
  }

  @Test(
    "A text that ends within a tag ends before the tag",
    arguments: [
      "<span", "<sp", "</di", "<a hre", "<a href=\"http://x", "<img…", "<b ...", "<!-- x",
    ])
  func cutTag(end: String) throws {
    let html = escaped("<p>One <b>two</b> three.</p>1 \(end)")
    let feed = try parse(rss("<item><guid>1</guid><description>\(html)</description></item>"))
    #expect(feed.items.first?.contentHTML == "<p>One <b>two</b> three.</p>1")
    let text = escaped("If a<b")
    let other = try parse(rss("<item><guid>1</guid><description>\(text)</description></item>"))
    #expect(other.items.first?.contentHTML == "If a&lt;b")
  }
}
