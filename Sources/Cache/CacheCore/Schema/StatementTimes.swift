import Foundation
import GRDB

/// Measures each statement of a connection, because SQLite itself counts whole milliseconds.
struct StatementTimes {
  private let clock = ContinuousClock()
  /// Start times of running statements.
  private var starts: [String: ContinuousClock.Instant] = [:]

  /// Returns “0.125 ms  SELECT 1” at the end of a statement, and `nil` at its beginning.
  mutating func line(for event: Database.TraceEvent) -> String? {
    switch event {
    case .statement(let statement):
      // A trigger's statements begin with "--" and have no end event.
      if !statement.sql.hasPrefix("--") { starts[statement.sql] = clock.now }
      return nil
    case .profile(let statement, let duration):
      let sql = statement.sql
      let time = starts.removeValue(forKey: sql).map { clock.now - $0 } ?? .seconds(duration)
      let words = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      return String(format: "%.3f ms", time / .milliseconds(1)) + "  " + words
    }
  }
}
