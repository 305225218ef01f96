import FeedModel
import FeedStore
import Foundation
import TerminalKit
import Testing

@testable import ReaderUI

@Suite struct FullTextTests {
  private let page =
    "<p>The page begins like this.</p><p>And goes on, and on, for a while.</p>"

  private func opened() async throws -> (Robot, ArticleID) {
    let cache = try await TestCache.daily()
    let robot = await Robot(cache)
    await robot.press("Enter", "Enter")
    let rows = try cache.store.articles(ArticleQuery(scope: .all), .top, limit: 200)
    let row = try #require(rows.first { $0.title == "Why ETags are opaque" })
    return (robot, row.id)
  }

  @Test func theKeyAsksShowsAndTurnsBack() async throws {
    let (robot, id) = try await opened()
    robot.sees("a black box.")
    let before = robot.lines.firstIndex { $0.contains("a black box.") }
    await robot.press("x")
    robot.sees("fetching the full text …").sees("a black box.")
    #expect(before == robot.lines.firstIndex { $0.contains("a black box.") })
    #expect(try robot.cache.store.pendingFullTexts().map(\.article) == [id])

    try await robot.cache.store.finishFullText(id, .found(html: page))
    await robot.settle()
    robot.sees("The page begins like this.").sees("· full text").doesNotSee("a black box.")
    #expect(before == robot.lines.firstIndex { $0.contains("The page begins like this.") })
    await robot.press("x")
    robot.sees("a black box.").sees("the feed\u{2019}s text")
    await robot.press("x")
    robot.sees("The page begins like this.")
    // It is there again when the article is opened again.
    await robot.press("q", "Enter")
    robot.sees("The page begins like this.")
  }

  @Test func aFailureIsSaidInWordsWithWhatCanBeDone() async throws {
    let (robot, id) = try await opened()
    await robot.press("x")
    let failure = RefreshFailure(kind: .noArticle, since: robot.cache.clock.now)
    try await robot.cache.store.finishFullText(id, .failed(failure))
    await robot.settle()
    robot.sees("a black box.").sees("no full text").sees("x tries again")
    await robot.press("x")
    robot.sees("fetching the full text …")
  }

  @Test func offlineItSaysThatItWaits() async throws {
    let (robot, _) = try await opened()
    try await robot.cache.store.setSyncStatus(SyncStatus(grade: .offline))
    await robot.settle()
    await robot.press("x")
    robot.sees("Offline; the full text is fetched as soon as the line is back")
    robot.sees("comes when the line is back")
    try await robot.cache.store.setSyncStatus(SyncStatus(grade: .good))
    await robot.settle()
    robot.sees("fetching the full text …")
  }

  @Test func aTextThatComesUnaskedWaitsForWhoReads() async throws {
    let (robot, id) = try await opened()
    await robot.press("j")
    let line = robot.lines.firstIndex { $0.contains("a black box.") }
    let store = robot.cache.store
    _ = try await store.turnFullText(id)
    try await store.finishFullText(id, .found(html: page))
    await robot.settle()
    robot.sees("a black box.").doesNotSee("The page begins").sees(". shows it")
    #expect(line == robot.lines.firstIndex { $0.contains("a black box.") })
    await robot.press(".")
    robot.sees("The page begins like this.").doesNotSee("a black box.")
  }

  @Test func itCanBeAskedForFromTheList() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", "x")
    robot.sees("Fetching the full text")
    #expect(try robot.cache.store.pendingFullTexts().count == 1)
  }

  @Test func aFeedCanBeSetToBringItAlways() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", ":").type("always-full-text").press("Enter")
    robot.sees("is fetched from now on")
    let feeds = try robot.cache.store.subscriptions().feeds
    #expect(feeds.count(where: \.fetchesFullText) == 1)
    await robot.press(":").type("always-full-text").press("Enter")
    robot.sees("come with the feed")
    #expect(try robot.cache.store.subscriptions().feeds.allSatisfy { !$0.fetchesFullText })
  }
}
