@testable import SyncEngine

@Suite("Fetching packs") struct PackOperationTests {
  private static let page =
    "<html><body><article><h1>One</h1><p>"
    + String(repeating: "This is the whole text of the article, long enough to be one. ", count: 20)
    + "</p><img src=\"http://pictures.example/1.png\"></article></body></html>"

  /// Three articles with pages and pictures.
  private func fixture() async throws -> (EngineFixture, [ArticleID]) {
    let fixture = try EngineFixture()
    fixture.web.on("http://a.example/feed", .feed(rss("A")))
    try await fixture.subscribe("http://a.example/feed")
    _ = await fixture.controller().runUntilIdle()
    fixture.web.forget()
    let rows = try fixture.store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 10)
    return (fixture, rows.map(\.id).sorted())
  }

  private func begin(
    _ fixture: EngineFixture, _ articles: [ArticleID], budget: Int64 = 10_000_000
  ) async throws {
    try await fixture.store.reader.packs.startPack(
      articles.enumerated().map { index, id in
        PackArticle(
          id: id, minutes: 4, page: "http://a.example/\(index).html",
          pictures: ["http://pictures.example/of-\(index).png"])
      }, budget: budget)
  }

  private func make(_ fixture: EngineFixture) async {
    _ = await fixture.controller {
      $0.packsAtOnce = true
      $0.textFacts = { html in
        (3, html.contains("pictures.example/1.png") ? ["http://pictures.example/1.png"] : [])
      }
    }.runUntilIdle(.pack)
  }

  private func pack(_ fixture: EngineFixture) throws -> Pack {
    try #require(try fixture.store.reader.packs.last())
  }

  @Test("Every text is requested before the first picture, each once, and nothing else")
  func order() async throws {
    let (fixture, articles) = try await fixture()
    fixture.web.onAnythingElse { request in
      request.url.hasSuffix(".png") ? .picture(SamplePictures.png) : .page(Self.page)
    }
    try await begin(fixture, articles)
    await make(fixture)
    let ended = try pack(fixture)
    #expect(ended.end == .complete && ended.readableMinutes == 9)
    let urls = fixture.web.urls
    #expect(Set(urls).count == urls.count && urls.count == 7)
    #expect(urls.prefix(3).allSatisfy { $0.hasSuffix(".html") })
    #expect(urls.suffix(4).allSatisfy { $0.hasSuffix(".png") })
    #expect(ended.received > Int64(4 * SamplePictures.png.count))
    #expect(try fixture.store.reader.packs.packed(articles).count == 3)
    // A second pack of the same articles finds everything in the cache.
    fixture.web.forget()
    try await begin(fixture, articles)
    await make(fixture)
    #expect(fixture.web.urls.isEmpty)
    #expect(try pack(fixture).end == .complete && pack(fixture).received == 0)
  }

  @Test("A transfer that exceeds the remaining budget ends, and the budget is observed")
  func budget() async throws {
    let (fixture, articles) = try await fixture()
    fixture.web.onAnythingElse { request in
      request.url.hasSuffix(".png")
        ? .picture([UInt8](repeating: 7, count: 60_000)) : .page(Self.page)
    }
    try await begin(fixture, articles, budget: 40_000)
    await make(fixture)
    let ended = try pack(fixture)
    #expect(ended.end == .budget && ended[.leftOut] == 4)
    #expect(ended[.text, .done] == 3)
  }

  private static let sound = "http://a.example/talk.mp3"

  /// An article with a file, whose feed gives this length.
  private func talk(length: Int) async throws -> (fixture: EngineFixture, id: ArticleID) {
    let fixture = try EngineFixture()
    let id = try await fixture.article(
      "<enclosure url=\"\(Self.sound)\" type=\"audio/mpeg\" length=\"\(length)\"/>")
    fixture.web.forget()
    return (fixture, id)
  }

  private func packSound(_ fixture: EngineFixture, _ id: ArticleID, budget: Int64) async throws {
    try await fixture.store.reader.packs.startPack(
      [
        PackArticle(id: id, minutes: 4, pictures: ["http://a.example/1.png"], audio: Self.sound)
      ], budget: budget)
    let folder = fixture.directory + "/Downloads"
    _ = await fixture.controller {
      $0.packsAtOnce = true
      $0.downloadFolder = folder
    }.runUntilIdle(.pack)
  }

  @Test("Sound follows the pictures, and its file is saved") func sound() async throws {
    let (fixture, id) = try await talk(length: 30_000)
    fixture.web.on("http://a.example/1.png", .picture(SamplePictures.png))
    fixture.web.on(
      Self.sound,
      .bytes(200, [("Content-Type", "audio/mpeg")], [UInt8](repeating: 1, count: 30_000)))
    try await packSound(fixture, id, budget: 1_000_000)
    #expect(fixture.web.urls == ["http://a.example/1.png", Self.sound])
    let ended = try pack(fixture)
    #expect(ended.end == .complete && ended[.audio, .done] == 1)
    #expect(ended.received > 30_000 && (ended.bytes[.audio] ?? 0) > 30_000)
    let path = fixture.directory + "/Downloads/talk.mp3"
    #expect(try fixture.store.reader.downloads.files(of: id).map(\.state) == [.saved(path: path)])
    #expect(FileManager.default.contents(atPath: path)?.count == 30_000)
    // No part of it is fetched again.
    fixture.web.forget()
    try await packSound(fixture, id, budget: 1_000_000)
    #expect(!fixture.web.urls.contains(Self.sound))
  }

  @Test("A file that is larger than the remaining budget by its feed's length is not started")
  func largeFile() async throws {
    let (fixture, id) = try await talk(length: 5_000_000)
    fixture.web.onAnythingElse { _ in .picture(SamplePictures.png) }
    try await packSound(fixture, id, budget: 100_000)
    let ended = try pack(fixture)
    #expect(ended.end == .budget && ended[.audio, .leftOut] == 1)
    #expect(!fixture.web.urls.contains(Self.sound))
    // It is not fetched later either.
    #expect(try fixture.store.reader.downloads.files(of: id).isEmpty)
  }

  @Test("Offline, a pack waits and continues when the network is back")
  func offline() async throws {
    let (fixture, articles) = try await fixture()
    fixture.web.onAnythingElse { _ in .failure(.offline) }
    try await begin(fixture, articles)
    let controller = fixture.controller {
      $0.packsAtOnce = true
      $0.isAutomatic = false
    }
    controller.start()
    for await event in controller.events {
      if case .limitChanged(.offline, _, _) = event { break }
    }
    #expect(try pack(fixture).isOpen)
    fixture.web.onAnythingElse { request in
      request.url.hasSuffix(".png") ? .picture(SamplePictures.png) : .page(Self.page)
    }
    #expect(try await fixture.pass(300) { try !self.pack(fixture).isOpen })
    await controller.end()
    #expect(try pack(fixture).end == .complete)
  }

  @Test("A refused item is counted, and the pack continues") func refusals() async throws {
    let (fixture, articles) = try await fixture()
    fixture.web.onAnythingElse { request in
      if request.url.hasSuffix("0.html") { return .status(404) }
      return request.url.hasSuffix(".png") ? .picture(Array("no".utf8)) : .page(Self.page)
    }
    try await begin(fixture, articles)
    await make(fixture)
    let ended = try pack(fixture)
    #expect(ended.end == .complete)
    #expect(ended[.text, .failed] == 1 && ended[.text, .done] == 2 && ended[.picture, .failed] == 4)
  }

  @Test("A pack joins an article of several pages and stores why a page has no article")
  func partsAndReasons() async throws {
    let (fixture, articles) = try await fixture()
    fixture.web.onAnythingElse { request in
      switch request.url {
      case "http://a.example/0.html":
        .page(
          Self.page.replacing("</body>", with: "<a rel=next href='/0.html?page=2'>Next</a></body>"))
      case "http://a.example/0.html?page=2":
        .page(
          Self.page.replacing("the whole", with: "the second").replacing(
            "</body>", with: "<div class=paywall><p>For subscribers only</p></div></body>"))
      case "http://a.example/1.html":
        .page("<html><body><h1>Frost</h1><p>Subscribe to continue reading.</p></body></html>")
      case let url where url.hasSuffix(".png"): .picture(SamplePictures.png)
      default: .page(Self.page)
      }
    }
    try await begin(fixture, articles)
    await make(fixture)
    #expect(try pack(fixture)[.text, .failed] == 1)
    let joined = try fixture.store.reader.fullTexts.fullText(articles[0])
    #expect(joined?.obstacle == .subscriberPage)
    guard case .found(let html) = joined?.state,
      case .failed(let failure) = try fixture.store.reader.fullTexts.fullText(articles[1])?.state
    else {
      Issue.record("\(try articles.map { try fixture.store.reader.fullTexts.fullText($0)?.state })")
      return
    }
    #expect(html.contains("This is the whole text") && html.contains("This is the second text"))
    #expect(failure.kind == .noArticle && failure.detail == FailureDetail.subscriberPage.code)
  }

  @Test("In a reader a pack waits for a good network, and under a command it does not")
  func priorities() async throws {
    let (fixture, articles) = try await fixture()
    fixture.web.onAnythingElse { request in
      request.url.hasSuffix(".png") ? .picture(SamplePictures.png) : .page(Self.page)
    }
    try await begin(fixture, articles)
    for (isCommand, priority) in [(false, OperationPriority.prefetch), (true, .scheduled)] {
      var configuration = SyncConfiguration()
      configuration.packsAtOnce = isCommand
      let context = OperationContext(
        store: fixture.store.engine, accounts: fixture.store.accountSync,
        configuration: configuration, clock: fixture.clock, transport: { fixture.web })
      let pending = try PackOperation.pending(in: context)
      #expect(pending.count == 3 && pending.allSatisfy { $0.priority == priority })
    }
  }

  @Test("The count includes packet overhead, and all transfers of a pack share its budget")
  func counting() async throws {
    let (fixture, articles) = try await fixture()
    try await begin(fixture, articles, budget: 140_000)
    let tasks = try fixture.store.engine.packs.pending()
    let budget = PackBudget()
    let ended = Mutex<[Int64]>([])
    for task in tasks.prefix(2) {
      await budget.begin(task) { ended.withLock { $0.append(task.id) } }
    }
    budget.received(1_448, for: tasks[0])
    #expect(!budget.isOver(tasks[0]) && ended.withLock { $0.isEmpty })
    budget.received(120_000, for: tasks[1])
    #expect(budget.isOver(tasks[0]) && budget.isOver(tasks[1]) && !budget.isOver(tasks[2]))
    budget.received(1, for: tasks[1])
    budget.received(1, for: tasks[0])
    #expect(ended.withLock { Set($0) } == Set(tasks.prefix(2).map(\.id)))
    #expect(ended.withLock { $0.count } == 2)
    #expect(budget.end(tasks[0]) == 600 + 1_530 + 2)
    // The bytes of a transfer that has ended still count.
    #expect(budget.end(tasks[1]) > 120_000)
    await budget.begin(tasks[2]) {}
    #expect(budget.isOver(tasks[2]) && budget.isSpent(tasks[2]))
    #expect(budget.end(tasks[2]) == 600 && budget.end(tasks[0]) == 0)
  }
}
