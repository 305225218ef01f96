import Foundation

/// Sends an account's outbox in batches. Has no clock of its own.
///
/// A change is refused for good only if the server answers 4xx to that change alone and otherwise
/// works. After a server error, silence, or a page of another network instead of an answer, the
/// change is sent later. A server that fails for each tag and otherwise works accepts no tags. If a
/// change may have arrived without an answer, its state is read from the server before it is
/// resent. Before anything is sent, IDs are compared with addresses.
struct OutboxPush: Sendable {
  let account: Account
  let backend: any RemoteBackend
  let store: AccountSyncCache
  /// The maximum number of changes in a batch.
  var limit = 100

  /// The number of failed tries after which a change is sent alone, so that it delays no others.
  private static let mostTries = 3
  /// The number of consecutive single failures after which the server is at fault.
  private static let mostFailures = 3
  /// The longest wait before a failed change is retried.
  private static let longestWait = Duration.hours(1)
  /// The number of failed tries of a tag after which a server counts as without tags.
  private static let triesOfTags = 3

  struct Outcome: AccountOperationOutcome {
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
    /// Accepted changes that are not stored yet, by request.
    var taken: [[Int64]] = []
    /// Articles as the server has shown them in this run, by ID.
    var items: [String: RemoteArticle] = [:]
    var lists: [RemoteState: RemoteNames] = [:]
    /// True if states come from lists, because those of articles are wrong or many are needed.
    var usesLists = false
    /// The server's subscriptions; `nil` before they are needed.
    var feeds: [RemoteFeed]?
  }

  /// - Parameter now: returns the current time; changes due later wait unless it returns `nil`.
  func run(at now: @Sendable () -> Date?) async throws(StoreError) -> Outcome {
    var run = Run()
    let due = try store.dueArticles(of: account.id, limit: AccountPull.sampleSize, at: now())
    run.usesLists = try store.cache.account(account.id)?.state.hasWrongItemStates ?? false
    guard try await isKnown(due.newest, &run) else { return run.outcome }
    // Miniflux before 2.3.0 removes a state that is set a second time, and with Fever a star.
    if due.count > due.newest.count { run.usesLists = true }
    while run.outcome.failure == nil, !Task.isCancelled,
      let batch = try store.outboxBatch(
        of: account.id, limit: limit, at: now(), upTo: due.last,
        excluding: run.suspects.map(\.row.seq))
    {
      let row = batch.rows[0]
      switch batch.change {
      case .marked(let mark, let isSet):
        let state: RemoteState = mark == .read ? .read : .starred
        try await send(batch.rows, RemoteEdit(state, isSet: isSet), &run)
      case .tagged(let label, let isSet):
        try await send(batch.rows, RemoteEdit(.label(label), isSet: isSet), &run)
      case .subscribed, .renamed, .moved:
        guard let feed = batch.feed else { break }
        try await send(row, &run) { run in try await send(batch.change, feed, row, &run) }
      case .folderRenamed(let new):
        try await send(row, &run) { _ in try await backend.edit(.renameFolder(row.item, to: new)) }
      case .folderRemoved:
        try await send(row, &run) { _ in try await backend.edit(.removeFolder(row.item)) }
      }
    }
    try await judge(&run)
    return run.outcome
  }

  /// Returns false, and removes all IDs, if the server gave those of articles with changes to
  /// others.
  private func isKnown(
    _ newest: [KnownArticle], _ run: inout Run
  ) async throws(StoreError) -> Bool {
    guard !newest.isEmpty else { return true }
    do throws(AccountError) {
      run.items = try await backend.present(newest.map(\.remoteID))
    } catch {
      run.outcome.failure = error
      run.outcome.failed =
        try store.outboxBatch(of: account.id, limit: limit, at: nil)?.rows.map(\.seq) ?? []
      return false
    }
    let isSame = newest.allSatisfy { known in
      run.items[known.remoteID].map { known.isSame(as: AccountPull.cleaned($0, home: nil)) } ?? true
    }
    if !isSame {
      try await store.noteRebuilt(account.id)
      try await store.cache.requestAccountSync(account.id)
    }
    return isSame
  }

  // MARK: States

  private func send(
    _ rows: [OutboxBatch.Row], _ edit: RemoteEdit, _ run: inout Run
  ) async throws(StoreError) {
    var rows = rows
    do throws(AccountError) {
      let shown = try await shown(rows, edit, &run)
      run.taken.append(rows.filter { shown.contains($0.item) }.map(\.seq))
      rows.removeAll { shown.contains($0.item) }
    } catch {
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
      let first = rest.prefix { $0.attempts < Self.mostTries }.prefix(backend.editsAtOnce)
      await send(first.isEmpty ? rest.prefix(1) : first, edit, &run)
      try await confirm(&run)
      rest = rest.dropFirst(max(1, first.count))
    }
  }

  /// Returns the articles that the server already shows with the state. Queries the server about
  /// changes that may have arrived.
  private func shown(
    _ rows: [OutboxBatch.Row], _ edit: RemoteEdit, _ run: inout Run
  ) async throws(AccountError) -> Set<String> {
    if run.usesLists {
      let names = try await names(of: edit.state, &run)
      return Set(
        rows.map(\.item).filter { names.has($0) == (edit.isSet == (edit.state != .read)) })
    }
    var rest = rows.filter { $0.attempts > 0 && run.items[$0.item] == nil }.map(\.item)[...]
    while !rest.isEmpty {
      // Changes of articles that the server does not return are sent.
      run.items.merge(try await backend.present(Array(rest.prefix(backend.itemsAtOnce)))) { $1 }
      rest = rest.dropFirst(backend.itemsAtOnce)
    }
    return Set(rows.map(\.item).filter { run.items[$0]?.has(edit.state) == edit.isSet })
  }

  private func names(
    of state: RemoteState, _ run: inout Run
  ) async throws(AccountError) -> RemoteNames {
    if let known = run.lists[state] { return known }
    let names = try await backend.names(of: state.list)
    run.lists[state] = names
    return names
  }

  /// Halves a refused batch down to single changes.
  private func send(
    _ rows: ArraySlice<OutboxBatch.Row>, _ edit: RemoteEdit, _ run: inout Run
  ) async {
    guard !rows.isEmpty, run.outcome.failure == nil, !Task.isCancelled else { return }
    do throws(AccountError) {
      try await backend.edit(rows.map(\.item), edit)
      run.taken.append(rows.map(\.seq))
    } catch {
      let subject: Suspect.Subject = if case .label = edit.state { .tag } else { .state }
      // Other requests show whether the server lacks tags or is down.
      if subject == .tag, error.isServerError || error == .unsupported {
        return run.suspects += rows.map { Suspect(row: $0, error: error, subject: .tag) }
      }
      let isAlone = rows[rows.startIndex].attempts >= Self.mostTries
      guard error.isRefusal || isAlone && error.isServerError else {
        run.outcome.failure = error
        run.outcome.failed = rows.map(\.seq)
        return
      }
      guard rows.count > 1 else {
        return suspect(Suspect(row: rows[rows.startIndex], error: error, subject: subject), &run)
      }
      let middle = rows.startIndex + rows.count / 2
      for half in [rows[..<middle], rows[middle...]] { await send(half, edit, &run) }
    }
  }

  // MARK: Subscriptions

  private func send(
    _ row: OutboxBatch.Row, _ run: inout Run,
    by call: (inout Run) async throws -> Void
  ) async throws(StoreError) {
    _ = try await store.noteSending([row.seq])
    do {
      try await call(&run)
      run.taken.append([row.seq])
    } catch AccountError.unsupported {
      try await store.setAside(row.seq, detail: AccountError.unsupported.words, by: nil)
      run.outcome.refused += 1
    } catch let error as AccountError {
      if error.isRefusal || error.isServerError {
        suspect(Suspect(row: row, error: error, subject: .subscription), &run)
      } else {
        run.outcome.failure = error
        run.outcome.failed = [row.seq]
      }
    } catch {
      throw StoreError(error)
    }
    try await confirm(&run)
  }

  private func send(
    _ change: OutboxEntry.Change, _ feed: OutboxFeed, _ row: OutboxBatch.Row, _ run: inout Run
  ) async throws {
    if account.kind == .fever { throw AccountError.unsupported }
    if case .subscribed(true) = change {
      run.feeds = nil
      return try await backend.subscribe(
        url: feed.url, title: feed.title, folder: feed.folder.isEmpty ? nil : feed.folder)
    }
    guard let id = try await name(of: feed, &run) else {
      // A missing subscription needs no unsubscribe.
      if case .subscribed = change { return }
      throw AccountError.refused(status: 404, detail: FailureDetail.notSubscribed.code)
    }
    switch change {
    case .subscribed:
      do {
        let pull = AccountPull(
          account: account, backend: backend, store: store, ending: Int64(row.item))
        let failure = try await pull.storeLastMarks(
          of: id, run.feeds ?? [], unread: try await names(of: .read, &run),
          starred: try await names(of: .starred, &run))
        if let failure { throw failure }
      } catch let error as AccountError
        where error.isRefusal || row.attempts > 0 && error.isAnswer
      {
        // The subscription also ends at a server that never shows its marks.
      }
      try await backend.edit(.unsubscribe(id))
    case .renamed(let title): try await backend.edit(.rename(id, to: title))
    case .moved(let folder):
      try await backend.edit(
        .move(
          id, from: feed.remoteFolder.isEmpty ? nil : feed.remoteFolder,
          to: folder.isEmpty ? nil : folder))
    case .marked, .tagged, .folderRenamed, .folderRemoved: break
    }
  }

  /// Returns the server's present ID of a feed, which is found by its address. Its known ID counts
  /// only if the server shows no addresses. Throws if the ID has another address: the next pull
  /// finds out whether the feed has moved.
  private func name(
    of feed: OutboxFeed, _ run: inout Run
  ) async throws(AccountError) -> String? {
    let feeds =
      if let known = run.feeds { known } else {
        try await backend.subscriptions().map(AccountPull.cleaned)
      }
    run.feeds = feeds
    if let same = feeds.first(where: { $0.url == feed.url }) { return same.id }
    guard let named = feeds.first(where: { $0.id == feed.remoteID }) else { return nil }
    guard named.url == nil else { throw .unusable(detail: FailureDetail.notSubscribed.code) }
    return named.id
  }

  // MARK: Outcomes

  private func suspect(_ suspect: Suspect, _ run: inout Run) {
    run.suspects.append(suspect)
    let hasTakenNothing = run.outcome.sent == 0 && run.taken.isEmpty
    if hasTakenNothing, run.suspects.count(where: { $0.subject != .tag }) >= Self.mostFailures {
      run.outcome.failure = suspect.error
    }
  }

  private func confirm(_ run: inout Run) async throws(StoreError) {
    for seqs in run.taken where !seqs.isEmpty {
      try await store.confirmOutbox(seqs)
      run.outcome.sent += seqs.count
    }
    run.taken = []
  }

  /// Returns true if a working server supports no tags: its answer says so, as Miniflux's does, or
  /// a tag failed repeatedly.
  private func provesNoTags(_ suspect: Suspect) -> Bool {
    guard suspect.subject == .tag else { return false }
    switch suspect.error {
    case .unsupported: return true
    case .refused(501, _): return true
    case .refused(500..., let detail) where detail.lowercased().contains("unsupported"): return true
    default: return suspect.error.isServerError && suspect.row.attempts + 1 >= Self.triesOfTags
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
      guard isWell, error.isRefusal || suspect.subject != .state else {
        run.outcome.failed.append(row.seq)
        run.outcome.failure = run.outcome.failure ?? error
        continue
      }
      let later = min(.seconds(60 << min(row.attempts, 10)), Self.longestWait)
      let wait = error.isRefusal ? nil : later
      do throws(StoreError) {
        try await store.setAside(row.seq, detail: error.words, by: wait)
      } catch .refusedValue(let detail) {
        try await store.setAside(row.seq, detail: detail.failure.code, by: wait)
      }
      if error.isRefusal {
        run.outcome.refused += 1
      } else {
        run.outcome.postponed.append(row.seq)
      }
    }
  }
}

extension RemoteState {
  /// The server's list for this state; for `read`, the list of unread articles.
  fileprivate var list: RemoteList {
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
