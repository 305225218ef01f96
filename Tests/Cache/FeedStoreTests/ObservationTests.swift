@testable import CacheCore
@testable import FeedStore

/// Collects the reported changes.
final class Commits: Sendable {
  private let changes = Mutex<[StoreChange]>([])
  var all: [StoreChange] { changes.withLock { $0 } }
  var count: Int { all.count }
  var union: StoreChange { all.reduce([]) { $0.union($1) } }
  func add(_ change: StoreChange = []) { changes.withLock { $0.append(change) } }
  func clear() { changes.withLock { $0 = [] } }
}

@Suite("Observation of the cache") final class ObservationTests: CacheSuite {
  @Test("Each commit reports exactly the changed areas")
  func commitsReportTheirAreas() async throws {
    let store = cache.store
    let commits = Commits()
    let observation = store.reader.observe(.everything) { commits.add($0) }
    defer { observation.cancel() }
    func told(_ expected: StoreChange, _ step: String) async {
      #expect(await eventually { commits.count == 1 }, "\(step)")
      #expect(commits.union == expected, "\(step)")
      commits.clear()
    }
    let feed = try await store.reader.feeds.subscribe(
      url: "https://e.org/a", title: nil, folder: nil)
    await told([.subscriptions, .feedSettings, .fetches, .counts], "subscribe")
    let ids = try await cache.merge(feed, [.dated(1), .dated(2)]).added
    await told([.subscriptions, .fetches, .articles, .counts], "first merge")
    try await cache.merge(feed, [.dated(1), .dated(2)])
    await told([.fetches], "merge of nothing new")
    try await store.reader.states.set(.read, [ids[0]], true)
    await told([.statuses, .counts, .journal], "read")
    let request = try await store.reader.requests.requestRefresh(.all)
    await told([.requests], "request")
    try await store.reader.requests.cancelRefresh(request.id)
    await told([.requests], "cancel")
    try await store.reader.requests.setVisibleFeeds([feed])
    await told([.visibleFeeds], "attention")
    try await store.engine.requests.setSyncStatus(SyncStatus(isRunning: true))
    await told([.syncStatus], "status")
    // Writes without an effect report nothing; the next commit shows that no report was late.
    try await store.reader.states.set(.read, [ids[0]], true)
    try await store.reader.requests.setVisibleFeeds([feed])
    try await store.engine.requests.setSyncStatus(SyncStatus(isRunning: true))
    _ = try await store.reader.journal.undo()
    await told([.statuses, .counts, .journal], "undo")
    try await store.reader.feeds.edit(feed) { $0.isPaused = true }
    await told([.subscriptions, .feedSettings, .journal], "pause")
  }

  @Test("Observers receive only the areas that they observe, until they are released")
  func observersSeeTheirAreas() async throws {
    let (interested, other) = (Commits(), Commits())
    var observation: StoreObservation? = cache.store.reader.observe(.journal) { interested.add($0) }
    let second = cache.store.reader.observe([.journal, .articles]) { other.add($0) }
    defer { second.cancel() }
    let feed = try await cache.feed("a")
    let ids = try await cache.merge(feed, [.dated(1)]).added
    try await cache.store.reader.states.set(.read, ids, true)
    #expect(await eventually { other.count == 2 })
    #expect(interested.count == 1)
    withExtendedLifetime(observation) {}
    observation = nil
    try await cache.store.reader.states.set(.read, ids, false)
    #expect(await eventually { other.count == 3 })
    #expect(interested.count == 1)
  }

  @Test("A failed transaction reports nothing") func rollbackReportsNothing() async throws {
    let folder = try #require(try await cache.store.reader.folders.folder(path: ["F"]))
    let commits = Commits()
    let observation = cache.store.reader.observe(.everything) { commits.add($0) }
    defer { observation.cancel() }
    // The folder that is made for it would be in it.
    await #expect(throws: StoreError.notFound) {
      try await cache.store.reader.folders.move(folder, toFolder: ["F", "New"])
    }
    try await cache.store.engine.requests.setSyncStatus(SyncStatus(isRunning: true))
    #expect(await eventually { commits.count > 0 })
    #expect(commits.all == [.syncStatus])
  }

  @Test("Two stores on one file see each other's commits")
  func storesSeeOtherCommits() async throws {
    let other = try cache.another()
    defer { other.close() }
    let (here, there) = (Commits(), Commits())
    let observations = [
      cache.store.reader.observe(.everything) { here.add($0) },
      other.reader.observe(.everything) { there.add($0) },
    ]
    defer { observations.forEach { $0.cancel() } }

    let feed = try await other.reader.feeds.subscribe(
      url: "https://e.org/a", title: "T", folder: nil)
    #expect(await eventually { here.union == [.subscriptions, .feedSettings, .fetches, .counts] })
    #expect(try cache.store.reader.feeds.feed(feed)?.name == "T")
    here.clear()
    there.clear()

    // A user's write flushes the file between the log and the index.
    let request = try await cache.store.reader.requests.requestRefresh(.all)
    #expect(await eventually { there.union == .requests })
    #expect(try other.engine.requests.pendingFeeds(of: request.id).map(\.feed) == [feed])

    try await cache.merge(feed, (0..<500).map { .dated($0) })
    #expect(await eventually { there.union.isSuperset(of: [.articles, .requests, .counts]) })
    #expect(try other.reader.articles.count(ArticleQuery(scope: .all)) == 500)
  }

  @Test("Without inotify, the log is polled") func logIsPolled() async throws {
    let other = try cache.another()
    defer { other.close() }
    cache.store.database.core.watcher.cancel()
    // A file that cannot be watched replaces a user without free inotify instances.
    let watcher = WALWatcher(
      path: "/nonexistent/weir.db-wal", hub: cache.store.database.core.hub,
      pool: cache.store.database.core.pool)
    defer { watcher.cancel() }
    let here = Commits()
    let observation = cache.store.reader.observe(.everything) { here.add($0) }
    defer { observation.cancel() }
    _ = try await other.reader.feeds.subscribe(url: "https://e.org/a", title: "T", folder: nil)
    #expect(await eventually { here.union.contains(.subscriptions) })
  }

  @Test("Two stores that write at the same time lose nothing")
  func concurrentWritesAreSafe() async throws {
    let other = try cache.another()
    defer { other.close() }
    let feeds = [try await cache.feed("a"), try await cache.feed("b")]
    let now = cache.clock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (store, feed) in zip([cache.store, other], feeds) {
        group.addTask {
          for number in 0..<50 {
            let outcome = try await store.engine.fetches.merge([
              .parsed(feed, [.dated(number), .dated(number + 1_000)], at: now)
            ])
            try await store.reader.states.set(.read, outcome[0].added, true)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try cache.counts() == ArticleCounts(total: 200, unread: 0))
    #expect(try other.file.integrityProblems().isEmpty)
  }

  @Test("Visible feeds and running refreshes end when their store closes")
  func attentionEndsWithStore() async throws {
    let (cache, a, b) = try await TestCache.withFeeds()
    let other = try cache.another()
    try await other.reader.requests.setVisibleFeeds([b])
    try await cache.store.reader.requests.setVisibleFeeds([a, b])
    #expect(try Set(cache.store.engine.requests.visibleFeeds()) == [a, b])
    try await other.engine.requests.setSyncStatus(SyncStatus(refreshing: [b]))
    #expect(try cache.store.reader.requests.syncStatus().refreshing == [b])
    other.close()
    #expect(try cache.store.reader.requests.syncStatus().refreshing.isEmpty)
    try await cache.store.reader.requests.setVisibleFeeds([])
    #expect(try cache.store.engine.requests.visibleFeeds().isEmpty)
  }

  @Test("Visible feeds of a dead process are ignored and removed")
  func deadProcessIsIgnored() async throws {
    let (cache, feed) = try await TestCache.withFeed()
    try Foreign.create(owner: "999999999.dead", feed: feed.rawValue, in: cache.directory)
    #expect(try cache.store.engine.requests.visibleFeeds().isEmpty)
    let other = try cache.another()
    other.close()
    #expect(try Foreign.owners(in: cache.directory).isEmpty)
  }

  @Test("A pause ends with its process, even if the process number is used again")
  func pauseEndsWithItsProcess() throws {
    let other = Process()
    other.executableURL = URL(fileURLWithPath: "/bin/cat")
    other.standardInput = Pipe()
    try other.run()
    defer { other.terminate() }
    let number = other.processIdentifier
    func isPaused(by owner: String) throws -> Bool {
      try Foreign.pause(owner: owner, in: cache.directory)
      return try !cache.store.reader.requests.syncPauses().isEmpty
    }
    // An owner of an older Weir has no start time.
    #expect(try isPaused(by: "\(number).word"))
    #expect(try !isPaused(by: "\(number).word.another-boot-123"))
  }
}
