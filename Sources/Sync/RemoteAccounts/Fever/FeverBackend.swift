/// An account that uses Fever's API, which has states only. Subscriptions change at the server.
package actor FeverBackend: RemoteBackend {
  /// The API's limit of items for `with_ids`.
  package nonisolated let itemsAtOnce = 50
  /// The API's limit of items for `mark`.
  package nonisolated let editsAtOnce = 1

  private var baseURL: String
  private let user: String
  /// True once the API has answered at the address.
  private var isFound = false
  /// The last accepted key of user and password.
  private var key: String?
  private let client: NetworkClient
  private let password: @Sendable () async throws(AccountError) -> String

  /// - Parameters:
  ///   - url: the API's address, without a slash at the end.
  ///   - password: requested before the first call, and again if the server rejects the key.
  package init(
    _ url: String, user: String, client: NetworkClient,
    password: @escaping @Sendable () async throws(AccountError) -> String
  ) {
    (baseURL, self.user) = (url, user)
    self.client = client
    self.password = password
  }

  /// Requests the groups, which needs the key.
  package func signIn() async throws(AccountError) {
    key = nil
    _ = try await groups()
  }

  private func groups() async throws(AccountError) -> [String: String] {
    try await ask { $0.groups() }
  }

  /// Returns the subscriptions without order and labels; folders are the API's groups.
  package func subscriptions() async throws(AccountError) -> [RemoteFeed] {
    let groups = try await groups()
    return try await ask { $0.feeds(groups: groups) }
  }

  /// Returns all keys in one page. Throws `.unsupported` for a label or a subscription.
  package func ids(_ list: RemoteList, after continuation: String?) async throws(AccountError)
    -> RemotePage
  {
    let isStarred =
      switch list {
      case .unread: false
      case .starred: true
      case .label, .subscription: throw AccountError.unsupported
      }
    let ids = try await ask { $0.ids(isStarred: isStarred) }
    // Backends return the newest first.
    return RemotePage(ids: ids.reversed())
  }

  package func items(_ ids: [String]) async throws(AccountError) -> [RemoteArticle] {
    guard !ids.isEmpty else { return [] }
    return try await ask { $0.items(ids) }
  }

  /// Sends one request per article. Throws `.unsupported` for labels.
  package func edit(_ ids: [String], _ edit: RemoteEdit) async throws(AccountError) {
    if case .label = edit.state { throw .unsupported }
    for id in ids {
      do {
        try await ask { $0.mark(id, edit) }
      } catch .noSuchAPI(let status) {
        // Servers answer for a missing article as for a missing API; the groups show which it is.
        _ = try await groups()
        throw .refused(status: status, detail: "")
      }
    }
  }

  package func subscribe(url: String, title: String?, folder: String?) async throws(AccountError) {
    throw .unsupported
  }

  package func edit(_ edit: SubscriptionEdit) async throws(AccountError) { throw .unsupported }

  /// Retries once with a new password if the server rejects the key.
  private func ask<Value>(
    _ call: (FeverSession) -> AccountCall<Value>
  ) async throws(AccountError) -> Value {
    let old = key
    if let old {
      do {
        return try await ask(with: old, call)
      } catch .wrongCredentials {
        key = nil
      }
    }
    let new = MD5.hex(user + ":" + (try await password()))
    // A rejected key is not sent again.
    if new == old { throw .wrongCredentials }
    let value = try await ask(with: new, call)
    key = new
    return value
  }

  /// Sends a request. Miniflux has the API only at an address that ends with a slash, other servers
  /// only at the address without a slash. If nothing answers, tries the address with a slash, and
  /// keeps that address once the API has answered there.
  private func ask<Value>(
    with key: String, _ call: (FeverSession) -> AccountCall<Value>
  ) async throws(AccountError) -> Value {
    var session = FeverSession(baseURL: baseURL, key: key)
    // Read before the request, because a concurrent call may set `isFound`.
    let isFinal = isFound || baseURL.hasSuffix(".php")
    let value: Value
    do {
      value = try await client.answer(to: call(session))
    } catch .noSuchAPI(let status) {
      if isFinal { throw .noSuchAPI(status: status) }
      session.baseURL += "/"
      value = try await client.answer(to: call(session))
    }
    baseURL = session.baseURL
    isFound = true
    return value
  }
}
