@testable import SyncEngine

/// Key of the user's last change of an article's state, as in the outbox.
struct Wanted: Hashable {
  var item: Int64
  var isStar: Bool
}

/// The states of a server's articles at one time.
private struct States {
  let unread: Set<Int64>
  let starred: Set<Int64>

  init(_ server: FakeAggregator) {
    unread = Set(server.unread.map { $0 % 1_000 })
    starred = Set(server.starred.map { $0 % 1_000 })
  }

  func has(_ key: Wanted) -> Bool {
    key.isStar ? starred.contains(key.item) : !unread.contains(key.item)
  }
}

/// Some minutes in the life of one account.
final class AccountLife {
  /// The server's fault.
  enum Variant: CaseIterable {
    /// Removes a state that is already set; another client sets states too.
    case toggles
    /// Confirms some changes without applying them.
    case forgets
    /// Is rebuilt: all articles get new ids.
    case rebuilt
    /// Returns empty lists of ids or subscriptions to a single pull.
    case emptyOnce
    /// Returns wrong states with its articles.
    case wrongCategories
    /// Is restored from a backup: later marks are lost.
    case setBack
    /// Has no fault; most lives are of this kind.
    case ordinary
  }

  let variant: Variant
  let store: FeedStore
  let manual: ManualClock
  let account: Account
  let server: FakeAggregator
  let network: FaultyNetwork
  var random: SeededRandom
  var backend: any RemoteBackend
  var articles: [Int64: ArticleID] = [:]
  var wanted: [Wanted: Bool] = [:]
  /// Articles that were unread or starred at the first pull.
  private var expected: Set<Int64> = Set(1...12).subtracting([6])
  private var steps = 0
  /// True if the next pull gets empty lists; `wasOdd` is true if the last complete one got them.
  private var isOdd = false
  private var wasOdd = false
  /// States of the server since the last complete pull; a failed request may have shown them.
  private var shown: [States] = []
  /// Changes of another client that the next pull shows.
  private var unshown: Set<Wanted> = []
  /// True until the server has the user's changes again; meanwhile only the screen is compared.
  private var isRebuilding = false

  init(_ fixture: EngineFixture, seed: UInt64, _ variant: Variant = .ordinary) async throws {
    self.variant = variant
    store = fixture.store
    manual = fixture.manual
    random = SeededRandom(seed: seed)
    let isFreshRSS: Bool
    switch variant {
    case .ordinary, .forgets, .rebuilt, .emptyOnce, .setBack: isFreshRSS = seed.isMultiple(of: 2)
    case .toggles, .wrongCategories: isFreshRSS = false
    }
    server = FakeAggregator(isFreshRSS ? .freshRSS : .miniflux)
    server.setToggling(variant == .toggles)
    server.setWrongCategories(variant == .wrongCategories)
    server.addItems(1...12, feed: server.addFeed("http://a.example/\(seed)", title: "A"))
    server.starred = [2, 5]
    server.unread.subtract([5, 6])
    server.setPageSize(5)
    network = FaultyNetwork(server, seed: seed)
    let id = try await fixture.store.accounts.addAccount(
      kind: .googleReader,
      url: "http://s\(seed).example" + (isFreshRSS ? "/api/greader.php" : ""),
      user: FakeAggregator.user)
    account = try #require(try fixture.store.reader.accounts.account(id))
    backend = Self.backend(account, network)
    guard variant != .ordinary else { return }
    // The states of the first pull must last, too.
    for item in expected {
      wanted[Wanted(item: item, isStar: false)] = !server.unread.contains(item)
      wanted[Wanted(item: item, isStar: true)] = server.starred.contains(item)
    }
  }

  private static func backend(_ account: Account, _ network: FaultyNetwork) -> any RemoteBackend {
    GoogleReaderBackend(
      account.url, user: account.user, client: NetworkClient(transport: network)
    ) { () in FakeAggregator.password }
  }

  var now: Date { EngineFixture.start + manual.now.offset / .seconds(1) }

  func push() async throws {
    let outcome = try await OutboxPush(
      account: account, backend: backend, store: store.accountSync,
      limit: Int.random(in: 1...6, using: &random)
    ).run(at: { nil })
    guard let failure = outcome.failure else { return }
    if failure == .transport(TransportError(.cancelled)) {
      backend = Self.backend(account, network)
    } else {
      try await store.accountSync.failOutbox(
        outcome.failed, of: account.id, detail: failure.words, until: now + 5)
    }
  }

  func pull() async throws {
    let hasNoFeeds = isOdd && Bool.random(using: &random)
    server.setNoSubscriptions(hasNoFeeds)
    server.setEmptyLists(isOdd && !hasNoFeeds)
    let outcome = try await AccountPull(
      account: account, backend: backend, store: store.accountSync
    )
    .run(began: now)
    shown = (outcome.failure == nil ? [] : shown) + [States(server)]
    if outcome.failure == nil { unshown = [] }
    wasOdd = isOdd || wasOdd && outcome.failure != nil
    isOdd = false
    if outcome.failure == nil {
      try await store.accountSync.endAccountSync(
        account.id,
        AccountOutcome(began: now, hasPulled: true, failure: nil, nextSyncAt: nil))
    }
    if outcome.failure == .transport(TransportError(.cancelled)) {
      backend = Self.backend(account, network)
    }
    for row in try rows(.all) {
      if let number = row.title.split(separator: " ").dropFirst().first.flatMap({ Int64($0) }) {
        articles[number] = row.id
        // Articles that another client starred must stay starred.
        let (read, star) = (Wanted(item: number, isStar: false), Wanted(item: number, isStar: true))
        if number > 100, wanted[star] == nil { (wanted[read], wanted[star]) = (false, true) }
      }
    }
  }

  func rows(_ filter: ArticleQuery.Filter) throws -> [ArticleRow] {
    let folder = try #require(try store.reader.accounts.account(account.id)?.folder)
    return try store.reader.articles.page(
      ArticleQuery(scope: .folder(folder), filter: filter), .top, limit: 1_000)
  }

  /// Returns the same article for the same seed.
  private func randomArticle() -> (item: Int64, article: ArticleID)? {
    articles.sorted { $0.key < $1.key }.randomElement(using: &random)
      .map { (item: $0.key, article: $0.value) }
  }

  func act() async throws {
    guard let (item, article) = randomArticle() else { return }
    let value = Bool.random(using: &random)
    let isStar = Bool.random(using: &random)
    if isStar {
      try await store.reader.states.set(.starred, [article], value)
    } else {
      try await store.reader.states.set(.read, [article], value)
    }
    record(
      value, Wanted(item: item, isStar: isStar),
      isQueued: Self.isQueued(.marked(isStar ? .starred : .read, value), article, store, account.id)
    )
  }

  /// Records a key press. A press that reverts an unsent change to the state of the last pull is no
  /// change: if another client has changed the state meanwhile, the next pull shows that.
  private func record(_ value: Bool, _ key: Wanted, isQueued: Bool) {
    // A press without an effect is not recorded.
    if wanted[key] == value, !unshown.contains(key) { return }
    wanted[key] = value
    unshown.remove(key)
    guard variant == .toggles, !isQueued, shown.contains(where: { $0.has(key) == value })
    else { return }
    let there = States(server).has(key)
    wanted[key] = there
    if there != value { unshown.insert(key) }
  }

  private static func isQueued(
    _ change: OutboxEntry.Change, _ article: ArticleID, _ store: FeedStore, _ account: AccountID
  ) -> Bool {
    let entries = (try? store.reader.accounts.outbox(of: account, limit: 1_000)) ?? []
    return entries.contains { $0.article == article && $0.change == change }
  }

  /// Changes the server between two steps.
  private func disturb() {
    steps += 1
    switch variant {
    case .ordinary, .setBack: break
    case .toggles:
      // The other client has made the same change.
      let keys = wanted.keys.sorted { ($0.item, $0.isStar ? 1 : 0) < ($1.item, $1.isStar ? 1 : 0) }
      guard let key = keys.randomElement(using: &random), let value = wanted[key] else { return }
      if key.isStar {
        server.starred = value ? server.starred.union([key.item]) : server.starred
      } else {
        server.unread = value ? server.unread.subtracting([key.item]) : server.unread
      }
    case .forgets: server.setForgetful(Int.random(in: 0..<4, using: &random) == 0)
    case .rebuilt:
      guard steps == 12 else { return }
      isRebuilding = true
      server.rebuild(addingToIDs: 1_000)
    case .emptyOnce:
      isOdd = !wasOdd && Int.random(in: 0..<3, using: &random) == 0
    case .wrongCategories:
      guard steps.isMultiple(of: 6) else { return }
      let item = Int64(100 + steps)
      server.addItems([item], feed: 1)
      server.starred.insert(item)
      expected.insert(item)
    }
  }

  /// Changes both states of every article, sends the changes, and restores the server from an
  /// earlier backup.
  private func setBack() async throws {
    network.fail(0)
    try await push()
    try await pull()
    let backup = server.backup()
    for (item, article) in articles {
      let read = wanted[Wanted(item: item, isStar: false)] ?? !server.unread.contains(item)
      let star = wanted[Wanted(item: item, isStar: true)] ?? server.starred.contains(item)
      (wanted[Wanted(item: item, isStar: false)], wanted[Wanted(item: item, isStar: true)]) = (
        !read, !star
      )
      try await store.reader.states.set(.read, [article], !read)
      try await store.reader.states.set(.starred, [article], !star)
    }
    try await push()
    manual.advance(by: .seconds(70))
    try await pull()
    server.restore(backup)
    isRebuilding = true
    // Earlier marks are newer than the lost ones and may leave fewer lost ones than the ten that
    // prove the loss.
    try await pull()
  }

  func step() async throws {
    disturb()
    if variant == .setBack, steps == 12 { return try await setBack() }
    network.fail(Int.random(in: 0...1, using: &random) * 35)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: try await act()
    case 4..<6: try await push()
    case 6:
      // The user presses a key while the change is being sent.
      guard let (item, article) = randomArticle() else { return }
      try await act()
      let value = Bool.random(using: &random)
      let isQueued = Mutex<Bool?>(nil)
      network.whileAway { [store, account] in
        _ = try? await store.reader.states.set(.read, [article], value)
        let result = Self.isQueued(.marked(.read, value), article, store, account.id)
        isQueued.withLock { $0 = result }
      }
      try await push()
      network.whileAway {}
      if let isQueued = isQueued.withLock({ $0 }) {
        record(value, Wanted(item: item, isStar: false), isQueued: isQueued)
      }
    case 7..<9:
      server.setCircular(Int.random(in: 0..<6, using: &random) == 0)
      try await pull()
      server.setCircular(false)
    default: manual.advance(by: .seconds(Int.random(in: 1...400, using: &random)))
    }
  }

  /// Outbox and server together have the user's changes, and the screen shows them.
  func check(_ seed: UInt64, _ step: Int) throws {
    var pending: [Wanted: Bool] = [:]
    let names = Dictionary(
      articles.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    for entry in try store.reader.accounts.outbox(of: account.id, limit: 1_000) {
      guard let item = entry.article.flatMap({ names[$0] }) else { continue }
      guard case .marked(let mark, let value) = entry.change else { continue }
      pending[Wanted(item: item, isStar: mark == .starred)] = value
    }
    // The server has confirmed these changes, and a pull must show them.
    let confirmed = try store.accountSync.confirmedItems(account.id)
    let confirmedItems = Set(confirmed.compactMap { Int64($0) }.map { $0 % 1_000 })
    let unread = Set(try rows(.unread).compactMap { names[$0.id] })
    let starred = Set(try rows(.starred).compactMap { names[$0.id] })
    for (key, value) in wanted where !unshown.contains(key) {
      let there = States(server).has(key)
      let here = key.isStar ? starred.contains(key.item) : !unread.contains(key.item)
      if !isRebuilding, variant == .ordinary || step < 0 || !confirmedItems.contains(key.item) {
        #expect((pending[key] ?? there) == value, "seed \(seed), step \(step): \(key)")
      }
      #expect(here == value, "seed \(seed), step \(step): \(key) on the screen")
    }
  }

  func finish(_ seed: UInt64) async throws {
    network.fail(0)
    server.setForgetful(false)
    (isRebuilding, isOdd) = (false, false)
    if variant == .rebuilt { expected.insert(6) }
    for _ in 0..<5 {
      manual.advance(by: .seconds(700))
      try await store.reader.accounts.retryOutbox(
        store.reader.accounts.outbox(of: account.id, limit: 1_000).map(\.id))
      try await push()
      try await pull()
    }
    try check(seed, -1)
    #expect(try store.reader.accounts.outbox(of: account.id, limit: 9).isEmpty, "seed \(seed)")
    // Articles that were read and unstarred at the first sync are not stored.
    #expect(
      try Set(articles.keys) == expected && rows(.all).count == expected.count, "seed \(seed)")
    let names = Dictionary(
      articles.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    #expect(
      Set(try rows(.unread).compactMap { names[$0.id] }) == States(server).unread, "seed \(seed)")
    #expect(
      Set(try rows(.starred).compactMap { names[$0.id] }) == States(server).starred, "seed \(seed)")
    try await store.accounts.removeAccount(account.id)
  }
}
