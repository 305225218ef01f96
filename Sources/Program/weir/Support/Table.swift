import ProgramSettings
import TerminalKit

/// Rows in columns: aligned and cut on a terminal, separated by tabs in a pipe.
struct Table {
  enum Column {
    case number
    case text(limit: Int)
    case last
  }

  private let columns: [Column]
  private let heading: [String]?
  private var rows: [(cells: [String], isEmphasised: Bool)] = []

  /// - Parameter heading: a name for each column, shown only on a terminal.
  init(_ columns: [Column], heading: [String]? = nil) {
    (self.columns, self.heading) = (columns, heading)
  }

  mutating func add(_ cells: [String], isEmphasised: Bool = false) {
    rows.append((cells.map(SafeText.line), isEmphasised))
  }

  mutating func print() throws {
    defer { rows = [] }
    guard let width = Console.columns() else {
      for row in rows { try Console.write(Array((row.cells.joined(separator: "\t") + "\n").utf8)) }
      return
    }
    if let heading { rows.insert((heading, isEmphasised: true), at: 0) }
    let widths = columns.indices.map { index -> Int in
      let widest = rows.map { GraphemeWidth.width(of: $0.cells[index]) }.max() ?? 0
      return if case .text(let limit) = columns[index] { min(widest, limit) } else { widest }
    }
    for row in rows {
      var line = ""
      for (index, cell) in row.cells.enumerated() {
        switch columns[index] {
        case .number:
          line += String(repeating: " ", count: widths[index] - GraphemeWidth.width(of: cell))
          line += cell + "  "
        case .text:
          let cut = cell.fitted(to: widths[index])
          line += cut
          line += String(repeating: " ", count: widths[index] - GraphemeWidth.width(of: cut) + 2)
        case .last: line += cell
        }
      }
      let cut = line.fitted(to: width)
      if row.isEmphasised { try Console.printEmphasised(cut) } else { try Console.print(cut) }
    }
  }
}
