import ArticleStore
import FeedModel
import GRDB

/// Queues the user's changes in the outbox.
package struct OutboxRecorder: ChangeRecorder {
  package init() {}

  func record(
    _ state: ArticleMark, _ value: Bool, of articles: [Int64], in transaction: Transaction
  ) throws {
    try OutboxRows.record(state, value, articles, transaction.db, at: transaction.now)
  }

  func record(
    tag: String, _ isSet: Bool, of article: Int64, isRemote: Bool, in transaction: Transaction
  ) throws -> LocalTags? {
    try OutboxRows.record(
      tag: tag, isSet, of: article, isRemote: isRemote, transaction.db, at: transaction.at)
  }

  func record(
    feed: Int64, isSubscribed: Bool, heldUntil: Int64, in transaction: Transaction
  ) throws {
    try OutboxRows.record(
      feed: feed, isSubscribed: isSubscribed, heldUntil: heldUntil, transaction.db,
      at: transaction.at)
  }

  func recordArrangement(renamed titles: [FolderTitles], in transaction: Transaction) throws {
    try OutboxRows.recordArrangement(transaction.db, renamed: titles, at: transaction.at)
  }

  func adopt(_ feeds: [Int64], isWanted: Bool, in transaction: Transaction) throws {
    try Adoption.require(of: feeds, isWanted: isWanted, transaction.db, at: transaction.now)
  }

  func requestSync(of scope: RefreshScope, in transaction: Transaction) throws {
    try AccountRows.request(scope, transaction.db, at: transaction.at)
  }
}
