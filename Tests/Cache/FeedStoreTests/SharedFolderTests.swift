import GRDB

@testable import FeedStore

/// Acts on two devices that share a folder.
@Suite("The shared folder", .countsFailures) final class SharedFolderTests: PairSuite {
  /// Items with the same IDs and addresses on every device.
  static func items(_ numbers: ClosedRange<Int>) -> [ParsedItem] {
    numbers.map { number in
      ParsedItem(
        id: "id-\(number)", url: "https://pages.example/\(number)", title: "Story \(number)",
        datePublished: TestCache.start - Double(number))
    }
  }

  @Test("The flag for later is shared, by acts and at joining") func later() async throws {
    try await laptop.reader.states.set(.later, [try laptop.article("Story 2")], true)
    try await exchange([laptop, desk])
    let query = ArticleQuery(scope: .smart(.later))
    #expect(try desk.cache.all(query).map(\.title) == ["Story 2"])
    let phone = try FolderDevice(3)
    try await phone.cache.merge(try await phone.cache.feed("a"), Self.items(1...3))
    try await phone.reader.states.set(.later, [try phone.article("Story 3")], true)
    try await phone.join([laptop, desk])
    try await exchange([laptop, desk, phone])
    for device in [laptop, desk, phone] { #expect(try device.cache.all(query).count == 2) }
    _ = try await laptop.reader.journal.undo()
    try await desk.reader.states.set(.later, [try desk.article("Story 3")], false)
    try await exchange([laptop, desk, phone])
    for device in [laptop, desk, phone] { #expect(try device.cache.all(query) == []) }
  }

  @Test("Reading positions reach the other device, the newest counts, one entry a minute")
  func positions() async throws {
    let place = ReadingPosition(block: 12, share: 0.25)
    let mine = try laptop.article("Story 1")
    let theirs = try desk.article("Story 1")
    func position(_ device: FolderDevice) throws -> ReadingPosition? {
      try device.reader.plan.readingPosition(device === laptop ? mine : theirs)
    }
    try await laptop.reader.plan.setReadingPosition(mine, place)
    try await exchange([laptop, desk])
    #expect(try position(desk) == place)
    // Within a minute, the last position waits for the file that is written at quit.
    let last = try laptop.folder.lastWritten()
    try await laptop.reader.plan.setReadingPosition(mine, ReadingPosition(block: 13, share: 0))
    #expect(try await !laptop.folder.advance())
    #expect(try laptop.folder.lastWritten() == last)
    desk.cache.clock.now += 5
    try await desk.reader.plan.setReadingPosition(theirs, ReadingPosition(block: 20, share: 0.5))
    try await exchange([laptop, desk])
    #expect(try position(laptop) == ReadingPosition(block: 20, share: 0.5))
    #expect(try position(desk) == position(laptop))
    // The beginning is a position, too.
    desk.cache.clock.now += 60
    laptop.cache.clock.now = desk.cache.clock.now
    try await desk.reader.plan.setReadingPosition(theirs, nil)
    try await exchange([laptop, desk])
    #expect(try position(laptop) == nil)
    #expect(try laptop.digest() == desk.digest())
  }

  @Test("A snooze of another device hides the article until its time; zero shows it")
  func snoozes() async throws {
    let id = try desk.article("Story 1")
    let until = TestCache.start + 86_400
    func snooze(_ number: UInt64, _ value: Int64) async throws {
      let item = ArticleIdentity(
        item: try #require(
          try laptop.cache.store.database.read { db in
            try db.value("SELECT identity FROM article WHERE id = ?", [id.rawValue]) as Int64?
          }.map { UInt64(bitPattern: $0) }), link: nil)
      let entry = Entry(
        number: number, time: Timestamp(milliseconds: TestCache.start.milliseconds + Int64(number)),
        subject: .articles(FeedKey(address: "https://example.org/a"), [item]), field: .snoozed,
        value: .integer(value))
      try await desk.folder.receive([entry], from: DeviceID(rawValue: 9))
    }
    try await snooze(1, until.milliseconds)
    #expect(try desk.articles().count == 2)
    #expect(try desk.reader.plan.snoozedUntil(id) == until)
    try await snooze(2, 0)
    #expect(try desk.articles().count == 3)
    #expect(try desk.reader.plan.snoozedUntil(id) == nil)
  }

  @Test("Changes of articles reach the other device, and so does undo")
  func articles() async throws {
    let states = laptop.reader.states
    try await states.set(.read, [try laptop.article("Story 1")], true)
    try await states.set(.starred, [try laptop.article("Story 2")], true)
    try await states.changeTags(
      of: [try laptop.article("Story 2")], adding: ["linux"], removing: [])
    try await states.delete([try laptop.article("Story 3")])
    try await exchange([laptop, desk])
    let expected = ["https://example.org/a Story 1 r- ", "https://example.org/a Story 2 -s linux"]
    #expect(try desk.articles() == expected)
    for _ in 0..<3 { _ = try await laptop.reader.journal.undo() }
    try await exchange([laptop, desk])
    #expect(
      try desk.articles() == [
        "https://example.org/a Story 1 r- ", "https://example.org/a Story 2 -- ",
        "https://example.org/a Story 3 -- ",
      ])
    #expect(try laptop.articles() == desk.articles())
    #expect(try laptop.digest() == desk.digest())
  }

  @Test("A tag is one state in any case of its letters, and keeps its spelling")
  func tagCase() async throws {
    func change(
      _ device: FolderDevice, _ title: String, _ tag: String, _ isSet: Bool
    ) async throws {
      try await device.reader.states.changeTags(
        of: [try device.article(title)], adding: isSet ? [tag] : [], removing: isSet ? [] : [tag])
    }
    try await change(laptop, "Story 1", "Work", true)
    try await change(laptop, "Story 2", "Über", true)
    try await change(desk, "Story 1", "work", true)
    try await exchange([laptop, desk])
    #expect(try desk.articles()[1] == "https://example.org/a Story 2 -- Über")
    laptop.cache.clock.now += 60
    try await change(laptop, "Story 1", "WORK", false)
    try await exchange([laptop, desk])
    for device in [laptop, desk] {
      #expect(try device.articles()[0] == "https://example.org/a Story 1 -- ")
    }
    #expect(try laptop.digest() == desk.digest())
  }

  @Test("The newest change wins, also over a change that was not yet written")
  func newest() async throws {
    try await laptop.reader.states.set(.read, [try laptop.article("Story 1")], true)
    try await laptop.flush()
    desk.cache.clock.now += 60
    try await desk.reader.states.set(.starred, [try desk.article("Story 1")], true)
    try await desk.reader.states.set(.read, [try desk.article("Story 1")], true)
    try await desk.reader.states.set(.read, [try desk.article("Story 1")], false)
    try await exchange([laptop, desk])
    for device in [laptop, desk] {
      #expect(try device.articles()[0] == "https://example.org/a Story 1 -s ")
    }
  }

  @Test("A clock that is days ahead is reported, its acts wait, and no later act is lost")
  func clock() async throws {
    laptop.cache.clock.now += 3 * 86_400
    try await laptop.reader.states.set(.read, [try laptop.article("Story 1")], true)
    try await exchange([laptop, desk])
    #expect(try desk.folder.devices().map(\.isAhead) == [true])
    #expect(try desk.articles()[0] == "https://example.org/a Story 1 -- ")
    laptop.cache.clock.now = desk.cache.clock.now
    try await laptop.reader.states.set(.read, [try laptop.article("Story 1")], false)
    try await exchange([laptop, desk])
    desk.cache.clock.now += 3 * 86_400
    try await exchange([laptop, desk])
    #expect(try desk.articles()[0] == "https://example.org/a Story 1 -- ")
    #expect(try desk.digest() == laptop.digest())
    desk.cache.clock.now += 2 * 86_400
    laptop.cache.clock.now = desk.cache.clock.now
    try await laptop.reader.states.set(.starred, [try laptop.article("Story 1")], true)
    try await exchange([laptop, desk])
    #expect(try desk.folder.devices().map(\.isAhead) == [false])
  }

  @Test("A state waits for its article, which arrives with its ID or its link")
  func waiting() async throws {
    try await laptop.cache.merge(feeds[0], Self.items(1...5))
    try await laptop.reader.states.set(.read, [try laptop.article("Story 4")], true)
    try await laptop.reader.states.set(.starred, [try laptop.article("Story 5")], true)
    try await exchange([laptop, desk])
    var items = Self.items(1...5)
    items[4].id = "another ID"
    try await desk.cache.merge(feeds[1], items)
    #expect(try desk.articles() == laptop.articles())
    #expect(try desk.articles().last == "https://example.org/a Story 5 -s ")
  }

  @Test("Names, folders, options, addresses and subscriptions reach the other device")
  func feeds() async throws {
    _ = try await laptop.cache.feed("b", folder: ["News", "Linux"])
    var options = FeedOptions()
    options.keepDays = 30
    options.sort = .oldest
    options.proxy = "http://proxy.example:1/"
    try await laptop.reader.feeds.edit(
      feeds[0],
      FeedEdit(
        title: "A name", url: "https://moved.example/feed", folder: ["Elsewhere"], isPaused: false,
        options: options))
    try await exchange([laptop, desk])
    #expect(try desk.subscriptions() == laptop.subscriptions())
    #expect(
      try desk.subscriptions() == [
        "https://example.org/b https://example.org/b Linux",
        "https://moved.example/feed A name Elsewhere",
      ])
    let own = try desk.reader.feeds.options(of: feeds[1]).own
    #expect(own.sort == .oldest && own.proxy == nil)
    // The folder is renamed, and the other device unsubscribes.
    let folder = try #require(
      try laptop.reader.feeds.subscriptions().folders.first { $0.title == "Elsewhere" })
    try await laptop.reader.folders.rename(folder.id, to: "Renamed")
    try await exchange([laptop, desk])
    #expect(try desk.subscriptions().last == "https://moved.example/feed A name Renamed")
    try await desk.reader.feeds.unsubscribe([feeds[1]])
    try await exchange([laptop, desk])
    #expect(try laptop.subscriptions().count == 1)
    #expect(try laptop.reader.journal.next()?.kind == .removedElsewhere)
    _ = try await laptop.reader.journal.undo()
    try await exchange([laptop, desk])
    #expect(try desk.subscriptions() == laptop.subscriptions())
    #expect(try desk.subscriptions().count == 2)
    #expect(try laptop.digest() == desk.digest())
  }

  @Test("A folder that is renamed or deleted on one device is not left, empty, on the other")
  func renamedFolders() async throws {
    for name in ["b", "c"] { _ = try await laptop.cache.feed(name, folder: ["News", "Linux"]) }
    try await exchange([laptop, desk])
    func folder(_ title: String, _ device: FolderDevice) throws -> Folder {
      let all = try device.reader.feeds.subscriptions().folders
      return try #require(all.first { $0.title == title })
    }
    func titles(_ device: FolderDevice) throws -> [String] {
      try device.reader.feeds.subscriptions().folders.map(\.title).sorted()
    }
    // Renaming keeps what only the other device has set.
    try await desk.reader.folders.setPriority(folder("News", desk).id, .high)
    try await laptop.reader.folders.rename(folder("News", laptop).id, to: "Press")
    try await exchange([laptop, desk])
    #expect(try titles(desk) == ["Linux", "Press"])
    #expect(try folder("Press", desk).priority == .high)
    #expect(try desk.subscriptions() == laptop.subscriptions())
    try await laptop.reader.folders.delete(folder("Linux", laptop).id)
    try await exchange([laptop, desk])
    #expect(try titles(desk) == ["Press"])
    #expect(try desk.subscriptions() == laptop.subscriptions())
    // A folder that is left empty stays on both.
    try await desk.reader.folders.setPriority(folder("Press", desk).id, .normal)
    for feed in try laptop.reader.feeds.subscriptions().feeds {
      try await laptop.reader.feeds.move(feed.id, toFolder: ["Other"])
    }
    try await exchange([laptop, desk])
    #expect(try titles(laptop) == ["Other", "Press"])
    #expect(try titles(desk) == ["Other", "Press"])
    #expect(try laptop.digest() == desk.digest())
  }

  @Test("Saved searches and rules reach the other device; programs of rules do not start there")
  func objects() async throws {
    let search = try await laptop.search.saveSearch("linux", name: "Linux")
    let rule = try await laptop.reader.rules.addRule(
      RuleDraft(name: "deals", query: "title:deals", actions: [.hide]), reach: .arrivals)
    try await laptop.reader.rules.addRule(
      RuleDraft(name: "deploy", query: "title:x", actions: [.run("deploy")]), reach: .arrivals)
    try await exchange([laptop, desk])
    #expect(try desk.searches() == ["Linux linux"])
    #expect(try desk.rules() == ["deals title:deals hide on", "deploy title:x run:deploy off"])
    #expect(try laptop.rules() == ["deals title:deals hide on", "deploy title:x run:deploy on"])
    try await laptop.search.rename(search, to: "Kernel")
    try await laptop.reader.rules.editRule(
      rule.id, RuleDraft(name: "deals", query: "title:sale", actions: [.hide, .markRead]))
    try await exchange([laptop, desk])
    #expect(try desk.searches() == ["Kernel linux"])
    #expect(try desk.rules()[0] == "deals title:sale hide read on")
    // Removed on the other device, and brought back by undo.
    let theirs = try #require(try desk.reader.feeds.subscriptions().searches.first)
    try await desk.search.removeSearch(theirs.id)
    try await desk.reader.rules.removeRule(try desk.reader.rules.all()[0].id)
    try await exchange([laptop, desk])
    #expect(try laptop.searches().isEmpty && laptop.rules().count == 1)
    _ = try await desk.reader.journal.undo()
    try await exchange([laptop, desk])
    #expect(try laptop.rules().contains("deals title:sale hide read on"))
    // A row that is missing without an act means nothing.
    try await laptop.cache.store.database.write(.user) { db in
      try db.execute(sql: "DELETE FROM rule")
    }
    try await exchange([laptop, desk])
    #expect(try desk.rules().count == 2)
    #expect(try laptop.digest() == desk.digest())
  }

  @Test("A program of another device is listed, but not subscribed to")
  func programs() async throws {
    try await laptop.reader.feeds.subscribe(
      url: "exec:/bin/fetch", title: nil, folder: nil, mayBeOwn: true)
    try await exchange([laptop, desk])
    #expect(try desk.subscriptions().count == 1)
    #expect(try desk.folder.addressesToAllow() == ["exec:/bin/fetch"])
    #expect(try laptop.subscriptions().count == 2)
  }

  @Test("A feed that is removed from the cache is not unsubscribed elsewhere")
  func absence() async throws {
    // A purge deletes the row.
    try await laptop.cache.store.database.write(.user) { [feeds] db in
      try db.execute(sql: "DELETE FROM feed WHERE id = \(feeds[0].rawValue)")
    }
    try await exchange([laptop, desk])
    #expect(try desk.subscriptions().count == 1)
  }

  @Test("Effects of rules on arriving articles are not written") func rules() async throws {
    try await laptop.reader.rules.addRule(
      RuleDraft(query: "story", actions: [.markRead]), reach: .arrivals)
    _ = try await laptop.folder.unsent(limit: 10)
    try await laptop.flush()
    try await laptop.cache.merge(feeds[0], Self.items(1...9))
    #expect(try laptop.articles().last == "https://example.org/a Story 9 r- ")
    #expect(try await laptop.folder.unsent(limit: 10).isEmpty)
  }

  @Test("A restored cache goes on under another ID with its unwritten entries")
  func renewed() async throws {
    try await laptop.reader.states.set(.read, [try laptop.article("Story 1")], true)
    try await laptop.folder.renew(as: DeviceID(rawValue: 9), name: "laptop (2)", machine: 2)
    let row = try #require(try laptop.folder.folder())
    #expect(row.device.text == "0000000000000009" && row.author.lastNumber == 1)
    let entries = try await laptop.folder.unsent(limit: 10)
    try await desk.folder.receive(entries, from: row.device)
    #expect(try desk.articles()[0] == "https://example.org/a Story 1 r- ")
  }
}
