// Checks ten times per second for silence and collapse, and makes room for user requests.
extension AdaptiveLimiter {
  mutating func check(at now: Double, _ demand: NetworkDemand) {
    self.now = max(self.now, now)
    // A long gap is no silence: the machine slept or is too busy to read.
    if now - checkedAt > 0.4 {
      ledger.excuseSilence(until: now)
      distractedUntil = now + 1
    }
    checkedAt = now
    ledger.mark(at: now)
    if isAlive {
      let think = thinkTimes.quantile(0.75, ofAtLeast: 4) ?? 1
      parkLimit = max(3, 4 * think, 4 * (line.queueing + (line.base ?? 0.5)))
    }
    regulate()
    watchSilence(demand)
    guard !detector.isSuspect, !detector.isOffline, !operations.isEmpty else { return }
    epoch.loads += load
    epoch.checks += 1
    if hasCollapsed(demand) {
      collapse()
    } else if isEpochOver() {
      endEpoch()
    }
  }

  private mutating func watchSilence(_ demand: NetworkDemand) {
    guard !operations.isEmpty || detector.isSuspect || detector.isOffline else { return }
    let was = (suspect: detector.isSuspect, offline: detector.isOffline)
    let timeout = max(2.5, 3 * ((line.base ?? 0.5) + line.queueing) + 1)
    detector.watch(silence: silence, timeout: timeout, of: demand.hosts, at: now)
    if detector.isSuspect, !was.suspect { falter(.silence) }
    if detector.isOffline, !was.offline {
      falter(.offline)
      // Restarts all operations, because their senders' timers have backed off.
      requeue { _ in true }
    }
    if detector.beginProbe(at: now) { actions.append(.probe) }
  }

  mutating func falter(_ reason: LimitReason) {
    falteredAt = now
    self.reason = reason
  }

  mutating func recover() {
    line = Line(base: memory?.line.base, isSlow: memory?.line.isSlow ?? false)
    estimate.set(nil)
    ledger.excuseSilence(until: now)
    if let memory {
      current = max(min(4, ceiling), memory.limit / 2)
      line.capacity = memory.line.capacity
    }
    falter(.recovered)
    beginEpoch()
  }

  /// Returns true if few bytes arrive and at least half of the operations that wait for the network
  /// are silent. Operations whose host has not responded yet do not count.
  private func hasCollapsed(_ demand: NetworkDemand) -> Bool {
    guard now >= distractedUntil, let base = line.base, line.capacity > 0, silence < 0.5,
      now - epoch.start > 0.3, demand.waiting >= load, !(line.isSlow && isGated),
      ledger.goodput(over: line.collapseWindow) < line.capacity / 4
    else { return false }
    let longest = 2 * base + 3 * line.queueTarget + 0.3
    let waits = operations.values
      .filter { $0.counts && $0.stage != .waiting && $0.heardAt > $0.startedAt }
      .map { now - $0.heardAt }.filter { $0 < park }
    let silent = waits.count { $0 > longest }
    return silent >= 4 && 2 * silent >= waits.count
  }

  private mutating func collapse() {
    estimate.fell(to: ledger.goodput(over: line.collapseWindow))
    current = max(Self.floor, min(current, Double(load)) * 0.1)
    line = Line(isSlow: true)
    falter(.collapsed)
    requeue { $0.priority > .visible && $0.stage != .receiving }
    regulate()
    beginEpoch()
  }

  /// Requeues the oldest operations last, so that they start first.
  mutating func requeue(_ isMeant: (Operation) -> Bool) {
    let ids = operations.filter { !$0.value.isLeaving && isMeant($0.value) }.keys
    for id in ids.sorted(by: >) {
      operations[id]?.isLeaving = true
      actions.append(.requeue(id))
    }
  }

  /// True while a user request runs. A request whose host hangs does not delay other operations.
  var isGated: Bool {
    operations.values.contains {
      $0.priority == .userInitiated && !$0.isLeaving
        && ($0.stage == .receiving || now - $0.heardAt <= parkLimit)
    }
  }

  /// Pauses response bodies beyond the limit on a slow network, and more of them during user
  /// requests. Keeps received bytes. Ends operations whose priority needs a better connection.
  mutating func regulate() {
    let quality = estimate.quality ?? .excellent
    let places = !line.isSlow ? Int.max : isGated ? gatedWidth : limit
    let bodies = operations.filter {
      $0.value.priority > .userInitiated && $0.value.stage == .receiving && !$0.value.isLeaving
    }
    let order = bodies.sorted {
      ($0.value.priority, -$0.value.bytes, $0.key) < ($1.value.priority, -$1.value.bytes, $1.key)
    }
    for (place, (id, operation)) in order.enumerated() {
      let mustWait = place >= places || quality < operation.priority.leastQuality
      guard mustWait != operation.isPaused else { continue }
      operations[id]?.isPaused = mustWait
      if !mustWait { operations[id]?.heardAt = now }
      actions.append(mustWait ? .pause(id) : .resume(id))
    }
    requeue { $0.stage != .receiving && quality < $0.priority.leastQuality }
  }
}

extension OperationPriority {
  /// The least quality of a connection that work of this priority may use.
  var leastQuality: ConnectionQuality {
    switch self {
    case .userInitiated, .visible, .scheduled: .offline
    case .background: .fair
    case .prefetch: .good
    }
  }
}
