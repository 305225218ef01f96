@Suite("Articles as Markdown, and repeated titles") struct MarkdownTests {
  private func markdown(_ html: String, title: String? = nil) -> String {
    ArticleBody(html: HTMLContent.sanitise(html, baseURL: "https://example.org/"), title: title)
      .markdown
  }

  @Test("Links, emphasis and code get the marks of Markdown") func inline() {
    #expect(
      markdown("<p>See <a href='/x'>the <b>page</b></a>, <i>so</i> <code>a`b</code>.</p>")
        == "See [the **page**](https://example.org/x), *so* ``a`b``.\n")
    #expect(markdown("<p>1 * 2 [a] &lt;b> _c_</p>") == "1 \\* 2 \\[a\\] \\<b> \\_c\\_\n")
    #expect(markdown("<p># no heading</p><p>1. no list</p>") == "\\# no heading\n\n1\\. no list\n")
    #expect(
      markdown("<p><img src=/i.png alt='A bird'></p>") == "![A bird](https://example.org/i.png)\n")
    #expect(markdown("<p><a href='/a(b)'>x</a></p>") == "[x](<https://example.org/a(b)>)\n")
    #expect(
      markdown("<p><a href='https://example.org/a_b'>https://example.org/a_b</a></p>")
        == "<https://example.org/a_b>\n")
    #expect(markdown("<p>one<br>two</p>") == "one\\\ntwo\n")
  }

  @Test("Blocks keep their order, their depth and the blank lines between them") func blocks() {
    #expect(
      markdown(
        "<h2>Head</h2><ul><li>a<ul><li>b</ul><li>c</ul><ol><li>x<p>y</p></ol>"
          + "<blockquote><p>q</p><p>r</p></blockquote><pre>if a {\n  b\n}</pre><hr>")
          == """
          ## Head

          - a
            - b
          - c

          1. x

             y

          > q
          >
          > r

          ```
          if a {
            b
          }
          ```

          ---

          """)
    #expect(
      markdown("<ul><li><input type=checkbox checked> Done<li><input type=checkbox> Open</ul>")
        == "- [x] Done\n- [ ] Open\n")
  }

  @Test("Paragraphs without a gap on the screen are separated by a blank line") func definitions() {
    #expect(
      markdown("<dl><dt>Status</dt><dd>Draft</dd><dt>Type</dt><dd>Other</dd></dl>")
        == "**Status**\n\nDraft\n\n**Type**\n\nOther\n")
    #expect(markdown("<details><summary>More</summary><p>a</p></details>") == "**More**\n\na\n")
  }

  @Test("Tables keep header and alignment") func tables() {
    #expect(
      markdown(
        "<table><tr><th>Name<th align=right>Size<tr><td>a|b<td align=right>9<tr><td>c<td>10</table>"
      ) == "| Name | Size |\n| --- | ---: |\n| a\\|b | 9 |\n| c | 10 |\n")
  }

  @Test("No sample article loses a word", arguments: SampleArticle.all)
  func words(article: SampleArticle) {
    let html = HTMLContent.sanitise(article.html, baseURL: "https://example.org/")
    let body = ArticleBody(html: html)
    let text = String(body.markdown.filter { !"*_`~[]\\".contains($0) })
    let shown = body.layout(width: 1 << 20).lines.flatMap { $0.runs.map(\.text) }
    for word in shown.joined(separator: " ").split(whereSeparator: { !$0.isLetter }) {
      #expect(text.contains(word), "\(word)")
    }
  }

  @Test("A heading that repeats the title is left out only at the beginning") func titleOnce() {
    func lines(_ html: String, _ title: String?) -> [String] {
      ArticleBody(html: html, title: title).layout(width: 40).lines.map {
        $0.runs.map(\.text).joined()
      }
    }
    let html = "<h1><a href='/x'>The  Title</a></h1><p>a</p><h1>The Title</h1>"
    #expect(lines(html, "The title!") == ["a", "", "", "The Title"])
    #expect(lines(html, nil).first == "The Title[1]")
    #expect(lines(html, "Another").first == "The Title[1]")
    #expect(lines("<h3>The Title</h3><p>a", "The Title") == ["The Title", "", "a"])
    #expect(lines("<p>b</p><h2>The Title</h2>", "The Title").last == "The Title")
    #expect(lines("<h1>The Title</h1>", "The Title").isEmpty)
    #expect(!markdown(html, title: "The Title").hasPrefix("## The"))
  }

  @Test("Columns are aligned by attribute or style, as the page sets them") func alignment() {
    func lines(_ cell: String) -> [String] {
      let html = HTMLContent.sanitise(
        "<table><tr><th>Name<th>Long header<tr><td>a<td \(cell)>b<tr><td>c<td \(cell)>dd</table>")
      return ArticleBody(html: html).layout(width: 40).lines.map { $0.runs.map(\.text).joined() }
    }
    #expect(lines("align=right").suffix(2) == ["a               b", "c              dd"])
    #expect(
      lines("style='text-align: right'").suffix(2) == ["a               b", "c              dd"])
    #expect(lines("align=center").suffix(2) == ["a          b", "c         dd"])
    #expect(lines("").suffix(2) == ["a     b", "c     dd"])
    #expect(
      ArticleBody(
        html:
          "<table><tr><td>x<td style='text-align: left'>10<tr><td>y<td style='text-align: left'>9</table>"
      ).layout(width: 20).lines[0].runs.map(\.text).joined() == "x  10")
  }
}
