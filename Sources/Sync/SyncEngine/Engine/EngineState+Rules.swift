import Foundation

// Rules derived from the state: which work starts, when a run gives up, and when the engine wakes.
extension EngineState {
  static let tick = Duration.milliseconds(100)
  private static let offlineTick = Duration.milliseconds(500)
  /// The interval of checks whether the pausing processes still run, as their death commits
  /// nothing.
  private static let pauseInterval = Duration.seconds(15)
  /// Failed probes after which a run gives up, if no host ever answered on the network; otherwise
  /// it gives up after `longestOutage`.
  private static let hopelessProbes = 2
  private static let longestOutage = Duration.seconds(120)

  // MARK: Loading

  var loadsRequests: Bool { mode != .untilIdle(.push) }
  var loadsRefreshes: Bool { loadsRequests && mode != .untilIdle(.pack) }

  func loadsDue(at now: Instant) -> Bool {
    let takesDue =
      switch mode {
      case .serving: configuration.isAutomatic
      case .untilIdle(.dueAndRequested): true
      case .untilIdle(.requested), .untilIdle(.push), .untilIdle(.pack): false
      }
    return takesDue && due.mayLoad(isIdle: table.isNetworkIdle, at: now)
  }

  func arePausesStale(at now: Instant) -> Bool {
    !pauses.isEmpty && (pausesLoadedAt.map { now - $0 >= Self.pauseInterval } ?? true)
  }

  /// True if prefetches are loaded, which needs a good network, measured now or by an earlier
  /// process.
  var prefetches: Bool {
    (limiter.quality ?? limiter.expected).map { $0 >= .good } ?? false
  }

  var isPrefetchStale: Bool { prefetches != hasPrefetched }

  mutating func setPrefetches(_ areLoaded: Bool) {
    hasPrefetched = areLoaded
    guard !areLoaded else { return }
    for (key, waiting) in table.waiting where waiting.entry.priority == .prefetch {
      _ = cancelOrRemove(key)
    }
  }

  // MARK: Starting

  /// Returns true if new work must wait; explicit requests of the user are still served.
  func isPaused(_ priority: OperationPriority) -> Bool {
    pauses.contains(.everything) && priority != .userInitiated
  }

  func mayStart(_ priority: OperationPriority) -> Bool {
    if isPaused(priority) { return false }
    let running = table.inFlight - table.runningCount(on: LocalSource.hostKey)
    // While offline everything waits for the answer of a probe, user requests too.
    if limiter.limit == 0 { return network.hasProbe && running == 0 }
    if priority == .userInitiated { return running < configuration.ceiling + configuration.reserve }
    // Background work waits on a poor connection.
    if priority >= .background, limiter.quality == .poor { return false }
    // Operations that wait to be stored count too, so that the network is read evenly, and no
    // faster than the cache is written.
    return running + table.digesting < configuration.ceiling && limiter.mayStart(priority)
  }

  /// True if the connection is good and less than half used; slow transfers are then their servers'
  /// fault.
  var hasSpareCapacity: Bool {
    guard let quality = limiter.quality, quality >= .good else { return false }
    return limiter.rate < QualityEstimate.goodFrom / 2
  }

  /// Waiting and running operations, without those that may not start now.
  var demand: NetworkDemand {
    let isSlow = limiter.quality.map { $0 < .fair } ?? true
    let mayNotStart =
      isHeld || isSlow && table.waiting.values.allSatisfy { $0.served >= .background }
    return mayNotStart
      ? NetworkDemand(waiting: 0, hosts: table.runningHostCount)
      : NetworkDemand(
        waiting: table.waitingCount - table.waitingCount(on: LocalSource.hostKey),
        hosts: table.hostCount)
  }

  var isHeld: Bool {
    if pauses.contains(.everything) {
      return !table.waiting.values.contains {
        $0.served == .userInitiated && !table.pausedHosts.contains($0.entry.host)
      }
    }
    return !table.pausedHosts.isEmpty
      && table.waiting.values.allSatisfy { table.pausedHosts.contains($0.entry.host) }
  }

  // MARK: Giving up

  /// True if a run until idle stops waiting for the network, a failing cache or the end of a pause.
  var hasGivenUp: Bool {
    guard !mode.isServing else { return false }
    return backoff.isActive || isHeldForGood || summary.isPaused
      || (limiter.quality == .offline && isHopeless && !readsLocalSources)
  }

  var isHeldForGood: Bool {
    !pauses.isEmpty && table.running.isEmpty && table.waitingCount > 0 && isHeld
  }

  /// Local sources are read even when offline.
  private var readsLocalSources: Bool {
    let host = LocalSource.hostKey
    return table.waitingCount(on: host) > 0 && !table.pausedHosts.contains(host)
      && !pauses.contains(.everything)
  }

  private var isHopeless: Bool {
    limiter.hasHeard
      ? .seconds(limiter.outage(at: now.seconds)) > Self.longestOutage
      : limiter.failedProbes >= Self.hopelessProbes
  }

  // MARK: Publishing

  var status: SyncStatus {
    SyncStatus(
      quality: limiter.quality, isRunning: progress.isRunning, done: progress.counts.done,
      total: progress.total, failed: progress.counts.failed,
      newArticles: progress.counts.newArticles,
      bytes: max(progress.receivedBytes, progress.counts.bytes),
      rate: progress.isRunning ? limiter.rate : 0,
      limit: limiter.limit, inFlight: table.inFlight,
      refreshing: table.running.keys.compactMap(\.feed).sorted(),
      startedAt: progress.startedAt, endedAt: progress.endedAt)
  }

  var isBusy: Bool { !table.running.isEmpty || (table.waitingCount > 0 && !isHeld) }

  func reason(_ waiting: OperationTable.Waiting) -> WaitReason {
    if backoff.isActive { return .storage }
    if table.pausedHosts.contains(waiting.entry.host) || isPaused(waiting.served) { return .paused }
    if limiter.limit == 0, !waiting.entry.isLocal { return .offline }
    if !table.hasRoom(waiting.entry.host) { return .hostBusy }
    // If scheduled work may start, less urgent work waits for a better network, not for room.
    if waiting.served > .scheduled, limiter.mayStart(.scheduled) { return .slowNetwork }
    return .limitReached
  }

  // MARK: Waking

  /// Returns the time of the engine's next wake-up.
  /// - Parameter others: the moments at which its parts must wake.
  func nextWake(at now: Instant, others: [Instant]) -> Instant? {
    var moments: [Instant] = []
    let waits = !table.suspected.isEmpty || (table.waitingCount > 0 && !isHeld)
    if !table.running.isEmpty || (waits && !backoff.isActive) {
      let isDead = table.running.isEmpty && limiter.limit == 0
      moments.append(now + (isDead ? Self.offlineTick : Self.tick))
    }
    if let until = backoff.until {
      if until > now { moments.append(until) }
    } else {
      moments += others
      if !pauses.isEmpty { moments.append(now + Self.pauseInterval) }
      if let release = due.spread.values.map(\.at).min() { moments.append(release) }
      if let next = due.nextAt, table.isNetworkIdle { moments.append(max(next, now + .seconds(1))) }
    }
    return moments.min()
  }
}
