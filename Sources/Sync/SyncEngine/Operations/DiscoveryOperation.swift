/// Searches for feeds at a typed address. The user waits for any outcome, so the search does not
/// wait for the network.
struct DiscoveryOperation: WorkOperation {
  typealias Work = DiscoveryWork

  static let kind = OperationKind.discovery
  static let policy = OperationPolicy(waitsForNetwork: false)

  let task: Discovery
  let fetcher: Fetcher
  let context: OperationContext

  static func priority(of task: Discovery, in context: OperationContext) -> OperationPriority {
    .userInitiated
  }
  static func url(of task: Discovery) -> String { FeedDiscoverer.firstAddress(of: task.url) ?? "" }

  /// The search itself leaves out hosts in back-off.
  func preflight() -> Discovery.State? { nil }

  func fetch() async -> Discovery.State? {
    try? await FeedDiscoverer(fetcher: fetcher, pool: context.pool).discover(task.url)
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

  func store(_ state: Discovery.State) async throws(StoreError) -> [SyncEvent] {
    try await context.store.discoveries.finishDiscovery(task.id, state)
    var ended = task
    ended.state = state
    return [.discoveryEnded(ended)]
  }
}
