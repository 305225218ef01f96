/// Derives the displayed quality from measurements. A change must exceed a bound by a fifth and
/// last three epochs.
package struct QualityEstimate: Sendable, Equatable {
  /// The least B/s of a good network.
  package static let goodFrom = 250_000.0
  private static let margin = 1.2

  private(set) var quality: ConnectionQuality?
  /// The epochs in a row that measured a better quality; negative for a worse one.
  private var streak = 0

  /// - Parameters:
  ///   - goodput: the recent maximum in B/s.
  ///   - delay: seconds of round trip; `nil` if unknown.
  ///   - wasFull: true if the network was saturated; otherwise a lower goodput counts as good,
  ///     because the hosts limit it.
  mutating func judge(goodput: Double, delay: Double?, wasFull: Bool) {
    func verdict(_ factor: Double) -> ConnectionQuality {
      let byGoodput = max(Self.byGoodput(goodput * factor), wasFull ? .poor : .good)
      let seconds = (delay ?? 0) / factor
      return min(byGoodput, seconds > 1.4 ? .poor : seconds > 0.27 ? .fair : .excellent)
    }
    guard let now = quality, now != .offline else {
      quality = verdict(1)
      return
    }
    let best = verdict(Self.margin)
    let worst = verdict(1 / Self.margin)
    // A value within the margins keeps the quality. Others need only agree in direction.
    let direction = best < now ? -1 : worst > now ? 1 : 0
    streak = streak.signum() == direction ? streak + direction : direction
    if abs(streak) >= 3 { set(direction < 0 ? best : worst) }
  }

  /// Sets a quality without confirmation: after a collapse, an outage or its end.
  mutating func set(_ quality: ConnectionQuality?) {
    self.quality = quality
    streak = 0
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
}
