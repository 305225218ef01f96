/// A part of the cache that is handed to one side of the program.
public protocol CacheFacet: Sendable {
  /// The open cache; only this module can use it.
  var database: CacheDatabase { get }
}

/// Requests to the engine and their state, for screens and for the engine.
public protocol SharedReads: CacheFacet {}

/// Accounts, for screens and for the engine.
public protocol AccountReads: CacheFacet {}

/// The cache for screens and commands.
///
/// Every read is one snapshot. Every write is one transaction that is on the disk when the call
/// returns; changes for an account's server are put in the outbox by the same transaction, and
/// requests to the engine are rows that it observes.
public struct ReaderCache: SharedReads, AccountReads { public let database: CacheDatabase }

/// The cache for the sync engine: due operations and their results.
///
/// A failed read is an error, never “nothing to do”. A power cut may lose writes, which can be
/// fetched again; it never damages the file.
public struct EngineCache: SharedReads { public let database: CacheDatabase }

/// Remote accounts: their settings, changes to be sent, and the states of their servers.
public struct AccountCache: AccountReads { public let database: CacheDatabase }

/// Full-text search, its index, and saved searches.
public struct SearchCache: CacheFacet { public let database: CacheDatabase }

/// Checks and maintenance of the file, copies of the whole cache, and imports.
public struct Maintenance: CacheFacet { public let database: CacheDatabase }
