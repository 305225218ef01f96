import HTMLContent

/// The rows of a table element, and whether they are data or only hold a page together.
struct TableSource {
  private var hasColumns = false
  private var holdsBlocks = false
  private var holdsLists = false
  private var namesColumns = false

  init(_ table: HTMLElement) { look(at: table.children) }

  /// More than one column, and no cell holds what needs a page of its own; short lists may be in
  /// the cells of a table whose columns have names.
  var isData: Bool { hasColumns && !holdsBlocks && (!holdsLists || namesColumns) }

  private mutating func look(at nodes: [HTMLNode]) {
    for case .element(let element) in nodes {
      switch element.name {
      case "thead", "tbody", "tfoot": look(at: element.children)
      case "tr": look(atRow: element)
      default: break
      }
    }
  }

  private mutating func look(atRow row: HTMLElement) {
    var count = 0
    for case .element(let cell) in row.children where cell.name == "td" || cell.name == "th" {
      count += 1
      if cell.name == "th" { namesColumns = true }
      if Self.holdsBlocks(cell.children) { holdsBlocks = true }
      if Self.holdsList(cell.children) { holdsLists = true }
    }
    if count > 1 { hasColumns = true }
  }

  private static func holdsList(_ nodes: [HTMLNode]) -> Bool {
    nodes.contains { node in
      guard case .element(let element) = node else { return false }
      return ["ul", "ol"].contains(element.name) || holdsList(element.children)
    }
  }

  /// Its items are more than words in a line.
  private static func isLong(list: HTMLElement) -> Bool {
    list.children.contains { node in
      guard case .element(let item) = node else { return false }
      return holdsList(item.children) || holdsBlocks(item.children)
        || item.children.contains { child in
          guard case .element(let element) = child else { return false }
          return element.name == "p" || element.name == "div"
        }
    }
  }

  private static func holdsBlocks(_ nodes: [HTMLNode]) -> Bool {
    var paragraphs = 0
    for case .element(let element) in nodes {
      switch element.name {
      case "ul", "ol": if Self.isLong(list: element) { return true }
      case "table", "dl", "pre", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6",
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

/// Rows of cells in the making: where a cell spans columns or rows, empty ones are in the others.
struct TableGrid {
  private(set) var rows: [[Table.Cell]] = []
  /// By column: the first row that no cell from above reaches.
  private var ends: [Int] = []
  /// Empty cells that may still be made below others: a short text must not become a huge table.
  private var spare = 20_000

  private static let mostColumns = 20
  private static let mostRows = 1_000

  mutating func beginRow() { rows.append([]) }

  /// Cells of one row beyond this number are dropped.
  private static let mostCells = 1_000

  /// Takes the rows that have cells; those that follow go on below them.
  mutating func takeRows() -> [[Table.Cell]] {
    ends = ends.map { max(0, $0 - rows.count) }
    defer { rows = [] }
    return rows.filter { !$0.isEmpty }
  }

  /// Adds a cell to the last row, behind those from above that reach down into it. False if the
  /// row has too many.
  mutating func add(_ cell: Table.Cell, spanning element: HTMLElement) -> Bool {
    guard let row = rows.indices.last, rows[row].count < Self.mostCells else { return false }
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
    return true
  }

  private static func span(_ value: String?, _ most: Int) -> Int {
    min(max(value.flatMap { Int($0) } ?? 1, 1), most)
  }
}
