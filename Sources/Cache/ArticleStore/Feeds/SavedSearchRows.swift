import CacheCore
package import FeedModel
package import GRDB

package enum SavedSearchRows {
  package static func all(_ db: Database) throws -> [SavedSearch] {
    try db.all(
      "SELECT id, name, query, position FROM savedSearch ORDER BY position, id", [], decode)
  }

  package static func find(_ id: Int64, _ db: Database) throws -> SavedSearch {
    let found = try db.first(
      "SELECT id, name, query, position FROM savedSearch WHERE id = ?", [id], decode)
    guard let found else { throw StoreError.notFound }
    return found
  }

  private static func decode(_ row: Row) -> SavedSearch {
    SavedSearch(
      id: row.id("id"), name: row["name"], query: row["query"],
      position: row["position"])
  }
}
