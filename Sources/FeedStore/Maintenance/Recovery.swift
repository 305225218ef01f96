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
    /// Articles that the damaged file had by its own counter; nil where that could not be read.
    public var articlesBefore: Int?
    /// Articles whose text could not be read.
    public var withoutText: Int
    /// Articles whose read and star state could not be read: they are unread.
    public var withoutStatus: Int
    /// Feeds whose address could not be read, whose articles stand under a name of ours.
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
        throw StoreError.corrupt(detail: "nothing in it can be read")
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
    guard let recovery else { throw StoreError.other(detail: "no value") }
    return recovery
  }
}

/// A damaged database, read as far as it goes.
private final class DamagedDatabase {
  struct Table {
    var name: String
    var columns: [String]
    var hasRowID: Bool
  }

  /// Neither SQLite's own nor the hidden parts of a virtual table.
  static let isOurs = "schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'"

  private let queue: DatabaseQueue
  let tables: [String: Table]
  private(set) var rows = 0
  private(set) var gaps = 0

  init(path: String) throws {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(10)
    configuration.prepareDatabase { db in
      // Then one entry of the schema that makes no sense does not spoil the others.
      try db.execute(sql: "PRAGMA writable_schema = ON; PRAGMA trusted_schema = OFF")
    }
    queue = try DatabaseQueue(path: path, configuration: configuration)
    tables = try queue.unsafeRead { db in
      let applied = try? String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations")
      if let unknown = Schema.unknownMigration(in: Set(applied ?? [])) {
        throw StoreError.newerSchema(found: unknown)
      }
      return try Self.readTables(db)
    }
  }

  func close() { try? queue.close() }

  private static func readTables(_ db: Database) throws -> [String: Table] {
    let list = try Row.fetchAll(
      db, sql: "SELECT name, wr FROM pragma_table_list WHERE \(Self.isOurs)")
    return try list.reduce(into: [:]) { tables, row in
      let name: String = row["name"]
      let columns = try String.fetchAll(
        db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [name])
      tables[name] = Table(name: name, columns: columns, hasRowID: !(row["wr"] as Bool))
    }
  }

  func value(_ sql: String) -> Int? {
    try? queue.unsafeRead { db in try Int.fetchOne(db, sql: sql) }
  }

  /// Hands every row that can be read to `body`, once, with these columns. Outside a transaction:
  /// one that met damage does not end well, and nobody else writes.
  func each(_ table: Table, _ columns: [String], _ body: (Row) throws -> Void) throws {
    let list = columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    let name = table.name.quotedDatabaseIdentifier
    try queue.unsafeRead { db in
      if table.hasRowID {
        try eachByRowID(db, name, list, body)
      } else {
        try eachFromBothEnds(db, name, list, body)
      }
    }
  }

  /// A page that cannot be read hides a run of neighbouring keys: what lies behind it is looked for
  /// with growing steps.
  private func eachByRowID(
    _ db: Database, _ name: String, _ list: String, _ body: (Row) throws -> Void
  ) throws {
    var next = Int64.min
    let last =
      (try? Int64.fetchOne(db, sql: "SELECT max(rowid) FROM \(name)")) ?? Int64(1) << 40
    while true {
      guard
        let reached = try advance(
          db, "SELECT rowid, \(list) FROM \(name) WHERE rowid >= ? ORDER BY rowid", from: next, body
        )
      else { return }
      gaps += 1
      guard let behind = try findBehind(db, name, list, reached, last) else { return }
      next = behind
    }
  }

  /// Reads on from a key. Nil at the end of the table; else the key at which reading failed.
  private func advance(
    _ db: Database, _ sql: String, from start: Int64, _ body: (Row) throws -> Void
  ) throws -> Int64? {
    var next = start
    do {
      let cursor = try Row.fetchCursor(db, sql: sql, arguments: [start])
      while true {
        let row: Row?
        do { row = try cursor.next() } catch { return next }
        guard let row else { return nil }
        let key = row.firstColumn
        // Pages that point at each other would lead to an endless loop.
        guard key >= next, key < .max else { return next }
        next = key + 1
        rows += 1
        try body(row)
      }
    } catch let error as DatabaseError where Self.isDamage(error) {
      return next
    }
  }

  private static func isDamage(_ error: DatabaseError) -> Bool {
    [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_IOERR].contains(error.resultCode)
  }

  /// The first key behind a gap that can be read.
  private func findBehind(
    _ db: Database, _ name: String, _ list: String, _ failed: Int64, _ last: Int64
  ) throws -> Int64? {
    // Rows have keys from 1 up.
    var unreadable = max(failed, 0)
    var step: Int64 = 1
    var found: Int64?
    let sql = "SELECT rowid, \(list) FROM \(name) WHERE rowid >= ? ORDER BY rowid LIMIT 1"
    func reads(_ key: Int64) -> Int64? {
      guard let row = try? Row.fetchOne(db, sql: sql, arguments: [key]) else { return nil }
      let found = row.firstColumn
      // A tree out of order leads astray.
      return found >= key ? found : nil
    }
    while found == nil {
      let (probe, overflows) = unreadable.addingReportingOverflow(step)
      guard !overflows, probe <= last else { break }
      found = reads(probe)
      if found == nil { unreadable = probe }
      step *= 2
    }
    guard var first = found else { return nil }
    while unreadable + 1 < first {
      let middle = unreadable + (first - unreadable) / 2
      if let key = reads(middle) {
        guard key < first else {
          // Nothing between: `middle` leads to the same row.
          first = min(first, key)
          if middle >= first { break }
          unreadable = middle
          continue
        }
        first = key
      } else {
        unreadable = middle
      }
    }
    return first
  }

  private func eachFromBothEnds(
    _ db: Database, _ name: String, _ list: String, _ body: (Row) throws -> Void
  ) throws {
    let key = try String.fetchAll(
      db, sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", arguments: [name])
    let mostRows = 1_000 * ((try? Int.fetchOne(db, sql: "PRAGMA page_count")) ?? 1_000)
    for direction in ["ASC", "DESC"] {
      var count = 0
      let order = key.map { "\($0.quotedDatabaseIdentifier) \(direction)" }.joined(separator: ", ")
      do {
        // An unused first column, as those with a rowid have it.
        let cursor = try Row.fetchCursor(
          db, sql: "SELECT 0, \(list) FROM \(name)\(order.isEmpty ? "" : " ORDER BY \(order)")")
        while true {
          guard let row = try cursor.next() else { return }
          rows += 1
          count += 1
          // Pages that point at each other hold more rows than the file has room for.
          guard count < mostRows else { return }
          try body(row)
        }
      } catch let error as DatabaseError where Self.isDamage(error) {
        gaps += 1
      }
    }
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

  /// Articles whose feed was lost stand under a feed that is never fetched.
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
          sql: "SELECT \"table\", \"from\", ifnull(\"to\", 'rowid'), on_delete "
            + "FROM pragma_foreign_key_list(?)", arguments: [table])
        for key in keys {
          let child = (key[1] as String).quotedDatabaseIdentifier
          let parent = (key[0] as String).quotedDatabaseIdentifier
          let column = (key[2] as String).quotedDatabaseIdentifier
          let lost = "\(child) IS NOT NULL AND \(child) NOT IN (SELECT \(column) FROM \(parent))"
          let name = table.quotedDatabaseIdentifier
          if key[3] as String == "SET NULL" {
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

  /// Triggers counted every row as it came; some were taken away again with their feed's counter
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
