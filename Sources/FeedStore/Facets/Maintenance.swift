/// Checks and maintenance of the file, copies of the whole cache, and what other readers leave
/// behind.
///
/// ## Topics
///
/// ### Checks and maintenance
/// - ``integrityProblems()``
/// - ``tidy()``
/// - ``checkPictures()``
///
/// ### Copies of the whole cache
/// - ``backup(to:replacing:)``
/// - ``restore(from:directory:programs:now:)``
///
/// ### A damaged file
/// - ``recover(directory:now:)``
///
/// ### From another reader
/// - ``importTitle(_:_:)``
/// - ``importArticles(_:_:)``
public struct Maintenance: Sendable {
  let database: CacheDatabase
}
