public import Foundation
import GRDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Maintenance {
  /// What a repair saved and lost.
  public struct Recovery: Sendable, Equatable {
    /// Feeds in the new file.
    public var feeds: Int
    /// Articles in the new file, without hidden ones.
    public var articles: Int
    /// Those of `articles` that are starred.
    public var starred: Int
    /// Articles that the damaged file had by its own counter; nil if that could not be read.
    public var articlesBefore: Int?
    /// Articles whose text could not be read.
    public var withoutText: Int
    /// Articles whose read and star state could not be read: they are unread.
    public var withoutStatus: Int
    /// Feeds whose address could not be read, whose articles are listed under a name of Weir's.
    public var nameless: Int
    /// Rows of all tables that could be read; runs of rows that could not.
    public var rows: Int
    /// Runs of rows that could not be read.
    public var gaps: Int
    /// Where the damaged file lies now.
    public var setAside: String
  }

  /// Rebuilds a damaged cache from what can be read of it, row by row, into a new file that then
  /// takes its place. The damaged file is kept.
  /// - Throws: `.inUse` while another process has the cache open; `.newerSchema`; `.corrupt` where
  ///   nothing at all can be read. Nothing has changed then.
  public static func recover(
    directory: String, now: Date = Date()
  ) throws(StoreError) -> Recovery {
    let place = try StoreFiles.prepare(directory: directory)
    do {
      try StoreFiles.refuseWhileInUse(place)
      let fresh = place + ".salvaging-\(getpid())"
      func sweep() { for suffix in ["", "-wal", "-shm"] { unlink(fresh + suffix) } }
      sweep()
      try StoreFiles.make(fresh)
      defer { sweep() }
      var recovery = try rebuild(place, into: fresh)
      guard recovery.feeds + recovery.articles > 0 else {
        throw StoreError.corrupt(detail: .nothingReadable)
      }
      recovery.setAside =
        try StoreFiles.put(fresh, inPlaceOf: place, settingAsideAs: "damaged", at: now) ?? ""
      return recovery
    } catch {
      throw StoreError(error, path: place)
    }
  }

  private static func rebuild(_ damaged: String, into fresh: String) throws -> Recovery {
    let pool = try Schema.openPool(path: fresh)
    let damagedDatabase = try DamagedDatabase(path: damaged)
    defer { damagedDatabase.close() }
    let recovery = try pool.writeWithoutTransaction { db in
      // Rows refer to rows that may be lost: what hangs in the air is dealt with at the end.
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      var recovery: Recovery?
      try db.inTransaction {
        recovery = try Rebuild(db: db, damagedDatabase: damagedDatabase).run()
        return .commit
      }
      return recovery
    }
    try pool.close()
    // One file, as `put` wants it.
    let queue = try DatabaseQueue(path: fresh, configuration: DatabaseCopy.writing)
    try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
    try queue.close()
    guard let recovery else { throw StoreError.other(detail: .noResult) }
    return recovery
  }
}

/// Moves what a damagedDatabase still holds into a new cache.
private struct Rebuild {
  let db: Database
  let damagedDatabase: DamagedDatabase

  /// What triggers count anew, what belongs to processes, and what only the new file knows.
  private static let left: Set<String> = [
    "feedCounter", "totalCounter", "changeVersion", "grdb_migrations", "attention", "syncStatus",
    "discovery", "searchState", "searchStale", "syncPause", "cancellation",
  ]
  /// Their triggers make rows that those of the damagedDatabase replace.
  private static let first = ["folder", "feed", "feedFetch", "article", "articleStatus"]

  func run() throws -> Maintenance.Recovery {
    let mine = Set(
      try String.fetchAll(
        db, sql: "SELECT name FROM pragma_table_list WHERE \(DamagedDatabase.isOurs)"))
    let order =
      Self.first + damagedDatabase.tables.keys.sorted().filter { !Self.first.contains($0) }
    for name in order
    where mine.contains(name) && !Self.left.contains(name) && !name.hasPrefix("telemetry") {
      guard let table = damagedDatabase.tables[name] else { continue }
      try copy(table)
    }
    let nameless = try nameFeeds()
    let (withoutText, withoutStatus) = try completeArticles()
    try dropWhatHangsInTheAir()
    return try counted(nameless, withoutText, withoutStatus)
  }

  private func copy(_ table: DamagedDatabase.Table) throws {
    let known = Set(
      try String.fetchAll(
        db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table.name]))
    let columns = table.columns.filter(known.contains)
    guard !columns.isEmpty else { return }
    let list = columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let verb = table.name == "feedFetch" ? "REPLACE" : "IGNORE"
    let insert = try db.cachedStatement(
      sql: """
        INSERT OR \(verb) INTO \(table.name.quotedDatabaseIdentifier) (\(list)) VALUES (\(marks))
        """)
    try damagedDatabase.each(table, columns) { row in
      let values = row.databaseValues.dropFirst()
      try insert.execute(arguments: StatementArguments(Array(values)))
    }
  }

  /// Articles whose feed was lost are listed under a feed that is never fetched.
  private func nameFeeds() throws -> Int {
    // The trigger that goes with a feed makes these anew.
    for table in ["feedFetch", "feedCounter"] {
      try db.run("DELETE FROM \(table) WHERE feedID NOT IN (SELECT id FROM feed)")
    }
    return try db.run(
      """
      INSERT INTO feed (id, url, title, position, isLocal, addedAt)
      SELECT DISTINCT a.feedID, 'weir:salvaged-' || a.feedID, 'Salvaged feed ' || a.feedID, 0, 1, 0
      FROM article a WHERE a.feedID > 0 AND NOT EXISTS (SELECT 1 FROM feed f WHERE f.id = a.feedID)
      """)
  }

  private func completeArticles() throws -> (withoutText: Int, withoutStatus: Int) {
    let texts = try db.run(
      """
      INSERT INTO articleBody (articleID, itemID, html)
      SELECT id, 'salvaged-' || id, '' FROM article
      WHERE NOT EXISTS (SELECT 1 FROM articleBody WHERE articleID = article.id)
      """)
    let statuses = try db.run(
      """
      INSERT INTO articleStatus (articleID, feedID, sortDate)
      SELECT id, feedID, firstSeenAt FROM article
      WHERE NOT EXISTS (SELECT 1 FROM articleStatus WHERE articleID = article.id)
      """)
    return (texts, statuses)
  }

  /// Rows whose parent was lost go the way that their table says: away, or without a parent.
  private func dropWhatHangsInTheAir() throws {
    let tables = try String.fetchAll(
      db, sql: "SELECT name FROM pragma_table_list WHERE \(DamagedDatabase.isOurs)")
    // A folder's row in the air takes others with it.
    for _ in 0..<4 {
      for table in tables {
        let keys = try Row.fetchAll(
          db,
          sql: "SELECT \"table\" AS parent, \"from\" AS child, "
            + "ifnull(\"to\", 'rowid') AS key, on_delete AS action FROM pragma_foreign_key_list(?)",
          arguments: [table])
        for key in keys {
          let child = (key["child"] as String).quotedDatabaseIdentifier
          let parent = (key["parent"] as String).quotedDatabaseIdentifier
          let column = (key["key"] as String).quotedDatabaseIdentifier
          let lost = "\(child) IS NOT NULL AND \(child) NOT IN (SELECT \(column) FROM \(parent))"
          let name = table.quotedDatabaseIdentifier
          if key["action"] as String == "SET NULL" {
            try db.run("UPDATE \(name) SET \(child) = NULL WHERE \(lost)")
          } else {
            try db.run("DELETE FROM \(name) WHERE \(lost)")
          }
        }
      }
    }
    try db.run(
      """
      UPDATE articleStatus SET copyOf = NULL
      WHERE copyOf IS NOT NULL AND copyOf NOT IN (SELECT articleID FROM articleStatus)
      """)
    // A status repeats its article's feed.
    try db.run(
      """
      UPDATE articleStatus SET feedID = a.feedID FROM article a
      WHERE a.id = articleStatus.articleID AND a.feedID <> articleStatus.feedID
      """)
    try recount()
  }

  /// Triggers counted every row as it came; some were removed again with their feed's counter
  /// gone.
  private func recount() throws {
    let shown = "count(*), ifnull(sum(isRead = 0), 0), ifnull(sum(isStarred = 1), 0)"
    try db.run(
      """
      UPDATE feedCounter SET (total, unread, starred) =
        (SELECT \(shown) FROM articleStatus s WHERE s.feedID = feedCounter.feedID AND s.isHidden = 0)
      """)
    try db.run(
      """
      UPDATE totalCounter SET (total, unread, starred) =
        (SELECT \(shown) FROM articleStatus WHERE isHidden = 0 AND copyOf IS NULL)
      """)
  }

  private func counted(
    _ nameless: Int, _ withoutText: Int, _ withoutStatus: Int
  ) throws -> Maintenance.Recovery {
    let before = damagedDatabase.value("SELECT total FROM totalCounter WHERE id = 1")
    return Maintenance.Recovery(
      feeds: try db.value("SELECT count(*) FROM feed WHERE removedAt IS NULL") ?? 0,
      articles: try db.value("SELECT total FROM totalCounter") ?? 0,
      starred: try db.value("SELECT starred FROM totalCounter") ?? 0,
      articlesBefore: before.flatMap { (0...(1 << 40)).contains($0) ? $0 : nil },
      withoutText: withoutText, withoutStatus: withoutStatus, nameless: nameless,
      rows: damagedDatabase.rows, gaps: damagedDatabase.gaps, setAside: "")
  }
}
