public import Foundation

/// A reading of the engine's clock.
public struct Instant: Sendable, Hashable, Comparable {
  /// The time since an arbitrary fixed moment; only differences count. Never decreases, and
  /// includes the machine's sleep.
  public var uptime: Duration
  /// The wall clock, for stored times.
  public var date: Date
  var seconds: Double { uptime.seconds }

  /// Compares `uptime`, as the wall clock may be set back.
  public static func < (a: Instant, b: Instant) -> Bool { a.uptime < b.uptime }
  /// The time between two instants by `uptime`.
  public static func - (a: Instant, b: Instant) -> Duration { a.uptime - b.uptime }
  /// Moves both clocks.
  public static func + (a: Instant, wait: Duration) -> Instant {
    Instant(uptime: a.uptime + wait, date: a.date + wait.seconds)
  }
}

/// The engine's only source of time. Tests set their own.
public struct EngineClock: Sendable {
  public var now: @Sendable () -> Instant
  /// Returns at or after the instant, or throws when the task is cancelled.
  public var sleep: @Sendable (_ until: Instant) async throws -> Void

  public func date() -> Date { now().date }

  public static let system = EngineClock(
    now: { Instant(uptime: origin.duration(to: .now), date: Date()) },
    sleep: { instant in
      try await ContinuousClock().sleep(
        until: origin.advanced(by: instant.uptime), tolerance: .milliseconds(5))
    })

  private static let origin = ContinuousClock.now
}

extension Duration {
  /// The duration in seconds, exact for whole seconds, unlike a division by one second.
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
