/// Addresses that the user did not enter: of other devices, redirects and lists.
@Suite("Addresses that others name") struct SharedAddressTests {
  private static let list = "https://lists.example/opml"

  private static func secrets() -> FeedOptions {
    var options = FeedOptions()
    options.headers = "Authorization: Bearer secret"
    options.cookies = "/home/me/cookies.txt"
    options.proxy = "http://proxy.example:1/"
    return options
  }

  private static func entrust(_ feed: FeedID, in cache: TestCache) async throws {
    try await cache.feeds.edit(
      feed,
      FeedEdit(
        title: nil, url: "https://example.org/a", folder: [], isPaused: false, options: secrets()))
  }

  /// A device whose feed "a" has secrets.
  private static func device() async throws -> (FolderDevice, FeedID) {
    let desk = try FolderDevice(2)
    let feed = try await desk.cache.feed("a")
    try await entrust(feed, in: desk.cache)
    try await desk.join()
    return (desk, feed)
  }

  private static func entries(of url: String, at seconds: Int64 = 0) -> [Entry] {
    let key = Entry.Subject.feed(FeedKey(address: "https://example.org/a"))
    let time = Timestamp(milliseconds: TestCache.start.milliseconds + seconds * 1_000)
    return [
      Entry(number: 1, time: time, subject: key, field: .url, value: .string(url)),
      Entry(
        number: 1, time: time, subject: key, field: .subscribed, value: .integer(1),
        rest: ["url": .string(url)]),
    ]
  }

  @Test(
    "At another origin, what the user entrusted to the former one stays behind, and undo restores it",
    arguments: [
      "http://evil.example/f", "https://example.org:8443/a", "http://example.org:8080/a",
      "https://example.org.evil.example/a",
    ], [0, 1])
  func otherOrigin(url: String, kind: Int) async throws {
    let (desk, feed) = try await Self.device()
    try await desk.folder.receive([Self.entries(of: url)[kind]], from: DeviceID(rawValue: 1))
    let record = try #require(try desk.cache.engine.fetches.fetchRecord(feed))
    #expect(record.url == url && record.listURL == FetchRows.sharedFolder)
    let options = record.options
    #expect(options.headers == nil && options.cookies == nil && options.proxy == nil)
    #expect(try await desk.reader.journal.undo()?.kind == .removedElsewhere)
    let restored = try #require(try desk.cache.engine.fetches.fetchRecord(feed))
    #expect(restored.url == "https://example.org/a" && restored.listURL == nil)
    #expect(restored.options.headers == Self.secrets().headers)
    #expect(restored.options.proxy == Self.secrets().proxy)
  }

  @Test("At the same origin it goes along") func sameOrigin() async throws {
    let (desk, feed) = try await Self.device()
    let moved = "https://example.org/moved"
    try await desk.folder.receive([Self.entries(of: moved)[0]], from: DeviceID(rawValue: 1))
    let record = try #require(try desk.cache.engine.fetches.fetchRecord(feed))
    #expect(record.url == moved && record.listURL == nil)
    #expect(record.options.headers == Self.secrets().headers)
  }

  @Test("The ban of a list on private networks stays when the feed moves")
  func banOfList() async throws {
    let desk = try FolderDevice(2)
    let entry = OutlineEntry(url: "https://example.org/a")
    let feed = try await desk.reader.feeds.subscribe([entry], from: Self.list).added[0]
    try await desk.join()
    for (second, url) in ["https://example.org/moved", "https://evil.example/"].enumerated() {
      try await desk.folder.receive(
        [Self.entries(of: url, at: Int64(second))[0]], from: DeviceID(rawValue: 1))
      #expect(try desk.cache.engine.fetches.fetchRecord(feed)?.url == url)
      #expect(try desk.cache.engine.fetches.fetchRecord(feed)?.listURL != nil)
    }
    try await desk.reader.feeds.edit(feed) { $0.url = "https://mine.example/" }
    #expect(try desk.cache.engine.fetches.fetchRecord(feed)?.listURL == nil)
  }

  @Test("An undone change of the address keeps the ban of the list")
  func undoneAddress() async throws {
    let cache = try TestCache()
    let entry = OutlineEntry(url: "https://example.org/a")
    let feed = try await cache.feeds.subscribe([entry], from: Self.list).added[0]
    try await cache.feeds.edit(feed) { $0.url = "https://mine.example/" }
    _ = try await cache.journal.undo()
    #expect(try cache.engine.fetches.fetchRecord(feed)?.listURL == Self.list)
  }

  @Test(
    "A redirect to another origin leads there without secrets, on request too", arguments: [0, 1])
  func redirected(kind: Int) async throws {
    let (cache, feed) = try await TestCache.withFeed()
    try await Self.entrust(feed, in: cache)
    var result = RefreshResult(feed: feed, at: cache.clock.now, outcome: .unchanged)
    let url = "https://evil.example/f"
    if kind == 0 { result.newURL = url } else { result.moved = (url, cache.clock.now) }
    result.privateServer = "192.168.1.1:80"
    _ = try await cache.engine.fetches.merge([result])
    if kind == 1 { try await cache.feeds.useMovedAddress(feed) }
    let record = try #require(try cache.engine.fetches.fetchRecord(feed))
    #expect(record.url == url && record.listURL == "https://example.org/a")
    #expect(record.options.headers == nil && record.options.cookies == nil)
    #expect(record.options.proxy == nil)
  }

  @Test("A feed of another device counts as one of a list until the user confirms its address")
  func confirmed() async throws {
    let (laptop, desk) = (try FolderDevice(1), try FolderDevice(2))
    let mine = try await desk.cache.feed("b")
    try await laptop.join()
    try await desk.join([laptop])
    for name in ["a", "b"] { _ = try await laptop.cache.feed(name) }
    try await exchange([laptop, desk])
    #expect(try desk.cache.engine.fetches.fetchRecord(mine)?.listURL == nil)
    let feeds = try desk.reader.feeds.subscriptions().feeds
    let feed = try #require(feeds.first { $0.url.hasSuffix("/a") })
    func record() throws -> FetchRecord? { try desk.cache.engine.fetches.fetchRecord(feed.id) }
    #expect(try record()?.listURL == FetchRows.sharedFolder)
    #expect(try desk.folder.feedsToConfirm().isEmpty)
    _ = try await desk.cache.engine.fetches.merge([
      RefreshResult(
        feed: feed.id, at: desk.cache.clock.now,
        outcome: .failed(.unauthorized, status: 401, detail: nil))
    ])
    #expect(try desk.folder.feedsToConfirm().map(\.id) == [feed.id])
    try await desk.reader.feeds.confirmAddress(feed.id)
    #expect(try desk.folder.feedsToConfirm().isEmpty)
    #expect(try record()?.listURL == nil && record()?.nextCheckAt == desk.cache.clock.now)
    // A feed that another device brings back is the user's, as before.
    try await laptop.reader.feeds.unsubscribe([
      try #require(try laptop.reader.feeds.subscriptions().feeds.first { $0.url == feed.url }).id
    ])
    try await exchange([laptop, desk])
    _ = try await laptop.reader.journal.undo()
    try await exchange([laptop, desk])
    #expect(try desk.reader.feeds.subscriptions().feeds.count == 2 && record()?.listURL == nil)
  }
}
