import Foundation

// Passes measurements to the concurrency limiter and carries out its decisions.
extension EngineState {
  mutating func observe(_ notes: [TransferMonitor.Note]) {
    for note in notes {
      table.note(note.report, of: note.operation)
      guard case .transfer(let event, at: let time) = note.report else { continue }
      if case .received(let bytes) = event { progress.receivedBytes += Int64(bytes) }
      limiter.observed(event, by: note.operation, at: time.seconds)
    }
  }

  mutating func regulate(_ now: Instant) {
    guard !table.isEmpty else { return }
    if let last = network.tickedAt, now - last < Self.tick * 0.9 { return }
    network.tickedAt = now
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
    if hasSpareCapacity != network.enforcesRate {
      network.enforcesRate = hasSpareCapacity
      actions.append(.enforceMinimumRate(network.enforcesRate))
    }
    publishLimit()
  }

  mutating func checkAtOnce() {
    network.tickedAt = nil
    actions.append(.wake)
  }

  mutating func publishLimit() {
    let published = network.published
    guard published?.quality != limiter.quality || published?.limit != limiter.limit else {
      return
    }
    if published?.quality == .offline, limiter.quality != .offline {
      actions.append(.refreshAccounts)
    }
    network.published = (limiter.quality, limiter.limit)
    actions.append(
      .emit(.limitChanged(limiter.quality, limit: limiter.limit, reason: limiter.reason)))
  }

  /// Probes a different address each time: an address that has answered, preferably on a host
  /// without an open connection; if none has answered yet, an address of running or waiting work.
  mutating func probe() {
    let table = table
    if let url = network.nextAddress(isFree: { table.runningCount(on: $0) == 0 }) {
      return actions.append(.probe(url, nil))
    }
    let running = table.running.values.sorted { $0.id < $1.id }
    let waiting = table.waiting.values.sorted { $0.order < $1.order }.map(\.entry)
    let work = (running + waiting).filter { !$0.isLocal }
    guard !work.isEmpty else { return actions.append(.probe(nil, nil)) }
    actions.append(.probe(nil, work[limiter.failedProbes % work.count].key))
  }
}

/// The addresses for probes, and what was published about the network. A pure value.
struct NetworkWatch: Sendable {
  private static let addressesKept = 8

  /// Addresses that have answered, in the order in which they are probed.
  var addresses: [String] = []
  /// True if the next user request may start although the network is offline. It probes the
  /// network.
  var hasProbe = false
  var tickedAt: Instant?
  var published: (quality: ConnectionQuality?, limit: Int)?
  var enforcesRate = false

  mutating func remember(_ url: String) {
    let host = WebAddress(url).hostKey
    addresses.removeAll { WebAddress($0).hostKey == host }
    addresses.append(url)
    if addresses.count > Self.addressesKept { addresses.removeFirst() }
  }

  /// Returns the next address, preferably on a host without an open connection.
  mutating func nextAddress(isFree: (_ host: String) -> Bool) -> String? {
    guard !addresses.isEmpty else { return nil }
    let free = addresses.firstIndex { isFree(WebAddress($0).hostKey ?? "") }
    addresses.append(addresses.remove(at: free ?? 0))
    return addresses.last
  }
}
