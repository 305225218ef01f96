public import FeedModel
internal import HTMLContent
internal import TextRules

/// Bytes of a web page → the article that it holds. Pure, like `FeedParser`.
public enum PageParser {
  /// - Parameters:
  ///   - contentType: the `Content-Type` header's value, where there was one.
  ///   - url: the address that the page came from; relative addresses resolve against it.
  /// - Throws: where there is no text at all: `.empty`, `.binary`; and `.webPage` for a page that
  ///   holds no article.
  public static func article(_ bytes: [UInt8], contentType: String? = nil, url: String)
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

  /// The reason why a page without an article has none, where it says so.
  public static func obstacle(in bytes: [UInt8], contentType: String? = nil) -> FailureDetail? {
    HTMLContent.obstacle(in: bytes, contentType: contentType)
  }

  /// The address of another version of a page that holds no article: for telephones, for printing.
  public static func otherVersion(
    of bytes: [UInt8], contentType: String? = nil, url: String
  ) -> String? {
    HTMLContent.otherVersion(of: bytes, contentType: contentType, url: url)
  }

  /// All of a page as clean HTML, such as a discussion, of which nothing may be left out.
  /// - Parameters: as of `article`.
  /// - Throws: where there is no text at all: `.empty`, `.binary`.
  public static func whole(_ bytes: [UInt8], contentType: String? = nil, url: String)
    throws(ParseError) -> String
  {
    try Sniffer.requireText(bytes)
    guard bytes.contains(where: { !$0.isSpace }) else { throw .empty }
    if contentType?.lowercased().hasPrefix("text/plain") == true {
      return plain(TextDecoding.utf8(bytes, contentType: contentType))
    }
    return HTMLContent.page(bytes, contentType: contentType, url: url)
  }

  /// A text without markup keeps its line breaks.
  private static func plain(_ text: [UInt8]) -> String {
    HTMLContent.sanitise("<plaintext>" + String(decoding: text, as: UTF8.self))
  }
}

/// The headlines of a page that has no feed.
extension PageParser {
  /// The groups of links that are likely headlines, the most likely first, and what the page calls
  /// itself.
  public static func headlineGroups(
    _ bytes: [UInt8], contentType: String? = nil, url: String
  ) -> (title: String?, groups: [HeadlineGroup]) {
    guard (try? Sniffer.requireText(bytes)) != nil else { return (nil, []) }
    return HTMLContent.headlineGroups(in: bytes, contentType: contentType, url: url)
  }

  /// The links in one place of a page as the items of a feed, the first as the newest.
  /// - Parameter place: see `HeadlinesAddress.place`.
  /// - Throws: `.webPage` where the page has no link there any more; `.empty`, `.binary`.
  public static func headlines(
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
