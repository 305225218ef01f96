import FeedModel
import Foundation
import GRDB

// Where the stores above meet the articles: each registers what it adds to a transaction.

/// A transaction that writes, with the stores that take part in it.
struct Transaction {
  let db: Database
  /// The time of the call.
  let now: Date
  let participants: Participants

  /// Milliseconds since 1970.
  var at: Int64 { now.milliseconds }
}

/// The stores that take part in transactions, registered where the cache is put together.
struct Participants: Sendable {
  /// Queues changes for servers; `nil` without accounts.
  var recorder: (any ChangeRecorder)?
  /// In the order in which they receive arrivals.
  var arrivals: [any MergeParticipant] = []
  /// Stores that keep articles from retention.
  var keepers: [any ArticleKeeper] = []
  var expiring: [any ExpiringRows] = []
}

/// Articles of one feed that a transaction wrote.
struct Arrivals {
  let feed: Int64
  /// New articles, oldest first.
  var added: [Int64] = []
  /// Known articles with new content.
  var updated: [Int64] = []
  /// When the answer arrived that brought them.
  let at: Date
}

/// Acts on the arrivals of one feed.
typealias ArrivalHandler = (Arrivals) throws -> Void

/// A store that acts on articles as they arrive, in the transaction that writes them.
protocol MergeParticipant: Sendable {
  /// Prepares one transaction, however many feeds it writes.
  func begin(_ transaction: Transaction) throws -> ArrivalHandler
}

extension Transaction {
  /// Returns the handlers of all merge participants, in their order.
  func arrivalHandlers() throws -> [ArrivalHandler] {
    try participants.arrivals.map { try $0.begin(self) }
  }
}

/// A store whose articles stay although nothing else keeps them.
protocol ArticleKeeper: Sendable {
  /// Returns an SQL condition that is true for an article to keep.
  /// - Parameter article: an SQL expression of the article's key.
  func condition(_ article: String, at now: Date) -> String
}

/// Rows that are removed some time after they were written.
protocol ExpiringRows: Sendable {
  func removeOld(_ db: Database, at now: Date) throws
}

/// Queues what the user changes for the servers of accounts, in the transaction of the change.
protocol ChangeRecorder: Sendable {
  /// Queues a state of articles.
  func record(
    _ state: StatusRows.State, _ value: Bool, of articles: [Int64], in transaction: Transaction)
    throws
  /// Queues a tag.
  /// - Parameter isRemote: whether the server has it.
  /// - Returns: why no server gets it; `nil` if one does, or the article is of no account.
  func record(
    tag: String, _ isSet: Bool, of article: Int64, isRemote: Bool, in transaction: Transaction
  ) throws -> LocalTags?
  /// Queues a subscription or its end. Throws `.fixedSubscriptions` if the account's protocol
  /// cannot change subscriptions.
  /// - Parameter heldUntil: milliseconds since 1970 before which it is not sent. If it is undone by
  ///   then, nothing is sent.
  func record(feed: Int64, isSubscribed: Bool, heldUntil: Int64, in transaction: Transaction) throws
  /// Queues names and folders of feeds that differ from those of their servers. Throws
  /// `.fixedSubscriptions` if the account's protocol cannot change them.
  /// - Parameter titles: renamed folders, which are renamed as a whole at the server.
  func recordArrangement(renamed titles: [FolderTitles], in transaction: Transaction) throws
  /// Makes local feeds in the folder of an account feeds of the account, if that is wanted.
  /// - Throws: `.accountsFolder` if it is not wanted; `.alreadySubscribed` if the account has the
  ///   address.
  func adopt(_ feeds: [Int64], isWanted: Bool, in transaction: Transaction) throws
  /// Asks for a sync of the accounts that have feeds in a scope.
  func requestSync(of scope: RefreshScope, in transaction: Transaction) throws
}
