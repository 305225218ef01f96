import TextRules

@Suite("Plain text") struct PlainBodyTests {
  @Test(
    "Paragraphs, line ends, lists, quotations and columns are kept",
    arguments: [
      ("a & b\nc\n\n<d>", "<p>a &amp; b<br>c</p><p>&lt;d&gt;</p>"),
      (
        "Changes:\n- one\n- two,\n  and more\nEnd",
        "<p>Changes:</p><ul><li>one</li><li>two, and more</li></ul><p>End</p>"
      ),
      ("1. one\n2. two", "<ol><li>one</li><li>two</li></ol>"),
      ("3) three", "<ol start=\"3\"><li>three</li></ol>"),
      ("* a\n  - b\n* c", "<ul><li>a<br>- b</li><li>c</li></ul>"),
      ("one\n- not a list\ntwo", "<p>one<br>- not a list<br>two</p>"),
      (
        "He wrote:\n> one\n>> two\n>\n> three\nFour",
        "<p>He wrote:</p><blockquote><p>one</p><blockquote><p>two</p></blockquote><p>three</p></blockquote><p>Four</p>"
      ),
      (">>> print(1)\n1", "<p>&gt;&gt;&gt; print(1)<br>1</p>"),
      (
        "See:\n\n    if x {\n\n      y\n    }\n\nEnd",
        "<p>See:</p><pre>if x {\n\n  y\n}\n</pre><p>End</p>"
      ),
      (
        "n    before   after\n1    10       12\n16   100      200",
        "<pre>n    before   after\n1    10       12\n16   100      200\n</pre>"
      ),
      ("first\n      second\n\n      third", "<p>first<br>second</p><p>third</p>"),
      ("-- \nName", "<p>-- <br>Name</p>"), ("", ""), ("\n \n", ""),
      (">", "<blockquote></blockquote>"),
    ])
  func shapes(text: String, html: String) {
    #expect(PlainBody.html(text) == html)
  }

  @Test("A text that was wrapped at a width is refilled") func filled() {
    let text = """
      The quick brown fox jumps over the lazy dog and runs away from
      the other dogs, which are not as lazy as they look to a person
      who does not know them.
      """
    #expect(!PlainBody.html(text).contains("<br>"))
    // A poem has short lines.
    #expect(PlainBody.html("The quick brown fox\njumps over\nthe lazy dog").contains("<br>"))
    let list = "Here is a line of sixty characters, which is no small number\nyes\nno"
    #expect(PlainBody.html(list).contains("<br>"))
  }

  @Test("Deeply nested quotations are bounded") func deep() {
    let html = PlainBody.html(String(repeating: ">", count: 10_000) + "x\n> y\n    code\n> z")
    #expect(html.contains("x") && html.contains("z"))
  }
}
