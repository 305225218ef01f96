import FeedModel

/// Turns what was measured of a network into the quality that people see. A change must last: three
/// epochs, beyond a fifth of each bound.
package struct QualityEstimate: Sendable, Equatable {
  /// Where grades begin, in bytes a second and in seconds of round trip, queueing included.
  private enum Bounds {
    static let goodput: [(ConnectionQuality, Double)] = [
      (.excellent, 1_250_000), (.good, goodFrom), (.fair, 40_000),
    ]
    static let poorDelay = 1.4
    static let fairDelay = 0.27
  }
  /// Bytes a second from which a network is good.
  package static let goodFrom = 250_000.0
  private static let margin = 1.2
  private static let epochs = 3

  private(set) var quality: ConnectionQuality?
  private var candidate: ConnectionQuality?
  private var lasted = 0

  /// - Parameters:
  ///   - goodput: the most that the network lately gave, bytes a second.
  ///   - delay: seconds of round trip; nil if it is not known.
  ///   - wasFull: whether the network was asked for more than it gave. Otherwise a small goodput is
  ///     the hosts', and lowers nothing.
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
    // Within the margins of where it is: it stays.
    let next = best < now ? best : worst > now ? worst : now
    guard next != now else {
      candidate = nil
      return
    }
    // Two candidates in turn agree on the direction at least.
    let isSameWay = candidate.map { ($0 < now) == (next < now) } ?? false
    lasted = isSameWay ? lasted + 1 : 1
    candidate = next
    if lasted >= Self.epochs { take(next) }
  }

  /// What needs no confirmation: the network fell, went or came back.
  mutating func take(_ quality: ConnectionQuality?) {
    self.quality = quality
    candidate = nil
    lasted = 0
  }

  /// The network gives this much now, by its own fault.
  mutating func fell(to goodput: Double) { take(min(quality ?? .good, Self.byGoodput(goodput))) }

  private static func byGoodput(_ value: Double) -> ConnectionQuality {
    Bounds.goodput.first { value >= $0.1 }?.0 ?? .poor
  }

  private static func byDelay(_ value: Double) -> ConnectionQuality {
    value > Bounds.poorDelay ? .poor : value > Bounds.fairDelay ? .fair : .excellent
  }
}
