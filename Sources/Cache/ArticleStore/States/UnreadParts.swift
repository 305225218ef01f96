public import Foundation
package import GRDB

/// A part of a list as shown.
public enum ListPart: Sendable, Hashable {
  case all
  case above(ArticleKey)
  case below(ArticleKey)
  case olderThan(Date)
}

extension ArticleCache {
  public func unread(_ query: ArticleQuery, _ part: ListPart) throws(StoreError) -> UnreadPart {
    try database.read { db in
      try ArticleList(query, db, midnight: database.midnight).unread(part, db)
    }
  }

  /// Counts the articles that marking a part of a list read would change.
  /// - Returns: `nil` if the task was cancelled.
  public func unreadCount(_ query: ArticleQuery, _ part: ListPart) async throws(StoreError) -> Int?
  {
    try await database.core.readCancellably { [database] db in
      try ArticleList(query, db, midnight: database.midnight).unread(part, db).ids.count
    }
  }
}

extension ArticleList {
  /// - Parameter others: articles to mark too.
  package func unread(
    _ part: ListPart, with others: [ListKey] = [], _ db: Database
  ) throws -> UnreadPart {
    var list = self
    list.unread = true
    list.keeping = []
    let shown =
      switch part {
      case .all: try list.allKeys(db)
      case .above(let key): try list.keys(beside: ListKey(key), isAbove: true, db)
      case .below(let key): try list.keys(beside: ListKey(key), isAbove: false, db)
      case .olderThan(let date): try list.allKeys(db).filter { $0.sortDate < date.milliseconds }
      }
    let all = (shown + others).map(\.id)
    let free = try KeptUnread.removing(from: all, db)
    let ids = try SparedArticles.removing(from: free, in: scope, db)
    return UnreadPart(
      ids: ids.map(ArticleID.init(rawValue:)), kept: all.count - free.count,
      spared: free.count - ids.count)
  }

  /// Returns the keys above or below a row, without the row.
  fileprivate func keys(beside key: ListKey, isAbove: Bool, _ db: Database) throws -> [ListKey] {
    let end: ListKey?
    if let hits {
      end = isAbove ? hits.content.keys.first : hits.content.keys.last
    } else {
      let value: Int64 = isAbove == newestFirst ? .max : .min
      end = ListKey(sortDate: value, id: value)
    }
    guard let end else { return [] }
    return try keys(db, from: key, through: end).filter { $0 != key }
  }
}
