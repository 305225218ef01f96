@Suite("Merging states") struct MergedStateTests {
  private typealias S = Samples

  private static func state(_ entries: [(Entry, DeviceID)]) -> MergedState {
    var state = MergedState()
    for (entry, device) in entries { state.merge(entry, from: device) }
    return state
  }

  @Test("The newest value of each field counts, in any order of arrival") func newest() {
    let subjects: [(Entry.Subject, Field, JSONValue, JSONValue)] = [
      (.feed(S.feed), .subscribed, .integer(1), .integer(0)),
      (.feed(S.feed), .name, .string("a"), .null),
      (.feed(S.feed), .url, .string("https://a.example/"), .string("https://b.example/")),
      (.feed(S.feed), .folder, .array([.string("a")]), .array([])),
      (.feed(S.feed), .option(.sort), .string("oldest"), .null),
      (.feed(S.feed), .tag("x"), .integer(1), .integer(0)),
      (.articles(S.feed, [S.article(1)]), .read, .integer(1), .integer(0)),
      (.articles(S.feed, [S.article(1)]), .starred, .integer(1), .integer(0)),
      (.articles(S.feed, [S.article(1)]), .deleted, .integer(1), .integer(0)),
      (.articles(S.feed, [S.article(1)]), .snoozed, .integer(9), .integer(0)),
      (.articles(S.feed, [S.article(1)]), .tag("x"), .integer(1), .integer(0)),
      (.articles(S.feed, [S.article(1)]), .position, .array([.integer(1)]), .array([.integer(2)])),
      (.object(ObjectID(rawValue: 1)), .search, .object(["query": .string("a")]), .integer(0)),
      (.object(ObjectID(rawValue: 1)), .rule, .object(["query": .string("a")]), .integer(0)),
      (.object(ObjectID(rawValue: 1)), .order, .object([:]), .object(["feeds": .array([])])),
      (.object(ObjectID(rawValue: 1)), Field(rawValue: "new"), .bool(true), .bool(false)),
    ]
    for (subject, field, older, newer) in subjects {
      let first = (S.entry(1, at: 1_000, subject, field, older), S.laptop)
      let second = (S.entry(1, at: 1_001, subject, field, newer), S.desk)
      let forward = Self.state([first, second])
      #expect(forward == Self.state([second, first, second, first]))
      #expect(forward.registers.values.map(\.value) == [newer])
      #expect(forward.digest != Self.state([first]).digest)
    }
  }

  @Test("Fields, tags, articles and objects are merged apart from each other") func apart() {
    let article = Entry.Subject.articles(S.feed, [S.article(1), S.article(2)])
    let state = Self.state([
      (S.entry(1, at: 5, article, .read), S.laptop), (S.entry(2, at: 4, article, .starred), S.desk),
      (S.entry(3, at: 3, article, .tag("a")), S.desk),
      (S.entry(4, at: 2, article, .tag("b")), S.desk),
      (S.read(5, at: 9, [S.article(1)], of: S.other), S.desk),
      (S.entry(6, at: 1, .object(ObjectID(rawValue: 1)), .rule), S.desk),
      (S.entry(7, at: 1, .object(ObjectID(rawValue: 2)), .rule), S.laptop),
    ])
    #expect(state.registers.count == 11)
  }

  @Test("Of equal times the larger device wins, and every act is later than exported state")
  func ties() {
    let key = RegisterKey(.article(S.feed, item: 1), .read)
    func winner(_ a: (Int64, DeviceID), _ b: (Int64, DeviceID)) -> JSONValue? {
      let state = Self.state([
        (S.read(at: a.0, [S.article(1)]), a.1), (S.read(at: b.0, [S.article(1)], isOn: false), b.1),
      ])
      return state.registers[key]?.value
    }
    #expect(S.laptop < S.desk)
    #expect(winner((7, S.laptop), (7, S.desk)) == .integer(0))
    #expect(winner((7, S.desk), (7, S.laptop)) == .integer(1))
    #expect(winner((0, S.desk), (1, S.laptop)) == .integer(0))
    #expect(winner((1, S.laptop), (0, S.desk)) == .integer(1))
  }

  @Test("Two acts of one device at one time, which a clone writes, merge alike in any order")
  func clones() {
    let entries = ["a", "b", "é", "ab"].map {
      (S.entry(1, at: 7, .feed(S.feed), .name, .string($0)), S.laptop)
    }
    #expect(Self.state(entries) == Self.state(entries.reversed()))
  }

  @Test("Merging is commutative, associative and idempotent", arguments: 0..<20 as Range<UInt64>)
  func properties(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let entries = (0..<60).map { _ -> (Entry, DeviceID) in
      let feed = FeedKey(rawValue: .random(in: 1...3, using: &random))
      let article = S.article(
        .random(in: 1...4, using: &random), link: Bool.random(using: &random) ? 7 : nil)
      let time = Int64.random(in: 0...9, using: &random)
      let value = JSONValue.integer(.random(in: 0...1, using: &random))
      let device = Bool.random(using: &random) ? S.laptop : S.desk
      let entry =
        switch Int.random(in: 0...3, using: &random) {
        case 0: S.entry(1, at: time, .feed(feed), .name, value)
        case 1:
          S.entry(
            1, at: time, .feed(feed), .alias,
            .string(FeedKey(rawValue: .random(in: 1...3, using: &random)).text))
        case 2: S.entry(1, at: time, .articles(feed, [article]), .starred, value)
        default: S.entry(1, at: time, .articles(feed, [article]), .read, value)
        }
      return (entry, device)
    }
    let state = Self.state(entries)
    for _ in 0..<5 {
      let other = Self.state((entries + entries.shuffled(using: &random)).shuffled(using: &random))
      #expect(other == state)
      #expect(other.feeds() == state.feeds())
    }
  }

  @Test("A change is reported with the value before it, and an older entry changes nothing")
  func changes() throws {
    var state = MergedState()
    let articles = [S.article(1), S.article(2)]
    #expect(state.merge(S.read(1, at: 5, articles), from: S.laptop).count == 2)
    let digest = state.digest
    #expect(state.merge(S.read(1, at: 5, articles), from: S.laptop).isEmpty)
    #expect(state.merge(S.read(2, at: 4, articles, isOn: false), from: S.desk).isEmpty)
    #expect(state.digest == digest)
    let changes = state.merge(S.read(3, at: 6, [articles[1]], isOn: false), from: S.desk)
    let change = try #require(changes.first)
    #expect(changes.count == 1)
    #expect(change.old?.value == .integer(1) && change.new.value == .integer(0))
  }

  @Test("An entry of a later version is kept and changes nothing") func opaque() throws {
    var state = MergedState()
    let entry = try Entry(line: Array("{\"n\":1,\"t\":\"019b7caa00880000\",\"new\":[1]}".utf8))
    #expect(state.merge(entry, from: S.laptop).isEmpty)
    #expect(state == MergedState())
  }

  @Test("An article whose ID was changed has the states of its link") func links() {
    let state = Self.state([
      (S.read(1, at: 5, [S.article(1, link: 100)]), S.laptop),
      (S.read(2, at: 6, [S.article(2, link: 100)], isOn: false), S.desk),
      (S.read(3, at: 7, [S.article(3, link: 200)]), S.desk),
    ])
    func value(_ article: ArticleIdentity, known: Set<UInt64> = []) -> JSONValue? {
      state.newest(.read, of: article, in: S.feed, isKnown: known.contains)?.value
    }
    #expect(value(S.article(9, link: 100)) == .integer(0))
    #expect(value(S.article(1, link: 100)) == .integer(0))
    #expect(value(S.article(1, link: nil)) == .integer(1))
    #expect(value(S.article(1, link: 100), known: [2]) == .integer(1))
    #expect(value(S.article(9, link: nil)) == nil)
    #expect(state.newest(.starred, of: S.article(1, link: 100), in: S.feed) { _ in false } == nil)
  }

  @Test("A link that a later entry corrects no longer finds the article") func correctedLink() {
    let state = Self.state([
      (S.read(1, at: 5, [S.article(1, link: 100)]), S.laptop),
      (S.read(2, at: 6, [S.article(1, link: 200)]), S.laptop),
    ])
    let found = [100, 200].map {
      state.newest(.read, of: S.article(9, link: $0), in: S.feed) { _ in false } != nil
    }
    #expect(found == [false, true])
  }
}
