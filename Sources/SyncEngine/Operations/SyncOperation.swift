// What may enter this folder: the kinds of operations, one file each, from a row that waits for the
// network to what is written; what several of them need on the way; and the one runner of all.

import FeedModel
import FeedStore
import Foundation
import NetworkMeasurement
import Networking
import RateLimiting
import Synchronization

/// How one kind of operation differs from the others.
struct OperationKind: Sendable {
  /// The kind's number in operation keys and rows.
  var id: Int
  /// When the network fails, the operation waits for it instead of failing.
  var waitsForNetwork = true
  /// A failure that the network may have caused is tried once more.
  var suspectsNetwork = false
  /// The user asked for it. It may run while offline, whatever its priority, and so probes the
  /// network.
  var isRequested = false
  /// Counts in the progress of a sync; its row shows its phase.
  var isCounted = false
  /// When it ends, other work of its account may be due.
  var concernsAccount = false
  /// It may finish when the engine stops, within the time for that.
  var finishesAtEnd = false
  /// Somebody reads what it fetches, or will: a run that is to end does nothing of this kind.
  var isForReading = false
  /// A run that makes a pack does nothing else.
  var isOfPack = false

  /// Whether a run does work of this kind.
  func belongs(to mode: RunMode) -> Bool {
    switch mode {
    case .serving: true
    case .untilIdle(.pack): isOfPack
    case .untilIdle: !isForReading
    }
  }
}

/// The result of the checks before the network is used.
enum Preflight<Outcome: Sendable>: Sendable {
  case fetch
  case known(Outcome)
  /// Nothing is to be done for its row any more.
  case unneeded
}

/// One unit of work that needs the network: preflight → fetch → digest → store.
/// `OperationRunner` runs the stages; `EngineState` decides about queueing and retries.
protocol SyncOperation: Sendable {
  associatedtype Answer: Sendable
  associatedtype Outcome: Sendable

  static var kind: OperationKind { get }
  /// The waiting rows of this kind, in the order in which they are to run. Read when requests
  /// change.
  static func pending(in context: OperationContext) throws(StoreError) -> [OperationEntry]
  /// The rows of this kind that are still wanted; operations of other rows are cancelled. Nil: this
  /// kind is cancelled by other means.
  static func wanted(in context: OperationContext) throws(StoreError) -> Set<Int64>?

  /// Nil if the row no longer exists.
  init?(row: Int64, fetcher: Fetcher, context: OperationContext) throws(StoreError)
  /// The first web address that it requests.
  var address: String? { get }
  /// The event published before the fetch.
  func started(_ priority: OperationPriority) -> SyncEvent?
  func preflight() throws(StoreError) -> Preflight<Outcome>
  /// The part that uses the network. It may store results page by page.
  func fetch() async throws(StoreError) -> Answer
  /// What the answer tells about the network; nil: nothing.
  func networkEnd(of answer: Answer) -> OperationEnd?
  /// Nil: cancelled; nothing is written.
  func digest(_ answer: Answer) async -> Outcome?
  func store(_ outcome: Outcome) async throws(StoreError) -> [SyncEvent]
  /// Ended before it was stored; its row is unchanged.
  func abandon() async
}

extension SyncOperation {
  static func pending(in context: OperationContext) throws(StoreError) -> [OperationEntry] { [] }
  static func wanted(in context: OperationContext) throws(StoreError) -> Set<Int64>? { nil }
  func started(_ priority: OperationPriority) -> SyncEvent? { nil }
  func preflight() throws(StoreError) -> Preflight<Outcome> { .fetch }
  func abandon() async {}

  static func key(_ row: Int64) -> OperationKey { OperationKey(kind: kind.id, row: row) }

  static func entry(
    _ row: Int64, host: String, _ priority: OperationPriority, in context: OperationContext
  ) -> OperationEntry {
    OperationEntry(
      key: key(row), host: host, priority: priority, enqueuedAt: context.clock.now())
  }
}

/// All kinds of operations. A new kind is one file and one line here.
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
  ]
}

/// What operations share.
struct OperationContext: Sendable {
  let store: EngineCache
  let accountSync: AccountSync
  let configuration: SyncConfiguration
  let events = EventStream()
  let clock: EngineClock
  let kinds: [any SyncOperation.Type]
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
    store: EngineCache, accounts: AccountCache, configuration: SyncConfiguration,
    clock: EngineClock,
    kinds: [any SyncOperation.Type], transport: @escaping @Sendable () -> any HTTPTransport
  ) {
    (self.store, self.configuration, self.clock, self.kinds) = (store, configuration, clock, kinds)
    lazyTransport = LazyTransport(transport)
    accountSync = AccountSync(
      accounts: accounts, configuration: configuration, clock: clock,
      transport: { [lazyTransport] in lazyTransport.value })
    merger = Merger(store: store, expectsMore: { [transfers] in transfers.isFetching })
    gate = HostGate(limits: configuration.hostLimits)
    downloads = DownloadGate(limits: configuration.downloads, calendar: configuration.calendar)
    local = LocalSourceReader(gate: gate, limit: configuration.limits.decodedBody)
    identities = Identities(settings: configuration.settings, reader: local)
  }

  var transport: any HTTPTransport { lazyTransport.value }

  func emit(_ event: SyncEvent) {
    configuration.trace?(event)
    events.emit(event)
  }

  /// Whether changes wait to be sent to accounts' servers.
  var hasOutbox: Bool {
    do throws(StoreError) {
      return try accountSync.accounts.hasOutbox()
    } catch {
      emit(.storeFailed(error))
      return false
    }
  }

  func kind(_ key: OperationKey) -> (any SyncOperation.Type)? {
    kinds.first { $0.kind.id == key.kind }
  }

  /// - Parameter id: 0 for exchanges of no operation.
  func fetcher(
    for id: OperationID = 0, patience: ConnectionTimeouts = ConnectionTimeouts(silence: 20),
    token: PauseToken? = nil
  ) -> Fetcher {
    var limits = configuration.limits
    limits.silence = max(limits.silence, patience.silence)
    limits.connect = max(limits.connect, patience.connect ?? 0)
    limits.receiveBuffer = patience.receiveBuffer
    let (entry, clock) = (transfers.entry(of: id), clock)
    return Fetcher(
      transport: transport, hosts: hosts, gate: gate, identities: identities, local: local,
      limits: limits, date: clock.date, observe: { entry.observed($0, at: clock.now()) },
      transfer: entry, token: token, minimumRate: minimumRate)
  }

  /// A connection may take longer than the queue of a slow network.
  private static let probeTimeout = Duration.seconds(10)

  /// Whether a connection can be made to an address, or to that of an operation.
  func reaches(_ url: String?, _ key: OperationKey?) async throws(StoreError) -> Bool {
    var url = url
    if let key { url = try address(of: key) }
    guard let url else { return false }
    return await transport.reaches(
      url, through: configuration.settings(url).proxy, within: Self.probeTimeout.seconds)
  }

  /// The first web address of the work; nil if there is none or the row is gone.
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

/// Created at the first use.
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
