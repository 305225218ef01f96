import FeedModel
import FeedStore
import Foundation
import Networking
import RemoteAccounts
import TestSupport
import Testing

@testable import SyncEngine

/// What an account's server, and who set the way to it, may expect.
@Suite struct AccountMannersTests {
  /// An account in step, with three articles.
  private func bench() async throws -> AccountBench {
    let bench = try await AccountBench()
    bench.server.addItems(1...3, feed: bench.server.addFeed("http://a.example/", title: "A"))
    try await bench.sync()
    bench.bench.web.forget()
    return bench
  }

  @Test func aRefusedPasswordIsNotSentAgainBeforeItsTime() async throws {
    let bench = try await bench()
    try await bench.store.reader.markAllRead(ArticleQuery(scope: .all))
    try await bench.store.reader.requestAccountSync(bench.account)
    func logins(after wait: Int, _ work: NetworkController.Work) async throws -> Int {
      bench.bench.manual.advance(by: .seconds(wait))
      bench.bench.web.forget()
      _ = await bench.controller(secret: "nope").runUntilIdle(work)
      return bench.bench.web.urls.count { $0.hasSuffix("accounts/ClientLogin") }
    }
    // Once to send, once to fetch.
    #expect(try await logins(after: 0, .requested) == 2)
    #expect(try bench.state()?.failure?.kind == .wrongCredentials)
    #expect(try await logins(after: 600, .push) == 0)
    #expect(try await logins(after: 600, .requested) == 0)
    #expect(try await logins(after: 2_401, .push) == 1)
    // As `weir account password` does.
    try await bench.store.accounts.setPasswordCommand(bench.account, nil)
    try await bench.sync()
    #expect(bench.server.unread.isEmpty)
  }

  @Test(
    "After a 429 nothing is sent before the time that it names, except one try for each request",
    arguments: ["subscription/list", "edit-tag"])
  func retryAfter(call: String) async throws {
    let bench = try await bench()
    let (server, web) = (bench.server, bench.bench.web)
    web.onAnythingElse { request in
      if request.url.contains(call) { return .status(429, [("Retry-After", "7200")]) }
      let answer = server.answer(for: request)
      return .reply(answer.status, [("Content-Type", answer.type)], answer.body)
    }
    try await bench.store.reader.markAllRead(ArticleQuery(scope: .all))
    try await bench.sync()
    #expect(try bench.state()?.failure?.kind == .busy)
    // What came second was not tried.
    #expect(web.urls.last?.contains(call) == true)
    #expect(try bench.state()?.isRequested == false)
    // Asked for once more, it is one request that is refused.
    web.forget()
    try await bench.store.reader.setStarred([try #require(try bench.articles()[1])], true)
    try await bench.sync()
    #expect(web.urls.count { $0.contains(call) } == 1)
    #expect(try bench.state()?.failure?.kind == .busy)
    web.forget()
    bench.bench.manual.advance(by: .seconds(7_000))
    _ = await bench.controller().runUntilIdle()
    #expect(web.log.isEmpty)
    server.answer(for: web)
    bench.bench.manual.advance(by: .seconds(201))
    _ = await bench.controller().runUntilIdle()
    #expect(server.unread.isEmpty && server.starred == [1])
    #expect(try bench.state()?.failure == nil)
    #expect(try bench.state()?.pausedUntil == nil)
  }

  @Test("After a 503 that names five seconds a change is sent five seconds later")
  func shortRetryAfter() async throws {
    let bench = try await bench()
    let (server, web) = (bench.server, bench.bench.web)
    web.onAnythingElse { request in
      if request.url.contains("edit-tag") { return .status(503, [("Retry-After", "5")]) }
      let answer = server.answer(for: request)
      return .reply(answer.status, [("Content-Type", answer.type)], answer.body)
    }
    try await bench.store.reader.markAllRead(ArticleQuery(scope: .all))
    _ = await bench.controller().runUntilIdle(.push)
    #expect(try bench.store.accounts.accountWork().first?.pushAt == bench.bench.now + 5)
    server.answer(for: web)
    bench.bench.manual.advance(by: .seconds(5))
    _ = await bench.controller().runUntilIdle(.push)
    #expect(server.unread.isEmpty)
  }

  @Test("A reader that is opened pulls where the last pull is older than two minutes")
  func pullAtOpening() async throws {
    let bench = try await bench()
    let before = try bench.state()?.syncedAt
    bench.bench.manual.advance(by: .seconds(121))
    let controller = bench.controller()
    controller.start()
    #expect(try await Bench.eventually { try bench.state()?.syncedAt != before })
    await controller.stop(deadline: 10)
  }

  @Test("The time between two pulls is the configured one")
  func interval() async throws {
    let bench = try await bench()
    try await bench.store.reader.requestAccountSync(bench.account)
    _ = await bench.controller { $0.accountInterval = .seconds(3_600) }.runUntilIdle()
    #expect(try bench.state()?.nextSyncAt == bench.bench.now + 3_240)
  }

  @Test("The wait after an error is what the server names, else seconds that grow to minutes")
  func waits() {
    func wait(_ retryAfter: Double?) -> Double {
      AccountError.busy(status: 429, retryAfter: retryAfter).wait(failures: 0) / .seconds(1)
    }
    #expect(wait(2e9) == 7 * 86_400)
    #expect(wait(5) == 5 && wait(0) == 1 && wait(nil) == 10)
    #expect(AccountError.busy(status: 503, retryAfter: nil).wait(failures: 20) == .seconds(900))
    #expect(AccountError.refused(status: 500, detail: "").wait(failures: 20) == .seconds(900))
  }

  @Test func accountsGoTheWayThatTheUserSetForTheirAddress() async throws {
    let bench = try await bench()
    let proxy = ProxyChoice.server("socks5h://127.0.0.1:9050", hasExceptions: true)
    let controller = bench.controller { configuration in
      configuration.settings = { url in
        guard url.hasPrefix(AccountBench.base) else { return FeedSettings() }
        return FeedSettings(
          userAgent: "Somebody/1", proxy: proxy, user: "ann", password: .text("of her feeds"))
      }
    }
    try await bench.store.reader.requestAccountSync(bench.account)
    _ = await controller.runUntilIdle()
    let synced = bench.bench.web.log.count
    #expect(synced > 3)
    let failure = await controller.verify(
      kind: .googleReader, url: AccountBench.base, user: FakeAggregator.user,
      secret: FakeAggregator.password)
    #expect(failure == nil)
    _ = await controller.encrypted(AccountBench.base)
    let log = bench.bench.web.log
    #expect(log.count == synced + 2)
    let expected = RequestIdentity(userAgent: "Somebody/1", proxy: proxy)
    #expect(log.allSatisfy { $0.identity == expected })
  }
}
