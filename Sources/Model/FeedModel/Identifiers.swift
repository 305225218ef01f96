// Each kind of row has its own key type.

/// A subscription's key in the cache; never reused.
public struct FeedID: RawRepresentable, Hashable, Sendable, Comparable, Codable {
  public let rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// Orders by time of subscription.
  public static func < (a: FeedID, b: FeedID) -> Bool { a.rawValue < b.rawValue }
}

/// A folder's key in the cache; never reused.
public struct FolderID: RawRepresentable, Hashable, Sendable, Comparable, Codable {
  public let rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// Orders by creation.
  public static func < (a: FolderID, b: FolderID) -> Bool { a.rawValue < b.rawValue }
}

/// An article's key in the cache; never reused, and ascending in the order of arrival.
public struct ArticleID: RawRepresentable, Hashable, Sendable, Comparable, Codable {
  public let rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// Orders by arrival.
  public static func < (a: ArticleID, b: ArticleID) -> Bool { a.rawValue < b.rawValue }
}

/// A remote account's key in the cache; never reused.
public struct AccountID: RawRepresentable, Hashable, Sendable, Comparable, Codable {
  public let rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// Orders by creation.
  public static func < (a: AccountID, b: AccountID) -> Bool { a.rawValue < b.rawValue }
}

/// A saved search's key in the cache; never reused.
public struct SavedSearchID: RawRepresentable, Hashable, Sendable, Comparable, Codable {
  public let rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// Orders by creation; screens list them by `SavedSearch.position`.
  public static func < (a: SavedSearchID, b: SavedSearchID) -> Bool { a.rawValue < b.rawValue }
}

/// A rule's key in the cache; never reused.
public struct RuleID: RawRepresentable, Hashable, Sendable, Comparable, Codable {
  public let rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// Orders by creation, which is not the order of evaluation.
  public static func < (a: RuleID, b: RuleID) -> Bool { a.rawValue < b.rawValue }
}
