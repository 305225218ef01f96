@Suite("Stories in the feeds of several accounts") struct AccountDuplicateTests {
  /// Two accounts and a local feed; the stories 1 to `count` are in all three.
  private struct Fixture {
    let bench: AccountBench
    let other: AccountID
    let local: FeedID
    /// Copies by story: of the first account, of the second, of the local feed.
    var duplicates: [[ArticleID]] = []
    var store: FeedStore { bench.store }

    init(stories count: Int) async throws {
      bench = try await AccountBench()
      other = try await bench.store.accounts.addAccount(
        kind: .googleReader, url: "https://other.example/api", user: "ann")
      local = try await bench.cache.feed("local")
      let first = try await bench.fill(count)
      try await bench.store.accountSync.applySubscriptions(
        [RemoteFeed(id: "feed/1", title: "T", url: "https://a.example/feed/1")], of: other,
        began: bench.now)
      let second: [ArticleID] = try await bench.store.accountSync.storeArticles(
        (1...count).map { AccountBench.article($0) }, of: other
      ).added.reversed()
      var third: [ArticleID] = []
      for number in 1...count {
        third += try await bench.cache.merge(local, [Self.item(number)]).added
      }
      duplicates = (0..<count).map { [first[$0], second[$0], third[$0]] }
    }

    static func item(_ number: Int) -> ParsedItem {
      ParsedItem(
        id: "story-\(number)", url: "https://a.example/feed/1/\(number)", title: "Article \(number)"
      )
    }

    func pull(_ account: AccountID, unread: [Int], starred: [Int] = []) async throws {
      try await store.accountSync.applyStates(
        of: account, unread: RemoteNames(unread.map(String.init), isComplete: true),
        starred: RemoteNames(starred.map(String.init), isComplete: true), began: bench.now)
    }

    func status(_ id: ArticleID) throws -> ArticleStatus? {
      try store.reader.articles.article(id)?.row.status
    }

    /// Pending changes for both servers, as text.
    func outbox() throws -> [String] {
      try store.reader.accounts.outbox(of: nil, limit: 1_000).map {
        "\($0.account.rawValue) \($0.change)"
      }
    }
  }

  @Test("Two accounts with the same feeds send each other nothing when they are added")
  func addingSendsNothing() async throws {
    let bench = try await AccountBench()
    let local = try await bench.cache.feed("local")
    let own = try await bench.cache.merge(local, (1...3).map { Fixture.item($0) }).added
    try await bench.store.reader.states.set(.read, [own[0]], true)
    try await bench.store.reader.states.set(.starred, [own[1]], true)
    try await bench.fill(3)
    try await bench.pull(unread: [1, 2, 3], starred: [3])
    let other = try await bench.store.accounts.addAccount(
      kind: .googleReader, url: "https://other.example/api", user: "bob")
    try await bench.store.accountSync.applySubscriptions(
      [RemoteFeed(id: "feed/1", title: "T", url: "https://a.example/feed/1")], of: other,
      began: bench.now)
    _ = try await bench.sync.storeArticles((1...3).map { AccountBench.article($0) }, of: other)
    #expect(try bench.store.reader.accounts.outbox(of: nil, limit: 9).isEmpty)
    // Mixed lists show the story with the state of any copy.
    #expect(try bench.cache.all(ArticleQuery(scope: .all, filter: .starred)).count == 2)
    #expect(try bench.cache.all(ArticleQuery(scope: .all, filter: .unread)).count == 2)
    // A pull of the other account changes none of these states.
    for _ in 0..<2 {
      try await bench.store.accountSync.applyStates(
        of: other, unread: RemoteNames(["1", "2", "3"], isComplete: true),
        starred: RemoteNames([], isComplete: true), began: bench.now)
      try await bench.pull(unread: [1, 2, 3], starred: [3])
    }
    #expect(try bench.cache.all(ArticleQuery(scope: .all, filter: .starred)).count == 2)
    #expect(try bench.cache.all(ArticleQuery(scope: .all, filter: .unread)).count == 2)
    #expect(try bench.store.reader.accounts.outbox(of: nil, limit: 9).isEmpty)
  }

  @Test("Reading a story sends one change to each account, once; a star concerns one article")
  func oneChangeForEach() async throws {
    let fixture = try await Fixture(stories: 2)
    let (store, first) = (fixture.store, fixture.duplicates[0][2])
    let accounts = [fixture.bench.account, fixture.other].map(\.rawValue)
    #expect(try await store.reader.states.set(.read, [first], true).duplicates == 2)
    #expect(
      try Set(fixture.outbox()) == Set(accounts.map { "\($0) marked(FeedModel.Mark.read, true)" }))
    #expect(try fixture.outbox().count == 2)
    for copy in fixture.duplicates[0] { #expect(try fixture.status(copy)?.isRead == true) }
    _ = try await store.reader.journal.undo()
    #expect(try fixture.outbox().isEmpty)
    for copy in fixture.duplicates[0] { #expect(try fixture.status(copy)?.isRead == false) }
    _ = try await store.reader.journal.redo()
    #expect(try fixture.outbox().count == 2)
    try await store.reader.states.set(.read, [first], false)
    #expect(try fixture.outbox().count == 2)
    #expect(try fixture.status(fixture.duplicates[0][0])?.isRead == true)
    try await store.reader.states.set(.starred, [fixture.duplicates[1][1]], true)
    #expect(
      try fixture.outbox().filter { $0.contains("starred") } == [
        "\(accounts[1]) marked(FeedModel.Mark.starred, true)"
      ])
    #expect(try fixture.status(fixture.duplicates[1][0])?.isStarred == false)
  }

  @Test("A list marked read sends a change for the copies that it does not show")
  func listsMarkCopies() async throws {
    let fixture = try await Fixture(stories: 3)
    // The first account's copies, which mixed lists show, are read at their server.
    try await fixture.pull(fixture.bench.account, unread: [])
    #expect(try fixture.bench.cache.all(.unread).isEmpty)
    try await fixture.store.reader.states.markShownRead(.all)
    #expect(
      try fixture.outbox()
        == Array(repeating: "\(fixture.other.rawValue) marked(FeedModel.Mark.read, true)", count: 3)
    )
    #expect(try fixture.bench.cache.counts().unread == 0)
  }

  /// A server with all stories, and the changes that its account's lists have requested since the
  /// last exchange.
  private struct Server {
    var unread: Set<Int>
    var starred: Set<Int> = []
    var pressed: [String: Bool] = [:]

    mutating func setRead(_ story: Int, _ isRead: Bool) {
      if isRead { unread.remove(story) } else { unread.insert(story) }
    }

    mutating func setStarred(_ story: Int, _ isStarred: Bool) {
      if isStarred { starred.insert(story) } else { starred.remove(story) }
    }
  }

  @Test("A server receives only what the user marked, in any order of events", arguments: 1...6)
  func property(seed: UInt64) async throws {
    let stories = 4
    let fixture = try await Fixture(stories: stories)
    let states = fixture.store.reader.states
    var random = SeededRandom(seed: seed)
    let accounts = [fixture.bench.account, fixture.other]
    var servers = accounts.map { _ in Server(unread: Set(1...stories)) }
    // The states that the local copies should have.
    var (read, starred): (Set<Int>, Set<Int>) = ([], [])
    for _ in 0..<60 {
      let story = Int.random(in: 1...stories, using: &random)
      let place = Int.random(in: 0..<3, using: &random)
      let isSet = Bool.random(using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        try await states.set(.read, [fixture.duplicates[story - 1][place]], isSet)
        for server in servers.indices where isSet || server == place {
          servers[server].pressed["read \(story)"] = isSet
        }
        if isSet { read.insert(story) } else if place == 2 { read.remove(story) }
      case 1:
        try await states.set(.starred, [fixture.duplicates[story - 1][place]], isSet)
        if place < 2 { servers[place].pressed["starred \(story)"] = isSet }
        if place == 2, isSet { starred.insert(story) } else if place == 2 { starred.remove(story) }
      case 2 where place < 2: servers[place].setRead(story, isSet)
      case 3 where place < 2: servers[place].setStarred(story, isSet)
      default:
        guard place < 2 else { continue }
        try await exchange(fixture, accounts[place], &servers[place])
        for (story, duplicates) in zip(1..., fixture.duplicates) {
          #expect(
            try fixture.status(duplicates[place])
              == ArticleStatus(
                isRead: !servers[place].unread.contains(story),
                isStarred: servers[place].starred.contains(story)))
        }
      }
      for (story, duplicates) in zip(1..., fixture.duplicates) {
        #expect(
          try fixture.status(duplicates[2])
            == ArticleStatus(isRead: read.contains(story), isStarred: starred.contains(story)))
      }
    }
    #expect(try fixture.store.file.integrityProblems().isEmpty)
  }

  /// Sends the pending changes, checks that the user made each of them, and pulls.
  private func exchange(
    _ fixture: Fixture, _ account: AccountID, _ server: inout Server
  ) async throws {
    while let batch = try fixture.store.accountSync.outboxBatch(of: account, limit: 100, at: nil) {
      for row in batch.rows {
        let story = try #require(Int(row.item))
        switch batch.change {
        case .marked(.read, let isRead):
          #expect(server.pressed["read \(story)"] == isRead)
          server.setRead(story, isRead)
        case .marked(.starred, let isStarred):
          #expect(server.pressed["starred \(story)"] == isStarred)
          server.setStarred(story, isStarred)
        default: Issue.record("no subscription changed")
        }
      }
      try await fixture.store.accountSync.confirmOutbox(batch.rows.map(\.seq))
    }
    server.pressed = [:]
    try await fixture.pull(
      account, unread: server.unread.sorted(), starred: server.starred.sorted())
  }
}
