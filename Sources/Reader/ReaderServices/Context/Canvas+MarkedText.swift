package import FeedStore
package import TerminalViews

extension Canvas {
  /// Writes a text with marked hits into `columns` columns; returns the columns used.
  @discardableResult
  package func write(_ text: MarkedText, x: Int, y: Int, columns: Int, _ role: Role) -> Int {
    guard !text.hits.isEmpty else { return write(text.text, x: x, y: y, columns: columns, role) }
    return write(text.pieces.map { ($0.text, $0.isHit) }, x: x, y: y, columns: columns, role)
  }
}
