import FeedModel
import FeedStore
import Foundation
import Wording

/// What the console shows: the engine's telemetry, what failed, what comes next, each as a list
/// with a selection that stays on its row.
final class ConsoleModel {
  enum Section: Int, CaseIterable {
    case running, waiting, failed, hosts
  }

  enum RowID: Hashable {
    case operation(OperationStatus.Subject)
    case feed(FeedID)
    case host(String)
  }

  /// As many seconds of the line are looked at.
  static let seconds = 150
  /// Longer lists say nothing more.
  private static let failedLimit = 500
  private static let upcomingLimit = 100

  private let store: ReaderCache
  private let refreshes: RefreshModel
  private(set) var telemetry = SyncTelemetry()
  private(set) var failed: [Feed] = []
  /// What is next while nothing waits.
  private(set) var upcoming: [Feed] = []
  private(set) var hosts: [HostTelemetry] = []
  private(set) var failure: StoreError?
  /// What the user went to, and in two columns what is beside the hosts; nil: the first key is
  /// to come.
  private var chosen: Section?
  private var chosenList: Section?
  /// Until the user chooses: what runs, or what is next where nothing does.
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
  var selections: [Section: RowSelection<RowID>] = [:]

  init(store: ReaderCache, refreshes: RefreshModel) {
    self.store = store
    self.refreshes = refreshes
    for section in Section.allCases { selections[section] = RowSelection() }
    read()
  }

  var status: SyncStatus { refreshes.status }
  var offlineSince: Date? { refreshes.offlineSince }

  /// What a sync near its end waits for, else how long it will go on; nil: nothing is known.
  func prospect(at now: Date) -> String? {
    guard let waiting = refreshes.waiting(at: now) else { return refreshes.timeLeft(at: now) }
    return SyncWording.waiting(for: waiting.host, waiting.seconds)
  }
  var pauses: Set<SyncPause.Scope> { refreshes.pauses }
  var isPaused: Bool { pauses.contains(.everything) }

  var running: [OperationStatus] { telemetry.operations.filter(\.isRunning) }
  var waiting: [OperationStatus] { telemetry.operations.filter { !$0.isRunning } }
  var waitingCount: Int { max(waiting.count, telemetry.waiting.values.reduce(0, +)) }

  /// False if nothing that is shown has changed.
  func modelUpdated(_ change: StoreChange) -> Bool {
    var interest: StoreChange = [.telemetry, .steering, .subscriptions]
    // While a sync runs the telemetry sets the pace; it comes twice a second.
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
      // All of it or nothing: the selections below are about these lists.
      let newTelemetry = try store.telemetry(samples: 2 * Self.seconds)
      let newFailed = try store.failingFeeds(limit: Self.failedLimit)
      upcoming =
        newTelemetry.operations.isEmpty ? try store.upcomingFeeds(limit: Self.upcomingLimit) : []
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
    selections[.running]?.update(running.map { .operation($0.subject) })
    selections[.waiting]?.update(
      upcoming.isEmpty
        ? waiting.map { .operation($0.subject) } : upcoming.map { .feed($0.id) })
    selections[.failed]?.update(failed.map { .feed($0.id) })
    selections[.hosts]?.update(hosts.map { .host($0.host) })
  }

  // MARK: The selection

  private var selectedRow: RowID? { selections[section]?.id }

  /// The feed of the selected row.
  var selectedFeed: FeedID? {
    switch selectedRow {
    case .feed(let feed), .operation(.feed(let feed)): feed
    default: nil
    }
  }

  /// What runs or waits in the selected row.
  var selectedOperation: OperationStatus? {
    guard case .operation(let subject) = selectedRow else { return nil }
    return telemetry.operations.first { $0.subject == subject }
  }

  /// The host of the selected row.
  var selectedHost: String? {
    if case .host(let host) = selectedRow { host } else { nil }
  }

  /// The name of the selected row.
  var selectedName: String? {
    switch selectedRow {
    case .operation(let subject): telemetry.operations.first { $0.subject == subject }?.name
    case .feed(let feed): (failed + upcoming).first { $0.id == feed }?.name
    case .host(let host): host
    case nil: nil
    }
  }

  /// What a key meant stays in front, whatever starts or ends.
  func stay() { section = section }

  func move(_ step: Int) {
    let all = Section.allCases
    section = all[(section.rawValue + step + all.count) % all.count]
  }
}
