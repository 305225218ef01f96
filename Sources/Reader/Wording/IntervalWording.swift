import FeedModel

/// Intervals between checks as users write them: "30 minutes", "2 hours", "1 day".
public enum IntervalWording {
  private static let units: [(name: String, minutes: Int)] = [
    ("week", 10_080), ("day", 1_440), ("hour", 60), ("minute", 1),
  ]

  /// Returns the interval in the largest unit that divides it.
  public static func text(_ interval: Duration) -> String {
    let minutes = Int(interval.components.seconds / 60)
    let unit = units.first { minutes % $0.minutes == 0 && minutes >= $0.minutes } ?? units[3]
    return AmountWording.count(minutes / unit.minutes, unit.name, unit.name + "s")
  }

  /// The meaning of a text.
  public enum Answer: Equatable {
    case none
    case every(Duration)
    case invalid
  }

  /// Parses an interval. A number without a unit means minutes.
  public static func read(_ text: String) -> Answer {
    let words = text.lowercased().split(separator: " ").map(String.init)
    guard let first = words.first else { return .none }
    let digits = first.prefix { $0.isASCII && $0.isNumber }
    let rest = String(first.dropFirst(digits.count)) + words.dropFirst().joined()
    guard let number = Int(digits), number > 0, number <= FeedOptions.intervals.upperBound else {
      return .invalid
    }
    let names = ["m": 1, "min": 1, "h": 60, "d": 1_440, "w": 10_080, "": 1]
    let named = units.first { rest == $0.name || rest == $0.name + "s" }?.minutes
    guard let unit = named ?? names[rest] else { return .invalid }
    let minutes = number * unit
    return FeedOptions.intervals.contains(minutes) ? .every(.seconds(60 * minutes)) : .invalid
  }
}
