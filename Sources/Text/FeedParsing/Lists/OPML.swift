public import FeedModel
internal import HTMLContent
internal import TextRules

/// Reads and writes OPML 1.0 and 2.0 (opml.org/spec2).
public enum OPML {
  /// The content of an outline file, and the lines that were skipped.
  public struct Outline: Sendable, Equatable {
    /// The title of the list (OPML `title`) as plain text.
    public var title: String?
    /// The entries in the order of the file.
    public var entries: [OutlineEntry] = []
    /// A sentence for each skipped line, with its number if known.
    public var skipped: [String] = []
    /// True if the XML is malformed or truncated.
    public var isDamaged = false
    package var queries: [OutlineQuery] = []
  }

  /// Parses an OPML document. A malformed document yields the entries before its first fault.
  /// - Throws: if the document is not OPML, or is malformed before its root element.
  public static func parse(_ bytes: [UInt8]) throws(ParseError) -> Outline {
    try Sniffer.requireText(bytes)
    let text = TextDecoding.utf8(bytes, contentType: nil)
    let kind = Sniffer.kind(ofText: text)
    guard case .xml(let root, let start) = kind,
      root.local == "opml" || root.local == "outlinedocument"
    else { throw ParseError(kind) }
    return try read(text, from: start)
  }

  private static func read(_ text: [UInt8], from start: Int) throws(ParseError) -> Outline {
    let result = XMLReader.read(text, from: start, base: Base(nil), family: .outline) {
      OutlineReader()
    }
    if let fault = result.fault, !result.interpreter.isOutline { throw .damaged(fault) }
    var outline = result.interpreter.outline
    outline.isDamaged = result.fault != nil || result.isUnclosed
    return outline
  }

  /// Returns an OPML 2.0 document with nested outlines for folders. An entry without a title gets
  /// its address as `text`, which OPML requires; reading ignores such a title.
  ///
  /// Keeps the order of the entries: a folder whose entries are not adjacent is repeated.
  public static func document(title: String, entries: [OutlineEntry]) -> String {
    var out = """
      <?xml version="1.0" encoding="UTF-8"?>
      <opml version="2.0"\(declaration(entries))>
        <head>
          <title>\(escaped(title))</title>
        </head>
        <body>

      """
    var open: [String] = []
    func indent() -> String { String(repeating: "  ", count: open.count + 2) }
    for entry in entries {
      while !open.isEmpty, !entry.folder.starts(with: open) {
        open.removeLast()
        out += indent() + "</outline>\n"
      }
      for folder in entry.folder.dropFirst(open.count) {
        out += indent() + "<outline text=\"\(escaped(folder))\" title=\"\(escaped(folder))\""
        let priority = entry.folderPriorities.dropFirst(open.count).first
        open.append(folder)
        out += attribute(priority ?? .normal) + ">\n"
      }
      let name = escaped(entry.title ?? entry.url)
      out += indent() + "<outline type=\"\(entry.isList ? "include" : "rss")\" text=\"\(name)\""
      if entry.title != nil { out += " title=\"\(name)\"" }
      out += " \(entry.isList ? "url" : "xmlUrl")=\"\(escaped(entry.url))\""
      if let home = entry.homePageURL { out += " htmlUrl=\"\(escaped(home))\"" }
      if !entry.tags.isEmpty {
        out += " category=\"\(escaped(entry.tags.joined(separator: ",")))\""
      }
      for option in FeedOption.allCases {
        guard let value = entry.options.text(of: option) else { continue }
        out += " weir:\(option.rawValue)=\"\(escaped(value))\""
      }
      out += attribute(entry.priority) + "/>\n"
    }
    while !open.isEmpty {
      open.removeLast()
      out += indent() + "</outline>\n"
    }
    return out + "  </body>\n</opml>\n"
  }

  /// Returns the declaration of `weir:` if an entry has such attributes.
  private static func declaration(_ entries: [OutlineEntry]) -> String {
    let isNeeded = entries.contains {
      !$0.options.isEmpty || $0.priority != .normal || !$0.folderPriorities.isEmpty
    }
    return isNeeded ? " xmlns:weir=\"\(Vocabulary.weirAddress)\"" : ""
  }

  private static func attribute(_ priority: FeedPriority) -> String {
    priority == .normal ? "" : " weir:priority=\"\(priority.name)\""
  }

  private static func escaped(_ text: String) -> String {
    XMLEscaping.escaped(text, isAttribute: true)
  }
}

/// A saved search of newsboat's `urls` file.
package struct OutlineQuery: Sendable, Equatable {
  /// The name in newsboat, as plain text.
  package var name: String
  /// See `NewsboatFilter`.
  package var condition: String
  /// The line number, from 1.
  package var line: Int
}

private final class OutlineReader: XMLInterpreter {
  private(set) var outline = OPML.Outline()
  private(set) var isOutline = false
  private var folders: [(title: String, priority: FeedPriority)] = []
  /// The open outlines, outermost first: true for a folder, false for a feed.
  private var opened: [Bool] = []

  func open(_ element: XMLElement, in context: Context) -> Reading {
    switch (context, element.name) {
    case (.document, _):
      isOutline = true
      return .children(.root)
    case (_, .outline):
      openOutline(element)
      return .children(.item)
    case (.root, .head): return .children(.feed)
    case (.root, .body): return .children(.root)
    case (.feed, .title): return .text(.plain)
    default: return .skip
    }
  }

  private func openOutline(_ element: XMLElement) {
    let name = Self.text(element[.text]) ?? Self.text(element[.title])
    let isFeedType = element[.type].map {
      ["rss", "atom", "pie", "rdf"].contains($0.lowercased())
    }
    // An `include` is a nested list (OPML 2.0, "include").
    let isList = element[.type]?.lowercased() == "include" && element[.xmlurl] == nil
    guard
      let address = element[.xmlurl] ?? (isFeedType == true || isList ? element[.url] : nil)
    else {
      folders.append((name ?? "", Self.priority(element)))
      opened.append(true)
      return
    }
    opened.append(false)
    let label = name.map { "“\($0)”" } ?? "An outline"
    guard let written = Values.clean(address) else {
      outline.skipped.append("\(label) has an empty feed address.")
      return
    }
    guard written.utf8.count <= Values.maximumAddress else {
      outline.skipped.append(
        "\(label) has an address of more than \(Values.maximumAddress) bytes"
          + " (\(PlainText.cut(written, to: 80))).")
      return
    }
    guard let url = Values.subscription(written) else {
      outline.skipped.append(
        "\(label) isn\u{2019}t a web address (\(PlainText.cut(written, to: 80))): programs and"
          + " files can only be added with weir add.")
      return
    }
    let path = folders.filter { !$0.title.isEmpty }
    var entry = OutlineEntry(
      url: url, title: name == Self.text(url) ? nil : name,
      homePageURL: Values.address(element[.htmlurl], in: element),
      folder: path.map(\.title), tags: Self.tags(element[.category]),
      options: options(element, label), isList: isList)
    entry.priority = Self.priority(element)
    if path.contains(where: { $0.priority != .normal }) {
      entry.folderPriorities = path.map(\.priority)
    }
    outline.entries.append(entry)
  }

  private static func priority(_ element: XMLElement) -> FeedPriority {
    func value(_ name: Name) -> String? {
      element.attributes.first { $0.vocabulary == .weir && $0.name == name }?.value
    }
    if let priority = value(.priority).flatMap(FeedPriority.init(name:)) { return priority }
    // Earlier versions wrote two attributes.
    return value(.apart) == "true" ? .quiet : value(.important) == "true" ? .high : .normal
  }

  private static func text(_ value: String?) -> String? {
    PlainText.read(value, isHTML: false)
  }

  private func options(_ element: XMLElement, _ label: String) -> FeedOptions {
    var options = FeedOptions()
    for attribute in element.attributes where attribute.vocabulary == .weir {
      guard let option = FeedOption(rawValue: attribute.name.rawValue) else { continue }
      if !options.set(option, to: attribute.value) {
        outline.skipped.append(
          "\(label): weir:\(option.rawValue) cannot be \u{201C}"
            + "\(PlainText.cut(attribute.value, to: 80))\u{201D}.")
      }
    }
    return options
  }

  /// Reads `category`, a list of labels and of slash-separated paths (OPML 2.0, "category").
  private static func tags(_ value: String?) -> [String] {
    guard let value else { return [] }
    var list = TagList()
    for part in value.utf8.split(separator: UInt8(ascii: ",")) {
      list.add(PlainText.read(Array(part), isHTML: false, limit: 512))
    }
    return list.values
  }

  func close(_ element: XMLElement, as context: Context, in parent: Context, text: [UInt8]) {
    guard context == .item, let wasFolder = opened.popLast() else { return }
    if wasFolder { folders.removeLast() }
  }

  func read(_ text: XMLText, in context: Context) {
    if text.element.name == .title, outline.title == nil {
      outline.title = PlainText.read(text.bytes, isHTML: false)
    }
  }
}

extension OPML {
  /// Returns the entries as JSON: `[{"title","xmlUrl","folder":[…]}]`, in UTF-8 with a final
  /// newline. An entry without a title gets its address.
  package static func json(_ entries: [OutlineEntry]) -> [UInt8] {
    var writer = JSONWriter()
    writer.array(nil, entries) { writer, entry in
      writer.object {
        $0.member("title", entry.title ?? entry.url)
        $0.member("xmlUrl", entry.url)
        $0.array("folder", entry.folder) { $0.string($1) }
      }
    }
    writer.endLine()
    return writer.bytes
  }
}
