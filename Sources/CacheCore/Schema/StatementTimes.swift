import Foundation
import GRDB

/// The duration of each statement of a connection. SQLite itself counts whole milliseconds.
struct StatementTimes {
  private let clock = ContinuousClock()
  /// Start times of running statements.
  private var starts: [String: ContinuousClock.Instant] = [:]

  /// Returns “0.125 ms  SELECT 1” for the end of a statement.
  mutating func line(for event: Database.TraceEvent) -> String? {
    switch event {
    case .statement(let statement):
      // The statements of triggers belong to the one that fired them, and have no end.
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
