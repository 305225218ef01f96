import Foundation
import Testing

@Suite("The charts of the measurements") struct ChartTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test("Each chart in the repository is that of the table in Benchmarks.md (make charts)")
  func chartsAgreeWithTables() throws {
    let document = try String(
      contentsOf: Self.root.appending(path: "Benchmarks.md"), encoding: .utf8)
    for (file, svg) in try BenchmarkCharts.all(in: document) {
      let path = Self.root.appending(path: "\(BenchmarkCharts.folder)/\(file)")
      if ProcessInfo.processInfo.environment["WEIR_RECORD_GOLDEN"] != nil {
        try Data(svg.utf8).write(to: path)
      }
      #expect(try String(contentsOf: path, encoding: .utf8) == svg, "\(file)")
      #expect(document.contains("\(BenchmarkCharts.folder)/\(file)"), "\(file) is shown")
    }
  }

  @Test(
    "A cell begins with its number",
    arguments: [
      ("1,000", 1_000.0), ("82.1, 23 lost", 82.1), ("0.30", 0.3), ("–", nil),
      ("1,234,567", 1_234_567),
    ] as [(String, Double?)])
  func numbers(cell: String, number: Double?) {
    #expect(MarkdownTable.number(cell) == number)
  }

  @Test("A table is the first one below its heading, and an empty first cell repeats the one above")
  func tables() throws {
    let document = """
      ## Other

      | a | b |
      |---|---|
      | 9 | 9 |

      ## Keys

      Words.

      | link | s |
      |---|--:|
      | DSL | 1.5 |
      | | 2 |

      ## Empty
      """
    let table = try #require(MarkdownTable(below: "## Keys", in: document))
    #expect(table.rows == [["DSL", "1.5"], ["DSL", "2"]])
    #expect(table.numbers("s") == [1.5, 2])
    #expect(MarkdownTable(below: "## Empty", in: document) == nil)
    #expect(MarkdownTable(below: "## None", in: document) == nil)
  }

  @Test("Bars are as long as their values say, and what was not measured is a dash") func bars() {
    let chart = Chart(
      "A & B", .bars, labels: ["weir", "`curl`"],
      panels: [.init("s", [4, 2]), .init("MB", [7, nil])],
      emphasis: ["weir"])
    let widths = chart.svg.matches(of: /width="([\d.]+)" height/).compactMap { Double($0.1) }
    #expect(widths.count == 3)
    #expect(abs(widths[0] - 2 * widths[1]) <= 0.2)
    #expect(chart.svg.contains("<title>A &amp; B</title>"))
    #expect(chart.svg.contains(">curl<") && chart.svg.contains(">–<"))
  }

  @Test("The line of a chart rises with its values") func line() {
    let chart = Chart("Growth", .line, labels: ["1", "10"], panels: [.init("ms", [1, 2])])
    let heights = chart.svg.matches(of: /cy="([\d.]+)"/).compactMap { Double($0.1) }
    #expect(heights.count == 2 && heights[1] < heights[0])
  }
}
