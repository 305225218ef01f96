/// The rows of a list, their visible part, and a selection that is kept by identity while rows are
/// inserted and removed.
public struct RowList<Row: Identifiable> {
  public private(set) var rows: [Row] = []
  private var navigation = ListNavigation()
  /// The window of the rows in the last drawing; `y` is the number of lines above it.
  public var window = Rect(x: 0, y: 0, width: 1, height: 1)
  /// The row of each line in the last drawing.
  private var drawnLines: [Int] = []

  public init(_ rows: [Row] = []) { self.rows = rows }

  var selectedIndex: Int { navigation.selected }
  var top: Int { navigation.top }
  public var selected: Row? { rows.indices.contains(selectedIndex) ? rows[selectedIndex] : nil }

  /// Replaces the rows. The selection stays on its row, or moves to the next remaining one, and
  /// stays on its line of the screen.
  public mutating func update(_ new: [Row]) {
    let (ids, newIDs) = (rows.map(\.id), new.map(\.id))
    rows = new
    guard newIDs != ids else { return }
    let offset = selectedIndex - top
    var index = selectedIndex
    if !ids.isEmpty, !(index == 0 && top == 0) || newIDs.contains(ids[0]) {
      index = ListNavigation.index(of: index, in: ids, after: newIDs) ?? index
    }
    // The window's height may change before the rows are drawn.
    navigation.show(
      max(0, min(index, new.count - 1) - offset), selecting: index, in: layout(height: .max))
  }

  /// - Parameter lines: Returns the lines of each row.
  private func layout(height: Int, lines: @escaping (Int) -> Int = { _ in 1 }) -> ListScrolling {
    ListScrolling(count: rows.count, height: height) { index, _ in lines(index) }
  }

  /// Selects a row, or the nearest one.
  public mutating func select(_ index: Int) { navigation.select(index, in: layout(height: .max)) }

  /// - Parameter rowHeight: The usual lines of a row, which determine the rows of a page.
  public mutating func move(_ movement: ListMovement, rowHeight: Int = 1) {
    switch movement {
    case .top: select(0)
    case .bottom: select(rows.count - 1)
    case .row(let index): select(index)
    case .rows, .halfPages, .pages:
      select(selectedIndex + movement.distance(height: max(1, window.height / rowHeight)))
    }
  }

  /// Scrolls without selecting; the selection stays on its row while that row is visible.
  /// - Parameter lines: Returns the lines of each row.
  public mutating func scroll(by count: Int, lines: @escaping (Int) -> Int = { _ in 1 }) {
    navigation.scroll(by: count, in: layout(height: window.height, lines: lines))
  }

  /// Selects the row drawn on a line of the canvas; returns `false` if there is none.
  public mutating func select(line: Int) -> Bool {
    guard drawnLines.indices.contains(line - window.y) else { return false }
    select(drawnLines[line - window.y])
    return true
  }

  /// Draws the rows in view.
  /// - Parameters:
  ///   - isMarked: `true` to mark the selected row.
  ///   - lines: Returns the lines of each row.
  ///   - row: Draws a row, beginning at a line of the canvas.
  public mutating func draw(
    on canvas: Canvas, isMarked: Bool = true, lines: @escaping (Int) -> Int = { _ in 1 },
    row: (_ row: Row, _ y: Int) -> Void
  ) {
    navigation.fillWindow(in: layout(height: canvas.height, lines: lines))
    drawnLines = []
    for index in rows.indices.dropFirst(top) where drawnLines.count < canvas.height {
      let y = drawnLines.count
      row(rows[index], y)
      if isMarked, index == selectedIndex { canvas.select(row: y) }
      drawnLines += Array(repeating: index, count: lines(index))
    }
  }
}
