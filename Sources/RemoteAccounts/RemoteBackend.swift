public import Foundation

// RemoteAccounts speaks the protocols of aggregators: one request type for each call, with its own
// response mapper, and one backend for each protocol. It keeps nothing: what is pending, pulled or
// shown belongs to the cache, when to send belongs to the engine.
//
// This file: what an account can be asked, whichever protocol it speaks.

/// How to reach an account. The secret is not part of it.
public struct BackendConfiguration: Sendable, Hashable, Codable {
  /// The protocols that Weir speaks. The raw value is the name in the cache and on the command
  /// line.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// The Google Reader API.
    case googleReader = "greader"
    case fever
  }
  public var kind: Kind
  /// The address that the server gives for its API, http or https, without a slash at the end.
  public var baseURL: String
  public var user: String
  /// How Weir names itself where a protocol asks for a client's name.
  public var clientName: String

  /// Whether the address is one of FreshRSS's two APIs.
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

/// A change of one article's state, as the server shall have it.
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

/// A subscription as the server has it.
public struct RemoteSubscription: Sendable, Equatable {
  /// The server's own key; opaque.
  public var id: String
  /// Plain text as the server shows it, which may differ from what was sent: never sent back.
  public var title: String
  /// The feed's address; nil if the server does not say it.
  public var url: String?
  /// The feed's web page; nil if the server does not say it.
  public var homePageURL: String?
  /// Folder names; most servers allow one.
  public var folders: [String]
  /// Eight hexadecimal digits by which the user's order names it; nil: the server has no order.
  public var sortID: String?

  /// What is not given is nil or empty.
  public init(
    id: String, title: String, url: String?, homePageURL: String? = nil, folders: [String] = [],
    sortID: String? = nil
  ) {
    self.id = id
    self.title = title
    self.url = url
    self.homePageURL = homePageURL
    self.folders = folders
    self.sortID = sortID
  }
}

/// An article as the server has it. Nothing of it is sanitised.
public struct RemoteItem: Sendable, Equatable {
  /// The server's own key in the form in which this module gives and takes it; opaque.
  public var id: String
  public var subscriptionID: String
  public var url: String?
  /// As the server sends it, perhaps with markup; may be empty.
  public var title: String
  /// The article's text; may be empty.
  public var html: String
  /// Nil: the server names no author.
  public var author: String?
  /// Nil: the server gives no date.
  public var published: Date?
  public var tags: [String]
  /// Labels of the user, and folders of the subscription: only the list of labels tells which.
  public var labels: [String]
  /// In the order of the server.
  public var enclosures: [RemoteEnclosure]
  public var isRead: Bool
  public var isStarred: Bool

  /// What is not given is nil, false or empty.
  public init(
    id: String, subscriptionID: String, url: String? = nil, title: String = "", html: String = "",
    author: String? = nil, published: Date? = nil, tags: [String] = [],
    labels: [String] = [], enclosures: [RemoteEnclosure] = [], isRead: Bool = false,
    isStarred: Bool = false
  ) {
    self.id = id
    self.subscriptionID = subscriptionID
    self.url = url
    self.title = title
    self.html = html
    self.author = author
    self.published = published
    self.tags = tags
    self.labels = labels
    self.enclosures = enclosures
    self.isRead = isRead
    self.isStarred = isStarred
  }
}

/// What an account is subscribed to, and the labels that its user gave articles.
public struct RemoteTree: Sendable, Equatable {
  /// In the order of the server's screens, as far as the server tells it.
  public var subscriptions: [RemoteSubscription]
  /// Whether the user arranged that order there; false: it is the one of the list.
  public var isArranged: Bool
  /// Without folders; nil: the server does not tell them.
  public var labels: [String]?

  /// - Parameter isArranged: the user arranged the order there.
  public init(
    subscriptions: [RemoteSubscription], isArranged: Bool = false, labels: [String]? = nil
  ) {
    self.subscriptions = subscriptions
    self.isArranged = isArranged
    self.labels = labels
  }
}

/// A file that comes with an article.
public struct RemoteEnclosure: Sendable, Equatable {
  public var url: String
  /// As the server claims; nil: it does not say.
  public var mimeType: String?
  /// Bytes, as the server claims.
  public var size: Int64?

  /// What is not given is nil: unknown.
  public init(url: String, mimeType: String? = nil, size: Int64? = nil) {
    self.url = url
    self.mimeType = mimeType
    self.size = size
  }
}

/// One page of a walk over ids.
public struct RemotePage: Sendable, Equatable {
  /// Keys of articles, newest first; may be empty although there is another page.
  public var ids: [String]
  /// Asks for the page after this one; nil at the end.
  public var continuation: String?
  /// The server led back to this page: what else there is remains unknown.
  public var isCircular: Bool

  /// The last page, unless a continuation is given.
  public init(ids: [String], continuation: String? = nil, isCircular: Bool = false) {
    self.ids = ids
    self.continuation = continuation
    self.isCircular = isCircular
  }
}

/// An account's server. Thread-safe. Signs in by itself, and again where a session has ended.
public protocol RemoteBackend: Sendable {
  /// Checks the secret, and that the server's API is there and switched on.
  func signIn() async throws(AccountError)
  /// The feeds that the user follows there.
  func subscriptions() async throws(AccountError) -> [RemoteSubscription]
  /// As `subscriptions`, with their order and the labels where the protocol has them.
  func tree() async throws(AccountError) -> RemoteTree
  /// One page of the keys of a list's articles, newest first. `.unsupported` for a list that the
  /// protocol does not have.
  /// - Parameter continuation: of the page before; nil for the first.
  func ids(_ list: RemoteList, after continuation: String?) async throws(AccountError)
    -> RemotePage
  /// Articles by key. A server leaves out what it does not know.
  /// - Parameter ids: at most `itemsAtOnce`.
  func items(_ ids: [String]) async throws(AccountError) -> [RemoteItem]
  /// Sends one change for several articles.
  /// - Parameter ids: at most `editsAtOnce`.
  func edit(_ ids: [String], _ edit: RemoteEdit) async throws(AccountError)
  /// Subscribes to an address; succeeds where the subscription already exists.
  func subscribe(url: String, title: String?, folder: String?) async throws(AccountError)
  /// Ends a subscription; succeeds if there is none.
  func unsubscribe(_ id: String) async throws(AccountError)
  /// Gives a subscription another name.
  func rename(_ id: String, to title: String) async throws(AccountError)
  /// Puts a subscription into one folder and takes it out of another; nil is no folder.
  func move(_ id: String, from old: String?, to new: String?) async throws(AccountError)
  /// Renames a folder with all that is in it; succeeds if there is none of that name.
  func renameFolder(_ name: String, to new: String) async throws(AccountError)
  /// Removes a folder, and what is in it from it; succeeds if there is none of that name.
  func removeFolder(_ name: String) async throws(AccountError)
  /// The most articles that may be fetched in one call.
  var itemsAtOnce: Int { get }
  /// The most articles that may be changed in one call.
  var editsAtOnce: Int { get }
  /// Whether the server may turn a star around instead of setting it: then only a star that differs
  /// from the server's may be sent.
  var mayToggleStars: Bool { get }
  /// Whether the server may remove a state that is set already when it is asked to set it. Such a
  /// server is recognised by what it shows after a change.
  var mayToggle: Bool { get }
}

extension RemoteBackend {
  /// False: the server sets a star and removes it, as it is asked.
  public var mayToggleStars: Bool { false }

  /// False: a request can be repeated.
  public var mayToggle: Bool { false }

  /// The subscriptions in the order of the list, without labels.
  public func tree() async throws(AccountError) -> RemoteTree {
    RemoteTree(subscriptions: try await subscriptions())
  }
}

/// For protocols that have no calls for folders.
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
  /// With a label, as the server spells it.
  case label(String)
  /// All of one subscription, by its key.
  case subscription(String)
}
