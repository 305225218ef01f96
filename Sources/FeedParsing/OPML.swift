public import FeedModel

/// OPML 1.0 and 2.0, both ways (opml.org/spec2).
public enum OPML {
  /// What an outline file holds, and what had to be left out of it.
  public struct Outline: Sendable, Equatable {
    public var title: String?
    public var entries: [OutlineEntry]
    /// A plain sentence for each line that was skipped, with its line number where known.
    public var skipped: [String]
    public init(title: String? = nil, entries: [OutlineEntry] = [], skipped: [String] = []) {
      self.title = title
      self.entries = entries
      self.skipped = skipped
    }
  }

  /// Reads as far as a broken file goes. Throws only where nothing of an outline is found.
  public static func parse(_ bytes: [UInt8]) throws(ParseError) -> Outline { throw .empty }

  /// An OPML 2.0 document; folders become nested outlines.
  public static func document(title: String, entries: [OutlineEntry]) -> String { "" }
}

/// A newsboat `urls` file: `URL "tag" "~title"`, comments with `#`.
public enum NewsboatURLs {
  public static func parse(_ bytes: [UInt8]) -> OPML.Outline { OPML.Outline() }
}
