import FeedModel
import FeedStore
import Foundation
import Testing

@Suite struct FetchTests {
  @Test func nothingThatAClockDidThatRanAheadIsYearsAway() async throws {
    let bench = try await AccountBench()
    let (store, clock) = (bench.store, bench.cache.clock)
    let now = bench.now
    clock.now = now + 10 * 365 * 86_400
    // Never fetched since.
    let feed = try await bench.cache.feed("late")
    let ids = try await bench.fill(2)
    try await store.requestAccountSync(bench.account)
    try await store.setRead(ids, true)
    let batch = try #require(try store.outboxBatch(of: bench.account, limit: 1, at: nil))
    try await store.confirmOutbox(batch.rows.map(\.seq))
    try await store.failOutbox([], of: bench.account, detail: nil, until: bench.now + 60)

    clock.now = now
    try await store.rebaseChecks(at: now)
    #expect(try store.dueFeeds(at: now, limit: 9).map(\.feed) == [feed])
    let work = try #require(try store.accountWork().first)
    #expect(work.pullAt == now)
    let pushAt = try #require(work.pushAt)
    #expect(pushAt <= now + 10)
    let left = try #require(try store.outbox(of: bench.account, limit: 9).first)
    #expect(left.changedAt == now)
    // What was sent then is missed when no pull shows it, and not in ten years.
    clock.now = now + 3_600
    try await bench.pull(unread: [1, 2])
    #expect(try store.outbox(of: bench.account, limit: 9).count == 2)
  }

  @Test func whatIsPlannedWithinAWeekStays() async throws {
    let bench = try await AccountBench()
    let (store, now) = (bench.store, bench.now)
    let feed = try await bench.cache.feed("a")
    let week = now + 7 * 86_400
    func plan(_ date: Date) async throws {
      try await store.planChecks([(feed, date, "so it is")])
      try await store.endAccountSync(
        bench.account,
        AccountOutcome(began: now, hasPulled: false, failure: nil, nextSyncAt: date))
      try await store.rebaseChecks(at: now)
    }
    try await plan(week)
    #expect(try store.fetchRecord(feed)?.nextCheckAt == week)
    #expect(try store.accountWork().first?.pullAt == week)
    try await plan(week + 2 * 86_400)
    #expect(try store.fetchRecord(feed)?.nextCheckAt == now)
    #expect(try store.accountWork().first?.pullAt == now)
  }
}
