import FeedModel
import SoakSupport
import Synchronization

@testable import ArticleText

/// A long article with a name for the test's output.
struct LongArticle: Sendable, CustomTestStringConvertible {
  var name: String
  private var start: String
  private var part: String
  private var count: Int
  var html: String { start + String(repeating: part, count: count) }
  var testDescription: String { name }

  init(_ name: String, _ part: String, _ count: Int) { self.init(name, "", part, count) }

  init(_ name: String, _ start: String, _ part: String, _ count: Int) {
    (self.name, self.start, self.part, self.count) = (name, start, part, count)
  }

  private var atLengthOfRun: Self {
    var article = self
    // A shorter list is one step.
    let share = ["items", "nested lists"].contains(name) ? 4 : 8
    article.count = Soak.length(short: count / share, long: count)
    return article
  }

  /// The most lines that a step of 16 kB may add. A table is laid out as a whole, because its
  /// columns depend on all rows.
  var mostLinesOfAStep: Int {
    if name.contains("table") || name == "a cell" { return 40_000 }
    return ["items", "nested lists"].contains(name) ? 1_000 : 7_000
  }

  static let all = [
    LongArticle("lines of code", "<pre>", "x\n", 300_000),
    LongArticle("one line of code", "<pre>", "x", 500_000),
    LongArticle("nested lists", "<ul><li>x", 60_000), LongArticle("items", "<ul>", "<li>x", 60_000),
    LongArticle("paragraphs", "<p>x", 100_000), LongArticle("breaks", "x<br>", 100_000),
    LongArticle("nested quotations", "<blockquote>x", 60_000),
    LongArticle("quotations", "<blockquote>x</blockquote>", 60_000),
    LongArticle("one word", "x", 500_000), LongArticle("one paragraph", "word ", 100_000),
    LongArticle("one paragraph of wide characters", "漢", 150_000),
    LongArticle("columns of a table", "<table><tr><td>a<td>b<tr>", "<td>x", 50_000),
    LongArticle("rows of a table", "<table>", "<tr><td>name<td>1", 60_000),
    LongArticle("tables", "<table><tr><td>a<td>b</table>", 20_000),
    LongArticle("a cell", "<table><tr><td>a<td>", "word ", 100_000),
    LongArticle("links", "<a href=\"https://e.org/\">x</a> ", 20_000),
    LongArticle("nested inline elements", "<b><i>x", 60_000),
    LongArticle("an attribute", "<img alt=" + String(repeating: "x", count: 500_000), "> y ", 10),
    LongArticle("combining marks", "a", "\u{301}", 300_000),
    LongArticle("jamo", "\u{1100}", 200_000), LongArticle("joined emoji", "👩\u{200D}", 60_000),
    LongArticle("prefixes", "\u{600}", 200_000), LongArticle("conjuncts", "क\u{94D}", 100_000),
    LongArticle("marks in tags", "<b>\u{301}</b>", 50_000),
    LongArticle("raised text", "<sup>", "x ", 200_000),
    LongArticle("raised signs", "<p>", "x<sup>2</sup>", 400_000),
    LongArticle("footnotes", "<p>", "a<sup id=r><a href=#f>1</a></sup> ", 40_000),
    LongArticle("footnotes alone", "<p id=f>", "<sup id=r><a href=#f>1</a></sup>", 100_000),
    LongArticle(
      "icons", "<p>", "<img width=16 height=16 alt=xyz src=\"https://e.org/a.png\">", 30_000),
    LongArticle("tabs", "<pre>x", "\t", 500_000),
    LongArticle("a quotation", "<blockquote>", "word ", 800_000),
    LongArticle("definitions", "<dl>", "<dt>x<dd>y", 30_000),
  ].map(\.atLengthOfRun)
}

@Suite("Incremental layout") struct IncrementalLayoutTests {
  @Test("A step reads and lays out a bounded part of any article", arguments: LongArticle.all)
  func stepsAreBounded(article: LongArticle) {
    let budget = 16_384
    var layout = ArticleBody(html: article.html).incrementalLayout(width: 72)
    var largestRead = 0
    var mostLines = 0
    var count = 0
    var longestCluster = 0
    while !layout.isFinished {
      let before = layout.stream.position
      let lines = layout.advance(by: budget)
      largestRead = max(largestRead, layout.stream.position - before)
      mostLines = max(mostLines, lines.count)
      count += lines.count
      for line in lines {
        for run in line.runs {
          for character in run.text {
            longestCluster = max(longestCluster, character.unicodeScalars.count)
          }
        }
      }
    }
    // An attribute is read with its tag.
    #expect(largestRead <= (article.name == "an attribute" ? 600_000 : 3 * budget))
    #expect(mostLines <= article.mostLinesOfAStep)
    #expect(longestCluster <= GraphemeLimit.scalars)
    #expect(count > 0)
    #expect(count <= ArticleLimits.standard.lines + 40_000)
  }

  @Test(
    "The first lines of an article are laid out after its first 48 kB",
    arguments: LongArticle.all.filter {
      // Tables and lists are laid out as a whole, up to a megabyte; a cluster, or little text
      // between tags, is one line.
      ![
        "columns of a table", "rows of a table", "items", "nested lists", "raised text", "icons",
        "a cell",
        "one line of code", "footnotes alone", "tabs", "an attribute", "combining marks", "jamo",
        "joined emoji", "prefixes",
        "conjuncts", "marks in tags", "nested inline elements",
      ].contains($0.name)
    })
  func firstLines(article: LongArticle) {
    var layout = ArticleBody(html: article.html).incrementalLayout(width: 72)
    let lines = layout.advance(by: 49_152)
    #expect(!lines.isEmpty)
    // These articles have enough visible text to fill a screen.
    if ["lines of code", "one paragraph", "paragraphs", "one word"].contains(article.name) {
      #expect(lines.count > 100)
    }
  }

  @Test("A long paragraph is filled without a break", arguments: [7, 40, 72])
  func longParagraphs(width: Int) {
    let words = (0..<5_000).map { "w\($0)" }
    let layout = ArticleBody(html: "<p>\(words.joined(separator: " "))</p><p>end</p>")
      .layout(width: width)
    let lines = layout.lines.map { $0.runs.map(\.text).joined() }
    #expect(lines.dropLast(2).joined(separator: " ") == words.joined(separator: " "))
    for (line, next) in zip(lines, lines.dropFirst()).dropLast(2) {
      let word = next.prefix { $0 != " " }
      #expect(line.count + 1 + word.count > width, "\(line) could hold \(word)")
    }
    #expect(Set(layout.lines.map(\.block)) == [0, 1])
    #expect(layout.lines.dropLast(2).filter { $0.joint == .begins }.count == 1)
  }

  @Test("Text before a long element stays before it") func orderOfParts() {
    let long = String(repeating: "word ", count: 5_000)
    let lines = ArticleBody(
      html: "<div>one<section>two<p>three <b>\(long)</b></p>four</section>five"
    )
    .layout(width: 40).lines.map { $0.runs.map(\.text).joined() }
    #expect(
      Array(lines.prefix(5)) == ["one", "", "two", "", "three word word word word word word word"])
    #expect(Array(lines.suffix(3)) == ["four", "", "five"])
  }

  @Test("A long word is broken into full lines") func longWords() {
    let layout = ArticleBody(html: "<p>" + String(repeating: "x", count: 30_000)).layout(width: 10)
    #expect(layout.lines.count == 3_000)
    #expect(layout.lines.allSatisfy { $0.runs.map(\.text).joined().count == 10 })
  }

  @Test("Long code keeps its lines and the empty lines between them") func longCode() {
    let code = (0..<6_000).map { $0 % 7 == 3 ? "" : "line \($0)" }
    let layout = ArticleBody(html: "<pre>\n" + code.joined(separator: "\n") + "\n\n\n</pre><p>end")
      .layout(width: 40)
    let lines = layout.lines.map { line in
      String(line.runs.map(\.text).joined().drop { $0 == " " || $0 == "│" })
    }
    #expect(lines == code + ["", "end"])
    #expect(layout.lines.map(\.block) == layout.lines.map(\.block).sorted())
    #expect(Set(layout.lines.map(\.block)).count == code.count + 1)
  }

  @Test("A table too large to be laid out at once has the same columns in all rows")
  func longTables() {
    let rows = (0..<20_000).map { "<tr><td>name \($0 % 10)<td>\($0)" }.joined()
    let layout = ArticleBody(html: "<table><tr><th>Name<th>Number\(rows)</table>").layout(width: 40)
    let lines = layout.lines.map { $0.runs.map(\.text).joined() }
    #expect(lines.count == 20_002)
    #expect(lines[0].hasPrefix("Name"))
    let starts = Set(lines.dropFirst(2).map { $0.prefix { $0 != " " }.count })
    #expect(starts == [4])
    #expect(Set(lines.dropFirst(2).map(\.count)).count == 1)
    #expect(layout.lines.map(\.block).last == 20_000)
  }

  @Test("A long list keeps its numbers and its order") func longLists() {
    let items = (1...30_000).map { "<li>item \($0)</li>" }.joined()
    let lines = ArticleBody(html: "<ol>\(items)</ol>").layout(width: 40).lines
      .map { $0.runs.map(\.text).joined() }
    #expect(lines.count == 30_000)
    #expect(lines.last == "30000. item 30000")
  }

  @Test("Content beyond the limits is cut, and the cut kinds are reported") func limits() {
    let few = ArticleLimits(blocks: 1_000, text: .max, links: 50, lines: 2_000)
    let blocks = ArticleBody(html: LongArticle("", "<p>x", 1_500).html)
      .layout(width: 40, limits: few)
    #expect(blocks.cuts == .text)
    #expect(blocks.lines.last?.block == few.blocks - 1)
    let code = ArticleBody(html: "<pre>" + String(repeating: "x\n", count: 25_000))
      .layout(width: 40, limits: few)
    #expect(code.cuts == .text)
    let differentLinks = (0..<60).map { "<a href=\"https://e.org/\($0)\">x</a> " }.joined()
    let links = ArticleBody(html: differentLinks).layout(width: 40, limits: few)
    #expect(links.cuts == .links)
    #expect(links.links.count == few.links)
    let columns = ArticleBody(
      html: "<table><tr><td>a<td>b<tr>" + String(repeating: "<td>x", count: 3_000)
    ).layout(width: 40)
    #expect(columns.cuts == .tables)
    let text = ArticleLimits(blocks: .max, text: 1_000, links: .max, lines: .max)
    let cut = ArticleBody(html: LongArticle("", "<p>word", 1_000).html)
      .layout(width: 40, limits: text)
    #expect(cut.cuts == .text)
    #expect(cut.lines.count == 499)
  }

  @Test("An article within the limits is not cut") func ordinaryArticles() {
    let layout = ArticleBody(html: "<p>a</p><ul><li>b</ul>").layout(width: 40, limits: .standard)
    #expect(layout.cuts.isEmpty)
  }

  @Test("A link leads forward to a place in a part that is not laid out yet") func placesAhead() {
    let filler = String(repeating: "<p>filler</p>", count: 5_000)
    var layout = ArticleBody(html: "<p><a href=\"#end\">down</a></p>\(filler)<p id=end>here")
      .incrementalLayout(width: 40)
    var lines = layout.advance(by: 1_000)
    #expect(layout.placeCount == 1)
    #expect(layout.line(ofPlace: 0) == nil)
    while !layout.isFinished { lines += layout.advance(by: 1_000) }
    let line = layout.line(ofPlace: 0)
    #expect(line.map { lines[$0].runs.map(\.text).joined() } == "here")
  }

  @Test("Nested lists are indented only as far as there is space for text") func deepNesting() {
    let lines = ArticleBody(html: LongArticle("", "<ul><li>x", 1_000).html).layout(width: 72).lines
    #expect(lines.count == 1_000)
    #expect(lines.allSatisfy { $0.runs.map(\.text).joined().hasSuffix("x") })
    #expect(lines.allSatisfy { $0.marginRuns <= 32 })
  }

  @Test("Without a width a paragraph is one line") func unwrapped() {
    let words = String(repeating: "word ", count: 10_000)
    let lines = ArticleBody(html: "<p>\(words)</p><hr><pre>\(words)</pre>")
      .layout(width: UnwrappedText.width).lines
    #expect(lines.count == 5)
    #expect(lines[0].runs.map(\.text).joined().count == words.count - 1)
  }

  @Test("A paragraph without wrapping is measured a bounded number of times")
  func aLineWithoutWidth() {
    let measured = Mutex(0)
    var layout = ArticleBody(html: String(repeating: "é ", count: 25_000)).incrementalLayout(
      width: UnwrappedText.width
    ) { _ in
      measured.withLock { $0 += 1 }
      return 1
    }
    var lines: [TextLine] = []
    while !layout.isFinished { lines += layout.advance(by: 4_096) }
    #expect(lines.count == 1)
    #expect(measured.withLock { $0 } < 200_000, "over eight times each")
  }
}
