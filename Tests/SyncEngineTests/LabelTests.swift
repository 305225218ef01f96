import FeedModel
import FeedStore
import Foundation
import Networking
import TestSupport
import Testing

@testable import SyncEngine

/// Tags that travel to a server's labels and back.
@Suite struct LabelTests {
  private func filled(_ style: FakeAggregator.Style = .freshRSS) async throws -> AccountBench {
    let bench = try await AccountBench(style)
    bench.server.addItems(
      1...4, feed: bench.server.addFeed("http://a.example/", title: "A", folder: "News"))
    try await bench.sync()
    return bench
  }

  private func tags(_ bench: AccountBench, _ item: Int64) throws -> [String] {
    try bench.store.reader.tags(of: [#require(try bench.articles()[item])])
  }

  @discardableResult
  private func change(
    _ bench: AccountBench, _ items: Int64..., adding: [String] = [], removing: [String] = []
  ) async throws -> Set<LocalTags> {
    let articles = try bench.articles()
    return try await bench.store.reader.changeTags(
      of: items.compactMap { articles[$0] }, adding: adding, removing: removing)
  }

  @Test("A tag is sent as a label, once, and its removal too")
  func sent() async throws {
    let bench = try await filled()
    #expect(try await change(bench, 1, 2, adding: ["Later"]).isEmpty)
    #expect(try bench.state()?.outbox.pending == 2)
    try await bench.sync()
    #expect(bench.server.labels == ["Later": [1, 2]])
    #expect(bench.server.editSizes == [2])
    try await bench.sync()
    bench.bench.manual.advance(by: .seconds(2_000))
    try await bench.sync()
    #expect(bench.server.editSizes == [2])
    #expect(try bench.state()?.outbox == OutboxCounts())
    #expect(try bench.store.accounts.confirmedStates(of: bench.account).articles.isEmpty)
    try await change(bench, 1, removing: ["later"])
    try await bench.sync()
    #expect(bench.server.labels == ["Later": [2]])
    #expect(try tags(bench, 1).isEmpty && tags(bench, 2) == ["Later"])
  }

  @Test("A label of the server becomes a tag and goes with it; folders become none")
  func pulled() async throws {
    let bench = try await filled()
    try await change(bench, 4, adding: ["mine"])
    bench.server.labels = ["To read": [1, 3], "mine": []]
    try await bench.sync()
    #expect(try tags(bench, 1) == ["To-read"] && tags(bench, 2).isEmpty)
    #expect(try bench.store.reader.subscriptions().tags.map(\.name) == ["mine", "To-read"])
    bench.server.labels["To read"] = [3]
    try await bench.sync()
    #expect(try tags(bench, 1).isEmpty && tags(bench, 3) == ["To-read"])
    // The server's own spelling is used.
    try await change(bench, 2, adding: ["to-read"])
    try await bench.sync()
    #expect(bench.server.labels["To read"] == [2, 3])
    bench.server.labels["To read"] = nil
    bench.bench.manual.advance(by: .seconds(2_000))
    try await bench.sync()
    #expect(try tags(bench, 3).isEmpty && tags(bench, 4) == ["mine"])
  }

  @Test("An article that arrives brings its labels, a read one with a label comes for its sake")
  func arriving() async throws {
    let bench = try await AccountBench()
    bench.server.addItems(
      1...3, feed: bench.server.addFeed("http://a.example/", title: "A", folder: "News"))
    bench.server.labels = ["Later": [1, 2]]
    bench.server.unread = [1]
    try await bench.sync()
    #expect(try Set(bench.articles().keys) == [1, 2])
    #expect(try tags(bench, 1) == ["Later"] && tags(bench, 2) == ["Later"])
    #expect(try bench.unread() == [1])
  }

  @Test("Tags from before the account, of local feeds and called as a folder stay here")
  func local() async throws {
    let bench = try await filled()
    let feed = try await bench.store.reader.subscribe(
      url: "http://own.example/", title: nil, folder: nil)
    let document = ParsedFeed(format: .rss, items: [ParsedItem(id: "own", title: "Own 9")])
    let own = try await bench.store.engine.merge([
      RefreshResult(
        feed: feed, at: bench.bench.now, outcome: .parsed(document, bodyHash: "0"))
    ]).flatMap(\.added)
    #expect(
      try await bench.store.reader.changeTags(of: own, adding: ["Later"], removing: []).isEmpty)
    let folder = try await change(bench, 1, adding: ["news"])
    #expect(folder.map(\.reason) == [.folder("news")])
    #expect(try bench.state()?.outbox == OutboxCounts())
    bench.bench.manual.advance(by: .seconds(2_000))
    try await bench.sync()
    #expect(bench.server.editSizes.isEmpty)
    #expect(try tags(bench, 1) == ["news"])
    // Nor does anybody hear that it goes.
    try await change(bench, 1, removing: ["news"])
    try await bench.sync()
    #expect(bench.server.editSizes.isEmpty)
  }

  @Test("What is undone before and after it was sent is undone at the server")
  func undone() async throws {
    let bench = try await filled()
    try await change(bench, 1, adding: ["Later"])
    try await bench.sync()
    _ = try await bench.store.reader.undo()
    try await bench.sync()
    #expect(bench.server.labels == ["Later": []])
    _ = try await bench.store.reader.redo()
    try await bench.sync()
    #expect(bench.server.labels == ["Later": [1]])
  }

  @Test("A newer change made elsewhere wins at the next pull, however late that is")
  func newerElsewhere() async throws {
    let bench = try await filled()
    try await change(bench, 1, adding: ["Later"])
    _ = await bench.controller().runUntilIdle(.push)
    #expect(bench.server.labels == ["Later": [1]])
    bench.server.labels = ["Later": []]
    bench.bench.manual.advance(by: .seconds(1_860))
    try await bench.sync()
    #expect(try tags(bench, 1).isEmpty)
    #expect(bench.server.editSizes == [1])
  }

  @Test("A server that takes no tags keeps none back: they stay here, and it is said once")
  func miniflux() async throws {
    let bench = try await filled(.miniflux)
    try await change(bench, 1, adding: ["Later"])
    try await change(bench, 2, adding: ["Other"])
    try await bench.store.reader.setStarred([#require(try bench.articles()[3])], true)
    let summary = try await bench.sync()
    #expect(summary.accounts.map(\.refusesTags) == [true])
    #expect(bench.server.starred == [3])
    #expect(try bench.state()?.outbox == OutboxCounts())
    #expect(try bench.state()?.refusesTags == true)
    #expect(try bench.state()?.failure == nil)
    #expect(try tags(bench, 1) == ["Later"] && tags(bench, 2) == ["Other"])
    let edits = bench.server.editSizes
    #expect(try await change(bench, 3, adding: ["Later"]).map(\.reason) == [.server])
    bench.bench.manual.advance(by: .seconds(2_000))
    let later = try await bench.sync()
    #expect(later.accounts.map(\.refusesTags) == [false])
    #expect(bench.server.editSizes == edits)
    #expect(try tags(bench, 1) == ["Later"] && tags(bench, 3) == ["Later"])
  }

  @Test("An outage takes no tag away, and it is sent when the server is back")
  func outage() async throws {
    let bench = try await filled()
    try await change(bench, 1, adding: ["Later"])
    let (server, web) = (bench.server, bench.bench.web)
    web.onAnythingElse { _ in .reply(500, [], "broken") }
    for _ in 0..<6 {
      bench.bench.manual.advance(by: .seconds(2_000))
      try await bench.sync()
    }
    #expect(try bench.state()?.outbox.waiting == 1)
    #expect(try bench.state()?.refusesTags == false)
    server.answer(for: web)
    bench.bench.manual.advance(by: .seconds(4_000))
    try await bench.sync()
    #expect(server.labels == ["Later": [1]])
  }

  @Test("A server that has labels and fails on one is asked again, without end but seldom")
  func failingOnTags() async throws {
    let bench = try await filled()
    bench.server.labels = ["Later": [1]]
    try await bench.sync()
    try await change(bench, 2, adding: ["Later"])
    let (server, web) = (bench.server, bench.bench.web)
    web.onAnythingElse { request in
      if request.url.contains("edit-tag") { return .reply(500, [], "broken") }
      let answer = server.answer(for: request)
      return .reply(answer.status, [("Content-Type", answer.type)], answer.body)
    }
    for _ in 0..<6 {
      bench.bench.manual.advance(by: .seconds(4_000))
      try await bench.sync()
    }
    #expect(try bench.state()?.outbox.failed == 1)
    #expect(try bench.state()?.failure == nil)
    server.answer(for: web)
    bench.bench.manual.advance(by: .seconds(4_000))
    try await bench.sync()
    #expect(server.labels == ["Later": [1, 2]])
  }

  @Test("A tag that the server refuses with 4xx is set aside where the user sees it")
  func refused() async throws {
    let bench = try await filled()
    bench.server.setPoison([2])
    try await change(bench, 1, 2, 3, adding: ["Later"])
    try await bench.sync()
    #expect(bench.server.labels == ["Later": [1, 3]])
    #expect(try bench.state()?.outbox.refused == 1)
    let changes = try bench.store.reader.outbox(of: bench.account, limit: 10)
    #expect(changes.map(\.change) == [.tagged("Later", true)])
    #expect(changes.first?.title.hasPrefix("Item 2") == true)
    #expect(try tags(bench, 2) == ["Later"])
  }

  @Test("With Fever the key says that a tag stays here")
  func fever() async throws {
    let bench = try await AccountBench(.freshRSS, kind: .fever)
    bench.server.addItems(1...2, feed: bench.server.addFeed("http://a.example/", title: "A"))
    try await bench.sync()
    #expect(try await change(bench, 1, adding: ["Later"]).map(\.reason) == [.fever])
    #expect(try bench.state()?.outbox == OutboxCounts())
    #expect(try tags(bench, 1) == ["Later"])
  }

  @Test("A subscription that is ended and undone has its tags again at the server")
  func renewed() async throws {
    let bench = try await filled()
    try await change(bench, 1, adding: ["Later"])
    try await bench.sync()
    try await change(bench, 2, adding: ["Later"])
    let feed = try #require(try bench.store.reader.subscriptions().feeds.first)
    try await bench.store.reader.unsubscribe([feed.id])
    bench.bench.manual.advance(by: .seconds(60))
    try await bench.sync()
    #expect(bench.server.feeds.isEmpty)
    _ = try await bench.store.reader.undo()
    try await bench.sync()
    let renewed = try #require(bench.server.feeds.first?.id)
    bench.server.addItems(11...12, feed: renewed)
    bench.server.setPages([11: "https://origin.example/1/1", 12: "https://origin.example/1/2"])
    for _ in 0..<3 { try await bench.sync() }
    #expect(bench.server.labels["Later"] == [11, 12])
    #expect(try bench.store.reader.count(ArticleQuery(scope: .tag("Later"))) == 2)
  }
}

/// Feeds and folders in the order that the user gave them at the server.
@Suite struct ServerOrderTests {
  private func names(_ bench: AccountBench) throws -> [String] {
    let subscriptions = try bench.store.reader.subscriptions()
    return subscriptions.folders.filter { $0.parent != nil }.flatMap { folder in
      [folder.title] + subscriptions.feeds.filter { $0.folder == folder.id }.map(\.name)
    }
  }

  private func filled() async throws -> AccountBench {
    let bench = try await AccountBench()
    for (name, folder) in [("A", "X"), ("B", "X"), ("C", "Y"), ("D", "Y")] {
      bench.server.addFeed("http://\(name).example/", title: name, folder: folder)
    }
    return bench
  }

  @Test("The order that the user arranged at the server is the one here")
  func arranged() async throws {
    let bench = try await filled()
    bench.server.setOrder([
      "user/1/state/com.google/root": "F0000001F0000002",
      "user/1/label/X": "0000000200000001", "user/1/label/Y": "0000000300000004",
    ])
    try await bench.sync()
    #expect(try names(bench) == ["X", "B", "A", "Y", "C", "D"])
    bench.server.setOrder([
      "user/1/state/com.google/root": "F0000002F0000001",
      "user/1/label/X": "0000000100000002", "user/1/label/Y": "0000000300000004",
    ])
    try await bench.sync()
    #expect(try names(bench) == ["Y", "C", "D", "X", "A", "B"])
    // What is arranged here stays until it is arranged anew there.
    let c = try #require(try bench.store.reader.subscriptions().feeds.first { $0.name == "C" })
    try await bench.store.reader.reorder(c.id, by: 1)
    try await bench.sync()
    #expect(try names(bench) == ["Y", "D", "C", "X", "A", "B"])
    for y in ["0000000300000004", "0000000400000003"] {
      bench.server.setOrder([
        "user/1/state/com.google/root": "F0000001F0000002",
        "user/1/label/X": "0000000100000002", "user/1/label/Y": y,
      ])
      try await bench.sync()
      #expect(try names(bench) == ["X", "A", "B", "Y", "D", "C"])
    }
    bench.server.setOrder([
      "user/1/state/com.google/root": "F0000001F0000002",
      "user/1/label/X": "0000000100000002", "user/1/label/Y": "0000000300000004",
    ])
    try await bench.sync()
    #expect(try names(bench) == ["X", "A", "B", "Y", "C", "D"])
  }

  @Test("A feed that is moved here turns nothing around that was arranged here")
  func moved() async throws {
    let bench = try await filled()
    bench.server.setOrder([
      "user/1/state/com.google/root": "F0000001F0000002",
      "user/1/label/X": "0000000100000002", "user/1/label/Y": "0000000300000004",
    ])
    try await bench.sync()
    let feeds = try bench.store.reader.subscriptions().feeds
    func id(_ name: String) throws -> FeedID {
      try #require(feeds.first { $0.name == name }).id
    }
    try await bench.store.reader.reorder(id("C"), by: 1)
    let branch = try #require(
      try bench.store.reader.subscriptions().folders.first { $0.account != nil })
    try await bench.store.reader.move(id("A"), toFolder: [branch.title, "Z"])
    #expect(try names(bench) == ["X", "B", "Y", "D", "C", "Z", "A"])
    for _ in 0..<3 { try await bench.sync() }
    #expect(bench.server.feeds.first { $0.title == "A" }?.folder == "Z")
    #expect(try names(bench).suffix(2) == ["Z", "A"])
    #expect(try names(bench).contains(["D", "C"]))
  }

  @Test("Without such an order that of the list is followed, except where the user arranged here")
  func listed() async throws {
    let bench = try await filled()
    try await bench.sync()
    // The server lists the newest first.
    #expect(try names(bench) == ["Y", "D", "C", "X", "B", "A"])
    bench.server.addFeed("http://E.example/", title: "E", folder: "X")
    try await bench.sync()
    #expect(try names(bench) == ["X", "E", "B", "A", "Y", "D", "C"])
    let e = try #require(try bench.store.reader.subscriptions().feeds.first { $0.name == "E" })
    try await bench.store.reader.reorder(e.id, by: 2)
    bench.server.addFeed("http://F.example/", title: "F", folder: "X")
    try await bench.sync()
    #expect(try names(bench) == ["X", "B", "A", "E", "F", "Y", "D", "C"])
  }
}
