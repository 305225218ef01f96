/// The cache for the sync engine: due operations and their results.
///
/// A failed read is an error, never “nothing to do”. A power cut may lose writes, which can be
/// fetched again; it never damages the file.
public struct EngineCache: Sendable {
  let database: CacheDatabase
}
