import FeedModel
public import FeedStore
import Foundation
import Networking
import RemoteAccounts

// Remote accounts: from their rows to the queue, over the network, and back into rows. What may enter
// this folder: operations of accounts, and what their servers' refusals mean.

/// What the engine knows of accounts between two turns of its loop.
struct AccountStock {
  var isStale = true
  /// When the next account's time comes; monotonic seconds.
  var dueAt: Double?
  /// Kept as long as the engine: sessions are dear.
  var backends: [AccountID: any RemoteBackend] = [:]
  /// What a run that is to end has tried: it tries nothing twice.
  var tried: Set<WorkKey> = []
  /// What pulls have asked for in vain.
  var vain: [AccountID: VainNames] = [:]
  /// What this run waits for while another process serves it, as it was when something last moved there;
  /// monotonic seconds.
  var awaited: (accounts: [Account], movedAt: Double)?
}

extension NetworkController {
  /// Seconds between two pulls that nobody asked for.
  private static let pullInterval = 1_800.0
  /// Changes in one request while somebody waits for the program to end, and seconds for all of it.
  private static let lastBatch = 50
  private static let lastWords = 3.0
  /// Seconds for which keys are gathered, at most, before they are sent.
  private static let longestGathering = 10.0

  /// Signs in with a secret that is kept nowhere yet. Nil: all is well. Writes nothing.
  public func verify(
    kind: Account.Kind, url: String, user: String, secret: String
  ) async -> AccountFailure? {
    let account = Account(id: AccountID(rawValue: 0), kind: kind, url: url, user: user, title: "")
    let backend = Self.backend(account, client(for: url, over: transport)) { () in secret }
    do throws(AccountError) {
      try await backend.signIn()
      return nil
    } catch {
      return AccountFailure(error, at: clock.date())
    }
  }

  /// Where a server that is reached without encryption wants everybody to come with it: its address for
  /// that. Nil where it does not say so. Nothing secret is sent.
  public func encrypted(_ url: String) async -> String? {
    guard WebAddress(url).scheme == "http" else { return nil }
    return try? await client(for: url, over: transport).perform(EncryptionRequest(url: url))
  }

  // MARK: What there is to do

  func takeAccounts(_ wakes: Wake, _ now: Double) throws(StoreError) {
    if wakes.contains(.accounts) { accounts.isStale = true }
    if let dueAt = accounts.dueAt, dueAt <= now { accounts.isStale = true }
    guard accounts.isStale else { return }
    accounts.isStale = false
    let date = clock.date()
    var next = Date.distantFuture
    for work in try store.accountWork() {
      let (push, pull) = (WorkKey.push(work.account.id), WorkKey.pull(work.account.id))
      if let at = pushTime(work), !accounts.tried.contains(push) {
        if at <= date { enqueue(push, .p0, now) } else { next = min(next, at) }
      }
      // What the user did goes first, so that the server's answer has it.
      let isSending = queue.contains(push) || flights[push] != nil
      if let at = pullTime(work), !accounts.tried.contains(pull), !isSending {
        if at <= date {
          enqueue(pull, work.account.state.isRequested ? .p0 : .p2, now)
        } else {
          next = min(next, at)
        }
      }
    }
    let wait = next.timeIntervalSince(date)
    accounts.dueAt = wait < 1e9 ? now + wait : nil
  }

  private func pushTime(_ work: AccountWork) -> Date? {
    guard let at = work.pushAt else { return nil }
    return waits(work.account) ? at : .distantPast
  }

  /// Whether changes wait for their time. A run that is to end waits neither for further keys nor until
  /// later, unless the server wants that, or has refused the password: it is not guessed at.
  private func waits(_ account: Account) -> Bool {
    if isServing { return true }
    let kind = account.state.failure?.kind
    return kind == .busy || kind == .wrongCredentials
  }

  private func pullTime(_ work: AccountWork) -> Date? {
    switch mode {
    case .untilIdle(.push): return nil
    case .untilIdle(.requested): return work.account.state.isRequested ? work.pullAt : nil
    case .serving where !configuration.refreshesDueFeeds:
      return work.account.state.isRequested ? work.pullAt : nil
    case .serving, .untilIdle(.dueAndRequested): return work.pullAt
    }
  }

  private func enqueue(_ key: WorkKey, _ workClass: WorkClass, _ now: Double) {
    guard flights[key] == nil else { return }
    // No host: the queue holds nothing of it back, the gate still counts its exchanges.
    let isWanted = queue.enqueue(
      WorkItem(key: key, host: "", workClass: workClass, enqueuedAt: now))
    // Work that the dead line has sent back is still here, and wanted no more than before.
    if isWanted, workClass == .p0, width.grade == .offline { hasProbe = true }
  }

  // MARK: While another process is the engine

  /// Whether what was to be sent or fetched when this run began to wait still is. Where nothing moves, as on
  /// a dead line, that is not waited for without end.
  func awaitsAccounts(_ now: Double) -> Bool {
    let before = accounts.awaited
    let wanted = ((try? store.accountWork()) ?? []).filter { isWanted($0) }.map(\.account)
      .filter { account in before?.accounts.contains { $0.id == account.id } ?? true }
    let isStill = wanted == before?.accounts
    let movedAt = isStill ? before?.movedAt ?? now : now
    accounts.awaited = (accounts: wanted, movedAt: movedAt)
    if wanted.isEmpty { return false }
    let isSyncing = wanted.contains(where: \.state.isSyncing)
    let patience = isSyncing ? configuration.accountPatience : Self.offlinePatience
    if now - movedAt < patience { return true }
    if (try? store.syncStatus())?.grade == .offline { tally.isOffline = true }
    return false
  }

  /// Not what has just failed, nor what a server does not want now.
  private func isWanted(_ work: AccountWork) -> Bool {
    let now = clock.date()
    let hasFailed = work.account.state.failure != nil
    let soon = hasFailed ? now : now.addingTimeInterval(Self.longestGathering)
    if let at = work.pushAt, at <= soon { return true }
    guard work.account.state.isRequested, let at = pullTime(work) else { return false }
    return at <= now
  }

  // MARK: Operations

  func push(_ id: AccountID, _ item: WorkItem, _ operation: OperationID) async {
    defer { leave(item) }
    guard let account = (try? store.account(id)) ?? nil, !Task.isCancelled else {
      return freeLine(item, operation, .cancelled)
    }
    let push = OutboxPush(account: account, backend: backend(of: account), store: store)
    let waits = waits(account)
    do throws(StoreError) {
      let clock = clock
      let outcome = try await AccountTransport.with(
        fetcher(for: operation, flights[item.key]?.valve)
      ) { () async throws(StoreError) in
        try await push.run(at: { waits ? clock.date() : nil })
      }
      end(item, operation, outcome.failure, of: account)
      if isPostponed(outcome.failure, item) { return }
      try await settle(outcome, account)
    } catch {
      freeLine(item, operation, .cancelled)
      rest(after: error, clock.uptime())
    }
  }

  func pull(_ id: AccountID, _ item: WorkItem, _ operation: OperationID) async {
    defer { leave(item) }
    guard let account = (try? store.account(id)) ?? nil, !Task.isCancelled else {
      return freeLine(item, operation, .cancelled)
    }
    let pull = AccountPull(
      account: account, backend: backend(of: account), store: store,
      vain: accounts.vain[id] ?? VainNames())
    let began = clock.date()
    do throws(StoreError) {
      try await store.beginAccountSync(id)
      let outcome = try await AccountTransport.with(
        fetcher(for: operation, flights[item.key]?.valve)
      ) { () async throws(StoreError) in try await pull.run(began: began) }
      accounts.vain[id] = outcome.vain
      end(item, operation, outcome.failure, of: account)
      if Task.isCancelled || isPostponed(outcome.failure, item) {
        return await release(account, began: began)
      }
      try await settle(outcome, account, began: began)
    } catch {
      freeLine(item, operation, .cancelled)
      rest(after: error, clock.uptime())
    }
  }

  private func leave(_ item: WorkItem) {
    flights[item.key] = nil
    accounts.isStale = true
    signal.raise(.operations)
  }

  /// The part on the network is over.
  private func end(
    _ item: WorkItem, _ operation: OperationID, _ failure: AccountError?, of account: Account
  ) {
    let how = failure?.end(host: WebAddress(account.url).host ?? "") ?? .answered
    takeSamples()
    freeLine(item, operation, how)
    tellLine()
  }

  /// The line failed, not the server: the work waits for the line.
  private func isPostponed(_ failure: AccountError?, _ item: WorkItem) -> Bool {
    if Task.isCancelled { return true }
    guard case .transport = failure, width.width == 0 else { return false }
    queue.enqueue(item)
    return true
  }

  private func settle(
    _ outcome: OutboxPush.Outcome, _ account: Account
  ) async throws(StoreError) {
    let now = clock.date()
    if let failure = outcome.failure {
      accounts.tried.formUnion(isServing ? [] : [.push(account.id)])
      let wait = failure.wait(failures: account.state.failure?.count ?? 0)
      let until = now.addingTimeInterval(wait)
      try await store.failOutbox(
        outcome.failed, of: account.id, detail: failure.words, until: until)
      var next = account.state.nextSyncAt
      // The server wants to be left alone, not only by changes.
      if case .busy = failure { next = max(next ?? until, until) }
      try await store.endAccountSync(
        account.id,
        AccountOutcome(
          began: .distantPast, hasPulled: false, failure: AccountFailure(failure, at: now),
          nextSyncAt: next))
    } else if account.state.failure != nil, outcome.sent > 0 {
      // It answers again.
      try await store.endAccountSync(
        account.id,
        AccountOutcome(began: .distantPast, hasPulled: false, failure: nil, nextSyncAt: now))
    }
    try report(account) { report in
      report.sent += outcome.sent
      report.refused += outcome.refused
      report.failure = outcome.failure.map { AccountFailure($0, at: now) } ?? report.failure
    }
  }

  private func settle(
    _ outcome: AccountPull.Outcome, _ account: Account, began: Date
  ) async throws(StoreError) {
    let now = clock.date()
    var next: Date? = now.addingTimeInterval(
      Self.pullInterval * (0.9 + 0.2 * configuration.jitter()))
    switch outcome.failure {
    // Guessing at a password locks accounts. One that could not be had here was sent to nobody.
    case .wrongCredentials: next = nil
    case let failure?:
      let wait = failure.wait(failures: account.state.failure?.count ?? 0)
      next = now.addingTimeInterval(max(60, wait))
    case nil: break
    }
    if outcome.failure != nil, !isServing { accounts.tried.insert(.pull(account.id)) }
    try await store.endAccountSync(
      account.id,
      AccountOutcome(
        began: began, hasPulled: outcome.failure == nil,
        failure: outcome.failure.map { AccountFailure($0, at: now) }, nextSyncAt: next))
    tally.newArticles += outcome.added
    try report(account) { report in
      report.newArticles += outcome.added
      report.hasPulled = outcome.failure == nil
      report.failure = outcome.failure.map { AccountFailure($0, at: now) }
    }
  }

  /// Nothing came of it: the account is as due as it was.
  private func release(_ account: Account, began: Date) async {
    let store = store
    // Not this task's: it may be cancelled, and the store would refuse.
    await Task {
      try? await store.endAccountSync(
        account.id,
        AccountOutcome(
          began: .distantPast, hasPulled: false, failure: account.state.failure,
          nextSyncAt: account.state.nextSyncAt))
    }.value
  }

  private func report(
    _ account: Account, _ change: (inout AccountReport) -> Void
  ) throws(StoreError) {
    let index = tally.accounts.firstIndex { $0.account == account.id }
    var report =
      index.map { tally.accounts[$0] } ?? AccountReport(account: account.id, title: account.title)
    change(&report)
    report.waiting = try store.account(account.id)?.state.outbox.waiting ?? 0
    if let index { tally.accounts[index] = report } else { tally.accounts.append(report) }
    emit.yield(.accountEnded(report))
  }

  private var isServing: Bool { if case .serving = mode { true } else { false } }

  // MARK: Backends

  private func backend(of account: Account) -> any RemoteBackend {
    if let backend = accounts.backends[account.id] { return backend }
    let (store, secret) = (store, configuration.secret)
    let backend = Self.backend(account, client(for: account.url)) {
      () async throws(AccountError) in
      // As its row is by then: the user may have named another program.
      guard let account = (try? store.account(account.id)) ?? nil else {
        throw .noSecret(detail: nil)
      }
      do {
        return try await secret(account)
      } catch {
        throw .noSecret(detail: (error as? AccountFailure)?.detail)
      }
    }
    accounts.backends[account.id] = backend
    return backend
  }

  /// - Parameter direct: in the place of the operation that is under way.
  private func client(for url: String, over direct: (any HTTPTransport)? = nil) -> NetworkClient {
    NetworkClient(
      transport: AccountTransport(settings: configuration.settings(url), direct: direct))
  }

  private static func backend(
    _ account: Account, _ client: NetworkClient,
    password: @escaping @Sendable () async throws(AccountError) -> String
  ) -> any RemoteBackend {
    switch account.kind {
    case .googleReader:
      GoogleReaderBackend(
        BackendConfiguration(kind: .googleReader, baseURL: account.url, user: account.user),
        client: client, password: password)
    case .fever:
      FeverBackend(
        BackendConfiguration(kind: .fever, baseURL: account.url, user: account.user),
        client: client, password: password)
    }
  }

  // MARK: The end

  /// Sends for some seconds what the user did last; the rest waits in its rows.
  func sendLast() async {
    guard isEngine, isServing, width.grade != .offline, (try? store.hasOutbox()) ?? false else {
      return
    }
    let end = clock.uptime() + Self.lastWords
    let running = flights.filter { if case .push = $0.key { true } else { false } }.values.map(
      \.task)
    // Not this task's: it is cancelled.
    await Task {
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for task in running { await task.value }
          await self.sendAll()
        }
        group.addTask { [clock] in try? await clock.sleep(end) }
        _ = await group.next()
        for task in running { task.cancel() }
        group.cancelAll()
      }
    }.value
  }

  private func sendAll() async {
    for work in (try? store.accountWork()) ?? []
    where work.pushAt != nil && work.account.state.failure == nil && !Task.isCancelled {
      let push = OutboxPush(
        account: work.account, backend: backend(of: work.account), store: store,
        limit: Self.lastBatch)
      nextOperation += 1
      let fetcher = fetcher(for: nextOperation, nil)
      // What fails now is tried at the next start.
      let clock = clock
      _ = try? await AccountTransport.with(fetcher) { () async throws(StoreError) in
        try await push.run(at: { clock.date() })
      }
    }
  }
}
