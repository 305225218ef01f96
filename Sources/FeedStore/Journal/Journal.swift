import FeedModel
import Foundation
import GRDB

// Undo: what the user did, exactly, across restarts.

extension ReaderCache {
  /// Returns the entry that `undo` would undo; `nil` if there is none.
  public func nextUndo() throws(StoreError) -> JournalEntry? {
    try database.read { db in try Journal.newest(db) }
  }

  /// Returns the entry that `redo` would redo; `nil` if there is none.
  public func nextRedo() throws(StoreError) -> JournalEntry? {
    try database.read { db in try Journal.entry(db, "isUndone = 1 ORDER BY id") }
  }

  /// Undoes the newest entry of the journal that is not undone.
  /// - Parameter expected: undoes nothing if another entry is the newest.
  /// - Returns: the entry; nil if nothing was undone.
  public func undo(
    _ expected: JournalEntry.ID? = nil
  ) async throws(StoreError) -> JournalEntry? {
    return try await database.write(.user) { db, now in
      guard let entry = try Journal.newest(db),
        entry.id == expected ?? entry.id
      else { return nil }
      try Journal.apply(entry, isUndo: true, db, at: now)
      try db.run("UPDATE journal SET isUndone = 1 WHERE id = ?", [entry.id])
      return entry
    }
  }

  /// Redoes what was undone last, unless something else was done since.
  /// - Parameter expected: redoes nothing if another entry was undone last.
  /// - Returns: the entry; nil if nothing was redone.
  public func redo(
    _ expected: JournalEntry.ID? = nil
  ) async throws(StoreError) -> JournalEntry? {
    return try await database.write(.user) { db, now in
      guard let entry = try Journal.entry(db, "isUndone = 1 ORDER BY id"),
        entry.id == expected ?? entry.id
      else { return nil }
      try Journal.apply(entry, isUndo: false, db, at: now)
      try db.run("UPDATE journal SET isUndone = 0 WHERE id = ?", [entry.id])
      return entry
    }
  }
}

enum Journal {
  static let mostEntries: Int64 = 1_000
  /// Milliseconds.
  static let memory = Duration.days(30).milliseconds

  /// Adds an entry, unless nothing changed. What was undone before can no longer be redone.
  static func add(
    _ db: Database, _ kind: JournalEntry.Kind, articles: [Int64] = [], feeds: [Int64] = [],
    changes: [RowChange] = [], count: Int? = nil, subject: String?, at now: Date
  ) throws {
    guard !articles.isEmpty || !feeds.isEmpty || !changes.isEmpty else { return }
    let rows = changes.isEmpty ? nil : try JSONEncoder().encode(changes)
    try add(db, kind, articles: articles, feeds: feeds, rows, count: count, subject, at: now)
  }

  /// Adds an entry of a change to the rules, and of what that did to articles.
  static func add(
    _ db: Database, _ kind: JournalEntry.Kind, _ step: RuleStep, subject: String, at now: Date
  ) throws {
    guard !step.isEmpty else { return }
    try add(
      db, kind, articles: [], feeds: [], try JSONEncoder().encode(step),
      count: step.changes?.articles.count ?? 0, subject, at: now)
  }

  private static func add(
    _ db: Database, _ kind: JournalEntry.Kind, articles: [Int64], feeds: [Int64], _ rows: Data?,
    count: Int?, _ subject: String?, at now: Date
  ) throws {
    if kind != .open { try db.run("DELETE FROM journal WHERE isUndone = 1") }
    try db.run(
      """
      INSERT INTO journal (kind, count, subject, at, articles, changes) VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        kind.rawValue, count ?? articles.count + feeds.count, subject, now.milliseconds,
        articles.isEmpty ? nil : IDList.data(articles),
        rows.map { String(decoding: $0, as: UTF8.self) },
      ])
    let id = db.lastInsertedRowID
    for feed in feeds {
      try db.run("INSERT INTO journalFeed (entryID, feedID) VALUES (?, ?)", [id, feed])
    }
    try trim(db, newest: id, at: now)
  }

  /// The rows of feeds that only a forgotten entry could have brought back go with `tidy`.
  static func trim(_ db: Database, newest: Int64, at now: Date) throws {
    try db.run(
      "DELETE FROM journal WHERE id <= ? OR at < ?",
      [newest - mostEntries, now.milliseconds - memory])
  }

  /// Deletes entries whose articles and feeds are all gone: to undo them would change nothing.
  static func removeEmpty(_ db: Database) throws {
    let entries: [(id: Int64, articles: Data?, changes: String?)] = try db.all(
      """
      SELECT id, articles, changes FROM journal
      WHERE NOT EXISTS (SELECT 1 FROM journalFeed WHERE entryID = journal.id)
      """
    ) { ($0["id"], $0["articles"] as Data?, $0["changes"] as String?) }
    for entry in entries {
      var articles = IDList.ids(entry.articles ?? Data())
      if let changes = entry.changes {
        let rows = try? JSONDecoder().decode([RowChange].self, from: Data(changes.utf8))
        guard let rows, rows.allSatisfy({ $0.table == .articleTag }) else { continue }
        articles += rows.map(\.id)
      }
      let isEmpty = try !db.exists(
        "SELECT 1 FROM article WHERE id IN (SELECT value FROM json_each(?)) LIMIT 1",
        [SQLText.json(articles)])
      if isEmpty { try db.run("DELETE FROM journal WHERE id = ?", [entry.id]) }
    }
  }

  /// The entry that `undo` would undo.
  static func newest(_ db: Database) throws -> JournalEntry? {
    try entry(db, "isUndone = 0 AND kind <> '\(JournalEntry.Kind.open)' ORDER BY id DESC")
  }

  static func entry(_ db: Database, _ condition: String) throws -> JournalEntry? {
    try db.first(
      "SELECT id, kind, count, subject, at FROM journal WHERE \(condition) LIMIT 1"
    ) { row in
      guard let kind = JournalEntry.Kind(rawValue: row["kind"]) else {
        throw StoreError.other(detail: .unknownJournalEntry)
      }
      return JournalEntry(
        id: row["id"], kind: kind, count: row["count"], subject: row["subject"],
        at: Date(milliseconds: row["at"]))
    }
  }

  static func apply(
    _ entry: JournalEntry, isUndo: Bool, _ db: Database, at now: Date
  ) throws {
    let data: Data? =
      try db.value("SELECT articles FROM journal WHERE id = ?", [entry.id])
    let articles = IDList.ids(data ?? Data())
    switch entry.kind {
    case .open, .markRead, .markAllRead:
      _ = try StatusRows.set(.read, !isUndo, articles, db, at: now)
    case .markUnread: _ = try StatusRows.set(.read, isUndo, articles, db, at: now)
    case .star: _ = try StatusRows.set(.starred, !isUndo, articles, db, at: now)
    case .unstar: _ = try StatusRows.set(.starred, isUndo, articles, db, at: now)
    case .delete:
      if isUndo {
        try Deletion.show(articles, db)
      } else {
        _ = try Deletion.hide(articles, at: now, db)
      }
    case .unsubscribe, .listDropped: try setRemoved(!isUndo, feedsOf: entry, db, at: now)
    case .subscribe, .listAdded:
      try setRemoved(isUndo, feedsOf: entry, db, at: now)
      _ = try RowChange.apply(changes(of: entry, db), isUndo: isUndo, db)
    case .tag:
      var rows = TagRows(db, at: now)
      let changes = try changes(of: entry, db)
      for change in isUndo ? changes.reversed() : changes {
        guard let tag = (change.before ?? change.after)?.first ?? nil else { continue }
        _ = try rows.set(tag, (isUndo ? change.before : change.after) != nil, of: change.id)
      }
    case .addRule, .editRule, .enableRule, .disableRule, .removeRule:
      let step: RuleStep? = try decoded(entry, db)
      try step?.apply(isUndo: isUndo, db, at: now)
    case .editFeed, .moveFeed, .reorder, .renameFolder, .moveFolder, .deleteFolder,
      .saveSearch, .renameSearch, .removeSearch:
      let changes = try changes(of: entry, db)
      for feed in try RowChange.apply(changes, isUndo: isUndo, db) {
        try FetchRows.forgetAddress(of: FeedID(rawValue: feed), db, at: now.milliseconds)
      }
      try OutboxRows.recordArrangement(
        db, renamed: changes.compactMap { $0.folderTitles(isUndo: isUndo) }, at: now.milliseconds)
    }
  }

  private static func changes(of entry: JournalEntry, _ db: Database) throws -> [RowChange] {
    try decoded(entry, db) ?? []
  }

  /// Nil if a damaged file has something else there.
  private static func decoded<T: Decodable>(_ entry: JournalEntry, _ db: Database) throws -> T? {
    let text: String? =
      try db.value("SELECT changes FROM journal WHERE id = ?", [entry.id])
    return try? JSONDecoder().decode(T.self, from: Data((text ?? "").utf8))
  }

  private static func setRemoved(
    _ isRemoved: Bool, feedsOf entry: JournalEntry, _ db: Database, at now: Date
  ) throws {
    let feeds: [Int64] = try db.values(
      "SELECT feedID FROM journalFeed WHERE entryID = ?", [entry.id]
    )
    for feed in feeds {
      if isRemoved {
        _ = try FeedRemoval.remove(feed, db, at: now, .held)
      } else {
        try FeedRemoval.restore(feed, db, at: now)
      }
    }
  }
}

/// Keys in a column: ascending, as differences in LEB128; one or two bytes each where they are
/// dense.
enum IDList {
  static func data(_ ids: [Int64]) -> Data {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(ids.count * 2)
    var last: Int64 = 0
    for id in ids.sorted() where id > last {
      var difference = UInt64(id - last)
      while difference >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: difference) | 0x80)
        difference >>= 7
      }
      bytes.append(UInt8(difference))
      last = id
    }
    return Data(bytes)
  }

  /// Stops where the bytes make no sense.
  static func ids(_ data: Data) -> [Int64] {
    var ids: [Int64] = []
    var last: Int64 = 0
    var difference: UInt64 = 0
    var shift: UInt64 = 0
    for byte in data {
      guard shift < 63 else { return ids }
      difference |= UInt64(byte & 0x7F) << shift
      shift += 7
      guard byte & 0x80 == 0 else { continue }
      let (sum, overflows) = last.addingReportingOverflow(Int64(clamping: difference))
      guard !overflows else { return ids }
      ids.append(sum)
      last = sum
      difference = 0
      shift = 0
    }
    return ids
  }
}
