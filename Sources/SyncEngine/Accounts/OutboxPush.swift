import FeedStore
import Foundation
import RemoteAccounts

/// Sends what an account's outbox holds, the oldest first. It knows no time but the store's.
struct OutboxPush: Sendable {
  let account: Account
  let backend: any RemoteBackend
  let store: FeedStore
  /// The most changes in a request, as far as the server takes so many.
  var limit = 100

  /// Tries after which a change that the server stumbles over is taken for what makes it stumble.
  private static let patience = 3
  /// Refusals in a row, with nothing taken, after which it is not the changes that are at fault.
  private static let mostRefusals = 3

  struct Outcome: Sendable {
    var sent = 0
    var refused = 0
    /// What ended it before its end, and the changes that it was about.
    var failure: AccountError?
    var failed: [Int64] = []
  }

  /// - Parameter now: changes that are to wait until later stay; nil: they go too.
  func run(at now: @Sendable () -> Date?) async throws(StoreError) -> Outcome {
    var outcome = Outcome()
    let most = min(limit, backend.editsAtOnce)
    while outcome.failure == nil, !Task.isCancelled,
      let batch = try store.outboxBatch(of: account.id, limit: most, at: now())
    {
      switch batch.content {
      case .read(let value):
        try await send(batch.rows[...], RemoteEdit(.read, isSet: value), &outcome)
      case .starred(let value):
        try await send(batch.rows[...], RemoteEdit(.starred, isSet: value), &outcome)
      case .subscription(let change, let feed):
        try await send(batch.rows, change, feed, &outcome)
      }
    }
    return outcome
  }

  /// Where the server refuses the whole, its halves are tried, until what it refuses stands alone.
  private func send(
    _ rows: ArraySlice<OutboxBatch.Row>, _ edit: RemoteEdit, _ outcome: inout Outcome
  ) async throws(StoreError) {
    guard outcome.failure == nil, !Task.isCancelled else { return }
    let answer = await Self.answer { () async throws(AccountError) in
      try await backend.edit(rows.map(\.item), edit)
    }
    guard case .failure(let error) = answer else { return try await confirm(rows, &outcome) }
    guard isAtFault(rows, error) else { return fail(rows, error, &outcome) }
    if rows.count > 1 {
      let middle = rows.startIndex + rows.count / 2
      try await send(rows[..<middle], edit, &outcome)
      try await send(rows[middle...], edit, &outcome)
    } else {
      try await refuse(rows, error, &outcome)
    }
  }

  private func send(
    _ rows: [OutboxBatch.Row], _ change: OutboxEntry.Change, _ feed: OutboxFeed,
    _ outcome: inout Outcome
  ) async throws(StoreError) {
    let answer = await Self.answer { () async throws(AccountError) in
      try await send(change, feed)
    }
    guard case .failure(let error) = answer else { return try await confirm(rows[...], &outcome) }
    if error == .unsupported || isAtFault(rows[...], error) {
      try await refuse(rows[...], error, &outcome)
    } else {
      fail(rows[...], error, &outcome)
    }
  }

  private static func answer(
    _ call: () async throws(AccountError) -> Void
  ) async -> Result<Void, AccountError> {
    do throws(AccountError) {
      return .success(try await call())
    } catch {
      return .failure(error)
    }
  }

  private func send(_ change: OutboxEntry.Change, _ feed: OutboxFeed) async throws(AccountError) {
    if case .subscribed(true) = change {
      try await backend.subscribe(
        url: feed.url, title: feed.title, folder: feed.folder.isEmpty ? nil : feed.folder)
      return
    }
    guard let id = try await name(of: feed) else {
      // What is not there need not be ended.
      if case .subscribed = change { return }
      throw .refused(status: 404, detail: "not subscribed to")
    }
    switch change {
    case .subscribed: try await backend.unsubscribe(id)
    case .renamed(let title): try await backend.rename(id, to: title)
    case .moved(let folder):
      try await backend.move(
        id, from: feed.remoteFolder.isEmpty ? nil : feed.remoteFolder,
        to: folder.isEmpty ? nil : folder)
    case .read, .starred: break
    }
  }

  /// Subscribed to here and not pulled since: only the server knows its name.
  private func name(of feed: OutboxFeed) async throws(AccountError) -> String? {
    if let name = feed.remoteID { return name }
    return try await backend.subscriptions().first { $0.url == feed.url }?.id
  }

  private func isAtFault(_ rows: ArraySlice<OutboxBatch.Row>, _ error: AccountError) -> Bool {
    if error.isRefusal { return true }
    switch error {
    case .refused, .unusable: return rows.allSatisfy { $0.attempts >= Self.patience }
    default: return false
    }
  }

  private func confirm(
    _ rows: ArraySlice<OutboxBatch.Row>, _ outcome: inout Outcome
  ) async throws(StoreError) {
    try await store.confirmOutbox(rows.map(\.seq))
    outcome.sent += rows.count
  }

  private func refuse(
    _ rows: ArraySlice<OutboxBatch.Row>, _ error: AccountError, _ outcome: inout Outcome
  ) async throws(StoreError) {
    for row in rows { try await store.refuseOutbox(row.seq, detail: error.words) }
    outcome.refused += rows.count
    if outcome.sent == 0, outcome.refused >= Self.mostRefusals { outcome.failure = error }
  }

  private func fail(
    _ rows: ArraySlice<OutboxBatch.Row>, _ error: AccountError, _ outcome: inout Outcome
  ) {
    outcome.failure = error
    outcome.failed = rows.map(\.seq)
  }
}
