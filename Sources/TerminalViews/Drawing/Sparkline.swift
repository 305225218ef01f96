import TerminalKit

/// Values over time as columns of eighths of a cell, the newest at the right.
package struct Sparkline {
  private static let eighths: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// One for each column, oldest first; `nil` if nothing was measured.
  var values: [Double?]
  /// The value of the full height.
  var top: Double

  /// The full height stands for at least `least`, so that noise looks like noise.
  package init(_ values: [Double?], least: Double) {
    self.values = values
    top = max(least, values.compactMap { $0 }.max() ?? 0)
  }

  package var text: String {
    String(values.map { value in Self.eighths[max(1, level(value ?? 0, rows: 1)) - 1] })
  }

  /// In eighths of a row; a value above zero is always visible.
  private func level(_ value: Double, rows: Int) -> Int {
    let level = Int((min(1, max(0, value / top)) * Double(8 * rows)).rounded())
    return value > 0 ? max(1, level) : 0
  }

  /// Draws into the rows from `y` on, at the right end of `columns`.
  package func draw(
    on canvas: Canvas, x: Int, y: Int, columns: Int, rows: Int = 1, role: Role = .accent
  ) {
    guard columns > 0 else { return }
    let shown = values.suffix(columns)
    let start = x + columns - shown.count
    for (offset, value) in shown.enumerated() {
      guard let value else { continue }
      let height = level(value, rows: rows)
      for row in 0..<rows {
        let left = height - 8 * row
        guard left > 0 || row == 0 else { break }
        let block = left > 0 ? Self.eighths[min(8, left) - 1] : "▁"
        canvas.write(
          String(block), x: start + offset, y: y + rows - 1 - row, left > 0 ? role : .rule)
      }
    }
  }
}
