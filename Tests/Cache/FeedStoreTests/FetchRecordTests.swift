@Suite("Fetch records") final class FetchRecordTests: BenchSuite {
  @Test("Checks planned by a clock ten years ahead are due when the clock is set back")
  func clockThatRanAhead() async throws {
    let (store, clock) = (bench.store, bench.cache.clock)
    let now = bench.now
    clock.now = now + 10 * 365 * 86_400
    // A feed that was not fetched while the clock ran ahead.
    let feed = try await bench.cache.feed("late")
    let ids = try await bench.fill(2)
    try await store.reader.accounts.requestAccountSync(bench.account)
    try await store.reader.states.set(.read, ids, true)
    let batch = try #require(
      try store.accountSync.outboxBatch(of: bench.account, limit: 1, at: nil))
    try await store.accountSync.confirmOutbox(batch.rows.map(\.seq))
    try await store.accountSync.failOutbox([], of: bench.account, detail: "", until: bench.now + 60)

    clock.now = now
    try await store.engine.fetches.rebaseChecks(at: now)
    #expect(try store.engine.fetches.dueFeeds(at: now, limit: 9).map(\.feed) == [feed])
    let work = try #require(try store.accountSync.accountWork().first)
    #expect(work.pullAt == now)
    let pushAt = try #require(work.pushAt)
    #expect(pushAt <= now + 10)
    let left = try #require(try store.reader.accounts.outbox(of: bench.account, limit: 9).first)
    #expect(left.changedAt == now)
    // The next pull confirms the changes sent then, instead of one in ten years.
    clock.now = now + 3_600
    try await bench.pull(unread: [1, 2])
    #expect(try bench.confirmedItems().isEmpty)
  }

  @Test("A check planned within a week keeps its time, and a later one is due at once")
  func plansWithinAWeek() async throws {
    let (store, now) = (bench.store, bench.now)
    let feed = try await bench.cache.feed("a")
    let week = now + 7 * 86_400
    func plan(_ date: Date) async throws {
      try await store.engine.fetches.planChecks([(feed, date, [.hourly])])
      try await store.accountSync.endAccountSync(
        bench.account,
        AccountOutcome(began: now, hasPulled: false, failure: nil, nextSyncAt: date))
      try await store.engine.fetches.rebaseChecks(at: now)
    }
    try await plan(week)
    #expect(try store.engine.fetches.fetchRecord(feed)?.nextCheckAt == week)
    #expect(try store.accountSync.accountWork().first?.pullAt == week)
    try await plan(week + 2 * 86_400)
    #expect(try store.engine.fetches.fetchRecord(feed)?.nextCheckAt == now)
    #expect(try store.accountSync.accountWork().first?.pullAt == now)
  }
}
