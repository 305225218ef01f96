import FeedModel
import FeedStore
import Foundation

// What there is to do: from rows to the queue.
extension NetworkController {
  /// Seconds between two looks at what is due while work is going on anyway.
  private static let dueInterval = 1.0
  /// The most due feeds taken at a look.
  private static let dueLimit = 20_000
  /// However far off the next due feed is, the wall clock may be set meanwhile.
  private static let longestNap = 3_600.0
  /// Seconds for which a cache that refuses is left alone, the first time and at most.
  private static let shortestRest = 30.0
  private static let longestRest = 3_600.0
  /// Seconds for which a run that is to end waits for another process on a dead line, or that does nothing.
  static let offlinePatience = 15.0
  /// The same while something is on the line there, whose server may be silent that long.
  private static let fetchPatience = 180.0

  func takeStock(_ wakes: Wake, _ now: Double) {
    guard !hasGivenUp else { return }
    if var end = restsUntil {
      // Somebody wants something now, and the cache has taken that.
      if wakes.contains(.requests), let rested { end = min(end, rested.at + Self.shortestRest) }
      restsUntil = end
      if end <= now, !isFlushing { tryCache(now) }
      return
    }
    do throws(StoreError) {
      if wakes.contains(.attention) { queue.setAttention(try store.attention()) }
      try takeAccounts(wakes, now)
      if wakes.contains(.requests), takesRequests {
        try takeRequests(now)
        try takeDiscoveries(now)
        try takeFullTexts(now)
        try takeDownloads(now)
        try withdrawGivenUp()
      }
      if wakes.contains(.subscriptions) { dueIsStale = true }
      if let nextDueAt, nextDueAt <= now { dueIsStale = true }
      try takeDue(now)
      release(now)
    } catch {
      rest(after: error, now)
    }
  }

  /// A wall clock that was set back leaves plans years away behind; and what the rows know of hosts that
  /// want peace is read once.
  func watchClocks(_ now: Double, into group: inout DiscardingTaskGroup) {
    let date = clock.date()
    let last = clocksRead
    clocksRead = (date, now)
    if last == nil, let waiting = try? store.waitingFeeds(at: date) {
      hosts.remember(waiting, answers: (try? store.goodAnswers(sinceRefusalsOf: waiting)) ?? [])
    }
    let drift = last.map { date.timeIntervalSince($0.date) - (now - $0.uptime) }
    guard !isRebasing, drift ?? -.infinity < -60 else { return }
    isRebasing = true
    group.addTask { await self.rebase(at: date) }
  }

  private func rebase(at date: Date) async {
    // What cannot be written now is looked at again at the next start.
    try? await store.rebaseChecks(at: date)
    isRebasing = false
    dueIsStale = true
    signal.raise(.alarm)
  }

  private func takeRequests(_ now: Double) throws(StoreError) {
    let open = try store.refreshRequests(finishedSince: clock.date()).filter { !$0.isFinished }
    let ids = Set(open.map(\.id))
    for (id, feeds) in requests where !ids.contains(id) {
      requests[id] = nil
      withdraw(feeds, now)
    }
    for request in open where requests[request.id] == nil {
      let records = try store.pendingFeeds(of: request.id)
      requests[request.id] = Set(records.map(\.feed))
      let workClass: WorkClass = if case .feed = request.scope { .p0 } else { .p2 }
      for (record, backlog) in withBacklog(records) { enqueue(record, workClass, now, backlog) }
    }
  }

  /// A request that came while its feed's last refresh was being committed is served by nobody: looked
  /// for when everything else is done.
  func retakeRequests(_ now: Double) {
    guard takesRequests else { return }
    for id in requests.keys {
      for record in (try? store.pendingFeeds(of: id)) ?? [] { enqueue(record, .p2, now) }
    }
    try? takeFullTexts(now)
    try? takeDownloads(now)
  }

  /// The request is finished, or was cancelled: what still waits or is on the line for it alone, and is
  /// not under way to the cache, ends. Where it is due all the same it is not begun anew at once: the
  /// user has just stopped it.
  private func withdraw(_ feeds: Set<FeedID>, _ now: Double) {
    let others = requests.values.reduce(into: Set<FeedID>()) { $0.formUnion($1) }
    for feed in feeds.subtracting(others) {
      let key = WorkKey.refresh(feed)
      if queue.removeWaiting(key) != nil {
        progress.withdrawn()
        phases[feed] = .idle
        leftAlone[feed] = now + RefreshSchedule.shortest
      } else if flights[key]?.stage == .fetching {
        flights[key]?.cancel()
        leftAlone[feed] = now + RefreshSchedule.shortest
      }
    }
  }

  private func takeDiscoveries(_ now: Double) throws(StoreError) {
    for discovery in try store.pendingDiscoveries() {
      let key = WorkKey.discovery(discovery.id)
      guard flights[key] == nil else { continue }
      let host = FeedDiscoverer.host(of: discovery.url)
      queue.enqueue(WorkItem(key: key, host: host, workClass: .p0, enqueuedAt: now))
    }
  }

  private func takeDue(_ now: Double) throws(StoreError) {
    guard takesDue, dueIsStale, now - dueTakenAt >= Self.dueInterval || queue.isEmpty else {
      return
    }
    dueIsStale = false
    dueTakenAt = now
    let date = clock.date()
    let records = try store.dueFeeds(at: date, limit: Self.dueLimit)
    let spread = spread(at: now)
    let seen = spread > 0 ? Set(try store.attention()) : []
    leftAlone = leftAlone.filter { $0.value > now }
    planLate(records, at: date, now)
    for (record, backlog) in withBacklog(records)
    where !isKnown(record.feed) && leftAlone[record.feed] == nil {
      if spread > 0, !seen.contains(record.feed) {
        releases[record.feed] = now + spread * configuration.jitter()
      } else {
        enqueue(record, .p2, now, backlog)
      }
    }
    let next = try store.nextDueDate()
    let wait = next.map { $0.timeIntervalSince(date) } ?? .infinity
    // Overdue feeds are in the queue by now; what ends them brings a new look.
    nextDueAt = now + (wait <= 0 ? 60 : min(wait, Self.longestNap))
    if next == nil, releases.isEmpty { nextDueAt = nil }
  }

  /// The machine slept, and their time came in hours that their publishers want left out.
  private func planLate(_ due: [FetchRecord], at date: Date, _ now: Double) {
    let late = RefreshSchedule().late(of: due, at: date)
    guard !late.isEmpty else { return }
    for plan in late { leftAlone[plan.feed] = now + plan.at.timeIntervalSince(date) }
    // What cannot be written now is looked at again at the next start.
    Task { try? await store.planChecks(late) }
  }

  private var takesRequests: Bool {
    if case .untilIdle(.push) = mode { false } else { true }
  }

  private var takesDue: Bool {
    switch mode {
    case .serving: configuration.refreshesDueFeeds
    case .untilIdle(.dueAndRequested): true
    case .untilIdle(.requested), .untilIdle(.push): false
    }
  }

  /// Only the first look of a reader that was just opened is spread.
  private func spread(at now: Double) -> Double {
    guard case .serving = mode, !hasSpread else { return 0 }
    hasSpread = true
    return configuration.initialSpread
  }

  private func release(_ now: Double) {
    guard !releases.isEmpty else { return }
    for (feed, _) in releases.filter({ $0.value <= now }).sorted(by: { $0.value < $1.value }) {
      releases[feed] = nil
      if let record = try? store.fetchRecord(feed) { enqueue(record, .p2, now) }
    }
  }

  private func isKnown(_ feed: FeedID) -> Bool {
    let key = WorkKey.refresh(feed)
    return queue.contains(key) || flights[key] != nil || doubtful[key] != nil
      || releases[feed] != nil
  }

  /// Each with the number of those behind it that ask the same host.
  private func withBacklog(_ records: [FetchRecord]) -> [(FetchRecord, Int)] {
    var behind: [String: Int] = [:]
    let counted = records.reversed().map { record in
      let host = Self.host(record)
      defer { behind[host, default: 0] += 1 }
      return (record, behind[host] ?? 0)
    }
    return counted.reversed()
  }

  /// What a feed's requests are counted under: its host, or the one gate of the user's own programs.
  private static func host(_ record: FetchRecord) -> String {
    record.host ?? (OwnSource.claims(record.url) ? OwnSourceReader.gateName : "")
  }

  private func enqueue(
    _ record: FetchRecord, _ workClass: WorkClass, _ now: Double, _ backlog: Int = 0
  ) {
    let key = WorkKey.refresh(record.feed)
    guard flights[key] == nil, doubtful[key] == nil, !cancelled.contains(record.feed) else {
      return
    }
    releases[record.feed] = nil
    leftAlone[record.feed] = nil
    let isNew = !queue.contains(key)
    let host = Self.host(record)
    let item = WorkItem(
      key: key, host: host, workClass: workClass, enqueuedAt: now, backlog: backlog)
    queue.enqueue(item)
    if workClass == .p0, width.grade == .offline, !item.isOwnSource { hasProbe = true }
    telemetry.isStale = true
    guard isNew else { return }
    phases[record.feed] = .waiting
    if progress.enqueued(at: clock.date()) {
      liveBytes = 0
      emit.yield(.syncStarted)
    }
  }

  /// The cache refused: more work would come to nothing, and asking again at once would not help it. The rest
  /// is twice as long each time until a refresh could be written: one feed alone must not stop the others.
  func rest(after error: StoreError, _ now: Double) {
    emit.yield(.storeFailed(error))
    tally.storeFailure = error
    // What was on its way when the rest began fails too.
    if let restsUntil, now < restsUntil { return }
    var seconds = Self.shortestRest
    if let rested, now < rested.at + 2 * rested.seconds + Self.shortestRest {
      seconds = min(max(seconds, 2 * rested.seconds), Self.longestRest)
    }
    rested = (now, seconds)
    restsUntil = now + seconds
  }

  /// Whether the cache takes what the screens are to be told is found out before any host is asked.
  private func tryCache(_ now: Double) {
    let write = beginFlush(now)
    Task { await write() }
  }

  /// Whether all that was asked for by this process has been done by the engine of another, or cannot be:
  /// a reader waits for a dead line as long as it is open, a run that is to end does not.
  func isServedElsewhere(_ now: Double) -> Bool {
    tally.wasServedElsewhere = true
    let isPaused = (try? store.syncPauses())?.contains { $0.scope == .everything } ?? false
    // Accounts are served in a pause too: somebody has asked for them by name.
    let asksAccounts = awaitsAccounts(now)
    let refreshes = !isPaused && awaitsRefreshes(now)
    if asksAccounts || refreshes { return false }
    tally.isPaused = isPaused
    let rows = (awaited ?? []).compactMap { try? store.refreshRequest($0) }
    tally.done = rows.reduce(0) { $0 + $1.done }
    tally.failed = rows.reduce(0) { $0 + $1.failed }
    tally.newArticles = rows.reduce(0) { $0 + $1.newArticles }
    tally.bytes = rows.reduce(0) { $0 + $1.bytes }
    return true
  }

  /// Whether a refresh that was asked for when this run began to wait still is, on a line that lives, by an
  /// engine that does something: a process that was stopped holds the election without end.
  private func awaitsRefreshes(_ now: Double) -> Bool {
    guard takesRequests,
      let open = try? store.refreshRequests(finishedSince: clock.date()).filter({ !$0.isFinished })
    else { return false }
    let wanted = awaited ?? Set(open.map(\.id))
    awaited = wanted
    let left = open.filter { wanted.contains($0.id) }
    if left.isEmpty { return false }
    let status = try? store.syncStatus()
    let isOffline = status?.isRunning == true && status?.grade == .offline
    servedOfflineSince = isOffline ? servedOfflineSince ?? now : nil
    if let since = servedOfflineSince, now - since >= Self.offlinePatience {
      tally.isOffline = true
      return false
    }
    let isStill = served.map { $0.requests == left && $0.status == status } ?? false
    let movedAt = isStill ? served?.movedAt ?? now : now
    served = (left, status, movedAt)
    let isFetching = (status?.inFlight ?? 0) > 0
    let patience = isFetching ? Self.fetchPatience : Self.offlinePatience
    if now - movedAt < patience { return true }
    tally.isUnserved = true
    return false
  }
}
