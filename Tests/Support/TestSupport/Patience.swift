import Foundation

/// The time for which a test waits for what must happen. It ends a test that hangs and measures
/// nothing: what takes a second may take minutes on a machine that does other work.
public enum Patience {
  /// 900 seconds; fewer by the variable, to see soon which waits are hopeless.
  public static let seconds =
    ProcessInfo.processInfo.environment["WEIR_PATIENCE"].flatMap(Double.init) ?? 900
  /// The moment at which a wait that begins now is given up.
  public static var end: ContinuousClock.Instant { .now + .seconds(seconds) }
}

/// Waits for an effect of another thread or process. Returns false if the time is over.
public func eventually(_ condition: () throws -> Bool) async rethrows -> Bool {
  let end = Patience.end
  while ContinuousClock.now < end {
    if try condition() { return true }
    try? await Task.sleep(for: .milliseconds(2))
  }
  return try condition()
}
