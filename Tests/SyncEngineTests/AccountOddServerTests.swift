import FeedModel
import FeedStore
import Foundation
import Networking
import RemoteAccounts
import TestSupport
import Testing

@testable import SyncEngine

/// Servers that answer, and not as they should: nothing that is here is lost for it.
@Suite struct AccountOddServerTests {
  /// An account in step, with three articles, of which the second is starred.
  private func bench(_ kind: Account.Kind = .googleReader) async throws -> AccountBench {
    let bench = try await AccountBench(kind: kind)
    bench.server.addItems(1...3, feed: bench.server.addFeed("http://a.example/", title: "A"))
    bench.server.starred = [2]
    try await bench.sync()
    return bench
  }

  /// Answers this call so, and every other one as the server does.
  private func answer(_ call: String, with body: String, _ bench: AccountBench) {
    let server = bench.server
    bench.bench.web.onAnythingElse { request in
      if request.url.contains(call) { return .reply(200, [], body) }
      let answer = server.answer(for: request)
      return .reply(answer.status, [("Content-Type", answer.type)], answer.body)
    }
  }

  @Test(arguments: Account.Kind.allCases)
  func aFeedThatIsListedWithoutItsAddressStays(kind: Account.Kind) async throws {
    let bench = try await bench(kind)
    bench.server.setHidingAddresses(true)
    try await bench.sync()
    #expect(try bench.state()?.failure == nil)
    #expect(try bench.store.reader.subscriptions().feeds.map(\.url) == ["http://a.example/"])
    #expect(try bench.starred() == [2])
  }

  @Test func anErrorInThePlaceOfAListMarksNothingRead() async throws {
    let bench = try await bench()
    answer("items/ids", with: #"{"error":"database is locked"}"#, bench)
    try await bench.sync()
    #expect(try bench.state()?.failure?.kind == .unusable)
    #expect(try bench.unread() == [1, 2, 3])
    #expect(try bench.starred() == [2])
  }

  @Test("A change that is never answered with sense is never set aside")
  func senselessAnswers() async throws {
    let bench = try await bench()
    try await bench.store.reader.setStarred([try #require(try bench.articles()[1])], true)
    answer("edit-tag", with: #"{"thanks":true}"#, bench)
    var states: [[OutboxEntry.State]] = []
    for _ in 0..<4 {
      _ = await bench.controller().runUntilIdle(.push)
      states.append(try bench.store.reader.outbox(of: nil, limit: 9).map(\.state))
    }
    #expect(states == Array(repeating: [.failed], count: 4))
    #expect(try bench.store.reader.outbox(of: nil, limit: 9).first?.detail == #"{"thanks":true}"#)
  }

  @Test func moreSubscriptionsThanAnybodyHasAreNotTaken() async throws {
    let bench = try await bench()
    let account = try #require(try bench.store.reader.account(bench.account))
    let outcome = try await AccountPull(
      account: account, backend: ManyFeeds(), store: bench.store.accounts
    ).run(began: bench.bench.now)
    #expect(outcome.failure == .unusable(detail: "50001 subscriptions"))
    #expect(try bench.store.reader.subscriptions().feeds.map(\.url) == ["http://a.example/"])
  }

  /// A starred article of a feed that is followed no more is listed for ever.
  @Test func whatIsAskedForInVainIsLeftAloneForADay() async throws {
    let bench = try await bench()
    bench.server.addItems([9], feed: 77)
    bench.server.unread.remove(9)
    bench.server.starred.insert(9)
    let controller = bench.controller()
    /// How often articles are asked for in five syncs.
    func asked() async throws -> Int {
      bench.bench.web.forget()
      for _ in 0..<5 {
        bench.bench.manual.advance(by: .seconds(60))
        try await bench.store.reader.requestAccountSync(bench.account)
        _ = await controller.runUntilIdle(.requested)
      }
      return bench.bench.web.urls.count { $0.contains("items/contents") }
    }
    #expect(try await asked() == 3)
    #expect(try await asked() == 0)
    bench.server.addFeed("http://b.example/", title: "B")
    #expect(try await asked() == 3)
    bench.bench.manual.advance(by: .seconds(86_400))
    #expect(try await asked() == 3)
    #expect(try bench.unread() == [1, 2, 3])
  }
}

/// A server that gives more subscriptions than anybody has.
private struct ManyFeeds: RemoteBackend {
  let itemsAtOnce = 250
  let editsAtOnce = 100

  func signIn() async throws(AccountError) {}
  func subscriptions() async throws(AccountError) -> [RemoteSubscription] {
    (0...50_000).map { RemoteSubscription(id: "feed/\($0)", title: "", url: "http://a.example/") }
  }
  func ids(_ list: RemoteList, after continuation: String?) async throws(AccountError)
    -> RemotePage
  { RemotePage(ids: []) }
  func items(_ ids: [String]) async throws(AccountError) -> [RemoteItem] { [] }
  func edit(_ ids: [String], _ edit: RemoteEdit) async throws(AccountError) {}
  func subscribe(url: String, title: String?, folder: String?) async throws(AccountError) {}
  func unsubscribe(_ id: String) async throws(AccountError) {}
  func rename(_ id: String, to title: String) async throws(AccountError) {}
  func move(_ id: String, from old: String?, to new: String?) async throws(AccountError) {}
}
