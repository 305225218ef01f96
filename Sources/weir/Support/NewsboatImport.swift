import FeedModel
import FeedParsing
import FeedStore
import Foundation
import HTMLContent
import ReaderUI
import Wording

/// Imports newsboat's cache; articles are cleaned like those of feeds.
struct NewsboatImport {
  private static let pageSize = 200

  let cache: NewsboatCache
  private let path: String
  let store: FeedStore
  /// Accepts feeds from programs and files.
  let mayBeOwn: Bool

  init(path: String, store: FeedStore, mayBeOwn: Bool) throws {
    self.store = store
    self.path = path
    self.mayBeOwn = mayBeOwn
    cache = try Self.reading(path) { () throws(StoreError) in try NewsboatCache(path: path) }
  }

  /// Words errors of newsboat's file.
  private static func reading<Value>(
    _ path: String, _ body: () throws(StoreError) -> Value
  ) throws(CommandFailure) -> Value {
    do {
      return try body()
    } catch {
      switch error {
      case .notACache:
        throw CommandFailure(
          "\(path) isn\u{2019}t newsboat\u{2019}s cache. It is usually ~/.newsboat/cache.db or "
            + "~/.local/share/newsboat/cache.db.")
      case .corrupt(let detail):
        throw CommandFailure(
          "newsboat\u{2019}s cache \(path) is damaged (\(StoreWording.words(detail))).")
      default: throw CommandFailure(error)
      }
    }
  }

  /// Subscribes to missing feeds, imports the articles, and reports.
  func run() async throws {
    let feeds = try Self.reading(path) { () throws(StoreError) in try cache.feeds() }
    var fetchable: [(feed: NewsboatCache.Feed, url: String)] = []
    for feed in feeds {
      if let url = address(of: feed) {
        fetchable.append((feed, url))
      } else {
        let isOwn = LocalSource(feed.url) != nil
        let reason =
          isOwn ? "needs --with-programs" : "only http and https addresses can be imported"
        Console.note("Skipped: \(SafeText.withoutSecrets(feed.url)): \(reason).")
      }
    }
    let result = try await store.reader.subscribe(
      fetchable.map { feed, url in
        OutlineEntry(url: url, homePageURL: Self.address(feed.homePageURL))
      }, mayBeOwn: mayBeOwn)
    var total = ImportOutcome()
    for (feed, url) in fetchable {
      guard let subscription = try store.reader.feed(url: url) else { continue }
      try await store.maintenance.importTitle(subscription.id, HTMLContent.plainText(feed.title))
      let outcome = try await importItems(of: feed.url, into: subscription.id)
      total.added += outcome.added
      total.marked += outcome.marked
    }
    var parts = [
      "Imported \(AmountWording.count(total.added, "article", "articles")) from newsboat"
    ]
    if total.marked > 0 {
      parts.append(
        "updated the marks of \(AmountWording.count(total.marked, "article", "articles"))")
    }
    if !result.added.isEmpty {
      parts.append("added \(AmountWording.count(result.added.count, "feed", "feeds"))")
    }
    try Console.print(parts.joined(separator: "; "))
  }

  private func address(of feed: NewsboatCache.Feed) -> String? {
    Self.address(feed.url) ?? (mayBeOwn && LocalSource(feed.url) != nil ? feed.url : nil)
  }

  private func importItems(of url: String, into feed: FeedID) async throws -> ImportOutcome {
    var total = ImportOutcome()
    var last: Int64?
    while true {
      let items = try Self.reading(path) { () throws(StoreError) in
        try cache.items(of: url, after: last, limit: Self.pageSize)
      }
      guard let end = items.last else { return total }
      let outcome = try await store.maintenance.importArticles(
        feed, items.map { Self.article($0, feedURL: url) })
      total.added += outcome.added
      total.marked += outcome.marked
      last = end.key
    }
  }

  /// Any of newsboat's flags becomes a star.
  private static func article(_ item: NewsboatCache.Item, feedURL: String) -> ImportedArticle {
    ImportedArticle(
      item: parsed(item, feedURL: feedURL), isRead: item.isRead, isStarred: !item.flags.isEmpty,
      isDeleted: item.isDeleted)
  }

  private static func parsed(_ item: NewsboatCache.Item, feedURL: String) -> ParsedItem {
    let url = address(item.url)
    let isPlain = item.contentType == "text/plain"
    let base = item.base.isEmpty ? url ?? feedURL : item.base
    let content = HTMLContent.sanitise(item.content, baseURL: base)
    let author = HTMLContent.plainText(item.author)
    return ParsedItem(
      id: identity(item, url: url), url: url, title: HTMLContent.plainText(item.title),
      contentHTML: isPlain ? nil : content,
      contentText: isPlain ? HTMLContent.plainText(content) : nil, datePublished: item.publishedAt,
      authors: author.isEmpty ? [] : [Author(name: author)],
      enclosures: address(item.enclosureURL).map {
        [Enclosure(url: $0, mimeType: HTMLContent.cleanText(item.enclosureType))]
      } ?? [])
  }

  /// The item's own id; an id that newsboat made of address and date becomes the address.
  private static func identity(_ item: NewsboatCache.Item, url: String?) -> String {
    guard let url else { return item.guid.isEmpty ? item.title : item.guid }
    let isMade = item.guid.isEmpty || (item.guid.hasPrefix(url) && item.guid.contains(" "))
    return isMade ? url : item.guid
  }

  private static func address(_ text: String) -> String? {
    ItemCleaner.address(text).flatMap { WebAddress($0).isHTTP ? $0 : nil }
  }
}
