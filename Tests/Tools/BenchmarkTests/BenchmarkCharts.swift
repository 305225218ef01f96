import Foundation

/// The charts of Benchmarks.md. They are drawn from its tables, so that a chart never differs from
/// the table beside it.
enum BenchmarkCharts {
  /// Where the charts are, from the root of the repository.
  static let folder = "Sources/Program/weir/Documentation.docc/Resources"

  /// A table that a chart needs and the document does not have.
  struct MissingTable: Error, CustomStringConvertible {
    /// A sentence with the heading.
    let description: String
  }

  /// Returns the SVG of each chart by the name of its file.
  static func all(in document: String) throws -> [(file: String, svg: String)] {
    try [
      ("sync.svg", sync(document)), ("networks.svg", networks(document)),
      ("keys.svg", keys(document)), ("growth.svg", growth(document)),
    ].map { ($0.0, $0.1.svg) }
  }

  private static func table(_ heading: String, _ document: String) throws -> MarkdownTable {
    guard let table = MarkdownTable(below: heading, in: document) else {
      throw MissingTable(description: "There is no table below “\(heading)”.")
    }
    return table
  }

  /// Time, CPU and memory of a sync beside curl.
  private static func sync(_ document: String) throws -> Chart {
    let table = try table("### Without a limit from the network", document)
    let labels = table.rows.map { $0[0].prefix { $0 != "(" }.trimmingCharacters(in: .whitespaces) }
    return Chart(
      "Seconds, CPU seconds and memory of a sync of 1,000 feeds", .bars, labels: labels,
      panels: [
        .init("seconds", table.numbers("wall s")), .init("CPU seconds", table.numbers("CPU s")),
        .init("MB at most", table.numbers("peak MB")),
      ], emphasis: Set(labels.filter { $0.hasPrefix("weir") }))
  }

  /// First syncs of readers on limited networks, a panel for each network.
  private static func networks(_ document: String) throws -> Chart {
    let table = try table("### On a limited link, beside other readers", document)
    let links = table.rows.map(\.[0]).reduce(into: [String]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    let readers = table.rows.filter { $0[0] == links.first }.map(\.[1])
    let first = table.numbers("first, s")
    let panels = links.map { link in
      Chart.Panel(
        link.prefix { $0 != "," } + ", seconds",
        zip(table.rows, first).filter { $0.0[0] == link }.map(\.1))
    }
    return Chart(
      "Seconds of a first sync of 1,000 feeds on three networks", .bars, labels: readers,
      panels: panels, emphasis: ["weir"])
  }

  /// Milliseconds from a key to the settled picture.
  private static func keys(_ document: String) throws -> Chart {
    let table = try table("## Keys", document)
    let labels = table.rows.map(\.[0])
    return Chart(
      "Milliseconds from a key to the settled picture, in 100,000 articles", .bars, labels: labels,
      panels: [
        .init("median, ms", table.numbers("median")), .init("p99, ms", table.numbers("p99")),
      ], emphasis: Set(labels))
  }

  /// Costs from ten thousand to a million articles.
  private static func growth(_ document: String) throws -> Chart {
    let table = try table("## From ten thousand to a million articles", document)
    let labels = table.rows.map {
      $0[0].replacing(",000,000", with: "M").replacing(",000", with: "k")
    }
    return Chart(
      "Costs from ten thousand to a million articles", .line, labels: labels,
      panels: table.columns.dropFirst().map { .init($0, table.numbers($0)) })
  }
}
