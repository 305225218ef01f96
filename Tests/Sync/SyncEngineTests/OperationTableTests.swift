@testable import SyncEngine

@Suite("The table of operations") final class OperationTableTests {
  var queue = OperationTable()

  private func item(
    _ id: Int64, host: String = "", _ priority: OperationPriority = .scheduled, at: Double = 0
  ) -> OperationEntry {
    OperationEntry(
      key: key(id), host: host.isEmpty ? "host\(id)" : host, priority: priority,
      enqueuedAt: .at(at))
  }

  private func key(_ id: Int64) -> OperationKey { OperationKey(kind: .refresh, row: id) }

  private func drain(_ queue: inout OperationTable, at now: Double = 0, limit: Int = .max)
    -> [OperationKey]
  {
    var keys: [OperationKey] = []
    while keys.count < limit, let item = queue.next(at: now, admits: { _ in true }) {
      keys.append(item.key)
    }
    return keys
  }

  @Test("Operations start by priority, and within one in the order of arrival")
  func priorityThenArrival() {
    for (id, priority) in [
      (1, .scheduled), (2, .prefetch), (3, .userInitiated), (4, .scheduled), (5, .visible),
    ]
      as [(Int64, OperationPriority)]
    {
      queue.enqueue(item(id, priority))
    }
    #expect(drain(&queue) == [3, 5, 1, 4, 2].map(key))
  }

  @Test("A feed is in the queue once") func aFeedIsInTheQueueOnce() {
    #expect(queue.enqueue(item(1)) == true)
    #expect(queue.enqueue(item(1)) == false)
    #expect(queue.waitingCount == 1)
    _ = drain(&queue)
    #expect(queue.enqueue(item(1)) == false)
    #expect(queue.waitingCount == 0)
    queue.remove(key(1))
    #expect(queue.isEmpty)
    #expect(queue.enqueue(item(1)) == true)
  }

  @Test("A more urgent request raises a waiting operation") func urgentRequestRaises() {
    for id in 1...5 { queue.enqueue(item(Int64(id))) }
    #expect(queue.enqueue(item(4, .userInitiated)) == true)
    #expect(drain(&queue) == [4, 1, 2, 3, 5].map(key))
  }

  @Test("Feeds on screen are raised to visible, including those enqueued later")
  func visibleFeedsAreRaised() {
    for id in 1...3 { queue.enqueue(item(Int64(id))) }
    queue.setVisible([key(3), key(9)])
    queue.enqueue(item(9))
    #expect(queue.waiting[key(3)]?.served == .visible)
    #expect(drain(&queue) == [3, 9, 1, 2].map(key))
  }

  @Test("A host runs at most two operations, and other hosts pass by")
  func hostRunsTwoOperations() {
    for id in 1...4 { queue.enqueue(item(Int64(id), host: "busy")) }
    queue.enqueue(item(5, host: "free"))
    #expect(drain(&queue) == [1, 2, 5].map(key))
    queue.remove(key(1))
    #expect(drain(&queue) == [key(3)])
    queue.remove(key(5))
    #expect(drain(&queue).isEmpty)
    queue.remove(key(2))
    queue.remove(key(3))
    #expect(drain(&queue) == [key(4)])
  }

  @Test("A host that multiplexes runs six operations") func aMultiplexingHostHasSix() {
    for id in 1...8 { queue.enqueue(item(Int64(id), host: "h2")) }
    #expect(drain(&queue).count == 2)
    queue.setLimit(of: "h2", 6)
    #expect(drain(&queue) == [3, 4, 5, 6].map(key))
    queue.setLimit(of: "h2", 2)
    for id in 1...4 { queue.remove(key(Int64(id))) }
    #expect(drain(&queue).isEmpty)
    queue.remove(key(5))
    #expect(drain(&queue).count == 1)
  }

  @Test("Local sources start whatever the network admits") func localSourcesAlwaysStart() {
    let here = LocalSource.hostKey
    queue.enqueue(item(1, .userInitiated))
    for id in 2...5 { queue.enqueue(item(Int64(id), host: here)) }
    #expect(queue.hostCount == 1)
    func next() -> OperationKey? { queue.next(at: 0, admits: { _ in false })?.key }
    #expect([next(), next(), next()] == [key(2), key(3), nil])
    queue.remove(key(2))
    #expect(queue.next(at: 0, admits: { _ in false }, admitsOwn: { _ in false }) == nil)
    #expect([next(), next()] == [key(4), nil])
    #expect(queue.next(at: 0, admits: { _ in true })?.key == key(1))
  }

  @Test("User requests observe the host's limit, too") func p0KeepsToTheHostsCapToo() {
    for id in 1...3 { queue.enqueue(item(Int64(id), host: "busy")) }
    _ = drain(&queue)
    queue.enqueue(item(7, host: "busy", .userInitiated))
    #expect(drain(&queue).isEmpty)
    queue.remove(key(1))
    #expect(drain(&queue) == [key(7)])
  }

  @Test("Operations that the network does not admit wait") func unadmittedWorkWaits() {
    queue.enqueue(item(1))
    #expect(queue.next(at: 0, admits: { $0 == .userInitiated }) == nil)
    queue.enqueue(item(2, .userInitiated))
    #expect(queue.next(at: 0, admits: { $0 == .userInitiated })?.key == key(2))
    #expect(queue.waitingCount == 1)
  }

  @Test("Age raises an operation by one priority every two minutes, at most to visible")
  func ageRaisesPriority() {
    queue.enqueue(item(1, .prefetch, at: 0))
    queue.enqueue(item(2, .scheduled, at: 0))
    _ = queue.next(at: 119, admits: { _ in false })
    #expect(queue.waiting[key(1)]?.served == .prefetch)
    _ = queue.next(at: 130, admits: { _ in false })
    #expect(queue.waiting[key(1)]?.served == .background)
    #expect(queue.waiting[key(2)]?.served == .visible)
    _ = queue.next(at: 10_000, admits: { _ in false })
    #expect(queue.waiting[key(1)]?.served == .visible)
  }

  @Test("Cancelling an operation that could start lets the next one start")
  func cancellingLetsNextStart() {
    for id in 1...4 { queue.enqueue(item(Int64(id), host: "busy")) }
    #expect(drain(&queue).count == 2)
    // The free slot admits number 3, which is removed before it starts.
    queue.remove(key(1))
    #expect(queue.remove(key(3))?.key == key(3))
    #expect(drain(&queue) == [key(4)])
  }

  @Test("An operation requeued as first starts before others of its priority")
  func requeuedFirstStartsFirst() throws {
    for id in Int64(1)...4 { queue.enqueue(item(id)) }
    let next = [queue.next(at: 0) { _ in true }, queue.next(at: 0) { _ in true }]
    let first = try #require(next[0])
    let second = try #require(next[1])
    queue.requeue(first.key, .first)
    queue.requeue(second.key, .first)
    #expect(queue.running.isEmpty)
    #expect(queue.hostCount == 4)
    #expect(drain(&queue) == [2, 1, 3, 4].map(key))
  }

  @Test("The host with the most work starts first") func busiestHostStartsFirst() {
    for id in Int64(1)...3 { queue.enqueue(item(id)) }
    for id in Int64(10)...15 {
      var one = item(id, host: "big")
      one.backlog = .seconds(15 - Int(id))
      queue.enqueue(one)
    }
    queue.enqueue(item(4))
    #expect(drain(&queue, limit: 4) == [10, 11, 1, 2].map(key))
    queue.remove(key(10))
    #expect(drain(&queue) == [12, 3, 4].map(key))
  }

  @Test("An operation requeued as last starts after others of its priority")
  func requeuedLastStartsLast() {
    for id in 1...3 { queue.enqueue(item(Int64(id))) }
    _ = drain(&queue, limit: 1)
    queue.requeue(key(1), .last)
    #expect(queue.running.isEmpty)
    #expect(drain(&queue) == [2, 3, 1].map(key))
  }

  @Test("Hosts are counted once") func countsDistinctHosts() {
    queue.enqueue(item(1, host: "a"))
    queue.enqueue(item(2, host: "a"))
    queue.enqueue(item(3, host: "b"))
    #expect(queue.hostCount == 2)
    _ = drain(&queue)
    queue.remove(key(1))
    #expect(queue.hostCount == 2)
    queue.remove(key(2))
    queue.remove(key(3))
    #expect(queue.hostCount == 0)
  }

  @Test(
    "No sequence of calls loses an operation, runs it twice or exceeds a limit",
    arguments: 1...20)
  func survivesRandomUse(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var waiting: Set<OperationKey> = []
    var running: Set<OperationKey> = []
    var hostOf: [OperationKey: String] = [:]
    for step in 0..<3_000 {
      let now = Double(step)
      let id = Int64.random(in: 0..<200, using: &random)
      let host = "h\(id % 7)"
      switch Int.random(in: 0..<7, using: &random) {
      case 0, 1, 2:
        let priority = OperationPriority.allCases.randomElement(using: &random) ?? .scheduled
        queue.enqueue(item(id, host: host, priority, at: now))
        if !running.contains(key(id)) { waiting.insert(key(id)) }
        hostOf[key(id)] = host
      case 3:
        if let item = queue.next(at: now, admits: { _ in true }) {
          #expect(waiting.remove(item.key) != nil)
          #expect(running.insert(item.key).inserted)
        }
      case 4:
        if let key = running.randomElement(using: &random) {
          queue.remove(key)
          running.remove(key)
        }
      case 5:
        if !running.contains(key(id)) {
          #expect((queue.remove(key(id)) != nil) == (waiting.remove(key(id)) != nil))
        }
      default: queue.setVisible([key(id)])
      }
      for (_, count) in Dictionary(grouping: running, by: { hostOf[$0] ?? "" }).mapValues(\.count) {
        #expect(count <= 2)
      }
    }
    for key in running { queue.remove(key) }
    while !waiting.isEmpty {
      let item = queue.next(at: 1e6, admits: { _ in true })
      guard let item else {
        Issue.record("\(waiting.count) items never come")
        return
      }
      waiting.remove(item.key)
      queue.remove(item.key)
    }
    #expect(queue.isEmpty)
  }

  @Test("Progress counts a sync from its first work to its last") func progressCountsOneSync() {
    var progress = SyncProgress()
    let start = Date(timeIntervalSince1970: 1_000)
    func report(_ outcome: RefreshReport.Outcome, bytes: Int64) -> RefreshReport {
      RefreshReport(feed: FeedID(rawValue: 1), name: "", url: "", outcome: outcome, bytes: bytes)
    }
    #expect(progress.enqueued(at: start) == true)
    #expect(progress.enqueued(at: start) == false)
    #expect(progress.enqueued(at: start) == false)
    progress.ended(report(.refreshed(added: 3, updated: 0), bytes: 100))
    progress.ended(report(.failed(.tls, status: nil, detail: nil), bytes: 10))
    progress.withdrawn()
    #expect(progress.total == 2)
    #expect(progress.counts.done == 2)
    #expect(progress.counts.failed == 1)
    #expect(progress.counts.newArticles == 3)
    #expect(progress.counts.bytes == 110)
    progress.finished(at: start + 5)
    #expect(!progress.isRunning)
    #expect(progress.enqueued(at: start + 9) == true)
    #expect(progress.counts.done == 0)
  }
}

extension OperationTable {
  /// Starts the first of the admitted operations.
  fileprivate mutating func next(
    at seconds: Double, admits: (OperationPriority) -> Bool,
    admitsOwn: (OperationPriority) -> Bool = { _ in true }
  ) -> OperationEntry? {
    let now = Instant.at(seconds)
    if let head = head(local: true, at: now), admitsOwn(head.served) {
      return start(head.entry.key, at: now)
    }
    guard let head = head(at: now), admits(head.served) else { return nil }
    return start(head.entry.key, at: now)
  }
}

extension Instant {
  static func at(_ seconds: Double) -> Instant {
    Instant(uptime: .seconds(seconds), date: EngineFixture.start + seconds)
  }
}
