import HTMLContent

/// Paragraphs, lists, tables and figures.
extension XHTMLWriter {
  private static let blocks: Set<String> = [
    "p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "hr", "ul", "ol", "menu", "dir", "li",
    "dl", "dt", "dd", "table", "caption", "thead", "tbody", "tfoot", "tr", "td", "th", "figure",
    "figcaption", "blockquote", "section", "article", "aside", "header", "footer", "main", "nav",
    "hgroup", "address", "center", "details", "summary", "form", "fieldset", "legend",
  ]

  static func isBlock(_ name: String) -> Bool { blocks.contains(name) }

  static func hasBlocks(_ element: HTMLElement) -> Bool {
    var rest = element.children
    while let node = rest.popLast() {
      guard let child = node.element else { continue }
      if isBlock(child.name) { return true }
      rest += child.children
    }
    return false
  }

  mutating func writeBlock(_ element: HTMLElement, _ depth: Int) {
    switch element.name {
    case "p":
      writeElement(Self.hasBlocks(element) ? "div" : "p", element) {
        $0.writeFlow(element.children, depth)
      }
    // The title of the article has the first rank.
    case "h1": writeHeading("h2", element, depth)
    case "h2", "h3", "h4", "h5", "h6": writeHeading(element.name, element, depth)
    case "summary": writeHeading("p", element, depth)
    case "pre": writeElement("pre", element) { $0.writePhrasing(element.children, depth) }
    case "hr": writeElement("hr", element)
    case "ul", "ol", "menu", "dir": writeList(element, depth)
    case "dl": writeDefinitions(element, depth)
    case "table": writeTable(element, depth)
    case "figure": writeFigure(element, depth)
    case "blockquote":
      writeElement("blockquote", element) { $0.writeFlow(element.children, depth) }
    default:
      if Self.isBlock(element.name) {
        writeElement("div", element) { $0.writeFlow(element.children, depth) }
      } else {
        writeAnchor(element)
        writeFlow(element.children, depth)
      }
    }
  }

  private mutating func writeHeading(_ name: String, _ element: HTMLElement, _ depth: Int) {
    writeElement(name, element) { $0.writePhrasing(element.children, depth) }
  }

  private mutating func writeList(_ element: HTMLElement, _ depth: Int) {
    let items = element.children.filter { !$0.isBlank }
    guard !items.isEmpty else { return writeAnchor(element) }
    let isNumbered = element.name == "ol"
    var attributes: [(String, String)] = []
    if isNumbered, let start = element["start"].flatMap(Int.init) {
      attributes.append(("start", String(start)))
    }
    if isNumbered, element["reversed"] != nil { attributes.append(("reversed", "reversed")) }
    writeElement(isNumbered ? "ol" : "ul", element, attributes) { writer in
      for item in items {
        guard let part = item.element, part.name == "li" else {
          writer.text += "<li>"
          writer.write(item, isPhrasing: false, depth)
          writer.text += "</li>"
          continue
        }
        let value = isNumbered ? part["value"].flatMap(Int.init) : nil
        writer.writeElement("li", part, value.map { [("value", String($0))] } ?? []) {
          $0.writeFlow(part.children, depth)
        }
      }
    }
  }

  /// Writes `dl` if the list has only terms and definitions and ends with a definition, else `div`.
  private mutating func writeDefinitions(_ element: HTMLElement, _ depth: Int) {
    let parts = element.children.filter { !$0.isBlank }
    let names = parts.map { $0.element?.name }
    let isPaired =
      names.first == "dt" && names.last == "dd" && names.allSatisfy { $0 == "dt" || $0 == "dd" }
    guard isPaired else {
      return writeElement("div", element) { writer in
        for part in parts {
          guard let child = part.element, child.name == "dt" || child.name == "dd" else {
            writer.write(part, isPhrasing: false, depth)
            continue
          }
          writer.writeElement("div", child) { $0.writeFlow(child.children, depth) }
        }
      }
    }
    writeElement("dl", element) { writer in
      for part in parts.compactMap(\.element) {
        writer.writeElement(part.name, part) {
          if part.name == "dt" {
            $0.writePhrasing(part.children, depth)
          } else {
            $0.writeFlow(part.children, depth)
          }
        }
      }
    }
  }

  private mutating func writeTable(_ element: HTMLElement, _ depth: Int) {
    var rows: [(group: String, row: HTMLElement)] = []
    for child in element.children.compactMap(\.element) {
      switch child.name {
      case "tr": rows.append(("tbody", child))
      case "thead", "tbody", "tfoot":
        rows += child.children.compactMap(\.element).filter { $0.name == "tr" }
          .map { (child.name, $0) }
      default: continue
      }
    }
    rows.removeAll { row in !row.row.children.contains { $0.element?.isCell == true } }
    guard !rows.isEmpty else {
      return writeElement("div", element) { $0.writeFlow(element.children, depth) }
    }
    let caption = element.children.lazy.compactMap(\.element).first { $0.name == "caption" }
    writeElement("table", element) { writer in
      if let caption {
        writer.writeElement("caption", caption) { $0.writePhrasing(caption.children, depth) }
      }
      for group in ["thead", "tbody", "tfoot"] {
        let rows = rows.filter { $0.group == group }
        guard !rows.isEmpty else { continue }
        writer.text += "<\(group)>"
        for (_, row) in rows { writer.writeRow(row, depth) }
        writer.text += "</\(group)>"
      }
    }
  }

  private mutating func writeRow(_ row: HTMLElement, _ depth: Int) {
    writeElement("tr", row) { writer in
      for cell in row.children.compactMap(\.element) where cell.isCell {
        let spans = ["colspan", "rowspan"].compactMap { name in
          cell[name].flatMap(Int.init).flatMap {
            (2...1_000).contains($0) ? (name, String($0)) : nil
          }
        }
        writer.writeElement(cell.name, cell, spans) {
          if cell.name == "th" {
            $0.writePhrasing(cell.children, depth)
          } else {
            $0.writeFlow(cell.children, depth)
          }
        }
      }
    }
  }

  private mutating func writeFigure(_ element: HTMLElement, _ depth: Int) {
    let caption = element.children.lazy.compactMap(\.element).first { $0.name == "figcaption" }
    writeElement("figure", element) { writer in
      var isCaptionLeft = caption != nil
      for child in element.children {
        if isCaptionLeft, child.element?.name == "figcaption" {
          isCaptionLeft = false
        } else {
          writer.write(child, isPhrasing: false, depth)
        }
      }
      if let caption {
        writer.writeElement("figcaption", caption) { $0.writeFlow(caption.children, depth) }
      }
    }
  }
}

extension HTMLNode {
  /// True for white space between elements.
  fileprivate var isBlank: Bool {
    if case .text(let text) = self { text.allSatisfy(\.isWhitespace) } else { false }
  }
}

extension HTMLElement {
  fileprivate var isCell: Bool { name == "td" || name == "th" }
}
