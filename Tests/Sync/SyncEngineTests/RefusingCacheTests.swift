import GRDB

@testable import SyncEngine

/// A cache that rejects writes, as on a full disk, in a reader that is open.
@Suite("A cache that rejects writes", .timeLimit(.minutes(120))) struct RefusingCacheTests {
  /// A fixture with one due feed, whose cache fails to write rows in these tables: SQLite reports
  /// an integer overflow.
  private func fixture(refusing tables: String...) async throws -> (
    fixture: EngineFixture, feed: FeedID
  ) {
    let fixture = try EngineFixture.serving()
    let feed = try await fixture.subscribe("http://a.example/")[0]
    let queue = try DatabaseQueue(path: fixture.directory + "/weir.db")
    try await queue.write { db in
      for table in tables {
        try db.execute(
          sql: """
            CREATE TRIGGER refuse_\(table) BEFORE INSERT ON \(table)
            BEGIN SELECT abs(-9223372036854775807 - 1); END
            """)
      }
    }
    try queue.close()
    return (fixture, feed)
  }

  private func allow(_ tables: String..., in fixture: EngineFixture) async throws {
    let queue = try DatabaseQueue(path: fixture.directory + "/weir.db")
    try await queue.write { db in
      for table in tables { try db.execute(sql: "DROP TRIGGER refuse_\(table)") }
    }
    try queue.close()
  }

  @Test("While the cache rejects articles, hosts are asked at growing intervals")
  func rejectedWritesSlowDown() async throws {
    let (fixture, feed) = try await fixture(refusing: "article")
    let controller = fixture.startedController()
    await fixture.web.waitForRequests(1)
    try await fixture.pass(600)
    // The engine slept meanwhile; otherwise time would not have advanced.
    #expect(fixture.manual.now.offset >= .seconds(600))
    // At the start, and after 30, 60, 120 and 240 seconds.
    #expect((2...5).contains(fixture.web.log.count))
    // A user request waits for at most the shortest wait.
    try await allow("article", in: fixture)
    try await fixture.requests.requestRefresh(.feed(feed))
    #expect(try await fixture.pass(30) { try fixture.record(feed)?.hasBeenFetched == true })
    await controller.end()
  }

  @Test("No host is asked before the cache accepts writes")
  func rejectedWritesBlockHosts() async throws {
    let (fixture, feed) = try await fixture(refusing: "article", "syncStatus")
    let controller = fixture.startedController()
    await fixture.web.waitForRequests(1)
    try await fixture.pass(600)
    #expect(fixture.manual.now.offset >= .seconds(600))
    #expect(fixture.web.log.count == 1)
    try await allow("article", "syncStatus", in: fixture)
    #expect(try await fixture.pass(3_600) { try fixture.record(feed)?.hasBeenFetched == true })
    #expect(try await fixture.pass(1) { try fixture.requests.syncStatus().refreshing.isEmpty })
    await controller.end()
  }
}
