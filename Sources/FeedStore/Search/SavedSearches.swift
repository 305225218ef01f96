public import FeedModel
import Foundation
import GRDB

// Searches that are kept as lists. Each call is one transaction, and can be undone.

extension FeedStore {
  /// Keeps a query as a list, behind the others.
  /// - Parameter name: nil or blank: the query itself.
  @discardableResult
  public func saveSearch(
    _ query: String, name: String? = nil
  ) async throws(StoreError) -> SavedSearchID {
    let now = options.now()
    let query = ItemText.cut(query.trimmingCharacters(in: .whitespacesAndNewlines), 4_096)
    let name = Self.name(name) ?? Self.name(query) ?? "·"
    return try await write(.user) { db in
      try db.run(
        """
        INSERT INTO savedSearch (name, query, position)
        VALUES (?, ?, (SELECT ifnull(max(position), -1) + 1 FROM savedSearch))
        """, [name, query])
      let id = db.lastInsertedRowID
      try Journal.add(db, .saveSearch, search: id, subject: name, at: now)
      return SavedSearchID(rawValue: id)
    }
  }

  /// - Parameter name: blank: the query itself.
  public func rename(
    _ search: SavedSearchID, to name: String
  ) async throws(StoreError) {
    let now = options.now()
    let name = Self.name(name)
    try await write(.user) { db in
      let old = try SavedSearchRows.find(search.rawValue, db)
      let name = name ?? Self.name(old.query) ?? "·"
      guard name != old.name else { return }
      try db.run("UPDATE savedSearch SET name = ? WHERE id = ?", [name, search.rawValue])
      try Journal.add(
        db, .renameSearch, search: search.rawValue, subject: name, otherName: old.name, at: now)
    }
  }

  public func removeSearch(_ search: SavedSearchID) async throws(StoreError) {
    let now = options.now()
    try await write(.user) { db in
      let old = try SavedSearchRows.find(search.rawValue, db)
      try db.run(
        "UPDATE savedSearch SET removedAt = ? WHERE id = ?", [now.milliseconds, search.rawValue])
      try Journal.add(db, .removeSearch, search: search.rawValue, subject: old.name, at: now)
    }
  }

  private static func name(_ text: String?) -> String? {
    guard let text = text?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty else {
      return nil
    }
    return ItemText.cut(text, ItemText.Limit.label)
  }
}

enum SavedSearchRows {
  static func all(_ db: Database) throws -> [SavedSearch] {
    try db.all(
      """
      SELECT id, name, query, position FROM savedSearch WHERE removedAt IS NULL
      ORDER BY position, id
      """, [], decode)
  }

  static func find(_ id: Int64, _ db: Database) throws -> SavedSearch {
    let found = try db.first(
      "SELECT id, name, query, position FROM savedSearch WHERE id = ? AND removedAt IS NULL", [id],
      decode)
    guard let found else { throw StoreError.notFound }
    return found
  }

  private static func decode(_ row: Row) -> SavedSearch {
    SavedSearch(
      id: SavedSearchID(rawValue: row[0]), name: row[1], query: row[2], position: row[3])
  }

  // MARK: The journal

  static func setRemoved(_ isRemoved: Bool, entry: Int64, _ db: Database, at now: Date) throws {
    try db.run(
      """
      UPDATE savedSearch SET removedAt = ?
      WHERE id = (SELECT searchID FROM journal WHERE id = ?)
      """, [isRemoved ? now.milliseconds : nil, entry])
  }

  /// The entry keeps the name that the search does not have.
  static func swapNames(entry: Int64, _ db: Database) throws {
    let names = try db.first(
      """
      SELECT j.otherName, s.name, s.id FROM journal j JOIN savedSearch s ON s.id = j.searchID
      WHERE j.id = ?
      """, [entry]
    ) { (other: $0[0] as String?, own: $0[1] as String, id: $0[2] as Int64) }
    guard let names, let other = names.other else { return }
    try db.run("UPDATE savedSearch SET name = ? WHERE id = ?", [other, names.id])
    try db.run("UPDATE journal SET otherName = ? WHERE id = ?", [names.own, entry])
  }

  /// Those that no entry can bring back.
  static func purge(_ db: Database) throws {
    try db.run(
      """
      DELETE FROM savedSearch WHERE removedAt IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM journal WHERE searchID = savedSearch.id)
      """)
  }
}
