import Foundation
import TerminalViews

/// The content of the console: the engine's telemetry, failures and upcoming refreshes, each as a
/// list with a selection that stays on its row.
final class ConsoleModel {
  enum Section: Int, CaseIterable {
    case running, waiting, failed, hosts
  }

  nonisolated enum Row: Identifiable {
    case operation(OperationStatus)
    case feed(Feed)
    case host(HostTelemetry)

    enum Identity: Hashable {
      case operation(OperationKey)
      case feed(FeedID)
      case host(String)
    }
    var id: Identity {
      switch self {
      case .operation(let operation): .operation(operation.key)
      case .feed(let feed): .feed(feed.id)
      case .host(let host): .host(host.host)
      }
    }
  }

  /// The seconds that the network graphs show.
  static let seconds = Int(SyncTelemetry.memory)
  private static let failedLimit = 500
  private static let upcomingLimit = 100

  private let store: ReaderCache
  private let refreshes: RefreshModel
  private(set) var telemetry = SyncTelemetry()
  private(set) var failed: [Feed] = []
  /// Feeds due next, read only if the engine has no operations.
  private(set) var upcoming: [Feed] = []
  private(set) var hosts: [HostTelemetry] = []
  private(set) var failure: StoreError?
  /// The section that the user chose; in two columns it may be the hosts.
  private var chosen: Section?
  private var chosenList: Section?
  /// The selected section; by default running operations, or upcoming ones if nothing runs.
  var section: Section {
    get { chosen ?? lastList }
    set {
      chosen = newValue
      if newValue != .hosts { chosenList = newValue }
    }
  }
  var lastList: Section {
    chosenList ?? (upcoming.isEmpty || status.isRunning ? .running : .waiting)
  }
  var lists: [Section: RowList<Row>] = [:]
  var list: RowList<Row> {
    get { lists[section] ?? RowList() }
    set { lists[section] = newValue }
  }

  init(store: ReaderCache, refreshes: RefreshModel) {
    self.store = store
    self.refreshes = refreshes
    for section in Section.allCases { lists[section] = RowList() }
    read()
  }

  var status: SyncStatus { refreshes.status }
  var offlineSince: Date? { refreshes.offlineSince }

  /// Returns the host that a sync near its end waits for, or else the remaining time; `nil` if
  /// neither is known.
  func prospect(at now: Date) -> String? {
    guard let waiting = refreshes.waiting(at: now) else { return refreshes.timeLeft(at: now) }
    return SyncWording.waiting(for: waiting.host, waiting.seconds)
  }
  var pauses: Set<SyncPause.Scope> { refreshes.pauses }
  var isPaused: Bool { pauses.contains(.everything) }
  var running: [OperationStatus] { telemetry.operations.filter(\.isRunning) }
  var waiting: [OperationStatus] { telemetry.operations.filter { !$0.isRunning } }
  var waitingCount: Int { max(waiting.count, telemetry.waiting.values.reduce(0, +)) }

  /// Reloads the data; returns `false` if nothing visible has changed.
  func modelUpdated(_ change: StoreChange) -> Bool {
    var interest: StoreChange = [.telemetry, .steering, .subscriptions]
    // During a sync, its telemetry (twice a second) determines the updates.
    if !status.isRunning { interest.formUnion([.fetches, .requests]) }
    if !change.isDisjoint(with: interest) {
      read()
    } else if !change.contains(.syncStatus) {
      return false
    }
    return true
  }

  private func read() {
    do throws(StoreError) {
      // All lists are replaced, or none if a read fails.
      let newTelemetry = try store.requests.telemetry()
      let newFailed = try store.feeds.failingFeeds(limit: Self.failedLimit)
      upcoming =
        newTelemetry.operations.isEmpty
        ? try store.feeds.upcomingFeeds(limit: Self.upcomingLimit) : []
      (telemetry, failed, failure) = (newTelemetry, newFailed, nil)
    } catch {
      failure = error
      return
    }
    let known = Set(telemetry.hosts.map(\.host))
    let paused = pauses.compactMap { scope -> String? in
      if case .host(let host) = scope, !known.contains(host) { host } else { nil }
    }
    hosts = paused.sorted().map { HostTelemetry(host: $0) } + telemetry.hosts
    lists[.running]?.update(running.map(Row.operation))
    lists[.waiting]?.update(upcoming.isEmpty ? waiting.map(Row.operation) : upcoming.map(Row.feed))
    lists[.failed]?.update(failed.map(Row.feed))
    lists[.hosts]?.update(hosts.map(Row.host))
  }

  var selectedFeed: FeedID? {
    switch list.selected?.id {
    case .feed(let feed): feed
    case .operation(let key): key.feed
    case .host, nil: nil
    }
  }

  var selectedOperation: OperationStatus? {
    if case .operation(let operation) = list.selected { operation } else { nil }
  }

  var selectedHost: String? {
    if case .host(let host) = list.selected { host.host } else { nil }
  }

  var selectedName: String? {
    switch list.selected {
    case .operation(let operation): operation.name
    case .feed(let feed): feed.name
    case .host(let host): host.host
    case nil: nil
    }
  }

  /// Keeps the current section, whatever starts or ends.
  func stay() { section = section }

  func move(_ step: Int) {
    let all = Section.allCases
    section = all[(section.rawValue + step + all.count) % all.count]
  }
}
