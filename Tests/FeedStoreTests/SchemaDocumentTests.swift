import Foundation
import GRDB
import Testing

@testable import FeedStore

/// `Schema.md` says what each table, column, index and trigger is for. What there is comes from the
/// migrations; the descriptions are kept from the document as it is. `WEIR_RECORD_GOLDEN=1` writes
/// it anew, with a gap where a description is still to be written.
@Suite("The document of the schema")
struct SchemaDocumentTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/weir/Documentation.docc/Schema.md")

  @Test("Schema.md lists what the migrations make, each with a description")
  func isUpToDate() throws {
    let old = (try? String(contentsOf: Self.file, encoding: .utf8)) ?? "# Schema\n"
    var document = SchemaDocument(descriptionsOf: old)
    let queue = try DatabaseQueue()
    queue.writeWithoutTransaction { db in
      db.add(function: Link.function)
      db.add(function: Link.likenessFunction)
    }
    try Schema.migrator.migrate(queue)
    try queue.read { db in try document.describe(db) }
    if ProcessInfo.processInfo.environment["WEIR_RECORD_GOLDEN"] != nil {
      try document.text.write(to: Self.file, atomically: true, encoding: .utf8)
    } else {
      #expect(document.text == old, "record it anew with WEIR_RECORD_GOLDEN=1")
    }
    #expect(document.missing == [], "these have no description")
  }
}

/// A schema as a document of tables.
private struct SchemaDocument {
  private(set) var text: String
  /// What has no description: `table` or `table.part`.
  private(set) var missing: [String] = []
  private var descriptions: [String: String] = [:]

  /// Keeps the descriptions, and everything before the first table.
  init(descriptionsOf old: String) {
    let parts = old.components(separatedBy: "\n## ")
    text = parts[0].trimmingCharacters(in: .newlines) + "\n"
    for part in parts.dropFirst() {
      let lines = part.split(separator: "\n")
      let table = lines[0].split(separator: "`")[0]
      for line in lines.dropFirst() {
        if line.hasPrefix("| `") {
          let cells = line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
          descriptions["\(table).\(cells[0])"] = cells.last
        } else if !line.hasPrefix("|") {
          descriptions[String(table), default: ""] +=
            (descriptions[String(table)] ?? "").isEmpty
            ? line : " " + line
        }
      }
    }
  }

  mutating func describe(_ db: Database) throws {
    let tables = try Row.fetchAll(
      db,
      sql: """
        SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view')
          AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'searchIndex\\_%' ESCAPE '\\'
          AND name <> 'grdb_migrations' ORDER BY rowid
        """)
    for table in tables {
      let name: String = table["name"]
      text += "\n## `\(name)`\(table["type"] == "view" ? " (view)" : "")\n\n"
      text += description(name) + "\n"
      section(name, ["column", "type", "what it holds"], try columns(of: name, db))
      section(name, ["index", "of", "what it serves"], try indexes(of: name, db))
      section(name, ["trigger", "when", "what it does"], try triggers(of: name, db))
    }
  }

  private mutating func section(
    _ table: String, _ heading: [String], _ rows: [(name: String, fact: String)]
  ) {
    guard !rows.isEmpty else { return }
    text += "\n| \(heading.joined(separator: " | ")) |\n|---|---|---|\n"
    for row in rows {
      text += "| `\(row.name)` | \(row.fact) | \(description("\(table).`\(row.name)`")) |\n"
    }
  }

  private mutating func description(_ key: String) -> String {
    if let known = descriptions[key], known != "…" { return known }
    missing.append(key)
    return "…"
  }

  // MARK: Facts

  private func columns(
    of table: String, _ db: Database
  ) throws -> [(name: String, fact: String)] {
    let references = Dictionary(
      try Row.fetchAll(db, sql: "SELECT * FROM pragma_foreign_key_list(?)", arguments: [table])
        .map { ($0["from"] as String, $0["table"] as String) }, uniquingKeysWith: { a, _ in a })
    return try Row.fetchAll(
      db, sql: "SELECT * FROM pragma_table_xinfo(?) WHERE hidden = 0", arguments: [table]
    ).map { column in
      let name: String = column["name"]
      var fact: String = column["type"]
      if column["pk"] > 0 {
        fact += ", key"
      } else if column["notnull"] == 0, !fact.isEmpty {
        fact += " or NULL"
      }
      if let value: String = column["dflt_value"] { fact += " = \(value)" }
      if let other = references[name] { fact += " → `\(other)`" }
      return (name, fact)
    }
  }

  private func indexes(
    of table: String, _ db: Database
  ) throws -> [(name: String, fact: String)] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT l.name, l."unique", s.sql, (SELECT group_concat(i.name, ', ')
          FROM pragma_index_info(l.name) i) AS columns
        FROM pragma_index_list(?) l JOIN sqlite_schema s ON s.name = l.name
        WHERE l.origin <> 'pk' ORDER BY l.name
        """, arguments: [table]
    ).map { index in
      let columns: String = index["columns"] ?? ""
      let sql: String = index["sql"] ?? "(\(columns))"
      let start = sql.firstIndex(of: "(") ?? sql.startIndex
      let isUnique: Bool = index["unique"]
      let name: String = index["sql"] == nil ? "(\(columns))" : index["name"]
      return (name, (isUnique ? "unique " : "") + "`\(Self.line(sql[start...]))`")
    }
  }

  private func triggers(
    of table: String, _ db: Database
  ) throws -> [(name: String, fact: String)] {
    try Row.fetchAll(
      db,
      sql:
        "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? ORDER BY name",
      arguments: [table]
    ).map { trigger in
      let (name, sql): (String, String) = (trigger["name"], trigger["sql"])
      let event = Self.line(sql[...]).firstMatch(of: /(AFTER|BEFORE) (\w+)( OF [\w, ]+?)?(?= ON )/)
      return (name, event.map { String($0.0) } ?? "")
    }
  }

  private static func line(_ sql: Substring) -> String {
    sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
