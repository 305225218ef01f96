@testable import ReaderServices
@testable import ReaderUI

@Suite("Packs on the screen") struct PackTests {
  /// Returns a cache with three articles; a pack has two ready and waits for the text of the third.
  private func packed() async throws -> TestCache {
    let cache = try TestCache()
    try await cache.feed(
      "News", url: "https://news.example/feed",
      [.item("One", minutes: 1), .item("Two", minutes: 2), .item("Three", minutes: 3)])
    let rows = try cache.store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 9)
    try await cache.store.reader.packs.startPack(
      rows.enumerated().map { index, row in
        PackArticle(id: row.id, minutes: 4, page: index == 2 ? "https://news.example/3" : nil)
      }, budget: 1_000_000)
    return cache
  }

  @Test("While a pack is made, articles that are ready have a mark, and the list shows their share")
  func marks() async throws {
    let cache = try await packed()
    let robot = await Robot(cache, width: 80)
    await robot.press("Enter").sees("66 % offline")
    #expect(robot.lines.count { $0.contains("◍") } == 2)
    try robot.matches("pack-list-80x24")
    // The third becomes ready.
    let task = try #require(try cache.store.engine.packs.pending().first)
    try await cache.store.engine.packs.finishPackItem(
      task, .text(MainContent(html: "<p>Whole</p>"), minutes: 4, pictures: []), bytes: 2_000)
    await robot.waitUntilIdle().doesNotSee("% offline", "◍")
    try await cache.store.engine.requests.setSyncStatus(SyncStatus(quality: .offline))
    await robot.waitUntilIdle().sees("100 % offline")
    #expect(robot.lines.count { $0.contains("◍") } == 3)
  }

  @Test("Without a recent pack, the list shows nothing about packs")
  func silence() async throws {
    let cache = try TestCache()
    try await cache.feed("News", url: "https://news.example/feed", [.item("One", minutes: 1)])
    let robot = await Robot(cache, width: 80)
    await robot.press("Enter").doesNotSee("offline", "◍")
    let old = try await packed()
    old.clock.now += 20 * 86_400
    let later = await Robot(old, width: 80)
    await later.press("Enter")
    later.doesNotSee("offline").doesNotSee("◍")
  }

  @Test("A list of which the pack has nothing shows no share")
  func noShare() async throws {
    let cache = try await packed()
    try await cache.feed("Blog", url: "https://blog.example/feed", [.item("Fourth", minutes: 4)])
    let robot = await Robot(cache, width: 80)
    await robot.press("G", "Enter").sees("Fourth").doesNotSee("offline")
  }

  @Test("A pack is started with a size, a search and sound, and a wrong size is reported")
  func starting() async throws {
    let robot = await Robot(try await packed(), width: 80)
    await robot.press(":pack").sees("At most", "100M").press("Enter")
    robot.sees("3 articles, 12 min to read")
    await robot.press(":pack 2G feed:news audio")
    #expect(
      robot.actions.packRequests == [
        PackRequest(budget: "100M"), PackRequest(budget: "2G", query: "feed:news", audio: true),
      ])
    await robot.press(":pack many")
    robot.sees("\u{201C}many\u{201D} is not a size such as 20M or 1.5G.")
  }
}
