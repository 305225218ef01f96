@testable import WorkStore

@Suite("Saved pages") final class SavedPageTests: CacheSuite {
  private let address = "https://pages.example/heron"
  private let name = "Saved pages"

  @Test("A saved page is an article for later whose fetched title replaces the address")
  func save() async throws {
    let pages = try await cache.plan.save([address, "mailto:a@example.org"], in: name)
    let page = try #require(pages.first)
    #expect(pages == [SavedPage(article: page.article, title: address, isNew: true)])
    let feeds = try cache.feeds.subscriptions().feeds
    #expect(feeds.map(\.url) == ["weir:saved"] && feeds[0].name == "Saved pages")
    #expect(feeds[0].state.nextCheckAt == nil)
    #expect(try cache.feeds.outline() == [])
    let row = try #require(try cache.articles.articleRow(page.article))
    #expect(row.title == address && row.url == address && row.status.isLater)
    let tasks = try cache.store.engine.fullTexts.pending()
    #expect(tasks.map(\.url) == [address] && tasks[0].isWanted)
    try await cache.store.engine.fullTexts.finishFullText(
      page.article, .found(MainContent(title: "The heron", html: "<p>It stood.</p>")))
    #expect(try cache.articles.articleRow(page.article)?.title == "The heron")
  }

  @Test("A page that an article leads to is not added: the article is kept for later")
  func known() async throws {
    let item = ParsedItem(id: "1", url: address + "?utm_source=feed", title: "Heron")
    let ids = try await cache.merge(try await cache.feed("a"), [item]).added
    #expect(
      try await cache.plan.save([address], in: name) == [
        SavedPage(article: ids[0], title: "Heron", isNew: false)
      ])
    #expect(try cache.all(ArticleQuery(scope: .smart(.later))).map(\.id) == ids)
    #expect(try cache.feeds.subscriptions().feeds.count == 1)
  }

  @Test("Saving a page twice adds it once, also a site’s front page") func twice() async throws {
    let plan = cache.store.reader.plan
    for url in [address, "https://pages.example/"] {
      let first = try await plan.save([url], in: name)
      let second = try await plan.save([url], in: name)
      #expect(first.map(\.article) == second.map(\.article))
      #expect(first[0].isNew && !second[0].isNew)
    }
    #expect(try cache.counts().total == 2)
  }

  @Test("Undo deletes a saved page, redo brings it back, and a deleted page can be saved again")
  func undo() async throws {
    let page = try await cache.plan.save([address], in: name)
    _ = try await cache.journal.undo()
    #expect(try cache.all(ArticleQuery(scope: .all)) == [])
    _ = try await cache.journal.redo()
    #expect(try cache.all(ArticleQuery(scope: .smart(.later))).map(\.id) == page.map(\.article))
    try await cache.states.delete(page.map(\.article))
    #expect(try await cache.plan.save([address], in: name)[0].isNew)
    #expect(try cache.all(ArticleQuery(scope: .smart(.later))).map(\.id) == page.map(\.article))
    try await cache.states.delete(page.map(\.article))
    // Maintenance then removes the article, but not its tombstone.
    cache.clock.now += 40 * 86_400
    try await cache.store.maintenance.tidy()
    #expect(try cache.articles.articleRow(page[0].article) == nil)
    #expect(try await cache.plan.save([address], in: name)[0].isNew)
    #expect(try cache.all(ArticleQuery(scope: .smart(.later))).count == 1)
  }

  @Test("No retention removes saved pages, and unsubscribing keeps those for later")
  func keeping() async throws {
    let clock = cache.clock
    let store = try FeedStore.open(
      directory: cache.directory,
      options: StoreOptions(
        retention: Retention(articles: 1, days: 1, unreadDays: 1), now: { clock.now }))
    defer { store.close() }
    let reader = store.reader
    let pages = try await reader.plan.save((1...3).map { "https://pages.example/\($0)" }, in: name)
    let ids = pages.map(\.article)
    try await reader.states.set(.later, [ids[0]], false)
    try await reader.states.set(.read, ids, true)
    clock.now += 100 * 86_400
    try await store.maintenance.tidy()
    #expect(try cache.counts().total == 3)
    try await reader.feeds.unsubscribe([try #require(cache.feed(of: ids[0]))])
    #expect(Set(try cache.all(ArticleQuery(scope: .all)).map(\.id)) == Set(ids.dropFirst()))
    // The next saved page restores the feed with all of its articles, while undo can.
    _ = try await reader.plan.save(["https://pages.example/4"], in: name)
    #expect(try cache.counts().total == 4)
  }

  @Test("Only a page that the user named may be in a private network")
  func referrers() async throws {
    let plan = cache.store.reader.plan
    _ = try await plan.save([address], in: name)
    _ = try await plan.save([address + "/link"], in: name, isLink: true)
    let tasks = try cache.store.engine.fullTexts.pending()
    #expect(tasks.map(\.referrers.feed) == [address, "weir:saved"])
  }

  @Test("User name and password of an address are not stored") func secrets() async throws {
    let page = try await cache.store.reader.plan.save(["https://ann:pw@pages.example/1"], in: name)
    #expect(page.map(\.title) == ["https://pages.example/1"])
  }
}

extension TestCache {
  fileprivate func feed(of article: ArticleID) throws -> FeedID? {
    try store.reader.articles.articleRow(article)?.feed
  }
}
