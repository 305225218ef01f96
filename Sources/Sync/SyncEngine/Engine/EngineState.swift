import Foundation

/// The state of the engine, and its reaction to each event: a pure value without tasks, clocks or a
/// database.
struct EngineState: Sendable {
  let configuration: SyncConfiguration
  let policies: [OperationKind: OperationPolicy]
  var mode = RunMode.serving
  var table: OperationTable
  var limiter: any ConcurrencyLimiter
  var network = NetworkWatch()
  var progress = SyncProgress()
  var summary = SyncSummary()
  var backoff = StoreBackoff()
  var pauses: Set<SyncPause.Scope> = []
  var requests: [Int64: Set<OperationKey>] = [:]
  var due = DueFeeds()
  /// Cancelled operations that the cache still marks as wanted.
  var cancelled: Set<OperationKey> = []
  /// True while the status is written to the cache.
  var isFlushing = false
  /// Changes when screens must be updated although nothing runs.
  private(set) var revision = 0
  private(set) var now = Instant(uptime: .zero, date: .distantPast)
  var pausesLoadedAt: Instant?
  /// True if the last load of waiting rows included prefetches.
  var hasPrefetched = false
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
    case .due(let loaded): enqueue(loaded, now)
    case .wanted(let kind, let rows): withdraw(kind, except: rows)
    case .expect(let quality): limiter.expected = quality
    case .prefetches(let areLoaded): setPrefetches(areLoaded)
    case .visibleFeeds(let keys): table.setVisible(keys)
    case .paused(let scopes): pause(scopes)
    case .cancelled(let cancellations): cancel(cancellations)
    case .cancellationsCompleted(let keys):
      cancelled.subtract(keys)
      due.isStale = true
      actions.append(.wake)
    case .feedSettingsChanged: due.isStale = true
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
      if !due.isCorrecting { actions.append(.correctPlans) }
      due.isCorrecting = true
    case .plansCorrected:
      due.isCorrecting = false
      due.isStale = true
      actions.append(.wake)
    case .flushBegan: isFlushing = true
    case .flushEnded(let error?) where error.refusal != nil:
      actions.append(.emit(.storeFailed(error)))
      flushed(nil, now)
    case .flushEnded(let error): flushed(error, now)
    case .storeFailed(let error) where error.refusal != nil:
      actions.append(.emit(.storeFailed(error)))
    case .storeFailed(let error): storeFailed(error, now)
    }
    return actions
  }

  // MARK: A run

  mutating func begin(_ mode: RunMode) {
    var fresh = EngineState(configuration)
    fresh.mode = mode
    (fresh.progress, fresh.network.addresses) = (progress, network.addresses)
    (fresh.backoff, fresh.isFlushing) = (backoff, isFlushing)
    fresh.progress.receivedBytes = 0
    fresh.backoff.end()
    self = fresh
  }

  /// Ends the run: nothing runs or waits any more.
  mutating func end(at now: Instant) {
    table = OperationTable(limits: table.limits)
    if progress.isRunning { progress.finished(at: now.date) }
  }

  var isIdle: Bool { table.isEmpty }

  var isFinished: Bool {
    guard !mode.isServing else { return false }
    return table.running.isEmpty && !isFlushing && cancelled.isEmpty && !due.isCorrecting
      && !progress.isRunning && (table.isEmpty || hasGivenUp)
  }

  func isCounted(_ key: OperationKey) -> Bool { policies[key.kind]?.isCounted ?? false }

  // MARK: Work comes

  mutating func enqueue(_ entry: OperationEntry, _ now: Instant) {
    let key = entry.key
    guard !cancelled.contains(key), table.running[key] == nil else { return }
    (due.spread[key], due.suppressed[key]) = (nil, nil)
    let isNew = !table.contains(key)
    var entry = entry
    entry.enqueuedAt = now
    guard table.enqueue(entry) else { return }
    revision += 1
    let isRequested = entry.priority == .userInitiated || policies[key.kind]?.isRequested ?? false
    if isRequested, limiter.quality == .offline, !entry.isLocal { network.hasProbe = true }
    guard isNew, isCounted(key) else { return }
    if progress.enqueued(at: now.date) {
      // The interval between ticks of the limiter begins anew with each sync.
      network.tickedAt = nil
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

  mutating func enqueue(_ loaded: DueWork, _ now: Instant) {
    due.began(loaded, now)
    if !loaded.late.isEmpty { actions.append(.plan(loaded.late)) }
    // Only the first load of a reader that was just opened is spread.
    let length = mode.isServing && !due.hasSpread ? configuration.initialSpread : .zero
    if mode.isServing { due.hasSpread = true }
    for entry in loaded.work where !table.contains(entry.key) && due.mayStart(entry.key) {
      if length > .zero, !table.visibleKeys.contains(entry.key) {
        due.spread[entry.key] = (entry, now + length * configuration.jitter())
      } else {
        enqueue(entry, now)
      }
    }
    due.plan(loaded.next, now)
  }

  // MARK: Work goes

  /// Cancels operations that only a finished or cancelled request wanted. A stopped feed is not
  /// restarted at once, even if due.
  mutating func withdraw(_ keys: Set<OperationKey>, _ now: Instant) {
    let others = requests.values.reduce(into: Set<OperationKey>()) { $0.formUnion($1) }
    for key in keys.subtracting(others) where cancelOrRemove(key) {
      due.suppressed[key] = now + RefreshSchedule.shortest
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
    if isCounted(key) { progress.withdrawn() }
  }

  mutating func cancel(_ cancellations: [SyncCancellation]) {
    var keys: Set<OperationKey> = []
    for cancellation in cancellations {
      switch cancellation {
      case .feed(let feed):
        let key = OperationKey.refresh(feed)
        due.spread[key] = nil
        _ = cancelOrRemove(key)
        keys.insert(key)
      case .waiting:
        let waiting = Set(table.waiting.keys).union(table.suspected).union(due.spread.keys)
          .filter(isCounted)
        for key in waiting {
          due.spread[key] = nil
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

  mutating func flushed(_ error: StoreError?, _ now: Instant) {
    isFlushing = false
    if let error {
      storeFailed(error, now)
    } else if let until = backoff.until, until <= now {
      backoff.end()
      requests = [:]
      actions.append(.reload)
    }
    actions.append(.wake)
  }

  // MARK: A tick

  mutating func tick(_ now: Instant) {
    if let until = backoff.until, until <= now, !isFlushing, !hasGivenUp {
      // Before any request is sent, a write shows whether the cache works again.
      actions.append(.testStore)
    }
    if !backoff.isActive, !hasGivenUp {
      for entry in due.release(now) { enqueue(entry, now) }
    }
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
      for key in Array(table.waiting.keys) { table.remove(key) }
    }
    progress.finished(at: now.date)
    due.isStale = true
    actions.append(.emit(.syncEnded(status)))
  }

  mutating func launch(_ now: Instant) {
    guard !backoff.isActive, !hasGivenUp else { return }
    while let key = nextToStart(now), let entry = table.start(key, at: now) {
      if !entry.isLocal {
        network.hasProbe = false
        limiter.operationStarted(entry.id, entry.priority, at: now.seconds)
      }
      // The limiter pauses other transfers at once.
      if entry.priority == .userInitiated { checkAtOnce() }
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
