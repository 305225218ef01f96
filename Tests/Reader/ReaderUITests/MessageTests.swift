@testable import ArticleScreens
@testable import ReaderServices
@testable import ReaderUI

@Suite("Failures in the status line") struct MessageTests {
  /// Returns a reader whose status line shows that a requested refresh of the last feed failed.
  private func failed() async throws -> (robot: Robot, feed: Feed) {
    let (cache, robot) = try await Robot.reading(.daily(), width: 110)
    await robot.press("G", "r")
    let feed = try #require(try cache.store.reader.feeds.subscriptions().feeds.last)
    try await cache.fail(feed.id, .httpStatus, status: 503)
    await robot.waitUntilIdle()
    #expect(robot.statusLine.contains("tech-ar.example answered 503"))
    return (robot, feed)
  }

  @Test("A key with a command in another pane names that pane")
  func keyOfAnotherPane() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", "Enter", ":move-feed-down").sees("works in the list of feeds")
    await robot.press("q", "q", "x").sees("x works in the list of articles")
    await robot.press("S", "Space").sees("Space works in the list of feeds")
  }

  @Test("On the problems screen, r retries the selected feed, not that of the last failure")
  func retryIsForSelectedFeed() async throws {
    let (robot, _) = try await failed()
    let store = robot.cache.store
    let old = try #require(try store.reader.feeds.feed(url: "https://gazette.example/rss"))
    await robot.press("!", "j").selects("Old Gazette")
    #expect(!robot.statusLine.contains("answered 503"))
    await robot.press("r").sees("Retrying Old Gazette")
    #expect(
      try store.reader.requests.refreshRequests(finishedSince: .distantFuture).map(\.scope) == [
        .feed(old.id)
      ])
  }

  @Test("A failure disappears at the next key, and its own keys work until then")
  func failureLeaves() async throws {
    let (robot, feed) = try await failed()
    await robot.press("r")
    #expect(
      try robot.cache.store.reader.requests.refreshRequests(finishedSince: .distantFuture).map(
        \.scope)
        == [.feed(feed.id)])
    try await robot.cache.fail(feed.id, .httpStatus, status: 503)
    await robot.waitUntilIdle().sees("answered 503", "[!] details")
    await robot.press("k").doesNotSee("answered 503").sees("Enter")
  }

  @Test("A failure that does not fit is wrapped above the keys of the screen")
  func longFailure() async throws {
    let robot = await Robot(try await .daily())
    robot.application.complain(
      "Configuration not reloaded; reader.theme: \"auto\", \"dark\", \"light\" or one of [themes] "
        + "expected, line 7; did you mean \"dark\"?")
    robot.sees("did you mean \"dark\"?", "Configuration not reloaded")
    #expect(robot.statusLine.contains("Enter"))
    await robot.press("j").doesNotSee("Configuration not reloaded")
  }

  @Test("A long name beside a failure ends in an ellipsis")
  func longNames() async throws {
    let cache = try TestCache()
    for host in ["one", "two"] {
      try await cache.feed(
        "The gazette of the town beyond the hills", url: "https://\(host).example/feed",
        [.item("A", minutes: 1)])
    }
    let robot = await Robot(cache, width: 120)
    for feed in try cache.store.reader.feeds.subscriptions().feeds {
      try await cache.fail(feed.id, .httpStatus, status: 404)
    }
    await robot.press("!").sees("The gazette of the town beyon\u{2026} ")
  }

  @Test("Feeds whose host requested a pause are summarised in one line and are not failures")
  func pauses() async throws {
    let (cache, robot) = try await Robot.reading(.daily(), width: 120, height: 40)
    await robot.press("R")
    let feeds = try cache.store.reader.feeds.subscriptions().feeds
    for feed in feeds { try await cache.fail(feed.id, .rateLimited, status: 429) }
    await robot.waitUntilIdle()
    robot.sees("7 feeds, nothing new; ", "ask for a pause (7 feeds)").doesNotSee("[!] details")
    await robot.press("!").sees("7 waiting", " asks for a pause")
    robot.doesNotSee("couldn\u{2019}t be refreshed")
  }

  @Test("A successful refresh of a feed removes the message of its failure")
  func refreshClearsFailure() async throws {
    let (robot, feed) = try await failed()
    let other = try #require(try robot.cache.store.reader.feeds.subscriptions().feeds.first)
    try await robot.cache.merge(other.id, other.name, [])
    await robot.waitUntilIdle()
    #expect(robot.statusLine.contains("tech-ar.example answered 503"))
    try await robot.cache.merge(feed.id, feed.name, [])
    await robot.waitUntilIdle()
    #expect(!robot.statusLine.contains("answered 503"))
  }

  @Test("Unsubscribing from a feed removes the message of its failure")
  func unsubscribingClearsError() async throws {
    let (robot, feed) = try await failed()
    try await robot.cache.store.reader.feeds.unsubscribe([feed.id])
    await robot.waitUntilIdle()
    #expect(!robot.statusLine.contains("answered 503"))
  }

  @Test("A failure of several feeds stays until the last of them succeeds")
  func jointFailureStays() async throws {
    let (cache, robot) = try await Robot.reading(.daily(), width: 110)
    await robot.press("R")
    let feeds = try cache.store.reader.feeds.subscriptions().feeds
    for feed in feeds.prefix(2) { try await cache.fail(feed.id, .connectTimedOut) }
    for feed in feeds.dropFirst(2) { try await cache.merge(feed.id, feed.name, []) }
    await robot.waitUntilIdle().sees("2 of 7 feeds couldn\u{2019}t be refreshed:")
    try await cache.merge(feeds[0].id, feeds[0].name, [])
    await robot.waitUntilIdle().sees("2 of 7 feeds couldn\u{2019}t be refreshed:")
    try await cache.merge(feeds[1].id, feeds[1].name, [])
    await robot.waitUntilIdle().doesNotSee("couldn\u{2019}t be refreshed")
  }

  @Test("A reader that is set offline shows that, except while another process syncs")
  func offlineReaderSaysSo() async throws {
    let cache = try await TestCache.daily()
    let configuration = ReaderConfiguration.test { $0.isOffline = true }
    let robot = await Robot(cache, configuration: configuration)
    #expect(robot.topBar.contains("offline, last updated 10:42"))
    #expect(try cache.store.reader.requests.syncStatus().quality == .good)
    var status = try cache.store.reader.requests.syncStatus()
    (status.isRunning, status.done, status.total) = (true, 1, 8)
    try await cache.store.engine.requests.setSyncStatus(status)
    await robot.waitUntilIdle()
    #expect(!robot.topBar.contains("offline"))
  }

  @Test("A valid configuration removes the complaint about the earlier one")
  func configurationErrorClears() async throws {
    let robot = await Robot(try await .daily())
    robot.application.complain(
      "Configuration not reloaded; reader.theme: \"auto\" expected, line 7")
    robot.sees("Configuration not reloaded; reader.theme")
    robot.application.configure(.test())
    robot.doesNotSee("Configuration not reloaded")
  }

  @Test("A path that cannot be imported stays in the form, with the reason")
  func rejectedPath() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("a").type("~/missing").press("Enter").sees("~/missing", "does not exist")
    await robot.key(.left).type("-").sees("~/missin-g").doesNotSee("does not exist")
    await robot.key(.end, .control("u")).type("~/feeds/one").press("Tab").sees("~/feeds/one.opml")
    await robot.press("Enter").sees("3 feeds added")
    #expect(robot.application.browser.sheet == nil && robot.actions.imported.count == 1)
  }

  @Test("A long title is shortened in a message, whose end stays visible")
  func longTitle() async throws {
    let cache = try TestCache()
    let title = String(repeating: "Long title ", count: 40)
    try await cache.feed(title, url: "https://long.example/feed")
    let robot = await Robot(cache)
    await robot.press("G", "D").sees("Unsubscribed from Long title", "u brings it back")
  }

  @Test("A slow import does not delay a star")
  func slowImportDelaysNoStar() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("Enter", "a")
    robot.turn("/slow".map { Key.character($0) } + [.enter, .escape, .escape, .character("s")])
    let article = try #require(robot.application.browser.articles?.model.selectedRow?.id)
    func isStarred() throws -> Bool {
      try cache.store.reader.articles.article(article)?.row.status.isStarred == true
    }
    let deadline = Patience.end
    while try !isStarred(), ContinuousClock.now < deadline { await Task.yield() }
    #expect(try isStarred())
    #expect(robot.actions.imported.isEmpty)
    robot.application.context.session.importing = nil
    await robot.waitUntilIdle()
  }
}
