import ArgumentParser
import FeedModel
import Foundation

enum PackArguments {
  /// A time of day.
  struct Clock: Sendable, Equatable {
    var hour: Int
    var minute: Int

    func next(after now: Date, calendar: Calendar = .current) -> Date? {
      calendar.nextDate(
        after: now, matching: DateComponents(hour: hour, minute: minute),
        matchingPolicy: .nextTime)
    }
  }

  /// Parses "20M", "1.5G" or "800k", in powers of ten; bytes if there is no unit.
  @Sendable static func size(_ text: String) throws -> Int64 {
    var digits = text[...]
    if digits.last?.lowercased() == "b" { digits.removeLast() }
    let units: [String: Double] = ["k": 1e3, "m": 1e6, "g": 1e9]
    var unit = 1.0
    if let letter = digits.last?.lowercased(), let found = units[letter] {
      unit = found
      digits.removeLast()
    }
    guard let value = Double(digits), value.isFinite, value * unit >= 10_000, value * unit <= 1e12
    else { throw ValidationError("\u{201C}\(text)\u{201D} is not a size such as 20M or 1.5G.") }
    return Int64(value * unit)
  }

  static func extras(discussions: Bool, audio: Bool) -> Set<Pack.Stage> {
    var extras: Set<Pack.Stage> = []
    if discussions { extras.insert(.discussion) }
    if audio { extras.insert(.audio) }
    return extras
  }

  @Sendable static func network(_ text: String) throws -> PackNetwork {
    guard let network = PackNetwork(rawValue: text) else {
      throw ValidationError("\u{201C}\(text)\u{201D} is not edge, 3g, dsl or fibre.")
    }
    return network
  }

  @Sendable static func time(_ text: String) throws -> Clock {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]),
      (0..<24).contains(hour), (0..<60).contains(minute), parts[1].count == 2
    else { throw ValidationError("\u{201C}\(text)\u{201D} is not a time such as 07:40.") }
    return Clock(hour: hour, minute: minute)
  }
}
