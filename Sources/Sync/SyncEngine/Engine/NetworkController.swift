// This target decides which work uses the network, when and how much at once, and writes the
// results. The target shares only the cache with the screens and names no screen.

@_exported public import FeedStore
import Foundation
@_exported public import NetworkMeasurement
@_exported public import RemoteAccounts
import Synchronization

/// Controls everything that uses the network. The loop turns wake-ups into events of `EngineState`
/// and carries out the actions that the state returns.
///
/// The composition root creates the controller. Network objects are created at the first work; the
/// offline mode has a `FolderService` in place of a controller.
public actor NetworkController {
  /// The time that `stop` waits for changes that are being sent.
  static let sendingDeadline = Duration.milliseconds(3_200)
  /// The largest step back of the wall clock that corrects no plans.
  private static let clockTolerance = Duration.seconds(60)

  private nonisolated let context: OperationContext
  private nonisolated let signal = WakeSignal()
  private nonisolated let serving = Mutex<Task<Void, Never>?>(nil)
  private let runner = OperationRunner()
  private let background = BackgroundTasks()
  private let maintenance: MaintenanceRunner
  private var state: EngineState
  private var publisher: TelemetryPublisher
  private var standby: StandbyMonitor
  private var isRunning = false
  private var clockRead: Instant?
  private var alarm: (at: Instant, task: Task<Void, Never>)?

  /// - Parameter transport: called once, at the first work.
  package init(
    store: EngineCache, accounts: AccountSyncCache,
    transport: @escaping @Sendable () -> any HTTPTransport,
    configuration: SyncConfiguration, clock: EngineClock = .system
  ) {
    context = OperationContext(
      store: store, accounts: accounts, configuration: configuration, clock: clock,
      transport: transport)
    maintenance = MaintenanceRunner(context: context)
    state = EngineState(configuration)
    publisher = TelemetryPublisher(context)
    standby = StandbyMonitor(context) { [signal] in signal.raise(.everything) }
  }

  deinit { context.events.continuation.finish() }

  /// The events in order, for one listener. The oldest are dropped if the listener is too slow.
  public nonisolated var events: AsyncStream<SyncEvent> { context.events.stream }

  // MARK: Life

  /// Starts to serve the cache and returns at once. Does nothing if called again.
  public nonisolated func start() {
    serving.withLock { task in
      if task == nil { task = Task { await self.run(.serving) } }
    }
  }

  /// Stops the engine. Running operations are cancelled and write nothing; changes that accounts'
  /// servers or the shared folder lack get some seconds more. Returns when all have ended, or after
  /// `deadline`.
  public nonisolated func stop(deadline: Duration = .milliseconds(300)) async {
    guard let task = serving.withLock({ $0 }) else { return }
    let deadline = context.hasUnsent ? max(deadline, Self.sendingDeadline) : deadline
    task.cancel()
    await task.end(atMost: deadline)
  }

  /// Runs until no work is left, for `weir sync` and tests. Cancelling the task ends the run early.
  /// Does nothing while this controller serves (`start`).
  public func runUntilIdle(_ work: SyncWork = .dueAndRequested) async -> SyncSummary {
    guard !isRunning else { return SyncSummary() }
    let began = context.clock.now()
    await run(.untilIdle(work))
    var summary = state.summary
    summary.duration = context.clock.now() - began
    return summary
  }

  private func run(_ mode: RunMode) async {
    guard !isRunning, !Task.isCancelled else { return }
    isRunning = true
    begin(mode)
    let signal = signal
    let observation = context.store.observe(Wake.interest) { signal.raise(Wake($0)) }
    let maintenanceTask = mode.isServing ? maintenance.start { await self.isFree } : nil
    let folder = FolderRunner(
      store: context.store, interval: context.configuration.folderInterval, clock: context.clock
    ) { [context] in context.emit(.storeFailed($0)) }
    let folderTask = mode.isServing ? folder.start { await self.standby.isElected } : nil
    signal.raise(.everything)
    for await _ in signal.stream {
      if turn(signal.drain()) || Task.isCancelled { break }
    }
    await runner.end()
    await background.end()
    await sendLast()
    observation.cancel()
    maintenanceTask?.cancel()
    folderTask?.cancel()
    alarm?.task.cancel()
    alarm = nil
    await writeFinalRows()
    if mode.isServing, standby.isElected { await folder.finish() }
    if !mode.isServing { await maintenance.runBriefly { await self.isFree } }
    standby.resign()
    isRunning = false
  }

  private func begin(_ mode: RunMode) {
    let now = context.clock.now()
    clockRead = nil
    apply(.began(mode), now)
    context.accountSync.begin(mode)
    standby.begin()
    attempt(now) { apply(.expect(try publisher.begin(at: now.date)), now) }
    perform(.refreshAccounts, now)
  }

  private var isFree: Bool {
    standby.isElected && state.table.running.isEmpty && !state.progress.isRunning
  }

  private func sendLast() async {
    guard standby.isElected, state.limiter.quality != .offline else { return }
    let (context, runner) = (context, runner)
    do throws(StoreError) {
      try await context.accountSync.sendLast(after: runner.finish) { context.fetcher() }
    } catch {
      context.emit(.storeFailed(error))
    }
  }

  private func writeFinalRows() async {
    let now = context.clock.now()
    state.end(at: now)
    let isWatched = publisher.isWatched
    guard standby.isElected, publisher.hasNews(state) || isWatched else { return }
    let (context, status, telemetry) = (context, state.status, publisher.end(at: now.date))
    // Runs in another task, because this one is cancelled and the store would throw.
    await Task {
      do throws(StoreError) {
        try await context.store.requests.setSyncStatus(status)
        if isWatched { try await context.store.requests.setTelemetry(telemetry) }
      } catch {
        context.emit(.storeFailed(error))
      }
    }.value
  }

  // MARK: The loop

  /// Loads, ticks, publishes and sets the alarm without waiting. Returns true if the run is over.
  private func turn(_ wakes: Wake) -> Bool {
    let now = context.clock.now()
    var wakes = wakes
    if wakes.contains(.alarm) {
      alarm?.task.cancel()
      alarm = nil
    }
    if !standby.isElected {
      guard standby.elect() else { return standBy(now) }
      wakes = .everything
    }
    attempt(now) {
      try watchClock(now)
      try load(wakes, now)
    }
    apply(.reported(context.transfers.drain()), now)
    apply(.tick, now)
    if publisher.mayFlush(state, at: now) { flush(now) }
    let store = context.store
    let limits = context.gate.drainLearned()
    if !limits.isEmpty { write { try await store.requests.setHostLimits(limits) } }
    if let pause = context.downloads.drainPause() {
      write { try await store.downloads.setDownloadPause(pause) }
    }
    attempt(now) {
      try publish(visibleFeedsChanged: wakes.contains(.visibleFeeds), now)
    }
    if state.isFinished, publisher.isIdle { return true }
    let due = context.accountSync.dueAt.map { max($0, now + .milliseconds(10)) }
    let others = [due, context.downloads.changesAt(after: now)].compactMap(\.self)
    let moments = publisher.moments(state, at: now) + others
    if let next = state.nextWake(at: now, others: moments) {
      setAlarm(max(next, now + .milliseconds(1)))
    }
    return false
  }

  private func standBy(_ now: Instant) -> Bool {
    guard !state.mode.isServing else { return false }
    setAlarm(now + .seconds(1))
    do throws(StoreError) {
      return try standby.isServed(state.mode, at: now, &state.summary)
    } catch {
      state.summary.storeFailure = error
      return true
    }
  }

  private func setAlarm(_ moment: Instant) {
    // An alarm that fires early finds no work and is set again.
    if let alarm, alarm.at <= moment { return }
    alarm?.task.cancel()
    let (sleep, signal) = (context.clock.sleep, signal)
    let task = Task {
      guard (try? await sleep(moment)) != nil else { return }
      signal.raise(.alarm)
    }
    alarm = (moment, task)
  }

  /// Corrects plans that lie years ahead because the wall clock was set back. Loads the hosts'
  /// back-offs once.
  private func watchClock(_ now: Instant) throws(StoreError) {
    defer { clockRead = now }
    guard let last = clockRead else {
      // The clock may have been set back while no engine ran.
      apply(.clockSetBack, now)
      let waiting = try context.store.fetches.waitingFeeds(at: now.date)
      let answers = try context.store.fetches.goodAnswers(sinceRefusalsOf: waiting)
      context.gate.remember(try context.store.requests.hostLimits(at: now.date))
      return context.hosts.remember(waiting, answers: answers)
    }
    let drift = Duration.seconds(now.date.timeIntervalSince(last.date)) - (now - last)
    if drift < .zero - Self.clockTolerance { apply(.clockSetBack, now) }
  }

  private func load(_ wakes: Wake, _ now: Instant) throws(StoreError) {
    let pending = PendingWork(context, after: wakes)
    if wakes.contains(.steering) || state.arePausesStale(at: now) {
      apply(.paused(Set(try context.store.requests.syncPauses().map(\.scope))), now)
      let cancellations = try context.store.requests.cancellations()
      if !cancellations.isEmpty { apply(.cancelled(cancellations), now) }
    }
    if state.backoff.isActive, wakes.contains(.requests) { apply(.asked, now) }
    if wakes.contains(.feedSettings) { apply(.feedSettingsChanged, now) }
    if wakes.contains(.accounts) { context.accountSync.reload() }
    guard !state.backoff.isActive, !state.hasGivenUp else { return }
    if !wakes.isDisjoint(with: [.visibleFeeds, .feedSettings]) {
      apply(try pending.visibleFeeds(), now)
    }
    apply(.found(try context.accountSync.load(at: now) { state.table.contains($0) }), now)
    if wakes.contains(.requests) || pending.isStale(state, at: now.date), state.loadsRequests {
      if state.loadsRefreshes { apply(try pending.requests(except: state.requests.keys), now) }
      for event in try pending.rows(state) { apply(event, now) }
    }
    if state.loadsDue(at: now) { apply(try pending.due(at: now.date), now) }
    if state.isIdle, state.loadsRequests {
      for event in try pending.remaining(state) { apply(event, now) }
    }
  }

  /// Reports an error of the store to the state, which backs off.
  private func attempt(_ now: Instant, _ body: () throws -> Void) {
    do {
      try body()
    } catch {
      apply(.storeFailed(StoreError(error)), now)
    }
  }

  // MARK: Events and effects

  private func apply(_ event: EngineEvent, _ now: Instant) {
    for action in state.apply(event, at: now) { perform(action, now) }
  }

  private func report(_ event: EngineEvent) {
    let now = context.clock.now()
    apply(.reported(context.transfers.drain()), now)
    apply(event, now)
    if case .flushEnded(let error?) = event, error.refusal == nil { publisher.refused() }
    signal.raise(.operations)
  }

  private func perform(_ action: EngineAction, _ now: Instant) {
    let store = context.store
    switch action {
    case .start(let entry, let timeouts):
      runner.start(entry, timeouts, context) { await self.report($0) }
    case .cancel(let id): runner.cancel(id)
    case .proceed(let id): runner.proceed(id)
    case .setReading(let id, let reads): runner.setReading(id, reads)
    case .enforceMinimumRate(let isEnforced): context.minimumRate.isEnforced = isEnforced
    case .probe(let url, let key): background.add { await self.probe(url, key) }
    case .completeCancellations(let cancellations, let keys):
      let feeds = keys.map { FeedID(rawValue: $0.row) }.sorted()
      let next = now.date + RefreshSchedule.shortest.seconds
      write(then: .cancellationsCompleted(keys)) {
        try await store.requests.complete(cancellations, of: feeds, next: next)
      }
    case .plan(let plans):
      write { try await store.fetches.planChecks(plans) }
    case .correctPlans:
      write(then: .plansCorrected) {
        try await store.fetches.rebaseChecks(at: now.date)
      }
    case .testStore: flush(now)
    case .refreshAccounts:
      let accounts = context.accountSync
      write { try await accounts.refresh() }
    case .reloadAccounts: context.accountSync.reload()
    case .emit(let event):
      if case .syncEnded = event { publisher.flushAtOnce() }
      context.emit(event)
    case .reload: signal.raise(.everything)
    case .wake: signal.raise(.operations)
    }
  }

  private func write(
    then event: EngineEvent? = nil,
    _ body: @escaping @Sendable () async throws -> Void
  ) {
    background.add {
      do {
        try await body()
      } catch {
        if !Task.isCancelled { await self.report(.storeFailed(StoreError(error))) }
      }
      if let event { await self.report(event) }
    }
  }

  private func flush(_ now: Instant) {
    let (status, store) = (state.status, context.store)
    publisher.flushed(status, at: now)
    apply(.flushBegan, now)
    background.add {
      do throws(StoreError) {
        try await store.requests.setSyncStatus(status)
        await self.report(.flushEnded(nil))
      } catch {
        await self.report(.flushEnded(Task.isCancelled ? nil : error))
      }
    }
  }

  private func publish(visibleFeedsChanged: Bool, _ now: Instant) throws(StoreError) {
    guard
      let telemetry = try publisher.publish(
        state, visibleFeedsChanged: visibleFeedsChanged, at: now)
    else { return }
    let store = context.store
    write {
      defer { Task { await self.wroteTelemetry() } }
      try await store.requests.setTelemetry(telemetry)
    }
  }

  private func wroteTelemetry() {
    publisher.wroteTelemetry()
    signal.raise(.operations)
  }

  private func probe(_ url: String?, _ key: OperationKey?) async {
    var isReached = false
    do throws(StoreError) {
      isReached = try await context.reaches(url, key)
    } catch {
      report(.storeFailed(error))
    }
    if !Task.isCancelled { report(.probed(reached: isReached)) }
  }

  // MARK: Accounts

  /// Signs in with an unsaved password and writes nothing. Returns `nil` on success.
  public func verify(
    kind: Account.Kind, url: String, user: String, secret: String
  ) async -> AccountFailure? {
    await context.accountSync.verify(kind: kind, url: url, user: user, secret: secret)
  }

  /// Returns the https address to which a server redirects http, if any. Sends no password.
  public func encrypted(_ url: String) async -> String? {
    await context.accountSync.encrypted(url)
  }
}
