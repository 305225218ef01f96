public import Foundation

/// The engine's only source of time: tests set theirs by hand.
public struct EngineClock: Sendable {
  /// The wall clock, for what is stored.
  public var date: @Sendable () -> Date
  /// Seconds that never go back, for everything that is measured. Goes on while the machine sleeps.
  public var uptime: @Sendable () -> Double
  /// Returns once `uptime` has reached the value, or throws when the task is cancelled.
  public var sleep: @Sendable (_ untilUptime: Double) async throws -> Void

  public init(
    date: @escaping @Sendable () -> Date, uptime: @escaping @Sendable () -> Double,
    sleep: @escaping @Sendable (_ untilUptime: Double) async throws -> Void
  ) {
    self.date = date
    self.uptime = uptime
    self.sleep = sleep
  }

  /// The machine's clocks.
  public static let system = EngineClock(
    date: { Date() },
    uptime: { origin.duration(to: .now).seconds },
    sleep: { uptime in
      try await ContinuousClock().sleep(
        until: origin.advanced(by: .seconds(uptime)), tolerance: .milliseconds(5))
    })

  private static let origin = ContinuousClock.now
}

extension Duration {
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
