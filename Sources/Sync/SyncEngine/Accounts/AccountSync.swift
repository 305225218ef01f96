import Foundation
import Synchronization

/// Tracks the accounts with work, the sessions at their servers, and the attempts and reports of
/// this run.
final class AccountSync: Sendable {
  private struct State {
    var mode = RunMode.serving
    var isStale = true
    var dueAt: Instant?
    /// Sessions at servers, kept for the engine's life because each costs requests.
    var backends: [AccountID: any RemoteBackend] = [:]
    /// Failed operations of this run, which tries nothing twice.
    var tried: Set<OperationKey> = []
    var reports: [AccountID: AccountReport] = [:]
  }

  /// The time for which a pull counts as fresh.
  private static let freshness = Duration.seconds(120)
  /// The maximum number of changes per request while the user waits for the end.
  private static let lastBatch = 50
  private static let lastTime = Duration.seconds(3)
  /// The longest time for which changes are gathered before they are sent.
  private static let longestGathering = Duration.seconds(10)

  let accounts: AccountSyncCache
  let configuration: SyncConfiguration
  let clock: EngineClock
  private let transport: @Sendable () -> any HTTPTransport
  private let state = Mutex(State())
  let missing = Mutex<[AccountID: MissingRemoteIDs]>([:])

  init(
    accounts: AccountSyncCache, configuration: SyncConfiguration, clock: EngineClock,
    transport: @escaping @Sendable () -> any HTTPTransport
  ) {
    (self.accounts, self.configuration, self.clock) = (accounts, configuration, clock)
    self.transport = transport
  }

  func begin(_ mode: RunMode) {
    state.withLock { state in
      (state.mode, state.isStale) = (mode, true)
      (state.tried, state.reports) = ([], [:])
    }
  }

  // MARK: Pending work

  var dueAt: Instant? { state.withLock(\.dueAt) }
  var isServing: Bool { state.withLock(\.mode).isServing }

  func reload() { state.withLock { $0.isStale = true } }

  /// Loads the accounts that are due, if a change may have added some.
  func load(
    at now: Instant, isActive: (OperationKey) -> Bool
  ) throws(StoreError) -> [OperationEntry] {
    let tried: Set<OperationKey>? = state.withLock { state in
      if let dueAt = state.dueAt, dueAt <= now { state.isStale = true }
      guard state.isStale else { return nil }
      state.isStale = false
      return state.tried
    }
    guard let tried else { return [] }
    var next = Date.distantFuture
    var found: [OperationEntry] = []
    // The queue does not limit entries without a host; the gate still counts their exchanges.
    func add(_ key: OperationKey, _ priority: OperationPriority) {
      found.append(OperationEntry(key: key, host: "", priority: priority, enqueuedAt: now))
    }
    for work in try accounts.accountWork() {
      let push = PushOperation.key(work.account.id.rawValue)
      let pull = PullOperation.key(work.account.id.rawValue)
      var isSending = isActive(push)
      if let at = pushTime(work), !tried.contains(push) {
        if at <= now.date {
          add(push, .userInitiated)
          isSending = true
        } else {
          next = min(next, at)
        }
      }
      if isServing, let until = work.heldUntil { next = min(next, until) }
      // Changes are sent first, so that the server's answer includes them.
      if let at = pullTime(work), !tried.contains(pull), !isSending {
        if at <= now.date {
          add(pull, work.account.state.isRequested ? .userInitiated : .scheduled)
        } else {
          next = min(next, at)
        }
      }
    }
    let wait = next.timeIntervalSince(now.date)
    state.withLock { $0.dueAt = wait < 1e9 ? now + .seconds(wait) : nil }
    return found
  }

  private func pushTime(_ work: AccountWork) -> Date? {
    guard let at = work.pushAt else { return nil }
    return waits(work.account) ? at : .distantPast
  }

  /// Returns true if changes are sent later. A run until idle waits only if the server is in
  /// back-off or has rejected the password.
  func waits(_ account: Account) -> Bool {
    if isServing { return true }
    if account.state.isRequested { return false }
    let kind = account.state.failure?.kind
    return kind == .busy || kind == .wrongCredentials
  }

  func pullTime(_ work: AccountWork) -> Date? {
    switch state.withLock(\.mode) {
    case .untilIdle(.push), .untilIdle(.pack): return nil
    case .untilIdle(.requested): return work.account.state.isRequested ? work.pullAt : nil
    case .serving where !configuration.isAutomatic:
      return work.account.state.isRequested ? work.pullAt : nil
    case .serving, .untilIdle(.dueAndRequested): return work.pullAt
    }
  }

  /// Fetches the servers' changes after the reader opens or the network returns.
  func refresh() async throws(StoreError) {
    guard isServing, configuration.isAutomatic else { return }
    try await accounts.cache.hastenAccountSyncs(olderThan: clock.date() - Self.freshness.seconds)
  }

  /// Returns accounts whose work this run awaits while another process serves them: work that is
  /// due, or due soon if nothing has failed.
  func wanted() throws(StoreError) -> [Account] {
    let now = clock.date()
    return try accounts.accountWork().filter { work in
      let hasFailed = work.account.state.failure != nil
      let soon = hasFailed ? now : now + Self.longestGathering.seconds
      if let at = work.pushAt, at <= soon { return true }
      guard work.account.state.isRequested, let at = pullTime(work) else { return false }
      return at <= now
    }.map(\.account)
  }

  // MARK: Reports of operations

  func setTried(_ key: OperationKey) {
    state.withLock { if !$0.mode.isServing { $0.tried.insert(key) } }
  }

  /// - Returns: an event with the account's report for the whole run.
  func report(
    _ account: Account, _ change: (inout AccountReport) -> Void
  ) throws(StoreError) -> SyncEvent {
    let waiting = try accounts.cache.account(account.id)?.state.outbox.waiting ?? 0
    return .accountEnded(
      state.withLock { state in
        var report =
          state.reports[account.id] ?? AccountReport(account: account.id, title: account.title)
        change(&report)
        report.waiting = waiting
        state.reports[account.id] = report
        return report
      })
  }

  // MARK: Servers

  /// Signs in with an unsaved secret and writes nothing. Returns `nil` on success.
  func verify(
    kind: Account.Kind, url: String, user: String, secret: String
  ) async -> AccountFailure? {
    let account = Account(id: AccountID(rawValue: 0), kind: kind, url: url, user: user, title: "")
    let backend = Self.backend(account, client(for: url, over: transport())) { () in secret }
    do throws(AccountError) {
      try await backend.signIn()
      return nil
    } catch {
      return AccountFailure(error, at: clock.date())
    }
  }

  /// Returns the https address to which a server redirects http requests, if any.
  func encrypted(_ url: String) async -> String? {
    guard WebAddress(url).scheme == "http" else { return nil }
    return try? await client(for: url, over: transport()).encryptedAddress(of: url)
  }

  func backend(of account: Account) -> any RemoteBackend {
    state.withLock { state in
      if let backend = state.backends[account.id] { return backend }
      let (accounts, secret) = (accounts, configuration.secret)
      let backend = Self.backend(account, client(for: account.url)) {
        () async throws(AccountError) in
        // Reads the row again, because the user may have named another program. A row that cannot
        // be read does not mean a missing password.
        var known: Account?
        do { known = try accounts.cache.account(account.id) } catch {}
        do {
          return try await secret(known ?? account)
        } catch {
          throw .noSecret(detail: (error as? AccountFailure)?.detail)
        }
      }
      state.backends[account.id] = backend
      return backend
    }
  }

  /// - Parameter direct: a transport that replaces the current operation's.
  private func client(for url: String, over direct: (any HTTPTransport)? = nil) -> NetworkClient {
    NetworkClient(
      transport: AccountTransport(
        settings: configuration.settings(url), origin: WebAddress(url).origin, direct: direct))
  }

  private static func backend(
    _ account: Account, _ client: NetworkClient,
    password: @escaping @Sendable () async throws(AccountError) -> String
  ) -> any RemoteBackend {
    switch account.kind {
    case .googleReader:
      GoogleReaderBackend(account.url, user: account.user, client: client, password: password)
    case .fever: FeverBackend(account.url, user: account.user, client: client, password: password)
    }
  }

  // MARK: The end

  /// Sends the user's last changes for a few seconds; unsent ones stay in their rows. Runs in new
  /// tasks, because the engine's task is cancelled.
  func sendLast(
    after running: @escaping @Sendable () async -> Void,
    _ fetcher: @escaping @Sendable () -> Fetcher
  ) async throws(StoreError) {
    guard isServing, try accounts.hasOutbox() else { return }
    let end = clock.now() + Self.lastTime
    let result: Result<Void, StoreError> = await Task {
      await withTaskGroup(of: Result<Void, StoreError>?.self) { group in
        group.addTask {
          await running()
          return await Result {
            try await self.accounts.endHolding()
            try await self.sendAll(fetcher)
          }.mapError { StoreError($0) }
        }
        group.addTask { [clock] in
          try? await clock.sleep(end)
          return nil
        }
        let first = await group.next() ?? nil
        group.cancelAll()
        return first ?? .success(())
      }
    }.value
    try result.get()
  }

  private func sendAll(_ fetcher: @Sendable () -> Fetcher) async throws(StoreError) {
    for work in try accounts.accountWork()
    where work.pushAt != nil && work.account.state.failure == nil && !Task.isCancelled {
      let push = OutboxPush(
        account: work.account, backend: backend(of: work.account), store: accounts,
        limit: Self.lastBatch)
      // Failures are retried at the next start.
      _ = try await AccountTransport.with(fetcher()) {
        try await push.run(at: { self.clock.date() })
      }
    }
  }
}
