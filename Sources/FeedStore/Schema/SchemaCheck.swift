import Foundation
import GRDB

// A file from elsewhere can bring triggers, views and expressions that act when a row is read or
// written. Only a schema that is exactly the own one is used.

extension Schema {
  /// An entry of the catalogue, as far as its meaning depends on its text.
  struct Entry: Hashable {
    var type: String
    var name: String
    var sql: String

    /// "trigger evil"; the name comes from the file.
    var title: String { "\(type) \(name.prefix(60))" }

    /// Comments and blanks have been edited since the first version.
    var withoutComments: Entry {
      var words: [Substring] = []
      for line in sql.split(separator: "\n") {
        let end = line.firstRange(of: "--")?.lowerBound ?? line.endIndex
        words += line[..<end].split(separator: " ")
      }
      return Entry(type: type, name: name, sql: words.joined(separator: " "))
    }

    /// A table without generated columns, whose rows are only data.
    var isPlainTable: Bool {
      let text = sql.uppercased()
      return type == "table" && text.hasPrefix("CREATE TABLE") && !text.contains("GENERATED")
        && !text.contains(/\bAS\s*\(/)
    }

    /// SQLite's own statistics and sequences, and the tables that a virtual table makes.
    var isInternal: Bool { name.hasPrefix("sqlite_") || name.hasPrefix("searchIndex_") }
  }

  /// The hash of the entries of a new database. `SchemaCheckTests` names the right value.
  static let fingerprint: Int64 = 8_342_958_641_046_063_459

  static func fingerprint(of entries: [Entry]) -> Int64 {
    let lines = entries.map { "\($0.type)\n\($0.name)\n\($0.sql)" }.sorted()
    return Fingerprint.identity(lines.joined(separator: "\n\n"))
  }

  static func entries(_ db: Database) throws -> [Entry] {
    try Row.fetchAll(db, sql: "SELECT type, name, sql FROM sqlite_schema").map {
      Entry(type: $0["type"], name: $0["name"], sql: $0["sql"])
    }.filter { !$0.isInternal }
  }

  /// Throws `.foreignSchema` unless the entries are those of this version, or of an earlier one,
  /// word for word. Reads no table before it knows that its name is that of a table.
  static func check(_ db: Database) throws {
    let entries = try entries(db)
    guard !entries.isEmpty, fingerprint(of: entries) != fingerprint else { return }
    if let record = entries.first(where: { $0.name == "grdb_migrations" }), record.type != "table" {
      throw StoreError.foreignSchema(found: [record.title])
    }
    let applied = try migrator.appliedIdentifiers(db)
    guard !applied.isEmpty, unknownMigration(in: applied) == nil else { return }
    let own = Set(try ownEntries(after: applied).map(\.withoutComments))
    let found = Set(entries.map(\.withoutComments))
    let names = Set(own.map(\.name))
    // Migrations still to come rewrite tables: until then only what acts by itself must be equal.
    let isCurrent = applied.isSuperset(of: migrator.migrations)
    let differences =
      found.subtracting(own)
      .filter { isCurrent || !$0.isPlainTable || !names.contains($0.name) }.map(\.title)
      + own.subtracting(found).filter { entry in !found.contains { $0.name == entry.name } }
      .map { "no \($0.title)" }
    if !differences.isEmpty { throw StoreError.foreignSchema(found: differences.sorted()) }
  }

  /// Entries of a catalogue that Weir did not write.
  static func foreignTitles(
    in catalogue: [(type: String, name: String, sql: String, root: Int)], after applied: Set<String>
  ) throws -> [String] {
    let own = Set(try ownEntries(after: applied).map(\.withoutComments))
    let entries = catalogue.map { Entry(type: $0.type, name: $0.name, sql: $0.sql).withoutComments }
    return Set(entries.filter { !$0.isInternal && !own.contains($0) }.map(\.title)).sorted()
  }

  /// The entries of a database that has seen these migrations; of a new one if it has seen none.
  private static func ownEntries(after applied: Set<String>) throws -> [Entry] {
    var configuration = Configuration()
    configuration.prepareDatabase { addFunctions(to: $0) }
    let queue = try DatabaseQueue(configuration: configuration)
    defer { try? queue.close() }
    let migrator = migrator
    if let newest = migrator.migrations.last(where: applied.contains) {
      try migrator.migrate(queue, upTo: newest)
    } else {
      try migrator.migrate(queue)
    }
    return try queue.read(entries)
  }

  // MARK: For recovery

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
