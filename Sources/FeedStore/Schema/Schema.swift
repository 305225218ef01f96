import CSQLite
import FeedModel
import Foundation
import GRDB

// The tables and how they grew, one file for each migration. A migration that has been released is
// never edited.

extension Schema {
  /// Once in each process, before its first connection.
  private static let isConfigured = weir_sqlite_configure() == 0

  /// - Parameters:
  ///   - onStatement: called with each statement that a connection runs, for tests.
  ///   - freeSpace: the free bytes of the disk that holds a folder; nil: not known.
  static func openPool(
    path: String, onStatement: (@Sendable (String) -> Void)? = nil,
    trace: (@Sendable (String) -> Void)? = nil,
    onUpgrade: @escaping @Sendable (UpgradeStep) -> Void = { _ in },
    freeSpace: @escaping (String) -> Int64? = StoreFiles.freeSpace(of:)
  ) throws -> DatabasePool {
    _ = isConfigured
    var configuration = Configuration()
    configuration.label = "FeedStore"
    configuration.busyMode = .timeout(10)
    configuration.maximumReaderCount = 4
    configuration.prepareDatabase { db in
      addFunctions(to: db)
      try db.defend()
      if let onStatement {
        db.trace { if case .statement(let statement) = $0 { onStatement(statement.sql) } }
      }
      if let trace {
        var times = StatementTimes()
        db.trace(options: [.statement, .profile]) { event in
          if let line = times.line(for: event) { trace(line) }
        }
      }
      try db.execute(sql: "PRAGMA temp_store = MEMORY")
      if !db.configuration.readonly {
        // These two hold only for a file that is being made.
        try db.execute(sql: "PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL")
        // Eight megabytes of log, then a checkpoint: it is what a commit now and then waits for. A
        // log that a long sync made larger does not stay so.
        try db.execute(
          sql: """
            PRAGMA cache_size = -8000; PRAGMA wal_autocheckpoint = 500;
            PRAGMA journal_size_limit = 16777216
            """)
      }
    }
    let migrator = self.migrator
    let count = migrator.migrations.count
    if try look(path: path, migrator, configuration).applied.count == count {
      return try DatabasePool(path: path, configuration: configuration)
    }
    // Two that make or migrate it at once would be in each other's way: the second looks again.
    return try StoreFiles.alone(with: path) {
      let found = try look(path: path, migrator, configuration)
      guard !found.applied.isEmpty, found.applied.count < count else {
        let pool = try DatabasePool(path: path, configuration: configuration)
        try migrator.migrate(pool)
        return pool
      }
      let upgrade = Upgrade(path: path, found: found, freeSpace: freeSpace, report: onUpgrade)
      try upgrade.keepCopy()
      let pool = try DatabasePool(path: path, configuration: configuration)
      try upgrade.run(in: pool)
      return pool
    }
  }

  static func addFunctions(to db: Database) {
    db.add(function: TextMatch.lower)
    db.add(function: SQLText.plainAddress)
    db.add(function: Link.function)
    db.add(function: Link.likenessFunction)
  }

  /// What a file says of itself before anything is written to it.
  struct Look {
    var applied: Set<String>
    /// The schema from which an upgrade began that has not ended; 0: there is none.
    var unfinished = 0
  }

  /// Reads, through a connection that cannot write, what tells a cache from other files: opening a
  /// pool writes, and what a newer version left, or damage, is not ours to touch.
  /// - Throws: `.newerSchema`, `.notACache`, `.foreignSchema`, `.corrupt`.
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
      // GRDB takes the schema's table at its word.
      let nonsense = try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM sqlite_schema WHERE name IS NULL OR tbl_name IS NULL OR type IS NULL
            OR type NOT IN ('table', 'index', 'view', 'trigger')
          """)
      guard nonsense == 0 else { throw StoreError.corrupt(detail: .invalidSchema) }
      try check(db)
      let applied = try migrator.appliedIdentifiers(db)
      if let unknown = unknownMigration(in: applied) {
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
        guard !applied.isEmpty else { throw StoreError.corrupt(detail: .incompleteSchema) }
        // What opening reads: better to stumble here than after the first write. An older schema
        // has not all of it yet.
        if applied.count == migrator.migrations.count {
          _ = try ChangeHub.versions(db)
          _ = try ProcessOwner.owners(db)
        }
      }
      return Look(
        applied: applied, unfinished: try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0)
    }
  }

  /// A migration that only a newer version knows.
  static func unknownMigration(in applied: Set<String>) -> String? {
    applied.subtracting(migrator.migrations).max()
  }

  private static func sql(_ text: String) -> @Sendable (Database) throws -> Void {
    { db in try db.execute(sql: text) }
  }

  private static let migrations: [(name: String, apply: @Sendable (Database) throws -> Void)] = [
    ("0001 first light", sql(firstLight)),
    ("0002 telemetry", sql(telemetry)),
    ("0004 search", sql(search)),
    ("0005 full text", sql(fullText)),
    ("0006 retention", sql(retention)),
    ("0007 revisions", sql(revisions)),
    ("0008 tags", sql(tags)),
    ("0009 accounts", sql(accounts)),
    ("0010 downloads", sql(downloads)),
    ("0011 changes", sql(changes)),
    ("0012 sending", sql(sending)),
    ("0013 copies", sql(copies)),
    ("0014 renewals", sql(renewals)),
    ("0015 reasons", reasons),
    ("0016 host limits", sql(hostLimits)),
    ("0018 one undo", sql(oneUndo)),
    ("0019 labels", sql(labels)),
    ("0020 rules", sql(rules)),
    ("0024 pictures", sql(pictures)),
    ("0025 packs", sql(packs)),
    ("0028 feed options", sql(feedOptions)),
    ("0029 notes", sql(notes)),
    ("0031 resuming", sql(resuming)),
    ("0040 followed lists", sql(followedLists)),
    ("0043 download queue", sql(downloadQueue)),
    ("0045 journeys", sql(journeys)),
    ("0047 rule actions", sql(ruleActions)),
    ("0049 failure details", failureDetails),
    ("0053 pack reserve", sql(packReserve)),
    ("0057 namers", sql(namers)),
    ("0058 servers", sql(servers)),
    ("0064 descriptions", sql(descriptions)),
  ]

  static var migrator: DatabaseMigrator { migrator { _ in } }

  /// - Parameter willApply: called with the name of each migration that is applied, before it is.
  static func migrator(
    willApply: @escaping @Sendable (String) -> Void
  ) -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    // Foreign keys are checked row by row as a migration writes. One that makes a table anew that
    // others reference needs `.deferred`, which reads every table of the cache once more.
    for (name, apply) in migrations {
      migrator.registerMigration(name, foreignKeyChecks: .immediate) { db in
        willApply(name)
        try apply(db)
      }
    }
    return migrator
  }
}

/// The SQL of each migration, in a file of its own.
enum Schema {
  /// "WEIR", in the header of each cache.
  static let applicationID: Int64 = 0x5745_4952
}

extension Database {
  /// No statement writes the schema or the pages behind SQLite's back, and a malicious file must
  /// not run functions from its schema (sqlite.org/security.html).
  func defend() throws {
    if let connection = sqliteConnection {
      _ = weir_sqlite_defend(UnsafeMutableRawPointer(connection))
    }
    try execute(sql: "PRAGMA trusted_schema = OFF")
  }
}
