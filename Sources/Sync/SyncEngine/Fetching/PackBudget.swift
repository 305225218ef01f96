import Synchronization

/// The budget of a pack's concurrent transfers.
final class PackBudget: Sendable {
  private struct State {
    /// Bytes of transfers that have begun and are not in the cache yet, by pack.
    var open: [Int64: Int64] = [:]
    /// The number of running transfers of all packs.
    var transfers = 0
    /// The end of the last transfer, or the start of the first running one.
    var since = Duration.zero
  }

  private let state = Mutex(State())

  /// - Parameter left: the remaining bytes in the cache.
  func meter(pack: Int64, left: Int64, now: @escaping @Sendable () -> Instant) -> WireMeter {
    WireMeter(budget: self, pack: pack, left: left, now: now)
  }

  fileprivate func begins(at now: Instant) {
    state.withLock { state in
      if state.transfers == 0 { state.since = now.uptime }
      state.transfers += 1
    }
  }

  /// - Returns: the time since the previous transfer ended, without times in which none ran.
  fileprivate func ends(at now: Instant) -> Duration {
    state.withLock { state in
      defer { state.since = now.uptime }
      state.transfers -= 1
      return max(.zero, now.uptime - state.since)
    }
  }

  fileprivate func add(_ bytes: Int64, to pack: Int64) -> Int64 {
    state.withLock { state in
      state.open[pack, default: 0] += bytes
      return state.open[pack] ?? 0
    }
  }

  fileprivate func open(_ pack: Int64) -> Int64 { state.withLock { $0.open[pack] ?? 0 } }
}

/// Counts the bytes of one transfer, including packet headers, acknowledgements and connection
/// setup.
final class WireMeter: Sendable {
  private struct State {
    var bytes: Int64 = 0
    var isOpen = false
    var whenSpent: (@Sendable () -> Void)?
  }

  private let budget: PackBudget
  private let pack: Int64
  private let left: Int64
  private let now: @Sendable () -> Instant
  private let state = Mutex(State())

  /// A packet of 1,500 bytes carries 1,448 bytes of a stream (IPv4 and TCP with timestamps). A
  /// packet of 60 bytes acknowledges two such packets.
  private static let packet: (whole: Int64, carried: Int64) = (1_530, 1_448)
  /// The bytes of name lookup, TCP handshake and the request's acknowledgements.
  private static let connection: Int64 = 600

  init(budget: PackBudget, pack: Int64, left: Int64, now: @escaping @Sendable () -> Instant) {
    (self.budget, self.pack, self.left, self.now) = (budget, pack, left, now)
  }

  /// True if the bytes of running transfers use up the budget.
  var isSpent: Bool { budget.open(pack) >= left }

  func begins() {
    let isFirst = state.withLock { state in
      defer { state.isOpen = true }
      return !state.isOpen
    }
    if isFirst { budget.begins(at: now()) }
    add(Self.connection)
  }

  func received(_ bytes: Int) {
    add((Int64(bytes) * Self.packet.whole + Self.packet.carried - 1) / Self.packet.carried)
  }

  private func add(_ bytes: Int64) {
    let open = budget.add(bytes, to: pack)
    let body = state.withLock { state -> (@Sendable () -> Void)? in
      state.bytes += bytes
      guard open >= left else { return nil }
      defer { state.whenSpent = nil }
      return state.whenSpent
    }
    body?()
  }

  /// - Parameter body: called once, when the budget is used up.
  func whenSpent(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.whenSpent = body }
    if isSpent { body() }
  }

  /// Ends the count before the bytes are stored.
  /// - Returns: the bytes, and the time since the previous transfer ended, if any ran.
  func end() -> (bytes: Int64, took: Duration) {
    let (bytes, wasOpen) = state.withLock { state in
      defer { (state.bytes, state.isOpen, state.whenSpent) = (0, false, nil) }
      return (state.bytes, state.isOpen)
    }
    _ = budget.add(-bytes, to: pack)
    return (bytes, wasOpen ? budget.ends(at: now()) : .zero)
  }
}
