import FeedModel
import FeedStore
import Foundation

// What the screens are told, as rows.
extension NetworkController {
  /// Eight times a second at most.
  static let flushInterval = 0.125
  /// Failed probes after which a run that is to end stops hoping for a line that never was there, and
  /// seconds for one that went away.
  private static let hopelessProbes = 2
  private static let longestOutage = 120.0

  var status: SyncStatus {
    SyncStatus(
      grade: width.grade, isRunning: progress.isRunning, done: progress.done,
      total: progress.total, failed: progress.failed, newArticles: progress.newArticles,
      bytes: max(liveBytes, progress.bytes), rate: progress.isRunning ? width.rate : 0,
      width: width.width, inFlight: queue.running.count, startedAt: progress.startedAt,
      endedAt: progress.endedAt)
  }

  var hasNews: Bool { !phases.isEmpty || (hasStatus && writtenStatus != status) }

  /// Before its first work an engine leaves the last sync's figures as they are; unless they tell of one
  /// that runs, which cannot be.
  private var hasStatus: Bool { progress.startedAt != nil || writtenStatus?.isRunning == true }

  /// A run that is to end waits neither for a dead line, nor for a cache that refuses, nor for
  /// somebody who has paused it.
  var hasGivenUp: Bool {
    guard case .untilIdle = mode else { return false }
    return restsUntil != nil || isHeldForGood || tally.isPaused
      || (width.grade == .offline && isHopeless && !readsOwnSources)
  }

  /// Own sources need no line: they are read all the same.
  private var readsOwnSources: Bool {
    let host = OwnSourceReader.gateName
    return queue.waitingCount(on: host) > 0 && !queue.heldHosts.contains(host)
      && !pauses.contains(.everything)
  }

  private var isHopeless: Bool {
    width.hasHeard
      ? width.outage(at: clock.uptime()) > Self.longestOutage
      : width.failedProbes >= Self.hopelessProbes
  }

  private var isHeldForGood: Bool {
    !pauses.isEmpty && flights.isEmpty && queue.waitingCount > 0 && isHeld
  }

  func beginServing() {
    telemetry = TelemetryState(origin: clock.date().addingTimeInterval(-clock.uptime()))
    width = configuration.widthController(configuration.ceiling)
    writtenStatus = try? store.syncStatus()
    restsUntil = nil
    dueIsStale = true
    accounts.isStale = true
    accounts.tried = []
    accounts.awaited = nil
    awaited = nil
    served = nil
    servedOfflineSince = nil
    clocksRead = nil
  }

  func endSyncIfIdle(_ now: Double) {
    if !hasGivenUp, flights.isEmpty, doubtful.isEmpty, queue.isEmpty, restsUntil == nil {
      retakeRequests(now)
    }
    guard progress.isRunning, flights.isEmpty, doubtful.isEmpty,
      queue.waitingCount == 0 || hasGivenUp
    else { return }
    if hasGivenUp {
      tally.isOffline = width.grade == .offline
      // Kept: without the work that waited, nothing is held any more.
      tally.isPaused = isHeldForGood
      for key in queue.waitingKeys {
        queue.removeWaiting(key)
        if case .refresh(let feed) = key { phases[feed] = .idle }
      }
    }
    progress.finished(at: clock.date())
    dueIsStale = true
    flushedAt = -.infinity
    emit.yield(.syncEnded(status))
  }

  func flush(into group: inout DiscardingTaskGroup, _ now: Double) {
    guard !isFlushing, restsUntil == nil, hasNews, now - flushedAt >= Self.flushInterval else {
      return
    }
    let write = beginFlush(now)
    group.addTask { await write() }
  }

  /// What is to be told from now on; carried out it writes that.
  func beginFlush(_ now: Double) -> @Sendable () async -> Void {
    isFlushing = true
    flushedAt = now
    flushes += 1
    let phases = phases
    self.phases = [:]
    let status = status
    return { await self.write(phases, status) }
  }

  private func write(_ phases: [FeedID: RefreshPhase], _ status: SyncStatus) async {
    do throws(StoreError) {
      for (phase, feeds) in Dictionary(grouping: phases.keys, by: { phases[$0] ?? .idle }) {
        try await store.setPhase(phase, of: feeds)
      }
      try await store.setSyncStatus(status)
      writtenStatus = status
      if let restsUntil, restsUntil <= clock.uptime() {
        self.restsUntil = nil
        requests = [:]
        signal.raise(.everything)
      }
    } catch {
      self.phases.merge(phases) { newer, _ in newer }
      if !Task.isCancelled { rest(after: error, clock.uptime()) }
    }
    isFlushing = false
    signal.raise(.operations)
  }

  /// Leaves rows that tell no lies: nothing runs any more.
  func endServing() async {
    let left = (Array(flights.keys) + queue.waitingKeys + Array(doubtful.keys)).compactMap {
      if case .refresh(let feed) = $0 { feed } else { nil }
    }
    let feeds = Array(Set(left).union(phases.keys))
    let limits = SyncQueueState.Limits(
      perHost: configuration.perHost, perMultiplexingHost: configuration.perMultiplexingHost)
    queue = SyncQueueState(limits: limits)
    flights = [:]
    doubtful = [:]
    releases = [:]
    leftAlone = [:]
    requests = [:]
    phases = [:]
    cancelled = []
    hasProbe = false
    hasSpread = false
    if progress.isRunning { progress.finished(at: clock.date()) }
    let lastWords = telemetry.isWatched ? SyncTelemetry(at: clock.date()) : nil
    guard isEngine, hasNews || !feeds.isEmpty || lastWords != nil else { return }
    let (store, status) = (store, status)
    // Not this task's: it is cancelled, and the store would refuse.
    await Task {
      if !feeds.isEmpty { try? await store.setPhase(.idle, of: feeds) }
      try? await store.setSyncStatus(status)
      if let lastWords { try? await store.setTelemetry(lastWords) }
    }.value
  }
}
