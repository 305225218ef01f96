package import Foundation
package import GRDB

// The journal of the user's changes, which survives restarts.

package enum Journal {
  static let mostEntries: Int64 = 1_000
  /// Milliseconds that entries are kept.
  package static let memory = Duration.days(30).milliseconds
  /// Kinds of entries that mark articles, for `kind IN`.
  package static let marks = list(
    [.open, .markAllRead] + Mark.allCases.flatMap { [$0.kind(true), $0.kind(false)] })

  package static func list(_ kinds: [JournalEntry.Kind]) -> String {
    "(" + kinds.map { "'\($0.rawValue)'" }.joined(separator: ", ") + ")"
  }

  /// Adds an entry, unless nothing changed. Undone entries can then no longer be redone.
  /// - Parameter count: the number in the entry; `nil` for the number of changed rows.
  package static func add(
    _ db: Database, _ kind: JournalEntry.Kind, _ images: [RowImages], count: Int? = nil,
    subject: String?, at now: Date
  ) throws {
    let images = images.filter { !$0.keys.isEmpty }
    guard !images.isEmpty else { return }
    if kind != .open { try db.run("DELETE FROM journal WHERE isUndone = 1") }
    try db.run(
      "INSERT INTO journal (kind, count, subject, at, images) VALUES (?, ?, ?, ?, ?)",
      [
        kind.rawValue, count ?? Set(images.flatMap(\.keys)).count, subject, now.milliseconds,
        try StoredJSON.text(images),
      ])
    try trim(db, newest: db.lastInsertedRowID, at: now)
  }

  /// Returns the title of an article if these are keys of one; `nil` otherwise.
  package static func title(of articles: [Int64], _ db: Database) throws -> String? {
    guard let article = articles.first, Set(articles).count == 1 else { return nil }
    return try db.value("SELECT title FROM article WHERE id = ?", [article])
  }

  package static func append(_ images: [RowImages], to entry: Int64, _ db: Database) throws {
    try db.run(
      "UPDATE journal SET images = rtrim(images, ']') || ',' || ltrim(?, '[') WHERE id = ?",
      [StoredJSON.text(images), entry])
  }

  /// Removes old entries. Maintenance then removes feeds that only these entries could restore.
  package static func trim(_ db: Database, newest: Int64, at now: Date) throws {
    try db.run(
      "DELETE FROM journal WHERE id <= ? OR at < ?",
      [newest - mostEntries, now.milliseconds - memory])
  }

  /// Deletes entries whose articles and feeds are all gone, which change nothing if undone.
  package static func removeEmpty(_ db: Database) throws {
    let entries: [(id: Int64, images: [RowImages])] = try db.all("SELECT id, images FROM journal") {
      ($0["id"], images($0))
    }
    for (id, images) in entries {
      let isInUse = try images.contains { image in
        let isOfArticles = image.table.hasPrefix("article")
        guard isOfArticles || image.table == "feed" else { return true }
        return try db.exists(
          """
          SELECT 1 FROM \(isOfArticles ? "article" : "feed")
          WHERE id IN (SELECT value FROM json_each(?)) LIMIT 1
          """, [SQLText.json(image.keys)])
      }
      if !isInUse { try db.run("DELETE FROM journal WHERE id = ?", [id]) }
    }
  }

  /// Returns entries in the order in which they are undone, or those undone as they are redone.
  package static func entries(
    areUndone: Bool = false, limit: Int = 1, _ db: Database
  ) throws -> [JournalEntry] {
    let condition =
      areUndone
      ? "isUndone = 1 ORDER BY id"
      : "isUndone = 0 AND kind <> '\(JournalEntry.Kind.open)' ORDER BY id DESC"
    return try db.all(
      "SELECT id, kind, count, subject, at FROM journal WHERE \(condition) LIMIT \(limit)"
    ) { row in
      guard let kind = JournalEntry.Kind(rawValue: row["kind"]) else {
        throw StoreError.other(detail: .unknownJournalEntry)
      }
      return JournalEntry(
        id: row["id"], kind: kind, count: row["count"], subject: row["subject"],
        at: Date(milliseconds: row["at"]))
    }
  }

  /// Returns the images of a journal row; none if a damaged file has something else there.
  package static func images(_ row: Row) -> [RowImages] { StoredJSON.value(row["images"]) ?? [] }

  /// Returns the articles whose state a journal row changed.
  package static func articles(_ row: Row) -> [Int64] {
    images(row).filter { $0.table == "articleStatus" }.flatMap(\.keys)
  }
}

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
