import Foundation
import HTMLContent
import Testing

@testable import Books

/// Clean HTML as XHTML in a book.
@Suite("XHTML of articles") struct XHTMLTests {
  @Test(
    "Elements are written where XHTML allows them",
    arguments: [
      ("<p>a<br>b</p>", "<p>a<br/>b</p>"),
      ("<p>1 &lt; 2 &amp; \"x\"</p>", "<p>1 &lt; 2 &amp; &quot;x&quot;</p>"),
      ("<h1>Title</h1>", "<h2>Title</h2>"),
      ("<section>a<p>b</p></section>", "<div>a<p>b</p></div>"),
      ("<b>a<p>b</p></b>", "a<p>b</p>"),
      ("<span>a</span>", "a"),
      ("<span dir=\"rtl\">a</span>", "<span dir=\"rtl\">a</span>"),
      ("<pre>a\n  b</pre>", "<pre>a\n  b</pre>"),
      (
        "<ul><li>a</li> b<ul><li>c</li></ul></ul>",
        "<ul><li>a</li><li> b</li><li><ul><li>c</li></ul></li></ul>"
      ),
      ("<ul></ul>", ""),
      (
        "<ol start=\"3\" reversed><li value=\"7\">a</li></ol>",
        "<ol start=\"3\" reversed=\"reversed\"><li value=\"7\">a</li></ol>"
      ),
      ("<dl><dt>a</dt><dd>b</dd></dl>", "<dl><dt>a</dt><dd>b</dd></dl>"),
      ("<dl><dd>b</dd></dl>", "<div><div>b</div></div>"),
      (
        "<table><tr><td colspan=\"2\">a</td></tr></table>",
        "<table><tbody><tr><td colspan=\"2\">a</td></tr></tbody></table>"
      ),
      ("<table><tr></tr></table>", "<div><div></div></div>"),
      (
        "<table><tr><th><p>a</p><p>b</p></th></tr></table>",
        "<table><tbody><tr><th>a<br/>b</th></tr></tbody></table>"
      ),
      (
        "<figure><figcaption>c</figcaption><p>a</p></figure>",
        "<figure><p>a</p><figcaption>c</figcaption></figure>"
      ),
      ("<details><summary>s</summary>a</details>", "<div><p>s</p>a</div>"),
      ("<p>a<svg><text>b</text></svg></p>", "<p>a</p>"),
      ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "<ruby>漢<rt>kan</rt></ruby>"),
      ("<p lang=\"de\">a</p><p lang=\"!\">b</p>", "<p lang=\"de\" xml:lang=\"de\">a</p><p>b</p>"),
      ("<video src=\"https://e.org/v.mp4\"></video>", "<a href=\"https://e.org/v.mp4\">Video</a>"),
    ])
  func elements(html: String, xhtml: String) {
    #expect(Self.body(html) == xhtml)
  }

  @Test(
    "Links lead to web pages and to places in the text, and to nothing else",
    arguments: [
      (
        "<a href=\"https://e.org/ä b?x=[1]#a#b\">t</a>",
        "<a href=\"https://e.org/%C3%A4%20b?x=%5B1%5D#a%23b\">t</a>"
      ),
      ("<a href=\"https://e.org/100%\">t</a>", "<a href=\"https://e.org/100%25\">t</a>"),
      ("<a href=\"ftp://e.org/\">t</a>", "t"),
      ("<a href=\"https://\">t</a>", "t"),
      ("<a href=\"#n\">1</a><p id=\"n\">note</p>", "<a href=\"#p1\">1</a><p id=\"p1\">note</p>"),
      (
        "<a href=\"https://e.org/page#n\">1</a><p id=\"n\">note</p>",
        "<a href=\"#p1\">1</a><p id=\"p1\">note</p>"
      ),
      ("<a href=\"#n\">1</a>", "1"),
      (
        "<a href=\"#n\">1</a><p id=\"n\">a</p><p id=\"n\">b</p>",
        "<a href=\"#p1\">1</a><p id=\"p1\">a</p><p>b</p>"
      ),
      (
        "<a href=\"#n\">1</a><span id=\"n\">a</span>",
        "<a href=\"#p1\">1</a><span id=\"p1\"></span>a"
      ),
      ("<p id=\"unused\">a</p>", "<p>a</p>"),
    ])
  func links(html: String, xhtml: String) {
    #expect(Self.body(html) == xhtml)
  }

  @Test("A picture without a file becomes its description") func pictures() {
    let html =
      "<img src=\"https://e.org/1.png\" alt=\"One\"><img src=\"x\" alt=\"Two\"><img src=\"y\">"
    let xhtml = XHTMLWriter.body(
      HTMLContent.parse(html), pictures: ["https://e.org/1.png": "picture1.png"], page: nil)
    #expect(xhtml == "<img src=\"picture1.png\" alt=\"One\"/>[Two]")
  }

  @Test("Deep elements lose their markup, not their text") func depth() {
    let html = String(repeating: "<div>", count: 200) + "<p>deep</p>"
    let xhtml = Self.body(html)
    #expect(xhtml.contains("deep"))
    #expect(xhtml.components(separatedBy: "<div>").count == 61)
  }

  @Test("A zero-width space becomes a place where the line may break, or is left out")
  func zeroWidth() {
    let html = "<p>a\u{200B}b <img src=\"x\" alt=\"c\u{200B}d\"></p>"
    #expect(Self.body(html) == "<p>a<wbr/>b [cd]</p>")
  }

  private static func body(_ html: String) -> String {
    XHTMLWriter.body(HTMLContent.parse(html), pictures: [:], page: "https://e.org/page")
  }
}
