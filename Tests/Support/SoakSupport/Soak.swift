import Foundation
import Synchronization
public import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Tests that find more the longer they run: short in every run, long in `make soak`, which also
/// collects a table row from each.
public enum Soak {
  /// The file that collects the table, set by `make soak`.
  private static let table = getenv("WEIR_SOAK").map { String(cString: $0) }
    .flatMap { $0.isEmpty ? nil : $0 }

  /// True if `make soak` runs the tests.
  public static var isLong: Bool { table != nil }

  /// Returns the number of repetitions or seconds.
  public static func length(short: Int, long: Int) -> Int { isLong ? long : short }

  /// Returns the seeds from 0, or those of `WEIR_SEEDS`, which repeats a failure: `417-418`.
  public static func seeds(short: Int, long: Int) -> Range<UInt64> {
    let chosen = getenv("WEIR_SEEDS").map { String(cString: $0) }?.split(separator: "-")
    let ends = chosen?.compactMap { UInt64($0) } ?? []
    guard ends.count == 2, ends[0] <= ends[1] else {
      return 0..<UInt64(length(short: short, long: long))
    }
    return ends[0]..<ends[1]
  }

  /// Writes a table row: `| kill -9 during a sync | 200 rounds | integrity ok 200 times |`. Needs
  /// the trait `countsFailures`.
  /// - Parameter result: The result if no expectation of the test has failed.
  public static func report(_ fault: String, _ extent: String, _ result: String) {
    guard let failures = FailureCount.current else { fatalError("\(fault): add .countsFailures") }
    let count = failures.issues.load(ordering: .relaxed)
    guard let table, let file = fopen(table, "a") else { return }
    fputs("| \(fault) | \(extent) | \(count == 0 ? result : "FAILED: \(count) issues") |\n", file)
    fclose(file)
  }
}

/// Counts the failed expectations of each test case for `Soak.report`.
public struct FailureCount: SuiteTrait, TestTrait, TestScoping {
  final class Counter: Sendable { let issues = Atomic(0) }
  @TaskLocal static var current: Counter?

  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let counter = Counter()
    try await Self.$current.withValue(counter) {
      let trait: IssueHandlingTrait = .compactMapIssues { issue in
        if issue.isFailure { counter.issues.add(1, ordering: .relaxed) }
        return issue
      }
      try await trait.provideScope(for: test, testCase: testCase, performing: function)
    }
  }
}

extension Trait where Self == FailureCount {
  public static var countsFailures: Self { Self() }
}
