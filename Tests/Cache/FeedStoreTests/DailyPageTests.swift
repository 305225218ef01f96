@Suite("The daily page") final class DailyPageTests: CacheSuite {
  /// An article that takes some minutes.
  private static func item(
    _ name: String, minutes: Int, hours: Double = 0, url: String? = nil
  ) -> ParsedItem {
    var item = ParsedItem.named(name, hours: hours)
    item.contentHTML = "<p>" + String(repeating: "word ", count: minutes * 240) + "</p>"
    if let url { item.url = url }
    return item
  }

  private static func titles(
    _ cache: TestCache, _ minutes: Int? = nil, in store: FeedStore? = nil
  ) async throws -> [String] {
    let reader = (store ?? cache.store).reader
    return try await reader.plan.dailyPage(minutes: minutes).articles.compactMap {
      try reader.articles.article($0)?.row.title
    }
  }

  @Test("High feeds come first, then new articles; two of a feed at most")
  func order() async throws {
    let feeds = [
      try await cache.feed("plain"), try await cache.feed("other"), try await cache.feed("high"),
    ]
    try await cache.feeds.setPriority(feeds[2], .high)
    for (feed, name) in zip(feeds, ["plain", "other", "high"]) {
      try await cache.merge(
        feed, (1...3).map { Self.item("\(name) \($0)", minutes: 2, hours: Double($0)) })
    }
    #expect(
      try await Self.titles(cache, 60) == [
        "high 1", "high 2", "other 1", "plain 1", "other 2", "plain 2",
      ])
    #expect(try cache.plan.countBeyondDailyPage() == 3)
    let beyond = try cache.plan.beyondDailyPage().compactMap {
      try cache.articles.article($0)?.row.title
    }
    #expect(Set(beyond) == ["plain 3", "other 3"])
  }

  @Test("The page holds what fits its minutes; a long article gives way to shorter ones")
  func minutes() async throws {
    for (number, minutes) in [30, 6, 9, 4, 2].enumerated() {
      try await cache.merge(
        try await cache.feed("\(number)"),
        [Self.item("\(minutes) min", minutes: minutes, hours: Double(number))])
    }
    #expect(try await Self.titles(cache) == ["6 min", "9 min", "4 min"])
    #expect(try await Self.titles(cache, 5) == ["4 min"])
    #expect(try await Self.titles(cache, 1) == [])
    let slow = try FeedStore.open(directory: TestCache.freshDirectory(), options: StoreOptions())
    defer { slow.close() }
    #expect(try await slow.reader.plan.dailyPage(minutes: 20).articles == [])
  }

  @Test("Read articles, quiet feeds and duplicates are not on the page")
  func leftOut() async throws {
    let feeds = [
      try await cache.feed("a"), try await cache.feed("b"), try await cache.feed("quiet"),
    ]
    let page = "https://pages.example/story"
    let read = try await cache.merge(
      feeds[0],
      [Self.item("read", minutes: 1), Self.item("story", minutes: 1, hours: 1, url: page)]
    ).added
    try await cache.merge(feeds[1], [Self.item("story", minutes: 1, hours: 2, url: page)])
    try await cache.merge(feeds[2], [Self.item("quiet", minutes: 1)])
    try await cache.feeds.setPriority(feeds[2], .quiet)
    let titles = try read.map { try cache.articles.article($0)?.row.title }
    let id = read[try #require(titles.firstIndex(of: "read"))]
    try await cache.states.set(.read, [id], true)
    #expect(try await Self.titles(cache) == ["story"])
    // A high feed's copy is the same story.
    try await cache.feeds.setPriority(feeds[1], .high)
    #expect(try await Self.titles(cache, 10) == ["story"])
  }

  @Test("The page is kept for its day, in other processes too; other minutes choose a new one")
  func kept() async throws {
    let feed = try await cache.feed("a")
    try await cache.merge(feed, [Self.item("first", minutes: 3)])
    #expect(try cache.plan.minutesOfDailyPage() == nil)
    let page = try await cache.plan.dailyPage()
    #expect(page.minutes == 20)
    try await cache.merge(
      feed, [Self.item("first", minutes: 3), Self.item("second", minutes: 3, hours: -1)])
    try await cache.states.set(.read, page.articles, true)
    #expect(try await Self.titles(cache, 20) == ["first"])
    let other = try cache.another()
    #expect(try await Self.titles(cache, in: other) == ["first"])
    #expect(try other.reader.plan.dailyPageHits().ids == page.articles)
    other.close()
    #expect(try cache.plan.countBeyondDailyPage() == 1)

    #expect(try await Self.titles(cache, 10) == ["second"])
    #expect(try cache.plan.minutesOfDailyPage() == 10)
    cache.clock.now = TestCache.start + 86_400
    #expect(try cache.plan.minutesOfDailyPage() == nil)
    #expect(try cache.plan.dailyPageHits().count == 0)
    try await cache.states.set(.read, page.articles, false)
    #expect(try await Self.titles(cache) == ["second", "first"])
  }

  @Test("An article of unknown length counts four minutes") func unknownLength() async throws {
    for number in 0..<8 {
      var item = Self.item("\(number)", minutes: 1, hours: Double(number))
      item.contentHTML = ""
      try await cache.merge(try await cache.feed("\(number)"), [item])
    }
    #expect(try await Self.titles(cache).count == 5)
  }
}
