import FeedModel
import FeedStore
import Foundation

/// Elects the one engine among processes. Where another process was elected: watches whether it
/// does what this run waits for.
struct StandbyMonitor {
  /// For so long a run that is to end waits for another process without a network, or that does
  /// nothing.
  private static let patience = Duration.seconds(15)
  /// The same while that process fetches something, whose server may be silent for long.
  private static let fetchPatience = Duration.seconds(180)

  private let election: EngineElection
  private let context: OperationContext
  /// This process was elected.
  private(set) var isElected = false
  /// Another process serves.
  private var isStandingBy = false
  /// The requests that this run waits for: those that were open when it began to wait.
  private var awaited: Set<Int64>?
  /// Those, and the other engine's status, as they were when something last moved there.
  private var served: (requests: [RefreshRequest], status: SyncStatus, movedAt: Instant)?
  private var accounts: (accounts: [Account], movedAt: Instant)?
  /// Since when that engine has no network.
  private var offlineSince: Instant?

  init(_ context: OperationContext, elected: @escaping @Sendable () -> Void) {
    self.context = context
    election = EngineElection(directory: context.configuration.directory, elected: elected)
  }

  mutating func begin() {
    (awaited, served, accounts, offlineSince) = (nil, nil, nil, nil)
  }

  /// True where this process has become the engine. When another one dies that wakes this one.
  mutating func elect() -> Bool {
    isElected = election.stand()
    if isElected {
      isStandingBy = false
      context.emit(.becameEngine)
    } else if !isStandingBy {
      isStandingBy = true
      context.emit(.standingBy)
    }
    return isElected
  }

  mutating func resign() {
    election.resign()
    isElected = false
  }

  /// Whether all that was asked for by this process has been done by the engine of another, or
  /// cannot be: a reader waits for a dead network as long as it is open, a run that is to end does
  /// not.
  mutating func isServed(
    _ mode: RunMode, at now: Instant, _ summary: inout SyncSummary
  ) throws(StoreError) -> Bool {
    summary.wasServedElsewhere = true
    let isPaused = try context.store.syncPauses().contains { $0.scope == .everything }
    // Accounts are served in a pause too: somebody has asked for them by name.
    let asksAccounts = try awaitsAccounts(now, &summary)
    let refreshes =
      !isPaused && mode != .untilIdle(.push) ? try awaitsRefreshes(now, &summary) : false
    if asksAccounts || refreshes { return false }
    summary.isPaused = isPaused
    for id in awaited ?? [] {
      guard let request = try context.store.refreshRequest(id) else { continue }
      summary.done += request.done
      summary.failed += request.failed
      summary.newArticles += request.newArticles
      summary.bytes += request.bytes
    }
    return true
  }

  /// Whether a refresh that was asked for when this run began to wait still is, with a network, by
  /// an engine that does something: a process that was stopped holds the election without end.
  private mutating func awaitsRefreshes(
    _ now: Instant, _ summary: inout SyncSummary
  ) throws(StoreError) -> Bool {
    let open = try context.store.refreshRequests(finishedSince: now.date)
      .filter { !$0.isFinished }
    let wanted = awaited ?? Set(open.map(\.id))
    awaited = wanted
    let left = open.filter { wanted.contains($0.id) }
    if left.isEmpty { return false }
    let status = try context.store.syncStatus()
    offlineSince = status.isRunning && status.quality == .offline ? offlineSince ?? now : nil
    if let since = offlineSince, now - since >= Self.patience {
      summary.isOffline = true
      return false
    }
    let isStill = served.map { $0.requests == left && $0.status == status } ?? false
    let movedAt = isStill ? served?.movedAt ?? now : now
    served = (left, status, movedAt)
    if now - movedAt < (status.inFlight > 0 ? Self.fetchPatience : Self.patience) { return true }
    summary.isUnserved = true
    return false
  }

  /// The same of what was to be sent to accounts or fetched from them.
  private mutating func awaitsAccounts(
    _ now: Instant, _ summary: inout SyncSummary
  ) throws(StoreError) -> Bool {
    let before = accounts
    let wanted = try context.accountSync.wanted().filter { account in
      before?.accounts.contains { $0.id == account.id } ?? true
    }
    let movedAt = wanted == before?.accounts ? before?.movedAt ?? now : now
    accounts = (wanted, movedAt)
    if wanted.isEmpty { return false }
    let isSyncing = wanted.contains(where: \.state.isSyncing)
    let patience = isSyncing ? context.configuration.accountPatience : Self.patience
    if now - movedAt < patience { return true }
    if try context.store.syncStatus().quality == .offline { summary.isOffline = true }
    return false
  }
}
