/// The factor by which good scores shorten the intervals of feeds: 4 at most. Intervals become no
/// shorter than 15 minutes, and scores below 1 change nothing.
struct ScoreFactor {
  /// The minimum, as for the user's intervals.
  static let shortest = Duration.seconds(900)
  /// The score that doubles the frequency. Twice this score triples it.
  private static let step = 5.0
  private static let most = 4.0

  private let factor: Double

  init(_ score: Int) { factor = min(Self.most, 1 + Double(max(0, score)) / Self.step) }

  /// - Parameter interval: an interval that no server requested.
  func shortened(_ interval: Duration) -> Duration {
    factor > 1 ? max(min(interval, Self.shortest), interval / factor) : interval
  }
}
