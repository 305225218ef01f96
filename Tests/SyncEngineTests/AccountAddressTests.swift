import FeedModel
import FeedStore
import Foundation
import TestSupport
import Testing

@testable import SyncEngine

@Suite struct AccountAddressTests {
  @Test("A feed that the server fails on holds up nothing else, now or later")
  func oneBadAddress() async throws {
    let bench = try await AccountBench(.miniflux)
    bench.server.addItems(1...3, feed: bench.server.addFeed("http://a.example/", title: "A"))
    try await bench.sync()
    let articles = try bench.articles()
    let branch = try #require(try bench.store.reader.account(bench.account)?.folder)
    try await bench.store.reader.subscribe(
      url: "https://broken.example/feed", title: nil, folder: branch)
    try await bench.store.reader.setStarred([articles[1]].compactMap { $0 }, true)
    let summary = await bench.controller().runUntilIdle(.push)
    #expect(summary.accounts.first?.sent == 1)
    #expect(summary.accounts.first?.waiting == 1)
    #expect(bench.server.starred == [1])
    #expect(try bench.state()?.failure == nil)
    let row = try #require(try bench.store.reader.outbox(of: bench.account, limit: 9).first)
    #expect(row.change == .subscribed(true) && row.state == .failed)
    try await bench.store.reader.setStarred([articles[2]].compactMap { $0 }, true)
    #expect(await bench.controller().runUntilIdle(.push).accounts.first?.sent == 1)
    #expect(bench.server.starred == [1, 2])
  }
}
