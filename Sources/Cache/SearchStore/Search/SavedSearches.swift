import Foundation
import GRDB

// Searches that are saved as lists. Each call is one transaction, and can be undone.

extension SearchCache {
  /// Saves a query as a list after the others.
  /// - Parameter name: blank or `nil` for the query itself.
  @discardableResult
  public func saveSearch(
    _ query: String, name: String? = nil
  ) async throws(StoreError) -> SavedSearchID {
    let query = ItemText.cut(query.trimmingCharacters(in: .whitespacesAndNewlines), 4_096)
    let name = Self.name(name) ?? Self.name(query) ?? "·"
    return try await database.write(.user) { db, now in
      let id = try SavedSearchRows.insert(name, query, db)
      let images = try RowImages.inserted(id, in: "savedSearch", db)
      try Journal.add(db, .saveSearch, images, subject: name, at: now)
      return SavedSearchID(rawValue: id)
    }
  }

  /// Replaces a blank name by the query.
  public func rename(_ search: SavedSearchID, to name: String) async throws(StoreError) {
    let name = Self.name(name)
    try await change(search, .renameSearch) { old, db in
      let name = name ?? Self.name(old.query) ?? "·"
      try db.run("UPDATE savedSearch SET name = ? WHERE id = ?", [name, old.id.rawValue])
      return name
    }
  }

  /// Deletes a saved search, but not its articles. Undoable.
  public func removeSearch(_ search: SavedSearchID) async throws(StoreError) {
    try await change(search, .removeSearch) { old, db in
      try db.run("DELETE FROM savedSearch WHERE id = ?", [old.id.rawValue])
      return old.name
    }
  }

  private func change(
    _ search: SavedSearchID, _ kind: JournalEntry.Kind,
    _ body: @escaping @Sendable (SavedSearch, Database) throws -> String
  ) async throws(StoreError) {
    try await database.write(.user) { db, now in
      var name = ""
      let images = try RowImages.recorded(["savedSearch"], of: [search.rawValue], db) {
        name = try body(try SavedSearchRows.find(search.rawValue, db), db)
      }
      try Journal.add(db, kind, images, subject: name, at: now)
    }
  }

  private static func name(_ text: String?) -> String? {
    guard let text = text?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty else {
      return nil
    }
    return ItemText.label(text)
  }
}
