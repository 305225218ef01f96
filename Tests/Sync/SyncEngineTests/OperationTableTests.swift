@testable import SyncEngine

@Suite("The table of operations") final class OperationTableTests {
  var table = OperationTable()

  private func key(_ row: Int64) -> OperationKey { OperationKey(kind: .refresh, row: row) }

  @Test("Operations start by priority, and within one in the order of arrival")
  func priorityThenArrival() {
    let priorities: [OperationPriority] = [
      .scheduled, .prefetch, .userInitiated, .scheduled, .visible,
    ]
    for (row, priority) in zip(Int64(1)..., priorities) { table.enqueue(.test(row, priority)) }
    #expect(table.drain() == [3, 5, 1, 4, 2])
  }

  @Test("Two local sources start at once, apart from the network's operations")
  func localSources() {
    table.enqueue(.test(1, .userInitiated))
    for row in Int64(2)...5 { table.enqueue(.test(row, host: LocalSource.hostKey)) }
    #expect(table.hostCount == 1)
    #expect(table.drain(local: true) == [2, 3])
    table.remove(key(2))
    #expect(table.drain(local: true) == [4])
    #expect(table.drain() == [1])
  }

  @Test("Cancelling an operation that could start lets the next one start")
  func cancellingLetsNextStart() {
    for row in Int64(1)...4 { table.enqueue(.test(row, host: "busy")) }
    #expect(table.drain() == [1, 2])
    // The free slot admits number 3, which is removed before it starts.
    table.remove(key(1))
    #expect(table.remove(key(3))?.key == key(3))
    #expect(table.drain() == [4])
  }

  @Test("The host with the most work starts first") func busiestHostStartsFirst() {
    for row in Int64(1)...3 { table.enqueue(.test(row)) }
    for row in Int64(10)...15 {
      var entry = OperationEntry.test(row, host: "big")
      entry.backlog = .seconds(15 - Int(row))
      table.enqueue(entry)
    }
    table.enqueue(.test(4))
    #expect((1...4).map { _ in table.startNext() } == [10, 11, 1, 2])
    table.remove(key(10))
    #expect(table.drain() == [12, 3, 4])
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
        var entry = OperationEntry.test(id, host: host, priority)
        entry.enqueuedAt = .at(now)
        table.enqueue(entry)
        if !running.contains(key(id)) { waiting.insert(key(id)) }
        hostOf[key(id)] = host
      case 3:
        if let row = table.startNext(at: now) {
          #expect(waiting.remove(key(row)) != nil)
          #expect(running.insert(key(row)).inserted)
        }
      case 4:
        if let key = running.randomElement(using: &random) {
          table.remove(key)
          running.remove(key)
        }
      case 5:
        if !running.contains(key(id)) {
          #expect((table.remove(key(id)) != nil) == (waiting.remove(key(id)) != nil))
        }
      default: table.setVisible([key(id)])
      }
      for (_, count) in Dictionary(grouping: running, by: { hostOf[$0] ?? "" }).mapValues(\.count) {
        #expect(count <= 2)
      }
    }
    for key in running { table.remove(key) }
    while !waiting.isEmpty {
      guard let row = table.startNext(at: 1e6) else {
        Issue.record("\(waiting.count) operations never start")
        return
      }
      waiting.remove(key(row))
      table.remove(key(row))
    }
    #expect(table.isEmpty)
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
  /// Starts the head, if there is one, and returns its row.
  mutating func startNext(local: Bool = false, at seconds: Double = 0) -> Int64? {
    guard let head = head(local: local, at: .at(seconds)) else { return nil }
    return start(head.entry.key, at: .at(seconds))?.key.row
  }

  /// Starts all operations that may start, and returns their rows.
  mutating func drain(local: Bool = false, at seconds: Double = 0) -> [Int64] {
    var rows: [Int64] = []
    while let row = startNext(local: local, at: seconds) { rows.append(row) }
    return rows
  }
}

extension Instant {
  static func at(_ seconds: Double) -> Instant {
    Instant(uptime: .seconds(seconds), date: EngineFixture.start + seconds)
  }
}
