import Foundation

// The ends of operations: stored, postponed, retried or dropped. One policy serves all kinds;
// `OperationPolicy` holds the differences.
extension EngineState {
  mutating func fetched(_ id: OperationID, _ fetch: FetchEnd, _ now: Instant) {
    guard let entry = table[id], entry.state == .fetching, let policy = policies[entry.key.kind]
    else { return }
    let key = entry.key
    if fetch.end == .answered, let address = fetch.address { network.remember(address) }
    // Read first, as the operation's host counts among those in use.
    let demand = demand
    table.endTransfer(key)
    table.setLimit(of: entry.host, fetch.hostLimit)
    let mayBeNetwork =
      !entry.isLocal
      && limiter.operationEnded(id, fetch.end ?? .cancelled, demand: demand, at: now.seconds)
    publishLimit()
    if !entry.isLocal, policy.waitsForNetwork {
      switch fetch.end {
      case .unreachable, .unresolved, .refused:
        if limiter.limit == 0 { return postpone(key) }
        guard policy.suspectsNetwork else { break }
        if limiter.isInDoubt { return table.setSuspected(key, true) }
        if case .refused = fetch.end, mayBeNetwork, entry.retries == 0 { return retry(key) }
      case .failed, .timedOut:
        if limiter.limit == 0 { return postpone(key) }
        if policy.suspectsNetwork, mayBeNetwork, entry.retries == 0 { return retry(key) }
      case .answered, .cancelled, nil: break
      }
    }
    actions.append(.proceed(id))
  }

  /// Requeues an operation after a failure of the network, and the operations suspected before.
  mutating func postpone(_ key: OperationKey) {
    requeue(key, .last)
    for suspect in table.suspected { requeue(suspect, .usual) }
  }

  /// Tries once more, after all other work.
  mutating func retry(_ key: OperationKey) { requeue(key, .last, isRetry: true) }

  mutating func requeue(
    _ key: OperationKey, _ position: OperationTable.QueuePosition, isRetry: Bool = false
  ) {
    if let entry = table.running[key] { actions.append(.cancel(entry.id)) }
    table.requeue(key, position, isRetry: isRetry)
    if isCounted(key) {
      actions.append(.emit(.refreshPostponed(feed: FeedID(rawValue: key.row))))
    }
  }

  mutating func ended(_ id: OperationID, _ result: OperationResult, _ now: Instant) {
    guard let entry = table[id] else { return }
    let key = entry.key
    if entry.state == .fetching, !entry.isLocal {
      table.endTransfer(key)
      limiter.operationEnded(id, .cancelled, demand: demand, at: now.seconds)
    }
    if policies[key.kind]?.concernsAccount ?? false { actions.append(.reloadAccounts) }
    switch result {
    case .stored(let events):
      table.remove(key)
      for event in events { count(event) }
    case .dropped, .failed:
      if entry.isRequeued {
        requeue(key, .first)
      } else {
        table.remove(key)
        uncount(key)
      }
      if case .failed(let error) = result { storeFailed(error, now) }
    }
  }

  mutating func count(_ event: SyncEvent) {
    switch event {
    case .refreshEnded(let report):
      backoff.wroteRefresh()
      progress.ended(report)
      summary.counts += report
      if report.mayAddFeeds { due.isStale = true }
      actions.append(.emit(event))
    case .accountEnded(let report):
      summary.set(report)
      actions.append(.emit(event))
    default: actions.append(.emit(event))
    }
  }
}
