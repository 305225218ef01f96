// What all screens share: context, scheduling of frames, actions of the program.

import Dispatch
package import FeedModel
package import FeedStore
package import Foundation
package import TerminalKit
package import TerminalViews
package import Wording

/// The services that every screen receives: cache, clock, theme, messages, and work outside the
/// main thread. Passed by `init`; there is no global instance.
package final class ReaderContext {
  package let store: ReaderCache
  package let search: SearchCache
  package private(set) var configuration: ReaderConfiguration
  package let actions: any ReaderActions
  package let terminal: any Terminal
  package private(set) var keymap: Keymap
  package private(set) var theme: Theme
  private var ground: Theme.Ground?
  package let messages = StatusMessages()
  let history = PromptHistory()
  package let timers: any Timers
  package private(set) var needsDrawing = true
  private var isDrawingDeferred = false
  /// Called when a write has ended, successfully or not.
  package var onWritten: () -> Void = {}
  /// Called when a background read has ended, successfully or not.
  package var onLooked: () -> Void = {}
  /// Called when data that was read in the background is to be drawn.
  package var onBackgroundRead: () -> Void = {}
  package var onCommand: (Command) -> Void = { _ in }
  package weak var window: (any Window)?
  package var onChange: (StoreChange) -> Void = { _ in }
  /// Downloads whose end is to be announced.
  package var awaitedDownloads: Set<Int64> = []
  /// The number of screens that show the engine's telemetry.
  private var telemetryWatchers = 0
  /// The feeds with a policy of their own for marking articles read.
  package private(set) lazy var markPolicies = read(try store.feeds.markPolicies()) ?? [:]
  private var policyReading: TimerToken?
  package private(set) lazy var lastVisit = read(try store.articles.lastVisit())
  package var importing: TimerToken?
  package var exporting: TimerToken?
  package var preparation: TimerToken?
  private let writes = WriteQueue()
  private var looks: [Int: Task<Void, Never>] = [:]
  private var lastLook = 0

  package init(
    store: ReaderCache, search: SearchCache, terminal: any Terminal,
    configuration: ReaderConfiguration, actions: any ReaderActions, timers: any Timers
  ) {
    self.store = store
    self.search = search
    self.terminal = terminal
    self.configuration = configuration
    self.actions = actions
    self.timers = timers
    keymap = configuration.keymap
    theme = configuration.theme(depth: terminal.colorDepth)
  }

  package func setGround(_ ground: Theme.Ground) {
    self.ground = ground
    configure(configuration)
  }

  package func configure(_ new: ReaderConfiguration) {
    configuration = new
    configuration.ground = ground ?? new.ground
    keymap = new.keymap
    theme = configuration.theme(depth: terminal.colorDepth)
    invalidate()
  }

  package var now: Date { actions.now() }
  package var dates: DateWording { DateWording(now: now, timeZone: configuration.timeZone) }

  package var isOffline: Bool {
    read(try store.requests.syncStatus())?.seen(isOffline: configuration.isOffline).quality
      == .offline
  }

  package func invalidate() { needsDrawing = true }
  package func drawn() { (needsDrawing, isDrawingDeferred) = (false, false) }

  /// Draws pending changes with the next key's frame.
  package func deferDrawing() {
    if needsDrawing { (needsDrawing, isDrawingDeferred) = (false, true) }
  }

  package func drawDeferred() { if isDrawingDeferred { invalidate() } }

  /// Reports that a background read caused by a change of the cache has been applied; it is drawn
  /// when keys pause.
  package func backgroundReadApplied() {
    isDrawingDeferred = true
    onBackgroundRead()
  }

  package func show(_ message: StatusMessage) {
    messages.show(message)
    invalidate()
  }

  package func note(_ text: String) { show(.note(text)) }

  /// The name of an article's feed, with the host if the feed shares its name.
  /// - Parameter columns: In less space the host replaces the name that several feeds share.
  package func feedName(of row: ArticleRow, columns: Int = .max) -> String {
    guard let subscriptions = window?.subscriptions else { return row.feedName }
    let name = subscriptions.name(of: row.feed, row.feedName)
    guard GraphemeWidth.width(of: name) > columns else { return name }
    return subscriptions.distinctiveHosts[row.feed] ?? name
  }

  /// The end of a message: the key that undoes the change.
  package func undoHint(_ effect: String = "undoes it") -> String {
    keymap.label(.undo).map { "; \($0) \(effect)" } ?? ""
  }

  package func settle(_ isOver: (StatusMessage.Topic) -> Bool) {
    if messages.settle(isOver) { invalidate() }
  }

  package func settle(_ topic: StatusMessage.Topic) { settle { $0 == topic } }

  /// Reports a failed read once; `nil` changes nothing.
  package func report(_ failure: StoreError?) {
    if let failure { show(.failure(StoreWording.sentence(failure))) }
  }

  /// Reads from the cache. A failure is reported, and `nil` returned.
  @discardableResult
  package func read<Value>(_ value: @autoclosure () throws(StoreError) -> Value) -> Value? {
    do throws(StoreError) {
      return try value()
    } catch {
      report(error)
      return nil
    }
  }

  /// Reads a value that may be missing.
  package func read<Value>(_ value: @autoclosure () throws(StoreError) -> Value?) -> Value? {
    let found: Value?? = read(try value())
    return found ?? nil
  }

  /// Has the engine publish its telemetry while some screen shows it.
  package func watchTelemetry(_ watches: Bool) {
    telemetryWatchers += watches ? 1 : -1
    guard telemetryWatchers == (watches ? 1 : 0) else { return }
    write { store throws(StoreError) in try await store.requests.setWatchesTelemetry(watches) }
  }

  /// Reads the policies again in the background; the known ones apply until then.
  package func readMarkPolicies() {
    policyReading = look { store throws(StoreError) in
      try store.feeds.markPolicies()
    } then: { [weak self] in
      self?.markPolicies = $0
    }
  }

  /// Observes the cache for one screen while the result is kept.
  package func observe(_ interest: StoreChange) -> StoreObservation {
    store.observe(interest) { [weak self] change in
      DispatchQueue.main.async {
        MainActor.assumeIsolated { self?.onChange(change.intersection(interest)) }
      }
    }
  }

  /// Queues a write to the cache and returns at once; writes run one after another in this order.
  /// Changes arrive by observation; only messages are returned here.
  /// - Parameter isSeen: A key caused the change; it is drawn as soon as it is written.
  package func write<Result: Sendable>(
    isSeen: Bool = true,
    _ body: @escaping @Sendable (ReaderCache) async throws(StoreError) -> Result,
    then: @escaping (Result) -> Void = { _ in },
    failed: ((StoreError) -> Void)? = nil
  ) {
    let store = store
    writes.add { [weak self] in
      do throws(StoreError) {
        let result = try await body(store)
        then(result)
      } catch {
        if let failed { failed(error) } else { self?.report(error) }
        self?.onWritten()
        return
      }
      if isSeen { self?.onWritten() }
    }
  }

  /// Runs a read that may take long outside the main thread. Releasing the token cancels it and
  /// drops its result. A failure is shown before `failed` is called.
  package func look<Result: Sendable>(
    _ body: @escaping @Sendable (ReaderCache) async throws(StoreError) -> Result?,
    then: @escaping (Result) -> Void, failed: @escaping () -> Void = {}
  ) -> TimerToken {
    let store = store
    return beside { [weak self] in
      do throws(StoreError) {
        let result = try await body(store)
        if let result, !Task.isCancelled { then(result) }
      } catch {
        guard !Task.isCancelled else { return }
        failed()
        self?.report(error)
      }
    }
  }

  /// Runs work that waits for a server or a program, without blocking keys or writes. Releasing the
  /// token cancels it.
  package func beside(_ body: @escaping () async -> Void) -> TimerToken { TimerToken(start(body)) }

  /// Runs such work whatever else is opened; it ends with the reader.
  package func runUntilQuit(_ body: @escaping () async -> Void) { start(body) }

  @discardableResult
  private func start(_ body: @escaping () async -> Void) -> Task<Void, Never> {
    lastLook += 1
    let number = lastLook
    let task = Task { [weak self] in
      await body()
      self?.looks[number] = nil
      self?.onLooked()
    }
    looks[number] = task
    return task
  }

  package func endLooks() { for look in looks.values { look.cancel() } }

  /// Queues other long work in order with the writes.
  package func perform(_ body: @escaping () async -> Void) {
    writes.add { [weak self] in
      await body()
      self?.onWritten()
    }
  }

  package func tell(
    _ command: Command, _ action: () async throws(ActionFailure) -> String
  ) async {
    do throws(ActionFailure) {
      note(try await action())
      settle(.action(command))
    } catch {
      show(.failure(error.sentence, about: .action(command)))
    }
  }

  /// Starts another program; failures are shown, now or later.
  package func run(_ task: ProgramTask) {
    do throws(ActionFailure) {
      try actions.run(task) { [weak self] failure in
        guard let self, let failure else { return }
        self.show(.failure(failure.sentence))
        self.onWritten()
      }
    } catch {
      show(.failure(error.sentence))
    }
    invalidate()
  }

  package var isIdle: Bool { writes.isIdle }

  /// Returns when all writes and background reads queued so far are done.
  package func finishWrites() async {
    await writes.finish()
    while let look = looks.values.first { await look.value }
  }
}

/// Runs pieces of work one after another, in order.
final class WriteQueue {
  private var last: Task<Void, Never>?
  private var count = 0
  var isIdle: Bool { count == 0 }

  func add(_ body: @escaping () async -> Void) {
    let previous = last
    count += 1
    last = Task {
      await previous?.value
      await body()
      count -= 1
    }
  }

  func finish() async {
    while let current = last {
      await current.value
      if current == last { last = nil }
    }
  }
}
