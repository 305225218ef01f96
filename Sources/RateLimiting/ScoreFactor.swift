/// How much more often a feed is asked because its articles have good scores: up to four times, and
/// never more often than every 15 minutes. Scores of 0 and below change nothing.
struct ScoreFactor {
  /// A quarter of an hour, as for intervals that users set.
  static let shortest = Duration.seconds(900)
  /// A score of so much doubles how often a feed is asked, twice as much trebles it.
  private static let step = 5.0
  private static let most = 4.0

  private let factor: Double

  init(_ score: Int) { factor = min(Self.most, 1 + Double(max(0, score)) / Self.step) }

  /// - Parameter interval: what servers ask for is no such interval.
  func shortened(_ interval: Duration) -> Duration {
    factor > 1 ? max(min(interval, Self.shortest), interval / factor) : interval
  }
}
