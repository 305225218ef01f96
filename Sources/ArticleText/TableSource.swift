import HTMLContent

/// The rows of a table element, and whether they are data or only hold a page together.
struct TableSource {
  struct Row {
    var element: HTMLElement
    var cells: [HTMLElement] = []
  }

  /// Those without cells, too: cells from above reach down into them.
  private(set) var rows: [Row] = []
  private(set) var caption: [HTMLNode]?
  /// What HTML does not allow in a table but people write there.
  private(set) var strays: [HTMLNode] = []

  init(_ table: HTMLElement) { collect(table.children) }

  /// More than one column, and no cell holds what needs a page of its own.
  var isData: Bool {
    guard rows.contains(where: { $0.cells.count > 1 }) else { return false }
    return !rows.contains { $0.cells.contains { Self.holdsBlocks($0.children) } }
  }

  private mutating func collect(_ nodes: [HTMLNode]) {
    for node in nodes {
      guard case .element(let element) = node else {
        strays.append(node)
        continue
      }
      switch element.name {
      case "thead", "tbody", "tfoot": collect(element.children)
      case "tr": collectRow(element)
      case "caption": caption = (caption ?? []) + element.children
      case "col", "colgroup": break
      default: strays.append(node)
      }
    }
  }

  private mutating func collectRow(_ element: HTMLElement) {
    var row = Row(element: element)
    for node in element.children {
      if case .element(let cell) = node, cell.name == "td" || cell.name == "th" {
        row.cells.append(cell)
      } else {
        strays.append(node)
      }
    }
    rows.append(row)
  }

  private static func holdsBlocks(_ nodes: [HTMLNode]) -> Bool {
    var paragraphs = 0
    for case .element(let element) in nodes {
      switch element.name {
      case "table", "ul", "ol", "dl", "pre", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6",
        "figure", "hr", "article", "section":
        return true
      case "p", "div":
        paragraphs += 1
        if paragraphs > 2 || holdsBlocks(element.children) { return true }
      default: if holdsBlocks(element.children) { return true }
      }
    }
    return false
  }
}

/// Rows of cells in the making: where a cell spans columns or rows, empty ones stand in the others.
struct TableGrid {
  private(set) var rows: [[Table.Cell]] = []
  /// By column: the first row that no cell from above reaches.
  private var ends: [Int] = []
  /// Empty cells that may still be made below others: a short text must not become a huge table.
  private var spare = 20_000

  private static let mostColumns = 20
  private static let mostRows = 1_000

  mutating func beginRow() { rows.append([]) }

  /// Adds a cell to the last row, behind those from above that reach down into it.
  mutating func add(_ cell: Table.Cell, spanning element: HTMLElement) {
    guard let row = rows.indices.last else { return }
    while spare > 0, rows[row].count < ends.count, ends[rows[row].count] > row {
      rows[row].append(Table.Cell(text: InlineText()))
      spare -= 1
    }
    let end = row + Self.span(element["rowspan"], Self.mostRows)
    let rest = Table.Cell(text: InlineText(), isHeader: cell.isHeader)
    for part in 0..<Self.span(element["colspan"], Self.mostColumns) {
      let column = rows[row].count
      if column == ends.count { ends.append(0) }
      ends[column] = max(ends[column], end)
      rows[row].append(part == 0 ? cell : rest)
    }
  }

  private static func span(_ value: String?, _ most: Int) -> Int {
    min(max(value.flatMap { Int($0) } ?? 1, 1), most)
  }
}
