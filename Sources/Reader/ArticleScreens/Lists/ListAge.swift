import FeedModel
import Foundation
import ReaderServices
import TerminalViews

/// Ages as users type them: "3d", "2w", "6m", "1y".
enum ListAge {
  private static let units: [Character: Double] = [
    "h": .hours(1), "d": .days(1), "w": .days(7), "m": .days(30), "y": .days(365),
  ]

  static let choices = ArgumentChoices(
    all: ["1d", "3d", "1w", "2w", "1m", "3m", "1y"],
    titles: [
      "1d": "a day", "3d": "three days", "1w": "a week", "2w": "two weeks", "1m": "a month",
      "3m": "three months", "1y": "a year",
    ])

  /// Parses an age; `nil` if the text is invalid.
  static func seconds(_ text: String) -> Double? {
    let text = text.trimmingWhitespace.lowercased()
    guard let last = text.last, let unit = units[last], let number = Int(text.dropLast()),
      (1...100_000).contains(number)
    else { return nil }
    return Double(number) * unit
  }
}
