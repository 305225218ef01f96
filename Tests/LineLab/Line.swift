// What may enter this folder: simulated networks and hosts on which a concurrency limiter can be
// played, without time and without sockets.

/// One stretch of a line's life.
public struct LineState: Sendable {
  /// Bytes a second towards the reader; half of it back. 0: nothing comes through.
  public var rate: Double
  /// Seconds of round trip to the first hop, without queueing.
  public var roundTrip: Double
  /// Bytes that may stand in the queue before the line drops what comes.
  public var buffer: Double
  /// Of one packet.
  public var loss: Double

  /// - Parameter kilobits: a second, towards the reader.
  public init(kilobits: Double, roundTrip: Double, buffer: Double, loss: Double = 0) {
    rate = kilobits * 125
    self.roundTrip = roundTrip
    self.buffer = buffer
    self.loss = loss
  }

  /// 40 kbit/s, 600 ms.
  public static let gprs = LineState(kilobits: 40, roundTrip: 0.6, buffer: 40e3, loss: 0.002)
  /// 200 kbit/s, 300 ms.
  public static let edge = LineState(kilobits: 200, roundTrip: 0.3, buffer: 64e3, loss: 0.002)
  /// 1.5 Mbit/s, 120 ms.
  public static let threeG = LineState(kilobits: 1_500, roundTrip: 0.12, buffer: 192e3, loss: 0.001)
  /// 16 Mbit/s, 40 ms.
  public static let dsl = LineState(kilobits: 16_000, roundTrip: 0.04, buffer: 512e3)
  /// 500 Mbit/s, 10 ms.
  public static let fibre = LineState(kilobits: 500_000, roundTrip: 0.01, buffer: 4e6)
  static let down = LineState(kilobits: 0, roundTrip: 0.12, buffer: 192e3)
}

/// A line over time.
public struct Line: Sendable {
  /// For tables of results.
  public var name: String
  /// From when on which state holds; the first from 0.
  public var states: [(from: Double, state: LineState)]

  /// - Parameter states: in the order of time; the first from 0.
  public init(_ name: String, _ states: [(from: Double, state: LineState)]) {
    self.name = name
    self.states = states
  }

  /// `LineState.gprs` throughout.
  public static let gprs = Line("GPRS", [(0, .gprs)])
  /// `LineState.edge` throughout.
  public static let edge = Line("EDGE", [(0, .edge)])
  /// `LineState.threeG` throughout.
  public static let threeG = Line("3G", [(0, .threeG)])
  /// `LineState.dsl` throughout.
  public static let dsl = Line("DSL", [(0, .dsl)])
  /// `LineState.fibre` throughout.
  public static let fibre = Line("fibre", [(0, .fibre)])
  /// Fibre that is EDGE for a minute.
  public static let drop = Line("drop", [(0, .fibre), (1.5, .edge), (61.5, .fibre)])
  /// 3G with half a minute of nothing.
  public static let tunnel = Line("tunnel", [(0, .threeG), (10, .down), (40, .threeG)])
  /// The lines that `make simulate` measures.
  public static let all: [Line] = [.gprs, .edge, .threeG, .dsl, .fibre, .drop, .tunnel]
  /// Those of `all` that stay as they are.
  public static let steady: [Line] = [.gprs, .edge, .threeG, .dsl, .fibre]
}

/// The bottleneck: a first-in-first-out queue each way that drops what it cannot hold.
struct Link {
  let line: Line
  private var busyUntil = 0.0
  private var upBusyUntil = 0.0

  init(_ line: Line) { self.line = line }

  private func index(at now: Double) -> Int {
    line.states.lastIndex { $0.from <= now } ?? 0
  }
  func state(at now: Double) -> LineState { line.states[index(at: now)].state }

  /// When that many bytes are through that begin at `start`; nil where the line goes down before.
  /// - Parameter waits: for the line to come back.
  func finish(_ start: Double, _ bytes: Double, waits: Bool = false) -> Double? {
    var index = index(at: start)
    var time = start
    var left = bytes
    while true {
      let rate = line.states[index].state.rate
      let end = index + 1 < line.states.count ? line.states[index + 1].from : .infinity
      if rate > 0, time + left / rate <= end { return time + left / rate }
      guard rate > 0 || (waits && end < .infinity) else { return nil }
      left -= (end - time) * rate
      time = end
      index += 1
    }
  }

  /// Bytes that reach the queue towards the reader: when they begin and end to come out of it, and
  /// how many it took. Nil: lost.
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

  /// When bytes of the reader's are through; nil: lost.
  mutating func up(_ bytes: Int, at now: Double) -> Double? {
    let rate = state(at: now).rate / 2
    guard rate > 0 else { return nil }
    let start = max(now, upBusyUntil)
    guard start - now <= 8 else { return nil }
    upBusyUntil = start + Double(bytes) / rate
    return upBusyUntil
  }
}
