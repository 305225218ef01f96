// Checks ten times per second for silence and collapse, and makes room for user requests.
extension AdaptiveLimiter {
  mutating func check(at now: Double, _ demand: NetworkDemand) {
    self.now = max(self.now, now)
    // A long gap between checks means that the machine slept or is too busy to read. The gap does
    // not count as silence.
    if now - checkedAt > 0.4 {
      ledger.excuseSilence(until: now)
      distractedUntil = now + 1
    }
    checkedAt = now
    ledger.mark(at: now)
    if isAlive {
      let think = thinkTimes.count >= 4 ? thinkTimes.quantile(0.75) ?? 1 : 1
      parkLimit = max(tuning.leastPark, 4 * think, 4 * (queueing + (base ?? 0.5)))
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

  // MARK: An outage

  private mutating func watchSilence(_ demand: NetworkDemand) {
    guard !operations.isEmpty || detector.isSuspect || detector.isOffline else { return }
    let was = (suspect: detector.isSuspect, offline: detector.isOffline)
    let timeout = max(2.5, 3 * ((base ?? 0.5) + queueing) + 1)
    detector.watch(silence: silence, timeout: timeout, of: demand.hosts, at: now)
    if detector.isSuspect, !was.suspect {
      falteredAt = now
      reason = .silence
    }
    if detector.isOffline, !was.offline {
      lost()
      // Restarts all operations, because their senders' timers have backed off.
      requeue { _ in true }
    }
    if detector.beginProbe(at: now) { actions.append(.probe) }
  }

  mutating func lost() {
    falteredAt = now
    reason = .offline
  }

  mutating func recover(at now: Double) {
    let before = memory
    forgetLine()
    estimate.set(nil)
    reason = .recovered
    ledger.excuseSilence(until: now)
    if let before {
      current = max(min(4, ceiling), before.limit / 2)
      capacity = before.capacity
      goodputs = [before.capacity]
      base = before.base
      isSlow = before.isSlow
    }
    falteredAt = now
    beginEpoch()
  }

  // MARK: A network that became slow

  /// Returns true if few bytes arrive and at least half of the operations that wait for the network
  /// are silent. Operations whose host has not responded yet do not count.
  private func hasCollapsed(_ demand: NetworkDemand) -> Bool {
    guard now >= distractedUntil, let base, capacity > 0, silence < 0.5, now - epoch.start > 0.3,
      demand.waiting >= load,
      !(isSlow && isGated)
    else { return false }
    let window = min(ByteLedger.memory, max(0.5, 4 * Self.firstFlight / capacity))
    guard ledger.goodput(over: window) < capacity / 4 else { return false }
    let longest = 2 * base + 3 * queueTarget + 0.3
    let waits = operations.values
      .filter { $0.counts && $0.stage != .waiting && $0.heardAt > $0.startedAt }
      .map { now - $0.heardAt }.filter { $0 < park }
    let silent = waits.count { $0 > longest }
    return silent >= 4 && 2 * silent >= waits.count
  }

  private mutating func collapse() {
    let window = min(ByteLedger.memory, max(0.5, 4 * Self.firstFlight / capacity))
    estimate.fell(to: ledger.goodput(over: window))
    current = max(tuning.floor, min(current, Double(load)) * 0.1)
    forgetLine()
    isSlow = true
    falteredAt = now
    reason = .collapsed
    requeue { $0.priority > .visible && $0.stage != .receiving }
    regulate()
    beginEpoch()
  }

  // MARK: Making room

  /// Requeues operations that are still connecting, in favour of user requests on a slow network.
  mutating func makeRoom() {
    requeue { $0.priority > .visible && $0.stage == .connecting && $0.bytes < 1_000 }
  }

  /// Requeues the oldest operations last, so that they start first.
  private mutating func requeue(_ isMeant: (Operation) -> Bool) {
    let ids = operations.filter { !$0.value.isLeaving && isMeant($0.value) }.keys
    for id in ids.sorted(by: >) {
      operations[id]?.isLeaving = true
      actions.append(.requeue(id))
    }
  }

  /// Pauses response bodies beyond the limit on a slow network, and more of them during user
  /// requests. Keeps received bytes.
  mutating func regulate() {
    // A user request whose host hangs does not delay other operations.
    isGated = operations.values.contains {
      $0.priority == .userInitiated && !$0.isLeaving
        && ($0.stage == .receiving || now - $0.heardAt <= parkLimit)
    }
    guard isSlow || pausedCount > 0 || hasLowClass else { return }
    let places = !isSlow ? Int.max : isGated ? gatedWidth : limit
    let bodies = operations.filter {
      $0.value.priority > .userInitiated && $0.value.stage == .receiving && !$0.value.isLeaving
    }
    let order = bodies.sorted {
      ($0.value.priority, -$0.value.bytes, $0.key) < ($1.value.priority, -$1.value.bytes, $1.key)
    }
    for (place, (id, operation)) in order.enumerated() {
      let mustWait = place >= places || isTooGood(operation.priority)
      guard mustWait != operation.isPaused else { continue }
      operations[id]?.isPaused = mustWait
      pausedCount += mustWait ? 1 : -1
      if !mustWait { operations[id]?.heardAt = now }
      actions.append(mustWait ? .pause(id) : .resume(id))
    }
    if hasLowClass {
      let isTooGood = isTooGood
      requeue { $0.stage != .receiving && isTooGood($0.priority) }
    }
  }

  private var hasLowClass: Bool { operations.values.contains { $0.priority >= .background } }

  /// Returns true for priorities that must wait at the current connection quality.
  private var isTooGood: (OperationPriority) -> Bool {
    let quality = estimate.quality ?? .excellent
    return { priority in
      switch priority {
      case .userInitiated, .visible, .scheduled: false
      case .background: quality < .fair
      case .prefetch: quality < .good
      }
    }
  }
}
