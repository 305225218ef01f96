public import Foundation
@_exported public import Networking

// The protocols of aggregators: a request type with its mapping for each call, and a backend for
// each protocol. This module stores nothing; the cache holds states, and the engine decides when to
// send.
//
// This file: the calls of an account, for any protocol.

/// The configuration of an account, without its secret.
public struct BackendConfiguration: Sendable, Hashable, Codable {
  /// The supported protocols. The raw value is the name in the cache and on the command line.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// The Google Reader API.
    case googleReader = "greader"
    case fever
  }
  public var kind: Kind
  /// The API's http or https address, without a slash at the end.
  public var baseURL: String
  public var user: String
  /// The client name that Weir sends.
  public var clientName: String

  /// True if the address is that of a FreshRSS API.
  var isFreshRSS: Bool { FreshRSSText.isEscaped(at: baseURL) }

  /// - Parameter baseURL: the API's address; slashes at its end are removed.
  public init(kind: Kind, baseURL: String, user: String, clientName: String = "Weir") {
    self.kind = kind
    var base = baseURL
    while base.hasSuffix("/") { base.removeLast() }
    self.baseURL = base
    self.user = user
    self.clientName = clientName
  }
}

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

  /// - Parameter isSet: true to set the state, false to remove it.
  public init(_ state: RemoteState, isSet: Bool) {
    self.state = state
    self.isSet = isSet
  }
}

/// A subscription at the server.
public struct RemoteSubscription: Sendable, Equatable {
  /// The server's opaque key.
  public var id: String
  /// Plain text as the server shows it, which may differ from the text sent and is never sent back.
  public var title: String
  /// The feed's address, if known.
  public var url: String?
  /// The feed's web page, if known.
  public var homePageURL: String?
  /// Folder names; most servers allow one.
  public var folders: [String] = []
  /// Eight hexadecimal digits of the user's order; `nil` if there is no order.
  public var sortID: String?
}

/// An unsanitised article at the server.
public struct RemoteItem: Sendable, Equatable {
  /// The server's opaque key in this module's canonical form.
  public var id: String
  public var subscriptionID: String
  public var url: String?
  /// The server's title, perhaps with markup; may be empty.
  public var title = ""
  /// The article's text; may be empty.
  public var html = ""
  public var author: String?
  public var published: Date?
  public var tags: [String] = []
  /// The user's labels and the subscription's folders, which only the list of labels distinguishes.
  public var labels: [String] = []
  public var enclosures: [RemoteEnclosure] = []
  public var isRead = false
  public var isStarred = false
}

/// The subscriptions of an account and the user's labels.
public struct RemoteTree: Sendable, Equatable {
  /// The subscriptions in the server's order, if known.
  public var subscriptions: [RemoteSubscription]
  /// True for an order that the user arranged; false for the order of the server's list.
  public var isArranged = false
  /// The labels that are not folders; `nil` if unknown.
  public var labels: [String]?
}

/// A file attached to an article.
public struct RemoteEnclosure: Sendable, Equatable {
  public var url: String
  /// The type that the server states, if any.
  public var mimeType: String?
  /// The bytes that the server states, if any.
  public var size: Int64?
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
  func subscriptions() async throws(AccountError) -> [RemoteSubscription]
  /// Returns the subscriptions with their order and the labels, if the protocol has them.
  func tree() async throws(AccountError) -> RemoteTree
  /// Returns one page of a list's keys, newest first. Throws `.unsupported` for a list that the
  /// protocol lacks.
  /// - Parameter continuation: the value of the previous page; `nil` for the first.
  func ids(_ list: RemoteList, after continuation: String?) async throws(AccountError)
    -> RemotePage
  /// Returns articles by key, without unknown ones.
  /// - Parameter ids: at most `itemsAtOnce`.
  func items(_ ids: [String]) async throws(AccountError) -> [RemoteItem]
  /// Sends one change for several articles.
  /// - Parameter ids: at most `editsAtOnce`.
  func edit(_ ids: [String], _ edit: RemoteEdit) async throws(AccountError)
  /// Subscribes to an address; succeeds if the subscription already exists.
  func subscribe(url: String, title: String?, folder: String?) async throws(AccountError)
  /// Ends a subscription; succeeds if there is none.
  func unsubscribe(_ id: String) async throws(AccountError)
  /// Renames a subscription.
  func rename(_ id: String, to title: String) async throws(AccountError)
  /// Moves a subscription between folders; `nil` means no folder.
  func move(_ id: String, from old: String?, to new: String?) async throws(AccountError)
  /// Renames a folder, which keeps its contents; succeeds if there is no such folder.
  func renameFolder(_ name: String, to new: String) async throws(AccountError)
  /// Removes a folder but not its subscriptions; succeeds if it does not exist.
  func removeFolder(_ name: String) async throws(AccountError)
  /// The maximum number of articles fetched in one call.
  var itemsAtOnce: Int { get }
  /// The maximum number of articles changed in one call.
  var editsAtOnce: Int { get }
  /// True if the server may toggle a star, so that only differing stars may be sent.
  var mayToggleStars: Bool { get }
  /// True if a repeated request may remove a state, so that the shown state is checked first.
  var mayToggle: Bool { get }
}

extension RemoteBackend {
  /// Always false, as stars are set and removed as requested.
  public var mayToggleStars: Bool { false }

  /// Always false, as requests can be repeated.
  public var mayToggle: Bool { false }

  /// Returns the subscriptions in list order, without labels.
  public func tree() async throws(AccountError) -> RemoteTree {
    RemoteTree(subscriptions: try await subscriptions())
  }
}

/// Defaults for protocols without calls for folders.
extension RemoteBackend {
  /// Throws `.unsupported`.
  public func renameFolder(_ name: String, to new: String) async throws(AccountError) {
    throw .unsupported
  }

  /// Throws `.unsupported`.
  public func removeFolder(_ name: String) async throws(AccountError) { throw .unsupported }
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
