package import Foundation
package import GRDB
import TextRules

extension StateCache {
  /// Returns the notes of an article by arrival.
  public func notes(of article: ArticleID) throws(StoreError) -> [ArticleNote] {
    try database.all(
      "SELECT id, program, at, html FROM articleNote WHERE articleID = ? ORDER BY id",
      [article.rawValue]
    ) { row in
      ArticleNote(
        id: row["id"], program: row["program"], at: Date(milliseconds: row["at"]), html: row["html"]
      )
    }
  }

  /// Stores a program's note about an article, and replaces the program's former note. Search finds
  /// notes, and `[keep]` does not delete articles with notes.
  /// - Parameter html: the note from `ArticleNote.html(ofText:)`; if empty, nothing is stored.
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

  /// Returns the number of removed notes.
  @discardableResult
  public func removeNotes(of article: ArticleID) async throws(StoreError) -> Int {
    try await database.run(.user, "DELETE FROM articleNote WHERE articleID = ?", [article.rawValue])
  }
}

package enum NoteRows {
  package static func set(
    _ html: String, by program: String, of article: Int64, _ db: Database, at now: Date
  ) throws {
    try db.run(
      """
      INSERT INTO articleNote (articleID, program, at, html) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (articleID, program) DO UPDATE SET at = ?3, html = ?4
      """, [article, program, now.milliseconds, html])
  }
}

extension ArticleNote {
  /// Returns plain text as HTML paragraphs, separated at empty lines; other line ends stay. Markup
  /// is escaped; control characters and escape sequences are removed.
  public static func html(ofText text: String) -> String {
    TextHTML.paragraphs(of: withoutSequences(text))
  }

  /// Removes the escape sequences that a terminal would obey (ECMA-48).
  private static func withoutSequences(_ text: String) -> String {
    let sequence = /\u{1B}(?:\[[^@-~]*[@-~]?|[\]P_^X][^\u{7}\u{1B}]*(?:\u{7}|\u{1B}.?)?|.)?/
    return text.replacing(sequence.dotMatchesNewlines().matchingSemantics(.unicodeScalar), with: "")
  }
}
