// The kinds of operations, one per file, and their shared parts.

import FeedParsing
import Foundation
import Synchronization

/// The rules by which the engine treats operations of one kind.
struct OperationPolicy: Sendable {
  /// True if the operation waits when the network fails, instead of failing.
  var waitsForNetwork = true
  /// True if a failure that the network may have caused is retried once.
  var suspectsNetwork = false
  /// True if the user requested it. The operation may then run offline and probe the network.
  var isRequested = false
  /// True if the operation counts in a sync's progress.
  var isCounted = false
  var concernsAccount = false
  /// True if the operation may finish when the engine stops.
  var finishesAtEnd = false
  /// True if the operation serves a reader; a run until idle skips it.
  var isForReading = false
  /// True if the operation belongs to a pack; a run for a pack does nothing else.
  var isOfPack = false

  func belongs(to mode: RunMode) -> Bool {
    switch mode {
    case .serving: true
    case .untilIdle(.pack): isOfPack
    case .untilIdle: !isForReading
    }
  }
}

/// A unit of work that needs the network: preflight → fetch → digest → store.
/// `OperationRunner` runs the stages; `EngineState` decides about queueing and retries.
protocol SyncOperation: Sendable {
  associatedtype Answer: Sendable
  associatedtype Outcome: Sendable

  static var kind: OperationKind { get }
  static var policy: OperationPolicy { get }
  /// Returns the argument of `OperationKind.title`; `nil` if the row no longer exists.
  static func name(of row: Int64, in context: OperationContext) throws(StoreError) -> String?
  /// Returns the waiting rows of this kind in the order in which they run. Called when requests
  /// change.
  static func pending(in context: OperationContext) throws(StoreError) -> [OperationEntry]
  /// Returns the rows of this kind that are still wanted; operations of other rows are cancelled.
  /// `nil` if this kind is cancelled by other means.
  static func wanted(in context: OperationContext) throws(StoreError) -> Set<Int64>?

  /// Returns `nil` if the row no longer exists.
  init?(row: Int64, fetcher: Fetcher, context: OperationContext) throws(StoreError)
  /// The first web address that the operation requests.
  var address: String? { get }
  /// Returns the event published before the fetch.
  func started(_ priority: OperationPriority) -> SyncEvent?
  /// Returns the outcome that needs no request; `nil` to fetch.
  func preflight() throws(StoreError) -> Outcome?
  /// Performs the part that uses the network. May store results page by page.
  func fetch() async throws(StoreError) -> Answer
  /// Returns the effect on the network's state; `nil` for none.
  func networkEnd(of answer: Answer) -> OperationEnd?
  /// Interprets the answer. Returns `nil` if cancelled; nothing is then written.
  func digest(_ answer: Answer) async -> Outcome?
  func store(_ outcome: Outcome) async throws(StoreError) -> [SyncEvent]
  /// Returns the failure to store if the cache refuses a value of the answer; `nil` if there is no
  /// row for it, so that the error concerns the whole cache.
  func refusal(_ reason: FailureDetail) -> Outcome?
  /// Ends the operation before it is stored, with its row unchanged.
  func abandon() async
}

extension SyncOperation {
  static var policy: OperationPolicy { OperationPolicy() }
  static func pending(in context: OperationContext) throws(StoreError) -> [OperationEntry] { [] }
  static func wanted(in context: OperationContext) throws(StoreError) -> Set<Int64>? { nil }
  func started(_ priority: OperationPriority) -> SyncEvent? { nil }
  func preflight() throws(StoreError) -> Outcome? { nil }
  func refusal(_ reason: FailureDetail) -> Outcome? { nil }
  func abandon() async {}

  static func key(_ row: Int64) -> OperationKey { OperationKey(kind: kind, row: row) }

  static func entry(
    _ row: Int64, host: String, _ priority: OperationPriority, in context: OperationContext
  ) -> OperationEntry {
    OperationEntry(
      key: key(row), host: host, priority: priority, enqueuedAt: context.clock.now())
  }
}

/// An outcome that may be a failure.
protocol WorkOutcome: Sendable {
  static func failed(_ failure: RefreshFailure) -> Self
}

extension Discovery.State: WorkOutcome {}
extension Download.State: WorkOutcome {}
extension FullTextOutcome: WorkOutcome {}
extension OlderPostsOutcome: WorkOutcome {
  static func failed(_ failure: RefreshFailure) -> Self { .failed(failure, page: nil) }
}
extension PackOutcome: WorkOutcome {}
extension PictureOutcome: WorkOutcome {}
extension Result: WorkOutcome where Success == [Chapter], Failure == RefreshFailure {
  static func failed(_ failure: RefreshFailure) -> Self { .failure(failure) }
}

/// An operation that requests the address of a waiting row, and writes the outcome into the row.
protocol WorkOperation: SyncOperation where Outcome: WorkOutcome {
  associatedtype Work: WorkFacet where Work.Task: WorkTask

  /// Returns the tasks that may run now, in their order.
  static func tasks(in context: OperationContext) throws(StoreError) -> [Work.Task]
  static func priority(of task: Work.Task, in context: OperationContext) -> OperationPriority
  /// Returns the first address that the operation requests; any text if there is none.
  static func url(of task: Work.Task) -> String

  var task: Work.Task { get }
  var fetcher: Fetcher { get }
  init?(task: Work.Task, fetcher: Fetcher, context: OperationContext) throws(StoreError)
}

extension WorkOperation {
  private static func work(_ context: OperationContext) -> Work {
    Work(database: context.store.database)
  }

  static func tasks(in context: OperationContext) throws(StoreError) -> [Work.Task] {
    try work(context).pending()
  }
  static func url(of task: Work.Task) -> String { task.url }

  static func name(of row: Int64, in context: OperationContext) throws(StoreError) -> String? {
    try work(context).name(row)
  }

  static func pending(in context: OperationContext) throws(StoreError) -> [OperationEntry] {
    try tasks(in: context).map { task in
      let host = WebAddress(url(of: task)).hostKey ?? ""
      return entry(task.id, host: host, priority(of: task, in: context), in: context)
    }
  }

  static func wanted(in context: OperationContext) throws(StoreError) -> Set<Int64>? {
    try work(context).waiting()
  }

  init?(row: Int64, fetcher: Fetcher, context: OperationContext) throws(StoreError) {
    guard let task = try Self.work(context).task(row) else { return nil }
    try self.init(task: task, fetcher: fetcher, context: context)
  }

  var url: String { Self.url(of: task) }
  var address: String? { WebAddress(url).isHTTP ? url : nil }
  var host: String { WebAddress(url).hostKey ?? "" }

  func preflight() throws(StoreError) -> Outcome? { preflightFailure.map(Outcome.failed) }

  func networkEnd<T: Sendable>(of answer: Result<T, FetchFailure>) -> OperationEnd? {
    answer.networkEnd(host: host)
  }

  func refusal(_ reason: FailureDetail) -> Outcome? {
    .failed(fetcher.failure(.storage, detail: reason))
  }

  /// The failure that needs no request, because the address is not on the web or the host is in
  /// back-off; `nil` to send the request.
  var preflightFailure: RefreshFailure? {
    guard WebAddress(url).isHTTP else { return fetcher.failure(.unsupportedScheme) }
    return fetcher.pauseStatus(of: url).map { fetcher.failure(.rateLimited, status: $0) }
  }
}

/// All kinds of operations. A new kind needs a case of `OperationKind`, a file, and a line here.
enum OperationKinds {
  static let all: [any SyncOperation.Type] = [
    RefreshOperation.self,
    DiscoveryOperation.self,
    FullTextOperation.self,
    DownloadOperation.self,
    PushOperation.self,
    PullOperation.self,
    PictureOperation.self,
    PackOperation.self,
    RuleProgramOperation.self,
    OlderPostsOperation.self,
    ChapterOperation.self,
  ]
}

/// The shared parts of operations.
struct OperationContext: Sendable {
  let store: EngineCache
  let accountSync: AccountSync
  let configuration: SyncConfiguration
  /// Events that are not read are dropped, oldest first.
  let events = AsyncStream<SyncEvent>.makeStream(bufferingPolicy: .bufferingNewest(4_096))
  let clock: EngineClock
  let merger: Merger
  let pool = ParsingPool()
  let hosts = HostRegistry()
  let gate: HostGate
  let local: LocalSourceReader
  let identities: Identities
  let transfers = TransferMonitor()
  let records = LoadedRecords()
  let minimumRate = MinimumRate()
  let packBudget = PackBudget()
  let downloads: DownloadGate
  private let lazyTransport: LazyTransport

  /// - Parameter transport: called once, at the first work.
  init(
    store: EngineCache, accounts: AccountSyncCache, configuration: SyncConfiguration,
    clock: EngineClock, transport: @escaping @Sendable () -> any HTTPTransport
  ) {
    (self.store, self.configuration, self.clock) = (store, configuration, clock)
    lazyTransport = LazyTransport(transport)
    accountSync = AccountSync(
      accounts: accounts, configuration: configuration, clock: clock,
      transport: { [lazyTransport] in lazyTransport.value })
    merger = Merger(store: store, expectsMore: { [transfers] in transfers.isFetching })
    gate = HostGate(limits: configuration.hostLimits)
    downloads = DownloadGate(limits: configuration.downloads, calendar: configuration.calendar)
    local = LocalSourceReader(gate: gate, limit: TransferLimits().decodedBody)
    identities = Identities(settings: configuration.settings, reader: local)
  }

  var transport: any HTTPTransport { lazyTransport.value }

  func emit(_ event: SyncEvent) {
    configuration.trace?(event)
    events.continuation.yield(event)
  }

  /// True if a server or the shared folder lacks changes.
  var hasUnsent: Bool {
    do throws(StoreError) {
      if try store.sharedFolder.hasUnsent() { return true }
      return try accountSync.accounts.hasOutbox()
    } catch {
      emit(.storeFailed(error))
      return false
    }
  }

  func kind(_ key: OperationKey) -> (any SyncOperation.Type)? {
    configuration.kinds.first { $0.kind == key.kind }
  }

  /// - Parameter id: 0 for exchanges without an operation.
  func fetcher(
    for id: OperationID = 0, timeouts: ConnectionTimeouts = ConnectionTimeouts(silence: 20),
    token: PauseToken? = nil
  ) -> Fetcher {
    var limits = TransferLimits()
    limits.silence = max(limits.silence, timeouts.silence)
    limits.connect = max(limits.connect, timeouts.connect ?? 0)
    limits.receiveBuffer = timeouts.receiveBuffer
    let (entry, clock) = (transfers.entry(of: id), clock)
    return Fetcher(
      transport: transport, hosts: hosts, gate: gate, identities: identities, local: local,
      limits: limits, date: clock.date, observe: { entry.observed($0, at: clock.now()) },
      transfer: entry, token: token, minimumRate: minimumRate)
  }

  /// The timeout of a probe: a connection may wait in the queue of a slow network.
  private static let probeTimeout = Duration.seconds(10)

  /// Returns true if an address, or that of an operation, accepts a connection.
  func reaches(_ url: String?, _ key: OperationKey?) async throws(StoreError) -> Bool {
    var url = url
    if let key { url = try address(of: key) }
    guard let url else { return false }
    return await transport.reaches(
      url, through: configuration.settings(url).proxy, within: Self.probeTimeout.seconds)
  }

  /// Returns the first web address of the work, if any.
  private func address(of key: OperationKey) throws(StoreError) -> String? {
    guard let kind = kind(key) else { return nil }
    return try address(kind, key.row)
  }

  private func address<Operation: SyncOperation>(
    _ kind: Operation.Type, _ row: Int64
  ) throws(StoreError) -> String? {
    try Operation(row: row, fetcher: fetcher(), context: self)?.address
  }
}

private final class LazyTransport: Sendable {
  private let make: @Sendable () -> any HTTPTransport
  private let made = Mutex<(any HTTPTransport)?>(nil)

  init(_ make: @escaping @Sendable () -> any HTTPTransport) { self.make = make }

  var value: any HTTPTransport {
    made.withLock { made in
      if let made { return made }
      let new = make()
      made = new
      return new
    }
  }
}
