@testable import SyncEngine

@Suite("Steps of operations in the table") struct OperationTableDetailTests {
  private func key(_ row: Int64, kind: OperationKind = .refresh) -> OperationKey {
    OperationKey(kind: kind, row: row)
  }

  @Test("A starting operation gets the next id and can be found by it")
  func starting() {
    var table = OperationTable()
    #expect(table.start(key(1), at: .at(0)) == nil)
    table.enqueue(.test(1))
    table.enqueue(.test(2))
    #expect(table.waitingCount == 2 && table.inFlight == 0 && !table.isNetworkIdle)
    let first = table.start(key(1), at: .at(3))
    #expect(first?.id == 1 && first?.state == .fetching && first?.startedAt?.seconds == 3)
    #expect(table.start(key(2), at: .at(4))?.id == 2)
    #expect(table[1]?.key == key(1) && table[2]?.key == key(2) && table[3] == nil)
    #expect(table.enqueue(.test(2)) == false)
    #expect(table.waitingCount == 0 && table.inFlight == 2 && table.digesting == 0)
    #expect(table.contains(key(1)) && !table.contains(key(3)) && !table.isEmpty)
  }

  @Test("An operation whose transfer has ended frees its connection once and waits to be stored")
  func leaving() {
    var table = OperationTable()
    for row in Int64(1)...4 { table.enqueue(.test(row, host: "h")) }
    #expect(table.drain() == [1, 2])
    #expect(table.runningCount(on: "h") == 2 && table.waitingCount(on: "h") == 2)
    #expect(!table.hasRoom("h") && table.hasRoom("other") && table.hostCount == 1)
    table.endTransfer(key(1))
    #expect(table[1]?.state == .digesting)
    #expect(table.inFlight == 1 && table.digesting == 1)
    #expect(table.runningCount(on: "h") == 1 && table.waitingCount(on: "h") == 2)
    table.endTransfer(key(1))
    #expect(table.inFlight == 1)
    #expect(table.drain() == [3])
    table.endTransfer(key(4))
    #expect(table.waitingCount == 1)
    table.remove(key(1))
    #expect(table[1] == nil && table.digesting == 0 && table.inFlight == 2)
    // A stored operation has freed its slot before.
    #expect(table.drain() == [])
    table.remove(key(2))
    #expect(table.inFlight == 1)
    #expect(table.drain() == [4])
    table.remove(key(3))
    #expect(table.hostCount == 1)
    table.remove(key(4))
    #expect(table.isEmpty && table.isNetworkIdle && table.hostCount == 0)
    #expect(table.runningCount(on: "h") == 0 && Array(table.busyHosts) == [])
    #expect(table.remove(key(1)) == nil)
  }

  @Test("The network is idle while operations are only stored")
  func networkIdle() {
    var table = OperationTable()
    #expect(table.isNetworkIdle && table.isEmpty)
    table.enqueue(.test(1))
    #expect(!table.isNetworkIdle && !table.isEmpty)
    _ = table.drain()
    #expect(!table.isNetworkIdle)
    table.endTransfer(key(1))
    #expect(table.isNetworkIdle && !table.isEmpty)
  }

  @Test("A suspected operation is neither on the network nor stored")
  func suspicion() {
    var table = OperationTable()
    table.enqueue(.test(1))
    _ = table.drain()
    table.endTransfer(key(1))
    table.setSuspected(key(1), true)
    #expect(table.suspected == [key(1)] && table.digesting == 0 && table.inFlight == 0)
    #expect(table[1]?.state == .suspected)
    table.setSuspected(key(1), false)
    #expect(table.suspected == [] && table.digesting == 1 && table[1]?.state == .digesting)
    table.setSuspected(key(1), true)
    table.remove(key(1))
    #expect(table.suspected == [] && table.isEmpty && table.digesting == 0)
  }

  @Test("Hosts count while they have work, and this machine does not")
  func hosts() {
    var table = OperationTable()
    table.enqueue(.test(1, host: "a"))
    table.enqueue(.test(2, host: "b", kind: .download))
    table.enqueue(.test(3, host: LocalSource.hostKey, kind: .pull))
    #expect(table.hostCount == 2 && table.runningHostCount == 0)
    #expect(table.kinds == [.refresh, .download, .pull])
    #expect(table.startNext(local: true) == 3)
    #expect(table.hostCount == 2 && table.runningHostCount == 0)
    #expect(table.startNext() == 1)
    #expect(table.runningHostCount == 1)
    #expect(Set(table.busyHosts) == ["a", LocalSource.hostKey])
    table.endTransfer(key(1))
    #expect(table.hostCount == 1 && table.runningHostCount == 0)
    #expect(table.kinds == [.refresh, .download, .pull])
    table.remove(key(2, kind: .download))
    #expect(table.hostCount == 0 && table.kinds == [.refresh, .pull])
  }

  @Test("Operations without a host have no limit")
  func withoutHost() {
    var table = OperationTable()
    for row in Int64(1)...5 { table.enqueue(.test(row, host: "")) }
    #expect(table.drain() == [1, 2, 3, 4, 5])
    #expect(table.hasRoom(""))
  }

  @Test("Only a more urgent request raises an operation")
  func raising() {
    var table = OperationTable()
    #expect(table.enqueue(.test(1)) == true)
    #expect(table.enqueue(.test(1)) == false)
    #expect(table.enqueue(.test(1, .background)) == false)
    #expect(table.waiting[key(1)]?.entry.priority == .scheduled)
    #expect(table.enqueue(.test(1, .visible)) == true)
    #expect(table.waiting[key(1)]?.entry.priority == .visible)
    #expect(table.waiting[key(1)]?.served == .visible)
    // An operation is raised among those of a busy host.
    for row in Int64(2)...6 { table.enqueue(.test(row, host: "h")) }
    #expect(table.drain() == [1, 2, 3])
    #expect(table.enqueue(.test(6, host: "h", .userInitiated)) == true)
    #expect(table.drain() == [])
    table.remove(key(2))
    #expect(table.drain() == [6])
    table.remove(key(6))
    #expect(table.drain() == [4])
  }

  @Test("Operations on screen are raised to visible, and never lowered")
  func visibleFeeds() {
    var table = OperationTable()
    table.enqueue(.test(1, .userInitiated))
    table.enqueue(.test(2, .background))
    table.enqueue(.test(3, .visible))
    table.setVisible([key(1), key(2), key(3), key(4), key(5)])
    table.enqueue(.test(4, .prefetch))
    table.enqueue(.test(5, .userInitiated))
    let served = (1...5).map { table.waiting[key($0)]?.served }
    #expect(served == [.userInitiated, .visible, .visible, .visible, .userInitiated])
    #expect(table.waiting[key(2)]?.entry.priority == .background)
    table.setVisible([key(9)])
    #expect(table.visibleKeys == [key(9)])
    #expect(table.drain() == [1, 5, 2, 3, 4])
  }

  @Test("A paused host starts nothing until it is resumed, then up to its limit")
  func pausedHosts() {
    var table = OperationTable()
    for row in Int64(1)...3 { table.enqueue(.test(row, host: "h")) }
    table.enqueue(.test(4))
    table.pause(["h", "other"])
    #expect(!table.hasRoom("h") && table.pausedHosts == ["h", "other"])
    #expect(table.drain() == [4])
    table.pause(["h"])
    #expect(table.drain() == [])
    table.pause([])
    #expect(table.drain() == [1, 2])
    table.remove(key(1))
    #expect(table.drain() == [3])
  }

  @Test("A raised host limit lets more operations start, a lowered one none")
  func limits() {
    var table = OperationTable(limits: HostLimits(perHost: 2))
    for row in Int64(1)...9 { table.enqueue(.test(row, host: "h")) }
    #expect(table.drain() == [1, 2])
    table.setLimit(of: "h", 4)
    #expect(table.limit(of: "h") == 4 && table.limit(of: "other") == 2)
    #expect(table.drain() == [3, 4])
    table.setLimit(of: "h", 4)
    #expect(table.drain() == [])
    table.setLimit(of: "h", 1)
    #expect(table.limit(of: "h") == 1)
    for row in Int64(1)...3 { table.remove(key(row)) }
    #expect(table.drain() == [])
    table.remove(key(4))
    #expect(table.drain() == [5])
    table.setLimit(of: "h", 2)
    #expect(table.limit(of: "h") == 2)
    #expect(table.drain() == [6])
  }

  @Test("A requeued operation waits like a new one, with its retries counted")
  func requeuing() {
    var table = OperationTable()
    for row in Int64(1)...3 { table.enqueue(.test(row)) }
    table.requeue(key(9), .last)
    #expect(table.waitingCount == 3)
    #expect(table.startNext() == 1)
    table.setRequeued(key(1))
    #expect(table[1]?.isRequeued == true)
    table.note(.asks("h"), of: 1)
    table.note(.transfer(.received(700), at: .at(1)), of: 1)
    #expect(table[1]?.askedHost == "h" && table[1]?.bytes == 700)
    table.requeue(key(1), .last)
    // Late reports of its first try are ignored.
    table.note(.transfer(.received(50), at: .at(4)), of: 1)
    let waiting = table.waiting[key(1)]
    #expect(waiting?.entry.id == 0 && waiting?.entry.state == .waiting)
    #expect(waiting?.entry.startedAt == nil && waiting?.entry.isRequeued == false)
    #expect(waiting?.entry.askedHost == nil && waiting?.entry.stage == nil)
    #expect(waiting?.entry.bytes == 0)
    #expect(waiting?.entry.retries == 0 && table[1] == nil && table.inFlight == 0)
    #expect(table.drain() == [2, 3, 1])
    table.requeue(key(2), .usual, isRetry: true)
    #expect(table.waiting[key(2)]?.entry.retries == 1)
    table.enqueue(.test(4))
    table.requeue(key(3), .first)
    table.requeue(key(1), .first)
    #expect(table.waiting[key(1)]?.order != table.waiting[key(3)]?.order)
    #expect(table.drain() == [1, 3, 2, 4])
    // The numbering continues.
    let ids = table.running.values.map(\.id).sorted()
    #expect(ids == [5, 6, 7, 8])
  }

  @Test("Reports of an operation set the stage of its work")
  func steps() {
    var table = OperationTable()
    table.enqueue(.test(1))
    #expect(table.startNext() == 1 && table[1]?.stage == nil)
    let reports: [(OperationReport, OperationStatus.Stage)] = [
      (.asks("h"), .waitingForHost), (.reaches(.connecting), .connecting),
      (.transfer(.connected(0.2), at: .at(1)), .connecting),
      (.transfer(.received(0), at: .at(1)), .connecting),
      (.transfer(.roundTrip(0.1, least: 0.1), at: .at(1)), .connecting),
      (.transfer(.requesting, at: .at(1)), .waitingForAnswer),
      (.transfer(.firstByte(0.1), at: .at(2)), .receiving),
      (.transfer(.received(700), at: .at(3)), .receiving),
      (.asks("other"), .waitingForHost), (.reaches(.connecting), .connecting),
      (.transfer(.received(50), at: .at(4)), .connecting), (.reaches(.parsing), .parsing),
      (.reaches(.storing), .storing),
    ]
    for (report, stage) in reports {
      table.note(report, of: 1)
      #expect(table[1]?.stage == stage)
    }
    #expect(table[1]?.bytes == 750 && table[1]?.askedHost == "other")
  }

  @Test("Backlogs count in steps of 100 ms, before the order of enqueuing")
  func backlogs() {
    func order(_ backlogs: [Duration]) -> [Int64] {
      var table = OperationTable()
      for (row, backlog) in backlogs.enumerated() {
        var entry = OperationEntry.test(Int64(row))
        entry.backlog = backlog
        table.enqueue(entry)
      }
      return table.drain()
    }
    #expect(order([.zero, .milliseconds(99)]) == [0, 1])
    #expect(order([.zero, .milliseconds(100)]) == [1, 0])
    #expect(order([.milliseconds(300), .milliseconds(500), .milliseconds(400)]) == [1, 2, 0])
    var table = OperationTable()
    for row in Int64(1)...2 {
      var entry = OperationEntry.test(row)
      entry.backlog = .seconds(9)
      table.enqueue(entry)
    }
    #expect(table.startNext() == 1)
    table.requeue(key(1), .last)
    table.enqueue(.test(3))
    #expect(table.drain() == [2, 3, 1])
  }

  @Test("Age raises an operation by one priority every two minutes, checked every ten seconds")
  func ageing() {
    var table = OperationTable()
    table.enqueue(.test(1, .prefetch))
    table.enqueue(.test(2, .visible))
    table.enqueue(.test(3, .userInitiated))
    func served(at seconds: Double) -> OperationPriority? {
      _ = table.head(at: .at(seconds))
      return table.waiting[key(1)]?.served
    }
    #expect(served(at: 115) == .prefetch)
    #expect(served(at: 124.9) == .prefetch)
    #expect(served(at: 125) == .background)
    #expect(served(at: 239) == .background)
    #expect(served(at: 249) == .scheduled)
    #expect(served(at: 360) == .visible)
    #expect(served(at: 9_000) == .visible)
    #expect(table.waiting[key(2)]?.served == .visible)
    #expect(table.waiting[key(3)]?.served == .userInitiated)
    // A clock that goes back lowers no priority.
    #expect(served(at: 0) == .visible)
    #expect(table.waiting[key(1)]?.entry.priority == .prefetch)
    // Age does not lower a priority that a request has raised.
    var other = OperationTable()
    other.enqueue(.test(1, .prefetch))
    other.setVisible([key(1)])
    _ = other.head(at: .at(130))
    #expect(other.waiting[key(1)]?.served == .visible)
  }

  @Test("A queue of two hundred operations keeps its order")
  func manyOperations() {
    var table = OperationTable()
    let rows = (0..<200).map { Int64($0 * 73 % 200) }
    for row in rows {
      var entry = OperationEntry.test(row)
      entry.backlog = .seconds(Int(row))
      table.enqueue(entry)
    }
    #expect(table.drain() == Array((0..<200).map(Int64.init).reversed()))
  }

  @Test("An id is not used again, and age counts from the enqueuing")
  func identity() {
    var table = OperationTable()
    var late = OperationEntry.test(1, .prefetch)
    late.enqueuedAt = .at(100)
    #expect(late.id == 0 && late.attempt == 1 && late.retries == 0)
    table.enqueue(late)
    _ = table.head(at: .at(219))
    #expect(table.waiting[key(1)]?.served == .prefetch)
    _ = table.head(at: .at(229))
    #expect(table.waiting[key(1)]?.served == .background)
    #expect(table.startNext(at: 230) == 1)
    table.requeue(key(1), .usual)
    #expect(table.startNext(at: 230) == 1)
    #expect(table[1] == nil && table[2]?.key == key(1))
  }
}
