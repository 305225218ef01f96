import Foundation
import GRDB

/// A damaged database, read as far as it goes.
final class DamagedDatabase {
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
  /// one that met damage fails, and no other process writes.
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

  /// A page that cannot be read hides a run of neighbouring keys: the key after it is searched for
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

  /// The first key after a gap that can be read.
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
