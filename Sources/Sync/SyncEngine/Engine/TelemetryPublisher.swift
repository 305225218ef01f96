import Foundation

/// Derives the sync's status and, while watched, the console's rows from the state.
struct TelemetryPublisher {
  /// The minimum interval of writes of the status.
  private static let flushInterval = Duration.milliseconds(125)
  /// The time for which a measurement of the network stays valid.
  private static let measurementLasts = Duration.seconds(900)

  private let context: OperationContext
  // Variables of the status.
  private var writtenStatus: SyncStatus?
  private var flushedAt: Instant?
  // Variables of the console's rows.
  private(set) var isWatched = false
  private var isWriting = false
  private var wasBusy = false
  private var revision = -1
  private var publishedAt: Instant?
  /// Measurements of the last `SyncTelemetry.memory` seconds, oldest first.
  private var samples: [NetworkSample] = []
  private var names: [OperationKey: String] = [:]

  init(_ context: OperationContext) { self.context = context }

  /// Starts a sync without resetting the figures of the previous one.
  /// - Returns: the last sync's measurement of the network, if recent.
  mutating func begin(at now: Date) throws(StoreError) -> ConnectionQuality? {
    (isWatched, isWriting, revision, publishedAt) = (false, false, -1, nil)
    let status = try context.store.requests.syncStatus()
    writtenStatus = status
    let age = status.endedAt.map { now.timeIntervalSince($0) } ?? -1
    return (0...Self.measurementLasts.seconds).contains(age) ? status.quality : nil
  }

  // MARK: The status

  func hasNews(_ state: EngineState) -> Bool {
    // Before the first work, a stored status is corrected only if it claims that a sync is running.
    guard state.progress.startedAt != nil || writtenStatus?.isRunning == true else { return false }
    return writtenStatus != state.status
  }

  private var nextFlush: Instant? { flushedAt.map { $0 + Self.flushInterval } }

  func mayFlush(_ state: EngineState, at now: Instant) -> Bool {
    !state.isFlushing && !state.backoff.isActive && nextFlush.map { $0 <= now } ?? true
      && hasNews(state)
  }

  mutating func flushed(_ status: SyncStatus, at now: Instant) {
    (writtenStatus, flushedAt) = (status, now)
  }
  mutating func flushAtOnce() { flushedAt = nil }
  mutating func refused() { writtenStatus = nil }

  // MARK: The console's rows

  /// Returns the interval of rows: half a second, or a second for a long queue.
  private func interval(_ state: EngineState) -> Duration {
    .milliseconds(state.table.waitingCount > 2_000 ? 1_000 : 500)
  }

  private func isStale(_ state: EngineState) -> Bool {
    isWatched && !isWriting && (state.isBusy || wasBusy || revision != state.revision)
  }

  var isIdle: Bool { !isWriting }

  /// Returns the times of the next status and rows.
  func moments(_ state: EngineState, at now: Instant) -> [Instant] {
    let soon = now + .milliseconds(10)
    var moments: [Instant] = []
    if hasNews(state) || state.isFlushing {
      moments.append(max(soon, nextFlush ?? soon))
    }
    if isStale(state) {
      moments.append(max(soon, publishedAt.map { $0 + interval(state) } ?? soon))
    }
    return moments
  }

  /// Returns the rows to write now, if any. The caller then calls `wroteTelemetry`.
  mutating func publish(
    _ state: EngineState, visibleFeedsChanged: Bool, at now: Instant
  ) throws(StoreError) -> SyncTelemetry? {
    if visibleFeedsChanged {
      let wasWatched = isWatched
      isWatched = try context.store.requests.isTelemetryWatched()
      if !wasWatched { (revision, publishedAt, names) = (-1, nil, [:]) }
    }
    let isTime = publishedAt.map { now - $0 >= interval(state) } ?? true
    guard isStale(state), !state.backoff.isActive, isTime else { return nil }
    // The watching process may have died.
    isWatched = try context.store.requests.isTelemetryWatched()
    guard isWatched else { return nil }
    defer { wasBusy = state.isBusy }
    (isWriting, revision, publishedAt) = (true, state.revision, now)
    return try telemetry(state, now)
  }

  mutating func wroteTelemetry() { isWriting = false }

  private mutating func telemetry(
    _ state: EngineState, _ now: Instant
  ) throws(StoreError) -> SyncTelemetry {
    let table = state.table
    let waiting = table.waiting.values.map { (row: $0, reason: state.reason($0)) }
    var counts = waiting.reduce(into: [WaitReason: Int]()) { $0[$1.reason, default: 0] += 1 }
    if !state.due.spread.isEmpty { counts[.spread] = state.due.spread.count }
    if !table.suspected.isEmpty { counts[.checkingNetwork] = table.suspected.count }
    let first = waiting.sorted {
      ($0.row.served, -$0.row.weight, $0.row.order) < ($1.row.served, -$1.row.weight, $1.row.order)
    }.prefix(SyncTelemetry.waitingLimit)
    let spread = state.due.spread.values.sorted { $0.at < $1.at }
      .prefix(max(0, SyncTelemetry.waitingLimit - first.count))
    let operations =
      running(table)
      + first.map { status($0.row.entry, $0.row.served, .waiting($0.reason)) }
      + spread.map { entry, at in
        var row = status(entry, entry.priority, .waiting(.spread))
        (row.host, row.since) = ("", at.date)
        return row
      }
    if state.isBusy || wasBusy { addSample(state, now) }
    return SyncTelemetry(
      at: now.date, reason: state.limiter.reason, ceiling: context.configuration.ceiling,
      operations: try named(operations), waiting: counts, hosts: hosts(table, now.date),
      samples: samples)
  }

  /// Returns the rows of an engine that has stopped.
  func end(at now: Date) -> SyncTelemetry { SyncTelemetry(at: now, samples: samples) }

  private mutating func addSample(_ state: EngineState, _ now: Instant) {
    let table = state.table
    let latency = context.transfers.latency
    let sample = NetworkSample(
      at: now.date, rate: table.running.isEmpty ? 0 : state.limiter.rate,
      latency: latency?.median.seconds,
      queueing: latency?.queueing.seconds, limit: state.limiter.limit, inFlight: table.inFlight,
      waiting: table.waitingCount, quality: state.limiter.quality)
    samples.remember(sample)
  }

  private mutating func named(
    _ operations: [OperationStatus]
  ) throws(StoreError) -> [OperationStatus] {
    var (named, all) = ([OperationKey: String](), operations)
    for (index, operation) in operations.enumerated() {
      let key = operation.key
      var name = names[key]
      if name == nil { name = try context.kind(key)?.name(of: key.row, in: context) }
      named[key] = name
      all[index].name = name ?? ""
    }
    names = named
    return all
  }

  private func running(_ table: OperationTable) -> [OperationStatus] {
    let oldestFirst = table.running.values.sorted {
      ($0.state == .suspected ? 1 : 0, $0.startedAt ?? $0.enqueuedAt, $0.id)
        < ($1.state == .suspected ? 1 : 0, $1.startedAt ?? $1.enqueuedAt, $1.id)
    }
    return oldestFirst.map { entry in
      guard entry.state != .suspected else {
        return status(entry, entry.priority, .waiting(.checkingNetwork))
      }
      let stage = entry.stage ?? (entry.state == .fetching ? .connecting : .parsing)
      var row = status(entry, entry.priority, .running(stage))
      if let host = entry.askedHost, !host.isEmpty { row.host = host }
      row.bytes = entry.bytes
      row.since = entry.startedAt?.date ?? row.since
      row.attempt = entry.attempt
      return row
    }
  }

  private func status(
    _ entry: OperationEntry, _ served: OperationPriority, _ state: OperationStatus.State
  ) -> OperationStatus {
    OperationStatus(
      key: entry.key, host: entry.host, priority: served, state: state,
      since: entry.enqueuedAt.date)
  }

  private func hosts(_ table: OperationTable, _ date: Date) -> [HostTelemetry] {
    let (answers, paused) = (context.transfers.answers, context.hosts.pauses(at: date))
    let newest = answers.sorted { ($0.value.at, $1.key) > ($1.value.at, $0.key) }.map(\.key)
    var seen = Set([""])
    let names =
      table.busyHosts.sorted() + table.pausedHosts.sorted() + paused.keys.sorted() + newest
    return names.filter { seen.insert($0).inserted }.prefix(SyncTelemetry.hostLimit).map { host in
      let answer = answers[host]
      let (limit, reason) = context.gate.limitAndReason(of: host)
      return HostTelemetry(
        host: host, inFlight: table.runningCount(on: host),
        waiting: table.waitingCount(on: host), pausedUntil: paused[host], status: answer?.status,
        answeredAt: answer?.at, latency: answer?.latency?.seconds, limit: limit, limitReason: reason
      )
    }
  }
}

extension [NetworkSample] {
  /// Appends a sample, and removes those that are too old or, after the clock was set back, newer.
  mutating func remember(_ sample: NetworkSample) {
    removeAll { !(0...SyncTelemetry.memory).contains(sample.at.timeIntervalSince($0.at)) }
    append(sample)
  }
}
