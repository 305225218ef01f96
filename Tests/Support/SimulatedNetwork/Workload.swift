import FeedModel
import Foundation
import TestSupport

/// A server of the simulated web.
final class SimulatedHost {
  enum Kind: Sendable { case good, blackHole, hangs, unknown, broken }
  var kind = Kind.good
  /// Seconds of the path beyond the network, in both directions.
  var path = 0.0
  /// Seconds until the server answers.
  var think = 0.0
  var needsOldTLS = false
  /// Bytes of the certificates.
  var certificates = 3_800
  var cap = 2
  /// Seconds between requests.
  var gap = 0.0

  var inUse = 0
  /// Kept connections: since when they are idle, and the size of their windows.
  var idle: [(since: Double, window: Int)] = []
  var nextAllowed = 0.0
  var blocked: [SimulatedFeed] = []
}

/// A pending refresh.
public final class SimulatedFeed {
  let host: SimulatedHost
  let size: Int
  let think: Double
  var priority: OperationPriority
  var retries = 0
  var askedAt: Double?
  var endedAt: Double?
  var transfer: Transfer?

  init(host: SimulatedHost, size: Int, think: Double, priority: OperationPriority) {
    self.host = host
    self.size = size
    self.think = think
    self.priority = priority
  }

  var isGood: Bool { host.kind == .good }
}

/// A thousand feeds on seven hundred hosts, like a real list: three in five answer 304, a few hosts
/// are platforms, and some hang.
public struct Workload: Sendable {
  /// Equal seeds give equal feeds.
  public var seed: UInt64
  public var feeds = 1_000
  /// The share of feeds that answer 304.
  public var unchanged = 0.6
  /// True for hosts that never answer and servers that take seconds.
  public var hasTrouble = true

  /// - Parameter seed: equal seeds give equal feeds.
  public init(seed: UInt64) { self.seed = seed }

  func make() -> [SimulatedFeed] {
    var random = SeededRandom(seed: seed)
    func platform(_ share: Int, cap: Int, gap: Double = 0) -> [SimulatedHost] {
      let host = SimulatedHost()
      host.path = 0.012
      host.think = 0.12
      host.cap = cap
      host.gap = gap
      host.certificates = certificates(&random)
      return Array(repeating: host, count: share * feeds / 1_000)
    }
    var homes =
      platform(120, cap: 6) + platform(60, cap: 4) + platform(40, cap: 4) + platform(30, cap: 4)
      + platform(30, cap: 4) + platform(15, cap: 1, gap: 1)
    while homes.count < feeds {
      let host = smallHost(&random)
      let count = [1, 1, 1, 1, 1, 1, 2, 3].randomElement(using: &random) ?? 1
      homes += Array(repeating: host, count: min(count, feeds - homes.count))
    }
    homes.shuffle(using: &random)
    let all = homes.map { host -> SimulatedFeed in
      var size =
        random.unit() < unchanged
        ? 350 : Int(500 + min(300e3, max(1_000, random.logNormal(18e3, 0.9))))
      if host.kind == .broken { size = 900 }
      return SimulatedFeed(
        host: host, size: size, think: host.think * random.logNormal(1, 0.35), priority: .scheduled)
    }
    // Feeds on screen are on hosts that answer.
    let seen = all.filter { $0.isGood && $0.host.think < 2 && $0.host.gap == 0 }.prefix(20)
    for feed in seen { feed.priority = .visible }
    return all.filter { $0.priority == .visible } + all.filter { $0.priority == .scheduled }
  }

  private func smallHost(_ random: inout SeededRandom) -> SimulatedHost {
    let host = SimulatedHost()
    host.path = min(0.35, random.logNormal(0.035, 0.9))
    host.think = min(3, random.logNormal(0.09, 0.9))
    host.needsOldTLS = random.unit() < 0.25
    host.certificates = certificates(&random)
    let trouble = random.unit()
    guard hasTrouble else { return host }
    switch trouble {
    case ..<0.015: host.kind = .blackHole
    case ..<0.03: host.kind = .hangs
    case ..<0.045: host.kind = .unknown
    case ..<0.065: host.kind = .broken
    case ..<0.095: host.think = 2 + 8 * random.unit()
    default: break
    }
    return host
  }

  private func certificates(_ random: inout SeededRandom) -> Int {
    Int(min(7_000, random.logNormal(3_800, 0.25)))
  }
}

extension SeededRandom {
  /// A random number in 0..<1.
  mutating func unit() -> Double { Double.random(in: 0..<1, using: &self) }

  /// A log-normal random number with this median.
  mutating func logNormal(_ median: Double, _ sigma: Double) -> Double {
    let radius = (-2 * log(1 - unit())).squareRoot()
    return median * exp(sigma * radius * cos(2 * .pi * unit()))
  }
}
