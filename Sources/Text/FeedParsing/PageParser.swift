package import FeedModel
internal import HTMLContent
internal import TextRules

/// Extracts the article of a web page. Pure, like `FeedParser`.
package enum PageParser {
  /// - Parameter url: the base for relative addresses.
  /// - Throws: `.empty` or `.binary` if the bytes are not text, `.webPage` if there is no article.
  package static func article(_ bytes: [UInt8], contentType: String? = nil, url: String)
    throws(ParseError) -> MainContent
  {
    try Sniffer.requireText(bytes)
    guard bytes.contains(where: { !$0.isSpace }) else { throw .empty }
    if contentType?.lowercased().hasPrefix("text/plain") == true {
      return MainContent(html: plain(TextDecoding.utf8(bytes, contentType: contentType)))
    }
    guard let content = HTMLContent.mainContent(of: bytes, contentType: contentType, url: url)
    else { throw .webPage(announced: []) }
    return content
  }

  /// Returns the reason for a missing article, if the page gives one.
  package static func obstacle(in bytes: [UInt8], contentType: String? = nil) -> FailureDetail? {
    HTMLContent.obstacle(in: bytes, contentType: contentType)
  }

  /// Returns the mobile or print version of a page without an article.
  package static func otherVersion(
    of bytes: [UInt8], contentType: String? = nil, url: String
  ) -> String? {
    HTMLContent.otherVersion(of: bytes, contentType: contentType, url: url)
  }

  /// Returns the address that a page redirects to by its own markup.
  package static func refreshTarget(
    of bytes: [UInt8], contentType: String? = nil, url: String
  ) -> String? {
    HTMLContent.refreshTarget(of: bytes, contentType: contentType, url: url)
  }

  /// Converts text without markup and keeps its line breaks.
  private static func plain(_ text: [UInt8]) -> String {
    HTMLContent.sanitise("<plaintext>" + String(decoding: text, as: UTF8.self))
  }
}

extension PageParser {
  /// Returns groups of links that are probably headlines, best first, and the page's title.
  package static func headlineGroups(
    _ bytes: [UInt8], contentType: String? = nil, url: String
  ) -> (title: String?, groups: [HeadlineGroup]) {
    guard (try? Sniffer.requireText(bytes)) != nil else { return (nil, []) }
    return HTMLContent.headlineGroups(in: bytes, contentType: contentType, url: url)
  }

  /// Returns the links in one place of a page as items, the first as the newest.
  /// - Parameter place: see `HeadlinesAddress.selector`.
  /// - Throws: `.webPage` if no link is at that place; `.empty`, `.binary`.
  package static func headlines(
    at place: String, of bytes: [UInt8], contentType: String? = nil, url: String
  ) throws(ParseError) -> ParsedFeed {
    try Sniffer.requireText(bytes)
    let (title, found) = HTMLContent.headlines(
      at: place, in: bytes, contentType: contentType, url: url)
    guard !found.isEmpty else { throw .webPage(announced: []) }
    return ParsedFeed(
      format: .html, title: title ?? "", homePageURL: url,
      items: found.map { ParsedItem(id: $0.url, url: $0.url, title: $0.title) })
  }
}
