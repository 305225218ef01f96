// The root of the screens. Only what starts, feeds and draws them belongs in this file; commands of
// the whole application stand beside it in Application/.

import FeedModel
public import FeedStore
public import TerminalKit

/// The reader: keys in, surfaces out, the cache in between.
///
/// It owns no run loop. The program around it calls `handle` with the keys that have arrived and
/// `frame` once per turn; changes of the cache come in by observation and draw a frame themselves.
/// Nothing runs while nothing happens.
public final class ReaderApplication {
  let context: ReaderContext
  let refreshes: RefreshModel
  let accounts: AccountsModel
  let browser: Browser
  /// What has changed in the cache since the screens were last told.
  private var pending: StoreChange = []
  private var observation: StoreObservation?
  private var chords = ChordReader()
  private var chordTimer: TimerToken?
  private var resultTimer: TimerToken?
  private var deliveryTimer: TimerToken?
  private var isQuitting = false
  private var shownTitle: String?
  /// While it runs, the next change is what a write of this screen has made: that is shown at once.
  private var answerTimer: TimerToken?
  /// While it runs, somebody is at the keys.
  private var keyTimer: TimerToken?
  /// Changes that wait for a rest of the keys, and how long they have.
  private var lateTimer: TimerToken?
  /// They have waited long enough, and follow the picture of the next key.
  private var isLate = false
  private var notice = ArrivalNotice()

  /// What of the cache is on some screen.
  private static let interest: StoreChange = [
    .subscriptions, .fetches, .articles, .statuses, .counts, .requests, .syncStatus, .steering,
    .accounts,
  ]
  /// How long a complete sequence waits whether it goes on.
  private static let chordPause = 0.5
  /// Changes that no key has caused are shown at most so often.
  private static let quietInterval = 0.1
  /// For so long after a key only its own picture is drawn. One key after another holds changes back
  /// about as long as the second: then they come right behind the picture of a key, when it is longest to
  /// the next one.
  private static let keyPause = 0.1
  private static let longestWait = 0.5
  /// So long after a write the store may tell of it.
  private static let answerPause = 0.05
  /// How long the result of a refresh stands.
  private static let resultPause = 8.0

  /// - Parameters:
  ///   - store: the cache; stays open as long as the application.
  ///   - terminal: where surfaces go; its size is read at each frame.
  public convenience init(
    store: FeedStore, terminal: any Terminal, configuration: ReaderConfiguration,
    actions: any ReaderActions
  ) {
    self.init(
      store: store, terminal: terminal, configuration: configuration, actions: actions,
      timers: TaskTimers())
  }

  init(
    store: FeedStore, terminal: any Terminal, configuration: ReaderConfiguration,
    actions: any ReaderActions, timers: any Timers
  ) {
    context = ReaderContext(
      store: store, terminal: terminal, configuration: configuration, actions: actions,
      timers: timers)
    refreshes = RefreshModel(store: store, isOffline: configuration.isOffline)
    accounts = AccountsModel(store: store)
    browser = Browser(
      context: context, refreshes: refreshes, accounts: accounts, size: terminal.size)
    browser.nextResponder = self
    if configuration.noticePause != nil { notice.begin(store) }
    context.onWritten = { [weak self] in self?.written() }
    context.onLooked = { [weak self] in self?.frame() }
    context.onChange = { [weak self] change in self?.changed(change) }
    observation = context.observe(Self.interest)
  }

  /// Ends the observation of the cache and finishes the writes that are under way.
  public func stop() async {
    browser.reader.leave()
    observation?.cancel()
    observation = nil
    (chordTimer, resultTimer, deliveryTimer) = (nil, nil, nil)
    context.endLooks()
    await context.finishWrites()
  }

  /// Shows a sentence of the program around it in the status line, until the next key.
  public func say(_ sentence: String) { context.note(sentence) }

  /// Something of the configuration could not be taken; stays until it is put away or another one is
  /// taken.
  public func complain(_ sentence: String) {
    context.show(.failure(sentence, about: .configuration))
    frame()
  }

  /// Takes another configuration; what is open stays open.
  public func configure(_ configuration: ReaderConfiguration) {
    chords = ChordReader()
    if context.configuration.noticePause == nil, configuration.noticePause != nil {
      notice.begin(context.store)
    }
    context.configure(configuration)
    context.settle(.configuration)
    frame()
  }

  // MARK: Keys

  /// Takes keys in the order of their arrival. Draws nothing and waits for nothing.
  public func handle(_ keys: [Key]) {
    for key in keys { handle(key) }
    guard !keys.isEmpty else { return }
    keyTimer = context.timers.after(Self.keyPause) { [weak self] in self?.keysRest() }
  }

  private func handle(_ key: Key) {
    switch key {
    case .resize(let size): return browser.resize(to: size)
    case .focusIn: return notice.focusChanged(true)
    case .focusOut: return notice.focusChanged(false)
    case .mouse(let event): return handle(event)
    default: break
    }
    if context.messages.keyPressed() || refreshes.dismissResult() { context.invalidate() }
    if let prompt = browser.prompt {
      context.invalidate()
      return prompt.take(key == .control("c") ? .escape : key)
    }
    if browser.focused.take(key) { return }
    // A paste outside of a text field would be a storm of commands.
    if case .paste = key { return }
    let before = chords.label
    let outcomes = chords.take(key, context.keymap, in: browser.focused.commandContext)
    if chords.label != before { context.invalidate() }
    chordTimer = nil
    for outcome in outcomes { perform(outcome) }
    if outcomes.isEmpty, before.isEmpty, chords.label.isEmpty { tellNothingHappens(key) }
    guard chords.isWaiting(context.keymap, in: browser.focused.commandContext) else { return }
    chordTimer = context.timers.after(Self.chordPause) { [weak self] in self?.chordTimedOut() }
  }

  /// Silence would leave open whether the key was heard.
  private func tellNothingHappens(_ key: Key) {
    let help = context.keymap.label(.help).map { "; \($0) lists the keys" } ?? ""
    context.note("\(key.label) does nothing here\(help)")
  }

  private func chordTimedOut() {
    let place = browser.focused.commandContext
    guard let outcome = chords.timeOut(context.keymap, in: place) else { return }
    perform(outcome)
    frame()
  }

  private func perform(_ outcome: ChordReader.Outcome) {
    for invocation in outcome.invocations { perform(invocation, count: outcome.count) }
  }

  /// Does what a key, a macro or the palette asks for, where the keyboard is.
  func perform(_ invocation: Invocation, count: Int? = nil) {
    let command = invocation.command
    if let argument = invocation.argument {
      browser.focused.send(.given(command, argument))
      return
    }
    if command == .dismiss, context.messages.dismiss() { return context.invalidate() }
    // A sheet has rows of its own that the key is for.
    if command == .refresh, browser.sheet == nil, let scope = context.messages.retryScope {
      _ = context.messages.dismiss()
      return retry(scope)
    }
    browser.focused.send(.command(command, count: count))
  }

  private func handle(_ event: MouseEvent) {
    guard browser.prompt == nil, event.action != .release else { return }
    let layout = browser.layout
    guard !layout.isTooSmall else { return }
    if let sheet = browser.sheet {
      let frame = layout.body
      guard frame.contains(x: event.x, y: event.y) else { return }
      if sheet.mouse(event.action, x: event.x - frame.x, y: event.y - frame.y) {
        context.invalidate()
      }
      return
    }
    browser.mouse(event)
  }

  // MARK: Changes of the cache

  private func changed(_ change: StoreChange) {
    pending.formUnion(change)
    if answerTimer != nil {
      deliverChanges()
    } else if deliveryTimer == nil {
      deliverBetweenKeys()
    }
  }

  /// What no key has asked for, where nobody is at the keys: the picture of a key is followed by no other for
  /// a moment.
  private func deliverBetweenKeys() {
    deliveryTimer = nil
    guard keyTimer != nil, !pending.isEmpty else { return deliverChanges() }
    guard lateTimer == nil else { return }
    lateTimer = context.timers.after(Self.longestWait) { [weak self] in self?.isLate = true }
  }

  private func keysRest() {
    keyTimer = nil
    if lateTimer != nil { deliverChanges() }
  }

  /// A write of this screen is done; the store tells of it before or after this.
  private func written() {
    if pending.isEmpty { frame() } else { deliverChanges() }
    answerTimer = context.timers.after(Self.answerPause) { [weak self] in self?.answerTimer = nil }
  }

  /// Hands the gathered changes down the tree of screens, and draws.
  func deliverChanges() {
    deliveryTimer = nil
    lateTimer = nil
    isLate = false
    let change = pending
    pending = []
    guard !change.isEmpty else { return }
    answerTimer = nil
    let wasRunning = refreshes.status.isRunning
    let (finished, hasChanged) = refreshes.modelUpdated(change)
    // A small sync may be over before its beginning was seen.
    if wasRunning || change.contains(.articles), !refreshes.status.isRunning { tellOfArrivals() }
    if hasChanged { context.invalidate() }
    for account in accounts.modelUpdated(change) { tellOfFailure(account) }
    if change.contains(.accounts) { context.invalidate() }
    browser.modelUpdated(change)
    DownloadActions.tellEnds(change, context)
    settleFailure(change)
    for request in finished { refreshFinished(request) }
    frame()
    // A sync commits many times a second: what comes meanwhile is gathered until then.
    deliveryTimer = context.timers.after(Self.quietInterval) { [weak self] in
      self?.deliverBetweenKeys()
    }
  }

  private func tellOfArrivals() {
    guard let pause = context.configuration.noticePause,
      let task = notice.task(context.store, pause: pause, at: context.now)
    else { return }
    context.run(task)
  }

  private func tellOfFailure(_ account: Account) {
    let sentence = AccountWording(dates: context.dates).state(account)
    context.show(.failure(sentence, details: .accounts, about: .account(account.id)))
  }

  private func refreshFinished(_ request: RefreshRequest) {
    browser.articles?.refreshFinished(request)
    announce(request)
    resultTimer = context.timers.after(Self.resultPause) { [weak self] in
      guard let self, refreshes.dismissResult() else { return }
      context.invalidate()
      frame()
    }
    context.invalidate()
  }

  // MARK: Drawing

  /// Draws once if something changed since the last time; else does nothing.
  public func frame() {
    draw()
    if isLate { deliverChanges() }
  }

  private func draw() {
    let size = context.terminal.size
    if size != browser.layout.size { browser.resize(to: size) }
    guard context.needsDrawing, !isQuitting else { return }
    context.drawn()
    let drawing = WindowDrawing(
      context: context, browser: browser, refreshes: refreshes, accounts: accounts,
      chord: chords.label)
    context.terminal.present(drawing.surface(size: size))
    let title = "\(browser.windowTitle) \u{2014} weir"
    if title != shownTitle {
      shownTitle = title
      context.terminal.setTitle(title)
    }
  }

  func quit() {
    guard !isQuitting else { return }
    isQuitting = true
    context.actions.quit()
  }
}
