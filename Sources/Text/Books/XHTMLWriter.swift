import Foundation
import HTMLContent
import TextRules

/// Writes clean HTML as XHTML that is valid in a book (EPUB 3.3, §6.1). Elements that the content
/// model does not allow in their place are replaced by their content.
struct XHTMLWriter {
  /// The file in the book for each picture's address; other pictures become their descriptions.
  let pictures: [String: String]
  /// The address of the article without its fragment.
  let page: String?
  /// The identifiers in the file for the names of places that links lead to.
  private var places: [String: String] = [:]
  /// Places that were written; the first element of a name counts.
  private var written: Set<String> = []
  var text = ""
  private var isInLink = false

  /// Maximum depth of elements; the text of deeper ones is written without markup.
  private static let mostDepth = 60

  /// Returns the content of a `body` element.
  /// - Parameter page: the article's address; links to its fragments lead to places in the text.
  static func body(_ nodes: [HTMLNode], pictures: [String: String], page: String?) -> String {
    let page = page.map { String($0.prefix { $0 != "#" }) }
    var names: [String: String] = [:]
    for name in targets(nodes, page) where names[name] == nil {
      names[name] = "p\(names.count + 1)"
    }
    var writer = XHTMLWriter(pictures: pictures, page: page, places: names)
    writer.writeFlow(nodes, 0)
    guard writer.written.count < names.count else { return writer.visibleText }
    // Leaves out links to places that are not in the text, because a book must not have such links.
    let found = names.filter { writer.written.contains($0.key) }
    writer = XHTMLWriter(pictures: pictures, page: page, places: found)
    writer.writeFlow(nodes, 0)
    return writer.visibleText
  }

  /// The text without invisible spaces in attributes and plain text.
  private var visibleText: String { text.replacing("\u{200B}", with: "") }

  // MARK: Places

  private static func targets(_ nodes: [HTMLNode], _ page: String?) -> [String] {
    var found: [String] = []
    var rest = nodes
    while let node = rest.popLast() {
      guard case .element(let element) = node else { continue }
      if element.name == "a", let place = place(of: element["href"], page) { found.append(place) }
      rest += element.children
    }
    return found
  }

  /// Returns the name in a link to a place of the same article.
  private static func place(of address: String?, _ page: String?) -> String? {
    guard let address, let mark = address.firstIndex(of: "#") else { return nil }
    let base = address[..<mark]
    guard base.isEmpty || base == (page ?? "") else { return nil }
    let name = address[address.index(after: mark)...]
    return name.isEmpty ? nil : name.removingPercentEncoding ?? String(name)
  }

  private func identifier(of element: HTMLElement) -> (name: String, id: String)? {
    let names = [element["id"], element.name == "a" ? element["name"] : nil].compactMap(\.self)
    return names.lazy.compactMap { name in
      written.contains(name) ? nil : places[name].map { (name, $0) }
    }.first
  }

  // MARK: Elements

  /// Writes flow content, as in a body, a section or a list item: paragraphs, lists, tables, text.
  mutating func writeFlow(_ nodes: [HTMLNode], _ depth: Int) {
    for node in nodes { write(node, isPhrasing: false, depth) }
  }

  /// Writes phrasing content, as in a paragraph; blocks become lines.
  mutating func writePhrasing(_ nodes: [HTMLNode], _ depth: Int) {
    for node in nodes { write(node, isPhrasing: true, depth) }
  }

  mutating func write(_ node: HTMLNode, isPhrasing: Bool, _ depth: Int) {
    switch node {
    case .text(let content):
      text += XMLEscaping.escaped(content).replacing("\u{200B}", with: "<wbr/>")
    case .element(let element):
      guard depth < Self.mostDepth else {
        text += XMLEscaping.escaped(Self.plainText(element))
        return
      }
      write(element, isPhrasing: isPhrasing, depth + 1)
    }
  }

  private mutating func write(_ element: HTMLElement, isPhrasing: Bool, _ depth: Int) {
    switch element.name {
    case "a": writeLink(element, isPhrasing: isPhrasing, depth)
    case "img": writePicture(element)
    case "br", "wbr": text += "<\(element.name)/>"
    case "video", "audio", "iframe", "embed", "object": writeMedium(element)
    case "svg", "script", "style", "template": break
    case "math": text += XMLEscaping.escaped(element["alttext"] ?? Self.plainText(element))
    case "ruby" where element.children.contains { $0.element?.name == "rt" }:
      writeElement("ruby", element) { writer in
        for child in element.children where child.element?.name != "rp" {
          guard let part = child.element, part.name == "rt" else {
            writer.write(child, isPhrasing: true, depth)
            continue
          }
          writer.writeElement("rt", part) { $0.writePhrasing(part.children, depth) }
        }
      }
    default:
      if let name = Self.phrases[element.name] {
        writePhrase(name, element, isPhrasing: isPhrasing, depth)
      } else if !isPhrasing {
        writeBlock(element, depth)
      } else {
        if Self.isBlock(element.name) { breakLine() }
        writeAnchor(element)
        writePhrasing(element.children, depth)
      }
    }
  }

  /// HTML's phrasing elements, and their names in a book.
  private static let phrases = [
    "b": "b", "strong": "strong", "i": "i", "em": "em", "cite": "cite", "var": "var", "dfn": "i",
    "u": "u", "ins": "u", "s": "s", "strike": "s", "del": "s", "sub": "sub", "sup": "sup",
    "small": "small", "mark": "mark", "code": "code", "kbd": "kbd", "samp": "samp", "tt": "code",
    "q": "q", "abbr": "abbr", "acronym": "abbr", "bdi": "bdi", "span": "span",
  ]

  private mutating func writePhrase(
    _ name: String, _ element: HTMLElement, isPhrasing: Bool, _ depth: Int
  ) {
    if !isPhrasing, Self.hasBlocks(element) {
      writeAnchor(element)
      writeFlow(element.children, depth)
    } else if name == "span", element["dir"] == nil, element["lang"] == nil {
      writeAnchor(element)
      writePhrasing(element.children, depth)
    } else {
      writeElement(name, element) { $0.writePhrasing(element.children, depth) }
    }
  }

  private mutating func writeLink(_ element: HTMLElement, isPhrasing: Bool, _ depth: Int) {
    var target: String?
    if let place = Self.place(of: element["href"], page) {
      target = places[place].map { "#\($0)" }
    } else if let address = element["href"] {
      target = BookValues.address(address)
    }
    guard !isInLink, let target else {
      writeAnchor(element)
      for child in element.children { write(child, isPhrasing: isPhrasing, depth) }
      return
    }
    isInLink = true
    writeElement("a", element, [("href", target)]) { writer in
      for child in element.children { writer.write(child, isPhrasing: isPhrasing, depth) }
    }
    isInLink = false
  }

  private mutating func writePicture(_ element: HTMLElement) {
    let description = element["alt"] ?? ""
    guard let address = element["src"], let file = pictures[address] else {
      writeAnchor(element)
      if !description.isEmpty { text += XMLEscaping.escaped("[\(description)]") }
      return
    }
    writeElement("img", element, [("src", file), ("alt", description)])
  }

  /// Writes a link to audio, video or an embedded page, which a book cannot show.
  private mutating func writeMedium(_ element: HTMLElement) {
    let source = element.children.lazy.compactMap { $0.element?["src"] }.first
    guard !isInLink, let target = (element["src"] ?? source).flatMap(BookValues.address) else {
      return
    }
    let name = ["video": "Video", "audio": "Sound"][element.name] ?? "Embedded page"
    writeElement("a", element, [("href", target)]) {
      $0.text += XMLEscaping.escaped(element["title"] ?? name)
    }
  }

  // MARK: Output

  mutating func writeElement(
    _ name: String, _ element: HTMLElement, _ attributes: [(String, String)] = [],
    _ content: ((inout XHTMLWriter) -> Void)? = nil
  ) {
    text += "<\(name)"
    if let (place, id) = identifier(of: element) {
      written.insert(place)
      text += " id=\"\(id)\""
    }
    for (name, value) in attributes { text += " \(name)=\"\(XMLEscaping.escaped(value))\"" }
    if let direction = element["dir"], ["ltr", "rtl", "auto"].contains(direction) {
      text += " dir=\"\(direction)\""
    }
    if let language = element["lang"], BookValues.isLanguage(language) {
      text += " lang=\"\(language)\" xml:lang=\"\(language)\""
    }
    guard let content else {
      text += "/>"
      return
    }
    text += ">"
    content(&self)
    text += "</\(name)>"
  }

  /// Writes the place of an element that is left out.
  mutating func writeAnchor(_ element: HTMLElement) {
    guard let (place, id) = identifier(of: element) else { return }
    written.insert(place)
    text += "<span id=\"\(id)\"></span>"
  }

  private mutating func breakLine() {
    if let last = text.utf8.last, last != UInt8(ascii: ">") { text += "<br/>" }
  }

  private static func plainText(_ element: HTMLElement) -> String {
    var plain = ""
    var rest = Array(element.children.reversed())
    while let node = rest.popLast() {
      switch node {
      case .text(let content): plain += content
      case .element(let child): rest += child.children.reversed()
      }
    }
    return plain
  }
}

extension HTMLNode {
  var element: HTMLElement? { if case .element(let element) = self { element } else { nil } }
}
