@testable import ArticleStore

@Suite("Articles that outlive their subscription") struct ArchivedArticleTests {
  /// A feed of six articles: starred, tagged, with a note, with a file, starred and deleted, and
  /// one without a reason to stay.
  private struct Library {
    let cache: TestCache
    let feed: FeedID
    let ids: [ArticleID]

    init() async throws {
      cache = try TestCache()
      feed = try await cache.feed("a", folder: ["F"])
      var items = (0..<6).map { ParsedItem.dated($0, hours: Double($0)) }
      items[3].enclosures = [Enclosure(url: "https://a.example/3.mp3", mimeType: "audio/mpeg")]
      try await cache.merge(feed, items)
      let rows = try cache.all(ArticleQuery(scope: .feed(feed)))
      ids = rows.sorted { $0.title < $1.title }.map(\.id)
      try await cache.states.set(.starred, [ids[0], ids[4]], true)
      try await cache.states.changeTags(of: [ids[1]], adding: ["cite"], removing: [])
      try await cache.states.setNote("<p>short</p>", by: "summary", of: ids[2])
      try await cache.downloads.requestDownloads(of: ids[3])
      try await cache.states.delete([ids[4]])
    }

    func listed(_ scope: ArticleQuery.Scope) throws -> Set<ArticleID> {
      let query = ArticleQuery(scope: scope)
      #expect(try cache.store.reader.articles.count(query) == cache.all(query).count)
      return Set(try cache.all(query).map(\.id))
    }
  }

  @Test("Starred, tagged, annotated and downloaded articles stay in Kept; undo empties it")
  func unsubscribing() async throws {
    let library = try await Library()
    let (cache, reader) = (library.cache, library.cache.store.reader)
    let kept = Set(library.ids[0...3])
    #expect(
      try reader.states.archived(of: [library.feed])
        == [.starred: 1, .later: 0, .tagged: 1, .noted: 1, .downloaded: 1])
    #expect(try reader.feeds.subscriptions().smartCounts[.archived] == nil)
    let before = try cache.all(ArticleQuery(scope: .all))

    try await reader.feeds.unsubscribe([library.feed])
    #expect(try library.listed(.all) == kept)
    #expect(try library.listed(.smart(.archived)) == kept)
    #expect(try library.listed(.tag("cite")) == [library.ids[1]])
    #expect(try library.listed(.smart(.starred)) == [library.ids[0]])
    #expect(try reader.feeds.subscriptions().smartCounts[.archived] == 4)
    #expect(try reader.downloads.allDownloads().map(\.title) == ["Article 3"])
    #expect(try cache.store.engine.downloads.pending().count == 1)

    _ = try await reader.journal.undo()
    #expect(try cache.all(ArticleQuery(scope: .all)) == before)
    #expect(try library.listed(.smart(.archived)) == [])
    _ = try await reader.journal.redo()
    #expect(try library.listed(.smart(.archived)) == kept)
    // A new subscription returns the other articles too.
    try await reader.feeds.subscribe(url: "https://example.org/a", title: nil, folder: nil)
    #expect(try library.listed(.all).count == 5)
    #expect(try library.listed(.smart(.archived)) == [])
  }

  @Test("Maintenance deletes the rest of the feed, and its last row with the last kept article")
  func maintenance() async throws {
    let library = try await Library()
    let (cache, reader) = (library.cache, library.cache.store.reader)
    try await reader.feeds.unsubscribe([library.feed])
    for _ in 0..<2 {
      cache.clock.now += 40 * 86_400
      try await cache.store.maintenance.tidy()
      #expect(try library.listed(.all) == Set(library.ids[0...3]))
      #expect(try reader.articles.article(library.ids[5]) == nil)
    }
    #expect(try reader.articles.articleRow(library.ids[0])?.feedName.isEmpty == false)
    try await reader.states.set(.starred, [library.ids[0]], false)
    try await reader.states.changeTags(of: [library.ids[1]], adding: [], removing: ["cite"])
    cache.clock.now += 2 * 86_400
    try await cache.store.maintenance.tidy()
    #expect(try library.listed(.smart(.archived)) == Set(library.ids[2...3]))
    try await reader.states.delete(Array(library.ids[2...3]))
    cache.clock.now += 40 * 86_400
    try await cache.store.maintenance.tidy()
    #expect(try library.listed(.all) == [])
    #expect(try cache.count("feed") == 0)
    #expect(try cache.store.file.integrityProblems().isEmpty)
  }

  @Test("Kept articles are in Unread whether or not another feed is quiet")
  func unread() async throws {
    let library = try await Library()
    let reader = library.cache.store.reader
    let other = try await library.cache.feed("b")
    try await library.cache.merge(other, [.dated(9)])
    try await reader.feeds.unsubscribe([library.feed])
    #expect(try library.listed(.smart(.unread)).count == 5)
    try await reader.feeds.setPriority(other, .quiet)
    #expect(try library.listed(.smart(.unread)) == Set(library.ids[0...3]))
  }
}
