public import CacheCore
public import FeedModel
import Foundation
import GRDB

extension ArticleCache {
  /// Returns the first words of articles as one line of plain text: of the summary if the feed
  /// gives one, else of the text. Articles without text are left out.
  ///
  /// Must not run between a key press and its frame, because it reads texts, which may be long.
  public func summaries(of ids: [ArticleID]) throws(StoreError) -> [ArticleID: String] {
    let plainText = database.options.plainText
    return try database.read { db in
      var summaries: [ArticleID: String] = [:]
      for id in ids {
        let texts: (summary: String?, html: String?)? = try db.first(
          """
          SELECT substr(summary, 1, ?1) AS summary, substr(html, 1, ?1) AS html
          FROM articleBody WHERE articleID = ?2
          """, [Self.summarySource, id.rawValue]
        ) { ($0["summary"], $0["html"]) }
        let words = [texts?.summary, texts?.html].lazy.compactMap { $0 }.map {
          String(decoding: plainText($0), as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        }
        guard let text = words.first(where: { !$0.isEmpty }) else { continue }
        summaries[id] = String(text.prefix(Self.longestSummary))
      }
      return summaries
    }
  }

  /// Characters that are searched for the first words, because markup may come before them.
  private static let summarySource = 8_000
  /// Longest summary in characters; no window is wider.
  private static let longestSummary = 400
}
