import FeedModel
import FeedStore
import Foundation

/// What the engine remembers between two tellings.
struct TelemetryState: Sendable {
  /// The instant at which the monotonic clock stood at nothing: one for all, so that what waits on says
  /// the same each time.
  var origin = Date.distantPast
  var isWatched = false
  var isWriting = false
  /// When it was told last, something ran or waited.
  var wasBusy = false
  /// Something is to be told though nothing runs.
  var isStale = true
  var toldAt = -Double.infinity
}

// What the engine tells while somebody looks.
extension NetworkController {
  /// Twice a second at most; once where the queue is so long that a look at it takes its time.
  private var tellingInterval: Double { queue.waitingCount > 2_000 ? 1 : 0.5 }

  private var isBusy: Bool {
    !flights.isEmpty || !doubtful.isEmpty || (queue.waitingCount > 0 && !isHeld)
  }

  private var hasSomethingToTell: Bool {
    telemetry.isWatched && !telemetry.isWriting && (isBusy || telemetry.isStale)
  }

  func nextTelling(_ now: Double) -> Double? {
    hasSomethingToTell ? max(now + 0.01, telemetry.toldAt + tellingInterval) : nil
  }

  func tell(_ wakes: Wake, into group: inout DiscardingTaskGroup, _ now: Double) {
    if wakes.contains(.attention) {
      let wasWatched = telemetry.isWatched
      telemetry.isWatched = isWatched()
      if !wasWatched { (telemetry.isStale, telemetry.toldAt) = (true, -.infinity) }
    }
    guard hasSomethingToTell, restsUntil == nil, now - telemetry.toldAt >= tellingInterval else {
      return
    }
    // Who looked may have been killed.
    telemetry.isWatched = isWatched()
    guard telemetry.isWatched else { return }
    telemetry.isWriting = true
    // What ends is told once more.
    telemetry.isStale = isBusy
    let words = words(now)
    telemetry.toldAt = clock.uptime()
    telemetry.wasBusy = isBusy
    group.addTask { await self.write(words) }
  }

  private func isWatched() -> Bool { (try? store.isTelemetryWatched()) ?? false }

  private func write(_ words: SyncTelemetry) async {
    do throws(StoreError) {
      try await store.setTelemetry(words)
    } catch {
      if !Task.isCancelled { rest(after: error, clock.uptime()) }
    }
    telemetry.isWriting = false
    signal.raise(.operations)
  }

  // MARK: What is told

  private func words(_ now: Double) -> SyncTelemetry {
    let date = clock.date()
    let waiting = queue.waiting.values.map { (entry: $0, reason: reason($0)) }
    var counts = waiting.reduce(into: [WaitReason: Int]()) { $0[$1.reason, default: 0] += 1 }
    if !releases.isEmpty { counts[.spread] = releases.count }
    if !doubtful.isEmpty { counts[.lineInDoubt] = doubtful.count }
    let first = waiting.sorted {
      ($0.entry.served, -$0.entry.weight, $0.entry.order)
        < ($1.entry.served, -$1.entry.weight, $1.entry.order)
    }.prefix(SyncTelemetry.waitingLimit)
    let operations =
      running()
      + doubtful.values.map {
        operation($0.item, $0.item.workClass, .waiting(.lineInDoubt), order: 0)
      }
      + first.map {
        operation($0.entry.item, $0.entry.served, .waiting($0.reason), order: $0.entry.order)
      } + spread(SyncTelemetry.waitingLimit - first.count, now)
    let latency = exchanges.latency
    let sample = LineSample(
      at: date, rate: flights.isEmpty ? 0 : width.rate, latency: latency?.median,
      queueing: latency?.queueing, width: width.width, inFlight: queue.running.count,
      waiting: queue.waitingCount, grade: width.grade)
    return SyncTelemetry(
      at: date, reason: width.reason, ceiling: configuration.ceiling, operations: operations,
      waiting: counts, hosts: told(date),
      samples: isBusy || telemetry.wasBusy ? [sample] : [])
  }

  private func running() -> [SyncOperation] {
    let exchanges = exchanges.exchanges
    return flights.map { key, flight in
      let exchange = exchanges[flight.id]
      let stage: SyncOperation.Stage =
        switch flight.stage {
        case .fetching: exchange?.stage ?? .connecting
        case .digesting: .parsing
        case .storing: .storing
        }
      let host = exchange?.host ?? ""
      return SyncOperation(
        subject: subject(key), host: host.isEmpty ? flight.item.host : host,
        workClass: flight.item.workClass, state: .running(stage),
        bytes: exchange?.bytes ?? flight.bytes, since: flight.began, attempt: flight.attempt)
    }
  }

  private func operation(
    _ item: WorkItem, _ served: WorkClass, _ state: SyncOperation.State, order: Int
  ) -> SyncOperation {
    SyncOperation(
      subject: subject(item.key), host: item.host, workClass: served, state: state,
      since: telemetry.origin.addingTimeInterval(item.enqueuedAt), place: order)
  }

  private func spread(_ limit: Int, _ now: Double) -> [SyncOperation] {
    releases.sorted { $0.value < $1.value }.prefix(max(0, limit)).map { feed, at in
      SyncOperation(
        subject: .feed(feed), host: "", workClass: .p2, state: .waiting(.spread),
        since: telemetry.origin.addingTimeInterval(at), place: Int(at * 1_000))
    }
  }

  private func subject(_ key: WorkKey) -> SyncOperation.Subject {
    switch key {
    case .refresh(let feed): .feed(feed)
    case .discovery(let discovery): .discovery(discovery)
    case .fullText(let article): .fullText(article)
    case .download(let download): .download(download)
    case .push(let account): .push(account)
    case .pull(let account): .pull(account)
    }
  }

  private func reason(_ entry: SyncQueueState.Waiting) -> WaitReason {
    if restsUntil != nil { return .storage }
    if queue.heldHosts.contains(entry.item.host) { return .paused }
    if pauses.contains(.everything), entry.served != .p0 { return .paused }
    if width.width == 0, !entry.item.isOwnSource { return .offline }
    if entry.isBlocked || !queue.hasRoom(entry.item.host) { return .hostBusy }
    // A narrow line refuses p2 as well as what it has no room for: told apart by a more urgent class.
    if entry.served > .p2, width.mayStart(.p2) { return .classNotAllowed }
    return .widthFull
  }

  private func told(_ date: Date) -> [HostTelemetry] {
    let (answers, paused) = (exchanges.answers, hosts.pauses(at: date))
    let busy = Set(queue.running.values.map(\.host))
    let newest = answers.sorted { ($0.value.at, $1.key) > ($1.value.at, $0.key) }.map(\.key)
    var seen = Set([""])
    let names = busy.sorted() + queue.heldHosts.sorted() + paused.keys.sorted() + newest
    return names.filter { seen.insert($0).inserted }.prefix(SyncTelemetry.hostLimit).map { host in
      let answer = answers[host]
      return HostTelemetry(
        host: host, inFlight: queue.runningCount(on: host),
        waiting: queue.waitingCount(on: host), pausedUntil: paused[host], status: answer?.status,
        answeredAt: answer?.at, latency: answer?.latency)
    }
  }
}
