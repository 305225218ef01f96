import FeedModel
import FeedStore
import Foundation
import Testing

@testable import SyncEngine

@Suite struct LoadedRecordsTests {
  private let start = Instant(uptime: .zero, date: EngineFixture.start)

  private func record(_ key: Int64, url: String = "https://a.test/") -> FetchRecord {
    FetchRecord(feed: FeedID(rawValue: key), url: url, name: "A")
  }

  @Test("A loaded record is used once, and not after half a minute") func use() {
    let records = LoadedRecords()
    let feed = FeedID(rawValue: 1)
    records.keep([record(1, url: "https://old.test/"), record(2)], at: start)
    records.keep([record(1)], at: start)
    #expect(records.take(feed, at: start + .seconds(30)) == record(1))
    #expect(records.take(feed, at: start) == nil)
    #expect(records.take(FeedID(rawValue: 2), at: start + .seconds(31)) == nil)
  }

  @Test("A feed that is to wait is read again when its refresh starts") func waiting() {
    let records = LoadedRecords()
    var waiting = record(1)
    waiting.notBefore = EngineFixture.start + 60
    records.keep([record(1)], at: start)
    records.keep([waiting], at: start)
    #expect(records.take(waiting.feed, at: start) == nil)
  }

  @Test("A change of the subscriptions before its refresh starts is followed") func changed()
    async throws
  {
    let fixture = try EngineFixture()
    let feed = try await fixture.subscribe("https://a.test/feed")[0]
    let clock = fixture.clock
    let context = OperationContext(
      store: fixture.store.engine, accounts: fixture.store.accounts,
      configuration: SyncConfiguration(directory: fixture.directory), clock: clock,
      kinds: OperationKinds.all, transport: { fixture.web })
    let request = try await fixture.store.reader.requestRefresh(.all)
    let pending = PendingWork(context, after: .everything)
    _ = try pending.requests(except: [])
    try await fixture.store.reader.setAddress(feed, "https://b.test/feed")
    _ = PendingWork(context, after: .subscriptions)
    let operation = try #require(
      try RefreshOperation(row: feed.rawValue, fetcher: context.fetcher(), context: context))
    #expect(operation.record.url == "https://b.test/feed")
    #expect(!request.isFinished)
  }
}
