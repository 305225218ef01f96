@testable import ArticleText

/// Returns the text of each line as the reader shows it.
func shown(_ html: String, _ width: Int) -> [String] {
  ArticleBody(html: HTMLContent.sanitise(html, baseURL: "https://e.org/"))
    .layout(width: width).lines.map { $0.runs.map(\.text).joined() }
}

@Suite("Layout") struct LayoutTests {
  @Test("Paragraphs are filled, breaks kept, white space collapsed") func paragraphsAreFilled() {
    #expect(
      shown("<p>The quick  brown\nfox <em>jumps</em> over</p><p>one<br>two</p>", 15) == [
        "The quick brown", "fox jumps over", "", "one", "two",
      ])
    #expect(shown("a<br><br>b<br><br><br>c", 10) == ["a", "", "b", "", "c"])
    #expect(shown("<p> <b> a </b> <i> b</i></p><p></p><p>&nbsp;x</p>", 10) == ["a b", "", "x"])
    #expect(shown("", 10) == [])
    #expect(shown("<div><div>a</div>b<p>c</div>", 10) == ["a", "", "b", "", "c"])
  }

  @Test("Headings are set apart and marked as headings") func headingsStandApartSay() {
    let layout = ArticleBody(html: "<h2>Head <em>ing</em></h2><p>x</p>").layout(width: 20)
    #expect(
      layout.lines == [
        TextLine(
          runs: [
            StyledRun("Head ", style: [.heading, .majorHeading]),
            StyledRun("ing", style: [.heading, .majorHeading, .emphasis]),
          ], block: 0, isHeading: true),
        TextLine(block: 1), TextLine(runs: [StyledRun("x")], block: 1),
      ])
  }

  @Test("A link whose text is a reference shows it as its raised number") func references() {
    let html = """
      <p>One<a href="https://a.example/">[6]</a>, two <sup><a href="https://b.example/">[7]</a></sup>,
      three<a href="https://c.example/"><sup>8</sup></a> and <a href="https://d.example/">a word</a>.</p>
      """
    let raised = ArticleBody(html: html).layout(width: 80, numbers: .raised)
    #expect(
      raised.lines.map { $0.runs.map(\.text).joined() } == [
        "One ⁶, two ⁷, three ⁸ and a word⁴."
      ])
    let hidden = ArticleBody(html: html).layout(width: 80, numbers: .hidden)
    #expect(
      hidden.lines.map { $0.runs.map(\.text).joined() } == [
        "One ⁶, two ⁷, three ⁸ and a word."
      ])
  }

  @Test("A raised number stays in the line of its link", arguments: 6...30)
  func unbroken(width: Int) {
    let html = (1...40).map { "<a href=\"https://e.example/\($0)\">link</a> " }.joined()
    let layout = ArticleBody(html: "<p>\(html)</p>").layout(width: width, numbers: .raised)
    for line in layout.lines {
      #expect(line.runs.first?.style.contains(.linkNumber) == false)
    }
  }

  @Test("Links are numbered, the same address once, fragments never")
  func linksNumberedSameAddress() {
    let layout = ArticleBody(
      html: """
        <p><a href="https://a.example/">A</a> <a href="https://b.example/">B</a>, \
        <a href="https://a.example/">A2</a> <a href="#x">part</a><a href="https://c.example/"></a></p>
        """
    ).layout(width: 40)
    #expect(layout.lines.count == 1)
    #expect(layout.lines[0].runs.map(\.text).joined() == "A[1] B[2], A2[1] part")
    #expect(layout.links == ["https://a.example/", "https://b.example/"])
    #expect(layout.lines[0].runs[0] == StyledRun("A", style: .link, link: .address(0)))
    #expect(
      layout.lines[0].runs[1]
        == StyledRun("[1]", style: [.secondary, .linkNumber], link: .address(0)))
    #expect(layout.lines[0].runs.last == StyledRun("part", style: .link))
  }

  @Test("A link around blocks is numbered at its end") func linkAroundBlocksNumbered() {
    #expect(shown("<a href=/x><h2>Title</h2><p>text</p></a>", 20) == ["Title", "", "text[1]"])
    #expect(shown("<a href=/x><img src=/y.png></a>", 20) == ["picture[1]"])
    #expect(shown("a<a href=/x> b, </a>c <a href=/y>d.</a>", 20) == ["a b[1], c d[2]."])
  }

  @Test("Lists nest with signs of their own") func listsNestSignsTheir() {
    #expect(
      shown("<p>x</p><ul><li>a<ul><li>b is longer<ul><li>c</ul></ul><li>d</ul><p>y</p>", 11) == [
        "x", "", "• a", "  ◦ b is", "    longer", "    ▪ c", "• d", "", "y",
      ])
    #expect(
      shown("<ol start=9><li>i<li>j<ol><li>k<ol><li>l<li value=4>m</ol></ol></ol>", 20) == [
        " 9. i", "10. j", "    a. k", "        i. l", "       iv. m",
      ])
    #expect(shown("<ol type=A reversed><li>x<li>y</ol>", 20) == ["B. x", "A. y"])
    #expect(
      shown("<ul><li><p>a</p><p>b</p><li><p>c</p></ul>", 20) == ["• a", "", "  b", "", "• c"])
    #expect(shown("<ul><li></li><li>x</ul>", 20) == ["• ", "• x"])
  }

  @Test("Quotations have a rule at the left, inside each other too")
  func quotationsRuleLeftInside() {
    #expect(
      shown("<p>a</p><blockquote><p>b c d</p><blockquote>e</blockquote></blockquote>f", 5) == [
        "a", "", "┃ b c", "┃ d", "┃ ", "┃ e", "", "f",
      ])
    #expect(
      shown("<blockquote><p>b</p><blockquote>e</blockquote></blockquote>", 20) == [
        "┃ b", "┃ ", "┃ ┃ e",
      ])
    let quote = ArticleBody(html: "<blockquote>x</blockquote>").layout(width: 9).lines[0]
    #expect(quote.runs == [StyledRun("┃ ", style: .quoteBar), StyledRun("x")])
  }

  @Test("Code keeps its lines and spaces") func codeKeepsLinesSpaces() {
    #expect(
      shown("<pre><code>\nif x {\n\ty()\n  }\n\n</code></pre>", 20) == [
        "│ if x {", "│     y()", "│   }",
      ])
    #expect(shown("<pre>0123456789abcdef</pre>", 12) == ["│ 0123456789", "│ ↪ abcdef"])
    let line = ArticleBody(html: "<pre>a <b>b</b></pre>").layout(width: 20).lines[0]
    #expect(
      line.runs.dropFirst() == [
        StyledRun("a ", style: .codeBlock), StyledRun("b", style: [.codeBlock, .strong]),
      ])
  }

  @Test("Tables that fit have aligned columns") func tablesFitAlignedColumns() {
    #expect(
      shown(
        """
        <table><tr><th>Name<th>Count<tbody><tr><td>apples<td>7<tr><td>pears and plums<td>1,200</table>
        """, 20) == [
          "Name           Count", "────────────────────", "apples             7",
          "pears and      1,200", "plums",
        ])
    // Only a row with several lines has a rule below it.
    let rules = shown(
      "<table><tr><th>A<th>B<tr><td>figs<td>0<tr><td>pears and plums<td>1<tr><td>figs<td>2<tr><td>x<td>3</table>",
      16
    ).enumerated().filter { $0.element.first == "┄" }.map(\.offset)
    #expect(rules == [5])
    #expect(shown("<table><tr><td>a<td>b<tr><td>cc<td>d</table>", 20) == ["a   b", "cc  d"])
    #expect(
      shown("<table><tr><td colspan=2>ab<td>c<tr><td>1<td>2<td>3</table>", 20) == [
        "ab     c", "1   2  3",
      ])
  }

  @Test("Cells that span rows leave their column empty below") func cellsSpanRowsLeave() {
    #expect(
      shown("<table><tr><td rowspan=2>a<td>b<tr><td>c<tr><td>d<td>e</table>", 20) == [
        "a  b", "   c", "d  e",
      ])
    #expect(
      shown(
        """
        <table><tr><th rowspan=2>Name<th colspan=2>Score<tr><th>x<th>y\
        <tr><td>n<td>1<td>2</table>
        """, 30) == ["Name  Score", "          x  y", "──────────────", "n         1  2"])
    // A row without cells of its own is filled from above.
    #expect(
      shown(
        "<table><tr><td rowspan=2>a<td rowspan=2>b<tr></tr><tr><td>c<td>d</table>", 20) == [
          "a  b", "c  d",
        ])
    #expect(shown("<table><tr><td rowspan=0>a<td>b<tr><td>c<td>d</table>", 20) == ["a  b", "c  d"])
  }

  @Test("Tables that do not fit are records") func tablesDoFitRecords() {
    #expect(
      shown(
        """
        <table><tr><th>Name<th>Long description<th>Other<tr><td>x<td>something<td>extraordinary\
        <tr><td>y<td><td>z</table>
        """, 18) == [
          "Name: x", "Long description:", "something", "Other:", "extraordinary", "", "Name: y",
          "Other: z",
        ])
  }

  @Test("A long header is not repeated in full in each record") func longHeaderComeAgain() {
    let header = String(
      repeating: "<th>extraordinarily <b>" + String(repeating: "wörd ", count: 2_000), count: 8)
    let rows = String(repeating: "<tr>" + String(repeating: "<td>x", count: 8), count: 200)
    let lines = shown("<table><tr>\(header)\(rows)</table>", 80)
    #expect(lines.count < 10_000)
    #expect(lines.first?.hasPrefix("extraordinarily wörd wörd") == true)
    #expect(lines.dropFirst(2).first?.hasSuffix("…: x") == true)
  }

  @Test("Tables that only hold a page together are read through") func tablesOnlyHoldPage() {
    #expect(
      shown("<table><tr><td><h1>A</h1><p>b</p></td><td><ul><li>c</ul></table>", 20) == [
        "A", "", "b", "", "• c",
      ])
    #expect(shown("<table><tr><td>only</table>", 20) == ["only"])
    #expect(shown("<table>stray<tr><td>a<td>b</table>", 20) == ["stray", "", "a  b"])
  }

  @Test("Recordings that are shown elsewhere are not in the text") func shownElsewhere() {
    var body = ArticleBody(
      html:
        "<p>x</p><audio src=\"https://e.org/a.mp3\"></audio><audio src=\"https://e.org/b.mp3\"></audio>"
    )
    body.files = ["https://e.org/a.mp3"]
    let layout = body.layout(width: 40)
    #expect(layout.lines.map { $0.runs.map(\.text).joined() } == ["x", "", "♪ b.mp3[1]"])
    #expect(layout.links == ["https://e.org/b.mp3"])
  }

  @Test("Pictures, sound and film are placeholders with their address") func mediaPlaceholders() {
    let layout = ArticleBody(
      html: HTMLContent.sanitise(
        """
        <figure><img src="/p/cat.jpg" alt="A cat"><figcaption>Asleep</figcaption></figure>
        <p>x<img src="https://e.org/p/dog.png">y <img alt="🙂" src="/e.png"></p>
        <audio src="/a.mp3"></audio><video title="Film"><source src="/v.mp4"></video>
        """, baseURL: "https://e.org/")
    ).layout(width: 40)
    #expect(
      layout.lines.map { $0.runs.map(\.text).joined() } == [
        "A cat[1]", "  Asleep", "", "x", "", "picture[2]", "", "y 🙂", "", "♪ a.mp3[3]",
        "", "▶ Film[4]",
      ])
    #expect(layout.links.count == 4)
    #expect(
      layout.lines[0].runs[0]
        == StyledRun("A cat", style: [.secondary, .picture], link: .address(0)))
  }

  @Test("Small things of typography") func smallThingsTypography() {
    #expect(
      shown("x<sup>2</sup> H<sub>2</sub>O e<sup>iz</sup> 1<sup>st</sup>", 40) == ["x² H₂O eⁱᶻ 1st"])
    #expect(shown("text<sup><a href=\"#fn1\">[12]</a></sup>.", 40) == ["text ¹²."])
    #expect(shown("<a href=/x>text</a><sup><a href=/y>1</a></sup>.", 40) == ["text[1] ¹."])
    #expect(shown("a<hr>b", 5) == ["a", "", "─────", "", "b"])
    #expect(shown("a<hr>b", 300)[2].count == 300)
    for html in ["a<hr>b", "<blockquote>a<hr>b</blockquote>"] {
      #expect(shown(html, UnwrappedText.width)[2].count <= 74)
    }
    #expect(shown("<dl><dt>T<dd>d<dt>U<dd>e</dl>", 9) == ["T  d", "U  e"])
    let long = String(repeating: "word ", count: 20)
    #expect(shown("<dl><dt>T<dd>\(long)<dt>U<dd>e</dl>", 200).dropFirst() == ["U  e"])
    #expect(shown("<details><summary>S</summary>x</details>", 9) == ["▾ S", "", "  x"])
    #expect(shown("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", 9) == ["漢(kan)"])
    #expect(shown("<q>a</q>", 9) == ["“a”"])
    #expect(
      shown("<math><mfrac><mn>1</mn><msup><mi>x</mi><mn>2</mn></msup></mfrac></math>", 20)
        == ["1/(x²)"])
    #expect(shown("<svg><title>A map</title><desc>of it</desc></svg>", 20) == ["A map of it"])
  }

  @Test("A block has the same number at every width") func blockSameNumberEvery() {
    let blocks = ArticleBody(
      html:
        "<p>some words here</p><pre>a\nb</pre><table><tr><td>x<td>y<tr><td>z<td>w</table><p>end</p>"
    )
    for width in [1, 3, 10, 80] {
      let numbers = blocks.layout(width: width).lines.map(\.block)
      #expect(numbers == numbers.sorted())
      #expect(Set(numbers) == Set(0..<6), "width \(width)")
    }
  }

  @Test("A list in a cell does not break up its table") func listsInCells() {
    let html =
      "<table><tr><th>Name<th>What<tr><td>ext4<td><ul><li>fewer locks</li><li>faster</li></ul></table>"
    #expect(
      shown(html, 40) == [
        "Name  What", "───────────────────", "ext4  • fewer locks", "      • faster",
      ])
    // A table without column headings may be page layout.
    #expect(!shown("<table><tr><td>a<td><ul><li>b</ul></table>", 40).joined().contains("a  "))
  }

  @Test("The rule is below the last row of column headings") func headerRows() {
    let html = """
      <table><tr><th rowspan=2>Name<th colspan=2>Lines<tr><th>n<th>share<tr><td>x<td>1<td>2
      <tr><td>y<td>3<td>4</table>
      """
    let lines = shown(html, 40)
    #expect(lines.firstIndex { $0.hasPrefix("─") } == 2, "\(lines)")
    #expect(lines.count == 5)
  }
}
