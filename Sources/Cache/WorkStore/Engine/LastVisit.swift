import Foundation
import GRDB

// The sessions of the reader.

extension ArticleCache {
  /// Returns the end of the last session of the reader and the newest article then; `nil` if no
  /// session has ended yet.
  public func lastVisit() throws(StoreError) -> ArticleKey? {
    try database.first("SELECT endedAt, articleID FROM visit") {
      ArticleKey(
        sortDate: Date(milliseconds: $0["endedAt"]), id: ArticleID(rawValue: $0["articleID"]))
    }
  }

  /// Records that a session of the reader ends now.
  public func recordVisit() async throws(StoreError) {
    try await database.run(
      .engine,
      """
      INSERT OR REPLACE INTO visit (id, endedAt, articleID)
      SELECT 1, ?, coalesce(max(id), 0) FROM article
      """, [database.now.milliseconds])
  }
}
