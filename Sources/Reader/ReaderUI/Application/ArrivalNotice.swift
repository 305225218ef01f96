import Foundation

/// Notifies another program of articles that arrive while the terminal has no focus: at the end of
/// a sync, at most as often as the configuration allows.
public struct ArrivalNotice {
  private var known: ArticleID?
  private var toldAt: Date?
  /// True if the terminal has the focus; `nil` if it does not report its focus.
  private var hasFocus: Bool?
  /// The number of newest articles that are named.
  private static let most = 20

  mutating func focusChanged(_ hasFocus: Bool) { self.hasFocus = hasFocus }

  /// Counts existing articles as notified.
  mutating func begin(_ store: ReaderCache) throws(StoreError) {
    known = try store.articles.latestArticleID()
  }

  /// Returns a notification; `nil` if there is nothing to notify, or it is too early.
  mutating func task(
    _ store: ReaderCache, pause: Double, at now: Date
  ) throws(StoreError) -> ProgramTask? {
    guard hasFocus != true, let known else { return nil }
    if let toldAt, now.timeIntervalSince(toldAt) < pause { return nil }
    var query = ArticleQuery(scope: .exceptQuiet, filter: .unread, asOf: known)
    let latest = try store.articles.latestArticleID()
    guard latest > known else { return nil }
    let count = try store.articles.arrivals(query)
    guard count > 0 else { return nil }
    self.known = latest
    toldAt = now
    query.asOf = nil
    let new = try store.articles.page(query, .top, limit: 200).filter { $0.id > known }.prefix(
      Self.most)
    return ProgramTask(
      program: .notification, environment: Self.environment(count: count, Array(new)),
      input: Self.input(Array(new)))
  }

  /// Returns the environment of the notification program for `count` new articles, of which `rows`
  /// are named.
  public nonisolated static func environment(count: Int, _ rows: [ArticleRow]) -> [String: String] {
    var feeds: [String] = []
    for row in rows where !feeds.contains(row.feedName) { feeds.append(row.feedName) }
    let amount = AmountWording.count(count, "new article", "new articles")
    return [
      "WEIR_NEW": String(count), "WEIR_FEEDS": feeds.joined(separator: ", "),
      "WEIR_SUMMARY": feeds.isEmpty ? amount : "\(amount): \(feeds.joined(separator: ", "))",
      "WEIR_TITLE": rows.first?.title ?? "",
      "WEIR_URL": rows.first?.url.map { WebAddress($0).encoded } ?? "",
    ]
  }

  /// Returns the standard input of the notification program, with a line for each article.
  public nonisolated static func input(_ rows: [ArticleRow]) -> String {
    rows.map { "\($0.feedName): \($0.title)\n" }.joined()
  }
}
