/// An account that uses the Google Reader API: FreshRSS, Miniflux, Inoreader, The Old Reader,
/// BazQux, FeedHQ, NewsBlur.
package actor GoogleReaderBackend: RemoteBackend {
  /// The limit of keys in one `stream/items/contents`.
  package nonisolated let itemsAtOnce = 250
  /// The limit of keys in one `edit-tag`.
  package nonisolated let editsAtOnce = 100

  private let (baseURL, user): (String, String)
  private let client: NetworkClient
  private let password: @Sendable () async throws(AccountError) -> String
  private var session: GoogleReaderSession?
  /// The last password that the server accepted.
  private var accepted: String?
  /// False after the server has refused the tags of articles that are kept unread.
  private var keepsUnread = true

  /// - Parameters:
  ///   - url: the API's address, without a slash at the end.
  ///   - password: requested for each session.
  package init(
    _ url: String, user: String, client: NetworkClient,
    password: @escaping @Sendable () async throws(AccountError) -> String
  ) {
    (baseURL, self.user) = (url, user)
    self.client = client
    self.password = password
  }

  package func signIn() async throws(AccountError) {
    session = nil
    _ = try await signedIn()
  }

  /// Returns the result of `subscription/list`, not in the user's order.
  package func subscriptions() async throws(AccountError) -> [RemoteFeed] {
    try await ask { $0.subscriptions() }
  }

  /// Returns the tree, without order and labels if the server cannot list them.
  package func tree() async throws(AccountError) -> RemoteTree {
    let subscriptions = try await subscriptions()
    let tags = try await optional { $0.tags() }
    var tree = RemoteTree(subscriptions: subscriptions, labels: tags?.labels(of: subscriptions))
    if subscriptions.contains(where: { $0.sortID != nil }),
      let orders = try await optional({ $0.orders() }),
      !orders.isEmpty
    {
      let order = SubscriptionOrder(orders: orders, sortIDs: tags?.sortIDs ?? [:])
      (tree.subscriptions, tree.isArranged) = (order.sorted(subscriptions), true)
    }
    return tree
  }

  /// Returns `nil` if the server does not support the call or cannot answer it.
  private func optional<Value>(
    _ call: (GoogleReaderSession) -> AccountCall<Value>
  ) async throws(AccountError) -> Value? {
    do {
      return try await ask(call)
    } catch {
      switch error {
      case .refused, .noSuchAPI, .unusable, .unsupported: return nil
      default: throw error
      }
    }
  }

  package func ids(_ list: RemoteList, after continuation: String?) async throws(AccountError)
    -> RemotePage
  {
    try await ask { $0.ids(list, after: continuation) }
  }

  package func items(_ ids: [String]) async throws(AccountError) -> [RemoteArticle] {
    guard !ids.isEmpty else { return [] }
    return try await ask(isChange: true) { $0.items(ids) }
  }

  /// Sends a change by `edit-tag`. Articles marked unread are also tagged as kept unread, once the
  /// change has succeeded; the answer to that never fails the change.
  package func edit(_ ids: [String], _ edit: RemoteEdit) async throws(AccountError) {
    guard !ids.isEmpty else { return }
    try await ask(isChange: true) { $0.edit(ids, edit) }
    guard edit == RemoteEdit(.read, isSet: false), keepsUnread, let session else { return }
    do {
      try await client.answer(to: session.tagKeptUnread(ids))
    } catch {
      keepsUnread = false
    }
  }

  /// Subscribes by `subscription/quickadd`, then sets the title and the folder.
  package func subscribe(url: String, title: String?, folder: String?) async throws(AccountError) {
    guard let id = try await ask(isChange: true, { $0.quickAdd(url) }) else { return }
    if let title { try await edit(.rename(id, to: title)) }
    if let folder { try await edit(.move(id, from: nil, to: folder)) }
  }

  package func edit(_ edit: SubscriptionEdit) async throws(AccountError) {
    try await ask(isChange: true) { $0.edit(edit) }
  }

  // MARK: Sessions

  /// Sends a call of a session. After a rejection, renews the token of a change, then the session.
  /// Throws `.busy` for a rejection in a new session, which is retried later: a rejected password
  /// is not sent again.
  private func ask<Value>(
    isChange: Bool = false, _ call: (GoogleReaderSession) -> AccountCall<Value>
  ) async throws(AccountError) -> Value {
    var renewals = isChange ? 2 : 1
    while true {
      let current = try await isChange ? withToken() : signedIn()
      do {
        return try await client.answer(to: call(current))
      } catch .wrongCredentials {
        guard renewals > 0 else { throw .busy(status: 403, retryAfter: nil) }
        if renewals == 2 { session?.token = nil } else { session = nil }
        renewals -= 1
      }
    }
  }

  private func signedIn() async throws(AccountError) -> GoogleReaderSession {
    if let session { return session }
    let password = try await password()
    let auth: String
    do {
      auth = try await client.answer(
        to: GoogleReaderSession.signIn(at: baseURL, user: user, password: password))
    } catch .refused(403, _) {
      // A previously accepted password is not wrong: another program rejects the request.
      throw password == accepted ? .busy(status: 403, retryAfter: nil) : .wrongCredentials
    }
    accepted = password
    let new = GoogleReaderSession(baseURL: baseURL, auth: auth, token: nil)
    session = new
    return new
  }

  private func withToken() async throws(AccountError) -> GoogleReaderSession {
    var current = try await signedIn()
    if current.token != nil { return current }
    current.token = try await ask { $0.changeToken() }
    // `ask` may have started another session.
    if let session { current.auth = session.auth }
    session = current
    return current
  }
}
