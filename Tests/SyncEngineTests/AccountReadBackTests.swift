import FeedModel
import FeedStore
import Foundation
import Networking
import TestSupport
import Testing

@testable import SyncEngine

/// What becomes of a change after the server has said yes to it.
@Suite struct AccountReadBackTests {
  /// An account in step with an engine that serves it, and three articles.
  private func serving() async throws -> (bench: AccountBench, controller: NetworkController) {
    let bench = try await AccountBench()
    bench.server.addItems(1...3, feed: bench.server.addFeed("http://a.example/", title: "A"))
    try await bench.sync()
    bench.bench.web.forget()
    let controller = bench.controller()
    controller.start()
    return (bench, controller)
  }

  /// Whether everything was sent and the server has shown it.
  private func isSettled(_ bench: AccountBench) throws -> Bool {
    try bench.state()?.outbox == OutboxCounts()
      && bench.store.accounts.confirmedStates(of: bench.account).articles.isEmpty
  }

  /// Moves time on, a second at a time, until it is so.
  private func wait(
    _ bench: AccountBench, _ isSo: @escaping () throws -> Bool
  ) async throws -> Bool {
    try await Bench.eventually {
      bench.bench.manual.advance(by: .seconds(1))
      return try isSo()
    }
  }

  @Test("A change that the server has taken is read back within seconds, by its articles alone")
  func readBack() async throws {
    let (bench, controller) = try await serving()
    let article = try #require(try bench.articles()[2])
    try await bench.store.reader.setStarred([article], true)
    #expect(try await wait(bench) { bench.server.starred == [2] })
    #expect(try await wait(bench) { try isSettled(bench) })
    let calls = bench.bench.web.urls.map { $0.split(separator: "/").last.map(String.init) ?? "" }
    #expect(calls.suffix(2) == ["edit-tag", "contents"], "\(calls)")
    #expect(!calls.contains { $0.hasPrefix("list") })
    await controller.stop(deadline: 10)
  }

  @Test("A newer change made elsewhere wins at the next pull, however late that is")
  func newerChangeElsewhere() async throws {
    let bench = try await AccountBench()
    bench.server.addItems(1...3, feed: bench.server.addFeed("http://a.example/", title: "A"))
    try await bench.sync()
    let article = try #require(try bench.articles()[2])
    try await bench.store.reader.setRead([article], true)
    _ = await bench.controller().runUntilIdle(.push)
    #expect(bench.server.unread == [1, 3])
    // No pull has shown it when somebody marks it unread on another machine.
    bench.server.unread.insert(2)
    bench.bench.manual.advance(by: .seconds(1_860))
    try await bench.sync()
    #expect(try bench.unread() == [1, 2, 3])
    bench.bench.manual.advance(by: .seconds(1_860))
    try await bench.sync()
    #expect(bench.server.unread == [1, 2, 3])
    #expect(bench.server.editSizes == [1])
  }

  @Test("A server that needs seconds to show a change does not turn it around on the screen")
  func slowServer() async throws {
    let (bench, controller) = try await serving()
    let (server, web) = (bench.server, bench.bench.web)
    let article = try #require(try bench.articles()[2])
    // It says yes and does not show the change yet.
    server.setForgetful(true)
    try await bench.store.reader.setStarred([article], true)
    #expect(try await wait(bench) { server.editSizes == [1] })
    #expect(try await wait(bench) { web.urls.contains { $0.contains("contents") } })
    #expect(try bench.starred() == [2])
    server.starred = [2]
    #expect(try await wait(bench) { try isSettled(bench) })
    #expect(try bench.starred() == [2])
    #expect(server.editSizes == [1])
    await controller.stop(deadline: 10)
  }

  @Test("A server that says yes and changes nothing is believed after a minute")
  func forgetfulServer() async throws {
    let (bench, controller) = try await serving()
    bench.server.setForgetful(true)
    let article = try #require(try bench.articles()[2])
    try await bench.store.reader.setStarred([article], true)
    #expect(try await wait(bench) { bench.server.editSizes == [1] })
    #expect(try await wait(bench) { try isSettled(bench) && bench.starred().isEmpty })
    #expect(bench.server.editSizes == [1])
    await controller.stop(deadline: 10)
  }

  @Test("After thousands of marks the lists are fetched, not each article")
  func manyMarks() async throws {
    let bench = try await AccountBench()
    bench.server.addItems(1...600, feed: bench.server.addFeed("http://a.example/", title: "A"))
    try await bench.sync()
    bench.bench.web.forget()
    let controller = bench.controller()
    controller.start()
    try await bench.store.reader.markAllRead(ArticleQuery(scope: .all))
    #expect(try await wait(bench) { bench.server.unread.isEmpty })
    #expect(try await wait(bench) { try isSettled(bench) })
    #expect(!bench.bench.web.urls.contains { $0.contains("contents") })
    #expect(bench.server.editSizes == Array(repeating: 100, count: 6))
    await controller.stop(deadline: 10)
  }

  @Test("A change that was sent without an answer is looked for before it is sent again")
  func lostAnswer() async throws {
    let bench = try await AccountBench()
    bench.server.addItems(1...3, feed: bench.server.addFeed("http://a.example/", title: "A"))
    try await bench.sync()
    let (server, web) = (bench.server, bench.bench.web)
    web.onAnythingElse { request in
      let answer = server.answer(for: request)
      if request.url.contains("edit-tag") { return .failure(.connectionLost) }
      return .reply(answer.status, [("Content-Type", answer.type)], answer.body)
    }
    try await bench.store.reader.markAllRead(ArticleQuery(scope: .all))
    _ = await bench.controller().runUntilIdle(.push)
    #expect(server.unread.isEmpty)
    #expect(try bench.state()?.outbox.failed == 3)
    server.answer(for: web)
    try await bench.sync()
    #expect(server.editSizes == [3])
    #expect(try bench.state()?.outbox == OutboxCounts())
    #expect(try bench.unread().isEmpty)
  }

  @Test("A change that did not arrive is sent again")
  func lostRequest() async throws {
    let bench = try await AccountBench()
    bench.server.addItems(1...3, feed: bench.server.addFeed("http://a.example/", title: "A"))
    try await bench.sync()
    let (server, web) = (bench.server, bench.bench.web)
    web.onAnythingElse { request in
      if request.url.contains("edit-tag") { return .failure(.connectionLost) }
      let answer = server.answer(for: request)
      return .reply(answer.status, [("Content-Type", answer.type)], answer.body)
    }
    try await bench.store.reader.markAllRead(ArticleQuery(scope: .all))
    _ = await bench.controller().runUntilIdle(.push)
    #expect(server.unread == [1, 2, 3])
    server.answer(for: web)
    try await bench.sync()
    #expect(server.unread.isEmpty)
    #expect(server.editSizes == [3])
  }
}
