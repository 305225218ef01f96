import FeedParsing
package import FeedStore
import HTMLContent

/// Reads the feeds and articles of newsboat's cache. Articles are cleaned like those of feeds.
package struct NewsboatArticles {
  /// A feed with its addresses in newsboat and in Weir.
  package struct Feed {
    /// The address in Weir; `nil` if the feed cannot be imported.
    package var url: String?
    package var foreignURL: String
    package var title: String
    package var homePageURL: String?
  }

  private static let pageSize = 200
  private let cache: NewsboatCache
  /// True to accept feeds from programs and files.
  private let mayBeOwn: Bool

  package init(path: String, mayBeOwn: Bool) throws(StoreError) {
    cache = try NewsboatCache(path: path)
    self.mayBeOwn = mayBeOwn
  }

  package func feeds() throws(StoreError) -> [Feed] {
    try cache.feeds().map { feed in
      let isOwn = mayBeOwn && LocalSource(feed.url) != nil
      return Feed(
        url: Self.address(feed.url) ?? (isOwn ? feed.url : nil), foreignURL: feed.url,
        title: HTMLContent.plainText(feed.title), homePageURL: Self.address(feed.homePageURL))
    }
  }

  /// Returns a page of articles, oldest first, and the key of the last one; `nil` at the end.
  package func articles(
    of feed: Feed, after key: Int64?
  ) throws(StoreError) -> (page: [ImportedArticle], last: Int64)? {
    let items = try cache.items(of: feed.foreignURL, after: key, limit: Self.pageSize)
    guard let last = items.last else { return nil }
    return (items.map { Self.article($0, feedURL: feed.foreignURL) }, last.key)
  }

  /// Converts an item. Any of newsboat's flags becomes a star.
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

  /// Returns the item's own id; an id that newsboat made of address and date becomes the address.
  private static func identity(_ item: NewsboatCache.Item, url: String?) -> String {
    guard let url else { return item.guid.isEmpty ? item.title : item.guid }
    let isMade = item.guid.isEmpty || (item.guid.hasPrefix(url) && item.guid.contains(" "))
    return isMade ? url : item.guid
  }

  private static func address(_ text: String) -> String? {
    ItemCleaner.address(text).flatMap { WebAddress($0).isHTTP ? $0 : nil }
  }
}
