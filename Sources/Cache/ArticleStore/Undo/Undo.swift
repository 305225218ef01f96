import Foundation
import GRDB

extension JournalCache {
  /// Returns the entry that is undone next, or redone next.
  public func next(areUndone: Bool = false) throws(StoreError) -> JournalEntry? {
    try database.read { db in try Journal.entries(areUndone: areUndone, db).first }
  }

  public func lastChanges(_ limit: Int = 100) throws(StoreError) -> [JournalEntry] {
    try database.read { db in try Journal.entries(limit: limit, db) }
  }

  /// Undoes the newest entry of the journal that is not undone.
  /// - Parameter expected: undoes nothing if another entry is the newest.
  /// - Returns: the entry; `nil` if nothing was undone.
  public func undo(_ expected: JournalEntry.ID? = nil) async throws(StoreError) -> JournalEntry? {
    try await apply(expected, isUndo: true)
  }

  /// Redoes the last undone entry, unless another change followed.
  /// - Parameter expected: redoes nothing if another entry was undone last.
  /// - Returns: the entry; `nil` if nothing was redone.
  public func redo(_ expected: JournalEntry.ID? = nil) async throws(StoreError) -> JournalEntry? {
    try await apply(expected, isUndo: false)
  }

  private func apply(
    _ expected: JournalEntry.ID?, isUndo: Bool
  ) async throws(StoreError) -> JournalEntry? {
    try await database.change { transaction in
      let db = transaction.db
      guard let entry = try Journal.entries(areUndone: !isUndo, db).first,
        entry.id == expected ?? entry.id
      else { return nil }
      let images = try db.first(
        "SELECT images FROM journal WHERE id = ?", [entry.id], Journal.images)
      try RowImages.write(images ?? [], isUndo: isUndo, transaction)
      try db.run(
        "UPDATE journal SET isUndone = ?, undoneAt = ? WHERE id = ?",
        [isUndo, transaction.at, entry.id])
      return entry
    }
  }
}
