import CacheCore
package import GRDB

/// The five columns of a failure in feeds, accounts, pages and files: `failureKind`,
/// `failureStatus`, `failureDetail`, `failureSince`, `failureCount`.
package enum FailureColumns {
  package static let cleared = """
    failureKind = NULL, failureStatus = NULL, failureDetail = NULL, failureSince = NULL,
    failureCount = 0
    """

  /// Records a failure and counts it; `since` is stored only for the first of several in a row.
  package static func add(
    _ failure: (kind: String, status: Int?, detail: String?), since: Int64, to table: String,
    where key: String, _ id: Int64, _ db: Database
  ) throws {
    try db.run(
      """
      UPDATE \(table) SET failureKind = ?, failureStatus = ?, failureDetail = ?,
        failureSince = ifnull(failureSince, ?), failureCount = failureCount + 1
      WHERE \(key) = ?
      """, [failure.kind, failure.status, failure.detail.map(ItemText.label), since, id])
  }
}
