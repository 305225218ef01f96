// Measures epochs and derives the limit from them.
extension AdaptiveLimiter {
  /// Restarts the measurement after `idle` seconds without operations.
  mutating func begin(after idle: Double, at now: Double) {
    ledger.excuseSilence(until: now)
    checkedAt = now
    // Operations that follow each other without a pause share an epoch.
    guard idle > 1 else { return }
    beginEpoch()
    // The machine may have changed networks in the meantime.
    guard idle > 60, hasDecided, !detector.isOffline else { return }
    current = max(min(tuning.start, ceiling), current / 2)
    forgetLine()
    estimate.set(nil)
  }

  mutating func forgetLine() {
    phase = .startup
    capacity = 0
    goodputs = []
    base = nil
    queueing = 0
    lastQueueing = 0
    floorEpochs = 0
    isSlow = false
  }

  mutating func beginEpoch() {
    epoch = Epoch(start: now, bytesBefore: ledger.total)
  }

  /// The minimum length in seconds: slightly less than two ticks of 0.1 s, because ticks may come
  /// early.
  private static let shortestEpoch = 0.18

  /// Returns true if enough operations have ended or enough time has passed.
  func isEpochOver() -> Bool {
    let length = now - epoch.start
    let typical = durations.quantile(0.5) ?? 1
    return length >= Self.shortestEpoch && epoch.ended > 0
      && (epoch.ended >= max(3, Int(current / 2)) || length >= max(1.5, 4 * typical))
  }

  mutating func endEpoch() {
    let goodput = Double(ledger.total - epoch.bytesBefore) / max(0.05, now - epoch.start)
    let load = epoch.load
    let isLimited = load < 0.75 * current
    goodputs.append(goodput)
    if goodputs.count > 10 { goodputs.removeFirst() }
    capacity = goodputs.max() ?? goodput
    measureQueueing()
    let pressure = queueing / queueTarget
    isSlow = seemsSlow(pressure)

    switch phase {
    case .startup: grow(load, isLimited, pressure)
    case .steady: climb(isLimited, pressure)
    }
    current = min(max(tuning.floor, current), widest(pressure))
    if current > tuning.floor {
      memory = Memory(limit: current, capacity: capacity, base: base, isSlow: isSlow)
    }
    hasDecided = true
    estimate.judge(
      goodput: capacity, delay: base.map { $0 + queueing },
      wasFull: !isLimited && pressure >= 0.1)
    if isSlow { falteredAt = now }
    beginEpoch()
  }

  /// Uses the lower quartile, so that one slow path does not count as a queue. In the steady phase,
  /// uses the lower value of two epochs, so that a burst does not count as one either.
  private mutating func measureQueueing() {
    let fresh: Double
    if epoch.connects.count >= 3, let quick = epoch.connects.quantile(0.25) {
      let least = min(base ?? quick, quick)
      base = least
      fresh = quick - least
    } else if epoch.delays.count >= 3, let delay = epoch.delays.quantile(0.25) {
      fresh = delay
    } else {
      return
    }
    queueing = phase == .steady ? min(fresh, lastQueueing) : fresh
    lastQueueing = fresh
  }

  /// Returns true if connects are quick and nothing queues. The measured speed is then that of the
  /// hosts, not of the network.
  private func isQuick(_ pressure: Double) -> Bool {
    pressure < 0.1 && (base ?? .infinity) < tuning.quickConnect
  }

  private func seemsSlow(_ pressure: Double) -> Bool {
    if isQuick(pressure) { return false }
    return capacity < tuning.tiny
      || (capacity < tuning.slow && (pressure > 0.3 || phase == .steady))
  }

  /// Returns the highest limit for the measured capacity.
  private func widest(_ pressure: Double) -> Double {
    if isQuick(pressure) { return ceiling }
    return switch capacity {
    case ..<(tuning.tiny / 4): min(12, ceiling)
    case ..<tuning.tiny: min(24, ceiling)
    case ..<tuning.slow: min(64, ceiling)
    default: ceiling
    }
  }

  private mutating func grow(_ load: Double, _ isLimited: Bool, _ pressure: Double) {
    if pressure > 1 {
      current = min(current, max(load, 1)) * max(0.4, 1 / pressure)
      phase = .steady
      reason = .queueing
      return
    }
    guard !isLimited else {
      reason = .fewOperations
      return
    }
    let isTiny = capacity < tuning.tiny && !isQuick(pressure)
    let isWide = pressure < 0.1 && (capacity > 150_000 || isQuick(pressure))
    current = min(ceiling, current * (isTiny ? 1.25 : isWide ? 3 : 2))
    reason = current == ceiling ? .atCeiling : .goodputGrowing
  }

  private mutating func climb(_ isLimited: Bool, _ pressure: Double) {
    if pressure > 1 {
      current = max(tuning.floor, current * max(0.5, 1 - 0.5 * (pressure - 1) / pressure))
      floorEpochs = current <= tuning.floor ? floorEpochs + 1 : 0
      reason = .queueing
      if floorEpochs >= 4 {
        // The route has probably changed, and with it the least connect time.
        base = nil
        floorEpochs = 0
      }
      return
    }
    guard !isLimited else {
      reason = .fewOperations
      return
    }
    floorEpochs = 0
    let step = pressure < 0.1 ? 0.4 : pressure < 0.5 ? 0.15 : 0
    current = min(ceiling, current + (step > 0 ? max(1, step * current) : 0.5))
    reason = current == ceiling ? .atCeiling : .steady
  }
}
