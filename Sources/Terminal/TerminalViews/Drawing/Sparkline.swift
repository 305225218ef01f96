/// Values over time as columns of eighths of a cell, with the newest at the right.
public struct Sparkline {
  private static let eighths: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// A value for each column, oldest first; `nil` if nothing was measured.
  var values: [Double?]
  /// The value that has the full height.
  var top: Double

  /// Sets the full height to `minimum` at least, so that noise is not magnified.
  public init(_ values: [Double?], minimum: Double) {
    self.values = values
    top = max(minimum, values.compactMap { $0 }.max() ?? 0)
  }

  public var text: String {
    String(values.map { value in Self.eighths[max(1, level(value ?? 0, rows: 1)) - 1] })
  }

  /// Returns the height in eighths of a row; at least 1 for a value above zero.
  private func level(_ value: Double, rows: Int) -> Int {
    let level = Int((min(1, max(0, value / top)) * Double(8 * rows)).rounded())
    return value > 0 ? max(1, level) : 0
  }

  /// Draws into the rows from `y`, at the right end of `columns`.
  public func draw(
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
