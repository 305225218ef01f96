@_exported public import ReaderServices
import TerminalViews

package final class ArticlesScreen: Screen {
  package let source: ListSource
  package let model: ArticleListModel
  let context: ReaderContext
  private let pull: PullToRefresh
  private let name: () -> String
  package let search: ListSearch?
  package var text = ""
  /// True if the user has used the list. New articles are then shown only on request.
  package var isTouched = false
  /// The running search or sort, for the list's query or for `text`.
  var loading: TimerToken?
  var order: ArticleOrder
  package private(set) lazy var passed = PassedArticles(context: context)
  private(set) lazy var details = ArticleRowDetails(context: context)
  private lazy var ahead = RowsAhead(context: context, model: model)

  /// - Parameter name: The list's name, which may change while it is open.
  package init(
    source: ListSource, search: ListSearch? = nil, folders: [FolderID]? = nil, height: Int,
    context: ReaderContext, refreshes: RefreshModel, name: @escaping () -> String
  ) {
    self.source = source
    self.search = search
    self.context = context
    self.name = name
    pull = PullToRefresh(context: context, refreshes: refreshes)
    // The hits of a search keep its order, whatever is configured.
    let configured =
      search?.hits == nil && source != .dailyPage ? context.configuration.articleOrder : nil
    var own: ArticleOrder?
    if case .feed(let id) = source {
      own = context.read(try context.store.feeds.options(of: id).effective.sort)
    }
    let view = context.view(of: source)
    order = own ?? view.order ?? configured ?? .newest
    // Until the hits arrive the list is empty, so that its first row is then the first visible row.
    let awaitsHits = source.isSearch || order.sorting(of: source) != nil
    model = ArticleListModel(
      source: source, store: context.store, filter: view.filter, folders: folders,
      hits: awaitsHits ? search?.hits ?? SearchHits.none : nil, height: height)
    context.report(model.failure)
    model.headings = headings
    if order == .oldest {
      model.setOrder(.oldestFirst)
      model.moveToTop()
    }
    let isComputed = source == .hidden || source == .dailyPage
    if sorting != nil || search?.query != nil && search?.hits == nil || isComputed {
      find()
    }
  }

  var commandContext: CommandContext { .articles }
  var title: String { name() }

  var caption: String? {
    var parts: [String] = []
    if model.several != nil { parts.append(MarkWording.selected(model.selectedCount)) }
    if let caption = order.caption, sorting != nil || !isRanked { parts.append(caption) }
    if model.query.showsHiddenByRules, source != .hidden { parts.append("with hidden ones") }
    if !text.isEmpty { parts.append("/\(text)") }
    if loading != nil { parts.append(text.isEmpty && !source.isSearch ? "sorting" : "searching") }
    if model.query.hits?.continuesBefore != nil {
      parts.append("the newest \(AmountWording.grouped(model.query.hits?.count ?? 0))")
    }
    if model.query.filter != source.ownFilter {
      let isUnreadList = source.ownFilter == .unread && model.query.filter == .all
      parts.append(isUnreadList ? "read ones too" : model.query.filter.title)
    }
    if let share = details.packs.share, share > 0 { parts.append("\(share) % offline") }
    if pull.isPulled { parts.append(PullToRefresh.invitation) }
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }

  var isRanked: Bool { model.query.hits?.isRanked == true }

  /// The next filter of a cycle: the list's own filter, then the others.
  var nextFilter: ArticleQuery.Filter {
    let others = [ArticleQuery.Filter.unread, .all, .starred].filter { $0 != source.ownFilter }
    let filters = [source.ownFilter] + others
    let place = filters.firstIndex(of: model.query.filter) ?? 0
    return filters[(place + 1) % filters.count]
  }

  var hints: [Hint] { ArticleListHints.hints(model, nextFilter) }

  // MARK: Keys

  func willPerform(_ command: Command) { if command != .moveUp { pull.relax() } }

  func didPerform() {
    context.report(model.failure)
    ahead.read()
  }

  private(set) lazy var bindings = Bindings { [unowned self] in
    let marking = marking
    return Binding.movement { self.move($0) } + marking.bindings
      + ArticleActions.bindings(context) { self.model.selectedRow?.id }
      + [
        Binding(.open) { self.openSelected() },
        Binding(.goIn, when: !self.model.isEmpty) { self.openSelected() },
        Binding(.select) { self.model.toggleRange() },
        Binding(.readOn, when: self.isSelecting) { self.model.toggleSelected() },
        Binding(.markShownRead) {
          if self.isSelecting { marking.markSelectedRead() } else { marking.markShownRead() }
        }.counting { _ in self.markingEffect },
        Binding(.previousUnread) { self.selectPreviousUnread() },
        Binding(.toggleUnreadFilter) { self.toggleUnreadFilter() },
        Binding(.sort, choices: { self.orders }, given: { self.sort($0) }),
        Binding(.showArrivals) { self.showArrivals() },
        Binding(.filter) { ListFilter.ask(self) },
        Binding(.dismiss, when: self.isSelecting || !self.text.isEmpty) { self.dismiss() },
        Binding(.refresh) { self.refresh() },
      ]
  }

  var marking: ArticleMarking { ArticleMarking(context: context, model: model) }
  package func saveBook() { ListBook(context: context, model: model, name: title).askForFile() }

  package func markShownRead() { marking.markShownRead() }
  private var isSelecting: Bool { model.several != nil }

  private func move(_ movement: ListMovement) {
    isTouched = true
    if movement == .top, model.isAtTop, model.selected == 0, model.arrivals > 0 {
      showArrivals()
    } else if moveNoting(movement) {
      pull.relax()
    } else if case .rows(..<0) = movement {
      pull.pulled(source)
    }
  }

  /// Moves, and records the articles that a step or a page down has passed.
  private func moveNoting(_ movement: ListMovement) -> Bool {
    let (before, start) = (model.rows, model.selectedRow?.id)
    guard model.move(movement) else { return false }
    guard movement.isStepDown, let start, let end = model.selectedRow?.id,
      let rows = PassedArticles.rows(from: start, to: end, in: before, then: model.rows)
    else {
      passed.flush()
      return true
    }
    let ids = passed.add(rows)
    if !ids.isEmpty { model.retain(Set(ids).intersection(model.rows.map(\.id))) }
    return true
  }

  private func openSelected() {
    if let row = model.selectedRow { context.window?.open(row.id) }
  }

  package func refresh() { pull.refresh(source.refreshScope) }

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
    let filter = nextFilter
    model.setFilter(filter)
    context.change(viewOf: source) { $0.filter = filter == source.ownFilter ? nil : filter }
    if model.query.hits != nil { find() }
  }

  // MARK: Changes and the mouse

  package func modelUpdated(_ change: StoreChange) {
    details.modelUpdated(change)
    // Articles that are no longer hidden leave the list of hidden ones.
    if source == .hidden, !change.isDisjoint(with: [.articles, .statuses]) { find() }
    // Prefetched rows are outdated after a change.
    ahead.discard()
    let hasChanged = model.modelUpdated(change)
    if model.isEmpty, loading == nil, model.arrivals > 0 { return loadArrivals() }
    guard hasChanged else { return }
    context.report(model.failure)
    context.invalidate()
  }

  /// Shows hidden articles dimmed among the others, or hides them.
  package func toggleHidden() {
    model.setShowsHidden(!model.query.showsHiddenByRules)
    find()
  }

  package func toggleRows() { rows.toggle() }

  package func showArrivals() {
    let count = model.arrivals
    context.note(count > 0 ? ArrivalWording.shown(count) : ArrivalWording.nothingNew)
    loadArrivals()
  }

  /// Shows new articles if the user has not used the list yet, or if `anyway` is true.
  package func fill(anyway: Bool = false) {
    guard anyway || !isTouched, model.arrivals > 0, model.several == nil else { return }
    loadArrivals(selectsFirst: !isTouched)
  }

  private func loadArrivals(selectsFirst: Bool = false) {
    model.showArrivals(selectsFirst: selectsFirst)
    if sorting != nil { find() }
    context.invalidate()
  }

  /// Shows the new articles of a refresh that the user requested, if no row moves. The end of the
  /// refresh may be reported before its articles.
  package func refreshFinished(_ request: RefreshRequest) {
    model.countArrivals()
    guard model.arrivals > 0, model.isEmpty || (model.isAtTop && model.selected == 0) else {
      return
    }
    loadArrivals()
  }

  func press(x: Int, y: Int, isDouble: Bool) {
    isTouched = true
    if model.select(line: y), isDouble { openSelected() }
  }

  func scroll(by rows: Int, x: Int, y: Int) {
    isTouched = true
    model.scroll(by: rows)
  }
}

enum ArticleListHints {
  /// - Parameter filter: the filter that the next key sets.
  static func hints(_ model: ArticleListModel, _ filter: ArticleQuery.Filter) -> [Hint] {
    if model.isEmpty {
      return [Hint(.refresh, "refresh"), Hint(.goOut, "back")]
    }
    if model.several != nil {
      return [
        Hint(.readOn, "select"), Hint(.select, "range"), Hint(.toggleRead, "read/unread"),
        Hint(.toggleStar, "star"), Hint(.tag, "tags"),
        Hint(.dismiss, "end"),
      ]
    }
    return [
      Hint(.open, "read"), Hint(.readOn, "read on"), Hint(.toggleStar, "star"),
      Hint(.markShownRead, "all read"), Hint(.toggleUnreadFilter, filter.title),
      Hint(.palette, "commands"),
    ]
  }
}

/// The articles at the top of a list's window and at its selection.
package nonisolated struct ListPosition: Equatable {
  var top: ArticleKey
  var selected: ArticleKey
  /// The number of rows above the top one; `nil` if unknown.
  var above: Int?
}

/// Filters a list of articles in place. Esc returns to the place from before.
enum ListFilter {
  static func ask(_ screen: ArticlesScreen) {
    let place = screen.model.place
    screen.context.window?.ask(
      .filter(screen.text) { [weak screen] in
        screen?.setText($0)
      } cancelled: { [weak screen] in
        screen?.setText("", at: place)
      })
  }
}

nonisolated extension ArticleQuery {
  func comesBefore(_ a: ArticleKey, _ b: ArticleKey) -> Bool {
    if let hits, hits.isRanked { return hits.place(of: a) < hits.place(of: b) }
    return order == .newestFirst ? a > b : a < b
  }
}

/// The rows of one list: compact, or roomy with the first words of articles.
struct ListRows {
  let context: ReaderContext
  let source: ListSource
  var isRoomy: Bool { context.view(of: source).isRoomy ?? context.configuration.isRoomy }

  /// Changes the rows of the list, or of all lists if the list is not remembered.
  func toggle() {
    guard source.viewName != nil else { return context.toggleRoomyRows() }
    let isRoomy = !isRoomy
    context.change(viewOf: source) { $0.isRoomy = isRoomy }
  }
}
