import GRDB

@testable import CacheCore

@Suite("Tables and observation") struct ObservedTableTests {
  private static func tables(_ condition: String = "1") throws -> Set<String> {
    let queue = try DatabaseQueue()
    try Migrator().grdb().migrate(queue)
    return try queue.read { db in
      try String.fetchSet(
        db,
        sql: """
          SELECT name FROM sqlite_schema WHERE type = 'table' AND \(condition)
            AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            AND name NOT LIKE 'searchIndex\\_%' ESCAPE '\\' AND name <> 'grdb_migrations'
          """)
    }
  }

  @Test("Each table of the schema wakes observers or is listed as silent, not both")
  func everyTable() throws {
    let tables = try Self.tables()
    #expect(tables.count > 50)
    for table in tables.sorted() {
      let isMapped = !CommitObserver.change(table).isEmpty
      #expect(
        isMapped != CommitObserver.silent.contains(table),
        "map \(table) in Observation.swift, or list it as silent with the reason")
    }
    #expect(CommitObserver.silent.subtracting(tables) == [])
  }

  @Test("A table without rowid is silent, because SQLite does not report its rows")
  func tablesWithoutRowid() throws {
    let tables = try Self.tables("sql LIKE '%WITHOUT ROWID'")
    #expect(tables.contains("refreshRequestFeed"))
    #expect(tables.subtracting(CommitObserver.silent) == [])
  }
}
