// The root of the screens: what they share, who is asked last, when it is drawn.

import Dispatch
import FeedModel
import FeedStore
import Foundation
import TerminalKit
import Wording

/// What every screen is given: the cache, the clock, the look, and a place for messages. Handed
/// down by `init`; nobody reaches for it from elsewhere.
final class ReaderContext {
  let store: ReaderCache
  let search: SearchCache
  private(set) var configuration: ReaderConfiguration
  let actions: any ReaderActions
  let terminal: any Terminal
  private(set) var keymap: Keymap
  private(set) var theme: Theme
  private var ground: Theme.Ground?
  let messages = StatusMessages()
  /// Of the prompts in the status line.
  let history = PromptHistory()
  let timers: any Timers
  /// Set by whatever changes the picture; the next frame draws and resets it.
  private(set) var needsDrawing = true
  /// Called when a write has ended, well or not.
  var onWritten: () -> Void = {}
  /// Called when a look has ended, well or not.
  var onLooked: () -> Void = {}
  /// Carries out a command where the keyboard is.
  var onCommand: (Command) -> Void = { _ in }
  /// What the screens are in.
  weak var window: (any Window)?
  /// Takes news of the cache to the screens.
  var onChange: (StoreChange) -> Void = { _ in }
  /// Downloads whose end is to be told.
  var awaitedDownloads: Set<Int64> = []
  /// The import that is under way.
  var importing: TimerToken?
  var exporting: TimerToken?
  /// A long article that is being made ready for a program.
  var preparation: TimerToken?
  private let writes = WriteQueue()
  private var looks: [Int: Task<Void, Never>] = [:]
  private var lastLook = 0

  init(
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

  /// The terminal has said what it writes on.
  func setGround(_ ground: Theme.Ground) {
    self.ground = ground
    configure(configuration)
  }

  /// Takes another configuration: keys, look and widths follow at once.
  func configure(_ new: ReaderConfiguration) {
    configuration = new
    configuration.ground = ground ?? new.ground
    keymap = new.keymap
    theme = configuration.theme(depth: terminal.colorDepth)
    invalidate()
  }

  var now: Date { actions.now() }
  var dates: DateWording { DateWording(now: now, timeZone: configuration.timeZone) }

  /// Whether what is asked for now has to wait for the line.
  var isOffline: Bool {
    (try? store.syncStatus())?.seen(isOffline: configuration.isOffline).quality == .offline
  }

  func invalidate() { needsDrawing = true }
  func drawn() { needsDrawing = false }

  func show(_ message: StatusMessage) {
    messages.show(message)
    invalidate()
  }

  func note(_ text: String) { show(.note(text)) }

  /// The end of a message: the key that undoes what the message is about.
  func undoHint(_ effect: String = "undoes it") -> String {
    keymap.label(.undo).map { "; \($0) \(effect)" } ?? ""
  }

  /// Takes a failure away that told of what is over now.
  func settle(_ isOver: (StatusMessage.Topic) -> Bool) {
    if messages.settle(isOver) { invalidate() }
  }

  func settle(_ topic: StatusMessage.Topic) { settle { $0 == topic } }

  /// Shows a failed read once; nil is no news.
  func report(_ failure: StoreError?) {
    if let failure { show(.failure(StoreWording.sentence(failure))) }
  }

  /// Has the screens told of changes that no other screen needs, as long as the result is kept.
  func observe(_ interest: StoreChange) -> StoreObservation {
    store.observe(interest) { [weak self] change in
      DispatchQueue.main.async {
        MainActor.assumeIsolated { self?.onChange(change.intersection(interest)) }
      }
    }
  }

  /// Writes to the cache without waiting: writes are done one after another in the order asked.
  /// What they change comes back by observation; only words come back here.
  /// - Parameter isSeen: whether a key asked for what it changes; that is shown as soon as it is
  ///   done.
  func write<Result: Sendable>(
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

  /// Reads what takes longer than a key may wait, beside the screen. Release the token to end it:
  /// then nothing comes of it.
  /// - Parameter failed: called where it could not be read, which is said all the same.
  func look<Result: Sendable>(
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

  /// Does what waits for others (a server, a program) and must hold up neither keys nor writes.
  /// Release the token to end it.
  func beside(_ body: @escaping () async -> Void) -> TimerToken {
    lastLook += 1
    let number = lastLook
    let task = Task { [weak self] in
      await body()
      self?.looks[number] = nil
      self?.onLooked()
    }
    looks[number] = task
    return TimerToken(task)
  }

  /// Ends all looks.
  func endLooks() { for look in looks.values { look.cancel() } }

  /// Other work that takes its time (the starter set), in the same order as the writes.
  func perform(_ body: @escaping () async -> Void) {
    writes.add { [weak self] in
      await body()
      self?.onWritten()
    }
  }

  /// Tells what an action for a command came to.
  func tell(
    _ command: Command, _ action: () async throws(ActionFailure) -> String
  ) async {
    do throws(ActionFailure) {
      note(try await action())
      settle(.action(command))
    } catch {
      show(.failure(error.sentence, about: .action(command)))
    }
  }

  /// Starts another program; what goes wrong is said, then or later.
  func run(_ task: ProgramTask) {
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

  /// Whether all writes that were asked for are done.
  var isIdle: Bool { writes.isIdle }

  /// Returns when all writes that were asked for so far are done, and all looks.
  func finishWrites() async {
    await writes.finish()
    while let look = looks.values.first { await look.value }
  }
}

/// Work done one piece after another, in the order asked.
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
