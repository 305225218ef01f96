import GRDB

// An article's own state and the one that it is shown with. They differ only between copies of a
// story that belong to different accounts; `ownStatus` holds the own state where they do.

/// Writes one of the two states of articles, one article at a time.
struct StatusWriter {
  private let db: Database
  private let column: String
  /// False: the two differ nowhere, which spares a look for each article.
  private let mayDiffer: Bool

  init(_ state: StatusRows.State, _ db: Database) throws {
    self.db = db
    column = state.rawValue
    mayDiffer = try db.exists("SELECT 1 FROM ownStatus LIMIT 1")
  }

  func own(_ id: Int64) throws -> Bool {
    try db.value(
      """
      SELECT ifnull(o.\(column), s.\(column))
      FROM articleStatus s LEFT JOIN ownStatus o ON o.articleID = s.articleID WHERE s.articleID = ?
      """, [id]
    ) ?? false
  }

  func isShown(_ id: Int64) throws -> Bool {
    try db.value("SELECT \(column) FROM articleStatus WHERE articleID = ?", [id]) ?? false
  }

  /// Returns which of the two changed.
  func setBoth(_ id: Int64, _ value: Bool) throws -> (isOwn: Bool, isShown: Bool) {
    let own: Bool? =
      mayDiffer
      ? try db.value("SELECT \(column) FROM ownStatus WHERE articleID = ?", [id]) : nil
    let isShown = try write(id, value)
    guard let own else { return (isShown, isShown) }
    try db.run("UPDATE ownStatus SET \(column) = ? WHERE articleID = ?", [value, id])
    try tidy(id)
    return (own != value, isShown)
  }

  /// The article is shown as it was.
  func setOwn(_ id: Int64, _ value: Bool) throws {
    guard try own(id) != value else { return }
    try separate(id)
    try db.run("UPDATE ownStatus SET \(column) = ? WHERE articleID = ?", [value, id])
    try tidy(id)
  }

  /// Its own state stays. Returns whether it was shown otherwise.
  func show(_ id: Int64, _ value: Bool) throws -> Bool {
    try separate(id)
    let isShown = try write(id, value)
    try tidy(id)
    return isShown
  }

  private func write(_ id: Int64, _ value: Bool) throws -> Bool {
    try db.run(
      "UPDATE articleStatus SET \(column) = ?1 WHERE articleID = ?2 AND \(column) <> ?1",
      [value, id])
      > 0
  }

  private func separate(_ id: Int64) throws {
    try db.run(
      """
      INSERT OR IGNORE INTO ownStatus (articleID, isRead, isStarred)
      SELECT articleID, isRead, isStarred FROM articleStatus WHERE articleID = ?
      """, [id])
  }

  private func tidy(_ id: Int64) throws {
    try db.run(
      """
      DELETE FROM ownStatus WHERE articleID = ?1 AND (isRead, isStarred) =
        (SELECT isRead, isStarred FROM articleStatus WHERE articleID = ?1)
      """, [id])
  }

  /// The article is no copy any more: it is shown with its own state.
  static func showOwn(_ id: Int64, _ db: Database) throws {
    try db.run(
      """
      UPDATE articleStatus SET (isRead, isStarred) =
        (SELECT isRead, isStarred FROM ownStatus WHERE articleID = ?1)
      WHERE articleID = ?1 AND EXISTS (SELECT 1 FROM ownStatus WHERE articleID = ?1)
      """, [id])
    try db.run("DELETE FROM ownStatus WHERE articleID = ?", [id])
  }
}
