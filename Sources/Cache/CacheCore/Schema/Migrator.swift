import GRDB

/// Creates the tables of a new database and upgrades an older one.
package struct Migrator: Sendable {
  /// A step from one schema to the next, never edited once it is released.
  struct Migration: Sendable {
    /// Begins with the number of the schema: "2 snoozes".
    let name: String
    let apply: @Sendable (Database) throws -> Void
  }

  private static let tables = Migration(name: "1 tables") { db in
    for statements in Schema.tables { try db.execute(sql: statements) }
    try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
  }

  let migrations: [Migration]

  /// - Parameter later: migrations after the known ones, for tests.
  init(later: [Migration] = []) {
    migrations = [Self.tables] + later
  }

  /// - Parameter willApply: called with the name of each migration before it is applied.
  func grdb(willApply: @escaping @Sendable (String) -> Void = { _ in }) -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    // Foreign keys are checked row by row. A migration that replaces a table that others reference
    // needs `.deferred`, which reads every table of the cache once more.
    for migration in migrations {
      migrator.registerMigration(migration.name, foreignKeyChecks: .immediate) { db in
        willApply(migration.name)
        try migration.apply(db)
      }
    }
    return migrator
  }

  /// Returns a migration that this version does not know; `nil` if it knows all.
  func unknown(in applied: Set<String>) -> String? {
    applied.subtracting(migrations.map(\.name)).max()
  }
}
