/// Full-text search: what matches a query, the index behind it, and the searches that the user
/// keeps.
///
/// ## Topics
///
/// ### Searching
/// - ``hits(_:in:order:olderThan:limit:)``
/// - ``hits(holding:in:limit:)``
/// - ``found(_:by:)``
/// - ``preview(_:actions:since:limit:)``
/// - ``suggestions(since:limit:)``
///
/// ### Saved searches, each change one step of the undo journal
/// - ``saveSearch(_:name:)``
/// - ``rename(_:to:)``
/// - ``removeSearch(_:)``
///
/// ### The index
/// - ``searchProgress()``
/// - ``indexSome(within:)``
/// - ``catchUpIndex(within:)``
public struct SearchCache: Sendable {
  let database: CacheDatabase
}
