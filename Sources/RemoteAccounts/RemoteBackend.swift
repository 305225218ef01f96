public import Foundation

// The protocols of aggregators: one request type per call with its mapper, and one backend per
// protocol. It stores nothing; the cache holds states, and the engine decides when to send.
//
// This file: the calls of an account, whichever protocol it speaks.

/// The configuration of an account, without its secret.
public struct BackendConfiguration: Sendable, Hashable, Codable {
  /// The protocols that Weir speaks. The raw value is the name in the cache and on the command
  /// line.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// The Google Reader API.
    case googleReader = "greader"
    case fever
  }
  public var kind: Kind
  /// The API's address, http or https, without a slash at the end.
  public var baseURL: String
  public var user: String
  /// Weir's name as a client.
  public var clientName: String

  /// Whether the address is that of a FreshRSS API.
  var isFreshRSS: Bool { FreshRSSText.isEscaped(at: baseURL) }

  /// - Parameter baseURL: slashes at its end are removed.
  public init(kind: Kind, baseURL: String, user: String, clientName: String = "Weir") {
    self.kind = kind
    var base = baseURL
    while base.hasSuffix("/") { base.removeLast() }
    self.baseURL = base
    self.user = user
    self.clientName = clientName
  }
}

/// A state of an article that travels both ways.
public enum RemoteState: Sendable, Hashable {
  case read, starred
  /// A label of the user's, as the server spells it.
  case label(String)
}

/// A change of one article's state.
public struct RemoteEdit: Sendable, Hashable {
  public var state: RemoteState
  /// True sets the state, false removes it.
  public var isSet: Bool

  /// - Parameter isSet: false removes the state.
  public init(_ state: RemoteState, isSet: Bool) {
    self.state = state
    self.isSet = isSet
  }
}

/// A subscription at the server.
public struct RemoteSubscription: Sendable, Equatable {
  /// The server's opaque key.
  public var id: String
  /// Plain text as the server shows it; it may differ from the text sent and is never sent back.
  public var title: String
  /// The feed's address, if known.
  public var url: String?
  /// The feed's web page, if known.
  public var homePageURL: String?
  /// Folder names; most servers allow one.
  public var folders: [String] = []
  /// Eight hexadecimal digits of the user's order; `nil` without an order.
  public var sortID: String?
}

/// An article at the server, not sanitised.
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
  /// Whether the user arranged the order; else it is that of the list.
  public var isArranged = false
  /// The labels without folders; `nil` if unknown.
  public var labels: [String]?
}

/// A file that comes with an article.
public struct RemoteEnclosure: Sendable, Equatable {
  public var url: String
  /// The type according to the server, if known.
  public var mimeType: String?
  /// Bytes according to the server, if known.
  public var size: Int64?
}

/// One page of a walk over ids.
public struct RemotePage: Sendable, Equatable {
  /// Keys of articles, newest first; may be empty before the last page.
  public var ids: [String]
  /// Requests the next page; `nil` at the end.
  public var continuation: String?
  /// Whether the server led back to this page, so that the rest is unknown.
  public var isCircular = false
}

/// An account's server. Thread-safe. Signs in when needed.
public protocol RemoteBackend: Sendable {
  /// Checks the secret, and that the server's API is there and switched on.
  func signIn() async throws(AccountError)
  /// Returns the user's subscriptions.
  func subscriptions() async throws(AccountError) -> [RemoteSubscription]
  /// Returns the subscriptions with their order and the labels, if the protocol has them.
  func tree() async throws(AccountError) -> RemoteTree
  /// Returns one page of a list's keys, newest first. Throws `.unsupported` for a list that the
  /// protocol lacks.
  /// - Parameter continuation: of the previous page; `nil` for the first.
  func ids(_ list: RemoteList, after continuation: String?) async throws(AccountError)
    -> RemotePage
  /// Returns articles by key, without unknown ones.
  /// - Parameter ids: at most `itemsAtOnce`.
  func items(_ ids: [String]) async throws(AccountError) -> [RemoteItem]
  /// Sends one change for several articles.
  /// - Parameter ids: at most `editsAtOnce`.
  func edit(_ ids: [String], _ edit: RemoteEdit) async throws(AccountError)
  /// Subscribes to an address; succeeds where the subscription already exists.
  func subscribe(url: String, title: String?, folder: String?) async throws(AccountError)
  /// Ends a subscription; succeeds if there is none.
  func unsubscribe(_ id: String) async throws(AccountError)
  /// Renames a subscription.
  func rename(_ id: String, to title: String) async throws(AccountError)
  /// Moves a subscription between folders; `nil` is no folder.
  func move(_ id: String, from old: String?, to new: String?) async throws(AccountError)
  /// Renames a folder with its contents; succeeds if it does not exist.
  func renameFolder(_ name: String, to new: String) async throws(AccountError)
  /// Removes a folder but not its subscriptions; succeeds if it does not exist.
  func removeFolder(_ name: String) async throws(AccountError)
  /// The most articles that may be fetched in one call.
  var itemsAtOnce: Int { get }
  /// The most articles that may be changed in one call.
  var editsAtOnce: Int { get }
  /// Whether the server may toggle a star, so that only differing stars may be sent.
  var mayToggleStars: Bool { get }
  /// Whether a repeated request may remove a state. The shown state tells after a change.
  var mayToggle: Bool { get }
}

extension RemoteBackend {
  /// False, as stars are set and removed as requested.
  public var mayToggleStars: Bool { false }

  /// False, as requests can be repeated.
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

/// The lists of keys that are pulled.
public enum RemoteList: Sendable {
  /// The keys of unread articles; of starred ones.
  case unread, starred
  /// Articles with a label, as the server spells it.
  case label(String)
  /// All articles of a subscription, by its key.
  case subscription(String)
}
