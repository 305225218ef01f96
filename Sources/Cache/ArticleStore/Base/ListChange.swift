/// The changes that a followed list made.
public struct ListChange: Sendable, Equatable {
  /// The reason to keep a feed that the list no longer names.
  public enum Reason: String, Sendable {
    /// The feed has starred or tagged articles, notes or downloads.
    case articles
    /// The user named, moved or configured the feed.
    case settings
  }
  public var list: String
  public var added: [String] = []
  public var dropped: [String] = []
  /// Feeds that the list no longer names and that stay.
  public var kept: [(name: String, reason: Reason)] = []

  package var isEmpty: Bool { added.isEmpty && dropped.isEmpty && kept.isEmpty }

  public static func == (a: ListChange, b: ListChange) -> Bool {
    a.list == b.list && a.added == b.added && a.dropped == b.dropped
      && a.kept.elementsEqual(b.kept, by: ==)
  }
}

/// The article about a change of a list.
public struct ListNotice: Sendable, Equatable {
  /// Plain text, one line.
  public var title: String
  /// Sanitised HTML.
  public var html: String
  public init(title: String, html: String) { (self.title, self.html) = (title, html) }

  /// Creates a notice whose title needs no words: “+ A, B − C”.
  public init(_ change: ListChange) {
    let parts = [("+", change.added), ("\u{2212}", change.dropped), ("=", change.kept.map(\.name))]
    let title = parts.filter { !$0.1.isEmpty }
      .map { "\($0) \($1.joined(separator: ", "))" }.joined(separator: " ")
    self.init(title: title, html: "")
  }
}
