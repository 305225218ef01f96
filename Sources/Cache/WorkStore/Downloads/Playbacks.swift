import Foundation
import GRDB

// Playback positions of the files of articles.

extension DownloadCache where Side == ReaderCache {
  /// Returns playbacks by the address of the file.
  public func playbacks(of article: ArticleID) throws(StoreError) -> [String: Playback] {
    try database.read { db in
      try db.dictionary(
        "SELECT url, position, duration, isFinished, playedAt FROM playback WHERE articleID = ?",
        [article.rawValue]
      ) { ($0["url"], PlaybackRows.playback($0)) }.compactMapValues(\.self)
    }
  }

  /// Stores the playback of a file, unless its article is gone.
  /// - Parameter isLast: true if playing has ended or stopped. The write then survives a power cut.
  public func setPlayback(
    _ article: ArticleID, _ url: String, _ playback: Playback, isLast: Bool = true
  ) async throws(StoreError) {
    try await database.run(
      isLast ? .user : .engine,
      """
      INSERT INTO playback (articleID, url, position, duration, isFinished, playedAt)
      SELECT id, ?2, ?3, ?4, ?5, ?6 FROM article WHERE id = ?1
      ON CONFLICT (articleID, url) DO UPDATE SET position = ?3,
        duration = ifnull(?4, duration), isFinished = ?5, playedAt = ?6
      """,
      [
        article.rawValue, url, playback.position, playback.duration, playback.isFinished,
        playback.at.milliseconds,
      ])
  }
}

enum PlaybackRows {
  /// Returns the playback in the columns of a join; `nil` if there is none.
  static func playback(_ row: Row) -> Playback? {
    guard let position = row["position"] as Double?, let at = row.date("playedAt") else {
      return nil
    }
    return Playback(
      position: position, duration: row["duration"], isFinished: row["isFinished"], at: at)
  }
}
