@testable import ReaderServices
@testable import ReaderUI

@Suite("Marking parts of a list") struct MarkingPartsTests {
  private func unread(_ cache: TestCache, _ feed: FeedID) throws -> Int {
    try cache.store.reader.articles.count(ArticleQuery(scope: .feed(feed), filter: .unread))
  }

  @Test("Marking articles above or below the selection shows their number and asks first")
  func aboveAndBelow() async throws {
    let (cache, feed) = try await TestCache.large(300)
    let robot = await Robot(cache)
    await robot.press("G", "Enter", "1", "0", "j", ":mark-part above").sees(
      "Mark 10 articles read?")
    await robot.press("n")
    #expect(try unread(cache, feed) == 300)
    await robot.press(":mark-part above")
    await robot.press("y").sees("10 articles marked read")
    #expect(try unread(cache, feed) == 290)
    await robot.press(":mark-part below").sees("Mark 289 articles read?")
    await robot.press("y")
    #expect(try unread(cache, feed) == 1)
    await robot.press("u").sees("Undo: mark 289 articles unread?").press("y", "u")
    #expect(try unread(cache, feed) == 300)
    await robot.press("g g", ":mark-part above").sees("No unread articles above")
  }

  @Test("Articles older than a typed age are marked read, and an invalid age is rejected")
  func older() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("Enter", "g A").sees("Older than a week")
    await robot.type("1h").press("Enter").sees("read?")
    let before = try cache.store.reader.articles.count(ArticleQuery(scope: .all, filter: .unread))
    await robot.press("y")
    let after = try cache.store.reader.articles.count(ArticleQuery(scope: .all, filter: .unread))
    #expect(after < before)
    await robot.press("u")
    #expect(try cache.articles.count(ArticleQuery(scope: .all, filter: .unread)) == before)
    await robot.press("g A")
    await robot.type("soon").press("Enter").sees("Write above, below, or an age such as 3d")
  }

  @Test("Articles that stay unread are counted when a part of a list is marked read")
  func spared() async throws {
    let cache = try TestCache()
    let (plain, high) = (
      try await cache.feed("Plain", (0..<6).map { .item("Plain \($0)", minutes: Double($0)) }),
      try await cache.feed("Dear", [.item("Dear", minutes: 9)])
    )
    try await cache.store.reader.feeds.setPriority(high, .high)
    let rows = try cache.articles.page(ArticleQuery(scope: .feed(plain)), .top, limit: 9)
    try await cache.store.reader.states.set(.read, [rows[1].id, rows[2].id], true)
    try await cache.store.reader.states.set(.read, [rows[1].id, rows[2].id], false)
    let robot = await Robot(cache, width: 110)
    robot.application.browser.showList(.smart(.unread), opens: true)
    await robot.press("G", ":mark-part above").sees("Mark 4 articles read?").press("y")
    robot.sees("4 articles marked read, 2 kept unread; u undoes it")
    await robot.press(":mark-part above").sees("2 kept unread because you marked them")
    await robot.press("g g", ":mark-part below").sees(
      "1 of high priority left unread, 2 kept unread")
    await robot.press("g A").type("1m")
    await robot.press("Enter").sees("No unread article is that old")
  }

  @Test("Articles that the selection passes become read together, and one undo restores them")
  func passing() async throws {
    let (cache, feed) = try await TestCache.large(300)
    var configuration = ReaderConfiguration.test()
    configuration.marksPassed = true
    let robot = await Robot(cache, configuration: configuration)
    await robot.press("G", "Enter", "j", "j", "j")
    #expect(try unread(cache, feed) == 300)
    await robot.pass(1).waitUntilIdle()
    #expect(try unread(cache, feed) == 297)
    await robot.press("pagedown", "k", "G")
    await robot.pass(1).waitUntilIdle()
    let left = try unread(cache, feed)
    #expect(left < 297 && left > 260)
    await robot.press("u").sees("Undo: mark").press("y")
    #expect(try unread(cache, feed) == 297)
    await robot.press("u")
    #expect(try unread(cache, feed) == 300)
  }

  @Test("Passed articles are marked read when the list is left or the reader ends")
  func passingIsWrittenAtTheEnd() async throws {
    let (cache, feed) = try await TestCache.large(20)
    var configuration = ReaderConfiguration.test()
    configuration.marksPassed = true
    let robot = await Robot(cache, configuration: configuration)
    await robot.press("G", "Enter", "j", "q")
    #expect(try unread(cache, feed) == 19)
    await robot.press("Enter", "j", "j")
    await robot.application.stop()
    #expect(try unread(cache, feed) == 18)
  }

  @Test("A feed's own policy overrides the configuration") func policies() async throws {
    let (cache, feed) = try await TestCache.large(20)
    var options = FeedOptions()
    options.markRead = .passed
    let url = try #require(try cache.store.reader.feeds.feed(feed)).url
    func edit(_ options: FeedOptions) async throws {
      try await cache.store.reader.feeds.edit(
        feed, FeedEdit(title: nil, url: url, folder: [], isPaused: false, options: options))
    }
    try await edit(options)
    let robot = await Robot(cache)
    await robot.press("G", "Enter", "j", "q")
    #expect(try unread(cache, feed) == 19)
    options.markRead = .never
    try await edit(options)
    await robot.waitUntilIdle()
    await robot.press("Enter", "j", "j", "Enter", "q", "q")
    #expect(try unread(cache, feed) == 19)
  }

  @Test("The form of a feed shows where its values come from, and sets them")
  func form() async throws {
    let (cache, feed) = try await TestCache.large(5)
    let robot = await Robot(cache, width: 100, height: 40)
    await robot.press("G", "e").sees("Full text", "default").doesNotSee("Mark read", "Headers")
    await robot.press("tab", "tab", "tab", "space", "tab", "space", "tab", "tab", "space", "space")
    await robot.press("tab", "tab", "tab", "Enter", "tab", "tab", "tab")
    await robot.sees("Mark read", "Headers").type("10").press("Enter").sees(
      "Write a time from 15 minutes to a week")
    await robot.press("backspace", "backspace")
    await robot.type("2 hours").press("Enter")
    let own = try cache.store.reader.feeds.options(of: feed).own
    #expect(own.interval == .seconds(7_200))
    #expect(own.fullText == true)
    #expect(own.sort == .oldest)
    await robot.press("e").sees("fetch it", "downloads •", "Network •")
    await robot.press("tab", "tab", "tab", "tab", "space").sees("oldest first")
    await robot.press("esc", "u")
    #expect(try cache.store.reader.feeds.options(of: feed).own.isEmpty)
  }
}
