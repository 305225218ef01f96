internal import Dispatch
package import Foundation
package import TerminalViews
@_exported public import Wording

/// Services for all screens: cache, clock, messages, appearance, and work outside the main thread.
/// Passed by `init`; there is no global instance.
package final class ReaderContext {
  package let store: ReaderCache
  package let search: SearchCache
  package let actions: any ReaderActions
  package let terminal: any Terminal
  package let timers: any Timers
  package let links = ReaderLinks()
  package let appearance: Appearance
  package let messages = StatusMessages()
  package let session = ReaderSession()
  package let work: WorkQueue
  let history = PromptHistory()
  package private(set) lazy var lastVisit = read(try store.articles.lastVisit())

  package init(
    store: ReaderCache, search: SearchCache, terminal: any Terminal,
    configuration: ReaderConfiguration, actions: any ReaderActions, timers: any Timers
  ) {
    self.store = store
    self.search = search
    self.terminal = terminal
    self.actions = actions
    self.timers = timers
    appearance = Appearance(configuration, depth: terminal.colorDepth)
    work = WorkQueue(store: store, links: links)
  }

  package var configuration: ReaderConfiguration { appearance.configuration }
  package var keymap: Keymap { appearance.keymap }
  package var theme: Theme { appearance.theme }
  package var window: (any Window)? { links.window }
  package var now: Date { actions.now() }
  package var dates: DateWording { DateWording(now: now, timeZone: configuration.timeZone) }

  package var isOffline: Bool {
    read(try store.requests.syncStatus())?.seen(isOffline: configuration.isOffline).quality
      == .offline
  }

  /// The time when Weir fetches what is requested now; `nil` for at once. A reader that was started
  /// with --offline leaves that to the next sync.
  package var offlineUntil: String? {
    guard isOffline else { return nil }
    return configuration.isOffline ? "at the next sync" : "when you\u{2019}re online"
  }

  package func invalidate() { appearance.invalidate() }

  /// Reports that a background read caused by a change of the cache was applied. The result is
  /// drawn when keys pause.
  package func backgroundReadApplied() {
    appearance.readApplied()
    links.events?.readApplied()
  }

  package func show(_ message: StatusMessage) {
    messages.show(message)
    invalidate()
  }

  package func note(_ text: String) { show(.note(text)) }

  /// Returns the name of an article's feed, with the host if several feeds share the name.
  /// - Parameter columns: If the name is wider, the host replaces a name that several feeds share.
  package func feedName(of row: ArticleRow, columns: Int = .max) -> String {
    guard let subscriptions = window?.subscriptions else { return row.feedName }
    let name = subscriptions.name(of: row.feed, row.feedName)
    guard GraphemeWidth.width(of: name) > columns else { return name }
    return subscriptions.distinctiveHosts[row.feed] ?? name
  }

  /// Returns text like "7 min · 3 left"; `nil` if the words of the article are unknown.
  package func readingTime(of row: ArticleRow) -> String? {
    ReadingWording.shortMinutes(
      store.plan.minutes(ofWords: row.words),
      left: store.plan.left(ofWords: row.words, seen: row.seen))
  }

  /// Returns the end of a message: the key that undoes the change.
  package func undoHint(_ effect: String = "undoes it") -> String {
    keymap.label(.undo).map { "; \($0) \(effect)" } ?? ""
  }

  package func clearFailure(where isOver: (StatusMessage.Topic) -> Bool) {
    if messages.clearFailure(where: isOver) { invalidate() }
  }

  package func clearFailure(of topic: StatusMessage.Topic) { clearFailure { $0 == topic } }

  /// Reports a failed read once; does nothing for `nil`.
  package func report(_ failure: StoreError?) {
    if let failure { show(.failure(StoreWording.sentence(failure))) }
  }

  /// Reads from the cache. Reports a failure and returns `nil`.
  @discardableResult
  package func read<Value>(_ value: @autoclosure () throws(StoreError) -> Value) -> Value? {
    do throws(StoreError) {
      return try value()
    } catch {
      report(error)
      return nil
    }
  }

  package func read<Value>(_ value: @autoclosure () throws(StoreError) -> Value?) -> Value? {
    do throws(StoreError) {
      return try value()
    } catch {
      report(error)
      return nil
    }
  }

  /// Requests the engine's telemetry while a screen shows it.
  package func watchTelemetry(_ watches: Bool) {
    session.telemetryWatchers += watches ? 1 : -1
    guard session.telemetryWatchers == (watches ? 1 : 0) else { return }
    write { store in try await store.requests.setWatchesTelemetry(watches) }
  }

  /// Policies for marking articles read, of feeds that have one.
  package var markPolicies: [FeedID: MarkPolicy] {
    if let known = session.markPolicies { return known }
    let policies = read(try store.feeds.markPolicies()) ?? [:]
    session.markPolicies = policies
    return policies
  }

  /// Reads the policies again in the background; the known ones apply until then.
  package func readMarkPolicies() {
    session.policyReading = load { store in
      try store.feeds.markPolicies()
    } then: { [session] in
      session.markPolicies = $0
    }
  }

  /// Observes the cache while the caller retains the result.
  package func observe(_ interest: StoreChange) -> StoreObservation {
    store.observe(interest) { [weak links] change in
      DispatchQueue.main.async {
        MainActor.assumeIsolated { links?.events?.changed(change.intersection(interest)) }
      }
    }
  }

  // MARK: Work

  /// Queues a write to the cache and returns at once. Writes run one after another, in this order.
  /// Observers receive the changes; `then` receives only data for messages.
  /// - Parameter isSeen: True if a key caused the change, which is drawn as soon as it is written.
  package func write<Result: Sendable>(
    isSeen: Bool = true,
    _ body: @escaping @Sendable (ReaderCache) async throws -> Result,
    then: @escaping (Result) -> Void = { _ in },
    failed: ((StoreError) -> Void)? = nil
  ) {
    work.write(isSeen: isSeen, body, then: then) { [weak self] error in
      if let failed { failed(error) } else { self?.report(error) }
    }
  }

  /// Queues a write, and shows a sentence when it has ended.
  package func write<Result: Sendable>(
    noting sentence: String,
    _ body: @escaping @Sendable (ReaderCache) async throws -> Result
  ) { write(body) { _ in self.note(sentence) } }

  /// Runs a slow read outside the main thread. Releasing the token cancels the read and drops its
  /// result. `failed` is called before a failure is shown.
  package func load<Result: Sendable>(
    _ body: @escaping @Sendable (ReaderCache) async throws -> Result?,
    then: @escaping (Result) -> Void, failed: @escaping () -> Void = {}
  ) -> TimerToken {
    work.read(body, then: then) { [weak self] error in
      failed()
      self?.report(error)
    }
  }

  /// Runs work that waits for a server or a program, without blocking keys or writes. Releasing the
  /// token cancels the work.
  package func runInBackground(_ body: @escaping () async -> Void) -> TimerToken {
    TimerToken(work.start(body))
  }

  /// Runs work that waits for a server or a program until it ends or the reader quits.
  package func runUntilQuit(_ body: @escaping () async -> Void) { work.start(body) }

  /// Queues long work other than a write, in order with the writes.
  package func perform(_ body: @escaping () async -> Void) { work.perform(body) }

  package func showResult(
    of command: Command, _ action: () async throws(ActionFailure) -> String
  ) async {
    do throws(ActionFailure) {
      note(try await action())
      clearFailure(of: .action(command))
    } catch {
      show(.failure(error.sentence, about: .action(command)))
    }
  }

  /// Starts another program, and shows failures now or later.
  package func run(_ task: ProgramTask) {
    do throws(ActionFailure) {
      try actions.run(task) { [weak self] failure in
        guard let self, let failure else { return }
        self.show(.failure(failure.sentence))
        self.links.events?.written()
      }
    } catch {
      show(.failure(error.sentence))
    }
    invalidate()
  }
}

extension ReaderContext {
  /// Counts in the background for the words of an effect.
  package func effect(
    _ count: @escaping @Sendable (ReaderCache) async throws -> Int?,
    _ words: @escaping (Int) -> String
  ) -> EffectText.Source {
    { show in
      self.load(count) { [weak self] in
        show(words($0))
        self?.invalidate()
      }
    }
  }

  /// Asks for one line of text; ↑ recalls earlier texts. `accepted` is not called for an empty
  /// text.
  package func ask(
    for label: String, text: String = "", isHidden: Bool = false,
    completing: ((String) -> [String])? = nil, accepted: @escaping (String) -> Void
  ) {
    window?.ask(
      TextPrompt(
        label, text: text, isHidden: isHidden, history: history, completing: completing,
        accepted: accepted))
  }

  package func ask(whether question: String, then confirmed: @escaping () -> Void) {
    window?.ask(ConfirmPrompt(question: question, confirmed: confirmed))
  }

  /// Marks articles read, and says how many.
  package func markRead(
    _ ids: [ArticleID], beside spared: MarkedArticles = MarkedArticles(articles: 0),
    then: @escaping () -> Void = {}
  ) {
    write({ store in try await store.states.set(.read, ids, true) }) { changed in
      var marked = spared
      (marked.articles, marked.duplicates) = (ids.count, changed.duplicates)
      then()
      self.note(MarkWording.marked(marked, undo: self.keymap.label(.undo)))
    }
  }

  /// The most articles that a list marks read without a question.
  private nonisolated static let mostUnasked = 200

  /// Marks a list read, after a question if it is long. Count and change are one write, so that a
  /// later key finds the change made.
  /// - Parameter words: Says what was changed; `nil` to say nothing.
  package func markRead(
    counting count: @escaping @Sendable (ReaderCache) async throws -> Int?,
    _ mark: @escaping @Sendable (ReaderCache) async throws -> MarkedArticles,
    words: @escaping (MarkedArticles) -> String?
  ) {
    write({ store -> (marked: MarkedArticles?, count: Int) in
      if let count = try await count(store), count > Self.mostUnasked { return (nil, count) }
      return (try await mark(store), 0)
    }) { result in
      if let marked = result.marked {
        if let text = words(marked) { self.note(text) }
        return
      }
      self.ask(whether: MarkWording.question(result.count)) {
        self.write(mark) { if let text = words($0) { self.note(text) } }
      }
    }
  }

  package func askToSave(search text: String) {
    ask(for: "Save as: ", text: text) { name in
      self.write({ [search = self.search] _ in
        try await search.saveSearch(text, name: name)
      }) { id in
        self.note("Saved; it\u{2019}s above your feeds")
        self.window?.reveal(.saved(id))
      }
    }
  }
}

/// Events that the application handles for the screens and their services.
package protocol ReaderEvents: AnyObject {
  /// Called when a write has ended, successfully or not.
  func written()
  /// Called when a background read has ended, successfully or not.
  func readEnded()
  /// Called when the result of a background read must be drawn as soon as keys pause.
  func readApplied()
  func changed(_ change: StoreChange)
  func carryOut(_ command: Command)
}

/// Weak references to the application and the window, which own the screens.
package final class ReaderLinks {
  package weak var events: (any ReaderEvents)?
  package weak var window: (any Window)?
}

/// State that lasts until the reader ends.
package final class ReaderSession {
  /// Downloads whose end must be reported.
  package var awaitedDownloads: Set<Int64> = []
  /// The names of feeds with a request for older posts whose end must be reported.
  package var awaitedOlderPosts: [FeedID: String] = [:]
  package var importing: TimerToken?
  package var exporting: TimerToken?
  /// A read that precedes a question or a list of choices.
  package var preparation: TimerToken?
  /// The last added rule, until the list of rules is shown.
  package var newRule: RuleID?
  /// `nil` before the first read.
  var markPolicies: [FeedID: MarkPolicy]?
  var policyReading: TimerToken?
  /// The newest article whose arrival was examined; see `OldArrivals`.
  package var checkedArrivals: ArticleID?
  package var arrivalCheck: TimerToken?
  /// Fires when the next snooze may be due.
  package var waking: TimerToken?
  /// Old articles that were reported and not yet marked read.
  package var oldArrivals: [OldArrivals] = []
  var telemetryWatchers = 0
}
