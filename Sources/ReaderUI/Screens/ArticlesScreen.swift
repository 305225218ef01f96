import FeedModel
import FeedStore
import TerminalKit
import Wording

/// What makes a list where it is not a place but a search.
struct ListSearch {
  /// Nil: it cannot be understood, and finds nothing.
  var query: SearchQuery?
  var order = SearchOrder.newest
  /// What it has found already.
  var hits: SearchHits?

  init(query: SearchQuery, order: SearchOrder, hits: SearchHits) {
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
      leastRows: zone.leastRows, period: { isRanked ? 0 : zone.period($0.sortDate) })
    initialFilter = model.query.filter
    context.report(model.failure)
    if search?.query != nil, search?.hits == nil { find() }
  }

  var commandContext: CommandContext { .articles }
  var title: String { name() }

  var caption: String? {
    var parts: [String] = []
    if model.several != nil { parts.append(MarkWording.selected(model.selectedCount)) }
    if model.query.order == .oldestFirst, !isRanked { parts.append("oldest first") }
    if !text.isEmpty { parts.append("/\(text)") }
    if look != nil { parts.append("searching") }
    if model.query.hits?.continuesBefore != nil {
      parts.append("the newest \(AmountWording.grouped(model.query.hits?.count ?? 0))")
    }
    if model.query.filter != initialFilter {
      let isUnreadList = initialFilter == .unread && model.query.filter == .all
      parts.append(isUnreadList ? "read ones too" : Self.name(model.query.filter))
    }
    if pull.isPulled { parts.append(PullToRefresh.invitation) }
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
    if model.several != nil {
      return [
        Hint(.readOn, "select"), Hint(.select, "range"), Hint(.toggleRead, "read/unread"),
        Hint(.toggleStar, "star"), Hint(.tag, "tags"),
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

  func willPerform(_ command: Command) { if command != .moveUp { pull.relax() } }

  func didPerform() {
    context.report(model.failure)
    readAhead()
  }

  var bindings: [Binding] {
    let isSelecting = model.several != nil
    return Binding.movement(move)
      + ArticleActions(context: context, id: model.selectedRow?.id).bindings
      + [
        Binding(.open, openSelected),
        Binding(.goIn, when: !model.isEmpty, openSelected),
        Binding(.select) { self.model.toggleRange() },
        Binding(.readOn, when: isSelecting) { self.model.toggleSelected() },
        Binding(.toggleRead, counted: { self.toggle(.read, $0) }),
        Binding(.toggleStar, counted: { self.toggle(.starred, $0) }),
        Binding(.deleteArticles, counted: delete),
        Binding(.tag, choices: tags, given: setTags),
        Binding(.markShownRead, isSelecting ? markSelectedRead : markShownRead),
        Binding(.previousUnread, selectPreviousUnread),
        Binding(.toggleUnreadFilter, toggleUnreadFilter),
        Binding(.sort, given: sort),
        Binding(.showArrivals) { self.model.showArrivals() },
        Binding(.filter, askForFilter),
        Binding(.dismiss, when: isSelecting || !text.isEmpty, dismiss),
        Binding(.refresh, refresh),
      ]
  }

  /// What comes behind the window is read beside the screen and let go again: it is in memory then,
  /// and the key that wants it waits for no disk.
  private func readAhead() {
    guard let page = model.pageBehind, ahead?.key != page.key else { return }
    let look = context.look { store throws(StoreError) -> Never? in
      _ = try store.articles(page.query, .after(page.key), limit: page.limit)
      return nil
    } then: { _ in
    }
    ahead = (look, page.key)
  }

  private func move(_ movement: ListMovement) {
    if movement == .top, model.isAtTop, model.selected == 0, model.arrivals > 0 {
      model.showArrivals()
    } else if model.move(movement) {
      pull.relax()
    } else if case .rows(..<0) = movement {
      pull.pulled(source)
    }
  }

  private func openSelected() {
    if let row = model.selectedRow { context.window?.open(row.id) }
  }

  func refresh() { pull.refresh(source.refreshScope) }

  private func dismiss() {
    if model.several != nil { model.several = nil } else { setText("") }
  }

  private func selectPreviousUnread() {
    guard let row = model.unread(isForward: false, from: model.selectedRow?.key) else {
      return context.note("No unread article above")
    }
    model.select(row)
  }

  private func toggleUnreadFilter() {
    model.setFilter(nextFilter)
    if model.query.hits != nil { find() }
  }

  private func toggle(_ flag: ArticleFlag, _ count: Int) {
    if model.several != nil {
      return writeSelected { store, ids, first throws(StoreError) in
        try await flag.toggle(ids, like: first, store)
      }
    }
    let ids = model.articles(count)
    guard let first = ids.first else { return }
    let context = context
    context.write({ store throws(StoreError) in
      try await flag.toggle(ids, like: first, store)
    }) { copies in
      if let text = MarkWording.changed(ids.count, copies: copies) { context.note(text) }
    }
    if count > 1 { model.move(.rows(count - 1)) }
    // What has left the window is let go: a list pays for each article that it keeps.
    model.keep(Set(ids).intersection(model.rows.map(\.id)))
  }

  /// Deletes what is selected; it leaves the list, and one key brings it back.
  private func delete(_ count: Int) {
    guard let selection = model.selection else { return }
    let some = model.several == nil ? model.articles(count) : nil
    model.several = nil
    DeletedArticles.delete(context) { store throws(StoreError) in
      if let some { some } else { try selection.ids(store) }
    }
  }

  /// Ends a selection of several, however long, with a write about it: it is read when that is due.
  private func writeSelected(
    _ write:
      @escaping @Sendable (ReaderCache, [ArticleID], ArticleID) async throws(StoreError) -> Int
  ) {
    guard let selection = model.selection else { return }
    model.keep(model.selectedRows.map { model.rows[$0].id })
    model.several = nil
    let context = context
    context.write({ store throws(StoreError) in
      let ids = try selection.ids(store)
      let first = ids.contains(selection.first) ? selection.first : ids.first ?? selection.first
      return (ids.count, try await write(store, ids, first))
    }) { articles, copies in
      if let text = MarkWording.changed(articles, copies: copies) { context.note(text) }
    }
  }

  // MARK: Sorting and tags

  private func sort(_ order: String) {
    model.setOrder(order == "oldest" ? .oldestFirst : .newestFirst)
    if isRanked { context.note("Search results are sorted by best match") }
  }

  private func tags() -> ArgumentChoices? {
    TagChoices.of(model.selectedRow.map { [$0.id] } ?? [], context)
  }

  private func setTags(_ text: String) {
    guard let selection = model.selection, let id = model.selectedRow?.id else { return }
    model.several = nil
    TagChoices.write(text, instead: TagChoices.common([id], context), context) {
      store throws(StoreError) in try selection.ids(store)
    }
  }

  private func markSelectedRead() {
    writeSelected { store, ids, _ throws(StoreError) in try await store.setRead(ids, true) }
  }

  func markShownRead() {
    model.keep(model.visibleRows.map(\.id))
    let (query, context) = (model.query, context)
    context.write({ store throws(StoreError) in try await store.markShownRead(query) }) {
      context.note(MarkWording.marked($0, undo: context.keymap.label(.undo)))
    }
  }

  // MARK: Searching

  private func setText(_ newText: String) {
    guard newText != text else { return }
    text = newText
    find()
  }

  /// Looks for what the list is to hold, beside the screen; what is shown stays until that is
  /// known.
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
      { [cache = context.search] _ throws(StoreError) in
        var list = list
        if let search {
          guard let query = search.query else { return SearchHits.none }
          list.hits = try await cache.hits(query, in: list, order: search.order)
          guard list.hits != nil else { return nil }
        }
        return text.isEmpty ? list.hits : try await cache.hits(holding: text, in: list)
      },
      then: { [weak self] (hits: SearchHits) in
        guard let self else { return }
        look = nil
        model.setHits(hits)
        context.report(model.failure)
        context.invalidate()
      })
  }

  private func askForFilter() {
    context.window?.ask(.filter(text) { [weak self] in self?.setText($0) })
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

  func press(x: Int, y: Int, isDouble: Bool) {
    if model.select(line: y), isDouble { openSelected() }
  }

  func scroll(by rows: Int, x: Int, y: Int) { model.scroll(by: rows) }

  func draw(on canvas: Canvas, isFocused: Bool) {
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
      lines = ["No matches in titles, authors and feeds.", "\(key(.dismiss)) shows all."]
    } else if source == .smart(.starred), model.query.filter == .starred {
      lines = ["No starred articles yet.", "\(key(.toggleStar)) stars an article."]
    } else if model.query.filter != .all {
      let next =
        switch nextFilter {
        case .all: model.query.filter == .unread ? "read ones too" : "all"
        case .unread: "unread ones"
        case .starred: "starred ones"
        }
      lines = [
        model.query.filter == .unread ? "No unread articles." : "No starred articles.",
        "\(key(.toggleUnreadFilter)) shows \(next).",
      ]
    } else if source.isSearch {
      lines = ["No results yet."]
    } else {
      lines = ["No articles yet.", "\(key(.refresh)) refreshes."]
    }
    for (y, line) in lines.enumerated() {
      canvas.write(line, x: 3, y: y, columns: canvas.width - 4, .secondary)
    }
  }
}
