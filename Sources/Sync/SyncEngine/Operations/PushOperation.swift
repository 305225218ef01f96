import Foundation

protocol AccountOperationOutcome: Sendable {
  /// The failure that ended the operation early.
  var failure: AccountError? { get }
}

/// An operation that sends to an account's server or fetches from it.
protocol AccountOperation: SyncOperation
where Answer == Outcome, Outcome: AccountOperationOutcome {
  var account: Account { get }
}

extension AccountOperation {
  static func name(of row: Int64, in context: OperationContext) throws(StoreError) -> String? {
    try context.accountSync.accounts.cache.account(AccountID(rawValue: row))?.title
  }

  var address: String? { WebAddress(account.url).isHTTP ? account.url : nil }

  func networkEnd(of outcome: Outcome) -> OperationEnd? {
    outcome.failure.map { $0.end(host: WebAddress(account.url).hostKey ?? "") } ?? .answered
  }

  func digest(_ outcome: Outcome) -> Outcome? { outcome }
}

/// Sends an account's outbox. A send in progress may finish when the engine stops.
struct PushOperation: AccountOperation {
  static let kind = OperationKind.push
  static let policy = OperationPolicy(concernsAccount: true, finishesAtEnd: true)

  let account: Account
  let accounts: AccountSyncCache
  let sync: AccountSync
  let fetcher: Fetcher

  init?(row: Int64, fetcher: Fetcher, context: OperationContext) throws(StoreError) {
    (sync, accounts) = (context.accountSync, context.accountSync.accounts)
    guard let account = try accounts.cache.account(AccountID(rawValue: row)) else { return nil }
    (self.account, self.fetcher) = (account, fetcher)
  }

  func fetch() async throws(StoreError) -> OutboxPush.Outcome {
    let push = OutboxPush(account: account, backend: sync.backend(of: account), store: accounts)
    let (waits, clock) = (sync.waits(account), sync.clock)
    return try await AccountTransport.with(fetcher) {
      try await push.run(at: { waits ? clock.date() : nil })
    }
  }

  func refusal(_ reason: FailureDetail) -> OutboxPush.Outcome? {
    OutboxPush.Outcome(failure: .unusable(detail: reason.code))
  }

  func store(_ outcome: OutboxPush.Outcome) async throws(StoreError) -> [SyncEvent] {
    let now = sync.clock.date()
    if !outcome.postponed.isEmpty || outcome.failure != nil {
      sync.setTried(Self.key(account.id.rawValue))
    }
    if let failure = outcome.failure {
      let wait = failure.wait(failures: account.state.failure?.count ?? 0)
      let until = now.addingTimeInterval(wait.seconds)
      try await accounts.failOutbox(
        outcome.failed, of: account.id, detail: failure.words, until: until)
      var end = AccountOutcome(
        failure: AccountFailure(failure, at: now), nextSyncAt: account.state.nextSyncAt)
      if case .busy = failure {
        // The server rejects requests for now, so a requested sync has had its only attempt.
        end.began = now
        end.pausedUntil = until
        end.nextSyncAt = until
      }
      try await accounts.endAccountSync(account.id, end)
    } else if account.state.failure != nil, outcome.sent > 0 {
      // The server answers again.
      try await accounts.endAccountSync(
        account.id, AccountOutcome(failure: nil, nextSyncAt: now))
    }
    return [
      try sync.report(account) { report in
        report.sent += outcome.sent
        report.refused += outcome.refused
        report.refusesTags = report.refusesTags || outcome.refusesTags
        if outcome.failure != nil || outcome.sent > 0 {
          report.sendFailure = outcome.failure.map { AccountFailure($0, at: now) }
        }
        report.failure = report.sendFailure ?? report.failure
      }
    ]
  }
}
