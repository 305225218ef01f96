// What may enter this folder: pure values and small tools that say what goes next. Nothing here runs it.

import FeedModel

/// What a piece of work is about: two of the same key are one.
enum WorkKey: Hashable, Sendable {
  case refresh(FeedID)
  case discovery(Int64)
  case fullText(ArticleID)
  case download(Int64)
  /// Sending what an account's outbox holds; fetching its server's state.
  case push(AccountID)
  case pull(AccountID)
}

/// A piece of work in the queue.
struct WorkItem: Sendable, Equatable {
  var key: WorkKey
  /// The host that its first request goes to; "" where there is none.
  var host: String
  /// As asked for; `SyncQueueState` may serve it earlier (attention, age).
  var workClass: WorkClass
  /// Monotonic seconds.
  var enqueuedAt: Double
  /// Tries that the line may have spoilt.
  var retries = 0
  /// How much work for its host came with it and stands behind it.
  var backlog = 0

  /// A file or a program of the user's own: it needs no line, and says nothing of it.
  var isOwnSource: Bool { host == OwnSourceReader.gateName }
}

/// The one place for priorities, cancelling and who may start next. A pure value: it knows no time
/// but what it is told, no tasks and no network.
///
/// An item is *ready*, *blocked* (its host has all the connections that it may have) or *running*.
/// Picking the next costs O(log n) however many feeds one host has.
struct SyncQueueState: Sendable {
  struct Limits: Sendable {
    var perHost = 2
    /// Where the host is known to multiplex (HTTP/2): streams of one connection.
    var perMultiplexingHost = 6
    /// Seconds in the queue that lift an item by one class, never above p1.
    var ageing = 120.0
  }

  struct Waiting: Sendable {
    var item: WorkItem
    /// The class that it is served in.
    var served: WorkClass
    var order: Int
    /// How much of its class goes before it; see `Ticket`.
    var weight: Int
    var isBlocked = false
  }

  /// A place in a heap; void once the item has gone or has another class or order.
  ///
  /// Within a class the host with the most work begins first and is kept busy: a sync ends when the last
  /// host does, and a host of seventy feeds is asked for two at a time.
  private struct Ticket: Comparable, Sendable {
    var served: WorkClass
    var weight: Int
    var order: Int
    var key: WorkKey

    init(_ entry: Waiting) {
      (served, weight) = (entry.served, entry.weight)
      (order, key) = (entry.order, entry.item.key)
    }

    static func < (a: Ticket, b: Ticket) -> Bool {
      (a.served, -a.weight, a.order) < (b.served, -b.weight, b.order)
    }
    static func == (a: Ticket, b: Ticket) -> Bool {
      a.served == b.served && a.order == b.order && a.key == b.key
    }
  }

  let limits: Limits
  private(set) var waiting: [WorkKey: Waiting] = [:]
  private(set) var running: [WorkKey: WorkItem] = [:]
  private var ready = Heap<Ticket>()
  /// The same of own sources, which nothing on the network holds up.
  private var readyOwn = Heap<Ticket>()
  private var blocked: [String: Heap<Ticket>] = [:]
  private var runningPerHost: [String: Int] = [:]
  private var activePerHost: [String: Int] = [:]
  private var multiplexing: Set<String> = []
  private var attention: Set<FeedID> = []
  private var nextOrder = 0
  private var firstOrder = 0
  private var agedAt = -Double.infinity

  init(limits: Limits = Limits()) { self.limits = limits }

  // MARK: What is there

  var waitingCount: Int { waiting.count }
  var isEmpty: Bool { waiting.isEmpty && running.isEmpty }
  var waitingKeys: [WorkKey] { Array(waiting.keys) }
  /// Distinct hosts, this machine left out, of everything that waits or runs.
  var hostCount: Int { Self.webHosts(activePerHost) }
  /// The same of what runs.
  var runningHostCount: Int { Self.webHosts(runningPerHost) }

  private static func webHosts(_ counts: [String: Int]) -> Int {
    counts.count - (counts[OwnSourceReader.gateName] == nil ? 0 : 1)
  }

  func contains(_ key: WorkKey) -> Bool { waiting[key] != nil || running[key] != nil }
  func isWaiting(_ key: WorkKey) -> Bool { waiting[key] != nil }
  /// The class that a waiting item is served in.
  func servedClass(of key: WorkKey) -> WorkClass? { waiting[key]?.served }
  func runningCount(on host: String) -> Int { runningPerHost[host] ?? 0 }
  func waitingCount(on host: String) -> Int {
    (activePerHost[host] ?? 0) - runningCount(on: host)
  }
  /// Hosts of which nothing may start now.
  private(set) var heldHosts: Set<String> = []

  // MARK: Coming and going

  /// Puts an item in the queue, or lifts the one that is there. False where nothing changed.
  @discardableResult
  mutating func enqueue(_ item: WorkItem) -> Bool { enqueue(item, .usual) }

  private enum Place { case usual, first, last }

  private mutating func enqueue(_ item: WorkItem, _ place: Place) -> Bool {
    guard running[item.key] == nil else { return false }
    if let there = waiting[item.key] {
      guard item.workClass < there.served else { return false }
      waiting[item.key]?.item.workClass = item.workClass
      lift(item.key, to: item.workClass)
      return true
    }
    var served = item.workClass
    if case .refresh(let feed) = item.key, attention.contains(feed) { served = min(served, .p1) }
    activePerHost[item.host, default: 0] += 1
    let weight =
      switch place {
      case .usual: item.backlog
      case .first: Int.max
      case .last: -1
      }
    let order = place == .first ? firstOrder - 1 : nextOrder
    firstOrder = min(firstOrder, order)
    nextOrder = max(nextOrder, order + 1)
    let entry = Waiting(item: item, served: served, order: order, weight: weight)
    waiting[item.key] = entry
    stand(Ticket(entry), item)
    return true
  }

  /// Takes the item that may start now and comes first, and counts it as running.
  /// - Parameters:
  ///   - admits: whether the line takes another operation of this class.
  ///   - admitsOwn: whether an own source may be read in this class.
  mutating func next(
    at now: Double, admits: (WorkClass) -> Bool, admitsOwn: (WorkClass) -> Bool = { _ in true }
  ) -> WorkItem? {
    age(at: now)
    return next(of: \.readyOwn, admitsOwn) ?? next(of: \.ready, admits)
  }

  private mutating func next(
    of ready: WritableKeyPath<Self, Heap<Ticket>>, _ admits: (WorkClass) -> Bool
  ) -> WorkItem? {
    while let ticket = self[keyPath: ready].first {
      guard let entry = valid(ticket), !entry.isBlocked else {
        _ = self[keyPath: ready].popFirst()
        continue
      }
      let host = entry.item.host
      guard hasRoom(host) else {
        _ = self[keyPath: ready].popFirst()
        waiting[ticket.key]?.isBlocked = true
        blocked[host, default: Heap()].insert(ticket)
        continue
      }
      guard admits(ticket.served) else { return nil }
      _ = self[keyPath: ready].popFirst()
      waiting[ticket.key] = nil
      running[ticket.key] = entry.item
      runningPerHost[host, default: 0] += 1
      return entry.item
    }
    return nil
  }

  /// The operation needs its host no longer.
  mutating func ended(_ key: WorkKey) {
    guard let item = running.removeValue(forKey: key) else { return }
    let left = (runningPerHost[item.host] ?? 1) - 1
    runningPerHost[item.host] = left > 0 ? left : nil
    leave(item.host)
    unblock(item.host, 1)
  }

  /// What ran, or has just ended, goes behind all others of its class.
  mutating func putLast(_ item: WorkItem) {
    ended(item.key)
    _ = enqueue(item, .last)
  }

  /// What ran, or has just ended, goes before all others of its class.
  mutating func putBack(_ item: WorkItem) {
    ended(item.key)
    _ = enqueue(item, .first)
  }

  /// Forgets an item that waits. A running one is its operation's to end.
  @discardableResult
  mutating func removeWaiting(_ key: WorkKey) -> WorkItem? {
    guard let entry = waiting.removeValue(forKey: key) else { return nil }
    leave(entry.item.host)
    // Its ticket may have been the one that a free connection let through.
    unblock(entry.item.host, 1)
    return entry.item
  }

  // MARK: What changes the order

  /// What is on screen or rested on: lifted to p1, also when it is enqueued later.
  mutating func setAttention(_ feeds: some Sequence<FeedID>) {
    attention = Set(feeds)
    for feed in attention {
      let key = WorkKey.refresh(feed)
      if let entry = waiting[key], entry.served > .p1 { lift(key, to: .p1) }
    }
  }

  /// Hosts that the user has paused: their items wait.
  mutating func hold(_ hosts: Set<String>) {
    let freed = heldHosts.subtracting(hosts)
    heldHosts = hosts
    for host in freed { unblock(host, limits.perMultiplexingHost) }
  }

  /// One connection carries several requests to this host, or does not any more. Of several origins of one
  /// host the widest counts here: the gate tells them apart.
  mutating func setMultiplexing(host: String, _ isMultiplexing: Bool = true) {
    guard isMultiplexing else {
      multiplexing.remove(host)
      return
    }
    guard multiplexing.insert(host).inserted else { return }
    unblock(host, limits.perMultiplexingHost)
  }

  // MARK: Inside

  private mutating func stand(_ ticket: Ticket, _ item: WorkItem) {
    if item.isOwnSource { readyOwn.insert(ticket) } else { ready.insert(ticket) }
  }

  private func valid(_ ticket: Ticket) -> Waiting? {
    guard let entry = waiting[ticket.key], entry.order == ticket.order,
      entry.served == ticket.served
    else { return nil }
    return entry
  }

  func hasRoom(_ host: String) -> Bool {
    if heldHosts.contains(host) { return false }
    let cap = multiplexing.contains(host) ? limits.perMultiplexingHost : limits.perHost
    return host.isEmpty || runningCount(on: host) < cap
  }

  private mutating func leave(_ host: String) {
    let left = (activePerHost[host] ?? 1) - 1
    activePerHost[host] = left > 0 ? left : nil
  }

  private mutating func lift(_ key: WorkKey, to served: WorkClass) {
    guard let entry = waiting[key] else { return }
    waiting[key]?.served = served
    var lifted = entry
    lifted.served = served
    let ticket = Ticket(lifted)
    if entry.isBlocked {
      blocked[entry.item.host, default: Heap()].insert(ticket)
    } else {
      stand(ticket, entry.item)
    }
  }

  /// Lets the first `count` of a host's blocked items stand in line again. Too many does no harm:
  /// they are blocked again when their turn comes.
  private mutating func unblock(_ host: String, _ count: Int) {
    guard var heap = blocked.removeValue(forKey: host) else { return }
    var left = count
    while left > 0, let ticket = heap.popFirst() {
      guard let entry = valid(ticket), entry.isBlocked else { continue }
      waiting[ticket.key]?.isBlocked = false
      stand(ticket, entry.item)
      left -= 1
    }
    if !heap.isEmpty { blocked[host] = heap }
  }

  private mutating func age(at now: Double) {
    // A sweep costs O(n): often enough to be fair, seldom enough to cost nothing.
    guard now - agedAt >= limits.ageing / 12 else { return }
    agedAt = now
    for (key, entry) in waiting where entry.served > .p1 {
      let steps = Int(max(0, now - entry.item.enqueuedAt) / limits.ageing)
      let raw = max(WorkClass.p1.rawValue, entry.item.workClass.rawValue - steps)
      if let aged = WorkClass(rawValue: raw), aged < entry.served { lift(key, to: aged) }
    }
  }
}
