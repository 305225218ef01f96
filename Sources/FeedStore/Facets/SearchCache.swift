/// Full-text search, its index, and saved searches.
public struct SearchCache: Sendable {
  let database: CacheDatabase
}
