import Foundation

/// The state of the engine, and its reaction to each event: a pure value without tasks, clocks or a
/// database.
struct EngineState: Sendable {
  let configuration: SyncConfiguration
  let policies: [OperationKind: OperationPolicy]
  var mode = RunMode.serving
  var table: OperationTable
  var limiter: any ConcurrencyLimiter
  /// The connection quality that an earlier process measured, if recent.
  var expectedQuality: ConnectionQuality?
  var progress = SyncProgress()
  var summary = SyncSummary()
  var backoff = StoreBackoff()
  var pauses: Set<SyncPause.Scope> = []
  var requests: [Int64: Set<OperationKey>] = [:]
  /// Due feeds of the first load, spread over time, with their start.
  var spread: [OperationKey: (entry: OperationEntry, at: Instant)] = [:]
  /// Due feeds that the user stopped, or whose publishers exclude this hour: not refreshed before
  /// the given time unless requested.
  var suppressed: [OperationKey: Instant] = [:]
  /// Cancelled operations that the cache still marks as wanted.
  var cancelled: Set<OperationKey> = []
  /// Phases of refreshes that are still to be written.
  var phases: [OperationKey: RefreshPhase] = [:]
  /// Numbers of writes of `phases` to the cache that have begun, and that have ended.
  var flushes = (begun: 0, ended: 0)
  var isDueStale = true
  var dueLoadedAt: Instant?
  var nextDueAt: Instant?
  var isCorrectingPlans = false
  var receivedBytes: Int64 = 0
  /// True if the next user request may start although the network is offline. It probes the
  /// network.
  var hasProbe = false
  var goodAddresses: [String] = []
  /// Changes when screens must be updated although nothing runs.
  private(set) var revision = 0
  private(set) var now = Instant(uptime: .zero, date: .distantPast)
  var pausesLoadedAt: Instant?
  var hasSpread = false
  /// True if the last load of waiting rows included prefetches.
  var hasPrefetched = false
  var tickedAt: Instant?
  var published: (quality: ConnectionQuality?, limit: Int)?
  var isMinimumRateEnforced = false
  var actions: [EngineAction] = []

  init(_ configuration: SyncConfiguration) {
    self.configuration = configuration
    policies = Dictionary(
      uniqueKeysWithValues: configuration.kinds.map { ($0.kind, $0.policy) })
    table = OperationTable(limits: configuration.hostLimits)
    limiter = configuration.limiter(configuration.ceiling)
  }

  mutating func apply(_ event: EngineEvent, at now: Instant) -> [EngineAction] {
    defer { actions = [] }
    self.now = now
    switch event {
    case .began(let mode): begin(mode)
    case .found(let work): for entry in work { enqueue(entry, now) }
    case .requests(let open, let new): serve(open, new, now)
    case .due(let due): enqueue(due, now)
    case .wanted(let kind, let rows): withdraw(kind, except: rows)
    case .expect(let quality):
      expectedQuality = quality
      limiter.expect(quality)
    case .prefetches(let areLoaded): setPrefetches(areLoaded)
    case .visibleFeeds(let keys): table.setVisible(keys)
    case .paused(let scopes): pause(scopes)
    case .cancelled(let cancellations): cancel(cancellations)
    case .cancellationsCompleted(let keys):
      cancelled.subtract(keys)
      isDueStale = true
      actions.append(.wake)
    case .feedSettingsChanged: isDueStale = true
    case .asked: backoff.hasten()
    case .reported(let notes): observe(notes)
    case .tick: tick(now)
    case .fetched(let id, let end): fetched(id, end, now)
    case .ended(let id, let result): ended(id, result, now)
    case .probed(let isReached):
      limiter.probeEnded(reached: isReached, at: now.seconds)
      publishLimit()
      checkAtOnce()
    case .clockSetBack:
      if !isCorrectingPlans { actions.append(.correctPlans) }
      isCorrectingPlans = true
    case .plansCorrected:
      isCorrectingPlans = false
      isDueStale = true
      actions.append(.wake)
    case .flushBegan:
      flushes.begun += 1
      phases = [:]
    case .flushEnded(let error, let unwritten): flushed(error, unwritten, now)
    case .storeFailed(.refusedValue(let detail)):
      actions.append(.emit(.storeFailed(.refusedValue(detail: detail))))
    case .storeFailed(let error): storeFailed(error, now)
    }
    return actions
  }

  // MARK: A run

  mutating func begin(_ mode: RunMode) {
    var fresh = EngineState(configuration)
    fresh.mode = mode
    (fresh.progress, fresh.goodAddresses) = (progress, goodAddresses)
    (fresh.backoff, fresh.flushes) = (backoff, flushes)
    fresh.backoff.end()
    self = fresh
  }

  /// Ends the run: nothing runs or waits any more.
  /// - Returns: the operations whose rows may still show a phase.
  mutating func end(at now: Instant) -> Set<OperationKey> {
    let left = Set(table.running.keys).union(table.waiting.keys).filter(isCounted)
      .union(phases.keys)
    phases = [:]
    table = OperationTable(limits: table.limits)
    if progress.isRunning { progress.finished(at: now.date) }
    return left
  }

  var isIdle: Bool { table.isEmpty }

  var isFinished: Bool {
    guard !mode.isServing else { return false }
    return table.running.isEmpty && flushes.begun == flushes.ended && cancelled.isEmpty
      && !isCorrectingPlans && !progress.isRunning && (table.isEmpty || hasGivenUp)
  }

  func isCounted(_ key: OperationKey) -> Bool { policies[key.kind]?.isCounted ?? false }

  // MARK: Work comes

  mutating func enqueue(_ entry: OperationEntry, _ now: Instant) {
    let key = entry.key
    guard !cancelled.contains(key), table.running[key] == nil else { return }
    spread[key] = nil
    suppressed[key] = nil
    let isNew = !table.contains(key)
    var entry = entry
    entry.enqueuedAt = now
    guard table.enqueue(entry) else { return }
    revision += 1
    let isRequested = entry.priority == .userInitiated || policies[key.kind]?.isRequested ?? false
    if isRequested, limiter.quality == .offline, !entry.isLocal { hasProbe = true }
    guard isNew, isCounted(key) else { return }
    phases[key] = .waiting
    if progress.enqueued(at: now.date) {
      receivedBytes = 0
      // The interval between ticks of the limiter begins anew with each sync.
      tickedAt = nil
      actions.append(.emit(.syncStarted))
    }
  }

  mutating func serve(
    _ open: Set<Int64>, _ new: [(id: Int64, work: [OperationEntry])], _ now: Instant
  ) {
    for (id, keys) in requests where !open.contains(id) {
      requests[id] = nil
      withdraw(keys, now)
    }
    for request in new {
      requests[request.id] = Set(request.work.map(\.key))
      for entry in request.work { enqueue(entry, now) }
    }
  }

  mutating func enqueue(_ due: DueWork, _ now: Instant) {
    (isDueStale, dueLoadedAt) = (false, now)
    suppressed = suppressed.filter { $0.value > now }
    for plan in due.late {
      let wait = Duration.seconds(plan.at.timeIntervalSince(now.date))
      suppressed[OperationKey.refresh(plan.feed)] = now + wait
    }
    if !due.late.isEmpty { actions.append(.plan(due.late)) }
    // Only the first load of a reader that was just opened is spread.
    let length = mode.isServing && !hasSpread ? configuration.initialSpread : .zero
    if mode.isServing { hasSpread = true }
    for entry in due.work {
      let key = entry.key
      guard !table.contains(key), spread[key] == nil, suppressed[key] == nil else { continue }
      if length > .zero, !table.visibleKeys.contains(key) {
        spread[key] = (entry, now + length * configuration.jitter())
      } else {
        enqueue(entry, now)
      }
    }
    // Overdue feeds are queued by now; due feeds are loaded again when a sync ends.
    let wait = due.next.map { Duration.seconds($0.timeIntervalSince(now.date)) }
    let nap = wait.map { $0 <= .zero ? .seconds(60) : min($0, Self.longestNap) } ?? Self.longestNap
    nextDueAt = wait == nil && spread.isEmpty ? nil : now + nap
  }

  mutating func releaseSpread(_ now: Instant) {
    guard !spread.isEmpty else { return }
    for (entry, _) in spread.values.filter({ $0.at <= now }).sorted(by: { $0.at < $1.at }) {
      spread[entry.key] = nil
      enqueue(entry, now)
    }
  }

  // MARK: Work goes

  /// Cancels operations that only a finished or cancelled request wanted. A stopped feed is not
  /// restarted at once, even if due.
  mutating func withdraw(_ keys: Set<OperationKey>, _ now: Instant) {
    let others = requests.values.reduce(into: Set<OperationKey>()) { $0.formUnion($1) }
    for key in keys.subtracting(others) where cancelOrRemove(key) {
      suppressed[key] = now + RefreshSchedule.shortest
    }
  }

  mutating func withdraw(_ kind: OperationKind, except rows: Set<Int64>) {
    for key in Array(table.waiting.keys) + Array(table.running.keys)
    where key.kind == kind && !rows.contains(key.row) {
      _ = cancelOrRemove(key)
    }
  }

  /// Cancels an operation that waits, is suspected or is being fetched. Returns `false` for an
  /// operation whose answer is being stored.
  mutating func cancelOrRemove(_ key: OperationKey) -> Bool {
    revision += 1
    if let entry = table.running[key] {
      guard entry.state != .digesting else { return false }
      actions.append(.cancel(entry.id))
      if entry.state == .fetching { return true }
    }
    guard table.remove(key) != nil else { return false }
    uncount(key)
    return true
  }

  mutating func uncount(_ key: OperationKey) {
    guard isCounted(key) else { return }
    progress.withdrawn()
    phases[key] = .idle
  }

  mutating func cancel(_ cancellations: [SyncCancellation]) {
    var keys: Set<OperationKey> = []
    for cancellation in cancellations {
      switch cancellation {
      case .feed(let feed):
        let key = OperationKey.refresh(feed)
        spread[key] = nil
        _ = cancelOrRemove(key)
        keys.insert(key)
      case .waiting:
        let waiting = Set(table.waiting.keys).union(table.suspected).union(spread.keys)
          .filter(isCounted)
        for key in waiting {
          spread[key] = nil
          _ = cancelOrRemove(key)
        }
        keys.formUnion(waiting)
      }
    }
    cancelled.formUnion(keys)
    actions.append(.completeCancellations(cancellations, keys))
  }

  mutating func pause(_ scopes: Set<SyncPause.Scope>) {
    pausesLoadedAt = now
    guard scopes != pauses else { return }
    pauses = scopes
    table.pause(Set(scopes.compactMap { if case .host(let host) = $0 { host } else { nil } }))
    revision += 1
  }

  // MARK: The cache

  mutating func storeFailed(_ error: StoreError, _ now: Instant) {
    actions.append(.emit(.storeFailed(error)))
    summary.storeFailure = error
    backoff.failed(at: now)
  }

  mutating func flushed(
    _ error: StoreError?, _ unwritten: [OperationKey: RefreshPhase], _ now: Instant
  ) {
    flushes.ended += 1
    if let error {
      phases.merge(unwritten) { newer, _ in newer }
      storeFailed(error, now)
    } else if let until = backoff.until, until <= now {
      backoff.end()
      requests = [:]
      actions.append(.reload)
    }
    actions.append(.wake)
  }

  // MARK: A tick

  private static let longestNap = Duration.hours(1)

  mutating func tick(_ now: Instant) {
    if let until = backoff.until, until <= now, flushes.begun == flushes.ended, !hasGivenUp {
      // Before any request is sent, a write shows whether the cache works again.
      actions.append(.testStore)
    }
    if !backoff.isActive, !hasGivenUp { releaseSpread(now) }
    regulate(now)
    if !table.suspected.isEmpty, !limiter.isInDoubt, limiter.limit > 0 {
      // Another host answered, or there is none to compare with: the feeds themselves failed.
      for key in table.suspected {
        if let id = table.running[key]?.id { actions.append(.proceed(id)) }
        table.setSuspected(key, false)
      }
    }
    endSyncIfIdle(now)
    launch(now)
  }

  mutating func endSyncIfIdle(_ now: Instant) {
    guard progress.isRunning, table.running.isEmpty, table.waiting.isEmpty || hasGivenUp
    else { return }
    if hasGivenUp {
      summary.isOffline = limiter.quality == .offline
      // Stored first, because removing the waiting work also ends the pause.
      summary.isPaused = isHeldForGood
      for key in Array(table.waiting.keys) {
        table.remove(key)
        if isCounted(key) { phases[key] = .idle }
      }
    }
    progress.finished(at: now.date)
    isDueStale = true
    actions.append(.emit(.syncEnded(status)))
  }

  mutating func launch(_ now: Instant) {
    guard !backoff.isActive, !hasGivenUp else { return }
    while let key = nextToStart(now), let entry = table.start(key, at: now) {
      if !entry.isLocal {
        hasProbe = false
        limiter.operationStarted(entry.id, entry.priority, at: now.seconds)
      }
      // The limiter pauses other transfers at once.
      if entry.priority == .userInitiated { checkAtOnce() }
      if isCounted(key) { phases[key] = .fetching }
      actions.append(.start(entry, limiter.timeouts))
    }
  }

  mutating func nextToStart(_ now: Instant) -> OperationKey? {
    if let local = table.head(local: true, at: now), !isPaused(local.served) {
      return local.entry.key
    }
    guard let head = table.head(at: now), mayStart(head.served) else { return nil }
    return head.entry.key
  }
}
