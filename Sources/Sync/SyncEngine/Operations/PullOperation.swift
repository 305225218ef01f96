import Foundation
import Synchronization

/// Fetches an account's state.
struct PullOperation: AccountOperation {
  static let kind = OperationKind.pull
  static let policy = OperationPolicy(concernsAccount: true)

  let account: Account
  let accounts: AccountSyncCache
  let sync: AccountSync
  let fetcher: Fetcher
  let began: Date
  private let emit: @Sendable (SyncEvent) -> Void

  init?(row: Int64, fetcher: Fetcher, context: OperationContext) throws(StoreError) {
    (sync, accounts, emit) = (context.accountSync, context.accountSync.accounts, context.emit)
    guard let account = try accounts.cache.account(AccountID(rawValue: row)) else { return nil }
    (self.account, self.fetcher, began) = (account, fetcher, sync.clock.date())
  }

  func fetch() async throws(StoreError) -> AccountPull.Outcome {
    let pull = AccountPull(
      account: account, backend: sync.backend(of: account), store: accounts,
      missing: sync.missing.withLock { $0[account.id] } ?? MissingRemoteIDs())
    let began = began
    try await accounts.setLaterTag(sync.configuration.laterTag(account), of: account.id)
    try await accounts.beginAccountSync(account.id)
    let outcome = try await AccountTransport.with(fetcher) {
      try await pull.run(began: began)
    }
    sync.missing.withLock { $0[account.id] = outcome.missing }
    return outcome
  }

  func refusal(_ reason: FailureDetail) -> AccountPull.Outcome? {
    AccountPull.Outcome(failure: .unusable(detail: reason.code))
  }

  func store(_ outcome: AccountPull.Outcome) async throws(StoreError) -> [SyncEvent] {
    let now = sync.clock.date()
    let interval =
      sync.configuration.accountInterval * (0.9 + 0.2 * sync.configuration.jitter())
    let refusal = outcome.refusal.map { AccountError.unusable(detail: $0.failure.code) }
    let failure = (outcome.failure ?? refusal).map { AccountFailure($0, at: now) }
    var end = AccountOutcome(
      began: began, hasPulled: outcome.failure == nil, failure: failure,
      nextSyncAt: now.addingTimeInterval(interval.seconds))
    if let failure = outcome.failure {
      let wait = failure.wait(failures: account.state.failure?.count ?? 0)
      switch failure {
      // Does not retry, because repeated wrong passwords lock accounts. `noSecret` is retried,
      // because no password was sent.
      case .wrongCredentials: end.nextSyncAt = nil
      case .busy:
        end.nextSyncAt = now.addingTimeInterval(wait.seconds)
        end.pausedUntil = end.nextSyncAt
      default: end.nextSyncAt = now.addingTimeInterval(max(60, wait.seconds))
      }
      sync.setTried(Self.key(account.id.rawValue))
    }
    try await accounts.endAccountSync(account.id, end)
    return [
      try sync.report(account) { report in
        report.newArticles += outcome.added
        report.ended += outcome.ended
        report.hasPulled = outcome.failure == nil
        report.failure = failure
      }
    ]
  }

  /// Keeps the account's due time and failure.
  func abandon() async {
    let end = AccountOutcome(
      failure: account.state.failure, nextSyncAt: account.state.nextSyncAt,
      pausedUntil: account.state.pausedUntil)
    do throws(StoreError) {
      try await accounts.endAccountSync(account.id, end)
    } catch {
      emit(.storeFailed(error))
    }
  }
}
