public import FeedModel
import Foundation
import GRDB

extension ReaderCache {
  /// The end of the last session of the reader and the newest article that the cache held then;
  /// `nil` if there was none.
  public func lastVisit() throws(StoreError) -> ArticleKey? {
    try database.read { db in
      try db.first("SELECT doneAt, place FROM upkeep WHERE task = ?", [Self.visit]) {
        ArticleKey(
          sortDate: Date(milliseconds: $0["doneAt"]), id: ArticleID(rawValue: $0["place"]))
      }
    }
  }

  /// Records that a session of the reader ends now.
  public func recordVisit() async throws(StoreError) {
    let now = database.options.now().milliseconds
    try await database.write(.engine) { db in
      _ = try db.run(
        """
        INSERT INTO upkeep (task, doneAt, place)
        SELECT ?1, ?2, coalesce(max(id), 0) FROM article WHERE true
        ON CONFLICT (task) DO UPDATE SET doneAt = excluded.doneAt, place = excluded.place
        """, [Self.visit, now])
    }
  }

  private static let visit = "visit"
}
