/// The cache for screens and commands.
///
/// Every read is one snapshot. Every write is one transaction that is on the disk when the call
/// returns; changes for an account's server are put in the outbox by the same transaction, and
/// requests to the engine are rows that it observes.
public struct ReaderCache: Sendable {
  let database: CacheDatabase
}
