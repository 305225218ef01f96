internal import FeedModel
internal import HTMLContent
internal import TextRules

/// A chapter of an episode.
package struct Chapter: Sendable {
  /// The most chapters of an episode; further ones are left out.
  static let most = 500
  /// Seconds after the beginning of the episode.
  var start: Double
  var title: String
  var address: String?

  /// Returns `nil` without a time or a title.
  init?(start: String?, title: String?, address: String?, base: Base) {
    guard let start, let title = PlainText.title(title) else { return nil }
    (self.start, self.title) = (Values.duration(start) ?? 0, title)
    self.address = Values.address(address, base: base)
  }

  fileprivate var html: String {
    let title = XMLEscaping.escaped(title)
    let link = address.map { "<a href=\"\(XMLEscaping.escaped($0))\">\(title)</a>" }
    return "\(start.clockTime) \(link ?? title)"
  }
}

extension [Chapter] {
  /// Reads a file of chapters (Podcasting 2.0, `application/json+chapters`). Chapters that belong
  /// in no list, and whatever is no chapter, are left out.
  package init(_ file: [UInt8], contentType: String?, url: String) {
    let (base, text) = (Base(url), TextDecoding.utf8(file, contentType: contentType))
    let found = JSONValue.read(text, list: "", { _, _ in })?.root["chapters"]?.elements ?? []
    let chapters = found.lazy.filter { $0["toc"] != .bool(false) }.compactMap {
      Chapter(
        start: $0["startTime"]?.scalar, title: $0["title"]?.text, address: $0["url"]?.text,
        base: base)
    }
    self.init(chapters.prefix(Chapter.most))
  }

  /// Returns true if a text names the first and the last chapter.
  private func isNamed(in text: String) -> Bool {
    [first, last].compactMap { $0?.title }.allSatisfy { title in
      [title, XMLEscaping.escaped(title)].contains { text.contains($0) }
    }
  }

  /// Returns the list as HTML for the end of a text; empty if the text has it already.
  package func html(below text: String) -> String {
    if isNamed(in: text) { return "" }
    return "<h2>Chapters</h2><p>\(map(\.html).joined(separator: "<br>"))</p>"
  }

  /// Appends the list to the text of an item.
  func append(to item: inout ParsedItem) {
    guard !isNamed(in: item.contentText ?? item.contentHTML ?? "") else { return }
    guard let text = item.contentText else {
      item.contentHTML = (item.contentHTML ?? "") + html(below: "")
      return
    }
    let lines = map { "\($0.start.clockTime) \($0.title)" }.joined(separator: "\n")
    item.contentText = "\(text)\n\nChapters\n\(lines)"
  }
}
