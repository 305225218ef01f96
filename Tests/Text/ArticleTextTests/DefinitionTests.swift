@Suite("Definitions") struct DefinitionTests {
  private func shown(_ html: String, _ width: Int) -> [String] {
    ArticleBody(html: HTMLContent.sanitise(html, baseURL: "https://example.org/"))
      .layout(width: width).lines.map { $0.runs.map(\.text).joined() }
  }

  @Test("A short term and its short definition share a line, and definitions are aligned")
  func fields() {
    let html = """
      <p>Facts</p><dl><dt>Author</dt><dd>A. <em>Writer</em></dd><dt>Status</dt><dd>Draft</dd>
      <dt>Post-History</dt><dd><p>11-Nov-2026</p></dd></dl><p>After</p>
      """
    #expect(
      shown(html, 40) == [
        "Facts", "", "Author        A. Writer", "Status        Draft", "Post-History  11-Nov-2026",
        "", "After",
      ])
  }

  @Test("A definition that does not fit, and a long term, have their own lines") func tooLong() {
    let html = """
      <dl><dt>Name<dd>Weir<dt>A term of many words<dd>short<dt>Note<dd>one two three four five</dl>
      """
    #expect(
      shown(html, 24) == [
        "Name  Weir", "A term of many words", "  short", "Note", "  one two three four", "  five",
      ])
  }

  @Test("A term with several definitions, and several terms with one, keep separate lines")
  func several() {
    #expect(shown("<dl><dt>A<dd>1<dd>2</dl>", 40) == ["A", "  1", "  2"])
    #expect(shown("<dl><dt>A<dt>B<dd>1</dl>", 40) == ["A", "B", "  1"])
    #expect(shown("<dl><dt>A<dd></dl>", 40) == ["A"])
    let code = shown("<dl><dt>A<dd><pre>x</pre></dl>", 40)
    #expect(code.first == "A" && code.last == "  │ x")
  }

  @Test("Groups within a list are laid out in columns too") func groups() {
    let html = "<dl><div><dt>A<dd>1</div><div><dt>Long<dd>2</div></dl>"
    #expect(shown(html, 40) == ["A     1", "Long  2"])
  }

  @Test("No line is wider than the window, and no term is lost") func widths() {
    let html =
      "<blockquote><ul><li><dl><dt>Deprecated<dd>since the year 2026</dl></ul></blockquote>"
    for width in 1...60 {
      let lines = shown(html, width)
      #expect(lines.allSatisfy { $0.count <= width }, "width \(width)")
      let letters = lines.joined().filter { $0.isLetter || $0.isNumber }
      #expect(letters == "Deprecatedsincetheyear2026", "width \(width)")
    }
  }

  @Test("Wide characters are measured by their columns") func wide() {
    #expect(shown("<dl><dt>作者<dd>某人<dt>Date<dd>2026</dl>", 40) == ["作者  某人", "Date  2026"])
  }

  @Test("Without styles, inline code is put between backquotes, once") func markedCode() {
    let html = "<p>Run <code>git push</code>, <tt>a</tt> or <code><code>b</code></code>.</p>"
    let body = ArticleBody(html: html + "<pre><code>x</code></pre>")
    let lines = body.layout(width: 60, marksCode: true).lines.map { $0.runs.map(\.text).joined() }
    #expect(lines == ["Run `git push`, a or `b`.", "", "│ x"])
    #expect(body.layout(width: 60).lines[0].runs.map(\.text).joined() == "Run git push, a or b.")
  }

  @Test("Definitions of a few lines are beside short terms, and long lists look like short ones")
  func definitions() {
    let author = String(repeating: "Somebody, ", count: 9) + "and others"
    let lines = shown("<dl><dt>Author<dd>\(author)<dt>Status<dd>Final</dl>", 60)
    #expect(lines.first == "Author  Somebody, Somebody, Somebody, Somebody, Somebody,")
    #expect(lines.dropFirst().first?.hasPrefix("        Somebody") == true)
    #expect(lines.last == "Status  Final")
    let many = (1...100).map { "<dt>term \($0)<dd>a definition of some words" }.joined()
    let list = shown("<section><p>Before</p><dl>\(many)</dl></section>", 60)
    #expect(list.count == 102 && list[2] == "term 1    a definition of some words")
  }
}
