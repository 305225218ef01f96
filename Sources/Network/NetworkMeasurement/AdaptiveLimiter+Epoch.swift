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
    current = max(min(Self.start, ceiling), current / 2)
    line = Line()
    estimate.set(nil)
  }

  mutating func beginEpoch() {
    epoch = Epoch(start: now, bytesBefore: ledger.total)
  }

  /// Returns true if enough operations have ended or enough time has passed: at least two ticks of
  /// 0.1 s each, which may come early.
  func isEpochOver() -> Bool {
    let length = now - epoch.start
    let typical = durations.quantile(0.5) ?? 1
    return length >= 0.18 && epoch.ended > 0
      && (epoch.ended >= max(3, Int(current / 2)) || length >= max(1.5, 4 * typical))
  }

  mutating func endEpoch() {
    line.measure(
      epoch, goodput: Double(ledger.total - epoch.bytesBefore) / max(0.05, now - epoch.start))
    let pressure = line.pressure
    let isLimited = epoch.load < 0.75 * current
    if pressure > 1 {
      lower(pressure)
    } else if isLimited {
      reason = .fewOperations
    } else {
      raise(pressure)
    }
    current = min(max(Self.floor, current), line.widest, ceiling)
    if current > Self.floor { memory = (current, line) }
    estimate.judge(
      goodput: line.capacity, delay: line.base.map { $0 + line.queueing },
      wasFull: !isLimited && pressure >= 0.1)
    if line.isSlow { falteredAt = now }
    beginEpoch()
  }

  private mutating func lower(_ pressure: Double) {
    reason = .queueing
    guard line.phase == .steady else {
      current = min(current, epoch.load) * max(0.4, 1 / pressure)
      line.phase = .steady
      return
    }
    current = max(Self.floor, current * max(0.5, 1 - 0.5 * (pressure - 1) / pressure))
    line.floorEpochs = current <= Self.floor ? line.floorEpochs + 1 : 0
    if line.floorEpochs >= 4 {
      // The route has probably changed, and with it the least connect time.
      line.base = nil
      line.floorEpochs = 0
    }
  }

  private mutating func raise(_ pressure: Double) {
    switch line.phase {
    case .startup:
      let isTiny = line.capacity < Line.tiny && !line.isQuick
      let isWide = pressure < 0.1 && (line.capacity > 150_000 || line.isQuick)
      current = min(ceiling, current * (isTiny ? 1.25 : isWide ? 3 : 2))
      reason = .goodputGrowing
    case .steady:
      line.floorEpochs = 0
      let step = pressure < 0.1 ? 0.4 : pressure < 0.5 ? 0.15 : 0
      current = min(ceiling, current + (step > 0 ? max(1, step * current) : 0.5))
      reason = .steady
    }
    if current == ceiling { reason = .atCeiling }
  }
}
