@testable import ArticleStore
@testable import SyncEngine

@Suite("Loaded records of feeds") struct LoadedRecordsTests {
  private let start = Instant(uptime: .zero, date: EngineFixture.start)

  private func record(_ key: Int64, url: String = "https://a.test/") -> FetchRecord {
    FetchRecord(feed: FeedID(rawValue: key), url: url, name: "A")
  }

  @Test("A loaded record is used once, and not after half a minute") func use() {
    let records = LoadedRecords()
    let feed = FeedID(rawValue: 1)
    records.store([record(1, url: "https://old.test/"), record(2)], at: start)
    records.store([record(1)], at: start)
    #expect(records.remove(feed, at: start + .seconds(30)) == record(1))
    #expect(records.remove(feed, at: start) == nil)
    #expect(records.remove(FeedID(rawValue: 2), at: start + .seconds(31)) == nil)
  }

  @Test("A feed that must wait is read again when its refresh starts") func waiting() {
    let records = LoadedRecords()
    var waiting = record(1)
    waiting.notBefore = EngineFixture.start + 60
    records.store([record(1)], at: start)
    records.store([waiting], at: start)
    #expect(records.remove(waiting.feed, at: start) == nil)
  }

  private func context(_ fixture: EngineFixture) -> OperationContext {
    OperationContext(
      store: fixture.store.engine, accounts: fixture.store.accountSync,
      configuration: SyncConfiguration(directory: fixture.directory), clock: fixture.clock,
      transport: { fixture.web })
  }

  @Test("The host that needs the longest by its last answers starts first") func slowFirst() throws
  {
    func answered(_ key: Int64, _ host: String, _ seconds: Double) -> FetchRecord {
      var record = record(key, url: "https://\(host).test/\(key)")
      record.lastDuration = .seconds(seconds)
      return record
    }
    var failing = answered(7, "failing", 0.9)
    failing.failure = RefreshFailure(kind: .stalled, since: EngineFixture.start)
    let records = [
      failing, answered(1, "quick", 0.05), answered(2, "slow", 0.8), answered(3, "large", 0.2),
      answered(4, "large", 0.2), answered(5, "large", 0.2), answered(6, "new", 0),
    ]
    let entries = RefreshOperation.entries(records, .scheduled, in: context(try EngineFixture()))
    // The new host gets the mean of the others.
    let backlogs: [Double] = [0, 0.15, 0.9, 0.9, 0.6, 0.3, 0.492]
    #expect(entries.map { ($0.backlog / .milliseconds(1)).rounded() / 1_000 } == backlogs)
    var table = OperationTable()
    for entry in entries { table.enqueue(entry) }
    var order: [Int64] = []
    while let next = table.head(at: start), table.start(next.entry.key, at: start) != nil {
      order.append(next.entry.key.row)
    }
    #expect(order == [2, 3, 4, 6, 1, 7])
  }

  @Test("A single slow answer does not put its host before all others") func slowOnce()
    throws
  {
    var once = record(1)
    once.lastDuration = .seconds(90)
    let entries = RefreshOperation.entries([once], .scheduled, in: context(try EngineFixture()))
    #expect(entries[0].backlog == .seconds(2))
  }

  @Test("A change of the subscription before its refresh starts is used") func changed()
    async throws
  {
    let fixture = try EngineFixture()
    let feed = try await fixture.subscribe("https://a.test/feed")[0]
    let context = context(fixture)
    let request = try await fixture.requests.requestRefresh(.all)
    let pending = PendingWork(context, after: .everything)
    _ = try pending.requests(except: [])
    try await fixture.feeds.edit(feed) { $0.url = "https://b.test/feed" }
    _ = PendingWork(context, after: .feedSettings)
    let operation = try #require(
      try RefreshOperation(row: feed.rawValue, fetcher: context.fetcher(), context: context))
    #expect(operation.record.url == "https://b.test/feed")
    #expect(!request.isFinished)
  }
}
