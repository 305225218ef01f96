/// A part of the cache that is handed to one side of the program.
public protocol CacheFacet: Sendable {
  /// The open cache; only this module can use it.
  var database: StoreDatabase { get }
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
public struct ReaderCache: SharedReads, AccountReads { public let database: StoreDatabase }

/// The cache for the sync engine: due operations and their results.
///
/// A failed read is an error, never “nothing to do”. A power cut may lose writes, which can be
/// fetched again; it never damages the file.
public struct EngineCache: SharedReads { public let database: StoreDatabase }

/// Remote accounts: their settings, changes to be sent, and the states of their servers.
public struct AccountCache: AccountReads { public let database: StoreDatabase }

/// Full-text search, its index, and saved searches.
public struct SearchCache: CacheFacet { public let database: StoreDatabase }

/// Maintenance that is asked for, checks of what is stored, and imports.
public struct Maintenance: CacheFacet { public let database: StoreDatabase }

extension ReaderCache {
  /// Runs `body` with its reads on this thread in one transaction: one snapshot, and less work.
  /// `body` must neither write nor wait.
  public func joiningReads<T>(_ body: () -> T) -> T { database.core.joiningReads(body) }
}

extension SharedReads {
  /// Calls `handler` after each commit that touched `interest`, by this process or another, on an
  /// arbitrary thread, never two calls at a time. Ends when the observation is released.
  public func observe(
    _ interest: StoreChange, _ handler: @escaping @Sendable (StoreChange) -> Void
  ) -> StoreObservation {
    database.core.hub.add(interest, handler)
  }
}
