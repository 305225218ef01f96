@testable import ArticleScreens
@testable import ReaderServices
@testable import ReaderUI

@Suite("The notice of old articles that come as new") struct OldArrivalNoticeTests {
  @Test("A feed with new ids for its items is reported once; one key marks them read in one step")
  func changedIDs() async throws {
    let cache = try TestCache()
    func items(_ name: String) -> [ParsedItem] {
      (1...14).map { .item("\(name) \($0)", minutes: Double($0)) }
    }
    let feed = try await cache.feed("Planet", [.item("Known", minutes: 0)])
    let robot = await Robot(cache, width: 110)
    await robot.press(":lists old").sees("No feed has brought old articles")
    try await cache.merge(feed, "Planet", items("Again"))
    await robot.waitUntilIdle()
    robot.sees("14 old ones in Planet came as new; :lists old shows them or marks them read")
    await robot.press("j", ":lists old").sees("Show 14 old ones", "Mark 14 old ones read")
    await robot.press("Down", "Enter").sees("14 articles marked read")
    #expect(try cache.store.reader.feeds.feed(feed)?.counts.unread == 1)
    await robot.press("u")
    if try cache.store.reader.feeds.feed(feed)?.counts.unread == 1 { await robot.press("y") }
    #expect(try cache.store.reader.feeds.feed(feed)?.counts.unread == 15)
    await robot.press(":lists old").sees("No feed has brought old articles")
  }

  @Test("The reported articles are shown as a list") func list() async throws {
    let cache = try TestCache()
    let feed = try await cache.feed("Planet", [.item("Known", minutes: 0)])
    let robot = await Robot(cache, width: 110)
    try await cache.merge(
      feed, "Planet", (1...12).map { .item("Again \($0)", minutes: Double($0)) })
    await robot.waitUntilIdle()
    await robot.press(":lists old", "Enter").sees("Again 1")
    let list = try #require(robot.application.browser.articles)
    #expect(list.model.rows.count == 12 && !list.model.rows.contains { $0.title == "Known" })
  }
}
