/// Checks and maintenance of the file, copies of the whole cache, and imports.
public struct Maintenance: Sendable {
  let database: CacheDatabase
}
