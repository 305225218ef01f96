// Feed documents in every form, both ways: bytes → what a feed says, and lists of feeds. What
// enters this folder is pure: no network, no files, no clock.

public import FeedModel
internal import HTMLContent
internal import TextRules

/// Bytes of a feed document → what it says. Pure: no network, no files, no clock.
public enum FeedParser {
  /// - Parameters:
  ///   - bytes: the document after transfer decoding.
  ///   - contentType: the `Content-Type` header's value, where there was one. Its charset is a
  ///     hint; that it names a feed counts where a page's markup comes before one.
  ///   - baseURL: the address that the document came from; relative addresses resolve against it.
  /// - Returns: titles as plain text, HTML sanitised, addresses absolute.
  public static func parse(_ bytes: [UInt8], contentType: String? = nil, baseURL: String? = nil)
    throws(ParseError) -> ParsedFeed
  {
    try Sniffer.requireText(bytes)
    let text = TextDecoding.utf8(bytes, contentType: contentType)
    switch Sniffer.kind(ofText: text, contentType: contentType) {
    case .empty: throw .empty
    case .binary(let kind): throw .binary(kind)
    case .plainText: throw .plainText
    case .json: return try JSONFeedReader.read(text, base: Base(baseURL))
    case .webPage:
      let feeds = HTMLContent.announcedFeeds(
        in: bytes, contentType: contentType, url: baseURL ?? "")
      throw .webPage(announced: feeds.map(\.url))
    case .xml(let root, let start):
      return try XMLFeed.read(text, root: root, start: start, base: Base(baseURL))
    }
  }
}

/// Why a document is no feed that can be used, and what it is instead.
public enum ParseError: Error, Sendable, Equatable {
  /// No bytes, or blanks alone.
  case empty
  /// An HTML page; with the feeds that it announces.
  case webPage(announced: [String])
  /// XML, but no feed: the root element's name.
  case otherXML(root: String)
  /// JSON, but no JSON Feed.
  case otherJSON
  /// Neither text nor anything known: "a PNG image", "compressed data (truncated gzip)".
  case binary(String)
  case plainText
  /// So damaged that no item and no title could be read; the parser's reason.
  case damaged(String)
}
