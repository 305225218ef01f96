import HTMLContent

extension BlockBuilder {
  mutating func enterTable(_ element: HTMLElement, isWhole: Bool, _ context: Context) {
    flush()
    guard table == nil, TableSource(element).isData else {
      // The cells of a layout table follow each other.
      frames.append(Frame(kind: .block, context: context))
      return
    }
    table = TableState(isWhole: isWhole)
    frames.append(Frame(kind: .table, context: context))
  }

  /// Returns `nil` if the element is not part of a table.
  mutating func enterTablePart(_ element: HTMLElement) -> Bool? {
    let context = context
    switch (frames.last?.kind, element.name) {
    case (.table, "thead"), (.table, "tbody"), (.table, "tfoot"), (.tableSection, "thead"),
      (.tableSection, "tbody"), (.tableSection, "tfoot"):
      frames.append(Frame(kind: .tableSection, context: context))
    case (.table, "tr"), (.tableSection, "tr"):
      table?.grid.beginRow()
      table?.rowNames = Self.names(of: element)
      frames.append(Frame(kind: .row, context: context))
    case (.row, "td"), (.row, "th"):
      // The targets of a row are those of its first cell.
      gather(.cell, context, named: (table?.rowNames ?? []) + Self.names(of: element))
      table?.rowNames = []
      change { $0.cell = HTMLElement(name: element.name, attributes: element.attributes) }
      if element.name == "th" { addStyle(.strong) }
    case (.table, "caption"), (.tableSection, "caption"):
      gather(.caption, context)
      addStyle(.secondary)
    case (_, "col"), (_, "colgroup"): return false
    default: return nil
    }
    return true
  }

  mutating func exitCell(_ frame: Frame) {
    let text = endGathering()
    guard let element = frame.cell, table != nil else { return }
    let cell = Table.Cell(
      text: text, isHeader: element.name == "th", alignment: Self.alignment(of: element))
    if table?.grid.add(cell, spanning: element) == false { output.cuts.insert(.tables) }
    table?.cellCount += 1
  }

  private static func alignment(of cell: HTMLElement) -> Table.Alignment? {
    (cell.declared("text-align") ?? cell["align"]?.lowercased()).flatMap(Table.Alignment.init)
  }

  mutating func exitRow() {
    guard let state = table, !state.isWhole, state.cellCount > TableState.mostHeld else { return }
    flush()
    addTablePart(isLast: false)
  }

  mutating func exitTable() {
    flush()
    if table?.grid.rows.isEmpty == false || table?.isContinued == false {
      addTablePart(isLast: true)
    }
    table = nil
  }

  private mutating func addTablePart(isLast: Bool) {
    guard var state = table else { return }
    table = nil
    var part = Table(caption: state.caption, rows: state.grid.removeRows())
    part.isContinued = state.isContinued
    part.isUnfinished = !isLast
    part.continuedHeader = state.header
    if state.isContinued { output.nextStandsApart = false }
    add(.table(part))
    state.header = part.header
    state.caption = nil
    state.cellCount = 0
    state.isContinued = true
    table = state
  }
}
