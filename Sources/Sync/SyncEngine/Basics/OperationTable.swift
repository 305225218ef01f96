/// One operation, from its enqueuing until its end.
struct OperationEntry: Sendable, Equatable {
  enum State: Sendable, Equatable {
    case waiting
    case fetching
    /// The operation failed, perhaps because of the network, which another host's answer decides.
    case suspected
    case digesting
  }

  var key: OperationKey
  /// The host of its first request; "" if there is none.
  var host: String
  /// The requested priority, which visibility and age may raise.
  var priority: OperationPriority
  var enqueuedAt: Instant
  /// The host's expected time for this operation and those that follow it in the same batch.
  var backlog = Duration.zero
  /// The number of the try, from 1.
  var attempt = 1
  /// Retries after possible failures of the network.
  var retries = 0
  var id: OperationID = 0
  var state = State.waiting
  var startedAt: Instant?
  /// The host of its latest request; `nil` before the first.
  var askedHost: String?
  /// The last reported stage; `nil` while the operation waits, and until its first report.
  var stage: OperationStatus.Stage?
  /// Bytes received over all requests.
  var bytes: Int64 = 0
  var isRequeued = false

  /// True for a local file or program, which says nothing about the network.
  var isLocal: Bool { host == LocalSource.hostKey }
}

/// All waiting and running operations: their priorities, the limits per host, and the operation
/// that may start next. A pure value, from which screens get the state of operations.
///
/// Within a priority, the host that needs the longest starts first and is kept busy, because a sync
/// lasts as long as its slowest host.
struct OperationTable: Sendable {
  /// The time in the queue that raises a priority by one, never above `visible`.
  private static let ageing = Duration.seconds(120)
  /// Backlogs that differ by less are equal: the order is that of enqueuing.
  private static let difference = Duration.milliseconds(100)

  struct Waiting: Sendable {
    var entry: OperationEntry
    var served: OperationPriority
    var order: Int
    /// The order within the priority, the greatest first.
    var weight: Int

    static func comesFirst(_ a: Waiting, _ b: Waiting) -> Bool {
      (a.served, -a.weight, a.order) < (b.served, -b.weight, b.order)
    }
  }

  /// The place of an operation within its priority.
  enum QueuePosition { case usual, first, last }

  let limits: HostLimits
  private(set) var waiting: [OperationKey: Waiting] = [:]
  /// Operations that have started and not ended, those being stored included.
  private(set) var running: [OperationKey: OperationEntry] = [:]
  private(set) var inFlight = 0
  private(set) var suspected: Set<OperationKey> = []
  private(set) var pausedHosts: Set<String> = []
  private var keys: [OperationID: OperationKey] = [:]
  /// The waiting operations, the one that starts first at the end, with some that were removed;
  /// `nil` if the order is unknown.
  private var queue: [(key: OperationKey, host: String)]?
  private var runningPerHost: [String: Int] = [:]
  private var activePerHost: [String: Int] = [:]
  private var hostLimits: [String: Int] = [:]
  private(set) var visibleKeys: Set<OperationKey> = []
  private var nextOrder = 0
  private var firstOrder = 0
  private var nextID: OperationID = 1
  private var agedAt: Instant?

  init(limits: HostLimits = HostLimits()) { self.limits = limits }

  // MARK: Contents

  var isEmpty: Bool { waiting.isEmpty && running.isEmpty }
  var waitingCount: Int { waiting.count }
  var isNetworkIdle: Bool { waiting.isEmpty && inFlight == 0 }
  var digesting: Int { running.count - inFlight - suspected.count }
  /// Distinct hosts of operations that wait or use the network, without this machine.
  var hostCount: Int { Self.webHosts(activePerHost) }
  var runningHostCount: Int { Self.webHosts(runningPerHost) }
  var kinds: Set<OperationKind> { Set(waiting.keys.map(\.kind)).union(running.keys.map(\.kind)) }
  var busyHosts: some Collection<String> { runningPerHost.keys }

  private static func webHosts(_ counts: [String: Int]) -> Int {
    counts.count - (counts[LocalSource.hostKey] == nil ? 0 : 1)
  }

  subscript(id: OperationID) -> OperationEntry? { keys[id].flatMap { running[$0] } }
  func contains(_ key: OperationKey) -> Bool { waiting[key] != nil || running[key] != nil }
  func runningCount(on host: String) -> Int { runningPerHost[host] ?? 0 }
  func waitingCount(on host: String) -> Int {
    (activePerHost[host] ?? 0) - runningCount(on: host)
  }
  func limit(of host: String) -> Int { hostLimits[host] ?? limits.perHost }
  func hasRoom(_ host: String) -> Bool {
    if pausedHosts.contains(host) { return false }
    return host.isEmpty || runningCount(on: host) < limit(of: host)
  }

  // MARK: Coming

  /// Enqueues an operation or raises the queued one. Returns false if nothing changed.
  @discardableResult
  mutating func enqueue(_ entry: OperationEntry, _ position: QueuePosition = .usual) -> Bool {
    guard running[entry.key] == nil else { return false }
    if let there = waiting[entry.key] {
      guard entry.priority < there.served else { return false }
      waiting[entry.key]?.entry.priority = entry.priority
      raise(entry.key, to: entry.priority)
      return true
    }
    let served = visibleKeys.contains(entry.key) ? min(entry.priority, .visible) : entry.priority
    activePerHost[entry.host, default: 0] += 1
    let weight =
      switch position {
      case .usual: Int(entry.backlog / Self.difference)
      case .first: Int.max
      case .last: -1
      }
    let order = position == .first ? firstOrder - 1 : nextOrder
    firstOrder = min(firstOrder, order)
    nextOrder = max(nextOrder, order + 1)
    waiting[entry.key] = Waiting(entry: entry, served: served, order: order, weight: weight)
    queue = nil
    return true
  }

  // MARK: Starting

  /// The first operation that may start now, of local sources or of the others.
  mutating func head(local: Bool = false, at now: Instant) -> Waiting? {
    age(at: now)
    guard !local || waitingCount(on: LocalSource.hostKey) > 0 else { return nil }
    var order =
      queue
      ?? waiting.values.sorted { Waiting.comesFirst($1, $0) }.map {
        ($0.entry.key, $0.entry.host)
      }
    queue = []
    defer { queue = order }
    // The operations of a busy host stand side by side: only the first of them is looked at.
    var passed: String?
    for place in order.indices.reversed() where order[place].host != passed {
      let (key, host) = order[place]
      guard (host == LocalSource.hostKey) == local, hasRoom(host) else {
        passed = host
        continue
      }
      if let found = waiting[key] { return found }
      order.remove(at: place)
    }
    return nil
  }

  /// Moves a waiting operation to those that use the network.
  mutating func start(_ key: OperationKey, at now: Instant) -> OperationEntry? {
    guard var entry = waiting.removeValue(forKey: key)?.entry else { return nil }
    if let place = queue?.lastIndex(where: { $0.key == key }) { queue?.remove(at: place) }
    entry.id = nextID
    nextID += 1
    entry.state = .fetching
    entry.startedAt = now
    running[key] = entry
    keys[entry.id] = key
    inFlight += 1
    runningPerHost[entry.host, default: 0] += 1
    return entry
  }

  mutating func note(_ report: OperationReport, of id: OperationID) {
    guard let key = keys[id] else { return }
    switch report {
    case .asks(let host):
      running[key]?.askedHost = host
      running[key]?.stage = .waitingForHost
    case .reaches(let stage): running[key]?.stage = stage
    case .transfer(.requesting, at: _): running[key]?.stage = .waitingForAnswer
    case .transfer(.firstByte, at: _): running[key]?.stage = .receiving
    case .transfer(.received(let bytes), at: _): running[key]?.bytes += Int64(bytes)
    case .transfer(.connected, at: _), .transfer(.roundTrip, at: _): break
    }
  }

  // MARK: Ending

  mutating func endTransfer(_ key: OperationKey) {
    guard let entry = running[key], entry.state == .fetching else { return }
    running[key]?.state = .digesting
    inFlight -= 1
    let left = (runningPerHost[entry.host] ?? 1) - 1
    runningPerHost[entry.host] = left > 0 ? left : nil
    removeActive(entry.host)
  }

  mutating func setSuspected(_ key: OperationKey, _ isSuspected: Bool) {
    running[key]?.state = isSuspected ? .suspected : .digesting
    if isSuspected { suspected.insert(key) } else { suspected.remove(key) }
  }

  mutating func setRequeued(_ key: OperationKey) { running[key]?.isRequeued = true }

  @discardableResult
  mutating func remove(_ key: OperationKey) -> OperationEntry? {
    if let entry = waiting.removeValue(forKey: key)?.entry {
      removeActive(entry.host)
      return entry
    }
    endTransfer(key)
    suspected.remove(key)
    guard let entry = running.removeValue(forKey: key) else { return nil }
    keys[entry.id] = nil
    return entry
  }

  mutating func requeue(_ key: OperationKey, _ position: QueuePosition, isRetry: Bool = false) {
    guard var entry = remove(key) else { return }
    (entry.id, entry.state, entry.startedAt) = (0, .waiting, nil)
    (entry.askedHost, entry.stage, entry.bytes) = (nil, nil, 0)
    entry.isRequeued = false
    if isRetry { entry.retries += 1 }
    enqueue(entry, position)
  }

  // MARK: Order

  /// Sets the operations on screen, which are raised to `visible` now and when enqueued later.
  mutating func setVisible(_ keys: some Sequence<OperationKey>) {
    visibleKeys = Set(keys)
    for key in visibleKeys {
      if let found = waiting[key], found.served > .visible { raise(key, to: .visible) }
    }
  }

  mutating func pause(_ hosts: Set<String>) { pausedHosts = hosts }

  mutating func setLimit(of host: String, _ limit: Int) {
    hostLimits[host] = limit == limits.perHost ? nil : limit
  }

  // MARK: Inside

  private mutating func removeActive(_ host: String) {
    let left = (activePerHost[host] ?? 1) - 1
    activePerHost[host] = left > 0 ? left : nil
  }

  private mutating func raise(_ key: OperationKey, to served: OperationPriority) {
    waiting[key]?.served = served
    queue = nil
  }

  private mutating func age(at now: Instant) {
    // A sweep costs O(n), so it is done seldom.
    if let agedAt, now - agedAt < Self.ageing / 12 { return }
    agedAt = now
    for (key, found) in waiting where found.served > .visible {
      let steps = max(0, Int((now - found.entry.enqueuedAt) / Self.ageing))
      let raw = max(OperationPriority.visible.rawValue, found.entry.priority.rawValue - steps)
      if let aged = OperationPriority(rawValue: raw), aged < found.served { raise(key, to: aged) }
    }
  }
}
