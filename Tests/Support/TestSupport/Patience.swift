/// The time for which a test waits for what must happen. It ends a test that hangs and measures
/// nothing: what takes a second may take minutes on a machine that does other work.
public enum Patience {
  public static let seconds: Double = 900
  /// The moment at which a wait that begins now is given up.
  public static var end: ContinuousClock.Instant { .now + .seconds(seconds) }
}
