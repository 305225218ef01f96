/// An account that uses the Google Reader API: FreshRSS, Miniflux, Inoreader, The Old Reader,
/// BazQux, FeedHQ, NewsBlur.
public actor GoogleReaderBackend: RemoteBackend {
  /// The limit of keys in one `stream/items/contents`.
  public nonisolated let itemsAtOnce = 250
  /// The limit of keys in one `edit-tag`.
  public nonisolated let editsAtOnce = 100
  /// True except for FreshRSS: Miniflux before 2.3.0 removes a state that a request sets a second
  /// time.
  public nonisolated let mayToggle: Bool

  private let configuration: BackendConfiguration
  private let client: NetworkClient
  private let password: @Sendable () async throws(AccountError) -> String
  private var session: GoogleReaderSession?
  /// The last password that the server accepted.
  private var accepted: String?
  /// False after the server has refused the tags of articles that are kept unread.
  private var keepsUnread = true

  /// - Parameter password: requested for each session.
  public init(
    _ configuration: BackendConfiguration, client: NetworkClient,
    password: @escaping @Sendable () async throws(AccountError) -> String
  ) {
    self.configuration = configuration
    mayToggle = !configuration.isFreshRSS
    self.client = client
    self.password = password
  }

  /// Starts a new session.
  public func signIn() async throws(AccountError) {
    session = nil
    _ = try await signedIn()
  }

  /// Returns the result of `subscription/list`, not in the user's order.
  public func subscriptions() async throws(AccountError) -> [RemoteSubscription] {
    try await ask { SubscriptionListRequest(session: $0) }
  }

  /// Returns the tree, without order and labels if the server cannot list them.
  public func tree() async throws(AccountError) -> RemoteTree {
    let subscriptions = try await subscriptions()
    let tags = try await optional { TagListRequest(session: $0) }
    var tree = RemoteTree(subscriptions: subscriptions, labels: tags?.labels(of: subscriptions))
    if subscriptions.contains(where: { $0.sortID != nil }),
      let orders = try await optional({ OrderRequest(session: $0) }),
      !orders.isEmpty
    {
      let order = SubscriptionOrder(orders: orders, sortIDs: tags?.sortIDs ?? [:])
      (tree.subscriptions, tree.isArranged) = (order.sorted(subscriptions), true)
    }
    return tree
  }

  /// Returns `nil` if the server does not support the call or cannot answer it.
  private func optional<Request: GoogleReaderRequest>(
    _ request: (GoogleReaderSession) -> Request
  ) async throws(AccountError) -> Request.Value? {
    do {
      return try await ask(request)
    } catch {
      switch error {
      case .refused, .noSuchAPI, .unusable, .unsupported: return nil
      default: throw error
      }
    }
  }

  /// Returns a page of keys from `stream/items/ids`.
  public func ids(_ list: RemoteList, after continuation: String?) async throws(AccountError)
    -> RemotePage
  {
    try await ask { ItemIDsRequest(session: $0, list: list, continuation: continuation) }
  }

  /// Returns articles from `stream/items/contents`.
  public func items(_ ids: [String]) async throws(AccountError) -> [RemoteItem] {
    guard !ids.isEmpty else { return [] }
    return try await change { ItemContentsRequest(session: $0, ids: ids) }
  }

  /// Sends a change by `edit-tag`. Articles marked unread are also tagged as kept unread, once the
  /// change has succeeded; the answer to that never fails the change.
  public func edit(_ ids: [String], _ edit: RemoteEdit) async throws(AccountError) {
    guard !ids.isEmpty else { return }
    try await change { EditTagRequest(session: $0, ids: ids, edit: edit) }
    guard edit == RemoteEdit(.read, isSet: false), keepsUnread, let session else { return }
    do {
      try await perform(KeepUnreadRequest(session: session, ids: ids))
    } catch {
      keepsUnread = false
    }
  }

  /// Subscribes by `subscription/quickadd`, then sets the title and the folder.
  public func subscribe(url: String, title: String?, folder: String?) async throws(AccountError) {
    guard let id = try await change({ QuickAddRequest(session: $0, url: url) }) else { return }
    if let title { try await rename(id, to: title) }
    if let folder { try await move(id, from: nil, to: folder) }
  }

  /// Unsubscribes by `subscription/edit`.
  public func unsubscribe(_ id: String) async throws(AccountError) {
    try await change { SubscriptionEditRequest(session: $0, id: id, action: .unsubscribe) }
  }

  /// Renames a subscription by `subscription/edit`.
  public func rename(_ id: String, to title: String) async throws(AccountError) {
    try await change { SubscriptionEditRequest(session: $0, id: id, action: .rename(title)) }
  }

  /// Moves a subscription by `subscription/edit`.
  public func move(_ id: String, from old: String?, to new: String?) async throws(AccountError) {
    try await change {
      SubscriptionEditRequest(session: $0, id: id, action: .move(from: old, to: new))
    }
  }

  /// Renames a folder by `rename-tag`.
  public func renameFolder(_ name: String, to new: String) async throws(AccountError) {
    try await change { FolderEditRequest(session: $0, name: name, newName: new) }
  }

  /// Removes a folder by `disable-tag`.
  public func removeFolder(_ name: String) async throws(AccountError) {
    try await change { FolderEditRequest(session: $0, name: name, newName: nil) }
  }

  // MARK: Sessions

  /// Retries once in a new session if the old one has ended. A rejected password is not sent again.
  private func ask<Request: GoogleReaderRequest>(
    _ request: (GoogleReaderSession) -> Request
  ) async throws(AccountError) -> Request.Value {
    let current = try await signedIn()
    do {
      return try await perform(request(current))
    } catch .wrongCredentials {
      session = nil
    }
    return try await performSignedIn(request(try await signedIn()))
  }

  /// Sends a change with a token. After a rejection, renews the token, then the session.
  private func change<Request: GoogleReaderRequest>(
    _ request: (GoogleReaderSession) -> Request
  ) async throws(AccountError) -> Request.Value {
    var current = try await withToken()
    do {
      return try await perform(request(current))
    } catch .wrongCredentials {
      session?.token = nil
    }
    current = try await withToken()
    do {
      return try await perform(request(current))
    } catch .wrongCredentials {
      session = nil
    }
    return try await performSignedIn(request(try await withToken()))
  }

  /// Performs a request after a sign-in. Throws `.busy` for a rejection, which is retried later.
  private func performSignedIn<Request: AccountRequest>(
    _ request: Request
  ) async throws(AccountError) -> Request.Value {
    do {
      return try await perform(request)
    } catch .wrongCredentials {
      throw .busy(status: 403, retryAfter: nil)
    }
  }

  private func signedIn() async throws(AccountError) -> GoogleReaderSession {
    if let session { return session }
    let request = SignInRequest(configuration: configuration, password: try await password())
    let auth: String
    do {
      auth = try await perform(request)
    } catch .refused(403, _) {
      // A previously accepted password is not wrong: another program rejects the request.
      throw request.password == accepted ? .busy(status: 403, retryAfter: nil) : .wrongCredentials
    }
    accepted = request.password
    let new = GoogleReaderSession(baseURL: configuration.baseURL, auth: auth, token: nil)
    session = new
    return new
  }

  private func withToken() async throws(AccountError) -> GoogleReaderSession {
    var current = try await signedIn()
    if current.token != nil { return current }
    current.token = try await ask { TokenRequest(session: $0) }
    // `ask` may have started another session.
    if let session { current.auth = session.auth }
    session = current
    return current
  }

  private func perform<Request: AccountRequest>(_ request: Request) async throws(AccountError)
    -> Request.Value
  {
    try await client.answer(to: request)
  }
}

extension NetworkClient {
  func answer<Request: AccountRequest>(to request: Request) async throws(AccountError)
    -> Request.Value
  {
    let result: Result<Request.Value, AccountError>
    do {
      result = try await perform(request)
    } catch {
      throw .transport(error)
    }
    return try result.get()
  }
}
