// What may enter this folder: what decides which work touches the network, when, how much of it at
// once, and what is written back. It shares only the cache with the screens and names no screen.

import FeedModel
public import FeedStore
import Foundation
public import Networking
import Synchronization

/// The root of everything that touches the network: observes the cache for what is due or asked for,
/// runs operations for it, as many at once as the line bears, and writes what they bring.
///
/// Made and injected by the composition root; nothing of the network exists before its first work. A
/// controller that is never started is the offline mode.
public actor NetworkController {
  /// What a run is to do before it ends.
  public enum Work: Sendable {
    /// Feeds whose time has come, and what was asked for.
    case dueAndRequested
    /// Only what was asked for (refresh requests, discoveries).
    case requested
    /// Only what is to be sent to the servers of accounts.
    case push
  }

  enum Mode { case serving, untilIdle(Work) }

  /// A run of an operation, from its start to its commit.
  struct Flight {
    enum Stage { case fetching, digesting, storing }
    var id: OperationID
    var stage: Stage
    var task: Task<Void, Never>
    var item: WorkItem
    var began: Date
    /// 1 at the first try; more where the tries before have failed.
    var attempt = 1
    /// Off the socket, once the exchange has ended.
    var bytes: Int64 = 0
    var valve = TransferValve()
    /// Once it has ended, its work is to be done again.
    var returns = false

    /// - Parameter returns: the line wants it off, nobody else.
    mutating func cancel(returns: Bool = false) {
      self.returns = returns
      task.cancel()
    }
  }

  /// An exchange that failed while it is not clear whether the line did.
  struct Doubtful {
    var item: WorkItem
    var operation: RefreshOperation
    var answer: RefreshOperation.Answer
  }

  /// Everything that happens, in order; for one listener. What nobody takes is dropped, oldest first.
  public nonisolated let events: AsyncStream<SyncEvent>
  nonisolated let emit: AsyncStream<SyncEvent>.Continuation
  nonisolated let signal = WakeSignal()
  private nonisolated let serving = Mutex<Task<Void, Never>?>(nil)

  let store: FeedStore
  let configuration: SyncConfiguration
  let clock: EngineClock
  let merger: Merger
  let pool = ParsingPool()
  let hosts = HostBook()
  let gate: HostGate
  let own: OwnSourceReader
  let identities: Identities
  let samples: TransferSamples
  let exchanges = ExchangeBook()
  let election: EngineElection
  private let makeTransport: @Sendable () -> any HTTPTransport
  lazy var transport: any HTTPTransport = makeTransport()

  // What the engine knows between two turns of its loop.
  var queue: SyncQueueState
  var width: any WidthController
  var progress = SyncProgress()
  var flights: [WorkKey: Flight] = [:]
  var doubtful: [WorkKey: Doubtful] = [:]
  /// Due feeds that wait for their moment of the initial spread; monotonic seconds.
  var releases: [FeedID: Double] = [:]
  /// Requests that are being served, with the feeds that they brought.
  var requests: [Int64: Set<FeedID>] = [:]
  var nextOperation: OperationID = 1
  var digesting = 0
  /// One operation may start though the line is thought dead: the user wants it now.
  var hasProbe = false
  /// Of hosts that answered lately, the newest last.
  var goodAddresses: [String] = []
  var liveBytes: Int64 = 0
  var tally = SyncSummary()

  var mode = Mode.serving
  var isRunning = false
  /// This process was elected.
  var isEngine = false
  /// Another process is the engine.
  var isServed = false
  /// The requests that this run waits for while another process serves them: those that were open when
  /// it began to wait.
  var awaited: Set<Int64>?
  /// Those, and that engine's status, as they were when something last moved there; monotonic seconds.
  var served: (requests: [RefreshRequest], status: SyncStatus?, movedAt: Double)?
  /// Since when that engine says that the line is dead; monotonic seconds.
  var servedOfflineSince: Double?
  var hasSpread = false
  var dueIsStale = true
  var dueTakenAt = -Double.infinity
  /// Due feeds whose refresh the user stopped, or that are not to be asked at this hour: left alone until
  /// then, unless they are asked for; monotonic seconds.
  var leftAlone: [FeedID: Double] = [:]
  /// What the two clocks said last, to notice when the wall clock is set back.
  var clocksRead: (date: Date, uptime: Double)?
  /// What a clock that ran ahead had planned is being mended in the cache.
  var isRebasing = false
  /// When the next feed's time comes; monotonic seconds.
  var nextDueAt: Double?
  /// The cache refused a write: nothing starts before then, nor before it has taken one.
  var restsUntil: Double?
  /// The last such rest: when it began, monotonic; and its length, 0 once a refresh was written. In seconds.
  var rested: (at: Double, seconds: Double)?
  var tickedAt = -Double.infinity
  var lastLine: (grade: LineGrade?, width: Int)?

  // What is to be written for the screens.
  var phases: [FeedID: RefreshPhase] = [:]
  /// How many flushes have begun.
  var flushes = 0
  var writtenStatus: SyncStatus?
  var flushedAt = -Double.infinity
  var isFlushing = false

  /// What the screens of this and other processes want of the engine beside work.
  var pauses: Set<SyncPause.Scope> = []
  var pausesTakenAt = -Double.infinity
  /// Feeds whose refresh the user has ended and that the cache still holds for wanted.
  var cancelled: Set<FeedID> = []
  var telemetry = TelemetryState()
  var accounts = AccountStock()

  private var alarm: (at: Double, task: Task<Void, Never>)?

  /// - Parameters:
  ///   - transport: called once, at the first work.
  public init(
    store: FeedStore, transport: @escaping @Sendable () -> any HTTPTransport,
    configuration: SyncConfiguration, clock: EngineClock = .system
  ) {
    self.store = store
    self.makeTransport = transport
    self.configuration = configuration
    self.clock = clock
    let limits = SyncQueueState.Limits(
      perHost: configuration.perHost, perMultiplexingHost: configuration.perMultiplexingHost)
    merger = Merger(store: store)
    gate = HostGate(limits: limits)
    own = OwnSourceReader(gate: gate, limit: configuration.limits.decodedBody)
    identities = Identities(settings: configuration.settings, reader: own)
    samples = TransferSamples(uptime: clock.uptime)
    election = EngineElection(directory: configuration.directory) { [signal] in
      signal.raise(.everything)
    }
    queue = SyncQueueState(limits: limits)
    width = configuration.widthController(configuration.ceiling)
    (events, emit) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(4_096))
  }

  deinit { emit.finish() }

  // MARK: Life

  /// Seconds until the shell is back where something is being sent.
  private static let sendingDeadline = 3.2

  /// Begins to serve the cache and returns at once. Called again it does nothing.
  public nonisolated func start() {
    serving.withLock { task in
      if task == nil { task = Task { await self.run(.serving) } }
    }
  }

  /// Ends everything: what runs is cancelled and writes nothing; what is to be sent to the servers of
  /// accounts gets some seconds more. Returns when all has ended, or after `deadline` seconds.
  public nonisolated func stop(deadline: Double = 0.3) async {
    guard let task = serving.withLock({ $0 }) else { return }
    let isSending = (try? store.hasOutbox()) ?? false
    let deadline = isSending ? max(deadline, Self.sendingDeadline) : deadline
    task.cancel()
    let ended = AsyncStream<Void>.makeStream()
    let watch = Task {
      await task.value
      ended.continuation.finish()
    }
    let timer = Task {
      try? await Task.sleep(for: .seconds(deadline))
      ended.continuation.finish()
    }
    for await _ in ended.stream {}
    watch.cancel()
    timer.cancel()
  }

  /// Does what is to be done, then returns: `weir sync`, and tests. Cancelling the task ends it early.
  /// While this controller serves (`start`), it does nothing.
  public func runUntilIdle(_ work: Work = .dueAndRequested) async -> SyncSummary {
    guard !isRunning else { return SyncSummary() }
    tally = SyncSummary()
    let began = clock.uptime()
    await run(.untilIdle(work))
    tally.duration = clock.uptime() - began
    tally.wasCancelled = Task.isCancelled
    return tally
  }

  private func run(_ mode: Mode) async {
    guard !isRunning, !Task.isCancelled else { return }
    isRunning = true
    self.mode = mode
    beginServing()
    let signal = signal
    let observation = store.observe(
      [.requests, .subscriptions, .attention, .steering, .accounts]
    ) { change in
      var wake = Wake()
      if change.contains(.requests) { wake.formUnion(.requests) }
      if change.contains(.subscriptions) { wake.formUnion(.subscriptions) }
      if change.contains(.attention) { wake.formUnion(.attention) }
      if change.contains(.steering) { wake.formUnion(.steering) }
      if change.contains(.accounts) { wake.formUnion(.accounts) }
      signal.raise(wake)
    }
    let upkeep = keepUp()
    signal.raise(.everything)
    await withDiscardingTaskGroup { group in
      for await _ in signal.stream {
        if turn(signal.take(), &group) { break }
        if Task.isCancelled { break }
      }
      group.cancelAll()
    }
    await sendLast()
    observation.cancel()
    upkeep?.cancel()
    alarm?.task.cancel()
    alarm = nil
    await endServing()
    if case .untilIdle = mode { await tidyBriefly() }
    election.resign()
    isEngine = false
    isRunning = false
  }

  // MARK: The loop

  /// One turn: look, tick, launch, tell, and set the alarm. Never waits. True where the run is over.
  private func turn(_ wakes: Wake, _ group: inout DiscardingTaskGroup) -> Bool {
    let now = clock.uptime()
    if wakes.contains(.alarm) {
      alarm?.task.cancel()
      alarm = nil
    }
    guard isEngine || stand() else { return standBy(now) }

    watchClocks(now, into: &group)
    takeStock(wakes, now)
    steer(wakes, into: &group, now)
    regulate(into: &group, now)
    settleDoubts(into: &group)
    endSyncIfIdle(now)
    launch(into: &group, now)
    flush(into: &group, now)
    tell(wakes, into: &group, now)
    if isFinished { return true }
    setAlarm(now)
    return false
  }

  private func stand() -> Bool {
    guard election.stand() else { return false }
    isEngine = true
    emit.yield(.becameEngine)
    isServed = false
    signal.raise(.everything)
    return true
  }

  /// Another process is the engine. When it dies the election wakes this one.
  private func standBy(_ now: Double) -> Bool {
    if !isServed {
      isServed = true
      emit.yield(.standingBy)
    }
    switch mode {
    case .serving: return false
    case .untilIdle:
      setAlarm(at: now + 1)
      return isServedElsewhere(now)
    }
  }

  private var isFinished: Bool {
    guard case .untilIdle = mode else { return false }
    return flights.isEmpty && doubtful.isEmpty && !isFlushing && !telemetry.isWriting
      && cancelled.isEmpty && !isRebasing && !progress.isRunning
      && (queue.isEmpty || hasGivenUp)
  }

  private func setAlarm(_ now: Double) {
    var moments: [Double] = []
    let waits = !doubtful.isEmpty || (queue.waitingCount > 0 && !isHeld)
    if !flights.isEmpty || (waits && restsUntil == nil) {
      let isDead = flights.isEmpty && width.width == 0
      moments.append(now + (isDead ? Self.offlineTick : Self.tick))
    }
    if let restsUntil {
      if restsUntil > now { moments.append(restsUntil) }
    } else {
      moments += momentsOfWork(now)
    }
    if let first = moments.min() { setAlarm(at: max(first, now + 0.001)) }
  }

  private func momentsOfWork(_ now: Double) -> [Double] {
    var moments: [Double] = []
    if hasNews { moments.append(max(now + 0.01, flushedAt + Self.flushInterval)) }
    if let moment = nextTelling(now) { moments.append(moment) }
    // Who laid a pause on the sync may be killed: no commit tells of that.
    if !pauses.isEmpty { moments.append(now + Self.pauseInterval) }
    if let release = releases.values.min() { moments.append(release) }
    if let due = accounts.dueAt { moments.append(max(due, now + 0.01)) }
    if let nextDueAt, queue.isEmpty { moments.append(max(nextDueAt, now + 1)) }
    return moments
  }

  private func setAlarm(at moment: Double) {
    // An alarm that rings earlier than needed finds nothing to do and is set anew.
    if let alarm, alarm.at <= moment { return }
    alarm?.task.cancel()
    let sleep = clock.sleep
    let signal = signal
    let task = Task {
      guard (try? await sleep(moment)) != nil else { return }
      signal.raise(.alarm)
    }
    alarm = (moment, task)
  }
}
