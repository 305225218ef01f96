import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Tests whose worth grows with their length: a short form in every run, the whole one in `make
/// soak`, which also wants a line of each for its table.
public enum Soak {
  /// The file that gathers the table; set by `make soak`.
  private static let table = getenv("WEIR_SOAK").map { String(cString: $0) }
    .flatMap { $0.isEmpty ? nil : $0 }

  /// `make soak` runs the tests.
  public static var isLong: Bool { table != nil }

  /// How often, or for how many seconds.
  public static func length(short: Int, long: Int) -> Int { isLong ? long : short }

  /// A row of the table: `| kill -9 during a sync | 200 rounds | integrity ok 200 times |`.
  public static func report(_ fault: String, _ extent: String, _ result: String) {
    guard let table, let file = fopen(table, "a") else { return }
    fputs("| \(fault) | \(extent) | \(result) |\n", file)
    fclose(file)
  }
}
