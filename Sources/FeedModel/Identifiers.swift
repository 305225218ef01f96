// Keys of rows in the cache. Each noun has its own type, so that a feed's key never passes for an
// article's.

/// A subscription's key in the cache; never reused.
public struct FeedID: RawRepresentable, Hashable, Sendable, Comparable, Codable {
  /// The value of the column `feed.id`, from 1.
  public let rawValue: Int64
  /// - Parameter rawValue: as read from the cache; whether such a row exists is not checked.
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// In the order in which they were subscribed to.
  public static func < (a: FeedID, b: FeedID) -> Bool { a.rawValue < b.rawValue }
}

/// A folder's key in the cache; never reused.
public struct FolderID: RawRepresentable, Hashable, Sendable, Comparable, Codable {
  /// The value of the column `folder.id`, from 1.
  public let rawValue: Int64
  /// - Parameter rawValue: as read from the cache; whether such a row exists is not checked.
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// In the order in which they were made.
  public static func < (a: FolderID, b: FolderID) -> Bool { a.rawValue < b.rawValue }
}

/// An article's key in the cache; never reused, and growing in the order of arrival: an article
/// with a larger key came later.
public struct ArticleID: RawRepresentable, Hashable, Sendable, Comparable, Codable {
  /// The value of the column `article.id`, from 1.
  public let rawValue: Int64
  /// - Parameter rawValue: as read from the cache; whether such a row exists is not checked.
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// In the order of arrival.
  public static func < (a: ArticleID, b: ArticleID) -> Bool { a.rawValue < b.rawValue }
}

/// A remote account's key in the cache; never reused.
public struct AccountID: RawRepresentable, Hashable, Sendable, Comparable, Codable {
  /// The value of the column `account.id`, from 1.
  public let rawValue: Int64
  /// - Parameter rawValue: as read from the cache; whether such a row exists is not checked.
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// In the order in which they were added.
  public static func < (a: AccountID, b: AccountID) -> Bool { a.rawValue < b.rawValue }
}

/// A saved search's key in the cache; never reused.
public struct SavedSearchID: RawRepresentable, Hashable, Sendable, Comparable, Codable {
  /// The value of the column `savedSearch.id`, from 1.
  public let rawValue: Int64
  /// - Parameter rawValue: as read from the cache; whether such a row exists is not checked.
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// In the order in which they were saved; screens list them by `SavedSearch.position`.
  public static func < (a: SavedSearchID, b: SavedSearchID) -> Bool { a.rawValue < b.rawValue }
}

/// A rule's key in the cache; never reused.
public struct RuleID: RawRepresentable, Hashable, Sendable, Comparable, Codable {
  /// The value of the column `rule.id`, from 1.
  public let rawValue: Int64
  /// - Parameter rawValue: as read from the cache; whether such a row exists is not checked.
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// In the order in which they were made, which is not the order in which they are judged.
  public static func < (a: RuleID, b: RuleID) -> Bool { a.rawValue < b.rawValue }
}
