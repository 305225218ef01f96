@Suite("Texts of notes") struct NoteTextTests {
  @Test(
    "A program's text becomes paragraphs without markup or control sequences",
    arguments: [
      ("one\ntwo\n\nthree\n", "<p>one<br>two</p><p>three</p>"),
      ("a <b> & c", "<p>a &lt;b&gt; &amp; c</p>"),
      ("\u{1B}[31mred\u{1B}[0m \u{1B}]0;title\u{07}end", "<p>red end</p>"),
      ("a\u{202E}b\u{7}c\u{9B}d\r\ne", "<p>abc›d<br>e</p>"), (" \n\t\n", ""), ("", ""),
      ("\u{1B}]0;never ended", ""),
    ])
  func paragraphs(text: String, html: String) {
    #expect(ArticleNote.html(ofText: text) == html)
  }
}
