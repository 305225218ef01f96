package import Foundation
package import GRDB

/// A transaction that writes, with the stores that take part in it.
package struct Transaction {
  package let db: Database
  /// The time of the call.
  package let now: Date
  package let participants: Participants

  /// Milliseconds since 1970.
  package var at: Int64 { now.milliseconds }
}

/// The stores that take part in transactions, registered when the cache is assembled.
package struct Participants: Sendable {
  /// Queues changes for servers; `nil` without accounts.
  package var recorder: (any ChangeRecorder)?
  /// Stores that act on marks, in this order.
  package var marks: [any MarkParticipant] = []
  /// Stores that process new articles, in the order in which they receive them.
  package var arrivals: [any MergeParticipant] = []

  package init() {}
}

/// Articles of one feed that a transaction wrote.
package struct Arrivals {
  package let feed: Int64
  /// New articles, oldest first.
  package var added: [Int64] = []
  /// Known articles with new content.
  package var updated: [Int64] = []
  /// Time of the answer that contained the articles.
  package let at: Date

  package init(feed: Int64, added: [Int64] = [], updated: [Int64] = [], at: Date) {
    (self.feed, self.added, self.updated, self.at) = (feed, added, updated, at)
  }
}

package typealias ArrivalHandler = (Arrivals) throws -> Void

/// A store that processes new articles in the transaction that writes them.
package protocol MergeParticipant: Sendable {
  /// True if the store also processes older posts, which the user requested.
  var includesOlderPosts: Bool { get }
  /// Prepares a transaction and returns the handler for each feed that it writes.
  func begin(_ transaction: Transaction) throws -> ArrivalHandler
}

extension MergeParticipant {
  package var includesOlderPosts: Bool { false }
}

extension Transaction {
  package func arrivalHandlers(ofOlderPosts: Bool = false) throws -> [ArrivalHandler] {
    try participants.arrivals.filter { !ofOlderPosts || $0.includesOlderPosts }
      .map { try $0.begin(self) }
  }
}

/// A store that acts on marks in the transaction that writes them.
package protocol MarkParticipant: Sendable {
  /// - Parameter articles: the articles that changed; their rows are written.
  /// - Returns: the images of further changes, for the entry of the journal.
  func mark(_ mark: Mark, _ isSet: Bool, _ articles: [Int64], in transaction: Transaction) throws
    -> [RowImages]
}

/// Queues the user's changes for the servers of accounts, in the transaction of the change.
package protocol ChangeRecorder: Sendable {
  /// - Parameter isRemote: true if the server has the tag.
  /// - Returns: the reason why the server does not get the tag; `nil` if it does, and for an
  ///   article without an account.
  func record(
    tag: String, _ isSet: Bool, of article: Int64, isRemote: Bool, in transaction: Transaction
  ) throws -> LocalTags?
  /// Queues a subscription or its end. Throws `.fixedSubscriptions` if the account's protocol
  /// cannot change subscriptions.
  /// - Parameter heldUntil: milliseconds since 1970 before which the change is not sent. If the
  ///   user undoes it by then, nothing is sent.
  func record(feed: Int64, isSubscribed: Bool, heldUntil: Int64, in transaction: Transaction) throws
  /// Queues names and folders of feeds that differ from those of their servers. Throws
  /// `.fixedSubscriptions` if the account's protocol cannot change them.
  /// - Parameter titles: renamed folders, which are renamed as a whole at the server.
  func recordArrangement(renamed titles: [FolderTitles], in transaction: Transaction) throws
  /// Moves local feeds to the account in whose folder they are.
  /// - Parameter isWanted: false to throw instead.
  /// - Throws: `.accountsFolder` if not `isWanted`; `.alreadySubscribed` if the account has the
  ///   address.
  func migrate(_ feeds: [Int64], isWanted: Bool, in transaction: Transaction) throws
  /// Requests a sync of the accounts that have feeds in a scope.
  func requestSync(of scope: RefreshScope, in transaction: Transaction) throws
}

/// Tags that no server gets, although their articles belong to an account.
public struct LocalTags: Sendable, Hashable {
  /// Reasons why no server gets a tag.
  public enum Reason: Sendable, Hashable {
    case fever
    case server
    /// The server has a folder of this name, which is a label of its articles.
    case folder(String)
  }
  public var account: String
  public var reason: Reason

  package init(account: String, reason: Reason) { (self.account, self.reason) = (account, reason) }
}
