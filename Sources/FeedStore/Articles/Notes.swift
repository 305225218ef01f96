public import FeedModel
import Foundation
import GRDB

// What programs of the user's own said about articles.

extension ReaderCache {
  /// The notes of an article, in the order in which they came.
  public func notes(of article: ArticleID) throws(StoreError) -> [ArticleNote] {
    try database.read { db in
      try db.all(
        "SELECT id, program, at, html FROM articleNote WHERE articleID = ? ORDER BY id",
        [article.rawValue]
      ) { row in
        ArticleNote(
          id: row["id"], program: row["program"], at: row.date("at") ?? Date(milliseconds: 0),
          html: row["html"])
      }
    }
  }

  /// Keeps what a program said about an article, in place of what it said before. It is searched
  /// with the article, and an article with a note is not deleted by `[keep]`.
  /// - Parameter html: see `ArticleNote.html(ofText:)`. Empty: nothing is kept.
  public func setNote(
    _ html: String, by program: String, of article: ArticleID
  ) async throws(StoreError) {
    guard !html.isEmpty else { return }
    try await database.write(.user) { db, now in
      guard
        try db.exists("SELECT 1 FROM article WHERE id = ?", [article.rawValue])
      else { throw StoreError.notFound }
      try NoteRows.set(html, by: program, of: article.rawValue, db, at: now)
    }
  }

  /// Removes the notes of an article. Returns how many there were.
  @discardableResult
  public func removeNotes(of article: ArticleID) async throws(StoreError) -> Int {
    try await database.write(.user) { db in
      try db.run("DELETE FROM articleNote WHERE articleID = ?", [article.rawValue])
    }
  }
}

enum NoteRows {
  static func set(
    _ html: String, by program: String, of article: Int64, _ db: Database, at now: Date
  ) throws {
    try db.run(
      """
      INSERT INTO articleNote (articleID, program, at, html) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (articleID, program) DO UPDATE SET at = ?3, html = ?4
      """, [article, program, now.milliseconds, html])
  }
}
