import Foundation
import GRDB

/// The columns in the records of a table or an index, in their order.
struct TreeLayout {
  struct Column {
    /// Column name; `nil` for an expression.
    var name: String?
    var type: ColumnType
    var isNotNull = false
  }

  enum ColumnType { case integer, real, text, any }

  var name: String
  var table: String
  var columns: [Column]
  /// True for a table whose row key is outside of the record; false for an index or a table WITHOUT
  /// ROWID.
  var isKeyedByRowID: Bool
  var keyColumn: String?
  /// True for an index that not all rows have.
  var isPartial = false
  /// Values that the condition of a partial index implies.
  var implied: [String: Int64] = [:]
  /// Columns that are indexed as `ifnull(column, 0)`.
  var zeroIsNull: Set<String> = []
  var isIndex: Bool

  /// The catalogue of all tables, on page 1.
  static let catalogue = TreeLayout(
    name: "sqlite_schema", table: "sqlite_schema",
    columns: [
      Column(name: "type", type: .text, isNotNull: true), Column(name: "name", type: .text),
      Column(name: "tbl_name", type: .text), Column(name: "rootpage", type: .integer),
      Column(name: "sql", type: .text),
    ], isKeyedByRowID: true, isIndex: false)

  /// Returns true if the types of a record fit this tree. Other records are damaged or belong to
  /// another table.
  func fits(_ record: StoredRecord) -> Bool {
    // Only a table's newest columns may be absent.
    guard record.types.count <= columns.count, !isIndex || record.types.count == columns.count
    else { return false }
    for (column, type) in zip(columns, record.types) {
      if type == 0 {
        // A row key is NULL in its record.
        let isKey = isKeyedByRowID && column.name != nil && column.name == keyColumn
        if column.isNotNull, !isKey { return false }
        continue
      }
      switch column.type {
      case .integer: if type == 7 || type >= 12 { return false }
      case .real: if type >= 12 { return false }
      case .text: if type < 13 || type % 2 == 0 { return false }
      case .any: continue
      }
      if isKeyedByRowID, column.name != nil, column.name == keyColumn { return false }
    }
    return true
  }
}

/// The layouts of a schema, which SQLite derives from statements in an empty database.
struct SchemaLayouts {
  private(set) var trees: [String: TreeLayout] = [:]

  /// - Parameter statements: the statements of a catalogue. Only those that create a table with
  ///   columns or an index are run, one at a time: these cannot run other code.
  init(_ statements: [String]) throws {
    let queue = try DatabaseQueue()
    trees = try queue.writeWithoutTransaction { db in
      for prefix in ["CREATE TABLE", "CREATE"] {
        for sql in statements where sql.hasPrefix(prefix) && Self.isHarmless(sql) {
          // A statement that SQLite rejects makes no layout.
          try? db.makeStatement(sql: sql).execute()
        }
      }
      return try Self.read(db)
    }
    trees["sqlite_schema"] = .catalogue
  }

  private static func isHarmless(_ sql: String) -> Bool {
    sql.utf8.count < 100_000
      && (sql.prefixMatch(of: /CREATE TABLE (?:\w+|"\w+"|'\w+')\s*\(/) != nil
        || sql.prefixMatch(of: /CREATE (?:UNIQUE )?INDEX \w+ ON \w+\s*\(/) != nil)
  }

  private static func read(_ db: Database) throws -> [String: TreeLayout] {
    var result: [String: TreeLayout] = [:]
    let tables = try Row.fetchAll(
      db,
      sql: "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
    for row in tables {
      let table: String = row["name"]
      let isWithoutRowID: Bool = row["wr"]
      let info = try Row.fetchAll(
        db, sql: "SELECT * FROM pragma_table_xinfo(?) WHERE hidden <> 2", arguments: [table])
      let columns = info.map { row in
        TreeLayout.Column(
          name: row["name"] as String, type: columnType(row["type"] as String),
          isNotNull: row["notnull"] as Bool)
      }
      let keys = info.filter { $0["pk"] as Int > 0 }
      let key: String? =
        !isWithoutRowID && keys.count == 1 && (keys[0]["type"] as String).uppercased() == "INTEGER"
        ? keys[0]["name"] : nil
      if !isWithoutRowID {
        result[table] = TreeLayout(
          name: table, table: table, columns: columns, isKeyedByRowID: true, keyColumn: key,
          isIndex: false)
      }
      for index in try Row.fetchAll(
        db, sql: "SELECT name, origin FROM pragma_index_list(?)", arguments: [table])
      {
        let layout = try layout(
          ofIndex: index["name"], of: table, columns: columns, key: key, db)
        if isWithoutRowID, index["origin"] as String == "pk" {
          result[table] = TreeLayout(
            name: table, table: table, columns: layout.columns, isKeyedByRowID: false,
            isIndex: false)
        } else {
          result[layout.name] = layout
        }
      }
    }
    return result
  }

  private static func layout(
    ofIndex name: String, of table: String, columns: [TreeLayout.Column], key: String?,
    _ db: Database
  ) throws -> TreeLayout {
    var layout = TreeLayout(
      name: name, table: table, columns: [], isKeyedByRowID: false, keyColumn: key, isIndex: true)
    let sql =
      try String.fetchOne(
        db, sql: "SELECT sql FROM sqlite_schema WHERE name = ?", arguments: [name]) ?? ""
    var expressions = sql.matches(of: /ifnull\((\w+), 0\)/).map { String($0.1) }
    layout.zeroIsNull = Set(expressions)
    for row in try Row.fetchAll(
      db, sql: "SELECT cid, name FROM pragma_index_xinfo(?) ORDER BY seqno", arguments: [name])
    {
      let number: Int = row["cid"]
      switch number {
      case -1:
        layout.columns.append(
          TreeLayout.Column(name: key ?? "rowid", type: .integer, isNotNull: true))
      case -2:
        let column = expressions.isEmpty ? nil : expressions.removeFirst()
        layout.columns.append(TreeLayout.Column(name: column, type: .any))
      default:
        let name: String = row["name"]
        layout.columns.append(
          columns.first { $0.name == name } ?? TreeLayout.Column(name: name, type: .any))
      }
    }
    if let condition = sql.firstRange(of: " WHERE ") {
      layout.isPartial = true
      for match in sql[condition.upperBound...].matches(of: /(\w+) = (\d+)/) {
        layout.implied[String(match.1)] = Int64(match.2)
      }
    }
    return layout
  }

  private static func columnType(_ declared: String) -> TreeLayout.ColumnType {
    switch declared.uppercased() {
    case "INTEGER": .integer
    case "REAL": .real
    case "TEXT": .text
    default: .any
    }
  }
}
