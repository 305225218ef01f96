@testable import SyncEngine

/// Some minutes in the life of an account whose server is set up again and counts from another
/// number: IDs restart, overlap and shift, and feeds are in another order.
final class RenumberedLife {
  private struct States: Equatable {
    var isRead = false
    var isStarred = false
  }

  private let store: FeedStore
  private let manual: ManualClock
  private let account: Account
  private let server: FakeAggregator
  private let network: FaultyNetwork
  private let isFever: Bool
  private let hasFaults: Bool
  private var random: SeededRandom
  private var backend: any RemoteBackend
  /// The states that the user wants, by the number in the article's title.
  private var wanted: [Int64: States] = [:]
  private var articles: [Int64: ArticleID] = [:]
  private var titles: [String: String] = [:]
  private var folders: [String: String] = [:]
  private var removed: Set<String> = []
  /// Changes that the server may get, as `FakeAggregator.touched` has them.
  private var allowed: Set<String> = []
  private var pages: [Int64: String] = [:]
  private var nextItem: Int64 = 17
  private static let urls = (0..<4).map { "http://\($0).example/feed" }

  init(_ fixture: EngineFixture, seed: UInt64) async throws {
    (store, manual, random) = (fixture.store, fixture.manual, SeededRandom(seed: seed))
    isFever = seed % 3 == 2
    hasFaults = seed.isMultiple(of: 5)
    server = FakeAggregator(seed % 3 == 1 ? .miniflux : .freshRSS)
    for url in Self.urls { server.addFeed(url, title: "T \(url)", folder: "News") }
    for item in 1...16 as ClosedRange<Int64> { server.addItems([item], feed: Int(item % 4) + 1) }
    pages = server.addresses
    network = FaultyNetwork(server, seed: seed)
    let path = isFever ? "/api/fever.php" : server.style == .freshRSS ? "/api/greader.php" : ""
    let id = try await fixture.store.accounts.addAccount(
      kind: isFever ? .fever : .googleReader, url: "http://s\(seed).example" + path,
      user: FakeAggregator.user)
    account = try #require(try fixture.store.reader.accounts.account(id))
    backend = Self.backend(account, network)
  }

  private static func backend(_ account: Account, _ network: FaultyNetwork) -> any RemoteBackend {
    let client = NetworkClient(transport: network)
    return account.kind == .fever
      ? FeverBackend(account.url, user: account.user, client: client) { () in
        FakeAggregator.password
      }
      : GoogleReaderBackend(account.url, user: account.user, client: client) { () in
        FakeAggregator.password
      }
  }

  private var now: Date { EngineFixture.start + manual.now.offset / .seconds(1) }

  private func push() async throws {
    let outcome = try await OutboxPush(
      account: account, backend: backend, store: store.accountSync
    ).run(at: { nil })
    guard let failure = outcome.failure else { return }
    backend = Self.backend(account, network)
    guard failure != .transport(TransportError(.cancelled)) else { return }
    try await store.accountSync.failOutbox(
      outcome.failed, of: account.id, detail: failure.words, until: now + 5)
  }

  private func pull() async throws {
    let outcome = try await AccountPull(
      account: account, backend: backend, store: store.accountSync
    ).run(began: now)
    if outcome.failure == nil {
      try await store.accountSync.endAccountSync(
        account.id, AccountOutcome(began: now, hasPulled: true, failure: nil, nextSyncAt: nil))
    } else {
      backend = Self.backend(account, network)
    }
    for row in try rows(.all) {
      let number = try #require(Self.number(row))
      articles[number] = row.id
      if wanted[number] == nil { wanted[number] = States() }
    }
  }

  private static func number(_ row: ArticleRow) -> Int64? {
    row.title.split(separator: " ").dropFirst().first.flatMap { Int64($0) }
  }

  private func rows(_ filter: ArticleQuery.Filter) throws -> [ArticleRow] {
    let folder = try #require(try store.reader.accounts.account(account.id)?.folder)
    return try store.reader.articles.page(
      ArticleQuery(scope: .folder(folder), filter: filter), .top, limit: 1_000)
  }

  private func feed() throws -> Feed? {
    try store.reader.feeds.subscriptions().feeds.filter { $0.account == account.id }
      .sorted { $0.url < $1.url }.randomElement(using: &random)
  }

  private func mark() async throws {
    guard
      let (number, article) = articles.sorted(by: { $0.key < $1.key })
        .randomElement(using: &random), let page = pages[number],
      try rows(.all).contains(where: { $0.id == article })
    else { return }
    let value = Int.random(in: 0..<3, using: &random) > 0
    if Bool.random(using: &random) {
      wanted[number]?.isRead = value
      allowed.insert("\(value ? "" : "un")read \(page)")
      try await store.reader.states.set(.read, [article], value)
    } else {
      wanted[number]?.isStarred = value
      allowed.insert("\(value ? "" : "un")starred \(page)")
      try await store.reader.states.set(.starred, [article], value)
    }
  }

  private func arrange() async throws {
    guard !isFever, let feed = try feed() else { return }
    let name = "N\(Int.random(in: 0...9, using: &random))"
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      removed.insert(feed.url)
      allowed.insert("unsubscribe \(feed.url)")
      try await store.reader.feeds.unsubscribe([feed.id])
      try await store.accountSync.endHolding()
    case 1:
      folders[feed.url] = name
      allowed.insert("user/-/label/\(name) \(feed.url)")
      try await store.reader.feeds.edit(
        feed.id,
        FeedEdit(
          title: feed.userTitle, url: feed.url, folder: [account.title, name], isPaused: false))
    default:
      titles[feed.url] = name
      allowed.insert("\(name) \(feed.url)")
      try await store.reader.feeds.edit(feed.id) { $0.title = name }
    }
  }

  /// Sets the server up again, with its present feeds in another order.
  private func setUpAgain() {
    let feeds = server.feeds.shuffled(using: &random)
    let shift = [0, 0, 1, 2, 7].randomElement(using: &random) ?? 0
    let ids = Dictionary(uniqueKeysWithValues: zip(feeds.map(\.id), (1 + shift)...))
    let items = server.addresses.keys.sorted().shuffled(using: &random)
    let first: Int64 = [1, 1, 1, 3, 9, 40].randomElement(using: &random) ?? 1
    let step: Int64 = [1, 1, 2].randomElement(using: &random) ?? 1
    let numbers = items.indices.map { first + Int64($0) * step }
    server.renumber(
      feeds: { (ids[$0.id] ?? 0, "T \($0.url)", "News") },
      items: Dictionary(uniqueKeysWithValues: zip(items, numbers)))
  }

  /// Adds an article at the server.
  private func publish() {
    guard let feed = server.feeds.randomElement(using: &random) else { return }
    let id = (server.addresses.keys.max() ?? 0) + 1
    server.addItem(id, number: nextItem, feed: feed.id)
    pages[nextItem] = server.addresses[id]
    nextItem += 1
  }

  func run(_ seed: UInt64) async throws {
    try await pull()
    for _ in 0..<14 {
      network.fail(hasFaults ? 25 : 0)
      switch Int.random(in: 0..<14, using: &random) {
      case 0..<4: try await mark()
      case 4..<6: try await arrange()
      case 6: publish()
      case 7..<9: setUpAgain()
      case 9..<11: try await push()
      case 11..<13: try await pull()
      default: manual.advance(by: .seconds(Int.random(in: 1...400, using: &random)))
      }
    }
    network.fail(0)
    for _ in 0..<5 {
      manual.advance(by: .seconds(700))
      try await store.reader.accounts.retryOutbox(
        store.reader.accounts.outbox(of: account.id, limit: 1_000).map(\.id))
      try await push()
      try await pull()
    }
    try check(seed)
    try await store.accounts.removeAccount(account.id)
  }

  private func check(_ seed: UInt64) throws {
    let wrong = server.touched.filter { !allowed.contains($0) && $0 != "user/-/label/News" }
    #expect(wrong.isEmpty, "seed \(seed): \(wrong)")
    let left = try store.reader.accounts.outbox(of: account.id, limit: 99)
    #expect(left.isEmpty, "seed \(seed): \(left)")
    #expect(Set(server.feeds.map(\.url)) == Set(Self.urls).subtracting(removed), "seed \(seed)")
    for feed in server.feeds {
      #expect(feed.title == titles[feed.url] ?? "T \(feed.url)", "seed \(seed)")
      #expect(feed.folder == folders[feed.url] ?? "News", "seed \(seed)")
    }
    let numbers = Dictionary(
      pages.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    var here: [Int64: States] = [:]
    for row in try rows(.all) {
      here[try #require(Self.number(row))] = States(
        isRead: row.status.isRead, isStarred: row.status.isStarred)
    }
    let (unread, starred) = (server.unread, server.starred)
    for (id, page) in server.addresses {
      let number = try #require(numbers[page])
      let there = States(isRead: !unread.contains(id), isStarred: starred.contains(id))
      #expect(there == wanted[number] ?? States(), "seed \(seed): \(number) at the server")
      #expect(here[number] == wanted[number] ?? States(), "seed \(seed): \(number)")
    }
  }
}
