import CSQLite
import Foundation
package import GRDB

// The tables of the first release are in the SQL files of this folder. Each change of a later
// release is a migration in a separate file, which is never edited once it is released.

extension Schema {
  /// Configures SQLite once per process, before its first connection.
  private static let isConfigured = weir_sqlite_configure() == 0

  /// Opens the cache; creates or upgrades it first if needed.
  /// - Parameters:
  ///   - functions: SQL functions of the stores.
  ///   - onStatement: called with each statement that a connection runs, for tests.
  ///   - freeSpace: the free bytes of the disk that holds a folder; `nil` if unknown.
  /// - Throws: `.newerSchema`, `.notACache`, `.foreignSchema`, `.corrupt`.
  package static func openPool(
    path: String, functions: [DatabaseFunction] = [],
    onStatement: (@Sendable (String) -> Void)? = nil, trace: (@Sendable (String) -> Void)? = nil,
    onUpgrade: @escaping @Sendable (UpgradeStep) -> Void = { _ in },
    freeSpace: @escaping (String) -> Int64? = StoreFiles.freeSpace(of:),
    migrator: Migrator = Migrator()
  ) throws -> DatabasePool {
    var configuration = configuration(functions, onStatement: onStatement, trace: trace)
    configuration.busyMode = .callback { tries in
      if tries == 0 { onUpgrade(.waitingForLock) }
      usleep(UInt32(min(tries + 1, 20)) * 1_000)
      // Gives up after ten seconds.
      return tries < 510
    }
    func pool() throws -> DatabasePool {
      try DatabasePool(path: path, configuration: configuration)
    }
    if try examine(path: path, migrator, configuration).state == .current { return try pool() }
    // If two processes upgrade at the same time, the second one examines the file again.
    return try StoreFiles.alone(with: path, waiting: { onUpgrade(.waitingForUpgrade) }) {
      let found = try examine(path: path, migrator, configuration)
      switch found.state {
      case .current: return try pool()
      case .empty:
        let pool = try pool()
        try migrator.grdb().migrate(pool)
        return pool
      case .older:
        let upgrade = Upgrade(
          path: path, found: found, migrator: migrator, freeSpace: freeSpace, report: onUpgrade)
        try upgrade.saveCopy()
        let pool = try pool()
        try upgrade.run(in: pool)
        return pool
      }
    }
  }

  /// Creates the tables in an empty file without a journal. The caller discards the file if a later
  /// write fails.
  static func create(at path: String) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: path, configuration: configuration())
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    }
    try Migrator().grdb().migrate(queue)
    return queue
  }

  private static func configuration(
    _ functions: [DatabaseFunction] = [], onStatement: (@Sendable (String) -> Void)? = nil,
    trace: (@Sendable (String) -> Void)? = nil
  ) -> Configuration {
    _ = isConfigured
    var configuration = Configuration()
    configuration.label = "FeedStore"
    configuration.busyMode = .timeout(10)
    configuration.maximumReaderCount = 4
    configuration.prepareDatabase { db in
      for function in functions { db.add(function: function) }
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
        // These two take effect only while a file is being created.
        try db.execute(sql: "PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL")
        // A checkpoint is made after every 8 MB of log. A commit has to wait for it, so it must be
        // short. A log that grew larger during a long sync is truncated to 16 MB.
        try db.execute(
          sql: """
            PRAGMA cache_size = -8000; PRAGMA wal_autocheckpoint = 500;
            PRAGMA journal_size_limit = 16777216
            """)
      }
    }
    return configuration
  }

  /// The state of a file before anything is written to it.
  struct Findings {
    enum State { case empty, current, older }

    var state: State
    var applied: Set<String> = []
    /// The schema from which an interrupted upgrade began; 0 if there is none.
    var unfinished = 0
  }

  /// Examines a file through a connection that cannot write: opening a pool writes, and a newer or
  /// damaged database must not be changed.
  /// - Throws: `.newerSchema`, `.notACache`, `.foreignSchema`, `.corrupt`.
  static func examine(
    path: String, _ migrator: Migrator, _ configuration: Configuration
  ) throws -> Findings {
    var reading = configuration
    reading.readonly = true
    let queue: DatabaseQueue
    do {
      queue = try DatabaseQueue(path: path, configuration: reading)
      // If a crash interrupted a transaction, the next process to open the file rolls it back; a
      // connection that cannot write fails instead.
      _ = try queue.read { db in try Int.fetchOne(db, sql: "PRAGMA schema_version") }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
      return try examine(
        try DatabaseQueue(path: path, configuration: configuration), path, migrator)
    }
    return try examine(queue, path, migrator)
  }

  private static func examine(
    _ queue: DatabaseQueue, _ path: String, _ migrator: Migrator
  ) throws -> Findings {
    defer { try? queue.close() }
    return try queue.read { db in
      // GRDB assumes that the entries of the schema are valid.
      let nonsense = try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM sqlite_schema WHERE name IS NULL OR tbl_name IS NULL OR type IS NULL
            OR type NOT IN ('table', 'index', 'view', 'trigger')
          """)
      guard nonsense == 0 else { throw StoreError.corrupt(detail: .invalidSchema) }
      let entries = try entries(db)
      // An interrupted creation leaves an empty table of migrations.
      guard entries.contains(where: { $0.name != "grdb_migrations" }) else {
        return Findings(state: .empty)
      }
      guard try Int64.fetchOne(db, sql: "PRAGMA application_id") == applicationID else {
        throw StoreError.notACache(path: path)
      }
      let applied = try appliedMigrations(db, entries)
      guard !applied.isEmpty else { throw StoreError.corrupt(detail: .incompleteSchema) }
      if let unknown = migrator.unknown(in: applied) {
        throw StoreError.newerSchema(found: unknown)
      }
      try check(entries, after: applied, migrator)
      let isCurrent = applied.count == migrator.migrations.count
      if isCurrent {
        // Opening the cache reads these, and should fail here rather than after its first write.
        _ = try ChangeHub.versions(db)
        _ = try ProcessOwner.owners(db)
      }
      return Findings(
        state: isCurrent ? .current : .older, applied: applied,
        unfinished: try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0)
    }
  }
}

/// The tables of the cache, and the upgrade of earlier versions.
package enum Schema {
  /// The statements that make a new database, in their order.
  package static let tables =
    [
      PackageResources.feeds_sql, PackageResources.articles_sql, PackageResources.states_sql,
      PackageResources.media_sql, PackageResources.search_sql, PackageResources.accounts_sql,
      PackageResources.processes_sql, PackageResources.folder_sql,
    ].map { String(decoding: $0, as: UTF8.self) } + [duplicates]

  /// "WEIR", in the header of each cache.
  static let applicationID: Int64 = 0x5745_4952
}

extension Database {
  /// Prevents statements from writing the schema or pages directly, and a malicious file from
  /// running functions in its schema (sqlite.org/security.html).
  func defend() throws {
    if let connection = sqliteConnection {
      _ = weir_sqlite_defend(UnsafeMutableRawPointer(connection))
    }
    try execute(sql: "PRAGMA trusted_schema = OFF")
  }
}

/// Measures each statement of a connection, because SQLite itself counts whole milliseconds.
struct StatementTimes {
  private let clock = ContinuousClock()
  /// Start times of running statements.
  private var starts: [String: ContinuousClock.Instant] = [:]

  /// Returns “0.125 ms  SELECT 1” at the end of a statement, and `nil` at its beginning.
  mutating func line(for event: Database.TraceEvent) -> String? {
    switch event {
    case .statement(let statement):
      // A trigger's statements begin with "--" and have no end event.
      if !statement.sql.hasPrefix("--") { starts[statement.sql] = clock.now }
      return nil
    case .profile(let statement, let duration):
      let sql = statement.sql
      let time = starts.removeValue(forKey: sql).map { clock.now - $0 } ?? .seconds(duration)
      let words = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      return String(format: "%.3f ms", time / .milliseconds(1)) + "  " + words
    }
  }
}
