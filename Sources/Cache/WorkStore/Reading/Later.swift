import Foundation
import GRDB

extension PlanCache {
  /// Sets or clears the flag for later of articles. Reading an article does not change the flag.
  /// - Returns: the number of articles that changed.
  @discardableResult
  public func setLater(
    _ ids: [ArticleID], _ isLater: Bool
  ) async throws(StoreError) -> MarkedArticles {
    try await database.change { transaction in
      let images = try Later.set(isLater, ids.map(\.rawValue), transaction)
      try Later.addEntry(isLater, images, transaction)
      return MarkedArticles(articles: Set(images.flatMap(\.keys)).count)
    }
  }
}

/// Articles that the user keeps for later, each with the time at which that was decided.
package enum Later {
  /// Sets the flag of articles. An article that already has the flag keeps its time.
  /// - Parameter time: milliseconds since 1970; `nil` for the time of the transaction.
  package static func set(
    _ isLater: Bool, _ ids: [Int64], at time: Int64? = nil, _ transaction: Transaction
  ) throws -> [RowImages] {
    guard !ids.isEmpty else { return [] }
    let db = transaction.db
    let time = isLater ? time ?? transaction.at : nil
    var changed: [Int64?: [Int64]] = [:]
    for id in ids {
      let before: Int64?? = try db.first(
        "SELECT laterAt FROM articleStatus WHERE articleID = ? AND (laterAt IS NULL) = ?",
        [id, isLater]
      ) { $0["laterAt"] }
      guard let before else { continue }
      try db.run("UPDATE articleStatus SET laterAt = ? WHERE articleID = ?", [time, id])
      changed[before, default: []].append(id)
    }
    let images = changed.map { RowImages(column, of: $0.value, $0.key, time) }
    return try images + tag(changed.values.flatMap { $0 }, isLater, transaction)
  }

  /// Gives articles the tag that their account has for Later, or removes it.
  private static func tag(
    _ ids: [Int64], _ isLater: Bool, _ transaction: Transaction
  ) throws -> [RowImages] {
    let tags: [(article: Int64, tag: String)] = try transaction.db.all(
      """
      SELECT r.articleID, c.laterTag FROM account c JOIN remoteArticle r ON r.accountID = c.id
      WHERE c.laterTag IS NOT NULL AND r.articleID IN (SELECT value FROM json_each(?))
      """, [SQLText.json(ids)]
    ) { ($0["articleID"], $0["laterTag"]) }
    var rows = TagRows(transaction)
    var changed: [String: [Int64]] = [:]
    for (article, tag) in tags {
      let known = try TagRows.known(tag, transaction.db)
      if let tag = try rows.set(known, isLater, of: article) {
        changed[tag, default: []].append(article)
      }
    }
    return changed.map { .tag($0.key, isLater, $0.value) }
  }

  /// Adds the images to the journal, unless nothing changed.
  static func addEntry(
    _ isLater: Bool, _ images: [RowImages], _ transaction: Transaction
  ) throws {
    let articles = Set(images.flatMap(\.keys))
    try Journal.add(
      transaction.db, isLater ? .later : .notLater, images,
      subject: articles.count == 1
        ? articles.first.flatMap { try StatusRows.title($0, transaction.db) } : nil,
      at: transaction.now)
  }

  /// The column of `articleStatus`, which the journal names.
  package static let column = "laterAt"
}
