import FeedModel
import FeedStore
import Foundation
import Wording

/// Telling another program of articles that came while nobody looked: at the end of a sync, and not
/// more often than the configuration says. What was not told waits for the next end of a sync.
struct ArrivalNotice {
  /// What was told of, or was there at the beginning.
  private var known: ArticleID?
  private var toldAt: Date?
  /// Whether the window has the focus; nil where the terminal does not say.
  private var hasFocus: Bool?
  /// The newest are named.
  private static let most = 20

  mutating func focusChanged(_ hasFocus: Bool) { self.hasFocus = hasFocus }

  /// What there was before counts as told.
  mutating func begin(_ store: ReaderCache) { known = try? store.latestArticleID() }

  /// Nil where there is nothing to tell, or it is not the time.
  mutating func task(_ store: ReaderCache, pause: Double, at now: Date) -> ProgramTask? {
    guard hasFocus != true, let known else { return nil }
    if let toldAt, now.timeIntervalSince(toldAt) < pause { return nil }
    let query = ArticleQuery(scope: .all, filter: .unread, asOf: known)
    guard let latest = try? store.latestArticleID(), latest > known,
      let count = try? store.arrivals(query), count > 0
    else { return nil }
    self.known = latest
    toldAt = now
    let rows = (try? store.articles(ArticleQuery(scope: .all, filter: .unread), .top, limit: 200))
    let new = (rows ?? []).filter { $0.id > known }.prefix(Self.most)
    var feeds: [String] = []
    for row in new where !feeds.contains(row.feedName) { feeds.append(row.feedName) }
    let amount = AmountWording.count(count, "new article", "new articles")
    return ProgramTask(
      .notification,
      environment: [
        "WEIR_NEW": String(count), "WEIR_FEEDS": feeds.joined(separator: ", "),
        "WEIR_SUMMARY": feeds.isEmpty ? amount : "\(amount): \(feeds.joined(separator: ", "))",
        "WEIR_TITLE": new.first?.title ?? "", "WEIR_URL": new.first?.url ?? "",
      ],
      input: new.map { "\($0.feedName): \($0.title)\n" }.joined())
  }
}
