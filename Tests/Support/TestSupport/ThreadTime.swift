import Foundation

/// CPU time of the current thread, which other work on the machine does not change much.
public enum ThreadTime {
  /// Returns the least seconds that `body` took in `times` runs.
  public static func least(of times: Int = 1, _ body: () throws -> Void) rethrows -> Double {
    var least = Double.infinity
    for _ in 0..<times {
      let start = now
      try body()
      least = min(least, now - start)
    }
    return least
  }

  /// Returns the factor by which 64,000 pieces take longer than 2,000: about 32 in linear time,
  /// 1,000 in quadratic time. Short times count as one millisecond.
  public static func growth<Input>(_ make: (Int) -> Input, _ body: (Input) -> Void) -> Double {
    let (small, large) = (make(2_000), make(64_000))
    let first = least(of: 3) { body(small) }
    return least { body(large) } / max(first, 0.001)
  }

  /// The factor that no linear function exceeds, even on a busy machine.
  public static let linear = 160.0

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
