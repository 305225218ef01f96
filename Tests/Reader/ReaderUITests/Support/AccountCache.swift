extension TestCache {
  /// Returns a cache with a synced account that has two feeds, one in a folder, and their articles.
  /// - Parameter busy: Adds waiting, failed and refused changes, and a second account that fails.
  static func accounts(busy: Bool) async throws -> TestCache {
    let cache = try await TestCache.daily()
    let store = cache.store
    let id = try await store.accounts.addAccount(
      kind: .googleReader, url: "https://rss.example.org/api/greader.php", user: "alice",
      title: "FreshRSS")
    let now = cache.clock.now
    try await store.accountSync.applySubscriptions(
      [
        RemoteFeed(
          id: "feed/1", title: "Planet Debian 🍥", url: "https://planet.example/rss",
          folders: ["Linux"]),
        RemoteFeed(id: "feed/2", title: "水坝周刊", url: "https://dam.example/feed"),
      ], of: id, began: now)
    let titles = [
      ("1", "feed/1", "Reproducible builds in November"),
      ("2", "feed/1", "A mirror 🪞 for everyone"),
      ("3", "feed/2", "水位：本周的七个观察"), ("4", "feed/2", "Sluices, and who opens them"),
    ]
    _ = try await store.accountSync.storeArticles(
      titles.enumerated().map { index, title in
        RemoteArticle(
          item: .item(title.2, minutes: Double(index * 40 + 20)).named(title.0), feed: title.1,
          isRead: false, isStarred: false)
      }, of: id)
    try await store.accountSync.endAccountSync(
      id, AccountOutcome(began: now, hasPulled: true, failure: nil, nextSyncAt: now + 900))
    guard busy else { return cache }

    let ids = try store.reader.articles.page(cache.articlesOfFirstAccount(), .top, limit: 9).map(
      \.id)
    try await store.reader.states.set(.starred, [ids[0]], true)
    try await store.reader.states.set(.read, [ids[1]], true)
    try await store.reader.states.set(.read, [ids[2]], true)
    try await store.reader.states.set(.starred, [ids[3]], true)
    let rows = try store.reader.accounts.outbox(of: id, limit: 9)
    try await store.accountSync.setAside(rows[3].id, detail: "400 unknown item", by: nil)
    _ = try await store.accountSync.noteSending([rows[2].id])
    try await store.accountSync.failOutbox(
      [rows[2].id], of: id, detail: "rss.example.org answered 503", until: now + 300)
    let other = try await store.accounts.addAccount(
      kind: .fever, url: "https://feeds.example.net/fever", user: "me", title: "Miniflux")
    try await store.accountSync.endAccountSync(
      other,
      AccountOutcome(
        began: now, hasPulled: false,
        failure: AccountFailure(kind: .wrongCredentials, status: 401, since: now), nextSyncAt: nil))
    return cache
  }

  func articlesOfFirstAccount() throws -> ArticleQuery {
    ArticleQuery(scope: try store.reader.accounts.all().first?.folder.map { .folder($0) } ?? .all)
  }
}

extension ParsedItem {
  fileprivate func named(_ id: String) -> ParsedItem {
    var item = self
    item.id = id
    return item
  }
}
