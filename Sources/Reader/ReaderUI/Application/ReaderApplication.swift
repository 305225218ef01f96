@_exported public import ArticleScreens
package import TerminalKit
internal import TerminalViews

// The root of the screens: creates them, passes keys and changes to them, draws them. Commands of
// the whole application are in Application/.

/// The reader: handles keys, reads the cache, draws surfaces.
///
/// It has no run loop. The program calls `handle` with the keys that have arrived and `frame` once
/// in each turn of its loop. Changes of the cache arrive by observation and cause a frame. Nothing
/// runs while nothing changes.
package final class ReaderApplication {
  let context: ReaderContext
  let refreshes: RefreshModel
  let accounts: AccountsModel
  let browser: Browser
  private var pending: StoreChange = []
  private var observation: StoreObservation?
  private var typed = TypedKeys()
  private let frames: FrameTimer
  private var tick: TimerToken?
  var quitting = QuitConfirmation()
  private var shownTitle: String?
  private var notice = ArrivalNotice()

  package private(set) lazy var bindings = Bindings { [unowned self] in
    ReaderCommands(application: self).bindings
  }
  private(set) lazy var messageBindings = Bindings { [unowned self] in
    ReaderCommands(application: self).messageBindings
  }

  private static let interest: StoreChange = [
    .subscriptions, .fetches, .articles, .statuses, .counts, .requests, .syncStatus, .steering,
    .accounts, .rules, .playback,
  ]

  package convenience init(
    store: ReaderCache, search: SearchCache, terminal: any Terminal,
    configuration: ReaderConfiguration, actions: any ReaderActions
  ) {
    self.init(
      store: store, search: search, terminal: terminal, configuration: configuration,
      actions: actions, timers: TaskTimers())
  }

  init(
    store: ReaderCache, search: SearchCache, terminal: any Terminal,
    configuration: ReaderConfiguration, actions: any ReaderActions, timers: any Timers
  ) {
    context = ReaderContext(
      store: store, search: search, terminal: terminal, configuration: configuration,
      actions: actions, timers: timers)
    refreshes = RefreshModel(store: store, isOffline: configuration.isOffline) {
      actions.now()
    }
    accounts = AccountsModel(store: store)
    frames = FrameTimer(timers)
    browser = Browser(
      context: context, refreshes: refreshes, accounts: accounts, size: terminal.size)
    if configuration.noticePause != nil { context.read(try notice.begin(store)) }
    context.session.checkedArrivals =
      context.lastVisit?.id ?? context.read(try store.articles.latestArticleID())
    accounts.lastEntry = context.read(try store.journal.next())
    context.links.events = self
    observation = context.observe(Self.interest)
    SnoozeTimer.update(context)
  }

  package var hasUnwrittenChanges: Bool { !context.work.isIdle }

  /// Stops observing the cache and waits for pending writes.
  package func stop() async {
    browser.articles?.passed.flush()
    browser.reader.remember()
    observation?.cancel()
    observation = nil
    frames.stop()
    tick = nil
    context.session.waking = nil
    context.work.cancelReads()
    await context.work.finish()
    // If this fails, the next session counts the articles of this session as new again.
    try? await context.store.articles.recordVisit()
  }

  /// Opens an article, with the list of its feed beside it.
  package func open(_ article: ArticleID) {
    guard let row = context.read(try context.store.articles.articleRow(article)) else { return }
    browser.reveal(.feed(row.feed))
    browser.showList(.feed(row.feed), opens: true)
    browser.articles?.model.select(row)
    browser.open(article)
  }

  /// Shows a sentence in the status line until the next key.
  package func say(_ sentence: String) { context.note(sentence) }

  /// Shows a problem of the configuration until it is closed or another configuration is loaded.
  package func complain(_ sentence: String) {
    context.show(.failure(sentence, about: .configuration))
    frame()
  }

  /// Applies another configuration; open screens stay open.
  package func configure(_ configuration: ReaderConfiguration) {
    typed = TypedKeys()
    if context.configuration.noticePause == nil, configuration.noticePause != nil {
      context.read(try notice.begin(context.store))
    }
    context.appearance.configure(configuration)
    context.clearFailure(of: .configuration)
    frame()
  }

  // MARK: Keys

  /// Handles keys in the order of their arrival. Neither draws nor waits.
  package func handle(_ keys: [Key]) {
    for key in keys { handle(key) }
    guard !keys.isEmpty else { return }
    context.appearance.drawDeferred()
    schedule(.keys)
  }

  private func handle(_ key: Key) {
    switch key {
    case .resize(let size): return browser.resize(to: size)
    case .focusIn: return notice.focusChanged(true)
    case .focusOut: return notice.focusChanged(false)
    case .background(let isDark): return context.appearance.setBackground(isDark ? .dark : .light)
    case .graphics: return context.invalidate()
    case .mouse(let event): return handle(event)
    default: break
    }
    if context.messages.keyPressed() { context.invalidate() }
    defer { if context.messages.keyHandled() { context.invalidate() } }
    if browser.handleInPrompt(key) || browser.focused.handle(key) { return context.invalidate() }
    // Outside a text field, pasted text would run as commands.
    if case .paste = key { return }
    let before = typed.chords
    typed.showsContinuations = false
    let outcomes = typed.chords.handle(key, context.keymap, in: browser.focused.commandContext)
    if typed.chords.label != before.label { context.invalidate() }
    for outcome in outcomes { run(outcome.invocations, count: outcome.count) }
    if outcomes.isEmpty, typed.chords.label.isEmpty, key != .escape || before.label.isEmpty {
      quitting.keyPressed()
      context.note(context.keymap.reason(unbound: before.pending + [key]))
    }
    typed.meaning = currentNumberMeaning
    if let meaning = typed.meaning { return schedule(.number(canGrow: meaning.canGrow)) }
    let isWaiting = typed.chords.isWaiting(context.keymap, in: browser.focused.commandContext)
    let isPrefix = !typed.chords.pending.isEmpty && !isWaiting
    schedule(isPrefix ? .prefix : .chord(isWaiting: isWaiting))
  }

  /// The command that the typed number stands for if no key follows.
  private var currentNumberMeaning: NumberMeaning? {
    let place = browser.focused.commandContext
    guard let number = typed.chords.number, let meaning = browser.focused.meaning(ofNumber: number),
      !context.keymap.sequences(for: meaning.command, in: place).isEmpty
    else { return nil }
    return meaning
  }

  private func chordTimedOut() {
    let place = browser.focused.commandContext
    if let meaning = typed.meaning {
      typed.meaning = nil
      // Only the number that the status line shows is carried out.
      if meaning == currentNumberMeaning {
        let outcome = typed.chords.finish(numberOf: meaning.command)
        run(outcome.invocations, count: outcome.count)
      }
      return frame()
    }
    guard let outcome = typed.chords.timeOut(context.keymap, in: place) else { return }
    run(outcome.invocations, count: outcome.count)
    frame()
  }

  private func handle(_ event: MouseEvent) {
    guard browser.prompt == nil else { return }
    if event.action == .release { return browser.sheet == nil ? browser.mouse(event) : () }
    let layout = browser.layout
    guard !layout.isTooSmall else { return }
    if event.y == layout.statusLine.y { return pressHint(event) }
    if let sheet = browser.sheet {
      let frame = layout.body
      guard frame.contains(x: event.x, y: event.y) else { return }
      context.invalidate()
      return sheet.handle(event.action, x: event.x - frame.x, y: event.y - frame.y)
    }
    browser.mouse(event)
  }

  /// The columns of “? help” and of the space around it.
  private static let helpColumns = 10

  /// A click on a key in the status line acts as that key.
  private func pressHint(_ event: MouseEvent) {
    guard event.action == .press, context.messages.current == nil else { return }
    let width = browser.layout.size.width
    let places = HintPosition.places(
      of: browser.focused.hints, context.keymap, width: width - Self.helpColumns)
    switch places.first(where: { $0.columns.contains(event.x) })?.hint.trigger {
    case .command(let command): perform(Invocation(command))
    case .key(let label):
      if let key = KeySequence(label.lowercased())?.keys.first { handle(key) }
    case nil: if event.x >= width - Self.helpColumns { perform(Invocation(.help)) }
    }
  }

  // MARK: Changes of the cache

  package func changed(_ change: StoreChange) {
    pending.formUnion(change)
    schedule(.change)
  }

  package func written() { schedule(.written) }
  package func readEnded() { frame() }
  package func readApplied() { schedule(.backgroundRead) }

  /// Carries out the scheduler's actions for an event and sets its timer.
  private func schedule(_ event: FrameScheduler.Event) {
    for action in frames.apply(event) {
      switch action {
      case .draw:
        context.appearance.drawDeferred()
        frame()
      case .deliver:
        deliverChanges()
        frame()
        schedule(.delivered)
      case .deliverUndrawn:
        let message = context.messages.current
        deliverChanges()
        if context.messages.current != message { context.messages.showUntilNextKey() }
        context.appearance.deferDrawing()
        schedule(.delivered)
      case .endChord: chordTimedOut()
      case .showContinuations:
        typed.showsContinuations = true
        context.invalidate()
        frame()
      case .hideResult: hideResult()
      case .preview: preview()
      }
    }
    frames.start { [weak self] in self?.schedule(.wake) }
  }

  func deliverChanges() {
    let change = pending
    pending = []
    guard !change.isEmpty else { return }
    schedule(.delivering)
    context.store.joiningReads { deliver(change) }
  }

  private func deliver(_ change: StoreChange) {
    let wasRunning = refreshes.status.isRunning
    let (finished, hasChanged) = refreshes.modelUpdated(change)
    context.report(refreshes.failure)
    // A short sync may end before its start was observed.
    if wasRunning || change.contains(.articles), !refreshes.status.isRunning {
      announceArrivals()
      OldArrivalNotice(context: context).check()
    }
    if hasChanged { context.invalidate() }
    let news = accounts.modelUpdated(change)
    for account in news.failing { context.show(failure(of: account)) }
    // Updates a visible message with the time of the next try, which may have changed.
    for account in accounts.failing where !account.state.isSyncing {
      if context.messages.update(failure(of: account)) { context.invalidate() }
    }
    for account in news.withoutTags {
      context.note("\(account.title): \(AccountWording.tagsStay)")
    }
    if change.contains(.accounts) { context.invalidate() }
    if change.contains(.journal), accounts.folder != nil { announceLosses() }
    if change.contains(.subscriptions) { context.readMarkPolicies() }
    if !change.isDisjoint(with: [.statuses, .subscriptions]) { SnoozeTimer.update(context) }
    browser.modelUpdated(change)
    DownloadActions.reportEnds(change, context)
    OlderPostActions.reportEnds(change, context)
    messages.clearFailure(change)
    for request in finished { refreshFinished(request) }
  }

  private var messages: RefreshMessages {
    RefreshMessages(context: context, accounts: accounts)
  }

  /// Notes the removals by another device.
  private func announceLosses() {
    let last = accounts.lastEntry
    accounts.lastEntry = context.read(try context.store.journal.next())
    guard let entry = accounts.lastEntry, entry.kind == .removedElsewhere, entry != last,
      entry.id >= last?.id ?? 0
    else { return }
    context.note(StoreWording.change(entry) + context.undoHint())
  }

  private func announceArrivals() {
    guard let pause = context.configuration.noticePause,
      let task = context.read(try notice.task(context.store, pause: pause, at: context.now))
    else { return }
    context.run(task)
  }

  private func failure(of account: Account) -> StatusMessage {
    let sentence = AccountWording(dates: context.dates).state(account)
    return .failure(sentence, details: .accounts, about: .account(account.id))
  }

  private func refreshFinished(_ request: RefreshRequest) {
    browser.articles?.refreshFinished(request)
    browser.catchUp()
    messages.announce(request)
    schedule(.result)
    context.invalidate()
  }

  private func hideResult() {
    guard context.messages.hideResult() else { return }
    context.invalidate()
    frame()
  }

  // MARK: Drawing

  /// Draws if something changed since the last frame.
  package func frame() {
    draw()
    schedule(.frame)
    tickWhileWaiting()
    if browser.needsPreview { schedule(.selection) }
  }

  /// Redraws each second while the screen counts the seconds that a sync waits.
  private func tickWhileWaiting() {
    guard refreshes.status.isRunning, refreshes.status.total > 0, !quitting.isQuitting else {
      return tick = nil
    }
    guard tick == nil else { return }
    tick = context.timers.after(.seconds(1)) { [weak self] in
      guard let self else { return }
      tick = nil
      if refreshes.waiting(at: context.now) != nil { context.invalidate() }
      frame()
    }
  }

  private func preview() {
    browser.preview()
    frame()
  }

  private func draw() {
    let size = context.terminal.size
    if size != browser.layout.size { browser.resize(to: size) }
    guard context.appearance.needsDrawing, !quitting.isQuitting else { return }
    context.appearance.drawn()
    browser.reader.hasTypedNumber = typed.chords.number != nil && browser.focus == .reader
    let drawing = WindowDrawing(
      context: context, browser: browser, refreshes: refreshes, accounts: accounts,
      chord: typed.label,
      continuations: typed.continuations(context.keymap, in: browser.focused.commandContext))
    var surface = drawing.surface(size: size)
    if context.configuration.isLinear { surface.spoken = drawing.spoken(on: surface) }
    context.terminal.present(surface)
    let title = "\(browser.windowTitle) \u{2014} weir"
    if title != shownTitle {
      shownTitle = title
      context.terminal.setTitle(title)
    }
  }

  func quit() {
    guard !quitting.isQuitting else { return }
    quitting.isQuitting = true
    context.actions.quit()
  }
}

final class FrameTimer {
  private let timers: any Timers
  private var scheduler = FrameScheduler()
  private var timer: TimerToken?
  private var wakeAt = Duration.zero

  init(_ timers: any Timers) { self.timers = timers }

  func apply(_ event: FrameScheduler.Event) -> [FrameScheduler.Action] {
    scheduler.apply(event, at: timers.now)
  }

  /// Sets the timer for the scheduler's next action.
  func start(_ wake: @escaping () -> Void) {
    guard let next = scheduler.wake else { return stop() }
    // A timer that is early costs less than a new timer for each key.
    if timer != nil, wakeAt <= next { return }
    wakeAt = next
    timer = timers.after(max(.zero, next - timers.now)) { [weak self] in
      self?.timer = nil
      wake()
    }
  }

  func stop() { (timer, wakeAt) = (nil, .zero) }
}

/// The two key presses that end the reader from its first screen: the first one announces the
/// effect of the second one. Presses that follow the way back to the first screen without a pause
/// end nothing.
struct QuitConfirmation {
  private var commandCount = 0
  private var announcedAt: Int?
  private var arrivedAt: Duration?
  var isQuitting = false

  /// The time on the first screen after which a press counts.
  private static let pause = Duration.milliseconds(500)

  mutating func keyPressed() { commandCount += 1 }

  mutating func firstScreenReached(at now: Duration) { arrivedAt = now }

  /// Returns true if the previous command announced the key; otherwise announces it.
  mutating func confirms(at now: Duration) -> Bool {
    if let arrivedAt, now - arrivedAt < Self.pause {
      self.arrivedAt = now
    } else if announcedAt == commandCount - 1 {
      return true
    }
    announcedAt = commandCount
    return false
  }
}
