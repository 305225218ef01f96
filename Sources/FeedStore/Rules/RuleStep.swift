import Foundation
import GRDB

/// A change to the rules as the journal keeps it: the rows, and what was done to articles with it.
struct RuleStep: Codable {
  var rows: [RowChange]
  var changes: RuleChanges?

  var isEmpty: Bool { rows.isEmpty && changes?.isEmpty ?? true }

  func apply(isUndo: Bool, _ db: Database, at now: Date) throws {
    // A rule that was removed had its marks on articles; one that is gone keeps none.
    _ = try RowChange.apply(rows, isUndo: isUndo, db)
    try changes?.apply(isUndo: isUndo, db, at: now)
  }
}
