import SoakSupport

@testable import RemoteAccounts
@testable import SyncEngine

/// A state of an article.
private struct StateKey: Hashable {
  var item: String
  var state: RemoteState
}

/// A server in memory that shows changes after a fixed delay and fails on request. It keeps
/// received changes.
private final class SlowServer: Sendable {
  enum Fault: CaseIterable {
    case none, error, errorAfterTaking, lostRequest, lostAnswer
  }

  struct State {
    var now = 0.0
    /// Values with the times from which they apply.
    var values: [StateKey: [(at: Double, value: Bool)]] = [:]
    var last: [StateKey: Bool] = [:]
    /// Values received last.
    var wanted: [StateKey: Bool] = [:]
    /// Presses by client: number and value of the last one, and the press received last.
    var presses: [[StateKey: (count: Int, value: Bool)]] = [[:], [:]]
    var arrived: [[StateKey: Int]] = [[:], [:]]
    /// Changes by client whose answer was lost, and those that may be sent again.
    var unanswered: [Set<StateKey>] = [[], []]
    var mayRepeat: [Set<StateKey>] = [[], []]
    /// Times by client at which the last press arrived, and presses that were sent once more.
    var arrivedAt: [[StateKey: Double]] = [[:], [:]]
    var repeated: [Set<StateKey>] = [[], []]
    /// Presses by client that wait to be sent.
    var waiting: [Set<StateKey>] = [[], []]
    var repeats: [String] = []
    var random: SeededRandom
    var faults = false
  }

  static let items = (1...6).map(String.init)
  static let states: [RemoteState] = [.read, .starred, .label("Later"), .label("To read")]
  let lag: Double
  /// Removes a state that is already set when a client sets it.
  let toggles: Bool
  let state: Mutex<State>

  init(seed: UInt64, lag: Double, toggles: Bool) {
    (self.lag, self.toggles) = (lag, toggles)
    state = Mutex(State(random: SeededRandom(seed: seed)))
  }

  static func shown(_ key: StateKey, _ state: State, lag: Double) -> Bool {
    state.values[key]?.last { $0.at <= state.now - lag }?.value ?? false
  }

  func press(_ client: Int, _ key: StateKey, _ value: Bool) {
    state.withLock {
      $0.presses[client][key] = (($0.presses[client][key]?.count ?? 0) + 1, value)
      $0.unanswered[client].remove(key)
      $0.mayRepeat[client].remove(key)
      $0.repeated[client].remove(key)
      $0.arrivedAt[client][key] = nil
      $0.waiting[client].insert(key)
    }
  }

  /// Returns the shown state of an article. A change without an answer may be sent again if the
  /// shown state differs, and a change that is not shown a minute later may be sent once more.
  func isSeen(_ client: Int, _ key: StateKey) -> Bool {
    state.withLock { state in
      let shown = Self.shown(key, state, lag: lag)
      if state.unanswered[client].contains(key), shown != state.presses[client][key]?.value {
        state.mayRepeat[client].insert(key)
      }
      if let at = state.arrivedAt[client][key], state.now - at >= 60,
        shown != state.presses[client][key]?.value, state.repeated[client].insert(key).inserted
      {
        state.mayRepeat[client].insert(key)
      }
      // A state that the server already has is not sent.
      if toggles, shown == state.presses[client][key]?.value,
        state.waiting[client].remove(key) != nil
      {
        state.wanted[key] = shown
      }
      return shown
    }
  }

  func edit(_ client: Int, _ keys: [StateKey], _ value: Bool) throws(AccountError) {
    let fault = state.withLock { state -> Fault in
      let isFaulty = state.faults && Int.random(in: 0..<3, using: &state.random) == 0
      let fault = isFaulty ? Fault.allCases.randomElement(using: &state.random) ?? .none : .none
      for key in keys {
        let press = state.presses[client][key]?.count ?? 0
        if state.arrived[client][key] == press, !state.mayRepeat[client].contains(key) {
          state.repeats.append("client \(client) sent \(key) twice")
        }
        state.mayRepeat[client].remove(key)
        state.unanswered[client].remove(key)
        if fault == .lostRequest || fault == .lostAnswer {
          state.unanswered[client].insert(key)
        } else if fault != .none {
          state.mayRepeat[client].insert(key)
        }
        if fault == .error || fault == .lostRequest { continue }
        state.arrived[client][key] = press
        state.waiting[client].remove(key)
        state.arrivedAt[client][key] = state.now
        state.wanted[key] = value
        var result = value
        // A server that toggles has no tags.
        if toggles, key.state == .read || key.state == .starred, value, state.last[key] == true {
          result = false
        }
        state.values[key, default: []].append((state.now, result))
        state.last[key] = result
      }
      return fault
    }
    switch fault {
    case .none: break
    case .error, .errorAfterTaking: throw .refused(status: 500, detail: "")
    case .lostRequest, .lostAnswer: throw .transport(TransportError(.connectionLost))
    }
  }
}

/// A client's view of the server.
private struct SlowBackend: RemoteBackend {
  let server: SlowServer
  let client: Int
  let itemsAtOnce = 4
  let editsAtOnce = 3

  func signIn() async throws(AccountError) {}
  func subscriptions() async throws(AccountError) -> [RemoteFeed] {
    [RemoteFeed(id: "feed/1", title: "A", url: "http://a.example/")]
  }

  /// A label made at the server, and another that exists after its first use.
  func tree() async throws(AccountError) -> RemoteTree {
    let states = server.state.withLock { Set($0.last.keys.map(\.state)).union([.label("To read")]) }
    return RemoteTree(
      subscriptions: try await subscriptions(),
      labels: SlowServer.states.filter(states.contains).compactMap {
        if case .label(let label) = $0 { label } else { nil }
      })
  }

  func ids(_ list: RemoteList, after continuation: String?) async throws(AccountError)
    -> RemotePage
  {
    let state: RemoteState =
      switch list {
      case .unread: .read
      case .label(let label): .label(label)
      case .starred, .subscription: .starred
      }
    return RemotePage(
      ids: SlowServer.items.filter {
        server.isSeen(client, StateKey(item: $0, state: state)) == (state != .read)
      })
  }

  func items(_ ids: [String]) async throws(AccountError) -> [RemoteArticle] {
    ids.map { id in
      RemoteArticle(
        item: ParsedItem(
          id: id, url: "http://a.example/\(id)", title: "Item \(id)",
          contentHTML: "<p>Text</p>"),
        feed: "feed/1", isRead: server.isSeen(client, StateKey(item: id, state: .read)),
        isStarred: server.isSeen(client, StateKey(item: id, state: .starred)),
        labels: SlowServer.states.compactMap { state in
          guard case .label(let label) = state else { return nil }
          return server.isSeen(client, StateKey(item: id, state: state)) ? label : nil
        })
    }
  }

  func edit(_ ids: [String], _ edit: RemoteEdit) async throws(AccountError) {
    try server.edit(client, ids.map { StateKey(item: $0, state: edit.state) }, edit.isSet)
  }
  func subscribe(url: String, title: String?, folder: String?) async throws(AccountError) {}
  func edit(_ edit: SubscriptionEdit) async throws(AccountError) {}
}

/// A machine with its cache.
private final class Client {
  let index: Int
  let fixture: EngineFixture
  let account: Account
  let backend: SlowBackend
  var store: FeedStore { fixture.store }

  init(_ index: Int, _ fixture: EngineFixture, _ server: SlowServer, seed: UInt64) async throws {
    self.index = index
    self.fixture = fixture
    let id = try await fixture.store.accounts.addAccount(
      kind: .googleReader, url: "http://s\(seed).example/", user: "ann")
    account = try #require(try fixture.store.reader.accounts.account(id))
    backend = SlowBackend(server: server, client: index)
  }

  func pullAll() async throws {
    _ = try await AccountPull(account: account, backend: backend, store: store.accountSync)
      .run(began: fixture.now)
  }

  func push() async throws {
    let outcome = try await OutboxPush(
      account: account, backend: backend, store: store.accountSync, limit: 4
    ).run(at: { nil })
    guard let failure = outcome.failure else { return }
    try await store.accountSync.failOutbox(
      outcome.failed, of: account.id, detail: failure.words, until: fixture.now + 5)
  }

  /// Sends all changes again as if they had never failed, as the user can.
  func retryAll() async throws {
    let entries = try store.reader.accounts.outbox(of: account.id, limit: 100)
    for entry in entries where entry.state != .pending {
      let state: RemoteState =
        switch entry.change {
        case .marked(.read, _): .read
        case .tagged(let tag, _): .label(tag.replacing("-", with: " "))
        default: .starred
        }
      let key = StateKey(item: entry.title.replacing("Item ", with: ""), state: state)
      backend.server.state.withLock {
        $0.repeated[index].remove(key)
        if entry.state == .refused { $0.mayRepeat[index].insert(key) }
      }
    }
    try await store.reader.accounts.retryOutbox(entries.map(\.id))
  }

  func act(_ random: inout SeededRandom) async throws {
    guard let row = try rows().randomElement(using: &random) else { return }
    let state = SlowServer.states.randomElement(using: &random) ?? .read
    let key = StateKey(item: Self.item(row), state: state)
    let value = try !has(row, state)
    backend.server.press(index, key, value)
    switch state {
    case .label(let label):
      try await store.reader.states.changeTags(
        of: [row.id], adding: value ? [label] : [], removing: value ? [] : [label])
    case .read: try await store.reader.states.set(.read, [row.id], value)
    case .starred: try await store.reader.states.set(.starred, [row.id], value)
    }
  }

  private func has(_ row: ArticleRow, _ state: RemoteState) throws -> Bool {
    switch state {
    case .read: return row.status.isRead
    case .starred: return row.status.isStarred
    case .label(let label):
      let tag = label.replacing(" ", with: "-")
      return try store.reader.states.tags(of: [row.id]).contains(tag)
    }
  }

  private func rows() throws -> [ArticleRow] {
    let folder = try #require(try store.reader.accounts.account(account.id)?.folder)
    return try store.reader.articles.page(ArticleQuery(scope: .folder(folder)), .top, limit: 100)
  }

  private static func item(_ row: ArticleRow) -> String {
    row.title.replacing("Item ", with: "")
  }

  func states() throws -> [StateKey: Bool] {
    var states: [StateKey: Bool] = [:]
    for row in try rows() {
      for state in SlowServer.states {
        states[StateKey(item: Self.item(row), state: state)] = try has(row, state)
      }
    }
    return states
  }
}

@Suite("Two clients of one account", .countsFailures) struct TwoClientsTests {
  @Test(
    "The last change to arrive from two machines wins, and no change is sent twice",
    arguments: [false, true], [false, true])
  func lastWriterWins(hasFaults: Bool, toggles: Bool) async throws {
    let benches = [
      try EngineFixture(in: EngineFixture.memory), try EngineFixture(in: EngineFixture.memory),
    ]
    let runs = Soak.length(short: 10, long: 2_000)
    for seed in 1...UInt64(runs) {
      var random = SeededRandom(seed: seed)
      let lag: Double = [0, 0, 2, 20].randomElement(using: &random) ?? 0
      // A state that is not shown yet cannot be compared.
      let server = SlowServer(seed: seed, lag: toggles ? 0 : lag, toggles: toggles)
      func advance(_ seconds: Int) {
        server.state.withLock { $0.now += Double(seconds) }
        for fixture in benches { fixture.manual.advance(by: .seconds(seconds)) }
      }
      advance(60)
      var clients: [Client] = []
      for (index, fixture) in benches.enumerated() {
        clients.append(try await Client(index, fixture, server, seed: seed))
        try await clients[index].pullAll()
      }
      for _ in 0..<40 {
        server.state.withLock { $0.faults = hasFaults }
        let client = clients[Int.random(in: 0...1, using: &random)]
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<4: try await client.act(&random)
        case 4..<7: try await client.push()
        case 7..<10: try await client.pullAll()
        case 10: advance(Int.random(in: 1...30, using: &random))
        default: advance(Int.random(in: 1...2_000, using: &random))
        }
      }
      server.state.withLock { $0.faults = false }
      for _ in 0..<4 {
        for client in clients {
          try await client.retryAll()
          try await client.push()
        }
        advance(700)
        for client in clients { try await client.pullAll() }
      }
      let (last, repeats) = server.state.withLock { ($0.wanted, $0.repeats) }
      #expect(repeats.isEmpty, "seed \(seed): \(repeats)")
      for client in clients {
        let states = try client.states()
        #expect(states.count == SlowServer.states.count * SlowServer.items.count)
        for (key, value) in states {
          #expect(value == last[key] ?? false, "seed \(seed), client \(client.index): \(key)")
        }
        #expect(
          try client.store.reader.accounts.account(client.account.id)?.state.outbox
            == OutboxCounts())
        #expect(try client.store.accountSync.confirmedItems(client.account.id).isEmpty)
        try await client.store.accounts.removeAccount(client.account.id)
      }
    }
    Soak.report(
      "two machines and a slow server, faults: \(hasFaults), toggles: \(toggles)", "\(runs) runs",
      "last writer wins")
  }
}
