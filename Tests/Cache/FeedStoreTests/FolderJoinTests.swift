@Suite("Joining a shared folder", .countsFailures) struct FolderJoinTests {
  @Test("Joining is the union of both, with names and folders of the folder")
  func join() async throws {
    let (laptop, desk) = (try FolderDevice(1), try FolderDevice(2))
    let a = try await laptop.cache.feed("a", folder: ["News"])
    try await laptop.reader.feeds.rename(a, to: "Theirs")
    _ = try await laptop.cache.feed("b")
    try await laptop.join()
    let mine = try await desk.cache.feed("a", folder: ["Other"])
    _ = try await desk.cache.feed("c")
    try await desk.cache.merge(mine, SharedFolderTests.items(1...2))
    try await desk.reader.states.set(.read, [try desk.article("Story 1")], true)
    try await desk.begin(with: [laptop])
    let plan = try desk.folder.onboardingPlan(.merge)
    #expect(plan.there == 2 && plan.here == 2 && plan.same == 1)
    #expect(try desk.subscriptions().count == 2)
    try await desk.folder.join(.merge)
    try await exchange([laptop, desk])
    let expected = [
      "https://example.org/a Theirs News", "https://example.org/b https://example.org/b -",
      "https://example.org/c https://example.org/c -",
    ]
    #expect(try laptop.subscriptions() == expected)
    #expect(try desk.subscriptions() == expected)
    try await laptop.cache.merge(a, SharedFolderTests.items(1...2))
    #expect(
      try laptop.articles() == [
        "https://example.org/a Story 1 r- ", "https://example.org/a Story 2 -- ",
      ])
    #expect(try laptop.digest() == desk.digest())
  }

  @Test("Marks of articles that were old as they arrived are written at joining, too")
  func oldArticles() async throws {
    let (laptop, desk) = (try FolderDevice(1), try FolderDevice(2))
    var items = SharedFolderTests.items(1...2)
    for index in items.indices { items[index].datePublished = TestCache.start - 300 * 86_400 }
    for device in [laptop, desk] {
      let feed = try await device.cache.feed("a")
      try await device.cache.merge(feed, items)
    }
    try await laptop.reader.states.set(.read, [try laptop.article("Story 1")], true)
    try await laptop.join()
    try await desk.join([laptop])
    #expect(try desk.articles()[0] == "https://example.org/a Story 1 r- ")
  }

  @Test("Joining is one undo step, which leaves the folder and changes no other device")
  func undoJoin() async throws {
    let (laptop, desk) = (try FolderDevice(1), try FolderDevice(2))
    _ = try await laptop.cache.feed("a")
    try await laptop.join()
    _ = try await desk.cache.feed("b")
    let before = try desk.subscriptions()
    try await desk.join([laptop], .takeTheirs)
    #expect(try desk.subscriptions().map { String($0.prefix(21)) } == ["https://example.org/a"])
    let entry = try await desk.reader.journal.undo()
    #expect(entry?.kind == .joinFolder)
    #expect(try desk.subscriptions() == before)
    #expect(try desk.folder.folder() == nil)
    try await laptop.receive(from: desk)
    #expect(try laptop.subscriptions().map { String($0.prefix(21)) } == ["https://example.org/a"])
  }

  /// A device with 600 articles, a third of them read.
  private static func large(_ number: UInt64) async throws -> (FolderDevice, FeedID) {
    let device = try FolderDevice(number)
    let feed = try await device.cache.feed("a")
    try await device.cache.merge(feed, SharedFolderTests.items(1...600))
    return (device, feed)
  }

  @Test("Articles join in steps, between which acts count; undo is one step")
  func steps() async throws {
    let (laptop, feed) = try await Self.large(1)
    try await laptop.reader.states.markShownRead(ArticleQuery(scope: .feed(feed)))
    try await laptop.join()
    let (desk, _) = try await Self.large(2)
    try await desk.reader.states.set(.starred, [try desk.article("Story 7")], true)
    try await desk.begin(with: [laptop])
    try await desk.folder.join(.merge)
    func unread() throws -> Int { try desk.articles().count { $0.contains(" -") } }
    #expect(try unread() == 600)
    #expect(try await desk.folder.advance())
    let left = try unread()
    #expect(left < 600 && left >= 600 - 250)
    // An act between two steps, on an article that joins later.
    let row = try #require(try desk.cache.all(.all).last { !$0.status.isRead })
    desk.cache.clock.now += 60
    try await desk.reader.states.set(.read, [row.id], true)
    try await desk.reader.states.set(.read, [row.id], false)
    while try await desk.folder.advance() {}
    #expect(try unread() == 1)
    try await desk.flush()
    try await exchange([laptop, desk])
    #expect(try laptop.articles() == desk.articles())
    #expect(try laptop.digest() == desk.digest())
    for _ in 0..<2 { _ = try await desk.reader.journal.undo() }
    #expect(try await desk.reader.journal.undo()?.kind == .joinFolder)
    #expect(try unread() == 600 && desk.folder.folder() == nil)
    #expect(try desk.articles().count { $0.contains("-s") } == 1)
  }

  @Test("A change of many articles becomes entries in steps, before a later change of one of them")
  func largeAct() async throws {
    let (laptop, feed) = try await Self.large(1)
    let (desk, _) = try await Self.large(2)
    try await laptop.join()
    try await desk.join([laptop])
    try await laptop.reader.states.markShownRead(ArticleQuery(scope: .feed(feed)))
    try await laptop.reader.states.set(.read, [try laptop.article("Story 600")], false)
    #expect(try await laptop.folder.advance())
    #expect(try laptop.folder.waiting() == 3)
    try await exchange([laptop, desk])
    #expect(try desk.articles().count { $0.contains(" r") } == 599)
    #expect(try laptop.articles() == desk.articles())
    #expect(try laptop.digest() == desk.digest())
  }

  @Test("Reading positions from before joining are exported; acts and those of the folder win")
  func positionsAtJoining() async throws {
    let (laptop, desk) = (try FolderDevice(1), try FolderDevice(2))
    for device in [laptop, desk] {
      try await device.cache.merge(try await device.cache.feed("a"), SharedFolderTests.items(1...4))
    }
    func set(_ device: FolderDevice, _ number: Int, _ block: Int) async throws {
      try await device.reader.plan.setReadingPosition(
        try device.article("Story \(number)"),
        ReadingPosition(block: block, share: 0.5, seen: 0.75))
    }
    for number in 1...3 { try await set(laptop, number, number) }
    try await laptop.join()
    for device in [laptop, desk] { device.cache.clock.now += 60 }
    try await set(laptop, 2, 12)
    try await laptop.flush()
    desk.cache.clock.now -= 30
    for number in 2...4 { try await set(desk, number, 20 + number) }
    desk.cache.clock.now += 90
    let before = try desk.positions()
    try await desk.join([laptop])
    try await exchange([laptop, desk])
    let expected = ["Story 1 1", "Story 2 12", "Story 3 3", "Story 4 24"]
    #expect(try laptop.positions() == expected)
    #expect(try desk.positions() == expected)
    // The act on the other device was the last.
    #expect(try desk.reader.plan.lastBegun() == desk.article("Story 2"))
    #expect(try laptop.digest() == desk.digest())
    _ = try await desk.reader.journal.undo()
    #expect(try desk.folder.folder() == nil)
    #expect(try desk.positions() == before)
    let restored = try desk.reader.plan.readingPosition(try desk.article("Story 2"))
    #expect(restored == ReadingPosition(block: 22, share: 0.5, seen: 0.75))
    _ = try await desk.reader.journal.redo()
    #expect(try desk.positions() == expected)
    // A position that changed since stays.
    try await set(desk, 3, 40)
    _ = try await desk.reader.journal.undo()
    #expect(try desk.positions() == ["Story 1 -1", "Story 2 22", "Story 3 40", "Story 4 24"])
  }

  @Test("Snoozed and deleted articles from before joining are exported")
  func hiddenAtJoining() async throws {
    let (laptop, desk) = (try FolderDevice(1), try FolderDevice(2))
    for device in [laptop, desk] {
      try await device.cache.merge(try await device.cache.feed("a"), SharedFolderTests.items(1...4))
    }
    let until = TestCache.start + 86_400
    let id = try desk.article("Story 1")
    try await laptop.reader.plan.snooze([try laptop.article("Story 1")], until: until)
    _ = try await laptop.reader.states.delete([try laptop.article("Story 2")])
    try await laptop.join()
    try await desk.join([laptop])
    try await exchange([laptop, desk])
    #expect(try desk.reader.plan.snoozedUntil(id) == until)
    let titles = try desk.articles().map { $0.prefix(29).suffix(7) }
    #expect(titles == ["Story 3", "Story 4"])
    #expect(try laptop.articles() == desk.articles())
    #expect(try laptop.digest() == desk.digest())
    _ = try await desk.reader.journal.undo()
    #expect(try desk.reader.plan.snoozedUntil(id) == nil)
    #expect(try desk.articles().count == 4)
  }

  @Test("Equal searches and rules of two devices become one by joining")
  func joinObjects() async throws {
    let (laptop, desk) = (try FolderDevice(1), try FolderDevice(2))
    for device in [laptop, desk] {
      try await device.search.saveSearch("linux")
      try await device.search.saveSearch("of \(device.id.text)", name: "own")
    }
    try await laptop.join()
    try await desk.join([laptop])
    try await exchange([laptop, desk])
    #expect(try laptop.searches().count == 3)
    #expect(try Set(laptop.searches()) == Set(desk.searches()))
  }

  @Test("Searches and rules have one order on all devices, also those that were added at once")
  func orderOfObjects() async throws {
    let (laptop, desk) = (try FolderDevice(1), try FolderDevice(2))
    func add(_ names: [String], _ device: FolderDevice) async throws {
      for name in names {
        try await device.search.saveSearch(name)
        try await device.reader.rules.addRule(
          RuleDraft(name: name, query: name, actions: [.markRead]), reach: .arrivals)
      }
    }
    func searches(_ device: FolderDevice) throws -> [String] {
      try device.reader.feeds.subscriptions().searches.map(\.name)
    }
    func rules(_ device: FolderDevice) throws -> [String] {
      try device.reader.rules.all().map(\.draft.name)
    }
    let (theirs, mine) = (["e", "d", "c", "b", "a"], ["g", "f"])
    try await add(theirs, laptop)
    try await add(mine, desk)
    try await laptop.join()
    try await desk.join([laptop])
    try await exchange([laptop, desk])
    for device in [laptop, desk] {
      #expect(try searches(device) == theirs + mine)
      #expect(try rules(device) == theirs + mine)
    }
    for number in 1...3 {
      try await add(["x\(number)"], laptop)
      try await add(["y\(number)"], desk)
      try await exchange([laptop, desk])
    }
    #expect(try searches(laptop) == searches(desk))
    #expect(try Array(searches(desk).prefix(7)) == theirs + mine)
    #expect(try rules(laptop) == rules(desk) && rules(desk).count == 13)
    // A search that undo brings back has its place again.
    let first = try #require(try laptop.reader.feeds.subscriptions().searches.first)
    try await laptop.search.removeSearch(first.id)
    try await exchange([laptop, desk])
    #expect(try searches(desk).first == "d")
    _ = try await laptop.reader.journal.undo()
    try await exchange([laptop, desk])
    #expect(try searches(laptop) == searches(desk) && searches(desk).first == "e")
    #expect(try laptop.digest() == desk.digest())
  }

  @Test("The order of a folder's feeds reaches the other device; undo restores it there")
  func order() async throws {
    let (laptop, desk) = (try FolderDevice(1), try FolderDevice(2))
    var last: FeedID?
    for name in ["a", "b", "c", "d"] { last = try await laptop.cache.feed(name, folder: ["News"]) }
    try await laptop.join()
    try await desk.join([laptop])
    #expect(try desk.order() == ["a", "b", "c", "d"])
    try await laptop.reader.feeds.reorder(try #require(last), by: -3)
    try await exchange([laptop, desk])
    #expect(try laptop.order() == ["d", "a", "b", "c"])
    #expect(try desk.order() == ["d", "a", "b", "c"])
    #expect(try await laptop.reader.journal.undo()?.kind == .reorder)
    #expect(try laptop.order() == ["a", "b", "c", "d"])
    try await exchange([laptop, desk])
    #expect(try desk.order() == ["a", "b", "c", "d"])
    let phone = try FolderDevice(3)
    for name in ["c", "a"] { _ = try await phone.cache.feed(name, folder: ["News"]) }
    try await phone.join([laptop, desk])
    #expect(try phone.order() == ["a", "b", "c", "d"])
  }

  @Test("A device that joins has folders and feeds in the order of the first, also later ones")
  func orderOfFolders() async throws {
    let (laptop, desk, phone) = (try FolderDevice(1), try FolderDevice(2), try FolderDevice(3))
    func fill(_ folders: [String], _ device: FolderDevice) async throws {
      for folder in folders {
        for name in ["y", "x", "z"] {
          _ = try await device.cache.feed("\(name)\(folder)", folder: [folder, "\(name)\(folder)"])
          _ = try await device.cache.feed("\(name)\(folder)2", folder: [folder])
        }
      }
    }
    try await fill(["S", "B", "T", "A"], laptop)
    try await laptop.join()
    try await desk.join([laptop])
    #expect(try desk.arrangement() == laptop.arrangement())
    try await fill(["R", "C"], laptop)
    let third = try #require(laptop.reader.feeds.subscriptions().folders.first { $0.title == "T" })
    try await laptop.reader.folders.reorder(third.id, by: -2)
    try await exchange([laptop, desk])
    #expect(try laptop.arrangement().first == "/T")
    #expect(try desk.arrangement() == laptop.arrangement())
    _ = try await phone.cache.feed("own", folder: ["Own"])
    try await phone.join([laptop, desk])
    let own = try phone.arrangement()
    #expect(own.filter { !$0.contains("Own") } == (try laptop.arrangement()))
    #expect(own.last { $0.hasPrefix("/") } == "/Own")
    try await exchange([laptop, desk, phone])
    let counts = try [laptop, desk, phone].map { try $0.folder.folder()?.author.lastNumber }
    try await exchange([laptop, desk, phone])
    // No device writes its order again because another has one.
    #expect(try counts == [laptop, desk, phone].map { try $0.folder.folder()?.author.lastNumber })
    #expect(try desk.arrangement() == laptop.arrangement())
  }
}
