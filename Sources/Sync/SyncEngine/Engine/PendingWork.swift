import Foundation

/// Loads pending work from the cache. A failed read throws; it never means that there is no work.
struct PendingWork: Sendable {
  /// The maximum number of due feeds loaded at once.
  private static let dueLimit = 20_000

  private let context: OperationContext
  private var store: EngineCache { context.store }

  /// - Parameter wakes: the changes since the last load.
  init(_ context: OperationContext, after wakes: Wake) {
    self.context = context
    if wakes.contains(.feedSettings) { context.records.forget() }
  }

  /// Returns true if waiting rows may have become due without a change.
  func isStale(_ state: EngineState, at now: Date) -> Bool {
    state.isPrefetchStale || context.downloads.isStale(at: now)
  }

  /// Returns the feeds on screen and those of high priority: both are refreshed first.
  func visibleFeeds() throws(StoreError) -> EngineEvent {
    let feeds = try store.requests.visibleFeeds() + store.fetches.highFeeds()
    return .visibleFeeds(feeds.map(OperationKey.refresh))
  }

  func requests(except known: some Collection<Int64>) throws(StoreError) -> EngineEvent {
    let open = try store.requests.refreshRequests(finishedSince: context.clock.date())
      .filter { !$0.isFinished }
    var new: [(id: Int64, work: [OperationEntry])] = []
    for request in open where !known.contains(request.id) {
      let records = try store.requests.pendingFeeds(of: request.id)
      let entries = RefreshOperation.entries(records, request.scope.priority, in: context)
      new.append((request.id, entries))
    }
    return .requests(open: Set(open.map(\.id)), new: new)
  }

  /// Returns the waiting rows of all kinds, and the rows that active kinds still want. Reads each
  /// kind once, because hundreds may wait and every commit of a request leads here.
  func rows(_ state: EngineState) throws(StoreError) -> [EngineEvent] {
    let (prefetches, active) = (state.prefetches, state.table.kinds)
    var events: [EngineEvent] = [.prefetches(prefetches)]
    for kind in context.configuration.kinds where kind.policy.belongs(to: state.mode) {
      let all = try kind.pending(in: context)
      let found = prefetches ? all : all.filter { $0.priority != .prefetch }
      if !found.isEmpty { events.append(.found(found)) }
      guard !found.isEmpty || active.contains(kind.kind),
        let wanted = try kind.wanted(in: context)
      else { continue }
      events.append(.wanted(kind: kind.kind, rows: wanted))
    }
    return events
  }

  func due(at now: Date) throws(StoreError) -> EngineEvent {
    let records = try store.fetches.dueFeeds(at: now, limit: Self.dueLimit)
    return .due(
      DueWork(
        work: RefreshOperation.entries(records, .scheduled, in: context),
        late: RefreshSchedule().late(of: records, at: now), next: try store.fetches.nextDueDate()))
  }

  /// Returns requests without an operation, which arrived while the last refresh of their feed was
  /// being committed. Called when everything else is done.
  func remaining(_ state: EngineState) throws(StoreError) -> [EngineEvent] {
    var records: [FetchRecord] = []
    for id in state.requests.keys { records += try store.requests.pendingFeeds(of: id) }
    return [.found(RefreshOperation.entries(records, .scheduled, in: context))]
      + (try rows(state))
  }
}
