@Suite("Shared feeds") struct SharedFeedTests {
  private typealias S = Samples

  private static func state(_ entries: [Entry]) -> MergedState {
    var state = MergedState()
    for entry in entries { state.merge(entry, from: S.laptop) }
    return state
  }

  @Test("A feed is described by the newest values of its fields") func fields() throws {
    let state = Self.state([
      S.subscription(1, at: 1, S.feed, "https://a.example/"),
      S.entry(2, at: 2, .feed(S.feed), .name, .string("A")),
      S.entry(3, at: 2, .feed(S.feed), .folder, .array([.string("x"), .string("y")])),
      S.entry(4, at: 2, .feed(S.feed), .option(.sort), .string("oldest")),
      S.entry(5, at: 2, .feed(S.feed), .option(.keepDays), .null),
      S.entry(6, at: 2, .feed(S.feed), .tag("a")),
      S.entry(7, at: 2, .feed(S.feed), .tag("b"), .integer(0)),
    ])
    let feed = try #require(state.feeds().first)
    #expect(feed.isSubscribed && feed.address == "https://a.example/" && feed.title == "A feed")
    #expect(feed.name == "A" && feed.folder == ["x", "y"])
    #expect(feed.options == [.sort: "oldest"])
    #expect(!feed.needsPermission)
  }

  @Test("A move counts against an older subscription, and a newer subscription against a move")
  func moves() {
    let move = S.entry(2, at: 5, .feed(S.feed), .url, .string("https://new.example/"))
    for (time, address) in [(Int64(4), "https://new.example/"), (6, "https://old.example/")] {
      let state = Self.state([S.subscription(1, at: time, S.feed, "https://old.example/"), move])
      #expect(state.feeds().map(\.address) == [address])
    }
  }

  @Test("Programs need permission, and addresses whose password was removed are marked")
  func marks() throws {
    let program = S.subscription(1, S.feed, "exec:~/bin/x")
    let secret = try S.subscription(2, S.other, "https://me:pw@a.example/").admitted()
    let feeds = Self.state([program, secret]).feeds()
    #expect(feeds.map(\.needsPermission) == [true, false])
    #expect(feeds.map { $0.fields[.subscribed]?.rest["password"] } == [nil, .integer(1)])
  }

  @Test("Of two keys with one current address the older stays, and the entries of both count")
  func alias() throws {
    var state = Self.state([
      S.subscription(1, at: 9, S.feed, "https://new.example/feed"),
      S.subscription(2, at: 1, S.other, "http://old.example/"),
      S.read(3, at: 1, [S.article(1)], of: S.feed), S.read(4, at: 1, [S.article(2)], of: S.other),
      S.entry(5, at: 3, .feed(S.feed), .name, .string("A")),
    ])
    #expect(state.missingAliases().isEmpty)
    state.merge(
      S.entry(6, at: 10, .feed(S.other), .url, .string("http://new.example/feed/")), from: S.desk)
    #expect(state.missingAliases() == [S.feed: S.other])
    state.merge(S.entry(7, at: 11, .feed(S.feed), .alias, .string(S.other.text)), from: S.desk)
    #expect(state.missingAliases().isEmpty)
    let feed = try #require(state.feeds().first)
    #expect(state.feeds().count == 1 && feed.keys == [S.other, S.feed] && feed.name == "A")
    for (item, key) in [(UInt64(1), S.other), (2, S.feed)] {
      #expect(state.newest(.read, of: S.article(item), in: key) { _ in false } != nil)
    }
    #expect(state.newest(.name, of: S.other)?.value == .string("A"))
    // The feeds stay one after a further move.
    state.merge(
      S.entry(8, at: 12, .feed(S.other), .url, .string("https://third.example/")), from: S.desk)
    #expect(state.feeds().map(\.address) == ["https://third.example/"])
  }

  @Test("A key without an alias stays, even if its subscription is newer")
  func newerWithoutAlias() {
    let state = Self.state([
      S.subscription(1, at: 1, S.feed, "https://a.example/"),
      S.subscription(2, at: 5, S.other, "https://a.example/"),
      S.entry(3, at: 6, .feed(S.feed), .alias, .string(S.other.text)),
    ])
    #expect(state.feeds().map(\.keys) == [[S.other, S.feed]])
  }

  @Test("After a move on one device and a new ID on another, a read article stays read")
  func moveAndNewID() {
    var state = Self.state([
      S.subscription(1, at: 1, S.feed, "https://old.example/"),
      S.read(2, at: 2, [S.article(1, link: 100)], of: S.feed),
      S.entry(3, at: 3, .feed(S.feed), .url, .string("https://new.example/")),
    ])
    // The other device knows the feed by its new address and the article by its new ID.
    state.merge(S.subscription(1, at: 4, S.other, "https://new.example/"), from: S.desk)
    for (key, older) in state.missingAliases() {
      state.merge(S.entry(2, at: 5, .feed(key), .alias, .string(older.text)), from: S.desk)
    }
    let read = state.newest(.read, of: S.article(2, link: 100), in: S.other) { _ in false }
    #expect(read?.value == .integer(1))
    #expect(state.feeds().count == 1)
  }

  @Test("Aliases that form a cycle make one feed") func cycle() {
    let keys = (1...3).map { FeedKey(rawValue: $0) }
    let entries = keys.enumerated().map { index, key in
      S.entry(1, at: 5, .feed(key), .alias, .string(keys[(index + 1) % 3].text))
    }
    let state = Self.state(entries + [S.subscription(1, at: 1, keys[1], "https://a.example/")])
    #expect(state.feeds().map(\.keys) == [[keys[1], keys[0], keys[2]]])
  }

  @Test("Aliases in a chain or a star make groups of at most eight keys", arguments: [0, 1])
  func aliases(kind: Int) throws {
    var registers: [RegisterKey: Register] = [:]
    let keys = (0..<2_000).map { FeedKey(rawValue: UInt64($0)) }
    for index in 1..<keys.count {
      let other = kind == 0 ? keys[index - 1] : keys[0]
      registers[RegisterKey(.feed(keys[index]), .alias)] = Register(
        stamp: Stamp(Timestamp(rawValue: UInt64(index)), S.desk), value: .string(other.text))
    }
    let groups = FeedGroups(registers)
    #expect(keys.map { groups.keys(of: $0).count }.max() == Limits.keys)
    #expect(groups.keys(of: keys[3]) == Array(keys[..<Limits.keys]))
    let again = FeedGroups(Dictionary(uniqueKeysWithValues: registers.reversed()))
    #expect(again == groups)
  }

  @Test("Feeds are in the order of their folder, and feeds that it does not name follow")
  func order() {
    let keys = (1...5).map { FeedKey(rawValue: $0) }
    let order = [keys[3], keys[0], keys[1], FeedKey(rawValue: 99)]
    let state = Self.state([
      S.entry(
        1, at: 1, .object(ObjectID(orderOf: ["A"])), .order,
        .object([
          "folder": .array([.string("A")]), "feeds": .array(order.map { .string($0.text) }),
        ])),
      // The order may name a feed by any of its keys.
      S.entry(2, at: 1, .feed(keys[1]), .alias, .string(keys[4].text)),
    ])
    let expected = [keys[3], keys[0], keys[4], keys[2]]
    #expect(state.sorted([keys[2], keys[4], keys[0], keys[3]], of: ["A"]) == expected)
    #expect(state.sorted(expected.reversed(), of: ["B"]) == expected.reversed())
  }
}
