import CSQLite
import GRDB

// The tables and how they grew, one file for each migration. A migration that has been released is
// never edited.

extension FeedStore {
  static func openPool(path: String) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.label = "FeedStore"
    configuration.busyMode = .timeout(10)
    configuration.maximumReaderCount = 4
    configuration.prepareDatabase { db in
      db.add(function: TextMatch.lower)
      if let connection = db.sqliteConnection {
        _ = weir_sqlite_defend(UnsafeMutableRawPointer(connection))
      }
      // A doctored file must not run functions from its schema (sqlite.org/pragma.html).
      try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY")
      if !db.configuration.readonly {
        // These two hold only for a file that is being made.
        try db.execute(sql: "PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL")
        // Eight megabytes of log, then a checkpoint: it is what a commit now and then waits for.
        try db.execute(sql: "PRAGMA cache_size = -8000; PRAGMA wal_autocheckpoint = 500")
      }
    }
    let migrator = self.migrator
    let found = try look(path: path, migrator, configuration)
    let pool = try DatabasePool(path: path, configuration: configuration)
    if found.applied.count < migrator.migrations.count { try migrator.migrate(pool) }
    return pool
  }

  /// What a file says of itself before anything is written to it.
  struct Look {
    var applied: Set<String>
  }

  /// Reads, through a connection that cannot write, what tells a cache from other files: opening a
  /// pool writes, and what a newer version left, or damage, is not ours to touch.
  /// - Throws: `.newerSchema`, `.notACache`, `.corrupt`.
  static func look(
    path: String, _ migrator: DatabaseMigrator, _ configuration: Configuration
  ) throws -> Look {
    var reading = configuration
    reading.readonly = true
    let queue: DatabaseQueue
    do {
      queue = try DatabaseQueue(path: path, configuration: reading)
      // A transaction that a crash cut short is rolled back by whoever opens the file next; one who
      // may not write cannot.
      _ = try queue.read { db in try Int.fetchOne(db, sql: "PRAGMA schema_version") }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
      return try examine(
        try DatabaseQueue(path: path, configuration: configuration), path, migrator)
    }
    return try examine(queue, path, migrator)
  }

  private static func examine(
    _ queue: DatabaseQueue, _ path: String, _ migrator: DatabaseMigrator
  ) throws -> Look {
    defer { try? queue.close() }
    return try queue.read { db in
      let applied = try migrator.appliedIdentifiers(db)
      if let unknown = applied.subtracting(migrator.migrations).max() {
        throw StoreError.newerSchema(found: unknown)
      }
      // The table of migrations stands alone where the very first of them was cut short.
      let tables =
        try Int.fetchOne(
          db, sql: "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'") ?? 0
      if tables > 0 {
        guard try Int64.fetchOne(db, sql: "PRAGMA application_id") == Schema.applicationID else {
          throw StoreError.notACache(path: path)
        }
        guard !applied.isEmpty else { throw StoreError.corrupt(detail: "its schema is incomplete") }
        // What opening reads: better to stumble here than after the first write. An older schema has
        // not all of it yet.
        if applied.count == migrator.migrations.count {
          _ = try ChangeHub.versions(db)
          _ = try ProcessOwner.owners(db)
        }
      }
      return Look(applied: applied)
    }
  }

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("0001 first light") { db in
      try db.execute(sql: Schema.firstLight)
    }
    migrator.registerMigration("0002 telemetry") { db in
      try db.execute(sql: Schema.telemetry)
    }
    migrator.registerMigration("0004 search") { db in
      try db.execute(sql: Schema.search)
    }
    return migrator
  }
}

/// The SQL of each migration, in a file of its own.
enum Schema {
  /// "WEIR", in the header of each cache.
  static let applicationID: Int64 = 0x5745_4952
}
