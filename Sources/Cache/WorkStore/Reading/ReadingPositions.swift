import Foundation
import GRDB

extension PlanCache {
  /// Returns the minutes that a text takes; 0 for no words, which means that they are unknown.
  public func minutes(ofWords words: Int) -> Int {
    ReadingTime.minutes(ofWords: words, speed: database.options.wordsPerMinute)
  }

  /// Returns the minutes that are left of an article that was begun; `nil` for others.
  public func left(ofWords words: Int, seen: Double?) -> Int? {
    ReadingTime.left(ofWords: words, seen: seen, speed: database.options.wordsPerMinute)
  }

  /// Returns the position where reading of an article stopped; `nil` for its beginning.
  public func readingPosition(_ article: ArticleID) throws(StoreError) -> ReadingPosition? {
    try database.first(
      "SELECT block, share, seen FROM readingPosition WHERE articleID = ?", [article.rawValue]
    ) { ReadingPosition(block: $0["block"], share: $0["share"], seen: $0["seen"]) }
  }

  /// Stores the position where reading of an article stopped; `nil` for its beginning.
  public func setReadingPosition(
    _ article: ArticleID, _ position: ReadingPosition?
  ) async throws(StoreError) {
    guard let position else {
      try await database.run(
        .engine, "DELETE FROM readingPosition WHERE articleID = ?", [article.rawValue])
      return
    }
    let now = database.now.milliseconds
    try await database.run(
      .engine,
      """
      INSERT OR REPLACE INTO readingPosition (articleID, block, share, seen, at)
      SELECT id, ?, ?, ?, ? FROM article WHERE id = ?
      """, [position.block, position.share, position.seen, now, article.rawValue])
  }

  /// Returns the article that was begun last and not read to its end; `nil` if there is none.
  public func lastBegun(except open: ArticleID? = nil) throws(StoreError) -> ArticleID? {
    try database.first(
      """
      SELECT p.articleID FROM readingPosition p INDEXED BY readingPosition_at
        CROSS JOIN articleStatus s ON s.articleID = p.articleID
      WHERE p.at IS NOT NULL AND ifnull(p.seen, 0) < 1 AND s.isHidden = 0 AND s.articleID IS NOT ?
      ORDER BY p.at DESC LIMIT 1
      """, [open?.rawValue]
    ) { $0.id("articleID") }
  }
}

/// A place in an article's text that is the same at every width.
public struct ReadingPosition: Sendable, Equatable {
  /// Index of the layout's block; -1 is the head.
  public var block: Int
  /// Share of the block above the top of the screen, 0..<1.
  public var share: Double
  /// Share of the text that has been on screen, 0...1; `nil` if unknown.
  public var seen: Double?
  public init(block: Int, share: Double, seen: Double? = nil) {
    (self.block, self.share, self.seen) = (block, share, seen)
  }
}
