@_exported public import Networking

// The protocols of aggregators: a function for each call, and a backend for each protocol. This
// module stores nothing; the cache holds states, and the engine decides when to send.
//
// This file: the calls of an account, for any protocol.

/// A state of an article that is synchronized in both directions.
public enum RemoteState: Sendable, Hashable {
  case read, starred
  /// A label of the user, as the server spells it.
  case label(String)
}

/// A change of an article's state.
public struct RemoteEdit: Sendable, Hashable {
  public var state: RemoteState
  /// True to set the state, false to remove it.
  public var isSet: Bool

  public init(_ state: RemoteState, isSet: Bool) { (self.state, self.isSet) = (state, isSet) }
}

/// A change of a subscription, by its key, or of a folder, by its name.
public enum SubscriptionEdit: Sendable, Equatable {
  /// Succeeds if there is no such subscription.
  case unsubscribe(String)
  case rename(String, to: String)
  /// Moves a subscription between folders; `nil` means no folder.
  case move(String, from: String?, to: String?)
  /// Keeps the folder's contents; succeeds if there is no such folder.
  case renameFolder(String, to: String)
  /// Keeps the folder's subscriptions; succeeds if there is no such folder.
  case removeFolder(String)
}

/// The subscriptions of an account and the user's labels.
public struct RemoteTree: Sendable, Equatable {
  /// The subscriptions in the server's order, if known.
  public var subscriptions: [RemoteFeed]
  /// True for an order that the user arranged; false for the order of the server's list.
  public var isArranged = false
  /// The labels that are not folders; `nil` if unknown.
  public var labels: [String]?
}

/// A page of a list of ids.
public struct RemotePage: Sendable, Equatable {
  /// The keys of articles, newest first; may be empty before the last page.
  public var ids: [String]
  /// The value that requests the next page; `nil` at the end.
  public var continuation: String?
  /// True if the server pointed back to this page, so that the rest is unknown.
  public var isCircular = false
}

/// A client for an account's server. Thread-safe. Signs in when needed.
public protocol RemoteBackend: Sendable {
  /// Checks the secret, and that the server's API exists and is switched on.
  func signIn() async throws(AccountError)
  /// Returns the user's subscriptions.
  func subscriptions() async throws(AccountError) -> [RemoteFeed]
  /// Returns the subscriptions with their order and the labels, if the protocol has them.
  func tree() async throws(AccountError) -> RemoteTree
  /// Returns one page of a list's keys, newest first. Throws `.unsupported` for a list that the
  /// protocol lacks.
  /// - Parameter continuation: the value of the previous page; `nil` for the first.
  func ids(_ list: RemoteList, after continuation: String?) async throws(AccountError)
    -> RemotePage
  /// Returns articles by key, without unknown ones.
  /// - Parameter ids: at most `itemsAtOnce`.
  func items(_ ids: [String]) async throws(AccountError) -> [RemoteArticle]
  /// Sends one change for several articles.
  /// - Parameter ids: at most `editsAtOnce`.
  func edit(_ ids: [String], _ edit: RemoteEdit) async throws(AccountError)
  /// Subscribes to an address; succeeds if the subscription already exists.
  func subscribe(url: String, title: String?, folder: String?) async throws(AccountError)
  /// Changes a subscription or a folder.
  func edit(_ edit: SubscriptionEdit) async throws(AccountError)
  /// The maximum number of articles fetched in one call.
  var itemsAtOnce: Int { get }
  /// The maximum number of articles changed in one call.
  var editsAtOnce: Int { get }
}

extension RemoteBackend {
  /// Returns the subscriptions in list order, without labels.
  public func tree() async throws(AccountError) -> RemoteTree {
    RemoteTree(subscriptions: try await subscriptions())
  }
}

/// The lists of keys that a pull fetches.
public enum RemoteList: Sendable {
  /// The keys of unread or of starred articles.
  case unread, starred
  /// The keys of articles with a label, as the server spells it.
  case label(String)
  /// The keys of all articles of a subscription, by its key.
  case subscription(String)
}
