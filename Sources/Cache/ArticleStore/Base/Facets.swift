import Foundation

/// A view of the cache with a part of its operations.
public protocol CacheFacet: Sendable {
  /// The open cache; only the stores can use it.
  var database: StoreDatabase { get }
}

/// Subscriptions: their settings, names, order and numbers.
public struct FeedCache: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Folders of the subscriptions.
public struct FolderCache: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Lists of articles, and their texts.
public struct ArticleCache: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// The states of articles: read, starred, deleted, tagged, and the notes of programs.
public struct StateCache: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Undo and redo of the user's changes.
public struct JournalCache: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Due feeds and the merge of their documents.
///
/// A failed read is an error, never “nothing to do”. A power cut may lose writes, which can be
/// fetched again; it never damages the file.
public struct FetchWork: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Maintenance, integrity checks and imports.
public struct Maintenance: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}
