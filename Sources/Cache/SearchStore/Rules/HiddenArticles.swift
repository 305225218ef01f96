public import ArticleStore
public import CacheCore
import FeedModel
import GRDB

extension ArticleCache {
  /// Returns the articles that rules have hidden: alone, or among those of a list.
  ///
  /// The index of a list does not contain hidden articles, so both are read and then sorted: at
  /// most `mostSorted` hidden ones, and as many of the list.
  /// - Parameter isAlone: `false` includes the articles of the list.
  public func hiddenByRules(
    in query: ArticleQuery, isAlone: Bool
  ) throws(StoreError) -> SearchHits {
    let midnight = database.midnight
    return try database.read { db in
      var plain = query
      plain.hits = nil
      plain.showsHiddenByRules = false
      let list = try ArticleList(plain, db, midnight: midnight)
      var sql = Conditions(index: nil, needle: nil)
      list.add(to: &sql, isHidden: "s.isHidden = \(HiddenReason.rule)")
      let hidden = try db.all(
        """
        SELECT s.sortDate, s.articleID FROM articleStatus s INDEXED BY list_ruled
        WHERE s.isHidden & \(HiddenReason.rule) <> 0 AND \(sql.conditions)
        ORDER BY s.sortDate DESC LIMIT ?
        """, sql.arguments + [ArticleCache.mostSorted], ListKey.init)
      var keys = hidden
      var isCut = false
      if !isAlone {
        let shown = try list.keys(
          db, from: nil, descending: true, limit: ArticleCache.mostSorted + 1)
        isCut = shown.count > ArticleCache.mostSorted
        keys += shown.prefix(ArticleCache.mostSorted)
      }
      keys.sort { $0 > $1 }
      return SearchHits(
        keys: keys, continuesBefore: isCut ? keys.last?.id : nil, isWholeList: !isAlone)
    }
  }
}
