import SoakSupport

@testable import SyncEngine

/// Runs over real sockets and on the machine's clock.
@Suite("Quitting with pending changes", .countsFailures, .timeLimit(.minutes(120)))
struct AccountEndTests {
  /// A server behind an origin, a cache with its account, and an engine.
  private struct Reader {
    let directory = NSTemporaryDirectory() + "weir-end-\(UUID().uuidString)"
    let server = FakeAggregator(.freshRSS)
    let origin: Origin
    let store: FeedStore
    let account: AccountID

    /// - Parameter thought: seconds before each answer to a path.
    init(_ thought: @escaping @Sendable (String) -> Double) async throws {
      origin = try Origin(address: "0.0.0.0")
      server.serve(on: origin) { thought($0.target) }
      // With a clock that is ahead, keys are still gathered however slow the machine is.
      store = try FeedStore.open(directory: directory, options: StoreOptions(now: { Date() + 600 }))
      account = try await store.accounts.addAccount(
        kind: .googleReader, url: origin.url("/api/greader.php"), user: FakeAggregator.user)
    }

    func controller() -> NetworkController {
      var configuration = SyncConfiguration(directory: directory)
      configuration.secret = { _ in FakeAggregator.password }
      configuration.initialSpread = .zero
      return NetworkController(
        store: store.engine, accounts: store.accountSync,
        transport: { CurlTransport(userAgent: "test") }, configuration: configuration)
    }

    func close() {
      origin.stop()
      store.close()
      try? FileManager.default.removeItem(atPath: directory)
    }
  }

  @Test("Quitting sends changes for at most three seconds and keeps the rest for later")
  func quittingSendsBriefly() async throws {
    let reader = try await Reader { $0.contains("edit-tag") ? 1.1 : 0 }
    defer { reader.close() }
    reader.server.addItems(1...200, feed: reader.server.addFeed("http://a.example/", title: "A"))
    // On a busy machine, a server may seem not to answer.
    while try reader.store.reader.articles.count(.all) < 200 {
      _ = await reader.controller().runUntilIdle()
    }
    try await reader.store.reader.states.markShownRead(.all)
    let controller = reader.controller()
    controller.start()
    // The controller is the engine now and still gathers keys.
    for await event in controller.events {
      if case .becameEngine = event { break }
    }
    let clock = ContinuousClock()
    let duration = await clock.measure { await controller.stop(deadline: .milliseconds(150)) }
    let left = try #require(
      try reader.store.reader.accounts.account(reader.account)?.state.outbox.waiting)
    // The machine's speed decides how many are sent; some are left, and none is lost.
    #expect(left > 0)
    #expect(reader.server.editSizes.allSatisfy { $0 <= 50 })
    Soak.report("quit with 200 changes pending", "\(duration)", "\(200 - left) sent, \(left) wait")

    // Its process would have ended by now.
    await controller.end()
    while try reader.store.reader.accounts.account(reader.account)?.state.outbox.waiting != 0 {
      _ = await reader.controller().runUntilIdle(.push)
    }
    #expect(reader.server.unread.isEmpty)
  }
}
