import FeedModel
internal import TextRules

/// Writes an article as clean HTML: without boilerplate at its edges and inside, with pictures at
/// the addresses that scripts would set.
struct ArticleWriter {
  let facts: PageFacts

  func html(of root: PageNode) -> String {
    dropTitle(root)
    trim(root, isEnd: false)
    trim(root, isEnd: true)
    var writer = HTMLWriter()
    for child in root.children { write(child, &writer) }
    return String(
      decoding: HTMLContent.sanitise(writer.out, baseURL: facts.base.text), as: UTF8.self)
  }

  // MARK: Leaving out

  /// Removes the title, which the reader shows above.
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

  /// Removes edges that are not prose, pictures or code: dates, tags, links to the next page.
  private func trim(_ node: PageNode, isEnd: Bool) {
    var rest = node.children[...]
    defer { node.children = Array(rest) }
    while let edge = isEnd ? rest.last : rest.first {
      let inner = isEnd ? rest.dropLast() : rest.dropFirst()
      guard isTrimmed(edge, isEnd: isEnd, after: isEnd ? inner : []) else {
        if Self.isWrapper(edge) { trim(edge, isEnd: isEnd) }
        return
      }
      rest = inner
    }
  }

  private static func isWrapper(_ node: PageNode) -> Bool {
    switch node.tag {
    case .article, .center, .div, .form, .header, .main, .section: true
    default: false
    }
  }

  private func isTrimmed(
    _ node: PageNode, isEnd: Bool, after nodes: ArraySlice<PageNode>
  ) -> Bool {
    if node.isBlank || node.tag == .br || node.tag == .hr { return true }
    let before = nodes.last { !$0.isBlank }
    if Embed.isPost(node) { return false }
    if isEnd, isClosing(node) { return true }
    let measure = node.measure
    if measure.mass > 0 || measure.hasPicture || measure.hasCode || measure.hasTable {
      return false
    }
    switch node.tag {
    case .table, .iframe, .audio, .dl, .math, .figure: return measure.linkDensity > 0.5
    case .ul, .ol:
      // A list directly below a heading is kept, as it may contain sources.
      return measure.linkDensity > 0.5 && before?.isHeading != true
    case .p, .blockquote:
      return measure.linkDensity > 0.6 || measure.text == 0 || before == nil && isDateline(node)
    case .unknown where node.isText: return measure.text < 25
    default:
      if node.isHeading { return before == nil ? false : true }
      return measure.text < 60 || measure.linkDensity > 0.5
    }
  }

  /// True for a last paragraph about the publisher: "Follow us", "Sign up for our newsletter".
  private func isClosing(_ node: PageNode) -> Bool {
    let parts = node.children.filter { !$0.isBlank }
    if parts.count > 1, parts[0].tag == .hr, parts.dropFirst().allSatisfy(Self.isSmallPrint) {
      return true
    }
    guard node.measure.text < 400, !node.measure.hasPicture, !node.measure.hasCode,
      [.p, .div, .em, .i, .span, .section].contains(node.tag)
    else { return false }
    let line = node.line(upTo: 400).lowercased()
    return Self.closings.contains(where: line.holds)
  }

  /// True for small print, such as lines about the company below a rule.
  private static func isSmallPrint(_ node: PageNode) -> Bool {
    node.tag == .small
      || node["style"]?.contains(/font-size:\s*(1[0-2](\.\d+)?px|0?\.\d+r?em|[5-9]\d%|(x-)?small)/)
        == true
  }

  private static let closings: [StaticString] = [
    "follow us", "follow me", "follow him", "follow her", "on twitter", "on facebook",
    "on instagram", "subscribe to", "sign up for", "sign up to", "newsletter", "click here to",
    "get access to", "download our app", "our app", "contributed to this report",
    "contributed reporting", "additional reporting", "all rights reserved", "first published",
    "originally appeared on", "got a tip", "have a tip", "news tip", "write to ",
    "letters to the editor", "folgen sie uns", "abonnieren", "alle rechte vorbehalten",
    "suivez-nous", "abonnez-vous", "tous droits réservés", "síguenos", "suscríbete", "seguici su",
    "iscriviti", "siga-nos", "inscreva-se", "подписывайтесь",
  ]

  /// True for "2 February 2026", "By Jo Marsh".
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
    if node.tag == .iframe, let embed = Embed(node) { return write(embed, &writer) }
    open(node.name, node.attributes, &writer)
    guard !node.tag.traits.contains(.isVoid) else { return }
    for child in node.children { write(child, &writer) }
    writer.write("</")
    writer.out.append(contentsOf: node.name.utf8)
    writer.write(">")
  }

  private func write(_ embed: Embed, _ writer: inout HTMLWriter) {
    open("p", [], &writer)
    open("a", [("href", embed.address)], &writer)
    writer.write(text: embed.label, escaping: .text)
    writer.write("</a></p>")
  }

  private func open(
    _ tagName: String, _ attributes: [(name: String, value: String)], _ writer: inout HTMLWriter
  ) {
    writer.write("<")
    writer.out.append(contentsOf: tagName.utf8)
    for (name, value) in attributes where Self.isKept(name, value, of: tagName) {
      writer.write(" ")
      writer.out.append(contentsOf: name.utf8)
      writer.write("=\"")
      writer.write(text: value, escaping: .attribute)
      writer.write("\"")
    }
    writer.write(">")
  }

  /// False for attributes of the page's style, except of pictures, which show what a script loads
  /// and whether it is a formula in its line, and of text whose line breaks count.
  private static func isKept(_ name: String, _ value: String, of tag: String) -> Bool {
    tag == "img" || tag == "source" || kept.contains(name)
      || name == "style" && value.holds("white-space")
  }

  private static let kept: Set<String> = [
    "href", "src", "alt", "title", "id", "name", "width", "height", "colspan", "rowspan", "start",
    "value", "reversed", "lang", "dir", "datetime", "cite", "poster", "data", "type", "display",
    "headers", "scope",
  ]
}
