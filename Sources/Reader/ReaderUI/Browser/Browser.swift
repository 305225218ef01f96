import TerminalViews

/// The three panes and the sheets over them, with the focus and the open list and article.
final class Browser: CommandTarget {
  let context: ReaderContext
  let refreshes: RefreshModel
  let accounts: AccountsModel
  let feeds: FeedsScreen
  private(set) var articles: ArticlesScreen? {
    didSet { if articles !== oldValue { oldValue?.passed.flush() } }
  }
  let reader: ReaderScreen
  /// The sheets over the panes; help may be over another sheet, to which it returns.
  var sheets: [any Sheet] = []
  var sheet: (any Sheet)? { sheets.last }
  var prompt: (any Prompt)?
  /// The search sheet, which keeps its state while it is closed.
  lazy var search = SearchScreen(context: context)
  private var panes: PaneState
  let updates: FeedUpdates
  private let visibleFeeds: VisibleFeeds
  var previewing: (neighbours: TimerToken?, mark: TimerToken?)

  init(context: ReaderContext, refreshes: RefreshModel, accounts: AccountsModel, size: Size) {
    self.context = context
    self.refreshes = refreshes
    self.accounts = accounts
    panes = PaneState(size: size)
    feeds = FeedsScreen(context: context, refreshes: refreshes, accounts: accounts)
    reader = ReaderScreen(context: context)
    updates = FeedUpdates(feeds: feeds)
    visibleFeeds = VisibleFeeds(context: context, model: feeds.model)
    context.links.window = self
    follow()
    preview()
  }

  private lazy var paneBindings = Bindings { [unowned self] in
    WindowCommands(browser: self).overPanes
  }
  private lazy var sheetBindings = Bindings { [unowned self] in
    WindowCommands(browser: self).overSheets
  }
  var bindings: Bindings { sheet == nil ? paneBindings : sheetBindings }
  var focus: PaneKind { panes.focus }
  var isZoomed: Bool { panes.isZoomed }
  var isFirstScreen: Bool { sheet == nil && focus == .feeds }
  var draggedBorder: PaneKind? {
    get { panes.draggedBorder }
    set { panes.draggedBorder = newValue }
  }

  var layout: Layout { layout(with: context.configuration.paneWidths) }

  func layout(with widths: PaneWidths, focus: PaneKind? = nil) -> Layout {
    Layout(
      size: panes.size, focus: focus ?? panes.focus,
      hasArticle: panes.hasOpened && reader.article != nil,
      isZoomed: panes.isZoomed && sheet == nil || context.configuration.isLinear, widths: widths)
  }

  /// The screen that receives keys first.
  var focused: any Screen { sheet ?? focusedPane }

  /// Returns the handler of a command in the screen below the help. A command that is chosen in the
  /// help runs there.
  func bindingBelowHelp(for command: Command) -> Binding? {
    guard let sheet = sheets.dropLast().last else {
      return focusedPane.binding(for: command) ?? paneBindings.first(for: command)
    }
    return sheet.binding(for: command) ?? sheetBindings.first(for: command)
  }

  private var focusedPane: any Screen {
    switch focus {
    case .feeds: return feeds
    case .articles: return articles ?? feeds
    case .reader: return reader
    }
  }

  func screen(_ kind: PaneKind) -> (any Screen)? {
    switch kind {
    case .feeds: return feeds
    case .articles: return articles
    case .reader: return reader
    }
  }

  /// True if letters are text, so that `?` does not open help.
  var acceptsText: Bool { prompt != nil || focused.acceptsText }

  var windowTitle: String {
    if let sheet { return sheet.title }
    if focus == .reader, let article = reader.article { return article.row.title }
    return focus == .feeds ? feeds.title : articles?.title ?? feeds.title
  }

  func mouse(_ event: MouseEvent) {
    if PaneWidthCommands(browser: self).drag(event) { return }
    guard let cell = panes.cell(of: event, in: layout) else { return }
    let isClick = event.action == .press || event.action == .doubleClick
    if isClick, cell.pane != focus, screen(cell.pane) != nil { setFocus(cell.pane) }
    screen(cell.pane)?.handle(event.action, x: cell.x, y: cell.y)
    context.invalidate()
  }

  // MARK: Size, changes

  func resize(to newSize: Size) {
    guard newSize != panes.size else { return }
    panes.size = newSize
    catchUpInView()
    follow()
    context.invalidate()
  }

  func modelUpdated(_ change: StoreChange) {
    let list = articles?.source ?? feeds.model.selectedSource
    let feed: Feed? = if case .feed(let id) = list { feeds.model.feed(id) } else { nil }
    updates.add(change)
    if change.contains(.subscriptions) || sheets.contains(where: \.readsFeeds) {
      catchUp()
    } else if change.contains(.statuses) {
      // Status changes mostly result from a key, so visible feeds are updated at once.
      catchUpInView()
    } else {
      catchUpInBackground()
    }
    if change.contains(.subscriptions), let list, !feeds.model.exists(list) {
      // The message about the user's change already contains the feed's name.
      let isNamed = !context.work.isIdle || context.messages.current != nil
      if let feed, !isNamed {
        let left: Feed? = context.read(try context.store.feeds.feed(feed.id))
        if left == nil { context.note("\(feed.name.shortName) was removed") }
      }
      articles = nil
      // An open reader keeps its article.
      if focus == .articles { setFocus(.feeds) }
      follow()
    }
    articles?.modelUpdated(change)
    fillList()
    reader.modelUpdated(change)
    for sheet in sheets { sheet.modelUpdated(change) }
  }

  func catchUp() { updates.catchUp() }

  /// Shows new articles in a list that is only previewed.
  private func fillList() { if focus == .feeds { articles?.fill() } }

  private var showsFeeds: Bool { sheet == nil && layout.frame(.feeds) != nil }

  func catchUpInView() { if showsFeeds { catchUp() } }

  private func catchUpInBackground() {
    updates.catchUpInBackground { [weak self] in self?.showsFeeds == true }
  }

  // MARK: Panes

  func setFocus(_ kind: PaneKind) {
    if kind == .reader, focus != .reader { readSelected() }
    panes.focus = kind
    catchUpInView()
    // A list whose pane is out of view is closed.
    if kind == .feeds, layout.frame(.articles) == nil { articles = nil }
    // A search has no row in the feed pane; the list that is selected there is shown instead.
    if kind == .feeds, articles?.source.isOutsideFeeds == true {
      articles = nil
      follow()
    }
    fillList()
    context.invalidate()
  }

  func goOut() {
    switch focus {
    case .feeds: break
    case .articles: setFocus(.feeds)
    case .reader: setFocus(articles == nil ? .feeds : .articles)
    }
  }

  func goBack() {
    panes.isZoomed = false
    if focus == .reader { closeReader() } else { goOut() }
  }

  func dismiss() { if isZoomed { panes.isZoomed = false } else { goOut() } }

  func zoom() {
    panes.isZoomed.toggle()
    catchUpInView()
    follow()
  }

  private func closeReader() {
    panes.hasOpened = false
    // A pane that stays visible continues to show the selected article.
    if layout.panes.count < 3 { reader.close() }
    setFocus(articles == nil ? .feeds : .articles)
  }

  /// Moves the focus among the panes with content, including those out of view.
  func cycleFocus(_ step: Int) {
    if articles == nil, let source = feeds.model.selectedSource { showList(source, opens: false) }
    let wide = layout.panes.count == 3
    let kinds = PaneKind.allCases.filter { kind in
      switch kind {
      case .feeds: return true
      case .articles: return articles != nil
      case .reader: return reader.article != nil || wide
      }
    }
    guard let place = kinds.firstIndex(of: focus) else { return setFocus(.feeds) }
    setFocus(kinds[(place + step + kinds.count) % kinds.count])
  }

  // MARK: Lists and articles

  /// Shows a list and moves the focus to it if `opens`; otherwise shows the list only while the
  /// articles pane is in view.
  func showList(_ source: ListSource, opens: Bool) {
    let isInView = layout.frame(.articles) != nil
    if opens || isInView {
      if articles?.source != source || !isInView { makeArticles(source) }
      // Opening a list that was not scrolled also shows its new articles.
      if opens, articles?.model.isAtTop == true { articles?.fill(anyway: true) }
    }
    if opens { setFocus(.articles) }
    visibleFeeds.set(from: source)
  }

  func open(_ row: ArticleRow, of list: ListSearch) {
    closeSheet()
    makeArticles(.search(list.text), search: list)
    articles?.model.select(row)
    open(row.id)
  }

  func makeArticles(_ source: ListSource, search: ListSearch? = nil) {
    let model = feeds.model
    var search = search
    if case .saved(let id) = source, let saved = model.search(id) {
      search = ListSearch(saved)
    }
    let screen = context.store.joiningReads {
      ArticlesScreen(
        source: source, search: search, folders: model.view.focus, height: layout.body.height,
        context: context, refreshes: refreshes, name: { model.name(source) })
    }
    articles = screen
    feeds.openList = screen
    context.invalidate()
  }

  private func follow() {
    guard articles == nil, layout.frame(.articles) != nil,
      let source = feeds.model.selectedSource
    else { return }
    makeArticles(source)
  }

  func open(_ id: ArticleID) {
    articles?.isTouched = true
    articles?.model.retain([id])
    sizeReader(for: .reader)
    context.store.joiningReads { reader.open(id, of: articles?.search) }
    guard let article = reader.article, article.id == id else { return }
    panes.hasOpened = true
    reader.pictures.next = articlesBelow
    context.write(isSeen: false) { store in try await store.rules.noteOpened(id)
    }
    setFocus(.reader)
    visibleFeeds.set(from: articles?.source, reading: article.row.feed)
  }

  /// Gives the reader the size of its pane under `focus`, so that an article is laid out once.
  func sizeReader(for focus: PaneKind) {
    let layout = layout(with: context.configuration.paneWidths, focus: focus)
    guard let frame = layout.frame(.reader) else { return }
    reader.frame = Size(width: frame.width, height: frame.height)
  }
}

/// Requests that the running sync refreshes the feed of an open article first, and then the
/// selected feeds.
final class VisibleFeeds {
  private let context: ReaderContext
  private let model: FeedListModel
  private let timer: RestTimer

  /// The time for which a feed must be selected before it is refreshed first.
  private static let rest = Duration.milliseconds(150)

  init(context: ReaderContext, model: FeedListModel) {
    self.context = context
    self.model = model
    timer = RestTimer(context.timers, after: Self.rest)
  }

  func set(from source: ListSource?, reading feed: FeedID? = nil) {
    timer.restart { [weak self] in
      guard let self else { return }
      let listed = source.map(model.visitedFeeds) ?? []
      let ids = (feed.map { [$0] } ?? []) + listed.filter { $0 != feed }
      context.write(isSeen: false) { store in try await store.requests.setVisibleFeeds(ids) }
    }
  }
}

/// Passes changes of the cache to the feeds screen. While the screen is hidden, it is not updated,
/// since a sync changes its counts many times per second.
final class FeedUpdates {
  private let feeds: FeedsScreen
  /// Changes of the cache that were not passed to the feeds yet.
  private var unseen: StoreChange = []
  /// Changes whose feeds are being read in the background.
  private var beingRead: StoreChange = []

  init(feeds: FeedsScreen) { self.feeds = feeds }

  func add(_ change: StoreChange) { unseen.formUnion(change) }

  /// Reads the feeds again if something has changed since the last read.
  func catchUp() {
    let change = unseen.union(beingRead)
    guard !change.isEmpty else { return }
    (unseen, beingRead) = ([], [])
    feeds.modelUpdated(change)
  }

  /// Catches up in the background, so that no key waits for the read.
  /// - Parameter isNeeded: called again before each further read.
  func catchUpInBackground(while isNeeded: @escaping () -> Bool) {
    guard isNeeded(), beingRead.isEmpty, !unseen.isEmpty else { return }
    (beingRead, unseen) = (unseen, [])
    feeds.readInBackground(beingRead) { [weak self] in
      self?.beingRead = []
      self?.catchUpInBackground(while: isNeeded)
    }
  }
}
