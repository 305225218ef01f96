import FeedModel
import FeedStore
import Foundation
import Networking
import TestSupport
import Testing

@testable import SyncEngine

/// Over real sockets and on the machine's clock: what happens when there is little time.
@Suite struct AccountEndTests {
  /// A server behind an origin, a cache with its account, and an engine.
  private struct Reader {
    let directory = NSTemporaryDirectory() + "weir-end-\(UUID().uuidString)"
    let server = FakeAggregator(.freshRSS)
    let origin: Origin
    let store: FeedStore
    let account: AccountID

    /// - Parameter thought: seconds before each answer to a path.
    init(_ thought: @escaping @Sendable (String) -> Double) async throws {
      let server = server
      origin = try Origin(address: "0.0.0.0")
      origin.on("/api/") { request in
        let answer = server.answer(
          target: request.target, authorization: request.header("Authorization"),
          body: request.body)
        return Reply.answer(answer.body, status: answer.status, type: answer.type)
          .after(thought(request.target))
      }
      store = try FeedStore.open(directory: directory)
      account = try await store.addAccount(
        kind: .googleReader, url: origin.url("/api/greader.php"), user: FakeAggregator.user)
    }

    func controller() -> NetworkController {
      var configuration = SyncConfiguration(directory: directory)
      configuration.secret = { _ in FakeAggregator.password }
      configuration.initialSpread = 0
      return NetworkController(
        store: store, transport: { CurlTransport(userAgent: "test") }, configuration: configuration)
    }

    func close() {
      origin.stop()
      store.close()
      try? FileManager.default.removeItem(atPath: directory)
    }
  }

  @Test(.timeLimit(.minutes(2))) func quittingSendsForThreeSecondsAndTheRestLater() async throws {
    let reader = try await Reader { $0.contains("edit-tag") ? 1.1 : 0 }
    defer { reader.close() }
    reader.server.addItems(1...200, feed: reader.server.addFeed("http://a.example/", title: "A"))
    _ = await reader.controller().runUntilIdle()
    try await reader.store.markAllRead(ArticleQuery(scope: .all))
    let controller = reader.controller()
    controller.start()
    // It is the engine by then, and gathers keys still.
    for await event in controller.events {
      if case .becameEngine = event { break }
    }
    let clock = ContinuousClock()
    let duration = await clock.measure { await controller.stop(deadline: 0.15) }
    let left = try #require(try reader.store.account(reader.account)?.state.outbox.waiting)
    #expect(left > 0 && left < 200)
    #expect(reader.server.editSizes.allSatisfy { $0 <= 50 })
    Soak.report("quit with 200 changes pending", "\(duration)", "\(200 - left) sent, \(left) wait")

    let summary = await reader.controller().runUntilIdle(.push)
    #expect(summary.accounts.first?.waiting == 0)
    #expect(reader.server.unread.isEmpty)
  }

  /// Each answer takes its time, as over a slow line; more feeds than there is room for.
  @Test(.timeLimit(.minutes(2))) func aStarOvertakesAFullSync() async throws {
    let reader = try await Reader { _ in 0.15 }
    defer { reader.close() }
    reader.origin.on("/feed/") { request in
      Reply.answer(rss(request.target)).after(0.4)
    }
    reader.server.addItems(1...20, feed: reader.server.addFeed("http://a.example/", title: "A"))
    _ = await reader.controller().runUntilIdle()
    let articles = try reader.store.articles(ArticleQuery(scope: .all), .top, limit: 20).map(\.id)

    /// Seconds from the end of the debounce to the server's knowing.
    func star(_ article: ArticleID) async throws -> Double {
      let before = reader.server.starred.count
      let began = ContinuousClock.now
      try await reader.store.setStarred([article], true)
      _ = try await Bench.eventually { reader.server.starred.count > before }
      return began.duration(to: .now) / .seconds(1) - 2
    }

    let controller = reader.controller()
    controller.start()
    _ = try await star(articles[0])
    let unloaded = try await star(articles[1])
    _ = try await reader.store.subscribe(
      (0..<400).map {
        OutlineEntry(url: reader.origin.url("/feed/\($0)", host: "127.0.1.\($0 % 200 + 1)"))
      })
    let isBusy = try await Bench.eventually { reader.origin.peakConcurrency > 10 }
    #expect(isBusy)
    let loaded = try await star(articles[2])
    #expect(try reader.store.syncStatus().isRunning)
    await controller.stop(deadline: 1)
    // The ratio is told, and judged by people: a busy machine is no line.
    Soak.report(
      "a star during a full sync", "unloaded \(unloaded) s", "\(loaded / unloaded) times that")
    #expect(loaded < unloaded + 5)
  }
}
