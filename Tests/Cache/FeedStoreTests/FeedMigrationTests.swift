@testable import AccountStore
@testable import ArticleStore

@Suite("Local feeds that move into an account") final class FeedMigrationTests: BenchSuite {
  private let url = "https://n.example/feed"

  private func item(_ number: Int) -> ParsedItem {
    ParsedItem(
      id: "guid-\(number)", url: "https://n.example/\(number)", title: "Story \(number)",
      contentHTML: "<p>\(number)</p>", datePublished: TestCache.start - Double(number))
  }

  /// A local feed with three articles: the first is read, the second is starred.
  private func local(_ bench: AccountBench) async throws -> (feed: FeedID, articles: [ArticleID]) {
    let feed = try await bench.store.reader.feeds.subscribe(url: url, title: nil, folder: nil)
    let added = try await bench.cache.merge(feed, (1...3).map { item($0) }).added
    let ids: [ArticleID] = added.reversed()
    try await bench.store.reader.states.set(.read, [ids[0]], true)
    try await bench.store.reader.states.set(.starred, [ids[1]], true)
    return (feed, ids)
  }

  @Test("A local feed moves into an account's folder only if the caller asks for migration")
  func isAsked() async throws {
    let (feed, _) = try await local(bench)
    let path = ["aggregator.example", "Tech"]
    await #expect(throws: StoreError.accountsFolder(bench.account)) {
      try await bench.store.reader.feeds.move(feed, toFolder: path)
    }
    await #expect(throws: StoreError.accountsFolder(bench.account)) {
      try await bench.store.reader.feeds.edit(
        feed, FeedEdit(title: nil, url: url, folder: path, isPaused: false))
    }
    #expect(try bench.store.reader.feeds.feed(feed)?.folder == nil)
    #expect(try bench.changes().isEmpty)
  }

  @Test("A feed moved into an account keeps its articles and sends their states")
  func keepsStates() async throws {
    let (feed, ids) = try await local(bench)
    try await bench.feeds.move(feed, toFolder: ["aggregator.example", "Tech"], isMigrated: true)
    #expect(try bench.changes() == [.subscribed(true)])
    #expect(try bench.store.reader.feeds.feed(feed)?.account == bench.account)
    #expect(try bench.store.engine.fetches.dueFeeds(at: bench.now + 1e6, limit: 9).isEmpty)
    let batch = try #require(try bench.sync.outboxBatch(of: bench.account, limit: 9, at: nil))
    #expect(batch.change == .subscribed(true))
    let sent = try #require(batch.feed)
    #expect([sent.url, sent.folder, sent.title] == [url, "Tech", nil])
    try await bench.send()
    // The server has fetched the feed: its articles are requested at once.
    #expect(try bench.store.reader.accounts.account(bench.account)?.state.isRequested == true)
    try await bench.store.accountSync.applySubscriptions(
      [RemoteFeed(id: "feed/9", title: "News", url: url, folders: ["Tech"])],
      of: bench.account, began: bench.now)
    try await bench.pull(unread: [11, 12, 13, 14])
    let added = try await bench.store.accountSync.storeArticles(
      (1...4).map { number in
        var item = item(number)
        item.id = String(10 + number)
        return RemoteArticle(item: item, feed: "feed/9", isRead: false, isStarred: false)
      }, of: bench.account
    ).added
    #expect(added.count == 1)
    let all = try bench.cache.all(ArticleQuery(scope: .feed(feed)))
    #expect(all.count == 4)
    #expect(Set(ids).isSubset(of: Set(all.map(\.id))))
    #expect(try bench.store.reader.articles.article(ids[0])?.row.status.isRead == true)
    #expect(try bench.store.reader.articles.article(ids[1])?.row.status.isStarred == true)
    #expect(
      try bench.store.reader.accounts.outbox(of: bench.account, limit: 9).map {
        "\($0.title) \($0.change)"
      }
      .sorted()
        == [
          "Story 1 marked(FeedModel.Mark.read, true)",
          "Story 2 marked(FeedModel.Mark.starred, true)",
        ])
    #expect(try bench.store.file.integrityProblems().isEmpty)
  }

  @Test("A dry run reports what would happen to each feed and changes nothing")
  func dryRun() async throws {
    let (feed, _) = try await local(bench)
    try await bench.subscribe("feed/1")
    let known = try await bench.store.reader.feeds.subscribe(
      url: "https://a.example/feed/1", title: nil, folder: nil)
    let own = try await bench.store.reader.feeds.subscribe(
      url: "file:///tmp/feed.xml", title: nil, folder: nil, mayBeOwn: true)
    let plan = try await bench.store.accounts.migrate(
      [feed, known, own], to: bench.account, isDryRun: true)
    #expect(plan.map(\.outcome) == [.migrated, .known, .notOnline])
    #expect(try bench.changes().isEmpty && bench.store.reader.feeds.feed(feed)?.account == nil)
    #expect(try await bench.store.accounts.migrate([feed, known, own], to: bench.account) == plan)
    #expect(try bench.changes() == [.subscribed(true)])
    #expect(try bench.store.reader.feeds.feed(known)?.account == nil)
  }

  @Test("A list of subscriptions is migrated together with the local feeds that are in it")
  func list() async throws {
    let (feed, _) = try await local(bench)
    let entries = [
      OutlineEntry(url: url, folder: ["Ignored"]),
      OutlineEntry(url: "https://new.example/feed", title: "New", folder: ["A", "Tech"]),
      OutlineEntry(url: "https://new.example/feed"),
      OutlineEntry(url: "exec:ls"),
    ]
    let plan = try await bench.store.accounts.migrate(entries, to: bench.account, isDryRun: true)
    #expect(plan.map(\.outcome) == [.migrated, .added, .notOnline])
    #expect(try bench.store.reader.feeds.subscriptions().feeds.count == 1)
    _ = try await bench.store.accounts.migrate(entries, to: bench.account)
    #expect(try bench.changes() == [.subscribed(true), .subscribed(true)])
    let feeds = try bench.store.reader.feeds.subscriptions().feeds
    #expect(feeds.count == 2 && feeds.allSatisfy { $0.account == bench.account })
    #expect(try bench.store.reader.feeds.feed(feed)?.account == bench.account)
    #expect(try folders(bench) == ["Tech", "aggregator.example"])
    #expect(
      try await bench.store.accounts.migrate(entries, to: bench.account).map(\.outcome)
        == [.known, .known, .notOnline])
  }

  @Test("The address of an account's feed can be changed only at its server")
  func address() async throws {
    try await bench.subscribe("feed/1")
    let feed = try bench.store.reader.feeds.subscriptions().feeds[0].id
    await #expect(throws: StoreError.accountsAddress) {
      try await bench.store.reader.feeds.edit(feed) { $0.url = "https://other.example/feed" }
    }
    #expect(try bench.changes().isEmpty)
  }

  /// The server lists three feeds in the folder "Tech".
  private func pull(_ bench: AccountBench) async throws {
    try await bench.store.accountSync.applySubscriptions(
      (1...3).map {
        RemoteFeed(
          id: "feed/\($0)", title: "T\($0)", url: "https://a.example/\($0)", folders: ["Tech"])
      }, of: bench.account, began: bench.now)
  }

  private func tech(_ bench: AccountBench) async throws -> FolderID {
    try await pull(bench)
    return try #require(try bench.feeds.subscriptions().folders.first { $0.title == "Tech" }?.id)
  }

  private func folders(_ bench: AccountBench) throws -> [String] {
    try bench.store.reader.feeds.subscriptions().folders.map(\.title).sorted()
  }

  @Test("Renaming a folder in an account's folder is one change, and so is its undo")
  func folderRename() async throws {
    let folder = try await tech(bench)
    try await bench.store.reader.folders.rename(folder, to: "Science")
    #expect(try bench.changes() == [.folderRenamed("Science")])
    let batch = try #require(try bench.sync.outboxBatch(of: bench.account, limit: 9, at: nil))
    #expect(batch.change == .folderRenamed("Science") && batch.rows.map(\.item) == ["Tech"])
    // A list that the server made before it received the change.
    try await pull(bench)
    #expect(try folders(bench) == ["Science", "aggregator.example"])
    _ = try await bench.store.reader.journal.undo()
    #expect(
      try bench.store.reader.accounts.outbox(of: bench.account, limit: 9).map {
        "\($0.title) \($0.change)"
      }
        == ["Tech folderRenamed(\"Science\")", "Science folderRenamed(\"Tech\")"])
    try await pull(bench)
    try await bench.send()
    bench.cache.clock.now += 5
    try await pull(bench)
    #expect(try folders(bench) == ["Tech", "aggregator.example"])
    #expect(try bench.changes().isEmpty)
    #expect(try bench.store.accountSync.hasOutbox() == false)
  }

  @Test("A folder disappears when the server has moved its last feed out of it")
  func emptyFolder() async throws {
    _ = try await tech(bench)
    // A folder that the user has just created stays.
    _ = try await bench.store.reader.folders.folder(path: ["aggregator.example", "Mine"])
    try await bench.store.accountSync.applySubscriptions(
      (1...3).map {
        RemoteFeed(
          id: "feed/\($0)", title: "T\($0)", url: "https://a.example/\($0)", folders: ["New"])
      }, of: bench.account, began: bench.now)
    #expect(try folders(bench) == ["Mine", "New", "aggregator.example"])
    #expect(try bench.changes().isEmpty)
  }

  @Test("A folder that the user deletes is removed at the server after its feeds have moved out")
  func deletedFolder() async throws {
    let folder = try await tech(bench)
    try await bench.store.reader.folders.delete(folder)
    #expect(try bench.changes() == [.moved(""), .moved(""), .moved(""), .folderRemoved])
    _ = try await bench.store.reader.journal.undo()
    #expect(try !bench.changes().contains(.folderRemoved))
  }
}
