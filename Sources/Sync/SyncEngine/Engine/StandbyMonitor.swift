import Foundation

/// Takes part in the engine's election. If another process is elected, checks whether it does this
/// run's work.
struct StandbyMonitor {
  /// The time for which a run until idle waits for another process that is offline or does nothing.
  private static let timeout = Duration.seconds(15)
  /// The longest wait while the other process fetches, because servers may be slow.
  private static let fetchTimeout = Duration.seconds(180)

  private let election: EngineElection
  private let context: OperationContext
  private(set) var isElected = false
  private var isStandingBy = false
  /// The requests that this run awaits: those open when the wait began.
  private var awaited: Set<Int64>?
  /// The awaited requests and the other engine's status at their last change.
  private var served: (requests: [RefreshRequest], status: SyncStatus, movedAt: Instant)?
  private var accounts: (accounts: [Account], movedAt: Instant)?
  private var offlineSince: Instant?

  init(_ context: OperationContext, elected: @escaping @Sendable () -> Void) {
    self.context = context
    election = EngineElection(directory: context.configuration.directory, elected: elected)
  }

  mutating func begin() {
    (awaited, served, accounts, offlineSince) = (nil, nil, nil, nil)
  }

  /// Returns true if this process is now the engine.
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

  /// Returns true if the other engine has done this process's work or cannot do it.
  mutating func isServed(
    _ mode: RunMode, at now: Instant, _ summary: inout SyncSummary
  ) throws(StoreError) -> Bool {
    summary.wasServedElsewhere = true
    let isPaused = try context.store.requests.syncPauses().contains { $0.scope == .everything }
    // Accounts are synchronised in a pause too, because the user requested it.
    let asksAccounts = try awaitsAccounts(now, &summary)
    let refreshes =
      !isPaused && mode != .untilIdle(.push) ? try awaitsRefreshes(now, &summary) : false
    if asksAccounts || refreshes { return false }
    summary.isPaused = isPaused
    for id in awaited ?? [] {
      guard let request = try context.store.requests.refreshRequest(id) else { continue }
      summary.counts.done += request.done
      summary.counts.failed += request.failed
      summary.counts.newArticles += request.newArticles
      summary.counts.bytes += request.bytes
    }
    return true
  }

  /// Returns true if an awaited refresh is still open and the other engine is online and makes
  /// progress. A suspended process never releases the election.
  private mutating func awaitsRefreshes(
    _ now: Instant, _ summary: inout SyncSummary
  ) throws(StoreError) -> Bool {
    let open = try context.store.requests.refreshRequests(finishedSince: now.date)
      .filter { !$0.isFinished }
    let wanted = awaited ?? Set(open.map(\.id))
    awaited = wanted
    let left = open.filter { wanted.contains($0.id) }
    if left.isEmpty { return false }
    let status = try context.store.requests.syncStatus()
    offlineSince = status.isRunning && status.quality == .offline ? offlineSince ?? now : nil
    if let since = offlineSince, now - since >= Self.timeout {
      summary.isOffline = true
      return false
    }
    let isStill = served.map { $0.requests == left && $0.status == status } ?? false
    let movedAt = isStill ? served?.movedAt ?? now : now
    served = (left, status, movedAt)
    if now - movedAt < (status.inFlight > 0 ? Self.fetchTimeout : Self.timeout) { return true }
    summary.isUnserved = true
    return false
  }

  /// Returns true if an account's work is still open and makes progress.
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
    let timeout = isSyncing ? context.configuration.accountTimeout : Self.timeout
    if now - movedAt < timeout { return true }
    if try context.store.requests.syncStatus().quality == .offline { summary.isOffline = true }
    return false
  }
}
