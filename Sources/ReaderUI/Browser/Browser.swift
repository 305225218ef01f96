import ArticleScreens
import FeedModel
import FeedStore
import ReaderServices
import TerminalKit
import TerminalViews

/// The three panes and the sheets over them: the focus, what is in view, and what is open where.
final class Browser: CommandTarget {
  let context: ReaderContext
  let refreshes: RefreshModel
  let accounts: AccountsModel
  let feeds: FeedsScreen
  private(set) var articles: ArticlesScreen? {
    didSet { if articles !== oldValue { oldValue?.passed.flush() } }
  }
  let reader: ReaderScreen
  /// The sheets over the panes; help may be over another, and returns to it.
  var sheets: [any Sheet] = []
  var sheet: (any Sheet)? { sheets.last }
  var prompt: (any Prompt)?
  /// Keeps its state while it is closed.
  lazy var search = SearchScreen(context: context)
  private(set) var focus: PaneKind = .feeds
  private(set) var isZoomed = false
  private var size: Size
  private let attentionTimer: RestTimer
  /// The article in the reading pane was opened, not only selected: two panes show it then.
  private(set) var hasOpened = false
  var neighbours: TimerToken?
  var markTimer: TimerToken?
  /// The pane whose right border the mouse holds.
  var draggedBorder: PaneKind?
  private struct Place {
    var pane: PaneKind
    var x: Int
    var y: Int
  }
  /// The last press of the mouse.
  private var lastPress: (x: Int, y: Int, place: Place)?
  /// Changes of the cache that have not reached the feeds yet.
  private var unseen: StoreChange = []
  /// Changes whose feeds are being read in the background.
  private var beingRead: StoreChange = []

  /// A feed that stays selected this long is refreshed first in a running sync.
  private static let attentionRest = Duration.milliseconds(150)

  init(
    context: ReaderContext, refreshes: RefreshModel, accounts: AccountsModel, size: Size
  ) {
    self.context = context
    self.refreshes = refreshes
    self.accounts = accounts
    self.size = size
    feeds = FeedsScreen(context: context, refreshes: refreshes, accounts: accounts)
    reader = ReaderScreen(context: context)
    attentionTimer = RestTimer(context.timers, after: Self.attentionRest)
    context.links.window = self
    follow()
    preview()
  }

  private(set) lazy var paneBindings = makePaneBindings()
  private(set) lazy var sheetBindings = makeSheetBindings()

  var layout: Layout { layout(with: context.configuration.paneWidths) }

  func layout(with widths: PaneWidths, focus: PaneKind? = nil) -> Layout {
    Layout(
      size: size, focus: focus ?? self.focus, hasArticle: hasOpened && reader.article != nil,
      isZoomed: isZoomed && sheet == nil, widths: widths)
  }

  /// The screen that receives keys first.
  var focused: any Screen {
    if let sheet { return sheet }
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

  /// Letters are text, so that `?` is not help.
  var takesText: Bool { prompt != nil || focused.takesText }

  /// For the terminal's own title bar.
  var windowTitle: String {
    if let sheet { return sheet.title }
    if focus == .reader, let article = reader.article { return article.row.title }
    return focus == .feeds ? feeds.title : articles?.title ?? feeds.title
  }

  func mouse(_ event: MouseEvent) {
    if drag(event) { return }
    guard let place = place(of: event) else { return }
    lastPress = event.action == .press ? (event.x, event.y, place) : nil
    let isClick = event.action == .press || event.action == .doubleClick
    if isClick, place.pane != focus, screen(place.pane) != nil { setFocus(place.pane) }
    screen(place.pane)?.take(
      event.action, x: place.x, y: place.y, rows: context.configuration.wheelRows)
    context.invalidate()
  }

  /// The cell under the pointer. A press may have moved the panes: a double click belongs to the
  /// place of the first press.
  private func place(of event: MouseEvent) -> Place? {
    if event.action == .doubleClick, let press = lastPress, press.x == event.x, press.y == event.y {
      return press.place
    }
    guard let (kind, frame) = layout.pane(x: event.x, y: event.y) else { return nil }
    return Place(pane: kind, x: event.x - frame.x, y: event.y - frame.y)
  }

  // MARK: Size, changes

  func resize(to newSize: Size) {
    guard newSize != size else { return }
    size = newSize
    catchUpInView()
    follow()
    context.invalidate()
  }

  func modelUpdated(_ change: StoreChange) {
    unseen.formUnion(change)
    if change.contains(.subscriptions) || sheets.contains(where: \.readsFeeds) {
      catchUp()
    } else if change.contains(.statuses) {
      // Mostly caused by a key.
      catchUpInView()
    } else {
      catchUpInBackground()
    }
    if change.contains(.subscriptions), let source = articles?.source, !exists(source) {
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

  /// Reads the feeds again if something has changed since the last read. While they are out of view
  /// they are not observed: a sync changes their counts many times a second.
  func catchUp() {
    let change = unseen.union(beingRead)
    guard !change.isEmpty else { return }
    (unseen, beingRead) = ([], [])
    feeds.modelUpdated(change)
  }

  /// Shows new articles in a list that is only previewed.
  private func fillList() { if focus == .feeds { articles?.fill() } }

  private var showsFeeds: Bool { sheet == nil && layout.frame(.feeds) != nil }

  func catchUpInView() { if showsFeeds { catchUp() } }

  /// Like `catchUp`, in the background: no key waits for the read.
  private func catchUpInBackground() {
    guard showsFeeds, beingRead.isEmpty, !unseen.isEmpty else { return }
    (beingRead, unseen) = (unseen, [])
    feeds.readInBackground(beingRead) { [weak self] in
      self?.beingRead = []
      self?.catchUpInBackground()
    }
  }

  private func exists(_ source: ListSource) -> Bool {
    switch source {
    case .tag(let tag): return feeds.model.subscriptions.tags.contains { $0.name == tag }
    case .smart, .search, .hidden: return true
    case .saved(let id): return feeds.model.search(id) != nil
    case .folder(let id): return feeds.model.subscriptions.folders.contains { $0.id == id }
    case .feed(let id): return feeds.model.feed(id) != nil
    }
  }

  // MARK: Panes

  func setFocus(_ kind: PaneKind) {
    if kind == .reader, focus != .reader { readSelected() }
    focus = kind
    catchUpInView()
    // The visit of a list that is out of view has ended.
    if kind == .feeds, layout.frame(.articles) == nil { articles = nil }
    // A search is no row of the feeds: the list selected there is shown beside them.
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
    isZoomed = false
    if focus == .reader { closeReader() } else { goOut() }
  }

  func dismiss() { if isZoomed { isZoomed = false } else { goOut() } }

  func zoom() {
    isZoomed.toggle()
    catchUpInView()
    follow()
  }

  private func closeReader() {
    hasOpened = false
    // A pane that stays in view goes on showing the selected article.
    if layout.panes.count < 3 { reader.close() }
    setFocus(articles == nil ? .feeds : .articles)
  }

  /// The panes with content, in view or not.
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

  /// Shows a list, and moves the focus there if `opens`. Otherwise the list follows the selection
  /// of the feeds while the articles are in view beside them.
  func showList(_ source: ListSource, opens: Bool) {
    let isInView = layout.frame(.articles) != nil
    if opens || isInView {
      if articles?.source != source || !isInView { makeArticles(source) }
      // Opening a list that was not scrolled shows all of it.
      if opens, articles?.model.isAtTop == true { articles?.fill(anyway: true) }
    }
    if opens { setFocus(.articles) }
    giveAttention(to: source)
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
        source: source, search: search, height: layout.body.height, context: context,
        refreshes: refreshes, name: { model.name(source) })
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
    articles?.model.keep([id])
    sizeReader(for: .reader)
    context.store.joiningReads { reader.open(id) }
    guard let article = reader.article, article.id == id else { return }
    hasOpened = true
    reader.pictures.next = articlesBelow
    context.write(isSeen: false) { store throws(StoreError) in try await store.rules.noteOpened(id)
    }
    setFocus(.reader)
    giveAttention(to: articles?.source, reading: article.row.feed)
  }

  /// Gives the reader the size of its pane under a focus, so that an article is laid out once.
  func sizeReader(for focus: PaneKind) {
    let layout = layout(with: context.configuration.paneWidths, focus: focus)
    guard let frame = layout.frame(.reader) else { return }
    reader.frame = Size(width: frame.width, height: frame.height)
  }

  /// Has the running sync refresh the selected feeds first, and before them the feed of an open
  /// article.
  private func giveAttention(to source: ListSource?, reading feed: FeedID? = nil) {
    attentionTimer.restart { [weak self] in
      guard let self else { return }
      let listed = source.map(feeds.model.feedsLookedAt) ?? []
      let ids = (feed.map { [$0] } ?? []) + listed.filter { $0 != feed }
      context.write(isSeen: false) { store throws(StoreError) in
        try await store.requests.setAttention(ids)
      }
    }
  }
}
