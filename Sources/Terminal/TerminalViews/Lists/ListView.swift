/// A view of rows, one of which is selected. A view declares its rows, their drawing and their
/// commands; this protocol selects, scrolls, and handles clicks and empty lists.
@MainActor public protocol ListView: View {
  associatedtype Row: Identifiable
  /// The rows and the selection.
  var list: RowList<Row> { get set }
  /// The usual height of a row, in lines.
  var rowHeight: Int { get }
  /// Returns the lines of one row, including a blank line below it.
  func lines(ofRow index: Int) -> Int
  /// Draws a row, beginning at line `y` of the canvas.
  func draw(_ row: Row, on canvas: Canvas, y: Int)
  /// Draws above the rows, and returns the lines used.
  func drawHeader(on canvas: Canvas) -> Int
  /// Lines of text that are shown if there are no rows.
  var emptyText: [String] { get }
  /// Handles a double click on the selected row.
  func openSelected()
}

extension ListView {
  public var rowHeight: Int { 1 }
  public func lines(ofRow index: Int) -> Int { rowHeight }
  public func drawHeader(on canvas: Canvas) -> Int { 0 }
  public var selected: Row? { list.selected }

  public var movement: [CommandBinding<ProgramCommand>] {
    unowned let view = self
    return CommandBinding.movement { view.list.move($0, rowHeight: view.rowHeight) }
  }

  /// Returns the word of a hint while a row is selected.
  public func word(_ word: String) -> String? { selected == nil ? nil : word }

  /// Returns a command for the selected row; `reason` is shown if the command cannot act on it.
  /// - Parameter needsRow: True to leave the command to other views if no row is selected.
  public func binding(
    _ command: ProgramCommand, needsRow: Bool = false,
    unless reason: @escaping @autoclosure () -> String? = nil, _ action: @escaping (Row) -> Void
  ) -> CommandBinding<ProgramCommand> {
    unowned let view = self
    return CommandBinding(command, when: !needsRow || view.selected != nil, unless: reason()) {
      if let row = view.selected { action(row) }
    }
  }

  /// Selects the row, and opens it after a double click.
  public func press(x: Int, y: Int, isDouble: Bool) {
    if list.select(line: y), isDouble { openSelected() }
  }

  public func scroll(by rows: Int, x: Int, y: Int) {
    change { $0.scroll(by: rows, lines: self.lines(ofRow:)) }
  }

  /// Draws the head, then the rows in view or `emptyText`.
  public func draw(on canvas: Canvas, isFocused: Bool) {
    let head = drawHeader(on: canvas)
    list.window = Rect(x: 0, y: head, width: canvas.width, height: max(0, canvas.height - head))
    let body = canvas.part(list.window)
    for (y, line) in (list.rows.isEmpty ? emptyText : []).enumerated() {
      body.write(line, x: 3, y: y, columns: max(0, body.width - 4), .secondary)
    }
    change { list in
      list.draw(on: body, lines: self.lines(ofRow:)) { self.draw($0, on: body, y: $1) }
    }
  }

  /// Changes a copy of the list, since the lines of a row may depend on the list.
  private func change(_ body: (inout RowList<Row>) -> Void) {
    var copy = list
    body(&copy)
    list = copy
  }
}
