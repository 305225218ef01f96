import ArticleText
import HTMLContent
import Testing

@Suite("Details of pages") struct PageDetailTests {
  private func runs(_ html: String) -> [StyledRun] {
    ArticleBody(html: html).layout(width: 60).lines.flatMap(\.runs)
  }

  @Test("A heading that links to itself is not a link, and its sign is not shown")
  func headings() {
    let linked = runs("<h2 id=a><a href='#a'>Abstract</a></h2><p>x</p>")
    #expect(linked.first == StyledRun("Abstract", style: [.heading, .majorHeading]))
    #expect(shown("<h3 id=a>Title<a class=headerlink href='#a'>¶</a></h3>", 40) == ["Title"])
    #expect(shown("<h3 id=a><a href='#a'></a>Title <a href='#a'>#</a></h3>", 40) == ["Title"])
    let away = runs("<h2><a href='https://e.org/b'>B</a></h2>")
    #expect(away.first?.link == .address(0))
    #expect(runs("<p id=a><a href='#a'>¶</a> x</p>").first?.text == "¶")
  }

  @Test("An icon without words is not shown, and a drawing is")
  func icons() {
    #expect(shown("a <svg viewbox='0 0 16 16'><path></path></svg>b", 40) == ["a b"])
    #expect(shown("a<svg width=20 height=20><g></g></svg>", 40) == ["a"])
    #expect(shown("<svg></svg>", 40).isEmpty)
    #expect(shown("<svg width=400 height=300><g></g></svg>", 40) == ["▣ drawing"])
    #expect(shown("<svg width=16><title>New</title></svg>", 40) == ["▣ New"])
  }

  @Test("A reading without letters has no parentheses")
  func ruby() {
    #expect(shown("<ruby>振<rt>ふ</rt>り<rt></rt></ruby>", 40) == ["振(ふ)り"])
  }

  @Test("Non-breaking spaces at the ends of a link are not part of it")
  func linkEdges() {
    let star = runs("<p><a href='https://e.org/'>&nbsp;★&nbsp;</a></p>")
    #expect(star.first { $0.style.contains(.link) }?.text == "★")
    let word = runs("<p>a<a href='https://e.org/'>&nbsp;b&nbsp;</a>c</p>")
    #expect(word.first { $0.style.contains(.link) }?.text == "b")
    let text = word.map(\.text).joined().map { $0 == "\u{A0}" ? " " : $0 }
    #expect(String(text) == "a b[1] c")
  }

  @Test(
    "Definitions of a few lines are beside short terms, and long lists look like short ones")
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

  @Test("A list in a cell does not break up its table")
  func listsInCells() {
    let html =
      "<table><tr><th>Name<th>What<tr><td>ext4<td><ul><li>fewer locks</li><li>faster</li></ul></table>"
    #expect(
      shown(html, 40) == [
        "Name  What", "───────────────────", "ext4  • fewer locks", "      • faster",
      ])
    // A table without column headings may be page layout.
    #expect(!shown("<table><tr><td>a<td><ul><li>b</ul></table>", 40).joined().contains("a  "))
  }

  @Test("The rule is below the last row of column headings")
  func headerRows() {
    let html = """
      <table><tr><th rowspan=2>Name<th colspan=2>Lines<tr><th>n<th>share<tr><td>x<td>1<td>2
      <tr><td>y<td>3<td>4</table>
      """
    let lines = shown(html, 40)
    #expect(lines.firstIndex { $0.hasPrefix("─") } == 2, "\(lines)")
    #expect(lines.count == 5)
  }

  @Test("No line begins with a closing quotation mark or dots")
  func quotationMarks() {
    #expect(shown("日本“語言”界", 5) == ["日本", "“語", "言”界"])
    #expect(shown("日本語……言", 6) == ["日本", "語……言"])
    #expect(shown("don’t “go” now", 5) == ["don’t", "“go”", "now"])
  }
}
