import Foundation
package import GRDB

// A file from elsewhere can contain triggers, views and expressions that run when a row is read or
// written. A schema is used only if it is exactly Weir's.

extension Schema {
  /// An entry of the catalogue, compared by its text.
  package struct Entry: Hashable {
    package var type: String
    package var name: String
    package var sql: String

    /// Type and name, such as "trigger evil". The name comes from the file.
    package var title: String { "\(type) \(name.prefix(60))" }

    /// The entry without comments and line breaks, which may differ between versions.
    var withoutComments: Entry {
      let (space, newline, dash) = (UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "-"))
      var text: [UInt8] = []
      var isComment = false
      for byte in sql.utf8 {
        if byte == newline { isComment = false }
        let next = byte == newline ? space : byte
        if isComment || next == space && (text.last ?? space) == space { continue }
        isComment = next == dash && text.last == dash
        if isComment { text.removeLast() } else { text.append(next) }
      }
      if text.last == space { text.removeLast() }
      return Entry(type: type, name: name, sql: String(decoding: text, as: UTF8.self))
    }

    /// True for SQLite's own statistics and sequences, and for the tables of a virtual table.
    var isInternal: Bool { name.hasPrefix("sqlite_") || name.hasPrefix("searchIndex_") }
  }

  /// The hash of the entries of a new database, without comments. `SchemaCheckTests` reports the
  /// right value.
  package static let fingerprint: Int64 = 980_046_207_792_510_685

  package static func fingerprint(of entries: [Entry]) -> Int64 {
    let lines = entries.map(\.withoutComments).map { "\($0.type)\n\($0.name)\n\($0.sql)" }
    return Fingerprint.identity(lines.sorted().joined(separator: "\n\n"))
  }

  package static func entries(_ db: Database) throws -> [Entry] {
    try Row.fetchAll(db, sql: "SELECT type, name, sql FROM sqlite_schema").map {
      Entry(type: $0["type"], name: $0["name"], sql: $0["sql"])
    }.filter { !$0.isInternal }
  }

  /// Returns the names of the migrations that made the file.
  /// - Throws: `.foreignSchema` if the table that records them is not GRDB's.
  static func appliedMigrations(_ db: Database, _ entries: [Entry]) throws -> Set<String> {
    guard let record = entries.first(where: { $0.name == "grdb_migrations" }) else { return [] }
    guard record.type == "table", record.sql == migrationsTable else {
      throw StoreError.foreignSchema(found: [record.title])
    }
    return try DatabaseMigrator().appliedIdentifiers(db)
  }

  /// The statement with which GRDB creates the table.
  private static let migrationsTable =
    "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"

  /// Throws `.foreignSchema` unless the entries are those that the applied migrations make.
  package static func check(
    _ entries: [Entry], after applied: Set<String>, _ migrator: Migrator
  ) throws {
    guard fingerprint(of: entries) != fingerprint else { return }
    let own = Set(try ownEntries(after: applied, migrator).map(\.withoutComments))
    let found = Set(entries.map(\.withoutComments))
    let differences =
      found.subtracting(own).map(\.title)
      + own.subtracting(found).filter { entry in !found.contains { $0.name == entry.name } }
      .map { "no \($0.title)" }
    if !differences.isEmpty { throw StoreError.foreignSchema(found: differences.sorted()) }
  }

  /// Returns the entries of a file's catalogue whose names are not Weir's. The file of another
  /// build has other definitions under Weir's names; their rows are copied.
  static func foreignTitles(
    in catalogue: [(type: String, name: String, sql: String, root: Int)], after applied: Set<String>
  ) throws -> [String] {
    let own = Set(try ownEntries(after: applied, Migrator()).map(\.title))
    let entries = catalogue.map { Entry(type: $0.type, name: $0.name, sql: $0.sql) }
    return Set(entries.filter { !$0.isInternal }.map(\.title)).subtracting(own).sorted()
  }

  /// Returns the entries of a database after these migrations, or of a new one if there are none.
  private static func ownEntries(
    after applied: Set<String>, _ migrator: Migrator
  ) throws -> [Entry] {
    let queue = try DatabaseQueue()
    defer { try? queue.close() }
    let newest = migrator.migrations.last { applied.contains($0.name) } ?? migrator.migrations.last
    try migrator.grdb().migrate(queue, upTo: newest?.name ?? "")
    return try queue.read(entries)
  }

  /// The trees of a new database by name, with their roots, and the statements that made them.
  struct Trees {
    var trees: [String: (layout: TreeLayout, root: Int)] = [:]
    var statements: [String] = []
  }

  static func trees(_ db: Database) throws -> Trees {
    let rows = try Row.fetchAll(db, sql: "SELECT name, rootpage, sql FROM sqlite_schema")
    var result = Trees(statements: rows.map { $0["sql"] as String })
    let layouts = try SchemaLayouts(result.statements).trees
    for row in rows {
      let name: String = row["name"]
      if let layout = layouts[name] { result.trees[name] = (layout, row["rootpage"] as Int) }
    }
    return result
  }
}
