@Suite("Hybrid clock") struct HybridClockTests {
  private static let day: Int64 = 86_400_000
  private static let noon: Int64 = 1_750_000_000_000

  @Test(
    "A time is written as 16 digits and read again",
    arguments: [
      (0, "0000000000000000"), (1, "0000000000010000"), (1_767_323_045_000, "019b7ca98c880000"),
    ])
  func text(milliseconds: Int64, text: String) {
    #expect(Timestamp(milliseconds: milliseconds).text == text)
    #expect(Timestamp(text: text)?.milliseconds == milliseconds)
  }

  @Test(
    "Other texts are not times",
    arguments: ["", "19b7caa00880000", "019B7CAA00880000", "019b7caa0088000g", "+19b7caa00880000"])
  func malformed(text: String) { #expect(Timestamp(text: text) == nil) }

  @Test("The next time is the wall clock's, or follows the last time") func next() {
    var clock = HybridClock(last: .onboarding)
    #expect(clock.next(wall: Self.noon).milliseconds == Self.noon)
    #expect(clock.next(wall: Self.noon).rawValue == UInt64(Self.noon) << 16 + 1)
    #expect(clock.next(wall: Self.noon + 5).rawValue == UInt64(Self.noon + 5) << 16)
  }

  @Test("A wall clock that is set back does not set times back") func setBack() {
    var clock = HybridClock(last: .onboarding)
    let first = clock.next(wall: Self.noon)
    #expect(clock.next(wall: Self.noon - 3 * Self.day) == first.next)
    #expect(clock.next(wall: -1) == first.next.next)
  }

  @Test("A full counter carries into the milliseconds") func counter() {
    var clock = HybridClock(last: Timestamp(rawValue: UInt64(Self.noon) << 16 | 0xFFFF))
    #expect(clock.next(wall: 0) == Timestamp(milliseconds: Self.noon + 1))
  }

  @Test(
    "A seen time sets the clock up to 24 hours ahead of the wall clock",
    arguments: [(-1, true), (0, true), (day, true), (day + 1, false), (400 * day, false)])
  func observe(ahead: Int64, isTolerated: Bool) {
    var clock = HybridClock(last: Timestamp(milliseconds: Self.noon))
    let seen = Timestamp(milliseconds: Self.noon + ahead)
    clock.observe(seen, wall: Self.noon)
    let noon = Timestamp(milliseconds: Self.noon)
    #expect(clock.last == (isTolerated ? max(seen, noon) : noon))
  }

  @Test("An act on a state from the future is later than that state and leaves the clock")
  func future() {
    var clock = HybridClock(last: .onboarding)
    let future = Timestamp(milliseconds: Self.noon + 400 * Self.day)
    #expect(clock.next(wall: Self.noon, after: future) == future.next)
    #expect(clock.next(wall: Self.noon, after: future.next) == future.next.next)
    #expect(clock.next(wall: Self.noon).milliseconds == Self.noon)
  }

  @Test("Times do not overflow at the end of the valid range") func latest() {
    var clock = HybridClock(last: .latest)
    #expect(clock.next(wall: .max) == .latest)
    #expect(clock.next(wall: 0, after: .latest) == .latest)
    #expect(Timestamp(text: "ffffffffffffffff") == nil)
    #expect(Timestamp(text: Timestamp.latest.text) == .latest)
  }

  @Test("Of equal times, the larger device is later") func ties() {
    let (a, b) = (DeviceID(rawValue: 1), DeviceID(rawValue: 2))
    let time = Timestamp(milliseconds: Self.noon)
    #expect(Stamp(time, a) < Stamp(time, b))
    #expect(Stamp(time, b) < Stamp(time.next, a))
    #expect(Stamp(.onboarding, b) < Stamp(Timestamp(rawValue: 1), a))
  }
}
