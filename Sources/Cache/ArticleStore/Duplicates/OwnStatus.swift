package import GRDB

// Each article has a state of its own and a shown state. They differ only for duplicates that
// belong to different accounts; the table `ownStatus` then has the state of the article itself.

/// Writes the read or the starred state of articles, one article at a time.
package struct StatusWriter {
  private let db: Database
  private let column: String
  /// `false` if no article has a state that differs from the shown one.
  private let mayDiffer: Bool

  package init(_ state: ArticleMark, _ db: Database) throws {
    self.db = db
    column = state.rawValue
    mayDiffer = try db.exists("SELECT 1 FROM ownStatus LIMIT 1")
  }

  package func own(_ id: Int64) throws -> Bool {
    try db.value(
      """
      SELECT ifnull(o.\(column), s.\(column))
      FROM articleStatus s LEFT JOIN ownStatus o ON o.articleID = s.articleID WHERE s.articleID = ?
      """, [id]
    ) ?? false
  }

  package func isShown(_ id: Int64) throws -> Bool {
    try db.value("SELECT \(column) FROM articleStatus WHERE articleID = ?", [id]) ?? false
  }

  /// Sets the own and the shown state, and returns which of the two changed.
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

  package func setOwn(_ id: Int64, _ value: Bool) throws {
    guard try own(id) != value else { return }
    try separate(id)
    try db.run("UPDATE ownStatus SET \(column) = ? WHERE articleID = ?", [value, id])
    try tidy(id)
  }

  /// Changes only the shown state, and returns true if it changed.
  package func show(_ id: Int64, _ value: Bool) throws -> Bool {
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

  /// Shows an article with its own state after it has left its group of duplicates.
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
