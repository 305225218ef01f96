import TestSupport
import Testing

@testable import FeedStore

@Suite("Articles in reserve join a pack") struct PackReserveTests {
  /// A pack of six articles of 4 minutes with a page each, two of them chosen.
  private struct Fixture {
    var cache: TestCache
    var articles: [ArticleID]
    var pack: Pack { get throws { try #require(try cache.store.reader.packs.recent().first) } }

    init(minutes: Int = 60, budget: Int64 = 1_000_000) async throws {
      cache = try TestCache()
      let feed = try await cache.feed("news")
      articles = try await cache.merge(
        feed, (1...6).map { .dated($0, hours: Double($0), title: "Item \($0)") }
      ).added
      let chosen = articles.enumerated().map { index, id in
        PackArticle(
          id: id, minutes: 4, page: "https://example.org/\(index).html",
          pictures: ["https://example.org/\(index).png"], audio: "https://example.org/\(index).mp3")
      }
      try await cache.store.reader.packs.startPack(
        PackPlan(minutes: minutes, budget: budget), Array(chosen.prefix(2)),
        reserve: Array(chosen.dropFirst(2)))
    }

    /// Fetches the pending texts and pictures, and returns their addresses.
    func fetch(bytes: Int64, minutes: Int = 4) async throws -> [String] {
      var urls: [String] = []
      while let task = try cache.store.engine.packs.pendingPackItems().first, task.stage != .audio {
        urls.append(String(task.url.split(separator: "/").last ?? ""))
        let outcome: PackOutcome =
          task.stage == .text
          ? .text(MainContent(html: "<p>x</p>"), minutes: minutes, pictures: []) : .present
        try await cache.store.engine.packs.finishPackItem(task, outcome, bytes: bytes)
      }
      return urls
    }
  }

  @Test("Reserve articles join when there is room, and before the sound of all articles")
  func joining() async throws {
    let fixture = try await Fixture()
    let begun = try fixture.pack
    #expect(begun.articles == 2 && begun.chosenMinutes == 8 && begun.waiting == 6)
    #expect(begun.reserve.minutes == 16 && begun.reserve.texts == 4 && begun.reserve.pictures == 4)
    #expect(begun.leftOut == 0)
    let urls = try await fixture.fetch(bytes: 1_000)
    #expect(urls.prefix(4) == ["0.html", "1.html", "0.png", "1.png"])
    #expect(Set(urls).count == 12)
    let pack = try fixture.pack
    #expect(pack.articles == 6 && pack.readableMinutes == 24 && pack[.audio].waiting == 6)
    #expect(try fixture.cache.store.reader.packs.packed(fixture.articles).count == 6)
    for id in fixture.articles {
      #expect(try fixture.cache.store.reader.downloads.files(of: id).count == 1)
    }
  }

  @Test("Only as many articles join as the wanted minutes need, measured by their pages")
  func minutes() async throws {
    let fixture = try await Fixture(minutes: 14)
    // The pages are shorter than estimated.
    #expect(try await fixture.fetch(bytes: 1_000, minutes: 3).count == 10)
    #expect(try fixture.pack.readableMinutes == 15 && fixture.pack.articles == 5)
    while let task = try fixture.cache.store.engine.packs.pendingPackItems().first {
      try await fixture.cache.store.engine.packs.finishPackItem(
        task, .audio(.saved(path: "/x")), bytes: 9)
    }
    let pack = try fixture.pack
    #expect(pack.end == .minutes && pack.leftOut == 0 && pack.reserve == Pack.Reserve())
    #expect(try fixture.cache.store.reader.packs.packed(fixture.articles).count == 5)
  }

  @Test("Articles join until the budget is used up, which ends the pack with that reason")
  func budget() async throws {
    let fixture = try await Fixture(budget: 150_000)
    let urls = try await fixture.fetch(bytes: 16_000)
    #expect((8...10).contains(urls.count), "\(urls)")
    let pack = try fixture.pack
    #expect(pack.end == .budget && pack.budget - pack.received < 16_000)
    // Articles that did not join are not stored for the pack.
    let kept: Int? = try fixture.cache.store.database.read { db in
      try db.value("SELECT count(*) FROM packArticle")
    }
    #expect(kept == pack.articles && pack.articles < 6)
  }

  @Test("A picture shared with a reserve article belongs to the chosen article")
  func shared() async throws {
    let fixture = try await Fixture(minutes: 8)
    let task = try #require(try fixture.cache.store.engine.packs.pendingPackItems().first)
    try await fixture.cache.store.engine.packs.finishPackItem(
      task, .text(MainContent(html: ""), minutes: 4, pictures: ["https://example.org/5.png"]),
      bytes: 10)
    #expect(try fixture.pack[.picture].waiting == 3)
    #expect(try fixture.cache.store.reader.packs.packed([fixture.articles[0]]).isEmpty)
  }

  @Test("A pack that a full disk stopped resumes where it was, including its sound")
  func fullDisk() async throws {
    let fixture = try await Fixture()
    #expect(try await !fixture.cache.store.reader.packs.resumePack())
    let first = try #require(try fixture.cache.store.engine.packs.pendingPackItems().first)
    try await fixture.cache.store.engine.packs.finishPackItem(
      first, .text(MainContent(html: ""), minutes: 4, pictures: []), bytes: 10)
    try await fixture.cache.store.engine.packs.endPack(.diskFull)
    #expect(try fixture.pack.end == .diskFull)
    #expect(try fixture.cache.store.engine.packs.pendingPackItems().isEmpty)
    #expect(try await fixture.cache.store.reader.packs.resumePack())
    #expect(try await fixture.fetch(bytes: 10).count == 11)
    let pack = try fixture.pack
    #expect(pack.isOpen && pack.articles == 6 && pack[.audio].waiting == 6)
    let audio = try #require(try fixture.cache.store.engine.packs.pendingPackItems().first)
    #expect(try fixture.cache.store.engine.packs.download(of: audio)?.isOfPack == true)
    // A pack that the user stopped stays stopped.
    try await fixture.cache.store.reader.packs.stopPack()
    #expect(try await !fixture.cache.store.reader.packs.resumePack())
  }
}
