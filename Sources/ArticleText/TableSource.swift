import HTMLContent

/// The rows of a table element, and whether they are data or only hold a page together.
struct TableSource {
  private(set) var rows: [[HTMLElement]] = []
  private(set) var caption: [HTMLNode]?
  /// What HTML does not allow in a table but people write there.
  private(set) var strays: [HTMLNode] = []

  init(_ table: HTMLElement) { collect(table.children) }

  /// More than one column, and no cell holds what needs a page of its own.
  var isData: Bool {
    guard rows.contains(where: { $0.count > 1 }) else { return false }
    return !rows.contains { $0.contains { Self.holdsBlocks($0.children) } }
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

  private mutating func collectRow(_ row: HTMLElement) {
    var cells: [HTMLElement] = []
    for node in row.children {
      if case .element(let cell) = node, cell.name == "td" || cell.name == "th" {
        cells.append(cell)
      } else {
        strays.append(node)
      }
    }
    if !cells.isEmpty { rows.append(cells) }
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
