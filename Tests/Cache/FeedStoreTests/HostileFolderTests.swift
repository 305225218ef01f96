import GRDB

@testable import FeedStore
@testable import FolderStore

/// Entries that another device, or somebody who may write into the folder, makes to do harm.
@Suite("Entries of a hostile device", .countsFailures) struct HostileFolderTests {
  private static let foreign = DeviceID(rawValue: 0xF)

  private static func subscription(_ number: Int, at time: Int64 = 0) -> Entry {
    let url = "https://feeds.example/\(number)"
    return Entry(
      number: UInt64(number) * 2 - 1,
      time: Timestamp(milliseconds: TestCache.start.milliseconds + time),
      subject: .feed(FeedKey(address: url)), field: .subscribed, value: .integer(1),
      rest: ["url": .string(url), "title": .string("Feed \(number)")])
  }

  private static func folder(_ number: Int) -> Entry {
    var entry = subscription(number)
    entry.number += 1
    (entry.field, entry.rest) = (.folder, [:])
    entry.value = .array([.string("F\(number % 20)")])
    return entry
  }

  /// The number of transactions that change feeds or searches.
  private static func transactions(for entries: [Entry]) async throws -> Int64 {
    let desk = try FolderDevice(2)
    try await desk.join()
    func version() throws -> Int64 {
      try desk.cache.store.database.read { db in try FolderRow.subscriptions(db) }
    }
    let before = try version()
    try await desk.folder.receive(entries, from: foreign)
    while try await desk.folder.advance() {}
    let all = try desk.reader.feeds.subscriptions()
    #expect(all.feeds.count * 2 + all.searches.count == entries.count)
    return try version() - before
  }

  private static func search(_ number: Int) -> Entry {
    var entry = subscription(number)
    (entry.number, entry.field) = (UInt64(number), .search)
    entry.subject = .object(ObjectID(rawValue: UInt64(number)))
    entry.value = .object(["name": .string("S\(number)"), "query": .string("poison")])
    entry.rest = ["place": .integer(Int64(number))]
    return entry
  }

  @Test(
    "Each transaction reads all feeds and searches, so their number hardly grows with these",
    arguments: [false, true])
  func arrivals(areSearches: Bool) async throws {
    func entries(_ count: Int) -> [Entry] {
      areSearches
        ? (1...count * 2).map(Self.search)
        : (1...count).flatMap { [Self.subscription($0), Self.folder($0)] }
    }
    let few = try await Self.transactions(for: entries(250))
    let many = try await Self.transactions(for: entries(1_000))
    #expect(many <= few + 16, "\(few), then \(many)")
  }

  @Test(
    "A value that SQLite refuses fails its entry alone, with the reason",
    arguments: [
      "folderRegister.value", "folderRegister.rest", "feed.url", "folder.title", "savedSearch.name",
      "articleTag.tag", "own folderEntry.line", "own folderRegister.value",
    ])
  func refused(place: String) async throws {
    let (laptop, desk) = (try FolderDevice(1), try FolderDevice(2))
    for device in [laptop, desk] {
      let feed = try await device.cache.feed("a")
      try await device.cache.merge(feed, SharedFolderTests.items(1...4))
    }
    try await laptop.join()
    try await desk.join([laptop])
    let names = place.split(separator: ".")
    let isOwn = names[0].hasPrefix("own ")
    try await (isOwn ? laptop : desk).cache.store.database.write(.user) { db in
      try db.execute(
        sql: """
          CREATE TRIGGER refuse BEFORE INSERT ON \(names[0].replacing("own ", with: ""))
          WHEN instr(NEW.\(names[1]), 'poison') > 0 BEGIN SELECT RAISE(ABORT, 'no'); END
          """)
    }
    for name in ["poison", "fine"] {
      _ = try await laptop.cache.feed(name, folder: [name])
      _ = try await laptop.search.saveSearch("q \(name)", name: name)
      let story = try laptop.article(name == "fine" ? "Story 1" : "Story 2")
      _ = try await laptop.cache.store.reader.states.changeTags(
        of: [story], adding: [name], removing: [])
      try await laptop.reader.states.set(.starred, [story], true)
    }
    for _ in 0..<2 {
      try await laptop.flush()
      try await desk.receive(from: laptop)
    }
    #expect(try desk.subscriptions().contains { $0.contains("/fine ") && $0.hasSuffix(" fine") })
    #expect(try desk.searches().contains("fine q fine"))
    let articles = try desk.articles()
    #expect(articles.contains { $0.hasSuffix("Story 1 -s fine") })
    #expect(articles.contains { $0.contains("Story 2 -s") } || place == "articleTag.tag")
    #expect((desk.refusal == nil) == isOwn)
    #expect(try desk.folder.devices().allSatisfy { $0.refused.isEmpty })
  }

  @Test("Tags and unknown fields of feeds are kept, and no transaction reads them all")
  func unknownFields() async throws {
    let desk = try FolderDevice(2)
    try await desk.join()
    let entries = (1...300).map { number in
      var entry = Self.subscription(1)
      entry.number = UInt64(number)
      if number > 1 {
        (entry.field, entry.rest) = (
          number % 2 == 0 ? .tag("t\(number)") : Field(rawValue: "x\(number)"), [:]
        )
      }
      return entry
    }
    try await desk.folder.receive(entries, from: Self.foreign)
    let (all, read) = try desk.cache.store.database.read { db in
      (
        try Int.fetchOne(db, sql: "SELECT count(*) FROM folderRegister WHERE kind = 1"),
        try RegisterRows(db: db).feedState().registers.count
      )
    }
    #expect(all == 300 && read == 1)
    #expect(try desk.reader.feeds.subscriptions().feeds.map(\.url) == ["https://feeds.example/1"])
  }

  @Test("More than eight keys with one address get no alias at each comparison")
  func sameAddress() async throws {
    let desk = try FolderDevice(2)
    try await desk.join()
    let entries = (1...12).map { number in
      var entry = Self.subscription(number)
      entry.rest["url"] = .string("https://one.example/")
      return entry
    }
    try await desk.folder.receive(entries, from: Self.foreign)
    for _ in 0..<3 {
      try await desk.flush()
      _ = try await desk.cache.feed("\(desk.files.count)")
    }
    try await desk.flush()
    let written = try await desk.folder.unsent(limit: 100)
    #expect(written.isEmpty)
    let state = try desk.cache.store.database.read { db in try RegisterRows(db: db).feedState() }
    #expect(state.missingAliases().isEmpty)
  }

  @Test("Feeds and states beyond the limits are ignored") func limits() async throws {
    let desk = try FolderDevice(2)
    try await desk.begin()
    let left = try await desk.cache.store.database.write(.user) { db -> [RegisterRows.Remaining] in
      let rows = RegisterRows(db: db)
      var (digest, remaining) = (StateDigest(), RegisterRows.Remaining(feeds: 2, states: 6))
      remaining.objects = 1
      for number in 1...4 {
        for entry in [Self.subscription(number), Self.folder(number), Self.search(number)] {
          _ = try rows.merge(entry, from: Self.foreign, &digest, limit: .latest, &remaining)
        }
      }
      return [remaining, try rows.remaining()]
    }
    #expect(left[0].feeds == 0 && left[0].objects == 0 && left[0].states == 1)
    #expect(left[1].feeds == Limits.feeds - 2 && left[1].states == Limits.states - 5)
    #expect(left[1].objects == Limits.objects - 1)
  }

  @Test("A time more than a day ahead waits, and one more than a year ahead is ignored")
  func futures() async throws {
    let desk = try FolderDevice(2)
    let feed = try await desk.cache.feed("a")
    try await desk.cache.merge(feed, SharedFolderTests.items(1...3))
    try await desk.join()
    let key = FeedKey(address: "https://example.org/a")
    func star(_ story: Int, _ time: Timestamp) throws -> Entry {
      let article = try desk.article("Story \(story)").rawValue
      let identity: Int64? = try desk.cache.store.database.read { db in
        try db.value("SELECT identity FROM article WHERE id = ?", [article])
      }
      let item = UInt64(bitPattern: try #require(identity))
      return Entry(
        number: UInt64(story), time: time,
        subject: .articles(key, [ArticleIdentity(item: item, link: nil)]), field: .starred,
        value: .integer(1))
    }
    let now = TestCache.start.milliseconds
    let entries = try [
      star(1, .latest), star(2, Timestamp(milliseconds: now + 3 * 86_400_000)),
      star(3, Timestamp(milliseconds: now + 3_600_000)),
    ]
    let reception = try await desk.folder.receive(entries, from: Self.foreign)
    let due = try #require(reception.until) - (now + 2 * 86_400_000)
    #expect((0...3_600_000).contains(due))
    let ignored = try await desk.folder.receive([entries[0]], from: Self.foreign)
    #expect(ignored.until == .max)
    func stars() throws -> [Int] {
      try (1...3).filter { number in
        try desk.articles().contains { $0.contains("Story \(number) -s") }
      }
    }
    #expect(try stars() == [3])
    desk.cache.clock.now += 2 * 86_400 + 60
    try await desk.folder.receive(entries, from: Self.foreign)
    #expect(try stars() == [2, 3])
    // The user's own act counts against both.
    for story in 1...3 {
      try await desk.reader.states.set(.starred, [try desk.article("Story \(story)")], false)
    }
    while try await desk.folder.advance() {}
    desk.cache.clock.now += 400 * 86_400
    try await desk.folder.receive(entries, from: Self.foreign)
    #expect(try stars() == [])
  }

  @Test("A device that was years ahead is heard again once its clock is right")
  func wrongClock() async throws {
    let (laptop, desk) = (try FolderDevice(1), try FolderDevice(2))
    for device in [laptop, desk] {
      let feed = try await device.cache.feed("a")
      try await device.cache.merge(feed, SharedFolderTests.items(1...2))
    }
    try await laptop.join()
    try await desk.join([laptop])
    laptop.cache.clock.now += 11 * 365 * 86_400
    try await laptop.reader.states.set(.read, [try laptop.article("Story 1")], true)
    try await exchange([laptop, desk])
    #expect(try desk.articles()[0].hasSuffix("Story 1 -- "))
    laptop.cache.clock.now = TestCache.start + 3_600
    desk.cache.clock.now = TestCache.start + 3_600
    try await laptop.reader.states.set(.read, [try laptop.article("Story 2")], true)
    try await laptop.reader.states.set(.read, [try laptop.article("Story 1")], false)
    try await laptop.reader.states.set(.read, [try laptop.article("Story 1")], true)
    try await exchange([laptop, desk])
    #expect(try desk.articles() == laptop.articles())
    #expect(try desk.articles().allSatisfy { $0.contains(" r-") })
  }

  @Test("What another device takes away is one entry of the journal, which undo gives back to both")
  func losses() async throws {
    let (laptop, desk) = (try FolderDevice(1), try FolderDevice(2))
    for device in [laptop, desk] {
      for name in ["a", "b", "c"] {
        let feed = try await device.cache.feed(name)
        if name == "a" { try await device.cache.merge(feed, SharedFolderTests.items(1...9)) }
      }
    }
    try await laptop.join()
    try await desk.join([laptop])
    let stories = try (1...4).map { try laptop.article("Story \($0)") }
    try await laptop.reader.states.set(.starred, stories, true)
    _ = try await laptop.search.saveSearch("linux", name: "Kernel")
    try await exchange([laptop, desk])
    let before = (try desk.articles(), try desk.subscriptions(), try desk.searches())
    laptop.cache.clock.now += 60
    desk.cache.clock.now += 60
    try await laptop.reader.states.set(.starred, stories, false)
    let feeds = try laptop.reader.feeds.subscriptions()
    try await laptop.reader.feeds.unsubscribe(
      feeds.feeds.filter { !$0.url.hasSuffix("/a") }.map(\.id))
    try await laptop.search.removeSearch(feeds.searches[0].id)
    try await exchange([laptop, desk])
    let entry = try #require(try desk.reader.journal.next())
    #expect(entry.kind == .removedElsewhere)
    let losses = try #require(Losses(entry.subject))
    #expect(losses.name == "device 1" && losses[.rules] == 0)
    #expect(losses[.feeds] == 2 && losses[.stars] == 4 && losses[.searches] == 1)
    desk.cache.clock.now += 60
    _ = try await desk.reader.journal.undo()
    try await exchange([laptop, desk])
    for device in [laptop, desk] {
      #expect(try device.articles() == before.0)
      #expect(try device.subscriptions() == before.1)
      #expect(try device.searches() == before.2)
    }
    #expect(try laptop.digest() == desk.digest())
  }
}
