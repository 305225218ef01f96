import ReaderServices
import TerminalKit

/// The state of the three panes: focus, zoom and size.
struct PaneState {
  var size: Size
  var focus = PaneKind.feeds
  var isZoomed = false
  /// True if the article was opened, not only selected; two panes then include the reader.
  var hasOpened = false
  /// The pane whose right border the user drags.
  var draggedBorder: PaneKind?
  /// The last press of a mouse button, and its cell.
  private var lastPress: (x: Int, y: Int, cell: Cell)?

  init(size: Size) { self.size = size }

  /// A cell of a pane.
  struct Cell {
    var pane: PaneKind
    var x: Int
    var y: Int
  }

  /// Returns the cell at the pointer; `nil` outside the panes. A double click belongs to the cell
  /// of the first press, which may have moved the panes.
  mutating func cell(of event: MouseEvent, in layout: Layout) -> Cell? {
    guard let cell = find(event, in: layout) else { return nil }
    lastPress = event.action == .press ? (event.x, event.y, cell) : nil
    return cell
  }

  private func find(_ event: MouseEvent, in layout: Layout) -> Cell? {
    if event.action == .doubleClick, let press = lastPress, press.x == event.x, press.y == event.y {
      return press.cell
    }
    guard let (kind, frame) = layout.pane(x: event.x, y: event.y) else { return nil }
    return Cell(pane: kind, x: event.x - frame.x, y: event.y - frame.y)
  }
}
