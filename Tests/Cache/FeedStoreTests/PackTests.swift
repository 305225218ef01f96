import FeedStore
import Foundation
import TestSupport
import Testing

@Suite("Packs") struct PackTests {
  private static let picture = "https://example.org/a.png"

  /// Two articles: the text of the first must be fetched, and the second has a picture.
  private func begun(
    budget: Int64 = 1_000_000, in cache: TestCache
  ) async throws -> (pack: Pack, articles: [ArticleID]) {
    let feed = try await cache.feed("news")
    let added = try await cache.merge(
      feed, [.dated(1, hours: 1, title: "One"), .dated(2, hours: 2, title: "Two")]
    ).added
    let pack = try await cache.store.reader.packs.startPack(
      PackPlan(minutes: 60, budget: budget),
      [
        PackArticle(id: added[0], minutes: 4, page: "https://example.org/1.html"),
        PackArticle(id: added[1], minutes: 6, pictures: [Self.picture, Self.picture]),
      ])
    return (pack, added)
  }

  private func task(_ cache: TestCache) throws -> PackTask {
    try #require(try cache.store.engine.packs.pendingPackItems().first)
  }

  @Test("Texts are fetched before pictures, and the pictures of a fetched text are added")
  func order() async throws {
    let cache = try TestCache()
    let (pack, articles) = try await begun(in: cache)
    #expect(pack.isOpen && pack.waiting == 2 && pack.articles == 2 && pack.readableMinutes == 0)
    let text = try task(cache)
    #expect(text.stage == .text && text.article == articles[0] && text.left == 1_000_000)
    #expect(try cache.store.engine.packs.pendingPackItems().count == 1)
    var content = MainContent(html: "<p>Whole</p>")
    content.pages = ["https://example.org/1"]
    try await cache.store.engine.packs.finishPackItem(
      text, .text(content, minutes: 7, pictures: ["https://example.org/b.png", Self.picture]),
      bytes: 5_000)
    let after = try #require(try cache.store.reader.packs.recent().first)
    #expect(after[.text].done == 1 && after[.picture].waiting == 2 && after.received == 5_000)
    let pictures = try cache.store.engine.packs.pendingPackItems()
    #expect(pictures.map(\.stage) == [.picture, .picture])
    // The feed itself names the picture of the second article.
    #expect(pictures.map(\.referrers.pages) == [content.pages, []])
    guard case .found(let html) = try cache.store.reader.fullTexts.fullText(articles[0])?.state
    else {
      Issue.record("no text")
      return
    }
    #expect(html == "<p>Whole</p>")
  }

  @Test("A saved page may be in a private network, but not what its text names")
  func savedPage() async throws {
    let cache = try TestCache()
    let address = "http://192.168.1.5/notes"
    let plan = cache.store.reader.plan
    let saved = try await plan.save([address], in: "Saved pages")
    let linked = try await plan.save([address + "/link"], in: "Saved pages", isLink: true)
    try await cache.store.reader.packs.startPack(
      PackPlan(minutes: 60, budget: 1_000_000),
      [
        PackArticle(id: saved[0].article, minutes: 4, page: address),
        PackArticle(id: linked[0].article, minutes: 4, page: address + "/link"),
      ])
    let texts = try cache.store.engine.packs.pendingPackItems()
    #expect(texts.map(\.referrers.feed) == [address, "weir:saved"])
    for text in texts {
      try await cache.store.engine.packs.finishPackItem(
        text, .text(MainContent(html: "<p>Whole</p>"), minutes: 4, pictures: [Self.picture]),
        bytes: 5_000)
    }
    let pictures = try cache.store.engine.packs.pendingPackItems()
    #expect(!pictures.isEmpty && pictures.allSatisfy { $0.referrers.feed == "weir:saved" })
  }

  @Test("A pack survives a restart, ends when it is complete and reports what can be read")
  func completion() async throws {
    let cache = try TestCache()
    let (pack, articles) = try await begun(in: cache)
    let other = try cache.another()
    defer { other.close() }
    var tasks = try other.engine.packs.pendingPackItems()
    let failure = RefreshFailure(kind: .httpStatus, status: 404, since: TestCache.start)
    try await other.engine.packs.finishPackItem(tasks[0], .failed(failure), bytes: 600)
    #expect(try cache.store.reader.packs.recent().first?.isOpen == true)
    tasks = try other.engine.packs.pendingPackItems()
    try await other.engine.packs.finishPackItem(
      tasks[0],
      .picture(.received(SamplePictures.png, PictureSize(width: 64, height: 48), .init())),
      bytes: 2_000)
    let ended = try #require(try cache.store.reader.packs.recent().first)
    #expect(ended.id == pack.id && ended.end == .complete && ended.share == 1)
    #expect(ended.failed == 1 && ended.readableMinutes == 6 && ended.received == 2_600)
    #expect(try cache.store.reader.packs.packed(articles) == [articles[1]])
    guard
      case .stored(let stored)? = try cache.store.reader.pictures.known(at: [Self.picture])[
        Self.picture]?.state
    else {
      Issue.record("no picture")
      return
    }
    #expect(try await cache.store.reader.pictures.pictureBytes(stored) == SamplePictures.png)
  }

  @Test("When the budget is used up, the pack leaves the rest out and reports that")
  func budget() async throws {
    let cache = try TestCache()
    let (_, _) = try await begun(budget: 20_000, in: cache)
    try await cache.store.engine.packs.finishPackItem(
      try task(cache), .text(MainContent(html: "<p>x</p>"), minutes: 1, pictures: []), bytes: 15_000
    )
    let ended = try #require(try cache.store.reader.packs.recent().first)
    #expect(ended.end == .budget && ended.leftOut == 1 && ended.waiting == 0)
    #expect(try cache.store.engine.packs.waitingPackItems().isEmpty)
  }

  @Test("A stored picture is not fetched again")
  func present() async throws {
    let cache = try TestCache()
    let (_, articles) = try await begun(in: cache)
    try await cache.store.engine.packs.finishPackItem(try task(cache), .present, bytes: 0)
    try await cache.store.engine.packs.finishPackItem(
      try task(cache),
      .picture(.received(SamplePictures.png, PictureSize(width: 64, height: 48), .init())),
      bytes: 2_000)
    let again = try await cache.store.reader.packs.startPack(
      PackPlan(minutes: 60, budget: 1_000_000),
      [PackArticle(id: articles[1], minutes: 6, pictures: [Self.picture])])
    #expect(again.end == .complete && again[.picture].done == 1 && again.readableMinutes == 6)
  }

  @Test("A new pack or the user stops the running pack")
  func stopping() async throws {
    let cache = try TestCache()
    let (first, articles) = try await begun(in: cache)
    let second = try await cache.store.reader.packs.startPack(
      PackPlan(query: "x", minutes: 10, budget: 50_000),
      [PackArticle(id: articles[0], minutes: 1, pictures: [Self.picture])])
    #expect(try cache.store.reader.packs.recent().map(\.id) == [second.id, first.id])
    #expect(try cache.store.reader.packs.recent().last?.end == .stopped)
    #expect(try await cache.store.reader.packs.stopPack())
    #expect(try await !cache.store.reader.packs.stopPack())
    #expect(try cache.store.engine.packs.pendingPackItems().isEmpty)
    // A pack without anything to fetch is complete at once.
    let ready = try await cache.store.reader.packs.startPack(
      PackPlan(minutes: 10, budget: 50_000), [PackArticle(id: articles[0], minutes: 1)])
    #expect(ready.end == .complete)
  }

  @Test("Discussions and sound come last, and an article can be read without them")
  func extras() async throws {
    let (cache, feed) = try await TestCache.withFeed("news")
    let id = try await cache.merge(feed, [.dated(1, hours: 1, title: "One")]).added[0]
    let (page, sound) = ("https://example.org/discussion", "https://example.org/a.mp3")
    func begin() async throws -> Pack {
      try await cache.store.reader.packs.startPack(
        PackPlan(minutes: 60, budget: 1_000_000),
        [PackArticle(id: id, minutes: 4, pictures: [Self.picture], discussion: page, audio: sound)])
    }
    let pack = try await begin()
    #expect(pack[.discussion].waiting == 1 && pack[.audio].waiting == 1)
    #expect(try task(cache).stage == .picture)
    try await cache.store.engine.packs.finishPackItem(try task(cache), .present, bytes: 0)
    #expect(try cache.store.reader.packs.packed([id]) == [id])
    #expect(try cache.store.reader.packs.recent().first?.readableMinutes == 4)
    // The file belongs to the pack: the download queue does not fetch it.
    #expect(try cache.store.engine.downloads.pendingDownloads().isEmpty)
    #expect(try task(cache).stage == .discussion)
    #expect(try cache.store.reader.packs.discussion(of: id) == nil)
    try await cache.store.engine.packs.finishPackItem(
      try task(cache), .discussion(html: "<p>First!</p>"), bytes: 900)
    let found = try #require(try cache.store.reader.packs.discussion(of: id))
    #expect(found.html == "<p>First!</p>" && found.url == page)
    #expect(found.fetchedAt == cache.clock.now)
    let audio = try task(cache)
    #expect(audio.stage == .audio)
    #expect(try cache.store.engine.packs.download(of: audio)?.isOfPack == true)
    // The pack is stopped: the file is not downloaded.
    #expect(try await cache.store.reader.packs.stopPack())
    #expect(try cache.store.reader.downloads.files(of: id).isEmpty)
    #expect(try cache.store.engine.downloads.pendingDownloads().isEmpty)
    // Files that a pack has saved stay, and the next pack does not fetch them again.
    _ = try await begin()
    while let next = try cache.store.engine.packs.pendingPackItems().first {
      try await cache.store.engine.packs.finishPackItem(
        next, next.stage == .audio ? .audio(.saved(path: "/tmp/a.mp3")) : .present, bytes: 0)
    }
    #expect(try cache.downloads.files(of: id).map(\.state) == [.saved(path: "/tmp/a.mp3")])
    _ = try await begin()
    #expect(try cache.downloads.files(of: id).map(\.state) == [.saved(path: "/tmp/a.mp3")])
    // After two weeks, discussions are deleted.
    cache.clock.now += 15 * 86_400
    _ = try await begin()
    #expect(try cache.store.reader.packs.discussion(of: id) == nil)
  }

  @Test("Pictures of a pack are not removed until their article is read")
  func kept() async throws {
    let cache = try TestCache(pictureLimit: 1_500)
    let (_, articles) = try await begun(in: cache)
    try await cache.store.engine.packs.finishPackItem(
      try task(cache), .text(MainContent(html: ""), minutes: 1, pictures: []), bytes: 10)
    let size = PictureSize(width: 64, height: 48)
    try await cache.store.engine.packs.finishPackItem(
      try task(cache),
      .picture(.received([UInt8](repeating: 1, count: 1_000), size, .init())), bytes: 10)
    func arrive(_ url: String) async throws {
      let feed = try #require(try cache.store.reader.articles.article(articles[0])?.row.feed)
      try await cache.store.reader.pictures.requestPictures(
        RequestedPictures(visible: [.init(url: url, feed: feed)]))
      let waiting = try #require(
        try cache.store.engine.pictures.pendingPictures().first { $0.url == url })
      cache.clock.now += 86_400
      try await cache.store.engine.pictures.finishPicture(
        waiting.id, .received([UInt8](repeating: 2, count: 1_000), size, .init()))
    }
    func isStored() throws -> Bool {
      guard
        case .stored? = try cache.store.reader.pictures.known(at: [Self.picture])[Self.picture]?
          .state
      else { return false }
      return true
    }
    try await arrive("https://example.org/x.png")
    #expect(try isStored())
    _ = try await cache.store.reader.states.setRead([articles[1]], true)
    try await arrive("https://example.org/y.png")
    #expect(try !isStored())
  }

  @Test("Each stage has its own rate, because pictures arrive faster than pages")
  func rates() async throws {
    let cache = try TestCache()
    _ = try await begun(in: cache)
    try await cache.store.engine.packs.finishPackItem(
      try task(cache),
      .text(MainContent(html: "<p>Whole</p>"), minutes: 4, pictures: ["https://example.org/b.png"]),
      bytes: 5_000, took: .seconds(10))
    // Before the first picture, only the times of texts are known.
    #expect(try cache.store.reader.packs.recent().first?.timeLeft == .seconds(600))
    let first = try task(cache)
    #expect(first.stage == .picture)
    try await cache.store.engine.packs.finishPackItem(
      first,
      .picture(.received(SamplePictures.png, PictureSize(width: 64, height: 48), .init())),
      bytes: 100_000, took: .seconds(2))
    let pack = try #require(try cache.store.reader.packs.recent().first)
    #expect(pack[.picture].waiting == 1 && pack.rate(.picture) == 50_000, "\(pack)")
    #expect(pack.rate(.text) == 500 && pack.activeTime == .seconds(12))
    #expect(pack.expected == 125_000 && pack.timeLeft == .seconds(2.5))
    // The next pack estimates its sizes from those of earlier packs.
    #expect(Pack.Stage.picture.size(in: [pack]) == 1_600_000 / 11)
  }

  @Test("The estimate follows the measured sizes")
  func estimate() {
    var pack = Pack(id: 1, query: "", minutes: 60, budget: 10_000_000, startedAt: Date())
    pack.stages = [Pack.Progress(), Pack.Progress()]
    pack.stages[1].waiting = 10
    #expect(pack.expected == 1_500_000 && pack.rate(.picture) == nil && pack.timeLeft == nil)
    pack.stages[1].waiting = 5
    pack.stages[1].done = 24
    pack.stages[1].bytes = 1_350_000
    pack.stages[1].received = 1_350_000
    pack.stages[1].time = .seconds(10)
    (pack.received, pack.activeTime) = (1_350_000, .seconds(10))
    #expect(pack.expected == 300_000)
    #expect(pack.rate(.picture) == 135_000)
    #expect(abs((pack.timeLeft ?? .zero) / .seconds(1) - 2.22) < 0.01)
    #expect(abs(pack.share - 1_350_000.0 / 1_650_000) < 0.001)
    // The estimate is at most the remaining budget.
    pack.budget = 1_400_000
    #expect(pack.expected == 50_000)
    // The estimate includes articles that join, up to the wanted minutes, and the pictures of texts
    // that were not fetched yet.
    pack.budget = 100_000_000
    (pack.chosenMinutes, pack.reserve.minutes, pack.reserve.texts) = (50, 40, 20)
    (pack.stages[0].done, pack.stages[0].bytes, pack.picturesPerText) = (9, 210_000, 2)
    #expect(pack.expected == 300_000 + 5 * 30_000 + 10 * 60_000)
    pack.chosenMinutes = 60
    #expect(pack.expected == 300_000)
    pack.stages[0].waiting = 2
    pack.picturesOfWaiting = 1
    #expect(pack.expected == 300_000 + 2 * 30_000 + 3 * 60_000)
  }
}
