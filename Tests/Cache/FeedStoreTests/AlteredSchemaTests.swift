import GRDB

@testable import CacheCore

/// A database whose schema is that of another build, with rows of every kind.
@Suite("Databases of another schema") final class AlteredSchemaTests: CacheSuite {
  /// Tables with the user's data.
  private static let kinds = [
    "account", "article", "articleBody", "articleNote", "articleStatus", "articleTag", "download",
    "enclosure", "feed", "folder", "journal", "outbox", "readingPosition",
    "remoteArticle", "remoteFeed", "rule", "ruleHit", "savedSearch", "snooze", "tombstone",
  ]
  /// A dropped column that each row needs, a dropped index, an unknown column and an unknown table.
  private static let changes = """
    ALTER TABLE article DROP COLUMN hasEnclosure;
    DROP INDEX article_link;
    ALTER TABLE feed ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';
    CREATE TABLE attic (id INTEGER PRIMARY KEY, box TEXT);
    INSERT INTO attic (box) VALUES ('old');
    """

  /// Makes rows of every kind by the calls of screens, commands and the engine, and closes the
  /// database.
  private func filled() async throws -> TestCache {
    let bench = try await AccountBench()
    let (cache, store, now) = (bench.cache, bench.store, bench.now)
    let reader = store.reader
    let remote = try await bench.fill(4)
    try await reader.states.set(.starred, [remote[0]], true)

    let feed = try await cache.feed("a", folder: ["News", "Tech"])
    var options = FeedOptions()
    options.set(.interval, to: "30")
    options.set(.sort, to: "oldest")
    try await reader.feeds.edit(
      feed,
      FeedEdit(
        title: "Mine", url: "https://example.org/a", folder: ["News", "Tech"], isPaused: true,
        retention: Retention(days: 30), options: options))
    try await reader.rules.addRule(
      RuleDraft(query: "title:five", actions: [.star, .tag("five")]), reach: .arrivals)
    try await reader.rules.addRule(RuleDraft(query: "title:none", actions: [.hide]), reach: nil)
    let items = (0..<9).map { number in
      var item = ParsedItem.dated(number, title: number == 5 ? "Five" : "Item \(number)")
      item.enclosures = [
        Enclosure(url: "https://example.org/\(number).mp3", mimeType: "audio/mpeg")
      ]
      return item
    }
    let ids = try await cache.merge(feed, items).added
    try await reader.states.set(.read, Array(ids[0...2]), true)
    try await reader.states.set(.read, [ids[2]], false)
    try await reader.states.changeTags(of: [ids[1], ids[4]], adding: ["swift"], removing: [])
    try await reader.states.setNote("<p>A summary</p>", by: "summary", of: ids[4])
    try await reader.states.delete([ids[6]])
    try await reader.states.set(.later, [ids[7], ids[8]], true)
    try await reader.plan.snooze([ids[0]], until: now + .days(2))
    try await reader.plan.snooze(feed, until: now + .days(3))
    try await reader.plan.setReadingPosition(ids[8], ReadingPosition(block: 4, share: 0.25))
    _ = try await reader.plan.save(["https://example.org/page"], in: "Saved")
    try await reader.downloads.requestDownloads(of: ids[3])
    try await store.search.saveSearch("swift is:unread", name: "Swift")
    let gone = try await cache.feed("b")
    try await cache.merge(gone, [.dated(99)])
    try await reader.feeds.unsubscribe([gone])
    store.close()
    return cache
  }

  /// Changes the closed database of a cache as another build had made it.
  private static func change(_ cache: TestCache, _ sql: String) throws {
    let queue = try DatabaseQueue(path: cache.directory + "/weir.db")
    try queue.writeWithoutTransaction { db in try db.execute(sql: sql) }
    try queue.close()
  }

  /// Returns the rows of each table, as texts with the names of the columns.
  private func rows(_ path: String) throws -> [String: Set<[String]>] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { db in
      let tables = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
            AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'telemetry%' AND name <> 'attic'
          """)
      return try tables.filter { !Takeover.skipped.contains($0) }.reduce(into: [:]) {
        rows, table in
        let all = try Row.fetchAll(db, sql: "SELECT * FROM \(table)")
        rows[table] = Set(
          all.map { row in
            row.filter { !["hasEnclosure", "mood"].contains($0.0) }
              .map { "\($0.0): \($0.1)" }
          })
      }
    }
  }

  @Test("A database of another schema is refused, and a repair copies everything the user made")
  func repair() async throws {
    let cache = try await filled()
    let path = cache.directory + "/weir.db"
    try Self.change(cache, Self.changes)
    let before = try rows(path)
    for kind in Self.kinds { #expect(before[kind]?.isEmpty == false, "\(kind)") }
    let bytes = try Data(contentsOf: URL(filePath: path))

    do {
      try cache.another().close()
      Issue.record("The database was opened.")
    } catch StoreError.foreignSchema(let found) {
      #expect(found == ["no index article_link", "table article", "table attic", "table feed"])
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)

    let recovery = try CacheFile.recover(directory: cache.directory)
    #expect(recovery.foreign == ["table attic"])
    #expect(recovery.gaps == 0)
    #expect(try Data(contentsOf: URL(filePath: recovery.setAside)) == bytes)
    let after = try rows(path)
    for (table, rows) in before {
      #expect(after[table]?.symmetricDifference(rows) == [], "\(table)")
    }

    let store = try cache.another()
    defer { store.close() }
    #expect(try store.file.integrityProblems() == [])
    let subscriptions = try store.reader.feeds.subscriptions()
    #expect(subscriptions.feeds.contains { $0.name == "Mine" && $0.isPaused })
    #expect(subscriptions.searches.map(\.name) == ["Swift"])
    // The journal names columns, so changes from before can be undone.
    #expect(try await store.reader.journal.undo()?.kind == .unsubscribe)
  }

  /// Columns and a table of packs that went, with an article in reserve and a page of comments.
  private static let olderPacks = """
    PRAGMA ignore_check_constraints = ON;
    ALTER TABLE pack ADD COLUMN minutes INTEGER NOT NULL DEFAULT 180;
    ALTER TABLE pack ADD COLUMN dueAt INTEGER;
    ALTER TABLE packArticle ADD COLUMN isReserve INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE packItem ADD COLUMN took INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE discussion (articleID INTEGER PRIMARY KEY, url TEXT, html TEXT);
    UPDATE packArticle SET isReserve = 1 WHERE position = 1;
    UPDATE packItem SET state = 4 WHERE position = 1;
    INSERT INTO packItem (packID, articleID, stage, position, url)
    SELECT packID, articleID, 2, position, 'https://example.org/talk' || position FROM packArticle;
    """

  @Test("A pack of a build with reserves and discussions is still there after a repair")
  func olderPack() async throws {
    let feed = try await cache.feed("a")
    let ids = try await cache.merge(feed, [.dated(1), .dated(2)]).added
    try await cache.store.reader.packs.startPack(
      ids.map { PackArticle(id: $0, minutes: 4, page: "https://example.org/\($0.rawValue)") },
      budget: 1_000_000)
    cache.store.close()
    try Self.change(cache, Self.olderPacks)

    let recovery = try CacheFile.recover(directory: cache.directory)
    #expect(recovery.foreign == ["table discussion"] && recovery.withoutFolder == 0)
    let store = try cache.another()
    defer { store.close() }
    let pack = try #require(try store.reader.packs.last())
    #expect(pack.isOpen && pack.articles == 2 && pack.budget == 1_000_000)
    #expect(pack[.waiting] == 1 && pack[.leftOut] == 1)
    let text = try #require(try store.engine.packs.pending().first)
    #expect(text.article == ids[0])
    try await store.engine.packs.finishPackItem(
      text, .text(MainContent(html: "<p>Whole</p>"), minutes: 4, pictures: []), bytes: 10)
    #expect(try store.reader.packs.last()?.end == .budget)
    #expect(try store.reader.packs.articles(of: pack.id) == [ids[0]])
  }

  @Test("Articles that a build with a table of them kept unread are kept unread after a repair")
  func keptUnreadTable() async throws {
    let (cache, feed) = try await TestCache.withFeed("a")
    let ids = try await cache.merge(feed, [.dated(1), .dated(2)]).added
    cache.store.close()
    try Self.change(
      cache,
      """
      ALTER TABLE articleStatus RENAME COLUMN isKeptUnread TO mood;
      CREATE TABLE keptUnread (
        articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE);
      INSERT INTO keptUnread VALUES (\(ids[1].rawValue));
      """)

    #expect(try CacheFile.recover(directory: cache.directory).foreign == ["table keptUnread"])
    let store = try cache.another()
    defer { store.close() }
    let query = ArticleQuery(scope: .feed(feed))
    #expect(
      try await store.reader.states.markShownRead(query) == MarkedArticles(articles: 1, kept: 1))
    #expect(try store.reader.articles.articleRow(ids[1])?.status.isRead == false)
  }

  @Test("Important feeds and feeds kept apart, of a build before priorities, keep these facts")
  func listings() async throws {
    let reader = cache.store.reader
    let feeds = [try await cache.feed("a", folder: ["F"]), try await cache.feed("b")]
    let folder = try #require(try reader.feeds.subscriptions().folders.first?.id)
    try await reader.feeds.setPriority(feeds[0], .high)
    try await reader.feeds.setPriority(feeds[1], .quiet)
    try await reader.folders.setPriority(folder, .quiet)
    cache.store.close()
    try Self.change(
      cache,
      """
      ALTER TABLE feed RENAME COLUMN priority TO listing;
      ALTER TABLE folder RENAME COLUMN priority TO listing;
      UPDATE journal SET images = replace(images, '"priority":', '"listing":');
      """)
    _ = try CacheFile.recover(directory: cache.directory)

    let store = try cache.another()
    defer { store.close() }
    #expect(try feeds.map { try store.reader.feeds.feed($0)?.priority } == [.high, .quiet])
    #expect(try store.reader.feeds.subscriptions().folders.map(\.priority) == [.quiet])
    for _ in 0..<2 { _ = try await store.reader.journal.undo() }
    #expect(try feeds.map { try store.reader.feeds.feed($0)?.priority } == [.high, .normal])
    #expect(try store.reader.feeds.subscriptions().folders.map(\.priority) == [.normal])
  }
}
