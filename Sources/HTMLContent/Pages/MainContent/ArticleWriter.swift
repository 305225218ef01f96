import FeedModel
internal import TextRules

/// The parts of an article → clean HTML: what is at its edges and in it but is not of it left
/// out, pictures with the address that scripts would have given them.
struct ArticleWriter {
  let facts: PageFacts

  func html(of nodes: [PageNode]) -> String {
    let root = PageNode(HTMLElement(name: "div"))
    root.children = nodes.count == 1 && nodes[0].isContainer ? nodes[0].children : nodes
    root.weigh()
    dropTitle(root)
    let whole = root.measure
    dropBoxes(root, of: whole)
    trim(root, isEnd: false)
    trim(root, isEnd: true)
    var writer = HTMLWriter()
    for child in root.children { write(child, &writer) }
    return String(
      decoding: HTMLContent.sanitise(writer.out, baseURL: facts.base.text), as: UTF8.self)
  }

  // MARK: Leaving out

  /// The reader shows the title above the text.
  private func dropTitle(_ root: PageNode) {
    guard let title = facts.title?.lowercased() else { return }
    func drop(in node: PageNode) -> Bool {
      for (index, child) in node.children.enumerated() {
        if child.isHeading {
          let text = child.line(upTo: 400).lowercased()
          guard child.name == "h1" || text == title else { return true }
          if text == title || title.hasPrefix(text) || text.hasPrefix(title) {
            node.children.remove(at: index)
          }
          return true
        }
        if child.measure.mass > 0 && child.isContentOfItsOwn || drop(in: child) { return true }
      }
      return false
    }
    _ = drop(in: root)
  }

  /// Boxes of links with a heading such as "Related".
  private func dropBoxes(_ node: PageNode, of whole: PageNode.Measure) {
    var kept: [PageNode] = []
    var index = 0
    while index < node.children.count {
      let child = node.children[index]
      if child.isHeading, Self.isInvitation(child) {
        let end = sectionEnd(in: node, from: index)
        let section = node.children[index + 1..<end]
        let text = section.reduce(0) { $0 + $1.measure.text }
        let links = section.reduce(0) { $0 + $1.measure.links }
        if links * 3 >= text || text < 300 {
          index = end
          continue
        }
      }
      if !isBox(child, of: whole) {
        kept.append(child)
        if !child.isText, child.tag != .pre { dropBoxes(child, of: whole) }
      }
      index += 1
    }
    node.children = kept
  }

  private func isBox(_ node: PageNode, of whole: PageNode.Measure) -> Bool {
    guard node.isContainer || node.tag == .ul || node.tag == .aside,
      node.measure.mass * 4 < whole.mass, node.measure.links * 3 >= node.measure.text,
      let first = node.children.first(where: { !$0.isBlank })
    else { return false }
    return
      (first.isHeading || first.tag == .p || first.tag == .strong || first.tag == .span
      || first.tag == .div)
      && Self.isInvitation(first)
  }

  private func sectionEnd(in node: PageNode, from start: Int) -> Int {
    let level = node.children[start].name
    return node.children[(start + 1)...].firstIndex { $0.isHeading && $0.name <= level }
      ?? node.children.count
  }

  private static func isInvitation(_ node: PageNode) -> Bool {
    guard node.measure.text > 0, node.measure.text <= 120 else { return false }
    let text = node.line().lowercased()
    return invitations.contains { text.hasPrefix($0) }
  }

  /// How lists of other articles begin.
  private static let invitations = [
    "related", "read more", "read also", "read next", "more from", "more on", "more stories",
    "more like this", "you may also", "you might",
    "recommended", "recent posts", "latest posts", "popular", "most read", "trending", "also read",
    "share this", "share on",
    "mehr zum thema", "lesen sie auch", "auch interessant", "das könnte", "weitere artikel",
    "teilen", "mehr aus",
    "à lire aussi", "lire aussi", "sur le même sujet", "te puede interesar", "leggi anche",
    "関連", "あわせて読みたい", "おすすめ", "人気記事", "最新記事", "シェア", "相关", "推荐",
  ]

  /// What is at an edge and neither prose nor picture nor code is not the article's: dates, tags,
  /// links to the next page.
  private func trim(_ node: PageNode, isEnd: Bool) {
    while let edge = isEnd ? node.children.last : node.children.first {
      guard isTrimmed(edge, after: isEnd ? node.children.dropLast().last { !$0.isBlank } : nil)
      else {
        if Self.isWrapper(edge) { trim(edge, isEnd: isEnd) }
        return
      }
      if isEnd { node.children.removeLast() } else { node.children.removeFirst() }
    }
  }

  private static func isWrapper(_ node: PageNode) -> Bool {
    switch node.tag {
    case .article, .center, .div, .form, .header, .main, .section: true
    default: false
    }
  }

  private func isTrimmed(_ node: PageNode, after before: PageNode?) -> Bool {
    if node.isBlank || node.tag == .br || node.tag == .hr { return true }
    let measure = node.measure
    if measure.mass > 0 || measure.hasPicture || measure.hasCode { return false }
    switch node.tag {
    case .table, .iframe, .audio, .dl, .math, .figure: return measure.linkDensity > 0.5
    case .ul, .ol:
      // A list under its own heading is a list of sources.
      return measure.linkDensity > 0.5 && before?.isHeading != true
    case .p, .blockquote:
      return measure.linkDensity > 0.6 || measure.text == 0 || before == nil && isDateline(node)
    case .unknown where node.isText: return measure.text < 25
    default:
      if node.isHeading { return before == nil ? false : true }
      return measure.text < 60 || measure.linkDensity > 0.5
    }
  }

  /// "2 February 2026", "By Jo Marsh": when and by whom.
  private func isDateline(_ node: PageNode) -> Bool {
    guard node.measure.text < 60 else { return false }
    let line = node.line().lowercased()
    return line.count < 40 && line.contains(where: \.isNumber)
      || ["by ", "von ", "par ", "por "].contains { line.hasPrefix($0) }
  }

  // MARK: Writing

  private func write(_ node: PageNode, _ writer: inout HTMLWriter) {
    if node.isText {
      writer.write(text: node.text, escaping: .text)
      return
    }
    var attributes = node.attributes
    if node.tag == .img {
      guard let picture = Self.picture(node) else { return }
      attributes = picture
    }
    if node.tag == .picture { return write(picture: node, &writer) }
    open(node.name, attributes, &writer)
    guard !node.tag.traits.contains(.isVoid) else { return }
    for child in node.children { write(child, &writer) }
    writer.write("</")
    writer.out.append(contentsOf: node.name.utf8)
    writer.write(">")
  }

  private func open(
    _ name: String, _ attributes: [(name: String, value: String)], _ writer: inout HTMLWriter
  ) {
    writer.write("<")
    writer.out.append(contentsOf: name.utf8)
    for (name, value) in attributes where Self.kept.contains(name) {
      writer.write(" ")
      writer.out.append(contentsOf: name.utf8)
      writer.write("=\"")
      writer.write(text: value, escaping: .attribute)
      writer.write("\"")
    }
    writer.write(">")
  }

  /// What means something in a text; the look of the page stays behind.
  private static let kept: Set<String> = [
    "href", "src", "alt", "title", "id", "name", "width", "height", "colspan", "rowspan", "start",
    "value", "reversed",
    "lang", "dir", "datetime", "cite", "poster", "data", "type", "display", "headers", "scope",
    "type",
  ]

  /// One picture of those that a `picture` offers.
  private func write(picture node: PageNode, _ writer: inout HTMLWriter) {
    guard let image = node.children.first(where: { $0.tag == .img }) else { return }
    if let attributes = Self.picture(image) { return open("img", attributes, &writer) }
    for source in node.children where source.tag == .source {
      guard let address = Self.address(in: source) else { continue }
      return open("img", image.attributes.filter { $0.name != "src" } + [("src", address)], &writer)
    }
  }

  /// The attributes of an image with the address of the picture that is meant; nil if it has
  /// none.
  private static func picture(_ node: PageNode) -> [(name: String, value: String)]? {
    guard let address = address(in: node) else { return nil }
    return node.attributes.filter { $0.name != "src" } + [("src", address)]
  }

  /// Pages that load pictures late keep the address elsewhere, with a placeholder in its place.
  private static func address(in node: PageNode) -> String? {
    if let set = node["srcset"], let found = SourceSet.byWidth(Array(set.utf8)),
      !found.starts(with: "data:".utf8)
    {
      return String(decoding: found, as: UTF8.self)
    }
    let late = [
      "data-src", "data-lazy-src", "data-original", "data-orig-file", "data-hi-res-src", "data-url",
      "data-full-src", "data-image", "data-srcset", "data-lazy-srcset", "src", "srcset",
    ]
    for name in late {
      guard let value = node[name] else { continue }
      let first =
        name.hasSuffix("srcset")
        ? String(decoding: SourceSet.best(Array(value.utf8)) ?? [], as: UTF8.self) : value
      let address = first.trimmingPrefix { $0.isWhitespace }
      if !address.isEmpty, !address.lowercased().hasPrefix("data:") { return String(address) }
    }
    return nil
  }
}
