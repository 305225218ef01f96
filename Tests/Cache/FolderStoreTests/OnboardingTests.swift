@Suite("Joining a folder") struct OnboardingTests {
  private typealias S = Samples

  /// A folder with the feeds "a" (in a folder, with a name), "b", and "c", which was unsubscribed.
  private static func folder() -> MergedState {
    var state = MergedState()
    func key(_ name: String) -> FeedKey { FeedKey(address: "https://\(name).example/feed") }
    for (index, name) in ["a", "b", "c"].enumerated() {
      state.merge(
        S.subscription(
          1, at: Int64(index + 1), key(name), "https://\(name).example/feed", isOn: name != "c"),
        from: S.desk)
    }
    state.merge(
      S.entry(1, at: 5, .feed(key("a")), .folder, .array([.string("There")])), from: S.desk)
    state.merge(S.entry(1, at: 5, .feed(key("a")), .name, .string("theirs")), from: S.desk)
    return state
  }

  private static let feeds = ["http://me:pw@a.example:80/feed/", "c", "d"].map { text in
    var feed = LocalFeed(address: text.contains(":") ? text : "https://\(text).example/feed")
    guard text != "c" else { return feed }
    (feed.title, feed.name, feed.folder) = ("Title", "ours", ["Here"])
    if text != "d" { feed.options = [.sort: "oldest", .proxy: "http://p.example:1/"] }
    return feed
  }

  private static func plan(_ state: MergedState, _ mode: OnboardingPlan.Mode = .merge)
    -> OnboardingPlan
  {
    OnboardingPlan(feeds, onboarding: state, mode)
  }

  private static func joined(_ mode: OnboardingPlan.Mode) throws -> (OnboardingPlan, MergedState) {
    var state = folder()
    let plan = plan(state, mode)
    var author = EntryAuthor(device: S.laptop, lastNumber: 0, clock: HybridClock(last: .onboarding))
    for entry in author.number(plan.entries) {
      state.merge(try entry.admitted(), from: S.laptop)
    }
    #expect(author.lastNumber == UInt64(plan.entries.count))
    return (plan, state)
  }

  @Test("A merge is the union of both, and unsubscribes nothing") func merge() throws {
    let (plan, state) = try Self.joined(.merge)
    #expect(plan.there == 2 && plan.here == 3 && plan.same == 1)
    #expect(plan.unsubscribed.isEmpty)
    #expect(
      Set(state.feeds().filter(\.isSubscribed).compactMap(\.address))
        == Set(["a", "b", "c", "d"].map { "https://\($0).example/feed" }))
  }

  @Test("Names and places in the shared folder win, and fields that it lacks are added")
  func differences() throws {
    let (plan, state) = try Self.joined(.merge)
    let shared = try #require(state.feeds().first { $0.key == plan.keys[0] })
    #expect(shared.name == "theirs" && shared.folder == ["There"])
    #expect(shared.options == [.sort: "oldest"])
    let own = try #require(state.feeds().first { $0.key == plan.keys[2] })
    #expect(own.name == "ours" && own.folder == ["Here"] && own.title == "Title")
  }

  @Test("Exported state has time 0, so that every act is later; a revived feed is an act")
  func times() throws {
    let (plan, _) = try Self.joined(.merge)
    let late = plan.entries.filter { $0.time != .onboarding }
    #expect(late.map(\.subject) == [.feed(plan.keys[1])])
    #expect(late.map(\.time) == [Timestamp(milliseconds: 3).next])
  }

  @Test("Nothing secret is exported") func secrets() {
    let plan = Self.plan(MergedState())
    let text = String(decoding: plan.entries.flatMap(\.line), as: UTF8.self)
    #expect(!text.contains("pw@") && !text.contains("p.example"))
    #expect(text.contains("\"password\":1"))
  }

  @Test("Taking theirs unsubscribes from feeds that the folder does not have")
  func theirListReplacesMine() throws {
    let (plan, state) = try Self.joined(.takeTheirs)
    #expect(plan.unsubscribed == [1, 2] && plan.same == 1 && plan.there == 2)
    #expect(
      Set(state.feeds().filter(\.isSubscribed).compactMap(\.address))
        == ["https://a.example/feed", "https://b.example/feed"])
    #expect(plan.entries.allSatisfy { $0.time == .onboarding })
  }

  @Test("The first device exports everything") func first() {
    let plan = Self.plan(MergedState())
    #expect(plan.there == 0 && plan.same == 0 && plan.here == 3)
    #expect(plan.unsubscribed.isEmpty)
    #expect(plan.entries.count { $0.field == .subscribed } == 3)
    #expect(plan.entries.allSatisfy { $0.time == .onboarding })
  }

  @Test("Joining a second time exports nothing") func again() throws {
    let (_, state) = try Self.joined(.merge)
    #expect(Self.plan(state).entries.isEmpty)
  }

  @Test("A feed whose address was changed in the folder is recognised by its current address")
  func moved() {
    var state = Self.folder()
    let key = FeedKey(address: "https://b.example/feed")
    state.merge(
      S.entry(1, at: 9, .feed(key), .url, .string("https://new.example/rss")), from: S.desk)
    let local = [LocalFeed(address: "http://new.example/rss/")]
    let plan = OnboardingPlan(local, onboarding: state, .takeTheirs)
    #expect(plan.keys == [key] && plan.same == 1 && plan.unsubscribed.isEmpty)
  }

  @Test("Two local feeds that are one feed in the folder are reported, and only one is exported")
  func duplicates() {
    let local = ["http://e.example/", "https://e.example"].map { LocalFeed(address: $0) }
    let plan = OnboardingPlan(local, onboarding: MergedState(), .merge)
    #expect(plan.duplicates == [1] && plan.keys[0] == plan.keys[1])
    #expect(plan.entries.count { $0.field == .subscribed } == 1)
  }

  @Test("A title that cannot be shared is left out, and its feed is shared") func titles() {
    var feed = LocalFeed(address: "https://e.example/")
    for title in ["", "a\u{1B}", String(repeating: "x", count: 20_000)] {
      feed.title = title
      let plan = OnboardingPlan([feed], onboarding: MergedState(), .merge)
      #expect(plan.entries.first?.field == .subscribed)
      #expect(plan.entries.first?.rest["title"] == (title.isEmpty ? .string("") : nil))
    }
  }
}
