import GRDB

/// The five columns of a failure, as feeds, accounts, pages and files have them: `failureKind`,
/// `failureStatus`, `failureDetail`, `failureSince`, `failureCount`.
enum FailureColumns {
  /// The last attempt did not fail.
  static let cleared = """
    failureKind = NULL, failureStatus = NULL, failureDetail = NULL, failureSince = NULL,
    failureCount = 0
    """

  /// Writes one more failure of a run that began at `since`, unless it had begun before.
  static func add(
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
