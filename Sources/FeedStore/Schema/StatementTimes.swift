import Foundation
import GRDB

/// How long each statement of a connection takes. SQLite itself counts whole milliseconds.
struct StatementTimes {
  private let clock = ContinuousClock()
  /// When the statements that are running began.
  private var starts: [String: ContinuousClock.Instant] = [:]

  /// "0.125 ms  SELECT 1" where the event is the end of a statement.
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
