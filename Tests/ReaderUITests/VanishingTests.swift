import FeedModel
import FeedStore
import TerminalKit
import Testing

@testable import ReaderUI

/// What is on the screen goes away elsewhere: in another process, or at an account's server.
@Suite struct VanishingTests {
  @Test func aFilterWhoseListIsGoneCanBeClosed() async throws {
    let cache = try await TestCache.daily()
    let robot = await Robot(cache, width: 140, height: 40)
    let rachel = try #require(try cache.store.feed(url: "https://rachel.example/atom.xml"))
    await robot.press("/").type("Rachel").press("Enter", "Enter", "/").type("quiet")
    try #require(robot.application.browser.articles?.source == .feed(rachel.id))
    try await cache.store.unsubscribe([rachel.id])
    await robot.settle()
    // What is still typed is no command.
    await robot.type("D").press("Esc")
    #expect(robot.application.browser.prompt == nil)
    #expect(try cache.store.subscriptions().feeds.count == 6)
    await robot.press("Q")
    #expect(robot.actions.quits == 1)
  }

  @Test func aRowThatIsGoneLeadsToNoOtherArticle() async throws {
    let cache = try await TestCache.daily()
    let robot = await Robot(cache)
    await robot.press("Enter", "Enter", "h").selects("Why ETags are opaque")
    let browser = robot.application.browser
    // As Enter would on a row whose article was cleared away before the screen has heard of it.
    browser.open(ArticleID(rawValue: 1_000_000))
    await robot.settle()
    robot.sees("no longer there").selects("Why ETags are opaque")
    #expect(browser.focus == .articles)
  }
}
