public import FeedModel
internal import HTMLContent
internal import TextRules

// Types of `FeedParser` and `OPML` that other targets of Weir share.
@_exported public import struct FeedModel.Author
@_exported public import struct FeedModel.Enclosure
@_exported public import enum FeedModel.FeedFormat
@_exported public import struct FeedModel.OutlineEntry
@_exported public import struct FeedModel.ParsedFeed
@_exported public import struct FeedModel.ParsedItem
@_exported public import struct FeedModel.UpdateHints

/// Parses the bytes of a feed document. Pure: no network, no files, no clock.
public enum FeedParser {
  /// Parses a document of any feed format.
  /// - Parameters:
  ///   - bytes: the document after transfer decoding.
  ///   - contentType: the `Content-Type` header, if any. Gives a charset hint, and allows page
  ///     markup before a feed.
  /// - Returns: plain-text titles, sanitised HTML and absolute addresses.
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
