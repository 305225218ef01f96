import GRDB

@testable import SyncEngine

/// An account in a cache, and its server.
struct AccountFixture {
  let fixture: EngineFixture
  let server: FakeAggregator
  let account: AccountID
  var store: FeedStore { fixture.store }

  static let base = "http://aggregator.example/api/greader.php"

  /// - Parameters:
  ///   - server: the server of another cache, if two share one.
  ///   - url: the server's address, or `nil` for FreshRSS's.
  init(
    _ style: FakeAggregator.Style = .freshRSS, kind: Account.Kind = .googleReader,
    server: FakeAggregator? = nil, url: String? = nil
  ) async throws {
    fixture = try EngineFixture()
    let server = server ?? FakeAggregator(style)
    self.server = server
    server.answer(for: fixture.web)
    account = try await fixture.store.accounts.addAccount(
      kind: kind,
      url: url ?? (kind == .fever ? "http://aggregator.example/api/fever.php" : Self.base),
      user: FakeAggregator.user)
  }

  /// Returns an account that has pulled these items of the feed A.
  static func synced(
    _ items: ClosedRange<Int64>, _ style: FakeAggregator.Style = .freshRSS,
    kind: Account.Kind = .googleReader, url: String? = nil, folder: String = "Uncategorized"
  ) async throws -> AccountFixture {
    let fixture = try await AccountFixture(style, kind: kind, url: url)
    let feed = fixture.server.addFeed("http://a.example/", title: "A", folder: folder)
    fixture.server.addItems(items, feed: feed)
    try await fixture.sync()
    return fixture
  }

  func controller(
    secret: String = FakeAggregator.password,
    _ configure: (inout SyncConfiguration) -> Void = { _ in }
  ) -> NetworkController {
    fixture.controller { configuration in
      configuration.secret = { _ in secret }
      configure(&configuration)
    }
  }

  func startedController() -> NetworkController {
    let controller = controller()
    controller.start()
    return controller
  }

  /// Pulls and pushes after some seconds, like `weir account sync`.
  @discardableResult
  func sync(after seconds: Double = 0) async throws -> SyncSummary {
    if seconds > 0 { fixture.manual.advance(by: .seconds(seconds)) }
    try await store.reader.accounts.requestAccountSync(account)
    return await controller().runUntilIdle()
  }

  /// Sends the pending changes and waits until the server shows them.
  func syncUntilIdle() async throws {
    for _ in 0..<3 {
      _ = await controller().runUntilIdle(.push)
      try await sync(after: 90)
    }
  }

  func state() throws -> AccountState? { try store.reader.accounts.account(account)?.state }

  func articles(_ filter: ArticleQuery.Filter = .all) throws -> [Int64: ArticleID] {
    let rows = try store.reader.articles.page(
      ArticleQuery(scope: .all, filter: filter), .top, limit: 100_000)
    return Dictionary(
      rows.compactMap { row in
        row.title.split(separator: " ").dropFirst().first
          .flatMap { Int64($0) }.map { ($0, row.id) }
      }, uniquingKeysWith: { first, _ in first })
  }

  func unread() throws -> Set<Int64> { Set(try articles(.unread).keys) }
  func starred() throws -> Set<Int64> { Set(try articles(.starred).keys) }
}

extension FakeAggregator {
  func answer(for request: HTTPRequest) -> Answer {
    let target = request.url.replacing(/^https?:\/\/[^\/]*/, with: "")
    return answer(
      target: target, authorization: request.header("Authorization"), body: request.body ?? [])
  }

  /// Answers all requests for which `other` has no answer.
  func answer(
    for web: FakeWeb,
    unless other: @escaping @Sendable (HTTPRequest) -> FakeWeb.Answer? = { _ in nil }
  ) {
    web.onAnythingElse { request in
      if let answer = other(request) { return answer }
      let answer = self.answer(for: request)
      return .reply(answer.status, [("Content-Type", answer.type)], answer.body)
    }
  }
}

extension AccountSyncCache {
  /// Returns the articles with confirmed changes that no pull has shown yet.
  func confirmedItems(_ account: AccountID) throws -> [String] {
    try database.read { db in
      try String.fetchAll(
        db, sql: "SELECT item FROM outbox WHERE state = 1 AND accountID = ?",
        arguments: [account.rawValue])
    }
  }
}
