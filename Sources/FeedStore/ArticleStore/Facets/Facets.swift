import Foundation

/// A part of the cache that is handed to those who need it.
public protocol CacheFacet: Sendable {
  /// The open cache; only the stores can use it.
  var database: StoreDatabase { get }
}

/// Subscriptions: their settings, names, order and numbers.
public struct FeedCache: CacheFacet { public let database: StoreDatabase }

/// Folders of the subscriptions.
public struct FolderCache: CacheFacet { public let database: StoreDatabase }

/// Lists of articles, and their texts.
public struct ArticleCache: CacheFacet { public let database: StoreDatabase }

/// The states of articles: read, starred, deleted, tagged, and the notes of programs.
public struct StateCache: CacheFacet { public let database: StoreDatabase }

/// Undo.
public struct JournalCache: CacheFacet { public let database: StoreDatabase }

/// Requests to the engine and their state, for screens and for the engine.
public protocol RequestReads: CacheFacet {}

/// Requests of screens to the engine, and the answers.
public struct RequestCache: RequestReads { public let database: StoreDatabase }

/// The engine's side of requests: what to do, and the status that it publishes.
public struct RequestWork: RequestReads { public let database: StoreDatabase }

/// Due feeds and the merge of their documents.
///
/// A failed read is an error, never “nothing to do”. A power cut may lose writes, which can be
/// fetched again; it never damages the file.
public struct FetchWork: CacheFacet { public let database: StoreDatabase }

/// Maintenance, checks of what is stored, and imports.
public struct Maintenance: CacheFacet { public let database: StoreDatabase }
