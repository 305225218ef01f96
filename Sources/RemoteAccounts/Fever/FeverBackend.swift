public import Networking

/// An account that speaks Fever's API: states only. Subscriptions are the server's to change.
public struct FeverBackend: RemoteBackend {
  public var itemsAtOnce: Int { 50 }
  public var editsAtOnce: Int { 1 }

  private let configuration: BackendConfiguration
  private let client: NetworkClient
  private let password: @Sendable () async throws(AccountError) -> String

  /// - Parameter password: asked for with each call: the key is made of it.
  public init(
    _ configuration: BackendConfiguration, client: NetworkClient,
    password: @escaping @Sendable () async throws(AccountError) -> String
  ) {
    self.configuration = configuration
    self.client = client
    self.password = password
  }

  private func key() async throws(AccountError) -> String {
    MD5.hex(configuration.user + ":" + (try await password()))
  }

  public func signIn() async throws(AccountError) {
    _ = try await groups()
  }

  private func groups() async throws(AccountError) -> [String: String] {
    try await client.answer(to: FeverGroupsRequest(configuration: configuration, key: key()))
  }

  public func subscriptions() async throws(AccountError) -> [RemoteSubscription] {
    let groups = try await groups()
    return try await client.answer(
      to: FeverFeedsRequest(configuration: configuration, key: key(), groups: groups))
  }

  public func ids(_ list: RemoteList, after continuation: String?) async throws(AccountError)
    -> RemotePage
  {
    let isStarred =
      switch list {
      case .unread: false
      case .starred: true
      case .subscription: throw AccountError.unsupported
      }
    let ids = try await client.answer(
      to: FeverIDsRequest(configuration: configuration, key: key(), isStarred: isStarred))
    // Newest first, as every backend gives them.
    return RemotePage(ids: ids.reversed())
  }

  public func items(_ ids: [String]) async throws(AccountError) -> [RemoteItem] {
    guard !ids.isEmpty else { return [] }
    return try await client.answer(
      to: FeverItemsRequest(configuration: configuration, key: key(), ids: ids))
  }

  public func edit(_ ids: [String], _ edit: RemoteEdit) async throws(AccountError) {
    for id in ids {
      do {
        try await client.answer(
          to: FeverMarkRequest(configuration: configuration, key: key(), id: id, edit: edit))
      } catch .noSuchAPI(let status) {
        // An article that the server has no more is answered like an address that it does not have.
        try await signIn()
        throw .refused(status: status, detail: "")
      }
    }
  }

  public func subscribe(url: String, title: String?, folder: String?) async throws(AccountError) {
    throw .unsupported
  }

  public func unsubscribe(_ id: String) async throws(AccountError) { throw .unsupported }

  public func rename(_ id: String, to title: String) async throws(AccountError) {
    throw .unsupported
  }

  public func move(_ id: String, from old: String?, to new: String?) async throws(AccountError) {
    throw .unsupported
  }
}
