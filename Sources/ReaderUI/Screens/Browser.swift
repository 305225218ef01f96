import FeedModel
import FeedStore
import TerminalKit

/// The three panes and the sheets over them: who has the focus, what is in view, and what is open
/// where. The link of the responder chain between the screens and the application.
final class Browser: Responder {
  let context: ReaderContext
  let refreshes: RefreshModel
  private let accounts: AccountsModel
  let feeds: FeedsScreen
  private(set) var articles: ArticlesScreen?
  let reader: ReaderScreen
  /// The sheets over the panes: help is asked for over another, and returns to it.
  private var sheets: [any Sheet] = []
  var sheet: (any Sheet)? { sheets.last }
  private(set) var prompt: (any Prompt)?
  /// Kept while it is closed: it opens as it was left.
  private lazy var search = SearchScreen(context: context)
  private(set) var focus: PaneKind = .feeds
  private var isZoomed = false
  private var size: Size
  weak var nextResponder: (any Responder)?
  private var attentionTimer: TimerToken?
  /// A cell of a pane.
  private struct Place {
    var pane: PaneKind
    var x: Int
    var y: Int
  }
  /// Where in the window the mouse was pressed last, and what was there.
  private var lastPress: (x: Int, y: Int, place: Place)?
  /// Changes of the cache that the feeds have not been told of.
  private var unseen: StoreChange = []

  /// A feed that is rested on for so long goes first in a running sync (seconds).
  private static let attentionRest = 0.15

  init(
    context: ReaderContext, refreshes: RefreshModel, accounts: AccountsModel, size: Size
  ) {
    self.context = context
    self.refreshes = refreshes
    self.accounts = accounts
    self.size = size
    feeds = FeedsScreen(context: context, refreshes: refreshes, accounts: accounts)
    reader = ReaderScreen(context: context)
    feeds.nextResponder = self
    reader.nextResponder = self
    follow()
  }

  var layout: Layout {
    Layout(
      size: size, focus: focus, hasArticle: reader.article != nil,
      isZoomed: isZoomed && sheet == nil)
  }

  /// The screen that keys go to first.
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

  /// True where letters are text, so that `?` is no help.
  var takesText: Bool {
    prompt != nil || sheet is AddFeedScreen || sheet is EditFeedScreen
      || sheet is AddAccountScreen
      || (sheet as? SearchScreen)?.isTyping == true
  }

  /// For the terminal's own title bar.
  var windowTitle: String {
    if let sheet { return sheet.title }
    if focus == .reader, let article = reader.article { return article.row.title }
    return focus == .feeds ? feeds.title : articles?.title ?? feeds.title
  }

  func mouse(_ event: MouseEvent) {
    guard let place = place(of: event) else { return }
    lastPress = event.action == .press ? (event.x, event.y, place) : nil
    let isClick = event.action == .press || event.action == .doubleClick
    if isClick, place.pane != focus, screen(place.pane) != nil { setFocus(place.pane) }
    if screen(place.pane)?.mouse(event.action, x: place.x, y: place.y) == true {
      context.invalidate()
    }
  }

  /// What the pointer is on. A press may have moved the panes below it: a double click is for what the
  /// press was on.
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
    } else {
      catchUpInView()
    }
    if change.contains(.subscriptions), let source = articles?.source, !exists(source) {
      articles = nil
      // Who reads an article is left at it.
      if focus == .articles { setFocus(.feeds) }
      follow()
    }
    articles?.modelUpdated(change)
    reader.modelUpdated(change)
    for sheet in sheets { sheet.modelUpdated(change) }
  }

  /// Reads the feeds anew if something has changed since they were last looked at. While they are
  /// out of view they are left alone: a sync changes their counts many times a second.
  func catchUp() {
    guard !unseen.isEmpty else { return }
    feeds.modelUpdated(unseen)
    unseen = []
  }

  private func catchUpInView() {
    if sheet == nil, layout.frame(.feeds) != nil { catchUp() }
  }

  private func exists(_ source: ListSource) -> Bool {
    switch source {
    case .tag(let tag): return feeds.model.subscriptions.tags.contains { $0.name == tag }
    case .smart, .search: return true
    case .saved(let id): return feeds.model.search(id) != nil
    case .folder(let id): return feeds.model.subscriptions.folders.contains { $0.id == id }
    case .feed(let id): return feeds.model.feed(id) != nil
    }
  }

  // MARK: Events

  func respond(to event: InterfaceEvent) -> Bool {
    switch event {
    case .showList(let source, let opens): showList(source, opens: opens)
    case .openArticle(let id): open(id)
    case .openHit(let list, let row): open(row, of: list)
    case .closeSheet: closeSheet()
    case .reveal(let source):
      while sheet != nil { closeSheet() }
      feeds.model.reveal(.list(source))
      if focus != .feeds { setFocus(.feeds) }
      showList(source, opens: false)
    case .ask(let newPrompt): prompt = newPrompt
    case .endPrompt: prompt = nil
    case .editFeed(let feed): present(EditFeedScreen(feed, context: context, feeds: feeds.model))
    case .follow(let url): follow(url)
    case .given: return false
    case .command(let command, _):
      if sheet != nil { return respondUnderSheet(to: command) }
      return moveFocus(command) || read(command) || openSheet(command)
    }
    context.invalidate()
    return true
  }

  private func respondUnderSheet(to command: Command) -> Bool {
    switch command {
    case .back, .dismiss: closeSheet()
    case .help: if sheet is HelpScreen { closeSheet() } else { return openSheet(command) }
    case .problems, .console, .accounts, .addAccount: return openSheet(command)
    default: return false
    }
    return true
  }

  // MARK: Panes

  private func moveFocus(_ command: Command) -> Bool {
    switch command {
    case .goIn:
      guard focus == .articles, reader.article != nil else { return false }
      setFocus(.reader)
    case .goOut: return goOut()
    case .back:
      if isZoomed { isZoomed = false }
      if focus == .reader { closeReader() } else if !goOut() { return false }
    case .dismiss:
      if isZoomed { isZoomed = false } else { return goOut() }
    case .nextPane: cycleFocus(1)
    case .previousPane: cycleFocus(-1)
    case .zoom:
      isZoomed.toggle()
      catchUpInView()
      follow()
    case .refresh, .markShownRead, .showArrivals:
      guard focus != .articles else { return false }
      return articles?.respond(to: .command(command, count: nil)) ?? false
    case .unsubscribe: unsubscribeFromList()
    case .editFeed:
      guard case .feed(let id) = articles?.source, let feed = feeds.model.feed(id) else {
        context.note("Select a feed to edit it")
        break
      }
      present(EditFeedScreen(feed, context: context, feeds: feeds.model))
    case .alwaysFullText: turnAlwaysFullText()
    default: return false
    }
    context.invalidate()
    return true
  }

  private func setFocus(_ kind: PaneKind) {
    focus = kind
    catchUpInView()
    // Where the list is out of view its visit has ended.
    if kind == .feeds, layout.frame(.articles) == nil { articles = nil }
    // A search is no row of the feeds: beside them stands what is selected there.
    if kind == .feeds, case .search = articles?.source {
      articles = nil
      follow()
    }
    context.invalidate()
  }

  private func goOut() -> Bool {
    switch focus {
    case .feeds: return false
    case .articles: setFocus(.feeds)
    case .reader: setFocus(.articles)
    }
    if focus == .articles, articles == nil { setFocus(.feeds) }
    return true
  }

  private func closeReader() {
    reader.close()
    setFocus(articles == nil ? .feeds : .articles)
  }

  /// Panes that have something to show, in view or not.
  private func cycleFocus(_ step: Int) {
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

  /// Shows a list; goes there where `opens`. Without that it follows the selection of the feeds as
  /// far as the articles are in view beside them.
  func showList(_ source: ListSource, opens: Bool) {
    let isInView = layout.frame(.articles) != nil
    if opens || isInView {
      if articles?.source != source || !isInView { makeArticles(source) }
    }
    if opens { setFocus(.articles) }
    giveAttention(to: source)
  }

  private func open(_ row: ArticleRow, of list: HitList) {
    closeSheet()
    makeArticles(.search(list.text), hits: list)
    articles?.model.select(row)
    open(row.id)
  }

  func makeArticles(_ source: ListSource, hits: HitList? = nil) {
    let model = feeds.model
    var search = hits.map { ListSearch(query: $0.query, order: $0.order, hits: $0.hits) }
    if case .saved(let id) = source, let saved = model.search(id) {
      search = ListSearch(saved)
    }
    let screen = ArticlesScreen(
      source: source, search: search, height: layout.body.height, context: context,
      refreshes: refreshes, name: { model.name(source) })
    screen.nextResponder = self
    articles = screen
    feeds.openList = screen
    context.invalidate()
  }

  /// Brings the articles beside the feeds in line with the selection.
  private func follow() {
    guard articles == nil, layout.frame(.articles) != nil,
      let source = feeds.model.selectedSource
    else { return }
    makeArticles(source)
  }

  func open(_ id: ArticleID) {
    articles?.model.keep([id])
    reader.open(id)
    guard let article = reader.article, article.id == id else { return }
    setFocus(.reader)
    giveAttention(to: articles?.source, reading: article.row.feed)
  }

  private func unsubscribeFromList() {
    guard case .feed(let id) = articles?.source, let feed = feeds.model.feed(id) else {
      return context.note("Select a feed to unsubscribe from it")
    }
    AddressActions.unsubscribe(feed, context)
  }

  /// For the feed that is selected, or that the article belongs to.
  private func turnAlwaysFullText() {
    let id: FeedID?
    switch focus {
    case .feeds:
      if case .feed(let feed) = feeds.model.selectedSource { id = feed } else { id = nil }
    case .articles: id = articles?.model.selectedRow?.feed
    case .reader: id = reader.article?.row.feed
    }
    catchUp()
    guard let feed = id.flatMap(feeds.model.feed) else {
      return context.note("Select a feed, or an article of it")
    }
    FullTextActions.turnAlways(feed, context)
  }

  /// What is rested on goes first in a running sync: the feeds of a list, and before them the feed of an
  /// article that is read.
  private func giveAttention(to source: ListSource?, reading feed: FeedID? = nil) {
    attentionTimer = context.timers.after(Self.attentionRest) { [weak self] in
      guard let self else { return }
      let listed = source.map(feeds.model.feedsLookedAt) ?? []
      let ids = (feed.map { [$0] } ?? []) + listed.filter { $0 != feed }
      context.write(isSeen: false) { store throws(StoreError) in
        try await store.setAttention(ids)
      }
    }
  }

  /// Web pages open at once; anything else a feed links to is shown first, and so is an address that
  /// begins with a name, which may look like another host's.
  private func follow(_ url: String) {
    let address = WebAddress(url)
    if address.isHTTP, address.userInfo == nil { return AddressActions.open(url, context) }
    let context = context
    let doubt =
      address.isHTTP ? "This leads to \(address.host ?? "another host")." : "This is no web page."
    let question = "\(doubt) Open \(Confusables.shown(url))?"
    prompt = ConfirmPrompt(question: question) { [weak self] isYes in
      self?.prompt = nil
      context.invalidate()
      if isYes { AddressActions.open(url, context) }
    }
  }

  // MARK: Sheets

  private func openSheet(_ command: Command) -> Bool {
    switch command {
    case .help:
      present(HelpScreen(context: context, about: focused.commandContext))
    case .search:
      search.reopen()
      present(search)
    case .problems: goTo(ProblemsScreen(context: context, feeds: feeds.model))
    case .console: goTo(ConsoleScreen(context: context, refreshes: refreshes))
    case .addFeed: goTo(AddFeedScreen(context: context, feeds: feeds.model))
    case .accounts: goTo(AccountsScreen(context: context, model: accounts))
    case .addAccount: goTo(AddAccountScreen(context: context))
    default: return false
    }
    return true
  }

  /// Closes what lies over a sheet that is open already, else opens it: of a second one the end would be the
  /// first one's too.
  private func goTo<Opened: Sheet>(_ screen: @autoclosure () -> Opened) {
    guard sheets.contains(where: { $0 is Opened }) else { return present(screen()) }
    while let sheet, !(sheet is Opened) { closeSheet() }
  }

  func present(_ screen: any Sheet) {
    catchUp()
    screen.parent = self
    sheets.append(screen)
    context.invalidate()
  }

  private func closeSheet() {
    sheets.popLast()?.closed()
    prompt = nil
    catchUpInView()
    context.invalidate()
  }

  func clearPrompt() { prompt = nil }
}

/// A screen over all panes, until it is closed.
protocol Sheet: Screen {
  var parent: (any Responder)? { get set }
  /// Whether it shows what the list of feeds has read.
  var readsFeeds: Bool { get }
  /// It was put away for good.
  func closed()
}

extension Sheet {
  var nextResponder: (any Responder)? { parent }
  var readsFeeds: Bool { true }
  func closed() {}
}
