import Foundation
import GRDB

/// How a folder was called and is called now.
struct FolderTitles {
  var folder: Int64
  /// The folder that it lay in.
  var parent: Int64?
  /// Nil: there was no such folder.
  var old: String?
  /// Nil: it is gone.
  var new: String?
}

/// One row of feeds, folders, tags or saved searches as it was and as it became: what undo and redo
/// put in place. Values are texts; SQLite turns them into what the column holds.
struct RowChange: Codable, Equatable {
  enum Table: String, Codable {
    case folder, feed, articleTag, savedSearch, rule

    /// Without the key. Of a feed only what the user sets.
    var columns: [String] {
      switch self {
      case .folder: ["parentID", "title", "position"]
      case .feed:
        [
          "url", "userTitle", "folderID", "position", "isPaused", "keepArticles", "keepDays",
          "checkInterval", "userAgent", "proxy", "headers", "cookies", "listOrder", "markPolicy",
          "fetchesPages", "latestDownloads",
        ]
      case .articleTag: ["tag"]
      case .savedSearch: ["name", "query", "position"]
      case .rule:
        [
          "name", "query", "actions", "isEnabled", "stops", "until", "position", "isFile",
          "revision", "problem", "createdAt",
        ]
      }
    }
  }

  var table: Table
  /// Of a tag: its article.
  var id: Int64
  /// Nil: there was no such row.
  var before: [String?]?
  /// Nil: it is gone.
  var after: [String?]?

  private typealias Rows = [Int64: [String?]]

  /// What `body` did to these tables; of the feeds to those that are subscribed to.
  static func recorded(
    _ tables: [Table], _ db: Database, _ body: () throws -> Void
  ) throws -> [RowChange] {
    let before = try tables.map { try rows($0, db) }
    try body()
    return try zip(tables, before).flatMap { table, old in
      let new = try rows(table, db)
      return Set(old.keys).union(new.keys).sorted().compactMap { id in
        old[id] == new[id] ? nil : RowChange(table: table, id: id, before: old[id], after: new[id])
      }
    }
  }

  private static func rows(_ table: Table, _ db: Database) throws -> Rows {
    let condition = table == .feed ? "WHERE removedAt IS NULL" : ""
    let columns = table.columns.map { "CAST(\($0) AS TEXT) AS \($0)" }.joined(separator: ", ")
    let found = try db.all("SELECT id, \(columns) FROM \(table.rawValue) \(condition)") { row in
      (row["id"] as Int64, table.columns.map { row[$0] as String? })
    }
    return Rows(found, uniquingKeysWith: { a, _ in a })
  }

  /// The folder's title before and after; nil if this is no change of a folder's title.
  func folderTitles(isUndo: Bool) -> FolderTitles? {
    guard table == .folder else { return nil }
    let (from, to) = isUndo ? (after, before) : (before, after)
    let (old, new) = (from?[1], to?[1])
    guard old != new else { return nil }
    return FolderTitles(
      folder: id, parent: (from ?? to)?[0].flatMap { Int64($0) }, old: old, new: new)
  }

  // MARK: Putting in place

  /// What another change made impossible meanwhile (an address taken, a folder gone) is left out,
  /// and so is what was set of a feed elsewhere since; a folder whose name was taken gets its
  /// number after it.
  /// - Returns: the feeds that have another address by it.
  static func apply(_ changes: [RowChange], isUndo: Bool, _ db: Database) throws -> [Int64] {
    // A folder may come back before the one that it lies in.
    try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
    let steps = changes.map { change in
      (
        change, from: isUndo ? change.after : change.before,
        to: isUndo ? change.before : change.after
      )
    }
    // Two folders may have exchanged a name: for a moment they have none.
    for (change, from, _) in steps where from != nil && change.table == .folder {
      try db.run("UPDATE folder SET title = char(0) || id WHERE id = ?", [change.id])
    }
    for (change, from, to) in steps where from == nil {
      if let to { try change.insert(to, db) }
    }
    var moved: [Int64] = []
    for (change, from, to) in steps {
      guard let from, let to else { continue }
      if change.table != .feed {
        try change.update(to, db)
      } else if try change.updateFeed(from: from, to: to, db) {
        moved.append(change.id)
      }
    }
    for (change, from, to) in steps where to == nil {
      if let from { try change.delete(from, db) }
    }
    // Somebody else may have deleted what these refer to.
    try db.run(
      "UPDATE feed SET folderID = NULL WHERE folderID NOT IN (SELECT id FROM folder)")
    try db.run(
      "UPDATE folder SET parentID = NULL WHERE parentID NOT IN (SELECT id FROM folder)")
    return moved
  }

  private func insert(_ values: [String?], _ db: Database) throws {
    // A feed only comes and goes by subscribing. Its folder may have been gone meanwhile.
    guard table != .feed else {
      let places = ["folderID", "position"].map { name in
        table.columns.firstIndex(of: name).flatMap { $0 < values.count ? values[$0] : nil }
      }
      _ = try db.run(
        "UPDATE OR IGNORE feed SET folderID = ?, position = ? WHERE id = ? AND folderID IS NULL",
        StatementArguments(places + [String(id)]))
      return
    }
    let columns = (["id"] + table.columns).joined(separator: ", ")
    let places = Array(repeating: "?", count: values.count + 1).joined(separator: ", ")
    try put(values) { values in
      try db.run(
        "INSERT OR IGNORE INTO \(table.rawValue) (\(columns)) VALUES (\(places))",
        StatementArguments([String(id)] + values))
    }
  }

  private func update(_ values: [String?], _ db: Database) throws {
    // An entry of an older program has fewer columns.
    let settings = zip(table.columns, values).map { "\($0.0) = ?" }.joined(separator: ", ")
    try put(values) { values in
      try db.run(
        "UPDATE OR IGNORE \(table.rawValue) SET \(settings) WHERE id = ?",
        StatementArguments(values + [String(id)]))
    }
  }

  /// Columns of a feed that say one thing together.
  private static let feedSettings = [
    ["url"], ["userTitle"], ["folderID", "position"], ["isPaused"], ["keepArticles", "keepDays"],
    ["checkInterval"], ["userAgent"], ["proxy"], ["headers"], ["cookies"], ["listOrder"],
    ["markPolicy"], ["fetchesPages"], ["latestDownloads"],
  ]

  /// Redirects, accounts' servers and commands write these columns too, without the journal: only
  /// what is still as this change left it is set.
  /// - Returns: whether the address changed.
  private func updateFeed(
    from: [String?], to: [String?], _ db: Database
  ) throws -> Bool {
    let columns = table.columns
    var isMoved = false
    for setting in Self.feedSettings {
      // An entry of an older program has fewer columns.
      let places = setting.compactMap { columns.firstIndex(of: $0) }
        .filter { $0 < from.count && $0 < to.count }
      guard places.contains(where: { from[$0] != to[$0] }) else { continue }
      let values = places.map { "\(columns[$0]) = ?" }.joined(separator: ", ")
      let asLeft = places.map { "CAST(\(columns[$0]) AS TEXT) IS ?" }.joined(separator: " AND ")
      let written = try db.run(
        "UPDATE OR IGNORE feed SET \(values) WHERE id = ? AND \(asLeft)",
        StatementArguments(places.map { to[$0] } + [String(id)] + places.map { from[$0] }))
      if written > 0, setting == ["url"] { isMoved = true }
    }
    return isMoved
  }

  /// - Parameter write: returns how many rows it wrote.
  private func put(_ values: [String?], _ write: ([String?]) throws -> Int) throws {
    guard try write(values) == 0, table == .folder,
      let title = table.columns.firstIndex(of: "title")
    else { return }
    var other = values
    other[title] = "\(values[title] ?? "") (\(id))"
    _ = try write(other)
  }

  private func delete(_ values: [String?], _ db: Database) throws {
    switch table {
    // Tags are put in place by `TagRows`.
    case .feed, .articleTag: break
    case .folder, .savedSearch, .rule:
      try db.run("DELETE FROM \(table.rawValue) WHERE id = ?", [id])
    }
  }
}
