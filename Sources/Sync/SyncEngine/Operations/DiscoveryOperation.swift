/// Searches for feeds at a typed address. The user waits for any outcome, so the search does not
/// wait for the network.
struct DiscoveryOperation: SyncOperation {
  typealias Answer = Discovery.State?

  static let kind = OperationKind.discovery
  static let policy = OperationPolicy(waitsForNetwork: false)

  let discovery: Discovery
  let fetcher: Fetcher
  let context: OperationContext

  init?(row: Int64, fetcher: Fetcher, context: OperationContext) throws(StoreError) {
    guard let discovery = try context.store.requests.discovery(row), discovery.state == .waiting
    else {
      return nil
    }
    (self.discovery, self.fetcher, self.context) = (discovery, fetcher, context)
  }

  static func name(
    of row: Int64, in context: OperationContext
  ) throws(StoreError) -> String? {
    try context.store.requests.discovery(row)?.url
  }

  static func pending(in context: OperationContext) throws(StoreError) -> [OperationEntry] {
    try context.store.requests.pendingDiscoveries().map { discovery in
      entry(discovery.id, host: FeedDiscoverer.host(of: discovery.url), .userInitiated, in: context)
    }
  }

  static func wanted(in context: OperationContext) throws(StoreError) -> Set<Int64>? {
    Set(try context.store.requests.pendingDiscoveries().map(\.id))
  }

  var address: String? { FeedDiscoverer.firstAddress(of: discovery.url) }

  func fetch() async -> Discovery.State? {
    try? await FeedDiscoverer(fetcher: fetcher, pool: context.pool).discover(discovery.url)
  }

  func networkEnd(of answer: Discovery.State?) -> OperationEnd? {
    switch answer {
    case nil: .cancelled
    // A failure without a status may have had no answer.
    case .failed(let failure) where failure.status == nil: nil
    default: .answered
    }
  }

  func digest(_ answer: Discovery.State?) -> Discovery.State? { answer }

  func refusal(_ reason: FailureDetail) -> Discovery.State? {
    .failed(fetcher.failure(.storage, detail: reason))
  }

  func store(_ state: Discovery.State) async throws(StoreError) -> [SyncEvent] {
    try await context.store.requests.finishDiscovery(discovery.id, state)
    var ended = discovery
    ended.state = state
    return [.discoveryEnded(ended)]
  }
}
