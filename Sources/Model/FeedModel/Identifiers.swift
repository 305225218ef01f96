/// A row's key in the cache; never reused. Keys ascend in the order in which rows were made.
public struct RowID<Kind>: RawRepresentable, Hashable, Sendable, Comparable, Codable {
  public let rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public static func < (a: RowID, b: RowID) -> Bool { a.rawValue < b.rawValue }
}

public typealias FeedID = RowID<Feed>
public typealias FolderID = RowID<Folder>
/// Ascends in the order of arrival.
public typealias ArticleID = RowID<Article>
public typealias SavedSearchID = RowID<SavedSearch>
/// Ascends in the order of creation, which is not the order of evaluation.
public typealias RuleID = RowID<Rule>

/// The kind of the keys of remote accounts.
public enum AccountKind {}
public typealias AccountID = RowID<AccountKind>
