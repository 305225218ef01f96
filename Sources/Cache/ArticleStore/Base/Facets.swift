import Foundation

/// A view of the cache with a part of its operations.
public protocol CacheFacet: Sendable {
  /// The open cache; only the stores can use it.
  var database: StoreDatabase { get }
}

/// The operations on one noun.
public struct Facet<Noun>: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// The facets that one side of the program holds. Both sides observe the same commits.
///
/// A facet has one type for each noun. Methods of one side are in an extension for that side, which
/// the other cannot call; those of both are in an extension without a condition.
public protocol CacheSide: CacheFacet {}

/// The cache for screens and commands.
///
/// Every read is one snapshot. Every write is one transaction that is on the disk when the call
/// returns; changes for an account's server are put in the outbox by the same transaction, and
/// requests to the engine are rows that it observes.
public struct ReaderCache: CacheSide {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// The cache for the sync engine: due operations and their results.
public struct EngineCache: CacheSide {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Subscriptions: their settings, names, order and numbers.
public typealias FeedCache = Facet<Feed>

/// Folders of the subscriptions.
public typealias FolderCache = Facet<Folder>

/// Lists of articles, and their texts.
public typealias ArticleCache = Facet<Article>

/// The states of articles: read, starred, deleted, tagged, and the notes of programs.
public typealias StateCache = Facet<ArticleStatus>

/// Undo and redo of the user's changes.
public typealias JournalCache = Facet<JournalEntry>

/// Due feeds and the merge of their documents.
///
/// A failed read is an error, never “nothing to do”. A power cut may lose writes, which can be
/// fetched again; it never damages the file.
public typealias FetchWork = Facet<FetchRecord>

/// Maintenance, integrity checks and imports.
public struct Maintenance: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}
