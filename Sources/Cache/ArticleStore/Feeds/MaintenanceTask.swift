package import Foundation
package import GRDB

/// The tasks of the maintenance, in their order. The names are stored.
package enum MaintenanceTask: String, CaseIterable {
  case journal, removedFeeds, deletedArticles, retention, dates, upgradeCopies = "copies",
    freePages, log

  /// Milliseconds between two runs of a task.
  private static let interval = Duration.days(1).milliseconds

  /// Returns the first task that is due, and its position; `nil` if none is due.
  package static func due(at now: Date, _ db: Database) throws -> (MaintenanceTask, place: Int64)? {
    let states: [String: (doneAt: Int64, place: Int64)] = try db.dictionary(
      "SELECT task, doneAt, position FROM maintenanceTask"
    ) { ($0["task"], ($0["doneAt"], $0["position"])) }
    for task in allCases {
      guard let state = states[task.rawValue] else { return (task, 0) }
      // A clock that was set back must not stop the maintenance for years.
      let isFresh = abs(now.milliseconds - state.doneAt) < interval
      if !isFresh { return (task, state.place) }
    }
    return nil
  }
}
