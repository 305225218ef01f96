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

  /// Returns how much longer each piece takes where there are `times` as many: about 1 in linear
  /// time, `times` in quadratic time. There are at least 250 pieces, and so many that they take
  /// time that can be measured; the time without a piece does not count.
  public static func growth<Input>(
    times: Int = 16, _ make: (Int) -> Input, _ body: (Input) -> Void
  ) -> Double {
    func time(_ count: Int) -> Double {
      let input = make(count)
      return least { body(input) }
    }
    let none = min(time(0), time(0), time(0))
    var count = 250
    var few = time(count) - none
    while few < 0.002, count < 64_000 {
      count *= 2
      few = time(count) - none
    }
    few = min(few, time(count) - none)
    var growth = Double.infinity
    // A second look, if other work on the machine may have slowed the first.
    for _ in 0..<3 where growth >= linear {
      growth = min(growth, (time(count * times) - none) / max(few, 0.001) / Double(times))
    }
    return growth
  }

  /// The growth that no linear function exceeds, even on a busy machine.
  public static let linear = 3.0

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
