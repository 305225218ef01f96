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

  /// Returns how much longer each of `count` pieces takes than each of 500: about 1 in linear time,
  /// `count / 500` in quadratic time. Short times count as one millisecond.
  public static func growth<Input>(
    to count: Int, _ make: (Int) -> Input, _ body: (Input) -> Void
  ) -> Double {
    let (small, large) = (make(500), make(count))
    let first = least(of: 3) { body(small) }
    return least { body(large) } / max(first, 0.001) / Double(count / 500)
  }

  /// The growth that no linear function exceeds, even on a busy machine.
  public static let linear = 5.0

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
