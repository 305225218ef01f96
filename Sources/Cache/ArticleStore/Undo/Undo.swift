import Foundation
import GRDB

extension JournalCache {
  public func nextUndo() throws(StoreError) -> JournalEntry? {
    try database.read { db in try Journal.newest(db) }
  }

  public func nextRedo() throws(StoreError) -> JournalEntry? {
    try database.read { db in try Journal.entry(db, "isUndone = 1 ORDER BY id") }
  }

  /// Undoes the newest entry of the journal that is not undone.
  /// - Parameter expected: undoes nothing if another entry is the newest.
  /// - Returns: the entry; `nil` if nothing was undone.
  public func undo(
    _ expected: JournalEntry.ID? = nil
  ) async throws(StoreError) -> JournalEntry? {
    return try await database.change { transaction in
      guard let entry = try Journal.newest(transaction.db),
        entry.id == expected ?? entry.id
      else { return nil }
      try Journal.apply(entry, isUndo: true, transaction)
      return entry
    }
  }

  /// Redoes the last undone entry, unless another change followed.
  /// - Parameter expected: redoes nothing if another entry was undone last.
  /// - Returns: the entry; `nil` if nothing was redone.
  public func redo(
    _ expected: JournalEntry.ID? = nil
  ) async throws(StoreError) -> JournalEntry? {
    return try await database.change { transaction in
      guard let entry = try Journal.entry(transaction.db, "isUndone = 1 ORDER BY id"),
        entry.id == expected ?? entry.id
      else { return nil }
      try Journal.apply(entry, isUndo: false, transaction)
      return entry
    }
  }
}

extension Journal {
  static func apply(
    _ entry: JournalEntry, isUndo: Bool, _ transaction: Transaction
  ) throws {
    let db = transaction.db
    let images = try db.first("SELECT images FROM journal WHERE id = ?", [entry.id], images)
    try RowImages.write(images ?? [], isUndo: isUndo, transaction)
    try db.run(
      "UPDATE journal SET isUndone = ?, undoneAt = ? WHERE id = ?",
      [isUndo, transaction.at, entry.id])
  }
}
