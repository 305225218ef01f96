import GRDB

@testable import FeedStore

@Suite("Packs") final class PackTests: CacheSuite {
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
      [
        PackArticle(id: added[0], minutes: 4, page: "https://example.org/1.html"),
        PackArticle(id: added[1], minutes: 6, pictures: [Self.picture, Self.picture]),
      ], budget: budget)
    return (pack, added)
  }

  private func task(_ cache: TestCache) throws -> PackTask {
    try #require(try cache.store.engine.packs.pending().first)
  }

  @Test("Texts are fetched before pictures, and the pictures of a fetched text are added")
  func order() async throws {
    let (pack, articles) = try await begun(in: cache)
    #expect(pack.isOpen && pack[.waiting] == 2 && pack.articles == 2 && pack.readableMinutes == 0)
    let text = try task(cache)
    #expect(text.stage == .text && text.article == articles[0] && text.left == 1_000_000)
    #expect(try cache.store.engine.packs.pending().count == 1)
    var content = MainContent(html: "<p>Whole</p>")
    content.pages = ["https://example.org/1"]
    try await cache.store.engine.packs.finishPackItem(
      text, .text(content, minutes: 7, pictures: ["https://example.org/b.png", Self.picture]),
      bytes: 5_000)
    let after = try #require(try cache.store.reader.packs.last())
    #expect(after[.text, .done] == 1 && after[.picture, .waiting] == 2 && after.received == 5_000)
    let pictures = try cache.store.engine.packs.pending()
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
    let address = "http://192.168.1.5/notes"
    let plan = cache.store.reader.plan
    let saved = try await plan.save([address], in: "Saved pages")
    let linked = try await plan.save([address + "/link"], in: "Saved pages", isLink: true)
    try await cache.store.reader.packs.startPack(
      [
        PackArticle(id: saved[0].article, minutes: 4, page: address),
        PackArticle(id: linked[0].article, minutes: 4, page: address + "/link"),
      ], budget: 1_000_000)
    let texts = try cache.store.engine.packs.pending()
    #expect(texts.map(\.referrers.feed) == [address, "weir:saved"])
    for text in texts {
      try await cache.store.engine.packs.finishPackItem(
        text, .text(MainContent(html: "<p>Whole</p>"), minutes: 4, pictures: [Self.picture]),
        bytes: 5_000)
    }
    let pictures = try cache.store.engine.packs.pending()
    #expect(!pictures.isEmpty && pictures.allSatisfy { $0.referrers.feed == "weir:saved" })
  }

  @Test("A pack survives a restart, ends when it is complete and reports what can be read")
  func completion() async throws {
    let (pack, articles) = try await begun(in: cache)
    let other = try cache.another()
    defer { other.close() }
    var tasks = try other.engine.packs.pending()
    let failure = RefreshFailure(kind: .httpStatus, status: 404, since: TestCache.start)
    try await other.engine.packs.finishPackItem(tasks[0], .failed(failure), bytes: 600)
    #expect(try cache.store.reader.packs.last()?.isOpen == true)
    tasks = try other.engine.packs.pending()
    try await other.engine.packs.finishPackItem(
      tasks[0],
      .picture(.received(SamplePictures.png, PictureSize(width: 64, height: 48), .init())),
      bytes: 2_000)
    let ended = try #require(try cache.store.reader.packs.last())
    #expect(ended.id == pack.id && ended.end == .complete && ended.share == 1)
    #expect(ended[.failed] == 1 && ended.readableMinutes == 6 && ended.received == 2_600)
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
    let (_, _) = try await begun(budget: 20_000, in: cache)
    try await cache.store.engine.packs.finishPackItem(
      try task(cache), .text(MainContent(html: "<p>x</p>"), minutes: 1, pictures: []), bytes: 15_000
    )
    let ended = try #require(try cache.store.reader.packs.last())
    #expect(ended.end == .budget && ended[.leftOut] == 1 && ended[.waiting] == 0)
    #expect(try cache.store.engine.packs.pending().isEmpty)
  }

  @Test("A stored picture is not fetched again") func present() async throws {
    let (_, articles) = try await begun(in: cache)
    try await cache.store.engine.packs.finishPackItem(try task(cache), .present, bytes: 0)
    try await cache.store.engine.packs.finishPackItem(
      try task(cache),
      .picture(.received(SamplePictures.png, PictureSize(width: 64, height: 48), .init())),
      bytes: 2_000)
    let again = try await cache.store.reader.packs.startPack(
      [PackArticle(id: articles[1], minutes: 6, pictures: [Self.picture])], budget: 1_000_000)
    #expect(again.end == .complete && again[.picture, .done] == 1 && again.readableMinutes == 6)
  }

  @Test("A new pack or the user stops the running pack") func stopping() async throws {
    let (first, articles) = try await begun(in: cache)
    let second = try await cache.store.reader.packs.startPack(
      [PackArticle(id: articles[0], minutes: 1, pictures: [Self.picture])], query: "x",
      budget: 50_000)
    #expect(second.query == "x" && second.isOpen)
    #expect(try cache.store.reader.packs.last()?.id == second.id)
    let end: String? = try cache.store.database.read { db in
      try db.value("SELECT endReason FROM pack WHERE id = ?", [first.id])
    }
    #expect(end == Pack.End.stopped.rawValue)
    #expect(try await cache.store.reader.packs.stopPack())
    #expect(try await !cache.store.reader.packs.stopPack())
    #expect(try cache.store.engine.packs.pending().isEmpty)
    // A pack without anything to fetch is complete at once.
    let ready = try await cache.store.reader.packs.startPack(
      [PackArticle(id: articles[0], minutes: 1)], budget: 50_000)
    #expect(ready.end == .complete)
  }

  @Test("Sound comes last, and an article can be read without it") func sound() async throws {
    let (cache, feed) = try await TestCache.withFeed("news")
    let id = try await cache.merge(feed, [.dated(1, hours: 1, title: "One")]).added[0]
    func begin() async throws -> Pack {
      try await cache.store.reader.packs.startPack(
        [
          PackArticle(
            id: id, minutes: 4, pictures: [Self.picture], audio: "https://example.org/a.mp3")
        ],
        budget: 1_000_000)
    }
    let pack = try await begin()
    #expect(pack[.audio, .waiting] == 1)
    #expect(try task(cache).stage == .picture)
    try await cache.store.engine.packs.finishPackItem(try task(cache), .present, bytes: 0)
    #expect(try cache.store.reader.packs.packed([id]) == [id])
    #expect(try cache.store.reader.packs.last()?.readableMinutes == 4)
    // The file belongs to the pack: the download queue does not fetch it.
    #expect(try cache.store.engine.downloads.pending().isEmpty)
    let audio = try task(cache)
    #expect(audio.stage == .audio && audio.download != nil && !audio.isPresent)
    // The pack is stopped: the file is not downloaded.
    #expect(try await cache.store.reader.packs.stopPack())
    #expect(try cache.store.reader.downloads.files(of: id).isEmpty)
    #expect(try cache.store.engine.downloads.pending().isEmpty)
    // Files that a pack has saved stay, and the next pack does not fetch them again.
    _ = try await begin()
    while let next = try cache.store.engine.packs.pending().first {
      try await cache.store.engine.packs.finishPackItem(
        next, next.stage == .audio ? .audio(.saved(path: "/tmp/a.mp3")) : .present, bytes: 0)
    }
    #expect(try cache.downloads.files(of: id).map(\.state) == [.saved(path: "/tmp/a.mp3")])
    _ = try await begin()
    #expect(try cache.downloads.files(of: id).map(\.state) == [.saved(path: "/tmp/a.mp3")])
    try await cache.store.engine.packs.finishPackItem(try task(cache), .present, bytes: 0)
    #expect(try task(cache).isPresent)
  }

  @Test("A group of articles is complete before the texts of the next ones are fetched")
  func groups() async throws {
    let (cache, feed) = try await TestCache.withFeed("news")
    let articles = try await cache.merge(feed, (1...51).map { .dated($0) }).added
    try await cache.store.reader.packs.startPack(
      articles.enumerated().map { index, id in
        PackArticle(
          id: id, minutes: 4, page: "https://example.org/\(index).html",
          pictures: ["https://example.org/\(index).png"], audio: "https://example.org/\(index).mp3")
      }, budget: 10_000_000)
    var stages: [Pack.Stage] = []
    while let task = try cache.store.engine.packs.pending().first {
      stages.append(task.stage)
      try await cache.store.engine.packs.finishPackItem(task, .present, bytes: 100)
    }
    let group: [Pack.Stage] =
      Array(repeating: .text, count: 50) + Array(repeating: .picture, count: 50)
    #expect(stages == group + [.text, .picture] + Array(repeating: .audio, count: 51))
    #expect(try cache.store.reader.packs.last()?.end == .complete)
  }

  @Test("A pack that a full disk stopped resumes where it was, including its sound")
  func fullDisk() async throws {
    let (cache, feed) = try await TestCache.withFeed("news")
    let ids = try await cache.merge(feed, [.dated(1), .dated(2)]).added
    let packs = cache.store.reader.packs
    try await packs.startPack(
      ids.enumerated().map { index, id in
        PackArticle(
          id: id, minutes: 4, page: "https://example.org/\(index).html",
          audio: "https://example.org/\(index).mp3")
      }, budget: 1_000_000)
    #expect(try await !packs.resumePack())
    let first = try task(cache)
    try await cache.store.engine.packs.finishPackItem(
      first, .text(MainContent(html: ""), minutes: 4, pictures: []), bytes: 10)
    try await cache.store.engine.packs.spend(5, of: first.pack, end: .diskFull)
    #expect(try packs.last()?.end == .diskFull && packs.last()?.received == 15)
    #expect(try cache.store.engine.packs.pending().isEmpty)
    // The book has the articles that were fetched.
    #expect(try packs.articles(of: first.pack) == [ids[0]])
    #expect(try await packs.resumePack())
    try await cache.store.engine.packs.finishPackItem(
      try task(cache), .text(MainContent(html: ""), minutes: 4, pictures: []), bytes: 10)
    let pack = try #require(try packs.last())
    #expect(pack.isOpen && pack[.text, .done] == 2 && pack[.audio, .waiting] == 2)
    #expect(try task(cache).download != nil)
    #expect(try packs.articles(of: first.pack) == ids)
    // A pack that the user stopped stays stopped.
    try await packs.stopPack()
    #expect(try await !packs.resumePack())
  }

  @Test("Pictures of a pack are not removed until their article is read") func kept() async throws {
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
        try cache.store.engine.pictures.pending().first { $0.url == url })
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
    _ = try await cache.store.reader.states.set(.read, [articles[1]], true)
    try await arrive("https://example.org/y.png")
    #expect(try !isStored())
  }

  @Test("The share is that of the fetched parts, or of the budget if more of it is used")
  func share() {
    var pack = Pack(id: 1, query: "", budget: 10_000_000, startedAt: Date())
    #expect(pack.share == 1)
    pack.parts[.text] = [.waiting: 3]
    #expect(pack.share == 0)
    pack.parts[.text]?[.done] = 1
    #expect(pack.share == 0.25)
    pack.received = 5_000_000
    #expect(pack.share == 0.5)
    pack.endedAt = Date()
    #expect(pack.share == 1)
  }
}
