import FeedModel
import FeedStore
import TerminalKit

/// What makes a list where it is not a place but a search.
struct ListSearch {
  /// Nil: it cannot be understood, and finds nothing.
  var query: SearchQuery?
  var order = FeedStore.SearchOrder.newest
  /// What it has found already.
  var hits: SearchHits?

  init(query: SearchQuery, order: FeedStore.SearchOrder, hits: SearchHits) {
    self.query = query
    self.order = order
    self.hits = hits
  }

  init(_ saved: SavedSearch) { query = try? SearchQuery(saved.query) }
}

/// The second pane: the articles of the chosen list.
final class ArticlesScreen: Screen {
  let source: ListSource
  let model: ArticleListModel
  private let context: ReaderContext
  private let pull: PullToRefresh
  private let name: () -> String
  private let initialFilter: ArticleQuery.Filter
  private let search: ListSearch?
  /// What the list is narrowed to; empty: nothing.
  private var text = ""
  /// The search that is under way: of the list itself, or for the text.
  private var look: TimerToken?
  /// Reading what comes behind the window, and where that begins.
  private var ahead: (look: TimerToken, key: ArticleKey)?
  weak var nextResponder: (any Responder)?
  private var pageHeight = 1

  /// - Parameter name: the list's name, which may change while it is open.
  init(
    source: ListSource, search: ListSearch? = nil, height: Int, context: ReaderContext,
    refreshes: RefreshModel, name: @escaping () -> String
  ) {
    self.source = source
    self.search = search
    self.context = context
    self.name = name
    pull = PullToRefresh(context: context, refreshes: refreshes)
    let zone = context.dates
    let isRanked = search?.order == .best
    model = ArticleListModel(
      source: source, store: context.store,
      hits: source.isSearch ? search?.hits ?? SearchHits.none : nil, height: height,
      period: { isRanked ? 0 : zone.period($0.sortDate) })
    initialFilter = model.query.filter
    context.report(model.failure)
    if search?.query != nil, search?.hits == nil { find() }
  }

  var commandContext: CommandContext { .articles }
  var title: String { name() }

  var caption: String? {
    var parts: [String] = []
    if model.anchor != nil { parts.append("selecting") }
    if model.query.order == .oldestFirst, !isRanked { parts.append("oldest first") }
    if !text.isEmpty { parts.append("/\(text)") }
    if look != nil { parts.append("searching") }
    if model.query.hits?.continuesBefore != nil {
      parts.append("the newest \(AmountWording.grouped(model.query.hits?.count ?? 0))")
    }
    if model.query.filter != initialFilter {
      let isUnreadList = initialFilter == .unread && model.query.filter == .all
      parts.append(isUnreadList ? "all, read ones too" : Self.name(model.query.filter))
    }
    if pull.isPulled { parts.append(PullToRefresh.invitation) }
    if let line = pull.caption(for: source) { parts.append(line) }
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }

  /// The hits stand in the order of their ranks, and in no other.
  private var isRanked: Bool { model.query.hits?.isRanked == true }

  private static func name(_ filter: ArticleQuery.Filter) -> String {
    switch filter {
    case .unread: "unread only"
    case .all: "all"
    case .starred: "starred only"
    }
  }

  /// The list's own filter and the others take turns.
  private var nextFilter: ArticleQuery.Filter {
    let others = [ArticleQuery.Filter.unread, .all, .starred].filter { $0 != initialFilter }
    let filters = [initialFilter] + others
    let place = filters.firstIndex(of: model.query.filter) ?? 0
    return filters[(place + 1) % filters.count]
  }

  var hints: [Hint] {
    if model.isEmpty {
      return [Hint(.refresh, "refresh"), Hint(.goOut, "back"), Hint(.help, "help")]
    }
    if model.anchor != nil {
      return [
        Hint(.toggleRead, "read/unread"), Hint(.toggleStar, "star"), Hint(.tag, "tags"),
        Hint(.dismiss, "end"), Hint(.help, "help"),
      ]
    }
    return [
      Hint(.open, "read"), Hint(.readOn, "read on"), Hint(.toggleRead, "read/unread"),
      Hint(.toggleStar, "star"), Hint(.help, "help"), Hint(.openInBrowser, "browser"),
      Hint(.toggleUnreadFilter, Self.name(nextFilter)),
      Hint(.filter, "filter"), Hint(.markShownRead, "all read"), Hint(.undo, "undo"),
      Hint(.palette, "commands"),
    ]
  }

  // MARK: Keys

  func respond(to event: InterfaceEvent) -> Bool {
    if ArticlePrograms.respond(to: event, article: model.selectedRow?.id, context) { return true }
    if case .given(let command, let text) = event { return take(command, given: text) }
    guard case .command(let command, let count) = event else { return false }
    if command != .moveUp { pull.relax() }
    guard moves(command, count) || acts(command, count ?? 1) else { return false }
    context.report(model.failure)
    context.invalidate()
    readAhead()
    return true
  }

  /// What comes behind the window is read beside the screen and let go again: it is in memory then, and the
  /// key that wants it waits for no disk.
  private func readAhead() {
    guard let page = model.pageBehind, ahead?.key != page.key else { return }
    let look = context.look { store throws(StoreError) -> Never? in
      _ = try store.articles(page.query, .after(page.key), limit: page.limit)
      return nil
    } then: { _ in
    }
    ahead = (look, page.key)
  }

  private func moves(_ command: Command, _ count: Int?) -> Bool {
    let repetitions = count ?? 1
    switch command {
    case .moveDown: model.move(by: repetitions)
    case .moveUp:
      if model.move(by: -repetitions) { pull.relax() } else { pull.pulled(source) }
    case .top:
      if model.isAtTop, model.selected == 0, model.arrivals > 0 {
        model.showArrivals()
      } else {
        model.moveToTop()
      }
    case .bottom:
      guard let count else {
        model.moveToBottom()
        break
      }
      model.moveToTop()
      model.move(by: count - 1)
    case .halfPageDown: model.page(by: repetitions * max(1, pageHeight / 2))
    case .halfPageUp: model.page(by: -repetitions * max(1, pageHeight / 2))
    case .pageDown: model.page(by: repetitions * max(1, pageHeight - 1))
    case .pageUp: model.page(by: -repetitions * max(1, pageHeight - 1))
    default: return false
    }
    return true
  }

  private func acts(_ command: Command, _ count: Int) -> Bool {
    switch command {
    case .open, .goIn:
      guard let row = model.selectedRow else { return command == .open }
      send(.openArticle(row.id))
    case .select: model.toggleAnchor()
    case .toggleRead:
      toggle(count, \.isRead) { store, ids, isRead throws(StoreError) in
        try await store.setRead(ids, isRead)
      }
    case .toggleStar:
      toggle(count, \.isStarred) { store, ids, isStarred throws(StoreError) in
        try await store.setStarred(ids, isStarred)
      }
    case .deleteArticles: delete(count)
    case .markShownRead where model.anchor != nil:
      writeSelected { store, ids throws(StoreError) in try await store.setRead(ids, true) }
    case .markShownRead: markShownRead()
    case .previousUnread:
      if let row = model.unread(isForward: false, from: model.selectedRow?.key) {
        model.select(row)
      } else {
        context.note("No unread article above")
      }
    case .toggleUnreadFilter:
      model.setFilter(nextFilter)
      if model.query.hits != nil { find() }
    case .showArrivals: model.showArrivals()
    case .filter: send(.ask(filterPrompt()))
    case .dismiss where model.anchor != nil: model.dropAnchor()
    case .dismiss:
      guard !text.isEmpty else { return false }
      setText("")
    case .fullText:
      if let row = model.selectedRow { FullTextActions.turn(row.id, context) }
    case .download:
      if let row = model.selectedRow { DownloadActions.ask(row.id, context) }
    case .refresh: pull.refresh(source.refreshScope)
    case .openInBrowser, .copyAddress:
      guard let row = model.selectedRow else { return true }
      guard let url = row.url else {
        context.note("This article has no address")
        return true
      }
      if command == .openInBrowser {
        send(.follow(url))
      } else {
        AddressActions.copy(url, context)
      }
    default: return false
    }
    return true
  }

  /// Turns a state of the selected rows around: all become what the first one is not. The state is
  /// read when the write is due, so that two quick presses are two turns.
  private func toggle(
    _ count: Int, _ state: any KeyPath<ArticleStatus, Bool> & Sendable,
    _ write: @escaping @Sendable (FeedStore, [ArticleID], Bool) async throws(StoreError) -> Void
  ) {
    if let anchor = model.anchor {
      return writeSelected { store, ids throws(StoreError) in
        guard let article = try store.article(anchor.id) else { return }
        try await write(store, ids, !article.row.status[keyPath: state])
      }
    }
    let ids = model.articles(count)
    guard let first = ids.first else { return }
    context.write { store throws(StoreError) in
      guard let article = try store.article(first) else { return }
      try await write(store, ids, !article.row.status[keyPath: state])
    }
    if count > 1 { model.move(by: count - 1) }
    // What has left the window is let go: a list pays for each article that it keeps.
    model.keep(Set(ids).intersection(model.rows.map(\.id)))
  }

  /// Deletes what is selected; it leaves the list, and one key brings it back.
  private func delete(_ count: Int) {
    guard let (from, through) = model.selection else { return }
    let (query, isRange) = (model.query, model.anchor != nil)
    let some = isRange ? [] : model.articles(count)
    model.dropAnchor()
    DeletedArticles.delete(context) { store throws(StoreError) in
      isRange ? try store.articleIDs(query, from: from, through: through) : some
    }
  }

  /// Ends a selection of several, however long, with a write about it: it is read when that is due.
  private func writeSelected(
    _ write: @escaping @Sendable (FeedStore, [ArticleID]) async throws(StoreError) -> Void
  ) {
    guard let (from, through) = model.selection else { return }
    model.keep(model.rows[model.selectedRows].map(\.id))
    model.dropAnchor()
    let query = model.query
    context.write { store throws(StoreError) in
      try await write(store, try store.articleIDs(query, from: from, through: through))
    }
  }

  // MARK: Sorting and tags

  func choices(for command: Command) -> ArgumentChoices? {
    switch command {
    case .sort: ArgumentChoices(all: ["newest", "oldest"])
    case .tag: TagChoices.of(model.selectedRow.map { [$0.id] } ?? [], context)
    default: nil
    }
  }

  private func take(_ command: Command, given text: String) -> Bool {
    switch command {
    case .sort:
      model.setOrder(text == "oldest" ? .oldestFirst : .newestFirst)
      if isRanked { context.note("The best hits come first here") }
    case .tag:
      guard let (from, through) = model.selection else { return false }
      let (query, common) = (model.query, TagChoices.common([through.id], context))
      model.dropAnchor()
      TagChoices.write(text, instead: common, context) { store throws(StoreError) in
        try store.articleIDs(query, from: from, through: through)
      }
    default: return false
    }
    context.report(model.failure)
    context.invalidate()
    return true
  }

  private func markShownRead() {
    model.keep(model.visibleRows.map(\.id))
    let (query, context) = (model.query, context)
    context.write({ store throws(StoreError) in try await store.markAllRead(query) }) {
      context.note(MarkWording.marked($0, undo: context.keymap.label(.undo)))
    }
  }

  // MARK: Searching

  private func setText(_ newText: String) {
    guard newText != text else { return }
    text = newText
    find()
  }

  /// Looks for what the list is to hold, beside the screen; what is shown stays until that is known.
  private func find() {
    context.invalidate()
    guard !text.isEmpty || source.isSearch else {
      look = nil
      return model.setHits(nil)
    }
    var plain = model.query
    plain.hits = nil
    let (list, search, text) = (plain, search, text)
    look = context.look(
      { store throws(StoreError) in
        var list = list
        if let search {
          guard let query = search.query else { return SearchHits.none }
          list.hits = try await store.hits(query, in: list, order: search.order)
          guard list.hits != nil else { return nil }
        }
        return text.isEmpty ? list.hits : try await store.hits(holding: text, in: list)
      },
      then: { [weak self] (hits: SearchHits) in
        guard let self else { return }
        look = nil
        model.setHits(hits)
        context.report(model.failure)
        context.invalidate()
      })
  }

  /// The list may go while it is typed in. It stays open even then, so that what is typed is taken for no
  /// commands, and tells those above of its end.
  private func filterPrompt() -> any Prompt {
    FilterPrompt(
      label: "/", text: text, context: context,
      changed: { [weak self] text in self?.setText(text) },
      ended: { [weak self, weak nextResponder] keeps in
        if !keeps { self?.setText("") }
        nextResponder?.send(.endPrompt)
      })
  }

  // MARK: Changes and drawing

  func modelUpdated(_ change: StoreChange) {
    guard model.modelUpdated(change) else { return }
    context.report(model.failure)
    context.invalidate()
  }

  /// A refresh that the reader asked for has ended: what came is shown where that disturbs nobody.
  /// The end may be heard of before what came.
  func refreshFinished(_ request: RefreshRequest) {
    model.countArrivals()
    guard model.arrivals > 0, model.isEmpty || (model.isAtTop && model.selected == 0) else {
      return
    }
    model.showArrivals()
    context.invalidate()
  }

  func mouse(_ action: MouseEvent.Action, x: Int, y: Int) -> Bool {
    switch action {
    case .press: return model.select(line: y)
    case .doubleClick:
      guard model.select(line: y), let row = model.selectedRow else { return false }
      send(.openArticle(row.id))
    case .wheelUp: model.scroll(by: -context.configuration.wheelRows)
    case .wheelDown: model.scroll(by: context.configuration.wheelRows)
    case .release: return false
    }
    return true
  }

  func draw(on canvas: Canvas, isFocused: Bool) {
    pageHeight = canvas.height
    model.setHeight(canvas.height)
    guard !model.isEmpty else { return drawEmpty(on: canvas) }
    let drawing = ArticleRowDrawing(
      canvas: canvas, dates: context.dates, showsFeed: source.isMixed)
    let selected = model.selectedRows
    for (y, line) in model.visibleLines().enumerated() {
      switch line {
      case .heading(let period): drawing.heading(period: period, y: y)
      case .row(let index):
        drawing.draw(model.rows[index], y: y)
        if selected.contains(index) { canvas.restyle(row: y, .selected) }
        guard index == model.selected else { continue }
        if isFocused { canvas.select(row: y) }
        canvas.mark(row: y)
      }
    }
  }

  private func drawEmpty(on canvas: Canvas) {
    let key = { (command: Command) in self.context.keymap.label(command) ?? "" }
    let lines: [String]
    if look != nil { return }
    if !text.isEmpty {
      lines = ["No title, author or feed here has that text.", "\(key(.dismiss)) shows all."]
    } else if source == .smart(.starred), model.query.filter == .starred {
      lines = ["Nothing is starred yet.", "\(key(.toggleStar)) stars an article."]
    } else if model.query.filter != .all {
      let next =
        switch nextFilter {
        case .all: model.query.filter == .unread ? "what you have read" : "all"
        case .unread: "what is unread"
        case .starred: "what is starred"
        }
      lines = [
        model.query.filter == .unread ? "Everything is read." : "Nothing here is starred.",
        "\(key(.toggleUnreadFilter)) shows \(next).",
      ]
    } else if source.isSearch {
      lines = ["Nothing has that yet."]
    } else {
      lines = ["No articles yet.", "\(key(.refresh)) refreshes."]
    }
    for (y, line) in lines.enumerated() {
      canvas.write(line, x: 3, y: y, columns: canvas.width - 4, .secondary)
    }
  }
}

/// How a row of articles looks: mark, title, feed where lists are mixed, age at the right.
struct ArticleRowDrawing {
  let canvas: Canvas
  let dates: DateWording
  let showsFeed: Bool
  /// Column 0 is for the selection, 1 for the mark.
  private static let titleColumn = 3

  /// - Parameter title: with hits in it; nil: the row's own.
  func draw(_ row: ArticleRow, title: MarkedText? = nil, y: Int) {
    let width = canvas.width
    let isUnread = !row.status.isRead
    if row.status.isStarred {
      canvas.write("★", x: 1, y: y, .star)
    } else if isUnread {
      canvas.write("●", x: 1, y: y, .accent)
    }
    var right = width - 1
    if width >= 28 {
      let age = dates.age(row.sortDate)
      right -= GraphemeWidth.width(of: age)
      canvas.write(age, x: right, y: y, .secondary)
      // Ages differ in width; titles and feeds end in one line all the same.
      right = min(right - 1, width - 1 - 8)
    }
    if showsFeed, width >= 60 {
      let columns = min(24, width / 4)
      canvas.write(row.feedName, x: right - columns, y: y, columns: columns, .secondary)
      right -= columns + 2
    }
    canvas.write(
      title ?? MarkedText(row.title), x: Self.titleColumn, y: y,
      columns: max(0, right - Self.titleColumn), isUnread ? .unread : .text)
  }

  func heading(period: Int, y: Int) {
    let used = canvas.write("─ \(dates.heading(period: period)) ", x: 1, y: y, .secondary)
    canvas.rule(y: y, from: 1 + used, columns: canvas.width - 2 - used)
  }
}
