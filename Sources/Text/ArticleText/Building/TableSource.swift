import HTMLContent

/// The rows of a table element, and the test for layout tables.
struct TableSource {
  private var hasColumns = false
  private var holdsBlocks = false
  private var holdsLists = false
  private var namesColumns = false

  init(_ table: HTMLElement) { inspect(table.children) }

  /// True if there are several columns, and cells have no large content. Short lists are allowed
  /// if the columns have names.
  var isData: Bool { hasColumns && !holdsBlocks && (!holdsLists || namesColumns) }

  private mutating func inspect(_ nodes: [HTMLNode]) {
    for case .element(let element) in nodes {
      switch element.name {
      case "thead", "tbody", "tfoot": inspect(element.children)
      case "tr": inspect(row: element)
      default: break
      }
    }
  }

  private mutating func inspect(row: HTMLElement) {
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

  /// True if an item contains a list, a block or a paragraph, instead of one line of words.
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

/// Builds rows of cells; a span leaves empty cells.
struct TableGrid {
  private(set) var rows: [[Table.Cell]] = []
  /// The first row below all spans, by column.
  private var ends: [Int] = []
  /// Empty cells that spans may still add; the limit keeps a short text from making a huge table.
  private var spare = 20_000

  private static let mostColumns = 20
  private static let mostRows = 1_000

  mutating func beginRow() { rows.append([]) }

  /// Maximum number of cells of a row.
  private static let mostCells = 1_000

  mutating func removeRows() -> [[Table.Cell]] {
    ends = ends.map { max(0, $0 - rows.count) }
    defer { rows = [] }
    return rows.filter { !$0.isEmpty }
  }

  /// Adds a cell to the last row, after spans from above. Returns false if the row is full.
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
