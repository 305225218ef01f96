import FeedModel
import FeedStore
import Foundation
import GRDB
import Networking
import TestSupport
import Testing

@testable import SyncEngine

/// A cache that takes no writes, as on a full disk, in a reader that is open.
@Suite struct RefusingCacheTests {
  /// A bench with one due feed, whose cache takes no rows in these tables.
  private func bench(refusing tables: String...) async throws -> (bench: Bench, feed: FeedID) {
    let bench = try Bench()
    bench.web.onAnythingElse { .feed(rss($0.url)) }
    let feed = try await bench.subscribe("http://a.example/")[0]
    let queue = try DatabaseQueue(path: bench.directory + "/weir.db")
    try await queue.write { db in
      for table in tables {
        try db.execute(
          sql: """
            CREATE TRIGGER refuse_\(table) BEFORE INSERT ON \(table)
            BEGIN SELECT RAISE(FAIL, 'full'); END
            """)
      }
    }
    try queue.close()
    return (bench, feed)
  }

  private func allow(_ tables: String..., in bench: Bench) async throws {
    let queue = try DatabaseQueue(path: bench.directory + "/weir.db")
    try await queue.write { db in
      for table in tables { try db.execute(sql: "DROP TRIGGER refuse_\(table)") }
    }
    try queue.close()
  }

  @Test(.timeLimit(.minutes(2))) func theSameHostsAreAskedEverMoreSeldom() async throws {
    let (bench, feed) = try await bench(refusing: "article")
    let controller = bench.controller()
    controller.start()
    await bench.web.waitForRequests(1)
    try await bench.pass(600)
    // The engine slept meanwhile; else time would stand still.
    #expect(bench.manual.now.offset >= .seconds(600))
    // At the start, and after 30, 60, 120 and 240 seconds.
    #expect((2...5).contains(bench.web.log.count))
    // What somebody asks for waits no longer than the shortest rest,
    try await allow("article", in: bench)
    try await bench.store.reader.requestRefresh(.feed(feed))
    #expect(try await bench.pass(30) { try bench.record(feed)?.hasBeenFetched == true })
    await controller.stop(deadline: 10)
  }

  @Test(.timeLimit(.minutes(2))) func nobodyIsAskedBeforeTheCacheTakesSomething() async throws {
    let (bench, feed) = try await bench(refusing: "article", "syncStatus")
    let controller = bench.controller()
    controller.start()
    await bench.web.waitForRequests(1)
    try await bench.pass(600)
    #expect(bench.manual.now.offset >= .seconds(600))
    #expect(bench.web.log.count == 1)
    try await allow("article", "syncStatus", in: bench)
    #expect(try await bench.pass(3_600) { try bench.record(feed)?.hasBeenFetched == true })
    #expect(try await bench.pass(1) { try bench.state(feed)?.phase == .idle })
    await controller.stop(deadline: 10)
  }
}
