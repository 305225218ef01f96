import GRDB

@testable import ReaderUI

/// The article on the page is one value whose parts are read together.
@Suite("The open article") struct OpenArticleTests {
  @Test("A read that fails half-way is reported and leaves the open article unchanged")
  func failedRead() async throws {
    let cache = try await TestCache.daily()
    let rows = try cache.store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 50)
    let second = try #require(rows.first { $0.title == "A quieter terminal" })
    try await cache.states.setNote("<p>A remark on the second.</p>", by: "note", of: second.id)
    let robot = await Robot(cache, width: 100, height: 40)
    await robot.press("Enter", "Enter").sees("A validator is a black box.")

    try await cache.execute("ALTER TABLE playback RENAME TO hidden")
    await robot.press("J").sees("no such table: playback", "A validator is a black box.")
    await robot.resize(90, 40)
    await robot.press("G").doesNotSee("A remark on the second.")

    try await cache.execute("ALTER TABLE hidden RENAME TO playback")
    await robot.press("J").sees("A remark on the second.")
  }

  @Test("A failed read after a change is reported, and the page stays")
  func failedUpdate() async throws {
    let (cache, robot) = try await Robot.reading(.daily(), width: 100, height: 40)
    await robot.press("Enter", "Enter").sees("A validator is a black box.")
    try await cache.execute("ALTER TABLE download RENAME TO hidden")
    await robot.press("s").sees("no such table: download", "A validator is a black box.")
  }
}

extension TestCache {
  /// Executes SQL in the database directly, without the stores' methods.
  fileprivate func execute(_ sql: String) async throws {
    try await store.reader.database.core.pool.write { db in try db.execute(sql: sql) }
  }
}
