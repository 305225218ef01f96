import Foundation
import ProgramSettings
import TextRules

/// Articles as an Atom feed (RFC 4287), printed one after another.
struct AtomDocument {
  /// Identifiers need an authority that makes them unique (RFC 4151); addresses of articles are
  /// used where there are any.
  private static let authority = "tag:localhost,2026:weir/"
  private let title: String
  private let dates = Date.ISO8601FormatStyle()
  private var hasBegun = false

  /// - Parameter title: the title of the feed, which also identifies it.
  init(title: String) { self.title = title }

  mutating func add(_ article: Article) throws {
    try begin(updated: article.updatedAt ?? article.date)
    let row = article.row
    var parts = [
      "<entry>", element("id", row.url ?? Self.authority + "article/\(row.id.rawValue)"),
      element("title", row.title), element("updated", date(article.updatedAt ?? article.date)),
      element("published", date(article.date)),
    ]
    let authors = article.authors.compactMap(\.name)
    for name in authors.isEmpty ? [row.feedName] : authors {
      parts.append("<author>\(element("name", name))</author>")
    }
    if let url = row.url { parts.append("<link href=\"\(XMLEscaping.escaped(url))\"/>") }
    for enclosure in article.enclosures {
      let size = enclosure.size.map { " length=\"\($0)\"" } ?? ""
      parts.append(
        "<link rel=\"enclosure\" href=\"\(XMLEscaping.escaped(enclosure.url))\" "
          + "type=\"\(XMLEscaping.escaped(enclosure.mimeType))\"\(size)/>")
    }
    for tag in article.tags { parts.append("<category term=\"\(XMLEscaping.escaped(tag))\"/>") }
    if let summary = article.summary { parts.append(element("summary", summary)) }
    let language = article.language.map { " xml:lang=\"\(XMLEscaping.escaped($0))\"" } ?? ""
    parts.append(
      "<content type=\"html\"\(language)>\(XMLEscaping.escaped(article.bodyHTML))</content>")
    parts += [
      "<source>\(element("title", row.feedName))</source>", "</entry>", "",
    ]
    try Console.write(Array(parts.joined(separator: "\n").utf8))
  }

  /// Ends the document; without articles it is an empty feed.
  mutating func end() throws {
    try begin(updated: Date(timeIntervalSince1970: 0))
    try Console.write(Array("</feed>\n".utf8))
  }

  private mutating func begin(updated: Date) throws {
    guard !hasBegun else { return }
    hasBegun = true
    let path = title.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let head = [
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>", "<feed xmlns=\"http://www.w3.org/2005/Atom\">",
      element("id", Self.authority + path), element("title", title),
      element("updated", date(updated)), "<generator>weir</generator>", "",
    ]
    try Console.write(Array(head.joined(separator: "\n").utf8))
  }

  private func date(_ date: Date) -> String { date.formatted(dates) }

  private func element(_ name: String, _ text: String) -> String {
    "<\(name)>\(XMLEscaping.escaped(text))</\(name)>"
  }
}
