import Foundation

// Passes measurements to the concurrency limiter and carries out its decisions.
extension EngineState {
  mutating func observe(_ notes: [TransferMonitor.Note]) {
    for note in notes {
      table.note(note.report, of: note.operation)
      guard case .transfer(let event, at: let time) = note.report else { continue }
      if case .received(let bytes) = event { receivedBytes += Int64(bytes) }
      limiter.observed(event, by: note.operation, at: time.seconds)
    }
  }

  mutating func regulate(_ now: Instant) {
    guard !table.isEmpty else { return }
    if let tickedAt, now - tickedAt < Self.tick * 0.9 { return }
    tickedAt = now
    for action in limiter.tick(at: now.seconds, demand: demand) {
      switch action {
      case .probe: probe()
      case .requeue(let id):
        guard let entry = table[id], entry.state == .fetching else { continue }
        table.setRequeued(entry.key)
        actions.append(.cancel(id))
      case .pause(let id): actions.append(.setReading(id, false))
      case .resume(let id): actions.append(.setReading(id, true))
      }
    }
    if hasSpareCapacity != isMinimumRateEnforced {
      isMinimumRateEnforced = hasSpareCapacity
      actions.append(.enforceMinimumRate(isMinimumRateEnforced))
    }
    publishLimit()
  }

  mutating func checkAtOnce() {
    tickedAt = nil
    actions.append(.wake)
  }

  mutating func publishLimit() {
    guard published?.quality != limiter.quality || published?.limit != limiter.limit else {
      return
    }
    if published?.quality == .offline, limiter.quality != .offline {
      actions.append(.refreshAccounts)
    }
    published = (limiter.quality, limiter.limit)
    actions.append(
      .emit(.limitChanged(limiter.quality, limit: limiter.limit, reason: limiter.reason)))
  }

  private static let addressesKept = 8

  /// Stores an address that answered, for later probes.
  mutating func remember(_ url: String) {
    let host = WebAddress(url).hostKey
    goodAddresses.removeAll { WebAddress($0).hostKey == host }
    goodAddresses.append(url)
    if goodAddresses.count > Self.addressesKept { goodAddresses.removeFirst() }
  }

  /// Probes a different address each time: an address that has answered, preferably on a host
  /// without an open connection; if none has answered yet, an address of running or waiting work.
  mutating func probe() {
    if !goodAddresses.isEmpty {
      let free = goodAddresses.firstIndex {
        table.runningCount(on: WebAddress($0).hostKey ?? "") == 0
      }
      let url = goodAddresses.remove(at: free ?? 0)
      goodAddresses.append(url)
      return actions.append(.probe(url, nil))
    }
    let running = table.running.values.sorted { $0.id < $1.id }
    let waiting = table.waiting.values.sorted { $0.order < $1.order }.map(\.entry)
    let work = (running + waiting).filter { !$0.isLocal }
    guard !work.isEmpty else { return actions.append(.probe(nil, nil)) }
    actions.append(.probe(nil, work[limiter.failedProbes % work.count].key))
  }
}
