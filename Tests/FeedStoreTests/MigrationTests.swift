import FeedModel
import FeedStore
import Foundation
import GRDB
import Testing

/// Every schema that was ever released, as its version left it: Fixtures/schema-NNNN.sql.
@Suite struct MigrationTests {
  private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Fixtures")

  static let released: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: fixtures.path)) ?? [])
    .filter { $0.hasSuffix(".sql") }.sorted()

  @Test(arguments: released)
  func anOldCacheKeepsEverythingAndACopyIsKept(fixture: String) async throws {
    let directory = TestCache.freshDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let sql = try String(contentsOf: Self.fixtures.appending(path: fixture), encoding: .utf8)
    let old = try DatabaseQueue(path: directory + "/weir.db")
    try await old.writeWithoutTransaction { db in try db.execute(sql: sql) }
    try old.close()

    let store = try FeedStore.open(
      directory: directory, options: StoreOptions(now: { TestCache.start }))
    defer { store.close() }
    let subscriptions = try store.subscriptions()
    #expect(subscriptions.folders.map(\.title) == ["Systems"])
    #expect(subscriptions.feeds.map(\.name) == ["Mine", "B"])
    #expect(
      subscriptions.feeds.map(\.counts) == [
        ArticleCounts(total: 2, unread: 1, starred: 1), ArticleCounts(total: 1, unread: 1),
      ])
    #expect(try store.fetchRecord(subscriptions.feeds[0].id)?.etag == "W/\"x:1\"")
    let rows = try store.articles(ArticleQuery(scope: .all), .top, limit: 9)
    #expect(rows.map(\.title) == ["科技", "Second", "First"])
    let first = try #require(try store.article(rows[2].id))
    #expect(first.row.status == ArticleStatus(isRead: false, isStarred: true))
    #expect(first.bodyHTML == "<p>Body of the first</p>")
    #expect(first.authors == [Author(name: "Ann")])
    #expect(first.tags == ["t"])
    #expect(first.enclosures.map(\.url) == ["https://example.org/a/1.mp3"])
    #expect(try await store.undo()?.subject == "Second")
    #expect(try store.integrityProblems().isEmpty)

    let number = fixture.dropFirst("schema-".count).prefix(4)
    let copy = try DatabaseQueue(path: directory + "/weir-schema-\(number).db")
    defer { try? copy.close() }
    let titles = try await copy.read { db in
      try String.fetchAll(db, sql: "SELECT title FROM article ORDER BY id")
    }
    #expect(titles == ["First", "Second", "科技"])
  }
}
