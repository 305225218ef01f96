// Orders changes across devices, without a server and even if clocks are wrong.

/// A device in the folder: a random number.
package struct DeviceID: HexadecimalID {
  package let rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The time of a change: 48 bits of milliseconds since 1970 and 16 bits of a counter, written as 16
/// hexadecimal digits.
package struct Timestamp: HexadecimalID {
  package let rawValue: UInt64

  /// Clamps to `latest`.
  package init(rawValue: UInt64) { self.rawValue = min(rawValue, UInt64.max >> 1) }

  /// Clamps milliseconds to the range from 1970 to `latest`.
  package init(milliseconds: Int64) {
    rawValue = UInt64(min(max(0, milliseconds), Self.latest.milliseconds)) << 16
  }

  /// The time of the state that a device exports during onboarding. Every change is later.
  package static let onboarding = Timestamp(rawValue: 0)
  /// The end of the valid range, in the year 6429.
  package static let latest = Timestamp(rawValue: .max)

  package var milliseconds: Int64 { Int64(rawValue >> 16) }
  /// Carries a full counter into the milliseconds.
  package var next: Timestamp { Timestamp(rawValue: rawValue + 1) }

  /// Returns the distance from an earlier time, short for whole milliseconds.
  func distance(after start: Timestamp) -> String {
    let distance = rawValue - start.rawValue
    return Base64URL.shortText(distance >> 16 | distance << 48)
  }

  /// Returns the time at a distance from this one; `nil` if the text is no distance, or one past
  /// `latest`.
  func after(_ distance: some StringProtocol) -> Timestamp? {
    guard let turned = Base64URL.shortValue(distance) else { return nil }
    let (sum, overflows) = rawValue.addingReportingOverflow(turned << 16 | turned >> 48)
    return overflows || sum > Self.latest.rawValue ? nil : Timestamp(rawValue: sum)
  }
}

/// The time and device of a change, which order all changes. If the times are equal, the larger
/// device wins.
package struct Stamp: Hashable, Comparable, Sendable {
  package var time: Timestamp
  package var device: DeviceID
  package init(_ time: Timestamp, _ device: DeviceID) { (self.time, self.device) = (time, device) }
  package static func < (a: Stamp, b: Stamp) -> Bool {
    (a.time, a.device) < (b.time, b.device)
  }
}

/// A hybrid logical clock: follows the wall clock, never runs backwards, and stays ahead of the
/// times that it has seen.
package struct HybridClock: Sendable, Equatable {
  /// The last time given or seen, which must survive the end of the program.
  package private(set) var last: Timestamp

  /// A wall clock that is earlier was not set. The beginning of 2024.
  private static let plausible: Int64 = 1_704_067_200_000

  package init(last: Timestamp) { self.last = last }

  /// - Parameter current: the time of the state that the change replaces. The change is later, even
  ///   if that time is too far ahead to set this clock.
  package mutating func next(
    wall milliseconds: Int64, after current: Timestamp? = nil
  ) -> Timestamp {
    // The clock was wrong when it gave a time that is ignored.
    if last > time(ahead: Limits.ignored, wall: milliseconds) { last = .onboarding }
    last = max(Timestamp(milliseconds: milliseconds), last.next)
    guard let current, current >= last else { return last }
    return current.next
  }

  /// Records the time of another device's change, unless it is too far ahead: the other device's
  /// clock is wrong.
  package mutating func observe(_ time: Timestamp, wall milliseconds: Int64) {
    if time.milliseconds - milliseconds <= Limits.ahead { last = max(last, time) }
  }

  /// Returns the time that is so many milliseconds ahead; the latest one if the clock is not set,
  /// because then no time is known to be ahead.
  package func time(ahead: Int64, wall milliseconds: Int64) -> Timestamp {
    let wall = Timestamp(milliseconds: milliseconds).milliseconds
    let now = wall >= Self.plausible ? wall : max(wall, last.milliseconds)
    let isKnown = now >= Self.plausible && now < Timestamp.latest.milliseconds - ahead
    return isKnown ? Timestamp(milliseconds: now + ahead) : .latest
  }
}

/// A 64-bit number that is written as 16 hexadecimal digits.
package protocol HexadecimalID: RawRepresentable, Hashable, Comparable, Sendable
where RawValue == UInt64 {
  init(rawValue: UInt64)
}

extension HexadecimalID {
  /// Returns `nil` unless the text is that of a valid number.
  package init?(text: String?) {
    guard let text, let value = UInt64(text, radix: 16) else { return nil }
    self.init(rawValue: value)
    guard self.text == text else { return nil }
  }
  package var text: String {
    let digits = String(rawValue, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
