import TerminalKit

/// A selection held by identity while rows come and go, and the visible part of the rows.
struct RowSelection<ID: Hashable> {
  private(set) var ids: [ID] = []
  private var navigation = ListNavigation()
  var selected: Int { navigation.selected }
  var top: Int { navigation.top }
  /// Lines of the window, and the row of each line, as drawn last.
  private var height = 1
  private var drawnLines: [Int] = []

  var id: ID? { ids.indices.contains(selected) ? ids[selected] : nil }

  /// Replaces the rows: the selection stays on its row, or goes to the next one still there, and on
  /// its line of the screen.
  mutating func update(_ new: [ID]) {
    guard new != ids else { return }
    let offset = selected - top
    var index = selected
    if !ids.isEmpty, !(selected == 0 && top == 0) || new.contains(ids[0]) {
      let places = Dictionary(
        new.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
      let candidates = ids[min(index, ids.count)...] + ids[..<min(index, ids.count)].reversed()
      index = candidates.lazy.compactMap { places[$0] }.first ?? index
    }
    ids = new
    navigation.show(max(0, min(index, new.count - 1) - offset), selecting: index, in: layout())
  }

  /// The layout while the window is unknown.
  private func layout(
    height: Int = .max, lines: @escaping (Int) -> Int = { _ in 1 }
  ) -> ListScrolling {
    ListScrolling(count: ids.count, height: height) { index, _ in lines(index) }
  }

  mutating func select(_ index: Int) { navigation.select(index, in: layout()) }

  /// - Parameter page: Rows of a page.
  mutating func move(_ movement: ListMovement, page: Int) {
    switch movement {
    case .top: select(0)
    case .bottom: select(ids.count - 1)
    case .row(let index): select(index)
    case .rows, .halfPages, .pages: select(selected + movement.distance(height: page))
    }
  }

  /// Scrolls without selecting: the selection stays on its row while that is visible.
  /// - Parameter lines: The lines of each row.
  mutating func scroll(by rows: Int, lines: @escaping (Int) -> Int = { _ in 1 }) {
    navigation.scroll(by: rows, in: layout(height: height, lines: lines))
  }

  /// Selects the row that was drawn on a line; `false` if there is none.
  mutating func select(line: Int) -> Bool {
    guard drawnLines.indices.contains(line) else { return false }
    select(drawnLines[line])
    return true
  }

  /// Brings the selected row into a view of this many lines.
  /// - Parameter lines: The lines of each row.
  mutating func show(in height: Int, lines: @escaping (Int) -> Int = { _ in 1 }) {
    self.height = height
    navigation.fillWindow(in: layout(height: height, lines: lines))
  }

  /// Draws the rows in view, the selected one marked.
  ///
  /// - Parameters:
  ///   - lines: The lines of each row.
  ///   - row: Draws a row from a line of the canvas on.
  mutating func draw(
    on canvas: Canvas, lines: @escaping (Int) -> Int, row: (_ index: Int, _ y: Int) -> Void
  ) {
    show(in: canvas.height, lines: lines)
    drawnLines = []
    for index in ids.indices.dropFirst(top) where drawnLines.count < height {
      let y = drawnLines.count
      row(index, y)
      if index == selected {
        canvas.select(row: y)
        canvas.mark(row: y)
      }
      drawnLines += Array(repeating: index, count: lines(index))
    }
  }
}
