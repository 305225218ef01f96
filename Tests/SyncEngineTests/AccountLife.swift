import FeedModel
import FeedStore
import Foundation
import Networking
import RemoteAccounts
import Synchronization
import TestSupport
import Testing

@testable import RemoteSync
@testable import SyncEngine

/// What the user did last to each article, by the outbox's word for it.
struct Wanted: Hashable {
  var item: Int64
  var isStar: Bool
}

/// The states of a server's articles at a moment.
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

/// One account's life of some minutes.
final class AccountLife {
  /// What is odd about the server.
  enum Variant: CaseIterable {
    /// It removes a state that is set already, and another client sets states too.
    case toggles
    /// It answers yes at times and does nothing.
    case forgets
    /// It is built anew: all articles have other ids.
    case rebuilt
    /// A single pull gets empty lists of ids or of subscriptions.
    case emptyOnce
    /// Its articles are given with wrong states.
    case wrongCategories
    /// It is set back to a backup: the marks made since are lost.
    case setBack
    /// Nothing; its lives are the most.
    case ordinary
  }

  let variant: Variant
  let store: FeedStore
  let manual: ManualClock
  let account: Account
  let server: FakeAggregator
  let line: FaultyLine
  var random: SeededRandom
  var backend: any RemoteBackend
  var articles: [Int64: ArticleID] = [:]
  var wanted: [Wanted: Bool] = [:]
  /// The articles that were unread or starred at the first pull.
  private var expected: Set<Int64> = Set(1...12).subtracting([6])
  private var steps = 0
  /// The next pull gets empty lists, and the last complete one got them.
  private var isOdd = false
  private var wasOdd = false
  /// States of the server since the last complete pull: a request that failed may have shown them.
  private var shown: [States] = []
  /// Changes of another client that the next pull shows.
  private var unshown: Set<Wanted> = []
  /// Until the server has what the user did again, only the screen is compared.
  private var isRebuilding = false

  init(
    _ fixture: EngineFixture, seed: UInt64, _ variant: Variant = .ordinary
  ) async throws {
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
    line = FaultyLine(server, seed: seed)
    let id = try await fixture.store.accounts.addAccount(
      kind: .googleReader,
      url: "http://s\(seed).example" + (isFreshRSS ? "/api/greader.php" : ""),
      user: FakeAggregator.user)
    account = try #require(try fixture.store.reader.accounts.account(id))
    backend = Self.backend(account, line)
    guard variant != .ordinary else { return }
    // The states of the first pull are to last, too.
    for item in expected {
      wanted[Wanted(item: item, isStar: false)] = !server.unread.contains(item)
      wanted[Wanted(item: item, isStar: true)] = server.starred.contains(item)
    }
  }

  private static func backend(_ account: Account, _ line: FaultyLine) -> any RemoteBackend {
    GoogleReaderBackend(
      BackendConfiguration(kind: .googleReader, baseURL: account.url, user: account.user),
      client: NetworkClient(transport: line)
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
      backend = Self.backend(account, line)
    } else {
      try await store.accountSync.failOutbox(
        outcome.failed, of: account.id, detail: failure.words,
        isAnswered: failure.isAnswered, until: now + 5)
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
    switch outcome.failure {
    case .rebuilt, .setBack: try await store.reader.accounts.answerRebuild(of: account.id, .match)
    default: break
    }
    if outcome.failure == .transport(TransportError(.cancelled)) {
      backend = Self.backend(account, line)
    }
    for row in try rows(.all) {
      if let number = row.title.split(separator: " ").dropFirst().first.flatMap({ Int64($0) }) {
        articles[number] = row.id
        // Those that another client starred are to stay so.
        let (read, star) = (
          Wanted(item: number, isStar: false), Wanted(item: number, isStar: true)
        )
        if number > 100, wanted[star] == nil { (wanted[read], wanted[star]) = (false, true) }
      }
    }
  }

  func rows(_ filter: ArticleQuery.Filter) throws -> [ArticleRow] {
    let folder = try #require(try store.reader.accounts.account(account.id)?.folder)
    return try store.reader.articles.page(
      ArticleQuery(scope: .folder(folder), filter: filter), .top, limit: 1_000)
  }

  /// The same one for the same seed.
  private func randomArticle() -> (item: Int64, article: ArticleID)? {
    articles.sorted { $0.key < $1.key }.randomElement(using: &random)
      .map { (item: $0.key, article: $0.value) }
  }

  func act() async throws {
    guard let (item, article) = randomArticle() else { return }
    let value = Bool.random(using: &random)
    let isStar = Bool.random(using: &random)
    if isStar {
      try await store.reader.states.setStarred([article], value)
    } else {
      try await store.reader.states.setRead([article], value)
    }
    record(
      value, Wanted(item: item, isStar: isStar),
      isQueued: Self.isQueued(isStar ? .starred(value) : .read(value), article, store, account.id))
  }

  /// Records a press. A press that takes an unsent change back to what a pull has shown expresses
  /// no change: if another client has changed the state meanwhile, the next pull shows that.
  private func record(_ value: Bool, _ key: Wanted, isQueued: Bool) {
    // A press that changes nothing here is none.
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

  /// What happens at the server meanwhile.
  private func disturb() {
    steps += 1
    switch variant {
    case .ordinary, .setBack: break
    case .toggles:
      // The other client has done the same.
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

  /// Changes both states of every article, sends them, and sets the server back to a backup of
  /// before.
  private func setBack() async throws {
    line.fail(0)
    try await push()
    try await pull()
    let backup = server.backup()
    for (item, article) in articles {
      let read = wanted[Wanted(item: item, isStar: false)] ?? !server.unread.contains(item)
      let star = wanted[Wanted(item: item, isStar: true)] ?? server.starred.contains(item)
      (wanted[Wanted(item: item, isStar: false)], wanted[Wanted(item: item, isStar: true)]) = (
        !read, !star
      )
      try await store.reader.states.setRead([article], !read)
      try await store.reader.states.setStarred([article], !star)
    }
    try await push()
    manual.advance(by: .seconds(70))
    try await pull()
    server.restore(backup)
    isRebuilding = true
    // The question comes at the next pull. Marks made before it are newer than the lost ones, and
    // may leave fewer of these than the ten that it takes.
    try await pull()
  }

  func step() async throws {
    disturb()
    if variant == .setBack, steps == 12 { return try await setBack() }
    line.fail(Int.random(in: 0...1, using: &random) * 35)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: try await act()
    case 4..<6: try await push()
    case 6:
      // A key while the change is on its way.
      guard let (item, article) = randomArticle() else { return }
      try await act()
      let value = Bool.random(using: &random)
      let isQueued = Mutex<Bool?>(nil)
      line.whileAway { [store, account] in
        _ = try? await store.reader.states.setRead([article], value)
        let result = Self.isQueued(.read(value), article, store, account.id)
        isQueued.withLock { $0 = result }
      }
      try await push()
      line.whileAway {}
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

  /// Outbox ∪ server = what the user did; and the screen shows it.
  func check(_ seed: UInt64, _ step: Int) throws {
    var pending: [Wanted: Bool] = [:]
    let names = Dictionary(
      articles.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    for entry in try store.reader.accounts.outbox(of: account.id, limit: 1_000) {
      guard let item = entry.article.flatMap({ names[$0] }) else { continue }
      switch entry.change {
      case .read(let value): pending[Wanted(item: item, isStar: false)] = value
      case .starred(let value): pending[Wanted(item: item, isStar: true)] = value
      default: break
      }
    }
    // The server has taken these, and a pull is to show them.
    let confirmed = try store.accountSync.confirmedStates(of: account.id).articles
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
    line.fail(0)
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
    // Of what was read and not starred at the first sync nothing is here.
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
