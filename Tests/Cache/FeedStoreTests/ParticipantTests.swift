@testable import ArticleStore
@testable import CacheCore
@testable import FeedStore

/// Records the arrivals of each feed.
private final class ArrivalList: MergeParticipant {
  struct Entry: Equatable {
    var added: Int
    var updated: Int
  }
  let entries = Mutex<[Entry]>([])
  let transactions = Mutex(0)

  func begin(_ transaction: Transaction) -> ArrivalHandler {
    transactions.withLock { $0 += 1 }
    return { arrivals in
      let entry = Entry(added: arrivals.added.count, updated: arrivals.updated.count)
      self.entries.withLock { $0.append(entry) }
    }
  }
}

@Suite("Participants of a merge") struct ParticipantTests {
  @Test("A participant receives new and changed articles of each feed, prepared once a transaction")
  func arrivals() async throws {
    let list = ArrivalList()
    let options = StoreOptions(now: { TestCache.start }, calendar: TestCache.calendar)
    var participants = Participants.all(options)
    participants.arrivals.append(list)
    let store = try FeedStore.open(
      directory: TestCache.freshDirectory(), options: options, participants: participants)
    defer { store.close() }
    let feeds = [
      try await store.reader.feeds.subscribe(url: "https://a.example/", title: nil, folder: nil),
      try await store.reader.feeds.subscribe(url: "https://b.example/", title: nil, folder: nil),
    ]
    func result(_ feed: FeedID, _ title: String) -> RefreshResult {
      let items = [ParsedItem(id: "1", title: title), ParsedItem(id: "2", title: "other")]
      return RefreshResult(
        feed: feed, at: TestCache.start,
        outcome: .parsed(ParsedFeed(format: .rss, title: "Feed", items: items), bodyHash: ""))
    }
    _ = try await store.engine.fetches.merge(feeds.map { result($0, "first") })
    _ = try await store.engine.fetches.merge([result(feeds[1], "changed")])
    #expect(
      list.entries.withLock { $0 } == [
        .init(added: 2, updated: 0), .init(added: 2, updated: 0), .init(added: 0, updated: 1),
      ])
    #expect(list.transactions.withLock { $0 } == 2)
  }
}
