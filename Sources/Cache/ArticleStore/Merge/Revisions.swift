public import Foundation
import GRDB

/// An earlier text of an article that its publisher changed.
public struct ArticleRevision: Sendable, Equatable {
  /// Time at which the next text replaced this text.
  public var replacedAt: Date
  /// Plain text.
  public var title: String
  /// Sanitised HTML.
  public var bodyHTML: String
}

extension ArticleCache {
  /// Returns earlier texts of an article, newest first; at most five.
  public func revisions(of id: ArticleID) throws(StoreError) -> [ArticleRevision] {
    try database.all(
      "SELECT at, title, html FROM articleRevision WHERE articleID = ? ORDER BY id DESC",
      [id.rawValue]
    ) {
      ArticleRevision(
        replacedAt: Date(milliseconds: $0["at"]), title: $0["title"], bodyHTML: $0["html"])
    }
  }
}

enum Revisions {
  static let most = 5

  /// Stores the present text if the new text differs in a word; a change of markup does not count.
  static func record(
    _ id: Int64, title: String, html: String, at now: Date, _ db: Database
  ) throws {
    let old = try Deduplication.text(of: id, db)
    // An empty text, which was missing or left out once, is not an earlier version.
    guard let old, old.title != title || !haveSameWords(old.html, html),
      !(old.html.isEmpty && old.title == title)
    else { return }
    try db.run(
      "INSERT INTO articleRevision (articleID, at, title, html) VALUES (?, ?, ?, ?)",
      [id, now.milliseconds, old.title, old.html])
    try db.run(
      """
      DELETE FROM articleRevision WHERE articleID = ?1 AND id NOT IN
        (SELECT id FROM articleRevision WHERE articleID = ?1 ORDER BY id DESC LIMIT ?2)
      """, [id, most])
  }

  /// Stores the text of an article as an earlier text of the new one that uses its id again.
  static func copy(of former: Int64, to article: Int64, at now: Date, _ db: Database) throws {
    try db.run(
      """
      INSERT INTO articleRevision (articleID, at, title, html)
      SELECT ?1, ?2, a.title, b.html FROM article a JOIN articleBody b ON b.articleID = a.id
      WHERE a.id = ?3
      """, [article, now.milliseconds, former])
  }

  /// Counts bytes without tags and white space.
  static func letters(_ html: String, atMost most: Int) -> Int {
    var letters = Letters(html)
    return (0..<most).count { _ in letters.next() != nil }
  }

  /// Compares two pieces of sanitised HTML without tags and white space.
  static func haveSameWords(_ a: String, _ b: String) -> Bool {
    var (first, second) = (Letters(a), Letters(b))
    while true {
      let (x, y) = (first.next(), second.next())
      if x != y { return false }
      if x == nil { return true }
    }
  }

  /// The bytes of a text outside of tags and white space.
  private struct Letters: IteratorProtocol {
    private var bytes: String.UTF8View.Iterator
    init(_ html: String) { bytes = html.utf8.makeIterator() }

    mutating func next() -> UInt8? {
      var isTag = false
      while let byte = bytes.next() {
        switch byte {
        case UInt8(ascii: "<"): isTag = true
        case UInt8(ascii: ">") where isTag: isTag = false
        case 0...0x20: continue
        default: if !isTag { return byte }
        }
      }
      return nil
    }
  }
}
