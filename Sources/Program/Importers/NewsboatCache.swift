import FeedStore
import Foundation
import GRDB

/// Reads newsboat's `cache.db` (2.x) without changing it: feeds and items as stored, uncleaned.
final class NewsboatCache: Sendable {
  /// A row of `rss_feed`.
  struct Feed: Sendable, Equatable {
    /// The column `rssurl`: an address, or newsboat's `exec:`, `filter:` or `query:`.
    var url: String
    /// The column `title`; may be empty.
    var title: String
    /// The column `url`; may be empty.
    var homePageURL: String
  }

  /// A row of `rss_item`, which must be cleaned before it is shown.
  struct Item: Sendable, Equatable {
    /// The row's id, after which the next page starts.
    var key: Int64
    /// The column `guid`, unique within the feed for newsboat.
    var guid: String
    /// The column `title`; may contain markup.
    var title: String
    /// The column `author`; may be empty.
    var author: String
    /// The column `url`; may be empty.
    var url: String
    /// The column `pubDate`; `nil` for 0.
    var publishedAt: Date?
    /// The column `content`: HTML or plain text, see `contentType`.
    var content: String
    /// The media type of the content; empty if newsboat did not store it, which means HTML.
    var contentType: String
    /// The base of relative addresses in the content; may be empty.
    var base: String
    /// The column `enclosure_url`; empty if there is none.
    var enclosureURL: String
    /// The column `enclosure_type`, a media type; may be empty.
    var enclosureType: String
    /// True if the column `unread` is 0.
    var isRead: Bool
    /// The letters that the user gave the item.
    var flags: String
    var isDeleted: Bool
  }

  private let queue: DatabaseQueue
  private let columns: Set<String>
  private let path: String

  /// - Throws: `.cannotOpen`; `.notACache` for another kind of file.
  init(path: String) throws(StoreError) {
    try StoreFiles.requireRegularFile(path)
    self.path = path
    do {
      queue = try DatabaseQueue(path: path, configuration: DatabaseCopy.reading)
      columns = try queue.read { db in
        // A view could be without end.
        let sql = """
          SELECT name FROM pragma_table_info('rss_item') WHERE 2 =
            (SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('rss_feed', 'rss_item'))
          """
        return Set(try String.fetchAll(db, sql: sql))
      }
    } catch {
      throw StoreError(error, path: path)
    }
    guard
      columns.isSuperset(of: ["guid", "title", "url", "feedurl", "pubDate", "content", "unread"])
    else { throw .notACache(path: path) }
  }

  deinit { try? queue.close() }

  /// Returns all feeds in the order of their rows.
  func feeds() throws(StoreError) -> [Feed] {
    try read { db in
      try db.all("SELECT rssurl, title, url FROM rss_feed ORDER BY rowid") {
        Feed(url: $0["rssurl"], title: $0["title"], homePageURL: $0["url"])
      }
    }
  }

  /// Returns a page of a feed's items, oldest first.
  func items(of feed: String, after key: Int64?, limit: Int) throws(StoreError) -> [Item] {
    func column(_ name: String) -> String {
      (columns.contains(name) ? "ifnull(\(name), '')" : "''") + " AS \(name)"
    }
    let sql = """
      SELECT id, guid, title, \(column("author")), url, pubDate, content,
        \(column("content_mime_type")), \(column("base")), \(column("enclosure_url")),
        \(column("enclosure_type")), unread, \(column("flags")), \(column("deleted"))
      FROM rss_item WHERE feedurl = ? AND id > ? ORDER BY id LIMIT ?
      """
    return try read { db in
      try db.all(sql, [feed, key ?? .min, limit]) { row in
        let seconds: Int64 = row["pubDate"]
        return Item(
          key: row["id"], guid: row["guid"], title: row["title"], author: row["author"],
          url: row["url"],
          publishedAt: seconds > 0 ? Date(timeIntervalSince1970: Double(seconds)) : nil,
          content: row["content"], contentType: row["content_mime_type"], base: row["base"],
          enclosureURL: row["enclosure_url"], enclosureType: row["enclosure_type"],
          isRead: row["unread"] as Int64 == 0, flags: row["flags"],
          isDeleted: row["deleted"] as Int64 != 0)
      }
    }
  }

  private func read<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
    do {
      return try queue.read(body)
    } catch {
      throw StoreError(error, path: path)
    }
  }
}
