package import Foundation
package import GRDB

/// Rows of one table that changed in the same way: their images before and after.
///
/// Undo writes the images before, redo those after. Columns are stored by name, so that entries
/// survive changes of the schema; values are texts, which SQLite converts to the column's type.
package struct RowImages: Codable, Equatable {
  package typealias Values = [String: String?]

  package var table: String
  /// Values before the change; `nil` if the row did not exist.
  package var before: Values?
  /// Values after the change; `nil` if the row was removed.
  package var after: Values?
  private var packedKeys: Data

  /// Keys of the rows; in tables about articles, those of the articles.
  package var keys: [Int64] { IDList.ids(packedKeys) }

  package init(_ table: String, _ keys: some Sequence<Int64>, before: Values?, after: Values?) {
    (self.table, self.before, self.after) = (table, before, after)
    packedKeys = IDList.data(Array(keys))
  }

  /// Creates the image of a column of `articleStatus`. For the bits of `isHidden`, which other
  /// actions change too, undo applies only the difference.
  package init(
    _ column: String, of articles: some Sequence<Int64>, _ before: Int64?, _ after: Int64?
  ) {
    self.init(
      "articleStatus", articles, before: [column: before.map(String.init)],
      after: [column: after.map(String.init)])
  }

  package static func marks(_ state: Mark, _ value: Bool, _ articles: [Int64]) -> RowImages {
    RowImages(state.rawValue, of: articles, value ? 0 : 1, value ? 1 : 0)
  }

  package static func removal(of feeds: [Int64], at now: Date) -> RowImages {
    RowImages(
      "feed", feeds, before: ["removedAt": nil], after: ["removedAt": String(now.milliseconds)])
  }

  package static func tag(_ tag: String, _ isSet: Bool, _ articles: [Int64]) -> RowImages {
    RowImages(
      "articleTag", articles, before: isSet ? nil : ["tag": tag], after: isSet ? ["tag": tag] : nil)
  }

  /// Returns the changes of `body` to tables, which are read before and after.
  /// - Parameter keys: the only rows that are read; `nil` for all.
  package static func recorded(
    _ tables: [String], of keys: [Int64]? = nil, _ db: Database, _ body: () throws -> Void
  ) throws -> [RowImages] {
    let columns = try tables.map { try names(of: $0, db) }
    let before = try zip(tables, columns).map { try rows($0, $1, of: keys, db) }
    try body()
    return try tables.indices.flatMap { index in
      let (old, names) = (before[index], columns[index])
      let new = try rows(tables[index], names, of: keys, db)
      let changed = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
      return Dictionary(grouping: changed.sorted()) { [old[$0], new[$0]] }
        .sorted { $0.value[0] < $1.value[0] }
        .map { pair, keys in
          image(tables[index], keys, values(names, pair[0]), values(names, pair[1]))
        }
    }
  }

  package static func inserted(_ id: Int64, in table: String, _ db: Database) throws -> [RowImages]
  {
    let names = try names(of: table, db)
    return try rows(table, names, of: [id], db).map { image(table, [id], nil, values(names, $1)) }
  }

  private static func names(of table: String, _ db: Database) throws -> [String] {
    try db.columns(in: table).map(\.name).filter { $0 != "id" && $0 != "articleID" }
  }

  /// Returns the column by which the rows of a table are recorded and written.
  static func key(of table: String, _ db: Database) throws -> String {
    try db.columns(in: table).contains { $0.name == "id" } ? "id" : "articleID"
  }

  private static func values(_ names: [String], _ row: [String?]?) -> Values? {
    row.map { Values(first: zip(names, $0)) }
  }

  private static func rows(
    _ table: String, _ columns: [String], of keys: [Int64]?, _ db: Database
  ) throws -> [Int64: [String?]] {
    let key = try key(of: table, db)
    let texts = columns.map { "CAST(\($0) AS TEXT) AS \($0)" }.joined(separator: ", ")
    let condition = keys == nil ? "" : " WHERE \(key) IN (SELECT value FROM json_each(?))"
    return try db.dictionary(
      "SELECT \(key), \(texts) FROM \(table)" + condition, keys.map { [SQLText.json($0)] } ?? []
    ) { row in (row[key] as Int64, columns.map { row[$0] as String? }) }
  }

  private static func image(
    _ table: String, _ keys: [Int64], _ old: Values?, _ new: Values?
  ) -> RowImages {
    guard let new, var old = old else {
      // Undoing a new feed only marks it as removed, so that redo restores it with its articles.
      if table == "feed", let new {
        return RowImages(
          table, keys, before: ["removedAt": new["addedAt"] ?? nil, "folderID": nil],
          after: ["removedAt": nil, "folderID": new["folderID"] ?? nil])
      }
      return RowImages(table, keys, before: old, after: new)
    }
    // Keeps a folder's parent and title even if unchanged: titles are unique within a parent.
    let identity = table == "folder" ? ["parentID", "title"] : []
    old = old.filter { identity.contains($0.key) || new[$0.key] != $0.value }
    return RowImages(table, keys, before: old, after: new.filter { old.keys.contains($0.key) })
  }
}
