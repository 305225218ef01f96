import Foundation

/// Sends an account's outbox in batches. Has no clock of its own.
///
/// A change is refused for good only if the server answers 4xx to that change alone and otherwise
/// works. After a server error, silence, or a page of another network instead of an answer, the
/// change is sent later. A server that fails for each tag and otherwise works accepts no tags. If a
/// change may have arrived without an answer, its state is read from the server before it is
/// resent.
struct OutboxPush: Sendable {
  let account: Account
  let backend: any RemoteBackend
  let store: AccountSyncCache
  /// The maximum number of changes in a batch.
  var limit = 100

  /// The number of tries before a failing batch is halved, so that a change does not delay others.
  private static let mostTries = 3
  /// The number of consecutive single failures after which the server is at fault.
  private static let mostFailures = 3
  /// The longest wait before a failed change is retried.
  private static let longestWait = Duration.hours(1)
  /// The number of failed tries of a tag after which a server counts as without tags.
  private static let triesOfTags = 3

  struct Outcome: Sendable {
    var sent = 0
    var refused = 0
    /// The failure that ended the push early, and its changes.
    var failure: AccountError?
    var failed: [Int64] = []
    /// Changes that failed while others succeeded, each with its own wait.
    var postponed: [Int64] = []
    var refusesTags = false
  }

  private struct Suspect {
    var row: OutboxBatch.Row
    var error: AccountError
    var subject = Subject.state

    enum Subject {
      case state
      /// A tag, which many servers lack.
      case tag
      /// A change of a feed or folder, for which the server's fetch may fail.
      case subscription
    }
  }

  private struct Run {
    var outcome = Outcome()
    /// Changes that failed alone, decided at the end.
    var suspects: [Suspect] = []
    /// The account's state before the current batch.
    var state: AccountState
    /// The accepted changes of the current batch.
    var taken: [Int64] = []
  }

  /// - Parameter now: returns the current time; changes due later wait unless it returns `nil`.
  func run(at now: @Sendable () -> Date?) async throws(StoreError) -> Outcome {
    var run = Run(state: account.state)
    while run.outcome.failure == nil, !Task.isCancelled,
      let batch = try store.outboxBatch(
        of: account.id, limit: limit, at: now(), excluding: run.suspects.map(\.row.seq))
    {
      switch batch.content {
      case .read(let value):
        try await send(batch.rows, RemoteEdit(.read, isSet: value), &run)
      case .starred(let value):
        try await send(batch.rows, RemoteEdit(.starred, isSet: value), &run)
      case .label(let label, let value):
        try await send(batch.rows, RemoteEdit(.label(label), isSet: value), &run)
      case .subscription(let change, let feed):
        try await send(batch.rows[0], &run) { () async throws(AccountError) in
          try await send(change, feed)
        }
      case .folder(let change, let name):
        try await send(batch.rows[0], &run) { () async throws(AccountError) in
          try await send(change, folder: name)
          return nil
        }
      }
    }
    try await judge(&run)
    return run.outcome
  }

  // MARK: States

  private func send(
    _ rows: [OutboxBatch.Row], _ edit: RemoteEdit, _ run: inout Run
  ) async throws(StoreError) {
    var rows = rows
    run.state = try store.cache.account(account.id)?.state ?? account.state
    do throws(AccountError) {
      let shown = try await shown(rows, edit, run.state)
      run.taken += rows.filter { shown.contains($0.item) }.map(\.seq)
      rows.removeAll { shown.contains($0.item) }
    } catch {
      // Nothing was sent, so unanswered changes stay unanswered.
      run.outcome.failure = error
      return
    }
    try await confirm(&run)
    if !rows.isEmpty {
      let wanted = try await store.noteSending(rows.map(\.seq))
      rows.removeAll { !wanted.contains($0.seq) }
    }
    var rest = rows[...]
    while !rest.isEmpty, run.outcome.failure == nil, !Task.isCancelled {
      await send(rest.prefix(backend.editsAtOnce), edit, &run)
      try await confirm(&run)
      rest = rest.dropFirst(backend.editsAtOnce)
    }
  }

  /// Returns the changes that the server already shows. Queries the server only if a change may
  /// have arrived or repeating it could undo it.
  private func shown(
    _ rows: [OutboxBatch.Row], _ edit: RemoteEdit, _ state: AccountState
  ) async throws(AccountError) -> Set<String> {
    if edit.state == .starred, backend.mayToggleStars {
      let starred = Set(try await backend.ids(.starred, after: nil).ids)
      return Set(rows.map(\.item).filter { starred.contains($0) == edit.isSet })
    }
    let mayToggle = if case .label = edit.state { false } else { backend.mayToggle }
    let unanswered = rows.filter {
      $0.isUnanswered || state.readsFirst || mayToggle && ($0.attempts > 0 || !$0.isKnown)
    }.map(\.item)
    if state.hasWrongItemStates, !unanswered.isEmpty, let list = edit.state.list {
      let names = try await backend.names(of: list)
      let listed = Set(names.names)
      return Set(
        unanswered.filter { name in
          let isListed = listed.contains(name)
          return (isListed || names.isComplete) && isListed == (edit.isSet == (edit.state != .read))
        })
    }
    var shown: Set<String> = []
    var rest = unanswered[...]
    while !rest.isEmpty {
      do {
        for item in try await backend.items(Array(rest.prefix(backend.itemsAtOnce)))
        where item.has(edit.state) == edit.isSet {
          shown.insert(item.item.id)
        }
      } catch  where error.isRefusal {
        // The server does not return these articles, so their changes are sent.
      }
      rest = rest.dropFirst(backend.itemsAtOnce)
    }
    return shown
  }

  /// Halves a failing batch down to single changes.
  private func send(
    _ rows: ArraySlice<OutboxBatch.Row>, _ edit: RemoteEdit, _ run: inout Run
  ) async {
    guard !rows.isEmpty, run.outcome.failure == nil, !Task.isCancelled else { return }
    do throws(AccountError) {
      try await backend.edit(rows.map(\.item), edit)
      run.taken += rows.map(\.seq)
    } catch {
      let subject: Suspect.Subject = if case .label = edit.state { .tag } else { .state }
      // Other requests show whether the server lacks tags or is down.
      if subject == .tag, error.isServerError || error == .unsupported {
        return run.suspects += rows.map { Suspect(row: $0, error: error, subject: .tag) }
      }
      guard isolates(rows, error) else {
        run.outcome.failure = error
        run.outcome.failed = rows.map(\.seq)
        return
      }
      guard rows.count > 1 else {
        return suspect(Suspect(row: rows[rows.startIndex], error: error, subject: subject), &run)
      }
      let middle = rows.startIndex + rows.count / 2
      for half in [rows[..<middle], rows[middle...]] {
        await send(await unshown(half, edit, error, &run), edit, &run)
      }
    }
  }

  /// Returns the changes that a toggling server does not show; all changes for other servers.
  private func unshown(
    _ rows: ArraySlice<OutboxBatch.Row>, _ edit: RemoteEdit, _ error: AccountError, _ run: inout Run
  ) async -> ArraySlice<OutboxBatch.Row> {
    guard backend.mayToggle, !error.isRefusal, run.outcome.failure == nil else { return rows }
    do throws(AccountError) {
      let shown = try await shown(Array(rows), edit, run.state)
      run.taken += rows.filter { shown.contains($0.item) }.map(\.seq)
      return rows.filter { !shown.contains($0.item) }[...]
    } catch {
      run.outcome.failure = error
      run.outcome.failed = rows.map(\.seq)
      return []
    }
  }

  // MARK: Subscriptions

  private func send(
    _ row: OutboxBatch.Row, _ run: inout Run,
    by call: () async throws(AccountError) -> StoreError?
  ) async throws(StoreError) {
    var storeError: StoreError?
    do throws(AccountError) {
      storeError = try await call()
      if storeError == nil { run.taken.append(row.seq) }
    } catch .unsupported {
      try await store.refuseOutbox(row.seq, detail: AccountError.unsupported.words)
      run.outcome.refused += 1
    } catch {
      if isolates([row], error) || error.isServerError {
        suspect(Suspect(row: row, error: error, subject: .subscription), &run)
      } else {
        run.outcome.failure = error
        run.outcome.failed = [row.seq]
      }
    }
    if let storeError { throw storeError }
    try await confirm(&run)
  }

  /// - Returns: the error of the cache that prevented sending; `nil` if there was none.
  private func send(
    _ change: OutboxEntry.Change, _ feed: OutboxFeed
  ) async throws(AccountError) -> StoreError? {
    if account.kind == .fever { throw .unsupported }
    if case .subscribed(true) = change {
      try await backend.subscribe(
        url: feed.url, title: feed.title, folder: feed.folder.isEmpty ? nil : feed.folder)
      return nil
    }
    guard let id = try await name(of: feed) else {
      // A missing subscription needs no unsubscribe.
      if case .subscribed = change { return nil }
      throw .refused(status: 404, detail: FailureDetail.notSubscribed.code)
    }
    switch change {
    case .subscribed:
      if let error = try await saveUnfetchedReads(of: id) { return error }
      try await backend.unsubscribe(id)
    case .renamed(let title): try await backend.rename(id, to: title)
    case .moved(let folder):
      try await backend.move(
        id, from: feed.remoteFolder.isEmpty ? nil : feed.remoteFolder,
        to: folder.isEmpty ? nil : folder)
    case .read, .starred, .tagged, .folderRenamed, .folderRemoved: break
    }
    return nil
  }

  /// Saves the read states of a feed's unfetched articles, which the server loses with the
  /// subscription.
  /// - Returns: the error of the cache that requires keeping the subscription; `nil` if none.
  private func saveUnfetchedReads(of feed: String) async throws(AccountError) -> StoreError? {
    let items: [RemoteArticle]
    do throws(AccountError) {
      let names = try await backend.ids(.subscription(feed), after: nil).ids
      switch Result(catching: { try store.unknown(names, of: account.id) }) {
      case .failure(let error): return StoreError(error)
      case .success(let unknown):
        items = try await backend.items(Array(unknown.prefix(backend.itemsAtOnce)))
      }
    } catch {
      // Some servers list no articles by feed.
      guard error.isRefusal || error == .unsupported else { throw error }
      return nil
    }
    let read = items.filter(\.isRead).map { AccountPull.cleaned($0, home: nil) }
    do throws(StoreError) {
      try await store.saveUnfetchedReads(read, of: account.id, feed: feed)
      return nil
    } catch {
      return error
    }
  }

  private func send(
    _ change: OutboxEntry.Change, folder name: String
  ) async throws(AccountError) {
    if case .folderRenamed(let new) = change {
      try await backend.renameFolder(name, to: new)
    } else {
      try await backend.removeFolder(name)
    }
  }

  /// Returns the server's name for a feed. Requests the name of a feed added since the last pull.
  private func name(of feed: OutboxFeed) async throws(AccountError) -> String? {
    if let name = feed.remoteID { return name }
    return try await backend.subscriptions().first { $0.url == feed.url }?.id
  }

  // MARK: Outcomes

  /// Returns true if a failing batch is halved rather than postponed.
  private func isolates(_ rows: ArraySlice<OutboxBatch.Row>, _ error: AccountError) -> Bool {
    if error.isRefusal { return true }
    switch error {
    case .refused, .unusable: return rows.allSatisfy { $0.attempts >= Self.mostTries }
    default: return false
    }
  }

  private func suspect(_ suspect: Suspect, _ run: inout Run) {
    run.suspects.append(suspect)
    let hasTakenNothing = run.outcome.sent == 0 && run.taken.isEmpty
    if hasTakenNothing, run.suspects.count(where: { $0.subject != .tag }) >= Self.mostFailures {
      run.outcome.failure = suspect.error
    }
  }

  private func confirm(_ run: inout Run) async throws(StoreError) {
    guard !run.taken.isEmpty else { return }
    try await store.confirmOutbox(run.taken)
    run.outcome.sent += run.taken.count
    run.taken = []
  }

  /// Returns true if a working server supports no tags: its answer says so, as Miniflux's does, or
  /// a tag failed repeatedly.
  private func provesNoTags(_ suspect: Suspect) -> Bool {
    guard suspect.subject == .tag else { return false }
    switch suspect.error {
    case .unsupported: return true
    case .refused(let status, let detail):
      return status == 501
        || status >= 500
          && (suspect.row.attempts + 1 >= Self.triesOfTags
            || detail.lowercased().contains("unsupported"))
    case .unusable: return suspect.row.attempts + 1 >= Self.triesOfTags
    default: return false
    }
  }

  /// Decides about suspect changes. Refuses a change with a 4xx if the server accepts others or
  /// answers a query; other failed changes are retried later.
  private func judge(_ run: inout Run) async throws(StoreError) {
    guard !run.suspects.isEmpty, !Task.isCancelled else { return }
    if run.outcome.failure == nil {
      do throws(AccountError) {
        _ = try await backend.subscriptions()
      } catch {
        run.outcome.failure = error
      }
    }
    let isWell = run.outcome.failure == nil
    if isWell, run.suspects.contains(where: { provesNoTags($0) }) {
      run.outcome.refusesTags = try await store.noteRefusedTags(of: account.id)
      if run.outcome.refusesTags { run.suspects.removeAll { $0.subject == .tag } }
    }
    for suspect in run.suspects {
      let (row, error) = (suspect.row, suspect.error)
      if isWell, error.isRefusal {
        try await store.refuseOutbox(row.seq, detail: error.words)
        run.outcome.refused += 1
      } else if isWell, suspect.subject != .state {
        let wait = min(.seconds(60 << min(row.attempts, 10)), Self.longestWait)
        try await store.postponeOutbox(row.seq, detail: error.words, by: wait)
        run.outcome.postponed.append(row.seq)
      } else {
        run.outcome.failed.append(row.seq)
        run.outcome.failure = run.outcome.failure ?? error
      }
    }
  }
}

extension RemoteState {
  /// The server's list for this state; for `read`, the list of unread articles.
  fileprivate var list: RemoteList? {
    switch self {
    case .read: .unread
    case .starred: .starred
    case .label(let label): .label(label)
    }
  }
}

extension RemoteArticle {
  fileprivate func has(_ state: RemoteState) -> Bool {
    switch state {
    case .read: isRead
    case .starred: isStarred
    case .label(let label): labels.contains(label)
    }
  }
}
