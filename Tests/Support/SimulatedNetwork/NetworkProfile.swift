// Simulated networks and hosts for concurrency limiters, without real time and without sockets.

/// The properties of a network's bottleneck link for some time.
public struct LinkState: Sendable {
  /// Bytes per second towards the reader, and half of it back; 0 while the network is down.
  public var rate: Double
  /// Round-trip time to the first hop in seconds, without queueing.
  public var roundTrip: Double
  /// Bytes that the queue holds before the network drops packets.
  public var buffer: Double
  /// Probability of the loss of a packet.
  public var loss: Double

  /// - Parameter kilobits: kilobits per second towards the reader.
  public init(kilobits: Double, roundTrip: Double, buffer: Double, loss: Double = 0) {
    rate = kilobits * 125
    self.roundTrip = roundTrip
    self.buffer = buffer
    self.loss = loss
  }

  /// 40 kbit/s, 600 ms.
  public static let gprs = LinkState(kilobits: 40, roundTrip: 0.6, buffer: 40e3, loss: 0.002)
  /// 200 kbit/s, 300 ms.
  public static let edge = LinkState(kilobits: 200, roundTrip: 0.3, buffer: 64e3, loss: 0.002)
  /// 1.5 Mbit/s, 120 ms.
  public static let threeG = LinkState(kilobits: 1_500, roundTrip: 0.12, buffer: 192e3, loss: 0.001)
  /// 16 Mbit/s, 40 ms.
  public static let dsl = LinkState(kilobits: 16_000, roundTrip: 0.04, buffer: 512e3)
  /// 500 Mbit/s, 10 ms.
  public static let fibre = LinkState(kilobits: 500_000, roundTrip: 0.01, buffer: 4e6)
  static let down = LinkState(kilobits: 0, roundTrip: 0.12, buffer: 192e3)
}

/// A simulated network: its link's properties over time.
public struct NetworkProfile: Sendable {
  /// Name in tables of results.
  public var name: String
  /// States with their start times in seconds, the first at 0.
  public var states: [(from: Double, state: LinkState)]

  /// - Parameter states: states in order of time, the first at 0.
  public init(_ name: String, _ states: [(from: Double, state: LinkState)]) {
    self.name = name
    self.states = states
  }

  /// `LinkState.gprs` throughout.
  public static let gprs = NetworkProfile("GPRS", [(0, .gprs)])
  /// `LinkState.edge` throughout.
  public static let edge = NetworkProfile("EDGE", [(0, .edge)])
  /// `LinkState.threeG` throughout.
  public static let threeG = NetworkProfile("3G", [(0, .threeG)])
  /// `LinkState.dsl` throughout.
  public static let dsl = NetworkProfile("DSL", [(0, .dsl)])
  /// `LinkState.fibre` throughout.
  public static let fibre = NetworkProfile("fibre", [(0, .fibre)])
  /// Fibre that is EDGE for a minute.
  public static let drop = NetworkProfile("drop", [(0, .fibre), (1.5, .edge), (61.5, .fibre)])
  /// 3G without a network for half a minute.
  public static let tunnel = NetworkProfile("tunnel", [(0, .threeG), (10, .down), (40, .threeG)])
  /// DSL whose route becomes half a second longer, as when a VPN is switched on.
  public static let detour = NetworkProfile(
    "detour", [(0, .dsl), (1.5, LinkState(kilobits: 16_000, roundTrip: 0.5, buffer: 2e6))])
  /// The networks that `make simulate` measures.
  public static let all: [NetworkProfile] = [
    .gprs, .edge, .threeG, .dsl, .fibre, .drop, .tunnel, .detour,
  ]
  /// Networks of `all` whose state does not change.
  public static let steady: [NetworkProfile] = [.gprs, .edge, .threeG, .dsl, .fibre]
}

/// The bottleneck: a first-in-first-out queue in each direction that drops packets when it is full.
struct Link {
  let network: NetworkProfile
  private var busyUntil = 0.0
  private var upBusyUntil = 0.0

  init(_ network: NetworkProfile) { self.network = network }

  private func index(at now: Double) -> Int {
    network.states.lastIndex { $0.from <= now } ?? 0
  }
  func state(at now: Double) -> LinkState { network.states[index(at: now)].state }

  /// The time at which `bytes` that begin at `start` are transferred; `nil` if the network goes
  /// down before.
  /// - Parameter waits: true to wait for the network to come back.
  func finish(_ start: Double, _ bytes: Double, waits: Bool = false) -> Double? {
    var index = index(at: start)
    var time = start
    var left = bytes
    while true {
      let rate = network.states[index].state.rate
      let end = index + 1 < network.states.count ? network.states[index + 1].from : .infinity
      if rate > 0, time + left / rate <= end { return time + left / rate }
      guard rate > 0 || (waits && end < .infinity) else { return nil }
      left -= (end - time) * rate
      time = end
      index += 1
    }
  }

  /// Times at which bytes towards the reader begin and end to leave the queue, and the number that
  /// it accepted; `nil` if they are lost.
  mutating func down(_ bytes: Int, at now: Double) -> (start: Double, finish: Double, taken: Int)? {
    let state = state(at: now)
    guard state.rate > 0 else { return nil }
    let backlog = max(0, busyUntil - now) * state.rate
    let taken = Int(min(Double(bytes), max(0, state.buffer - backlog)))
    guard taken >= min(bytes, Transfer.packet) else { return nil }
    let start = max(now, busyUntil)
    guard let finish = finish(start, Double(taken)) else {
      busyUntil = now
      return nil
    }
    busyUntil = finish
    return (start, finish, taken)
  }

  /// The time at which bytes from the reader are transferred, or `nil` if they are lost.
  mutating func up(_ bytes: Int, at now: Double) -> Double? {
    let rate = state(at: now).rate / 2
    guard rate > 0 else { return nil }
    let start = max(now, upBusyUntil)
    guard start - now <= 8 else { return nil }
    upBusyUntil = start + Double(bytes) / rate
    return upBusyUntil
  }
}
