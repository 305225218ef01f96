@testable import ArticleScreens
@testable import ReaderServices
@testable import ReaderUI

/// Requests are written to the cache, and answers are read from it.
@Suite("Refreshing and adding feeds") struct RefreshTests {
  @Test("Refreshing a folder stores one request, and another key press shows what it waits for")
  func folderIsRequestedOnce() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("j", "j", "r").sees("⟳ 0/3")
    await robot.press("r").sees("Already refreshing: 0 of 3 done, 3 wait for their turn")
    let lwn = try #require(try cache.store.reader.feeds.feed(url: "https://lwn.example/feed"))
    var status = try cache.requests.syncStatus()
    status.refreshing = [lwn.id]
    try await cache.store.engine.requests.setSyncStatus(status)
    await robot.press("r")
    robot.sees("Already refreshing: 0 of 3 done, waiting for lwn.example and 2 others")
    try await cache.store.reader.requests.setPaused(.everything, true)
    await robot.waitUntilIdle().sees("⏸ paused  ⟳ 0/3")
    await robot.press("r").sees("Already refreshing: 0 of 3 done, paused")
    #expect(try cache.requests.refreshRequests(finishedSince: .distantFuture).count == 1)
  }

  @Test("A refresh whose end is not shown yet does not keep the next one from beginning")
  func endIsNotShown() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("j", "j", "r").sees("⟳ 0/3")
    let requests = cache.store.reader.requests
    let first = try #require(try requests.refreshRequests(finishedSince: .distantFuture).first)
    try await requests.cancelRefresh(first.id)
    await robot.press("r")
    let waiting = try requests.refreshRequests(finishedSince: .distantFuture).map(\.id)
    #expect(waiting.count == 1 && waiting != [first.id])
  }

  @Test("The top bar shows the progress of a sync and the server that it waits for")
  func waiting() async throws {
    let (cache, robot) = try await Robot.reading(.daily(), width: 110)
    await robot.press("j", "j", "r")
    let lwn = try #require(try cache.store.reader.feeds.feed(url: "https://lwn.example/feed"))
    var status = SyncStatus(quality: .good, isRunning: true, done: 57, total: 58)
    (status.startedAt, status.refreshing) = (cache.clock.now - 40, [lwn.id])
    try await cache.store.engine.requests.setSyncStatus(status)
    await robot.waitUntilIdle().sees("⟳ 57/58")
    robot.sees("⟳ LWN")
    cache.clock.now += 23
    robot.pass(1).sees("⟳ 57/58 · waiting for lwn.example (23 s)")
    await robot.press("S").sees("57 of 58 · waiting for lwn.example (23 s)")
    #expect(!robot.topBar.contains("57"))
  }

  @Test("The time left is at least as long as a server has been silent")
  func silence() {
    func left(silence: Double) -> String? {
      SyncWording.timeLeft(
        done: 57, total: 58, since: TestCache.start - 57, silence: silence, now: TestCache.start)
    }
    #expect(left(silence: 0) == "1 s left")
    #expect(left(silence: 40) == "40 s left")
  }

  @Test("Moving up twice at the top of a list requests a refresh")
  func movingUpAtTopRefreshes() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("Enter", "k").sees("↑ again to refresh")
    // A held key does not count as a second press.
    await robot.press("k", "k")
    #expect(try cache.store.reader.requests.refreshRequests(finishedSince: .distantFuture).isEmpty)
    cache.clock.now += 1
    await robot.press("Up").sees("⟳ 0/7")
    #expect(try cache.requests.refreshRequests(finishedSince: .distantFuture).count == 1)
  }

  @Test("The result of a refresh disappears at the next key or after a while")
  func resultDisappears() async throws {
    for usesKey in [true, false] {
      let (cache, robot) = try await Robot.reading(.daily())
      await robot.press("G", "r")
      let feed = try #require(try cache.store.reader.feeds.subscriptions().feeds.last)
      try await cache.merge(feed.id, feed.name, [.item("New here", minutes: 0)])
      await robot.waitUntilIdle().sees("1 feed, 1 new")
      if usesKey { await robot.press("k") } else { robot.timers.pass(10) }
      robot.doesNotSee("1 feed, 1 new")
    }
  }

  @Test("A result that arrives while a key is held is shown until the second key after it")
  func resultBetweenKeys() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("G", "r")
    let feed = try #require(try cache.store.reader.feeds.subscriptions().feeds.last)
    robot.timers.pass(1)
    robot.turn([.character("k")])
    try await cache.merge(feed.id, feed.name, [.item("New here", minutes: 0)])
    await cache.announcements()
    for key: Character in "jkjkjk" {
      robot.pass(0.09).doesNotSee("1 feed, 1 new")
      robot.turn([.character(key)])
    }
    robot.doesNotSee("1 feed, 1 new")
    robot.turn([.character("j")])
    robot.sees("1 feed, 1 new")
    robot.turn([.character("k")])
    robot.doesNotSee("1 feed, 1 new")
  }

  /// Returns a reader in which an article has arrived right after a key.
  private func arrivalBehindAKey() async throws -> Robot {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("G", "Enter")
    let feed = try #require(try cache.store.reader.feeds.subscriptions().feeds.last)
    robot.timers.pass(1)
    robot.turn([.character("j")])
    try await cache.merge(feed.id, feed.name, [.item("New here", minutes: 0)])
    await cache.announcements()
    return robot.doesNotSee("▲ 1 new")
  }

  @Test("A change that arrives while a key is held is drawn with the next key's frame")
  func changeBetweenKeys() async throws {
    let robot = try await arrivalBehindAKey()
    // The change is not delivered for half a second.
    for key: Character in "kjkjk" {
      robot.pass(0.09).doesNotSee("▲ 1 new")
      robot.turn([.character(key)])
    }
    robot.pass(0.09).doesNotSee("▲ 1 new")
    robot.turn([.character("j")])
    robot.pass(0.09).doesNotSee("▲ 1 new")
    robot.turn([.character("k")])
    robot.sees("▲ 1 new")
  }

  @Test("A change that was delivered between keys is drawn when the keys pause")
  func deliveredBetweenKeys() async throws {
    let robot = try await arrivalBehindAKey()
    for key: Character in "kjkjkj" {
      robot.timers.pass(0.09)
      robot.turn([.character(key)])
    }
    robot.doesNotSee("▲ 1 new")
    robot.pass(0.11).sees("▲ 1 new")
  }

  /// Delivers the change made by a new article. `unread` returns how many more the feeds show.
  private func newArticle() async throws -> (Robot, unread: () -> Int?) {
    let (cache, robot) = try await Robot.reading(.daily())
    let feed = try #require(try cache.store.reader.feeds.subscriptions().feeds.last)
    let model = robot.application.browser.feeds.model
    let unread = { model.feed(feed.id).map { $0.counts.unread - feed.counts.unread } }
    try await cache.merge(feed.id, feed.name, [.item("New here", minutes: 0)])
    await cache.announcements()
    robot.application.deliverChanges()
    #expect(unread() == 0)
    return (robot, unread)
  }

  @Test("After a change that no key caused, the feeds are read in the background")
  func backgroundRead() async throws {
    let (robot, unread) = try await newArticle()
    await robot.waitUntilIdle()
    #expect(unread() == 1)
  }

  @Test("A key that shows the feeds reads them at once, even during a background read")
  func keyReadsAtOnce() async throws {
    let (robot, unread) = try await newArticle()
    robot.application.browser.catchUp()
    #expect(unread() == 1)
    await robot.waitUntilIdle()
    #expect(unread() == 1)
  }

  @Test("A change that arrives between keys is drawn when the keys pause")
  func changesAreDrawnInPauses() async throws {
    let robot = try await arrivalBehindAKey()
    robot.pass(0.11).sees("▲ 1 new")
  }

  @Test("A request that was served before its row was seen is reported as finished")
  func servedRequestFinishes() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("G", "Enter")
    let feed = try #require(try cache.store.reader.feeds.subscriptions().feeds.last)
    let request = try await cache.store.reader.requests.requestRefresh(.feed(feed.id))
    try await cache.merge(feed.id, feed.name, [.item("New here", minutes: 0)])
    await robot.waitUntilIdle().sees("▲ 1 new")
    let application = robot.application
    PullToRefresh(context: application.context, refreshes: application.refreshes).follow(request)
    robot.pass(1).sees("1 feed, 1 new", "● New here").doesNotSee("▲")
  }

  @Test("The result of a refresh is shown even if its end is reported first")
  func earlyResultIsShown() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("G", "Enter")
    let feed = try #require(try cache.store.reader.feeds.subscriptions().feeds.last)
    let request = try await cache.store.reader.requests.requestRefresh(.feed(feed.id))
    try await cache.merge(feed.id, feed.name, [.item("New here", minutes: 0)])
    robot.application.browser.articles?.refreshFinished(request)
    await robot.waitUntilIdle().sees("● New here").doesNotSee("▲")
  }

  @Test("New articles of a requested refresh appear without a key if the list is at its top")
  func newArticlesAppearAtTop() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("G", "Enter", "r")
    let feed = try #require(try cache.store.reader.feeds.subscriptions().feeds.last)
    try await cache.merge(feed.id, feed.name, [.item("New here", minutes: 0)])
    await robot.waitUntilIdle().sees("● New here").doesNotSee("▲")
  }

  @Test("A failure is reported in words and can be retried")
  func failureCanBeRetried() async throws {
    let (cache, robot) = try await Robot.reading(.daily(), width: 110)
    await robot.press("G", "r")
    let feed = try #require(try cache.store.reader.feeds.subscriptions().feeds.last)
    try await cache.fail(feed.id, .httpStatus, status: 503)
    await robot.waitUntilIdle().sees("tech-ar.example answered 503; trying again 10:52")
    await robot.press("!").sees("Old Gazette", "since 10:42, 1 attempt")
    await robot.press("q", "r")
    #expect(try cache.requests.refreshRequests(finishedSince: .distantFuture).count == 1)
    robot.doesNotSee("[r] retry")
  }

  @Test("The feeds of the selected row are stored as the ones to refresh first")
  func whatIsRestedOnGoesFirst() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    let feeds = try cache.store.reader.feeds.subscriptions().feeds
    func visibleFeeds() async throws -> [String] {
      await robot.pass(1).waitUntilIdle()
      return try cache.store.engine.requests.visibleFeeds().compactMap { id in
        feeds.first { $0.id == id }?.name
      }
    }
    // A folder, open or closed.
    let systems: Set = ["LWN", "Old Gazette", "SQLite"]
    await robot.press("j", "j").selects("Systems")
    #expect(try await Set(visibleFeeds()) == systems)
    await robot.press("h", "k", "j").selects("Systems").doesNotSee("LWN")
    #expect(try await Set(visibleFeeds()) == systems)
    // A list of all feeds: those in view.
    await robot.press("k").selects("Starred")
    #expect(try await Set(visibleFeeds()) == Set(feeds.map(\.name)).subtracting(systems))
    // A feed alone; an article of a list of several.
    await robot.press("G")
    #expect(try await visibleFeeds() == ["أخبار التقنية"])
    await robot.press("k", "k", "k", "k", "k", "k", "Enter", "Enter").sees("a black box.")
    #expect(try await visibleFeeds().first == "Rachel")
  }

  @Test("A discovered feed is chosen, subscribed to and refreshed at once")
  func discoveredFeedIsAdded() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("a")
    await robot.key(.paste("https://blog.example/\n"))
    await robot.press("Enter").sees("Looking for feeds")
    let request = try #require(try cache.store.engine.discoveries.pending().first)
    #expect(request.url == "https://blog.example/")
    try await cache.store.engine.discoveries.finishDiscovery(
      request.id,
      .found([
        FeedCandidate(url: "https://blog.example/a", title: "A"),
        FeedCandidate(url: "https://blog.example/b", title: "B", latestTitles: ["The newest"]),
      ]))
    await robot.waitUntilIdle()
    await robot.press("j").sees("The newest")
    await robot.press("l", "Enter")
    let feed = try #require(try cache.store.reader.feeds.feed(url: "https://blog.example/b"))
    #expect(feed.folder != nil)
    robot.selects("https://blog.example/b").sees("Subscribed to B")
    let requests = try cache.store.reader.requests.refreshRequests(finishedSince: .distantFuture)
    #expect(requests.map(\.scope) == [.feed(feed.id)])
    #expect(try cache.store.reader.requests.discovery(request.id) == nil)
  }

  /// Returns a reader in which discovery of a typed address has failed.
  private func asked(
    _ text: String, _ failure: RefreshFailure.Kind
  ) async throws -> (cache: TestCache, robot: Robot) {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("a").type(text)
    await robot.press("Enter")
    let request = try #require(try cache.store.engine.discoveries.pending().first)
    try await cache.store.engine.discoveries.finishDiscovery(
      request.id, .failed(RefreshFailure(kind: failure, since: TestCache.start)))
    await robot.waitUntilIdle()
    return (cache, robot)
  }

  @Test("An address that is not a feed can be added unchecked")
  func nonFeedCanBeAdded() async throws {
    let (cache, robot) = try await asked("later.example", .notAFeed)
    robot.sees("This isn\u{2019}t a feed.", "add it unchecked")
    await robot.press("Enter")
    #expect(try cache.store.reader.feeds.feed(url: "https://later.example") != nil)
  }

  @Test(
    "A text that cannot be a web address is not offered for adding unchecked",
    arguments: [
      "hello world", "nonsense", "exec:ls", "file:/etc/passwd", "ftp://a.example/", "a..b c",
      "mailto:me@a.example", "https://", "https://a b.example/", "http://<x>.example/",
      "[::1", "http://[zz]/", "http://...", "http://a..b/", "https://a.example:99999/",
      "https://a.example:x/",
    ])
  func noAddress(text: String) async throws {
    let (cache, robot) = try await asked(text, .unsupportedScheme)
    robot.doesNotSee("add it unchecked")
    let count = try cache.store.reader.feeds.subscriptions().feeds.count
    await robot.press("Enter")
    #expect(try cache.store.reader.feeds.subscriptions().feeds.count == count)
  }

  @Test(
    "An address that does not answer can be added unchecked",
    arguments: [
      "later.example/feed", "http://nas/feed.xml", "localhost:8080/feed", "[::1]/feed",
      "https://bücher.example/", "192.168.1.2/feed",
      "https://a.example.:8443/", "http://[fe80::1%25eth0]:80/f", "हिन्दी.example", "my_host.example",
    ])
  func addresses(text: String) async throws {
    let (_, robot) = try await asked(text, .connectTimedOut)
    robot.sees("add it unchecked")
  }

  @Test("An address that is already subscribed to is selected instead of added again")
  func knownAddressIsSelected() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("a").type("https://rachel.example/atom.xml")
    await robot.press("Enter")
    let request = try #require(try cache.store.engine.discoveries.pending().first)
    try await cache.store.engine.discoveries.finishDiscovery(
      request.id, .found([FeedCandidate(url: "https://rachel.example/atom.xml")]))
    await robot.waitUntilIdle()
    await robot.press("Enter").selects("Rachel").sees("already have that feed")
  }

  @Test("Nothing is drawn while nothing changes")
  func unchangedIsNotDrawn() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("Enter")
    let count = robot.terminal.presentCount
    for _ in 0..<5 {
      robot.application.frame()
      try await cache.store.reader.requests.setVisibleFeeds([])
      await robot.waitUntilIdle()
      await robot.pass(60).waitUntilIdle()
    }
    #expect(robot.terminal.presentCount == count)
    robot.timers.pass(60)
    #expect(robot.timers.count == 0)
  }

  @Test("Several keys in one turn of the loop draw one frame")
  func aTurnOfTheLoopDrawsOnce() async throws {
    let robot = await Robot(try await .daily())
    let count = robot.terminal.presentCount
    robot.turn("jjjkjjj".map { .character($0) })
    #expect(robot.terminal.presentCount == count + 1)
  }
}
