import GRDB

@testable import ArticleStore

@Suite("The journal of undo steps") struct JournalTests {
  @Test("Undo restores the exact previous state, and redo repeats the step")
  func undoAndRedoAreExact() async throws {
    let cache = try TestCache()
    let store = cache.store
    let feed = try await cache.feed("a")
    let ids = try await cache.merge(feed, (0..<20).map { .dated($0) }).added
    // Three articles are already read: undoing "mark all" must leave them read.
    try await store.reader.states.set(.read, Array(ids.prefix(3)), true)
    let before = try cache.all(ArticleQuery(scope: .all))
    #expect(try await store.reader.states.markShownRead(.of(feed)).changed == 17)
    let after = try cache.all(ArticleQuery(scope: .all))

    let undone = try #require(try await store.reader.journal.undo())
    #expect(undone.kind == .markAllRead)
    #expect(undone.count == 17)
    #expect(undone.subject == "A feed")
    #expect(try cache.all(ArticleQuery(scope: .all)) == before)
    #expect(try await store.reader.journal.redo()?.id == undone.id)
    #expect(try cache.all(ArticleQuery(scope: .all)) == after)
    #expect(try await store.reader.journal.redo() == nil)
  }

  @Test("Steps are undone from the newest to the oldest and redone in reverse")
  func newestStepIsUndoneFirst() async throws {
    let cache = try TestCache()
    let store = cache.store
    let feed = try await cache.feed("a")
    let ids = try await cache.merge(feed, [.dated(1), .dated(2)]).added
    let fresh = try cache.all(ArticleQuery(scope: .all))
    try await store.reader.states.set(.read, ids, true)
    try await store.reader.states.set(.starred, [ids[0]], true)
    try await store.reader.states.set(.read, [ids[1]], false)
    // Changes without an effect add no step.
    try await store.reader.states.set(.read, [ids[1]], false)
    try await store.reader.states.set(.starred, [ArticleID(rawValue: 999)], true)
    var kinds: [JournalEntry.Kind] = []
    while let entry = try await store.reader.journal.undo() { kinds.append(entry.kind) }
    #expect(kinds == [.markUnread, .star, .markRead])
    #expect(try cache.all(ArticleQuery(scope: .all)) == fresh)
    var again: [JournalEntry.Kind] = []
    while let entry = try await store.reader.journal.redo() { again.append(entry.kind) }
    #expect(again == kinds.reversed())
  }

  @Test("A new step discards the steps that could be redone")
  func aNewStepEndsRedoing() async throws {
    let (cache, feed) = try await TestCache.withFeed()
    let ids = try await cache.merge(feed, [.dated(1), .dated(2)]).added
    try await cache.store.reader.states.set(.read, [ids[0]], true)
    _ = try await cache.store.reader.journal.undo()
    try await cache.store.reader.states.set(.starred, [ids[1]], true)
    #expect(try await cache.store.reader.journal.redo() == nil)
    #expect(try await cache.store.reader.journal.undo()?.kind == .star)
    #expect(try await cache.store.reader.journal.undo() == nil)
  }

  @Test("The journal survives a restart") func journalSurvivesRestart() async throws {
    let (cache, feed) = try await TestCache.withFeed()
    let ids = try await cache.merge(feed, [.dated(1, title: "The title")]).added
    try await cache.store.reader.states.set(.starred, ids, true)
    cache.store.close()
    let store = try cache.another()
    defer { store.close() }
    let entry = try #require(try await store.reader.journal.undo())
    #expect(entry.subject == "The title")
    #expect(try store.reader.feeds.subscriptions().smartCounts[.starred] == 0)
  }

  @Test("Marking all read affects only the articles that the list contained")
  func markAllReadKeepsToList() async throws {
    let (cache, feed) = try await TestCache.withFeed()
    try await cache.merge(feed, (0..<5).map { .dated($0) })
    let shown = ArticleQuery(
      scope: .all, filter: .unread, asOf: try cache.store.reader.articles.latestArticleID())
    let arrived = try await cache.merge(feed, (5..<9).map { .dated($0) }).added
    #expect(try await cache.store.reader.states.markShownRead(shown).changed == 5)
    let unread = try cache.all(ArticleQuery(scope: .all, filter: .unread))
    #expect(Set(unread.map(\.id)) == Set(arrived))
  }

  @Test("Old articles can be marked read in one feed or in all feeds")
  func oldArticlesAreMarked() async throws {
    let (cache, a, b) = try await TestCache.withFeeds()
    for feed in [a, b] {
      try await cache.merge(feed, (0..<10).map { .dated($0, hours: Double($0)) })
    }
    let limit = TestCache.start - 4.5 * 3_600
    #expect(try await cache.states.markShownRead(.of(a), .olderThan(limit)).changed == 5)
    #expect(try await cache.store.reader.states.markShownRead(.all, .olderThan(limit)).changed == 5)
    #expect(try cache.counts().unread == 10)
  }

  @Test("Undoing an unsubscription restores the feed with its articles and states")
  func unsubscriptionIsUndone() async throws {
    let cache = try TestCache()
    let store = cache.store
    let feed = try await cache.feed("a", folder: ["F"])
    let other = try await cache.feed("b")
    try await cache.merge(other, [.dated(1)])
    let ids = try await cache.merge(feed, (0..<9).map { .dated($0) }, title: "Name").added
    try await store.reader.states.set(.read, Array(ids.prefix(4)), true)
    try await store.reader.states.set(.starred, [ids[8]], true)
    let before = try store.reader.feeds.subscriptions()
    let rows = try cache.all(ArticleQuery(scope: .all))

    try await store.reader.feeds.unsubscribe([feed])
    #expect(try store.reader.feeds.feed(feed) == nil)
    #expect(try cache.all(ArticleQuery(scope: .all)).count == 2)
    #expect(try store.reader.articles.count(ArticleQuery(scope: .all)) == 2)
    #expect(
      try store.reader.feeds.subscriptions().smartCounts
        == [.today: 2, .unread: 2, .starred: 1, .archived: 1])
    #expect(try store.engine.fetches.dueFeeds(at: .distantFuture, limit: 9).map(\.feed) == [other])

    cache.store.close()
    let again = try cache.another()
    defer { again.close() }
    let entry = try #require(try await again.reader.journal.undo())
    #expect(entry.kind == .unsubscribe)
    #expect(entry.subject == "Name")
    #expect(try again.reader.feeds.subscriptions() == before)
    #expect(try again.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 99) == rows)
    #expect(try await again.reader.journal.redo()?.kind == .unsubscribe)
    #expect(try again.reader.feeds.feed(feed) == nil)
  }

  @Test("Subscribing again restores the articles and states that are still stored")
  func resubscribingRestores() async throws {
    let (cache, feed) = try await TestCache.withFeed()
    let ids = try await cache.merge(feed, [.dated(1), .dated(2)]).added
    try await cache.store.reader.states.set(.read, [ids[0]], true)
    try await cache.store.reader.feeds.unsubscribe([feed])
    cache.clock.now += 86_400
    let again = try await cache.feed("a")
    #expect(again == feed)
    #expect(try cache.store.reader.feeds.feed(feed)?.counts == ArticleCounts(total: 2, unread: 1))
    #expect(try cache.engine.fetches.dueFeeds(at: cache.clock.now, limit: 1).map(\.feed) == [feed])
    // The step is still in the journal, but has nothing to restore.
    #expect(try await cache.store.reader.journal.undo()?.kind == .unsubscribe)
    #expect(try cache.store.reader.feeds.feed(feed) != nil)
  }

  @Test("Maintenance deletes an unsubscribed feed after its undo step has expired")
  func maintenanceDropsExpired() async throws {
    let (cache, a, b) = try await TestCache.withFeeds()
    try await cache.merge(a, (0..<900).map { .dated($0) })
    try await cache.merge(b, [.dated(1)])
    try await cache.store.reader.feeds.unsubscribe([a])
    try await cache.store.maintenance.tidy()
    #expect(try await cache.store.reader.journal.undo() != nil)
    #expect(try cache.counts().total == 901)
    try await cache.store.reader.feeds.unsubscribe([a])
    cache.clock.now += 31 * 86_400
    try await cache.store.maintenance.tidy()
    #expect(try await cache.store.reader.journal.undo() == nil)
    #expect(try cache.store.file.integrityProblems().isEmpty)
    #expect(try cache.counts().total == 1)
    // No row of the feed is left: a new subscription starts empty.
    let fresh = try await cache.feed("a")
    #expect(fresh != a)
    #expect(try cache.store.reader.feeds.feed(fresh)?.counts.total == 0)
  }

  @Test("The journal keeps the last 1,000 steps") func theJournalIsBounded() async throws {
    let (cache, feed) = try await TestCache.withFeed()
    let ids = try await cache.merge(feed, [.dated(1)]).added
    for step in 0..<1_010 { try await cache.store.reader.states.set(.read, ids, step % 2 == 0) }
    #expect(try Foreign.journalLength(in: cache.directory) == 1_000)
  }

  @Test("Adding a list of feeds is one step, and redo restores its folders")
  func subscribingToAList() async throws {
    let cache = try TestCache()
    let store = cache.store
    let own = try await cache.feed("own")
    let entries = [
      OutlineEntry(url: "https://one.example/", folder: ["News"]),
      OutlineEntry(url: "https://two.example/", folder: ["News", "Tech"]),
      OutlineEntry(url: "https://three.example/"),
    ]
    let before = try store.reader.feeds.outline()
    let added = try await store.reader.feeds.subscribe(entries, isUndoable: true).added
    #expect(added.count == 3)
    let after = try store.reader.feeds.outline()
    let undone = try #require(try await store.reader.journal.undo())
    #expect(undone.kind == .subscribe && undone.count == 3)
    #expect(try store.reader.feeds.outline() == before)
    #expect(try store.reader.feeds.subscriptions().folders.isEmpty)
    #expect(try await store.reader.journal.redo()?.id == undone.id)
    #expect(try store.reader.feeds.outline() == after)
    #expect(try store.reader.feeds.subscriptions().feeds.map(\.id).contains(own))
  }

  @Test("Adding a list without new feeds adds no step")
  func subscribingToNothingNew() async throws {
    let cache = try TestCache()
    let entry = OutlineEntry(url: "https://one.example/")
    #expect(try await cache.store.reader.feeds.subscribe([entry]).added.count == 1)
    #expect(try await cache.store.reader.feeds.subscribe([entry], isUndoable: true).known == 1)
    #expect(try await cache.store.reader.journal.undo() == nil)
  }

  @Test("Undo restores rows of any table, even if its columns have changed since")
  func otherTables() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      func rows() throws -> [String] {
        try db.values("SELECT id || ' ' || name FROM shelf ORDER BY id")
      }
      try db.execute(
        sql: """
          CREATE TABLE shelf (id INTEGER PRIMARY KEY, name TEXT NOT NULL, place INTEGER);
          INSERT INTO shelf VALUES (1, 'one', 1), (2, 'two', 2), (3, 'three', NULL);
          """)
      let images = try RowImages.recorded(["shelf"], db) {
        try db.execute(
          sql: """
            UPDATE shelf SET name = 'uno', place = 7 WHERE id = 1;
            DELETE FROM shelf WHERE id = 2;
            INSERT INTO shelf VALUES (4, 'four', 4);
            """)
      }
      let after = ["1 uno", "3 three", "4 four"]
      #expect(try rows() == after)
      let stored = try JSONDecoder().decode(
        [RowImages].self, from: try JSONEncoder().encode(images))
      // Adds a column in the middle and drops one.
      try db.execute(
        sql: """
          ALTER TABLE shelf RENAME TO old;
          CREATE TABLE shelf (
            id INTEGER PRIMARY KEY, colour TEXT NOT NULL DEFAULT 'red', name TEXT NOT NULL);
          INSERT INTO shelf (id, name) SELECT id, name FROM old;
          """)
      try RowImages.write(
        stored, isUndo: true,
        Transaction(db: db, now: TestCache.start, participants: Participants()))
      #expect(try rows() == ["1 one", "2 two", "3 three"])
      #expect(try db.value("SELECT group_concat(DISTINCT colour) FROM shelf") == "red")
      try RowImages.write(
        stored, isUndo: false,
        Transaction(db: db, now: TestCache.start, participants: Participants()))
      #expect(try rows() == after)
    }
  }
}
