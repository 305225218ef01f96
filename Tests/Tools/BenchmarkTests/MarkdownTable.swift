import Foundation

/// A table of a Markdown document.
struct MarkdownTable {
  /// The cells of its heading.
  let columns: [String]
  /// The cells of its rows, as many as there are columns; an empty first cell repeats the one
  /// above.
  let rows: [[String]]

  /// Reads the first table below a heading.
  /// - Parameter heading: the line of the heading, with its number signs.
  /// - Returns: `nil` if the document has no such heading, or no table before the next one.
  init?(below heading: String, in document: String) {
    let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(where: { $0 == heading }) else { return nil }
    let section = lines[(start + 1)...].prefix { !$0.hasPrefix("#") }
    let table = section.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
    guard table.count > 2 else { return nil }
    let cells = table.map { line in
      line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
    columns = cells[0]
    var label = ""
    rows = cells.dropFirst(2).map { row in
      label = row[0].isEmpty ? label : row[0]
      return [label] + row.dropFirst()
    }
  }

  /// Returns the number that a cell begins with: 1000 for "1,000", 82.1 for "82.1, 23 lost".
  static func number(_ cell: String) -> Double? {
    cell.prefixMatch(of: /(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?/)
      .flatMap { Double($0.output.replacing(",", with: "")) }
  }

  /// The numbers of a column, from the top; `nil` where a cell has none.
  func numbers(_ column: String) -> [Double?] {
    guard let place = columns.firstIndex(of: column) else { return [] }
    return rows.map { $0.indices.contains(place) ? Self.number($0[place]) : nil }
  }
}
