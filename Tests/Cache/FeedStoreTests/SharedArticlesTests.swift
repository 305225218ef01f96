@testable import CacheCore
@testable import FeedStore
@testable import WorkStore

@Suite("Articles in the shared folder") struct SharedArticlesTests {
  /// Devices with the feed "a" and three articles of it.
  private static func devices(_ count: UInt64) async throws -> [FolderDevice] {
    var devices: [FolderDevice] = []
    for number in 1...count {
      let device = try FolderDevice(number)
      let feed = try await device.cache.feed("a")
      try await device.cache.merge(feed, SharedFolderTests.items(1...3))
      try await device.join(devices)
      devices.append(device)
    }
    try await exchange(devices)
    return devices
  }

  /// Sets the clocks of all devices and wakes what is due on some of them.
  private func wake(_ devices: [FolderDevice], at time: Date, of all: [FolderDevice]) async throws {
    for device in all { device.cache.clock.now = time }
    for device in devices { try await device.reader.plan.endDueSnoozes() }
  }

  private func later(_ device: FolderDevice) throws -> [String] {
    var query = ArticleQuery(scope: .smart(.later))
    query.hits = try device.reader.articles.sorted(query, by: .later)
    return try device.cache.all(query).map(\.title)
  }

  private func row(_ title: String, of device: FolderDevice) throws -> ArticleRow {
    let rows = try device.cache.all(.all)
    return try #require(rows.first { $0.title == title })
  }

  @Test(
    "Articles that one device keeps are kept on the others, before and after the feed is removed",
    arguments: [true, false])
  func kept(isFirst: Bool) async throws {
    let devices = try await Self.devices(2)
    let (laptop, desk) = (devices[0], devices[1])
    let feed = try #require(try laptop.reader.feeds.subscriptions().feeds.first).id
    let (one, two) = (try desk.article("Story 1"), try desk.article("Story 2"))
    let keeper = isFirst ? laptop : desk
    try await keeper.reader.states.set(
      .later, [isFirst ? try laptop.article("Story 1") : one], true)
    try await keeper.reader.states.set(
      .starred, [isFirst ? try laptop.article("Story 2") : two], true)
    if isFirst { try await exchange(devices) }
    try await laptop.reader.feeds.unsubscribe([feed])
    try await exchange(devices)
    for device in devices {
      let kept = try device.cache.all(ArticleQuery(scope: .smart(.archived)))
      #expect(Set(kept.map(\.title)) == ["Story 1", "Story 2"])
      #expect(try later(device) == ["Story 1"])
    }
  }

  @Test("An article that woke stays unread on every device when its other states change")
  func wokenStaysUnread() async throws {
    let devices = try await Self.devices(2)
    let (laptop, desk) = (devices[0], devices[1])
    let until = TestCache.start + 7_200
    try await laptop.reader.states.set(.read, [try laptop.article("Story 2")], true)
    try await laptop.reader.plan.snooze([try laptop.article("Story 2")], until: until)
    try await exchange(devices)
    try await wake(devices, at: until + 5, of: devices)
    try await desk.reader.states.set(.starred, [try desk.article("Story 2")], true)
    try await exchange(devices)
    for device in devices {
      let row = try row("Story 2", of: device)
      #expect(!row.status.isRead && row.status.isStarred)
    }
    // A mark after waking counts.
    try await desk.reader.states.set(.read, [try desk.article("Story 2")], true)
    try await exchange(devices)
    for device in devices { #expect(try row("Story 2", of: device).status.isRead) }
  }

  @Test("A mark of a snoozed article is merged while the clock is before 1970")
  func clockBefore1970() async throws {
    let devices = try await Self.devices(2)
    let (laptop, desk) = (devices[0], devices[1])
    let id = try laptop.article("Story 2")
    let until = TestCache.start + 7_200
    try await laptop.reader.states.set(.read, [id], true)
    try await laptop.reader.plan.snooze([id], until: until)
    desk.cache.clock.now = Date(timeIntervalSince1970: -1_000)
    try await exchange(devices)
    #expect(try desk.articles().count == 2)
    try await wake(devices, at: until + 5, of: devices)
    for device in devices { #expect(try !row("Story 2", of: device).status.isRead) }
    #expect(try laptop.digest() == desk.digest())
  }

  @Test("A device that was off during a snooze lists the article as woken")
  func late() async throws {
    let devices = try await Self.devices(3)
    let until = TestCache.start + 7_200
    try await devices[0].reader.states.set(.read, [try devices[0].article("Story 3")], true)
    try await exchange(devices)
    try await devices[0].reader.plan.snooze([try devices[0].article("Story 3")], until: until)
    try await exchange([devices[0], devices[1]])
    try await wake(Array(devices.prefix(2)), at: until + 60, of: devices)
    try await exchange(devices)
    for device in devices {
      let first = try #require(try device.cache.all(.all).first)
      #expect(first.title == "Story 3" && !first.status.isRead)
    }
  }

  @Test("An article that the user wakes is on top and unread on every device")
  func wokenByUser() async throws {
    let devices = try await Self.devices(2)
    let id = try devices[0].article("Story 3")
    try await devices[0].reader.states.set(.read, [id], true)
    try await devices[0].reader.plan.snooze([id], until: TestCache.start + 86_400)
    try await exchange(devices)
    for device in devices { device.cache.clock.now = TestCache.start + 60 }
    try await devices[0].reader.plan.snooze([id], until: nil)
    try await exchange(devices)
    for device in devices {
      let first = try #require(try device.cache.all(.all).first)
      #expect(first.title == "Story 3" && !first.status.isRead)
    }
  }

  @Test("A snooze by a rule stays when another state of the article arrives")
  func otherSnoozes() async throws {
    let devices = try await Self.devices(2)
    let (laptop, desk) = (devices[0], devices[1])
    let id = try laptop.article("Story 1")
    try await laptop.reader.plan.snooze([id], until: TestCache.start + 7_200)
    _ = try await laptop.reader.journal.undo()
    try await exchange(devices)
    let until = (TestCache.start + 86_400).milliseconds
    let snoozed = try ["Story 1", "Story 2"].map { (try desk.article($0).rawValue, until) }
    try await desk.cache.store.database.change(.engine) { transaction in
      _ = try Snoozing.put(Dictionary(uniqueKeysWithValues: snoozed), .rule, transaction.db)
    }
    try await laptop.reader.states.set(.starred, [id], true)
    try await exchange(devices)
    #expect(try desk.cache.all(.all).count == 1)
  }

  @Test("Later has the same order on every device: kept last comes first")
  func laterOrder() async throws {
    let devices = try await Self.devices(2)
    for (second, title) in ["Story 2", "Story 3", "Story 1"].enumerated() {
      devices[0].cache.clock.now = TestCache.start + Double(second)
      try await devices[0].reader.states.set(.later, [try devices[0].article(title)], true)
    }
    for device in devices { device.cache.clock.now = TestCache.start + 60 }
    try await exchange(devices)
    for device in devices { #expect(try later(device) == ["Story 1", "Story 3", "Story 2"]) }
  }

  @Test("Older posts get the states that other devices gave them") func olderPosts() async throws {
    let devices = try await Self.devices(2)
    for (number, device) in devices.enumerated() {
      let feed = try #require(try device.reader.feeds.subscriptions().feeds.first).id
      _ = try await device.reader.olderPosts.request(feed, pages: 1)
      let page = OlderPostsPage(
        items: SharedFolderTests.items(10...12), next: nil,
        addresses: ["https://example.org/1"], bodyHash: "1")
      try await device.cache.store.engine.olderPosts.finish(feed, .page(page))
      guard number == 0 else { continue }
      try await device.reader.states.set(.starred, [try device.article("Story 11")], true)
      try await device.reader.states.set(.read, [try device.article("Story 12")], false)
      try await exchange(devices)
    }
    #expect(try devices[0].articles() == devices[1].articles())
    #expect(try row("Story 11", of: devices[1]).status.isStarred)
    #expect(try !row("Story 12", of: devices[1]).status.isRead)
  }
}
