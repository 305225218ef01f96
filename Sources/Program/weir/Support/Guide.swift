import FeedParsing
import FeedStore
import Foundation

/// The bundled feed "Start here", which is readable without a network.
enum Guide {
  /// The guide's identifier, which is no address on the network.
  static let url = "weir:guide"
  private static let folder = "Start here"

  /// Subscribes to the guide at the first start, and updates its articles. A guide that was removed
  /// is not added again.
  static func prepare(_ store: FeedStore) async throws {
    if let feed = try store.reader.feeds.feed(url: url) {
      return try await refresh(feed.id, in: store)
    }
    let isFirstStart =
      try store.reader.articles.latestArticleID().rawValue == 0
      && store.reader.feeds.subscriptions().feeds.isEmpty
    guard isFirstStart else { return }
    let place = try await store.reader.folders.folder(path: [folder])
    let id = try await store.reader.feeds.subscribe(url: url, title: nil, folder: place)
    try await refresh(id, in: store)
  }

  private static func refresh(_ feed: FeedID, in store: FeedStore) async throws {
    let bytes = PackageResources.guide_xml
    let version = bytes.withUnsafeBytes { String(XXH64.hash($0, seed: 0), radix: 16) }
    guard try store.engine.fetches.fetchRecord(feed)?.bodyHash != version else { return }
    let parsed = try FeedParser.parse(bytes, contentType: "application/atom+xml")
    _ = try await store.engine.fetches.merge([
      RefreshResult(feed: feed, at: Date(), outcome: .parsed(parsed, bodyHash: version))
    ])
  }
}

/// A dozen feeds for a first start.
enum StarterSet {
  static func entries() throws(ParseError) -> [OutlineEntry] {
    try OPML.parse(PackageResources.starter_opml).entries
  }
}
