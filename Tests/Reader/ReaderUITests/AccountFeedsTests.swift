@testable import ReaderUI

@Suite("Feeds of accounts in the list of feeds") struct AccountFeedsTests {
  @Test("Unsubscribing from an account's feed asks first, and its undo sends nothing")
  func unsubscribing() async throws {
    let (cache, robot) = try await Robot.reading(.accounts(busy: false), width: 140, height: 40)
    await robot.press("/").type("debian").press("Enter")
    await robot.press("D").sees("at FreshRSS too?")
    await robot.press("n")
    #expect(try cache.store.reader.accounts.outbox(of: nil, limit: 9).isEmpty)
    await robot.press("D", "y").sees("sent to FreshRSS in 30 seconds")
    #expect(try cache.accounts.outbox(of: nil, limit: 9).map(\.change) == [.subscribed(false)])
    await robot.press("u")
    #expect(try cache.store.reader.accounts.outbox(of: nil, limit: 9).isEmpty)
  }

  @Test("A local feed moved to an account's folder is subscribed to at the server after a question")
  func moving() async throws {
    let (cache, robot) = try await Robot.reading(.accounts(busy: false), width: 140, height: 40)
    let feed = try #require(try cache.feeds.subscriptions().feeds.first { $0.name == "SQLite" })
    await robot.press("/").type("sqlite").press("Enter")
    await robot.press(":").type("move-to-folder FreshRSS/Linux").press("Enter")
    robot.sees("Move SQLite, and subscribe to it at FreshRSS?")
    await robot.press("n")
    #expect(try cache.store.reader.feeds.feed(feed.id)?.account == nil)
    await robot.press(":").type("move-to-folder FreshRSS/Linux").press("Enter").press("y")
    robot.sees("SQLite is in FreshRSS/Linux")
    #expect(try cache.store.reader.feeds.feed(feed.id)?.account != nil)
    #expect(try cache.accounts.outbox(of: nil, limit: 9).map(\.change) == [.subscribed(true)])
  }
}
