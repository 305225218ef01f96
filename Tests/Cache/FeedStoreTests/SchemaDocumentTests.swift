import GRDB

@testable import CacheCore

/// `Schema.md` is generated from the tables of a new database and the comments in their statements.
/// `WEIR_RECORD_GOLDEN=1` writes it again.
@Suite("The document of the schema") struct SchemaDocumentTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/Program/weir/Documentation.docc/Schema.md")

  @Test("Schema.md describes the tables of a new database") func isUpToDate() throws {
    let queue = try DatabaseQueue()
    try Migrator().grdb().migrate(queue)
    let text = try queue.read { db in try Self.document(db) }
    if ProcessInfo.processInfo.environment["WEIR_RECORD_GOLDEN"] != nil {
      try text.write(to: Self.file, atomically: true, encoding: .utf8)
    } else {
      #expect(try text == String(contentsOf: Self.file, encoding: .utf8))
    }
  }

  private static let introduction = """
    # Schema

    The tables of the cache, `weir.db`. This document is written from `Sources/Cache/CacheCore/Schema` by
    `make golden`.

    Dates are milliseconds since 1970. A column that begins with `is` holds 0 or 1, except
    `articleStatus.isHidden`. `QueryPlanTests` asserts which index each query uses: no read walks a table that grows
    with the articles, and no list is sorted that an index has in its order.

    """

  private static func document(_ db: Database) throws -> String {
    let entries = try Row.fetchAll(
      db,
      sql: """
        SELECT name, type, tbl_name, sql FROM sqlite_schema WHERE sql NOT NULL
          AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'searchIndex\\_%' ESCAPE '\\'
          AND name <> 'grdb_migrations' ORDER BY rowid
        """)
    var text = introduction
    for entry in entries where ["table", "view"].contains(entry["type"] as String) {
      let name: String = entry["name"]
      let columns = try String.fetchAll(
        db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [name])
      let references = Dictionary(
        try Row.fetchAll(db, sql: "SELECT * FROM pragma_foreign_key_list(?)", arguments: [name])
          .map { ($0["from"] as String, $0["table"] as String) }, uniquingKeysWith: { a, _ in a })
      let comments = comments(in: entry["sql"], columns)
      text += "\n## `\(name)`\(entry["type"] == "view" ? " (view)" : "")\n\n"
      if let description = comments[""] { text += description + "\n\n" }
      var others: [String] = []
      for column in columns {
        let title = "`\(column)`" + (references[column].map { " → `\($0)`" } ?? "")
        if let comment = comments[column] {
          text += "- \(title): \(comment)\n"
        } else {
          others.append(title)
        }
      }
      if !others.isEmpty { text += "- \(others.joined(separator: ", "))\n" }
      for part in entries where part["tbl_name"] == name && part["name"] != name {
        text += "- \(part["type"] as String) `\(part["name"] as String)`: \(summary(of: part))\n"
      }
    }
    return text
  }

  /// Comments of a statement by column; the table's own comment has an empty name.
  private static func comments(in sql: String, _ columns: [String]) -> [String: String] {
    var comments: [String: String] = [:]
    var pending: [String] = []
    var isFirst = true
    for line in sql.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
      if line.hasPrefix("--") {
        pending.append(line.dropFirst(2).trimmingCharacters(in: .whitespaces))
        continue
      }
      if !pending.isEmpty {
        let column = line.split(separator: " ").first.map(String.init) ?? ""
        comments[isFirst || !columns.contains(column) ? "" : column] =
          pending.joined(separator: " ")
        pending = []
      }
      if !line.hasPrefix("CREATE") { isFirst = false }
    }
    return comments
  }

  /// The columns of an index, or the event of a trigger and its comment.
  private static func summary(of part: Row) -> String {
    let lines = (part["sql"] as String).split(separator: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let sql = lines.filter { !$0.hasPrefix("--") }.joined(separator: " ")
    if part["type"] == "index" {
      let isUnique = sql.hasPrefix("CREATE UNIQUE")
      return (isUnique ? "unique " : "")
        + "`\(sql[(sql.firstIndex(of: "(") ?? sql.startIndex)...])`"
    }
    let event = sql.firstMatch(of: /(AFTER|BEFORE) (\w+)( OF [\w, ]+?)?(?= ON )/)
    let comment = lines.filter { $0.hasPrefix("--") }.map { $0.dropFirst(3) }
    return (event.map { String($0.0) } ?? "") + comment.map { ". \($0)" }.joined(separator: " ")
  }
}
