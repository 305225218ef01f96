@testable import ArticleStore
@testable import CacheCore
@testable import SearchStore

/// Each change of feeds, folders and tags is undone and redone exactly, also after a restart.
@Suite("Arranging feeds and folders") final class ArrangingTests: CacheSuite {
  /// Everything that arranging can change, as text.
  private func arrangement(_ store: FeedStore) throws -> [String] {
    let all = try store.reader.feeds.subscriptions()
    let folders = Dictionary(all.folders.map { ($0.id, $0) }, uniquingKeysWith: { a, _ in a })
    func path(_ id: FolderID?) -> String {
      id.flatMap { folders[$0] }.map { path($0.parent) + "/" + $0.title } ?? ""
    }
    return all.folders.map { "\(path($0.id)) \($0.position)" }.sorted()
      + (try all.feeds.map {
        "\(path($0.folder)): \($0.name) \($0.url) \($0.position) \($0.isPaused) "
          + String(describing: try store.reader.feeds.retention(of: $0.id))
      }) + all.tags.map { "#\($0.name) \($0.counts.unread)" }
  }

  /// Runs `body` and checks that undo and redo restore the state before and after it.
  private func isStep(
    _ cache: TestCache, _ kind: JournalEntry.Kind, _ body: (FeedStore) async throws -> Void
  ) async throws {
    let before = try arrangement(cache.store)
    try await body(cache.store)
    let after = try arrangement(cache.store)
    #expect(after != before, "\(kind) did nothing")
    // A second store, opened on the same file, undoes the step.
    let other = try cache.another()
    #expect(try await other.reader.journal.undo()?.kind == kind)
    #expect(try arrangement(other) == before, "undo of \(kind)")
    #expect(try await other.reader.journal.redo()?.kind == kind)
    #expect(try arrangement(other) == after, "redo of \(kind)")
    other.close()
  }

  @Test("Each edit, move, rename, reordering and deletion is one step that undo and redo restore")
  func everyEditIsUndone() async throws {
    let a = try await cache.feed("a", folder: ["Systems"])
    _ = try await cache.feed("b", folder: ["Systems"])
    _ = try await cache.feed("c", folder: ["Systems", "Databases"])
    let folders = try cache.feeds.subscriptions().folders
    let systems = try #require(folders.first { $0.title == "Systems" }).id
    let databases = try #require(folders.first { $0.title == "Databases" }).id
    try await isStep(cache, .editFeed) { try await $0.reader.feeds.edit(a) { $0.isPaused = true } }
    try await isStep(cache, .editFeed) {
      try await $0.reader.feeds.edit(
        a,
        FeedEdit(
          title: "Mine", url: "https://new.example/", folder: ["New", "Inner"], isPaused: true))
    }
    try await isStep(cache, .editFeed) {
      try await $0.reader.feeds.edit(
        a,
        FeedEdit(
          title: "Mine", url: "https://new.example/", folder: ["New", "Inner"], isPaused: true,
          retention: Retention(articles: 50, days: 7)))
    }
    try await isStep(cache, .moveFeed) { try await $0.reader.feeds.move(a, toFolder: ["Systems"]) }
    try await isStep(cache, .moveFeed) { try await $0.reader.feeds.move(a, toFolder: []) }
    try await isStep(cache, .moveFeed) { try await $0.reader.feeds.move(a, toFolder: ["Fresh"]) }
    try await isStep(cache, .renameFolder) {
      try await $0.reader.folders.rename(systems, to: " Machines ")
    }
    try await isStep(cache, .moveFolder) {
      try await $0.reader.folders.move(databases, toFolder: ["New"])
    }
    try await isStep(cache, .moveFolder) {
      try await $0.reader.folders.move(databases, toFolder: ["Machines"])
    }
    try await isStep(cache, .reorder) { try await $0.reader.folders.reorder(systems, by: 1) }
    try await isStep(cache, .deleteFolder) { try await $0.reader.folders.delete(systems) }
    // No feed was unsubscribed.
    #expect(try cache.feeds.subscriptions().feeds.count == 3)
    while try await cache.journal.undo() != nil {}
    while try await cache.journal.redo() != nil {}
    #expect(try cache.feeds.subscriptions().feeds.count == 3)
    #expect(try cache.store.file.integrityProblems().isEmpty)
  }

  @Test("Reordering moves a feed by a number of places and stops at the ends of the list")
  func feedsAreReordered() async throws {
    var ids: [FeedID] = []
    for name in ["a", "b", "c"] { ids.append(try await cache.feed(name)) }
    func order() throws -> [FeedID] { try cache.feeds.subscriptions().feeds.map(\.id) }
    try await cache.feeds.reorder(ids[0], by: 1)
    #expect(try order() == [ids[1], ids[0], ids[2]])
    try await cache.feeds.reorder(ids[0], by: 99)
    #expect(try order() == [ids[1], ids[2], ids[0]])
    try await cache.feeds.reorder(ids[0], by: .min)
    #expect(try order() == [ids[0], ids[1], ids[2]])
    // The feed is already first, so no step is added.
    try await cache.feeds.reorder(ids[0], by: -1)
    _ = try await cache.journal.undo()
    #expect(try order() == [ids[1], ids[2], ids[0]])
  }

  @Test("Deleting a folder merges subfolders with existing ones; moving onto a used name fails")
  func sameNamedFoldersMerge() async throws {
    _ = try await cache.feed("a", folder: ["X", "Same"])
    _ = try await cache.feed("b", folder: ["Same"])
    _ = try await cache.feed("c", folder: ["X", "X"])
    let folders = try cache.feeds.subscriptions().folders
    let x = try #require(folders.first { $0.title == "X" && $0.parent == nil }).id
    let same = try #require(folders.first { $0.title == "Same" && $0.parent != nil }).id
    await #expect(throws: StoreError.folderExists) {
      try await cache.folders.move(same, toFolder: [])
    }
    await #expect(throws: StoreError.folderExists) { try await cache.folders.rename(x, to: "Same") }
    await #expect(throws: StoreError.notFound) {
      try await cache.folders.move(x, toFolder: ["X", "Same"])
    }
    try await isStep(cache, .deleteFolder) { try await $0.reader.folders.delete(x) }
    let titles = try cache.feeds.subscriptions().folders.map(\.title).sorted()
    #expect(titles == ["Same", "X"])
    let outline = try cache.feeds.outline()
    #expect(outline.filter { $0.folder == ["Same"] }.count == 2)
  }

  @Test("A feed cannot be given the address of another feed")
  func usedAddressIsRejected() async throws {
    let a = try await cache.feed("a")
    let b = try await cache.feed("b")
    await #expect(throws: StoreError.alreadySubscribed(b)) {
      try await cache.feeds.edit(
        a, FeedEdit(title: nil, url: "https://example.org/b", folder: [], isPaused: false))
    }
    #expect(try await cache.journal.undo() == nil)
  }

  @Test("A new address drops the old one's validators, failures, moves and back-off")
  func newAddressDropsOldState() async throws {
    let (cache, feed) = try await TestCache.withFeed()
    let now = cache.clock.now
    var parsed = RefreshResult.parsed(feed, [.dated(1)], at: now)
    parsed.validators = ("\"x\"", "yesterday", "https://example.org/a")
    parsed.freshFor = 86_400
    parsed.moved = (to: "https://example.org/b", since: now)
    var refused = RefreshResult(
      feed: feed, at: now, outcome: .failed(.rateLimited, status: 429, detail: "example.org"))
    refused.moved = parsed.moved
    refused.notBefore = now + 7 * 86_400
    refused.nextCheckAt = refused.notBefore
    refused.isGone = true
    _ = try await cache.store.engine.fetches.merge([parsed, refused])
    cache.clock.now += 60
    try await cache.feeds.edit(feed) { $0.url = "https://new.example/" }
    #expect(
      try cache.store.engine.fetches.fetchRecord(feed)
        == FetchRecord(
          feed: feed, url: "https://new.example/", name: "A feed", hasBeenFetched: true,
          succeededAt: now, nextCheckAt: now + 60, recentArticles: 1))
  }

  @Test("Undoing a change of address schedules the old one again and drops the new one's failure")
  func undoSchedulesOldAddress() async throws {
    let (cache, feed) = try await TestCache.withFeed()
    try await cache.feeds.edit(
      feed, FeedEdit(title: nil, url: "https://new.example/", folder: [], isPaused: false))
    var gone = RefreshResult(
      feed: feed, at: cache.clock.now, outcome: .failed(.gone, status: 410, detail: nil))
    gone.isGone = true
    _ = try await cache.store.engine.fetches.merge([gone])
    _ = try await cache.journal.undo()
    let record = try #require(try cache.store.engine.fetches.fetchRecord(feed))
    #expect(record.url == "https://example.org/a")
    #expect(!record.isGone && record.failure == nil)
    #expect(record.nextCheckAt == cache.clock.now)
  }

  @Test("A corrected address and an accepted move can both be undone", arguments: [true, false])
  func addressChangesAreUndone(isCorrected: Bool) async throws {
    let (cache, feed) = try await TestCache.withFeed()
    var moved = RefreshResult(feed: feed, at: cache.clock.now, outcome: .unchanged)
    moved.moved = (to: "https://new.example/", since: cache.clock.now)
    _ = try await cache.store.engine.fetches.merge([moved])
    if isCorrected {
      try await cache.feeds.edit(feed) { $0.url = "https://new.example/" }
    } else {
      try await cache.feeds.useMovedAddress(feed)
    }
    #expect(try cache.feeds.feed(feed)?.url == "https://new.example/")
    #expect(try await cache.journal.undo()?.kind == .editFeed)
    #expect(try cache.feeds.feed(feed)?.url == "https://example.org/a")
  }

  @Test("Undo keeps changes that were made elsewhere after the step")
  func undoKeepsLaterChanges() async throws {
    let store = cache.store
    let feed = try await cache.feed("a")
    func changeAddress(_ url: String) async throws {
      var result = RefreshResult(feed: feed, at: cache.clock.now, outcome: .unchanged)
      result.validators = ("\"x\"", nil, url)
      result.newURL = url
      _ = try await store.engine.fetches.merge([result])
    }
    // Changes to columns that the step did not set.
    try await store.reader.feeds.edit(feed) { $0.isPaused = true }
    try await changeAddress("https://example.org/c")
    try await store.reader.feeds.setRetention(feed, Retention(articles: 5))
    _ = try await store.reader.journal.undo()
    #expect(try store.reader.feeds.feed(feed)?.isPaused == false)
    #expect(try store.reader.feeds.feed(feed)?.url == "https://example.org/c")
    #expect(try store.reader.feeds.retention(of: feed) == Retention(articles: 5))
    // Changes to columns that the step set, made after it.
    try await store.reader.feeds.edit(
      feed,
      FeedEdit(
        title: "Mine", url: "https://new.example/", folder: ["F"], isPaused: true,
        retention: Retention(articles: 5, days: 7)))
    try await changeAddress("https://example.org/d")
    try await store.reader.feeds.setRetention(feed, Retention(articles: 5, days: 30))
    try await store.reader.feeds.database.write(.user) { db in
      try FolderTree.move(feed.rawValue, to: nil, db)
    }
    _ = try await store.reader.journal.undo()
    let left = try #require(try store.reader.feeds.feed(feed))
    #expect(left.userTitle == nil && !left.isPaused && left.folder == nil)
    #expect(left.url == "https://example.org/d")
    #expect(try store.engine.fetches.fetchRecord(feed)?.etag == "\"x\"")
    #expect(try store.reader.feeds.retention(of: feed) == Retention(articles: 5, days: 30))
  }

  @Test("Undo skips a change that has become impossible")
  func impossibleUndoIsSkipped() async throws {
    let a = try await cache.feed("a")
    try await cache.feeds.edit(
      a, FeedEdit(title: nil, url: "https://new.example/", folder: ["F"], isPaused: false))
    // Another feed takes the old address meanwhile.
    let other = try await cache.feed("a")
    _ = try await cache.journal.undo()
    #expect(try cache.feeds.feed(url: "https://example.org/a")?.id == other)
    #expect(try cache.feeds.subscriptions().feeds.count == 2)
    #expect(try cache.store.file.integrityProblems().isEmpty)
  }
}
