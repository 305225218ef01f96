import FeedModel
import FeedStore
import Networking

// From the queue over the network to the cache.
extension NetworkController {
  // MARK: Starting

  func launch(into group: inout DiscardingTaskGroup, _ now: Double) {
    guard restsUntil == nil, !hasGivenUp else { return }
    while true {
      let running = queue.running.count - queue.runningCount(on: OwnSourceReader.gateName)
      let item = queue.next(
        at: now, admits: { mayStart($0, beside: running) }, admitsOwn: { !isPaused($0) })
      guard let item else { return }
      let id = nextOperation
      nextOperation += 1
      if !item.isOwnSource {
        hasProbe = false
        width.operationStarted(id, item.workClass, at: now)
      }
      // Others make room at once.
      if item.workClass == .p0 { lookAtOnce() }
      let task = Task { await perform(item, id) }
      flights[item.key] = Flight(
        id: id, stage: .fetching, task: task, item: item, began: clock.date())
      if case .refresh(let feed) = item.key { phases[feed] = .fetching }
      // What is being sent is finished, within the time that there is at the end.
      if case .push = item.key { continue }
      tie(task, to: &group)
    }
  }

  /// The task ends with the group, and alone when its own work is cancelled.
  private func tie(_ task: Task<Void, Never>, to group: inout DiscardingTaskGroup) {
    group.addTask {
      await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }

  /// What runs is finished, and what somebody asks for by name is done all the same.
  private func isPaused(_ workClass: WorkClass) -> Bool {
    pauses.contains(.everything) && workClass != .p0
  }

  private func mayStart(_ workClass: WorkClass, beside running: Int) -> Bool {
    if isPaused(workClass) { return false }
    // While the line is thought dead everything waits for a probe's answer, p0 too.
    if width.width == 0 { return hasProbe && running == 0 }
    if workClass == .p0 { return running < configuration.ceiling + configuration.reserve }
    // What nobody waits for leaves a poor line to those who do.
    if workClass >= .p3, width.grade == .poor { return false }
    // What waits for the cache counts too: the line then brings as much as the cache takes, and not a
    // flood by turns with a drought, in which the host with the most work would stand idle.
    return running + digesting < configuration.ceiling && width.mayStart(workClass)
  }

  // MARK: One operation

  private func perform(_ item: WorkItem, _ id: OperationID) async {
    switch item.key {
    case .refresh(let feed): await refresh(feed, item, id)
    case .discovery(let discovery): await discover(discovery, item, id)
    case .fullText(let article): await fetchFullText(article, item, id)
    case .download(let file): await download(file, item, id)
    case .push(let account): await push(account, item, id)
    case .pull(let account): await pull(account, item, id)
    }
    exchanges.close(id)
    signal.raise(.operations)
  }

  private func refresh(_ feed: FeedID, _ item: WorkItem, _ id: OperationID) async {
    guard let record = try? store.fetchRecord(feed), !Task.isCancelled else {
      return withdraw(item, id)
    }
    let operation = RefreshOperation(
      record: record, fetcher: fetcher(for: id, flights[item.key]?.valve), pool: pool, clock: clock,
      jitter: configuration.jitter)
    if let foregone = operation.foregone() {
      freeLine(item, id, .cancelled)
      return await write(foregone, item, record)
    }
    flights[item.key]?.attempt = (record.failure?.count ?? 0) + 1
    emit.yield(.refreshStarted(feed: feed, url: record.url, item.workClass))
    let answer = await operation.fetch()
    flights[item.key]?.bytes = exchanges.close(id)
    if operation.isLocal || answer.neverReachedTheLine {
      // It says nothing about the line.
      freeLine(item, id, .cancelled)
      return await digest(answer, of: operation, item)
    }

    let end = OperationEnd(answer, host: item.host)
    takeSamples()
    let mayBeTheLine = width.operationEnded(id, end, demand: demand, at: clock.uptime())
    tellLine()
    switch end {
    case .cancelled:
      freeLine(item, id, nil)
      return drop(item)
    case .answered: record.webURL.map(remember)
    case .unreachable, .unresolved, .refused:
      if width.width == 0 { return postpone(item) }
      if width.isInDoubt {
        freeLine(item, id, nil)
        flights[item.key] = nil
        doubtful[item.key] = Doubtful(item: item, operation: operation, answer: answer)
        return
      }
      if case .refused = end, mayBeTheLine, item.retries == 0 { return tryAgain(item) }
    case .failed, .timedOut:
      if width.width == 0 { return postpone(item) }
      if mayBeTheLine, item.retries == 0 { return tryAgain(item) }
    }
    freeLine(item, id, nil)
    signal.raise(.operations)
    await digest(answer, of: operation, item)
  }

  /// The half behind the network: other operations may use the line meanwhile.
  private func digest(
    _ answer: RefreshOperation.Answer, of operation: RefreshOperation, _ item: WorkItem
  ) async {
    digesting += 1
    defer { digesting -= 1 }
    flights[item.key]?.stage = .digesting
    let result = await operation.digest(answer)
    guard let result, !Task.isCancelled else { return drop(item) }
    await write(result, item, operation.record)
  }

  private func write(_ result: RefreshResult, _ item: WorkItem, _ record: FetchRecord) async {
    flights[item.key]?.stage = .storing
    let (wasFlushing, flushesBefore) = (isFlushing, flushes)
    do throws(StoreError) {
      let merged = try await merger.merge(result)
      rested?.seconds = 0
      let report = RefreshReport(result, record, merged)
      progress.ended(report.outcome, bytes: report.bytes)
      tally.add(report)
      emit.yield(.refreshEnded(report))
      flights[item.key] = nil
      // A phase that was on its way to the cache meanwhile may have come behind the merge, and would
      // seem to run for ever.
      phases[record.feed] = wasFlushing || flushes != flushesBefore ? .idle : nil
    } catch {
      drop(item)
      rest(after: error, clock.uptime())
    }
    signal.raise(.operations)
  }

  private func discover(_ id: Int64, _ item: WorkItem, _ operation: OperationID) async {
    var end = OperationEnd.cancelled
    defer {
      freeLine(item, operation, end)
      if flights.removeValue(forKey: item.key)?.returns == true { queue.putBack(item) }
    }
    guard var discovery = try? store.discovery(id), discovery.state == .waiting else { return }
    let discoverer = FeedDiscoverer(
      fetcher: fetcher(for: operation, flights[item.key]?.valve), pool: pool)
    guard let state = try? await discoverer.discover(discovery.url), !Task.isCancelled else {
      return
    }
    // Without a status it may be that nobody answered.
    if case .failed(let failure) = state, failure.status == nil {} else { end = .answered }
    discovery.state = state
    do throws(StoreError) {
      try await store.finishDiscovery(id, state)
      emit.yield(.discoveryEnded(discovery))
    } catch {
      rest(after: error, clock.uptime())
    }
  }

  func fetcher(for id: OperationID, _ valve: TransferValve?) -> Fetcher {
    var limits = configuration.limits
    let patience = width.patience
    limits.silence = max(limits.silence, patience.silence)
    limits.connect = max(limits.connect, patience.connect ?? 0)
    limits.receiveBuffer = patience.receiveBuffer
    let (page, observe) = (exchanges.page(of: id), samples.observer(of: id))
    return Fetcher(
      transport: transport, hosts: hosts, gate: gate, identities: identities, own: own,
      limits: limits, date: clock.date,
      observe: { event in
        page.observed(event)
        observe(event)
      }, exchanges: page, valve: valve)
  }

  // MARK: Ending

  /// - Parameter end: what the controller of the width is still to be told.
  func freeLine(_ item: WorkItem, _ id: OperationID, _ end: OperationEnd?) {
    queue.ended(item.key)
    queue.setMultiplexing(host: item.host, gate.isMultiplexing(item.host))
    guard let end, !item.isOwnSource else { return }
    if end == .answered, let url = address(of: item.key) { remember(url) }
    width.operationEnded(id, end, demand: demand, at: clock.uptime())
  }

  /// Cancelled by a request's end, by the width's controller, or with the engine.
  private func withdraw(_ item: WorkItem, _ id: OperationID) {
    freeLine(item, id, .cancelled)
    drop(item)
  }

  private func drop(_ item: WorkItem) {
    if flights.removeValue(forKey: item.key)?.returns == true {
      queue.putBack(item)
      return tellPostponed(item)
    }
    progress.withdrawn()
    if case .refresh(let feed) = item.key { phases[feed] = .idle }
    signal.raise(.operations)
  }

  /// The line failed, not the feed: back into the queue, together with those that failed just before.
  private func postpone(_ item: WorkItem) {
    queue.putLast(item)
    flights[item.key] = nil
    let feeds = [item] + doubtful.values.map(\.item)
    for doubt in doubtful.values { queue.enqueue(doubt.item) }
    doubtful = [:]
    for feed in feeds { tellPostponed(feed) }
  }

  /// Once more, when everything else has been done.
  private func tryAgain(_ item: WorkItem) {
    var again = item
    again.retries += 1
    flights[item.key] = nil
    queue.putLast(again)
    tellPostponed(item)
  }

  private func tellPostponed(_ item: WorkItem) {
    guard case .refresh(let feed) = item.key else { return }
    phases[feed] = .waiting
    emit.yield(.refreshPostponed(feed: feed))
    signal.raise(.operations)
  }

  /// An answer came from elsewhere, or nothing is left to compare with: the failures are the feeds' own.
  func settleDoubts(into group: inout DiscardingTaskGroup) {
    guard !doubtful.isEmpty, !width.isInDoubt, width.width > 0 else { return }
    let settled = doubtful.values
    doubtful = [:]
    for doubt in settled {
      let task = Task { await digest(doubt.answer, of: doubt.operation, doubt.item) }
      flights[doubt.item.key] = Flight(
        id: 0, stage: .digesting, task: task, item: doubt.item, began: clock.date())
      tie(task, to: &group)
    }
  }
}

extension RefreshReport {
  init(_ result: RefreshResult, _ record: FetchRecord, _ merged: MergeOutcome) {
    let outcome: Outcome =
      switch result.outcome {
      case .parsed: .refreshed(added: merged.added.count, updated: merged.updated)
      case .unchanged: .unchanged
      case .failed(let kind, let status, let detail): .failed(kind, status: status, detail: detail)
      case .postponed: .postponed(until: result.notBefore ?? result.at)
      }
    self.init(
      feed: record.feed, name: record.name, url: record.url, outcome: outcome,
      bytes: result.bytes, duration: result.duration)
  }
}

extension SyncSummary {
  mutating func add(_ report: RefreshReport) {
    done += 1
    bytes += report.bytes
    switch report.outcome {
    case .refreshed(let added, _): newArticles += added
    case .unchanged: unchanged += 1
    case .failed, .postponed: failed += 1
    }
  }
}
