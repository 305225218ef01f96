@testable import ArticleScreens
@testable import ReaderServices
@testable import ReaderUI

/// Removals by another process or by an account's server.
@Suite("Removed articles and lists") struct VanishingTests {
  @Test("A filter whose list was removed can be closed") func goneListFilterCloses() async throws {
    let (cache, robot) = try await Robot.reading(.daily(), width: 140, height: 40)
    let rachel = try #require(
      try cache.store.reader.feeds.feed(url: "https://rachel.example/atom.xml"))
    await robot.press("/").type("Rachel").press("Enter", "Enter", "/").type("quiet")
    try #require(robot.application.browser.articles?.source == .feed(rachel.id))
    try await cache.store.reader.feeds.unsubscribe([rachel.id])
    await robot.waitUntilIdle()
    // Keys typed into the filter are not commands.
    await robot.type("D").press("Esc")
    #expect(robot.application.browser.prompt == nil)
    #expect(try cache.store.reader.feeds.subscriptions().feeds.count == 6)
    await robot.press("Q")
    #expect(robot.actions.quits == 1)
  }

  @Test("Opening an article that was removed opens no other article")
  func goneRowOpensNothing() async throws {
    let robot = try await Robot(.daily())
    await robot.press("Enter", "Enter", "h").selects("Why ETags are opaque")
    let browser = robot.application.browser
    // Enter does this on a row whose article was deleted before the screen was updated.
    browser.open(ArticleID(rawValue: 1_000_000))
    await robot.waitUntilIdle().sees("no longer here").selects("Why ETags are opaque")
    #expect(browser.focus == .articles)
  }

  @Test("The open article stays when its list is removed")
  func articleOutlivesItsList() async throws {
    let cache = try await TestCache.daily()
    let rows = try cache.store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 50)
    let id = try #require(rows.first { $0.title == "Why ETags are opaque" }?.id)
    try await cache.store.reader.states.changeTags(of: [id], adding: ["later"], removing: [])
    let robot = await Robot(cache)
    await robot.press("/").type("later").press("Enter", "Enter", "Enter").sees("a black box")
    try #require(robot.application.browser.articles?.source == .tag("later"))
    await robot.press("t", "Ctrl-w", "Enter").sees("No tags on")
    let folder = try #require(try cache.store.reader.feeds.subscriptions().folders.first?.id)
    try await cache.store.reader.folders.rename(folder, to: "Other")
    await robot.waitUntilIdle()
    #expect(robot.application.browser.focus == .reader)
    #expect(robot.application.browser.articles == nil)
    robot.sees("a black box")
    // The keys go back to the feeds, and on to unread articles of the selected feed.
    await robot.press("s")
    #expect(try cache.store.reader.articles.article(id)?.row.status.isStarred == true)
    await robot.press("p", "n").doesNotSee("a black box", "No unread articles left here")
    #expect(robot.application.browser.focus == .reader)
    await robot.press("q", "q")
    #expect(robot.application.browser.focus == .feeds)
  }

  @Test(
    "A message names the selected feed if another process removed it, and not if the user did",
    arguments: [(["Esc"], 80), (["Enter"], 80), (["Esc"], 140), (["Enter"], 140)])
  func aRemovedFeedIsNamed(keys: [String], width: Int) async throws {
    for isOwn in [false, true] {
      let (cache, robot) = try await Robot.reading(.daily(), width: width)
      let rachel = try #require(
        try cache.store.reader.feeds.feed(url: "https://rachel.example/atom.xml"))
      await robot.press("/").type("Rachel").press("Enter")
      for key in keys { await robot.press(key) }
      if isOwn {
        await robot.press(":unsubscribe", "y").sees("Unsubscribed from Rachel").doesNotSee(
          "was removed")
      } else {
        try await cache.store.reader.feeds.unsubscribe([rachel.id])
        await robot.waitUntilIdle().sees("Rachel was removed")
      }
    }
  }

  @Test("A renamed feed has its new name in the reader too")
  func renamedFeedInReader() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("Enter", "Enter").sees("a black box", "Rachel")
    let rachel = try #require(
      try cache.store.reader.feeds.feed(url: "https://rachel.example/atom.xml"))
    try await cache.store.reader.feeds.edit(rachel.id) { $0.title = "R. by the bay" }
    await robot.waitUntilIdle().sees("R. by the bay")
  }
}
