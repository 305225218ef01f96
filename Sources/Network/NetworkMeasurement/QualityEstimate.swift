/// Derives the displayed quality from measurements. A change must exceed a bound by a fifth and
/// last three epochs.
package struct QualityEstimate: Sendable, Equatable {
  /// The least B/s of a good network.
  package static let goodFrom = 250_000.0
  private static let margin = 1.2
  private static let epochs = 3

  private(set) var quality: ConnectionQuality?
  private var candidate: ConnectionQuality?
  private var lasted = 0

  /// - Parameters:
  ///   - goodput: the recent maximum in B/s.
  ///   - delay: seconds of round trip; `nil` if unknown.
  ///   - wasFull: true if the network was saturated; otherwise a lower goodput counts as good,
  ///     because the hosts limit it.
  mutating func judge(goodput: Double, delay: Double?, wasFull: Bool) {
    func verdict(_ factor: Double) -> ConnectionQuality {
      let byGoodput = Self.byGoodput(goodput * factor)
      let measured = wasFull ? byGoodput : max(byGoodput, .good)
      return min(measured, delay.map { Self.byDelay($0 / factor) } ?? .excellent)
    }
    guard let now = quality, now != .offline else {
      quality = verdict(1)
      return
    }
    let best = verdict(Self.margin)
    let worst = verdict(1 / Self.margin)
    // A value within the margins keeps the quality.
    let next = best < now ? best : worst > now ? worst : now
    guard next != now else {
      candidate = nil
      return
    }
    // Consecutive candidates need only agree in direction.
    let isSameWay = candidate.map { ($0 < now) == (next < now) } ?? false
    lasted = isSameWay ? lasted + 1 : 1
    candidate = next
    if lasted >= Self.epochs { set(next) }
  }

  /// Sets a quality without confirmation: after a collapse, an outage or its end.
  mutating func set(_ quality: ConnectionQuality?) {
    self.quality = quality
    candidate = nil
    lasted = 0
  }

  /// Lowers the quality after a collapse of the network.
  mutating func fell(to goodput: Double) { set(min(quality ?? .good, Self.byGoodput(goodput))) }

  private static func byGoodput(_ value: Double) -> ConnectionQuality {
    switch value {
    case 1_250_000...: .excellent
    case goodFrom...: .good
    case 40_000...: .fair
    default: .poor
    }
  }

  private static func byDelay(_ value: Double) -> ConnectionQuality {
    value > 1.4 ? .poor : value > 0.27 ? .fair : .excellent
  }
}
