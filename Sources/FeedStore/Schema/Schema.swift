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
      // A doctored file must not run functions from its schema (sqlite.org/pragma.html).
      try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY")
      if !db.configuration.readonly {
        // These two hold only for a file that is being made.
        try db.execute(sql: "PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL")
        try db.execute(sql: "PRAGMA cache_size = -8000")
      }
    }
    let migrator = self.migrator
    let applied = try appliedMigrations(path: path, migrator, configuration)
    if let unknown = applied.subtracting(migrator.migrations).max() {
      throw StoreError.newerSchema(found: unknown)
    }
    let pool = try DatabasePool(path: path, configuration: configuration)
    if applied.count < migrator.migrations.count { try migrator.migrate(pool) }
    return pool
  }

  /// Looked up through a connection that cannot write: opening a pool writes, and what a newer
  /// version left is not ours to touch.
  private static func appliedMigrations(
    path: String, _ migrator: DatabaseMigrator, _ configuration: Configuration
  ) throws -> Set<String> {
    var configuration = configuration
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? queue.close() }
    return try queue.read { db in try migrator.appliedIdentifiers(db) }
  }

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("0001 first light") { db in
      try db.execute(sql: Schema.firstLight)
    }
    migrator.registerMigration("0004 search") { db in
      try db.execute(sql: Schema.search)
    }
    return migrator
  }
}

/// The SQL of each migration, in a file of its own.
enum Schema {}
