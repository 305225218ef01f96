import ArticleScreens
import FeedModel
import FeedStore
import ReaderServices
import TerminalKit
import TerminalViews
import Wording

final class FeedsScreen: Screen {
  let model: FeedListModel
  let context: ReaderContext
  private let refreshes: RefreshModel
  private let accounts: AccountsModel
  private let pull: PullToRefresh
  private let counts: SearchCounts
  private var reading: TimerToken?
  /// The articles beside it, or in the whole window.
  weak var openList: ArticlesScreen?

  init(context: ReaderContext, refreshes: RefreshModel, accounts: AccountsModel) {
    self.context = context
    self.refreshes = refreshes
    self.accounts = accounts
    pull = PullToRefresh(context: context, refreshes: refreshes)
    let model = FeedListModel(
      store: context.store, guideURL: context.configuration.guideURL, height: 20)
    self.model = model
    let order = context.configuration.feedOrder.flatMap(FeedOrder.init)
    if let order, order != .own { model.setOrder(order) }
    counts = SearchCounts(context: context) { [weak model] counts in
      model?.setSearchCounts(counts)
      context.invalidate()
    }
    context.report(model.failure)
    counts.update(model.subscriptions.searches)
  }

  var commandContext: CommandContext { .feeds }
  var title: String { model.selectedSource.map(model.name) ?? "Feeds" }

  var caption: String? {
    var parts: [String] = []
    if !model.view.text.isEmpty { parts.append("/\(model.view.text)") }
    if model.view.unreadOnly { parts.append("unread only") }
    if pull.isPulled { parts.append(PullToRefresh.invitation) }
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }

  var hints: [Hint] {
    if case .firstStep(let step) = model.selectedItem {
      return [Hint(.open, step.command.title), Hint(.help, "help")]
    }
    return [
      Hint(.open, "open"), Hint(.refresh, "refresh"), Hint(.addFeed, "add"), Hint(.help, "help"),
      Hint(.search, "search"), Hint(.refreshAll, "refresh all"), Hint(.filter, "filter"),
      Hint(.editFeed, "edit"), Hint(.syncConsole, "sync"), Hint(.palette, "commands"),
    ]
  }

  // MARK: Keys

  func willPerform(_ command: Command) { if command != .moveUp { pull.relax() } }

  private(set) lazy var bindings = Bindings { [unowned self] in
    Binding.movement { self.move($0) } + arrangingBindings + [
      Binding(.open) { self.openSelected() },
      Binding(.goIn) { self.goIn() },
      Binding(
        .goOut, when: self.selectedFolder?.isExpanded == true || self.model.parentIndex != nil
      ) { self.goOut() },
      Binding(.toggleFolder) { self.toggleFolder() },
      Binding(.toggleUnreadFilter) { self.toggleUnreadFilter() },
      Binding(.filter) { self.askForFilter() },
      Binding(.dismiss, when: !self.model.view.text.isEmpty) { self.setText("") },
      Binding(.refresh, when: self.model.selectedSource != nil) { self.refresh() },
      Binding(
        .markShownRead, unless: self.model.selectedSource == nil ? "Select a list first" : nil
      ) { self.markRead() },
      Binding(.unsubscribe, unless: self.whyNotChanged("Select a feed to unsubscribe from it")) {
        self.unsubscribe()
      },
      Binding(
        .useNewAddress,
        unless: self.selectedFeed?.state.movedTo == nil ? "This feed has no new address" : nil
      ) { AddressActions.useMovedAddress(self.selectedFeed, self.context) },
      Binding(.previousUnread) { self.selectPreviousUnread() },
      Binding(.pauseThis, unless: self.whyNoFeed("Select a feed to pause it")) {
        if let feed = self.selectedFeed { SyncSteering.pause(feed, self.context) }
      },
      Binding(.openInBrowser, unless: self.whyNoFeed("Select a feed first")) {
        if let feed = self.selectedFeed { self.context.window?.follow(Self.homePage(feed)) }
      },
      Binding(.copyAddress, unless: self.whyNoFeed("Select a feed first")) {
        if let feed = self.selectedFeed { AddressActions.copy(Self.homePage(feed), self.context) }
      },
    ]
  }

  private func whyNoFeed(_ reason: String) -> String? { selectedFeed == nil ? reason : nil }

  var selectedFeed: Feed? {
    if case .feed(let id) = model.selectedSource { model.feed(id) } else { nil }
  }

  private static func homePage(_ feed: Feed) -> String {
    feed.homePageURL ?? WebAddress.withoutUserInfo(feed.url)
  }

  private func move(_ movement: ListMovement) {
    if model.move(movement) {
      pull.relax()
    } else if case .rows(..<0) = movement {
      pull.pulled(model.selectedSource)
    }
    selectionChanged()
  }

  private func refresh() {
    if let source = model.selectedSource { pull.refresh(source.refreshScope) }
  }

  private func toggleUnreadFilter() {
    model.toggleUnreadOnly()
    selectionChanged()
  }

  private func setText(_ text: String) {
    model.setText(text)
    selectionChanged()
  }

  private func askForFilter() {
    context.window?.ask(.filter(model.view.text) { [weak self] in self?.setText($0) })
  }

  private func selectionChanged() {
    if let source = model.selectedSource { context.window?.showList(source, opens: false) }
  }

  private func selectPreviousUnread() {
    guard let previous = model.previousUnreadSource(before: model.selectedSource) else {
      return context.note("No unread articles left")
    }
    model.reveal(.list(previous))
    selectionChanged()
  }

  private func openSelected() {
    switch model.selectedItem {
    case .list(let source): context.window?.showList(source, opens: true)
    case .firstStep(let step): context.links.events?.carryOut(step.command)
    case nil: break
    }
  }

  private var selectedFolder: (id: FolderID, isExpanded: Bool)? {
    guard case .folder(let id) = model.selectedSource,
      let isExpanded = model.rows[model.selected].isExpanded
    else { return nil }
    return (id, isExpanded)
  }

  private func toggleFolder() {
    guard let folder = selectedFolder else {
      if model.selectParent() { toggleFolder() }
      return
    }
    let (id, opens) = (folder.id, !folder.isExpanded)
    if !opens { model.closeRevealed(id) }
    context.write { store throws(StoreError) in try await store.folders.setExpanded(id, opens) }
  }

  private func goIn() {
    if selectedFolder?.isExpanded == false { toggleFolder() } else { openSelected() }
  }

  private func goOut() {
    if selectedFolder?.isExpanded == true { toggleFolder() } else { model.selectParent() }
    selectionChanged()
  }

  // MARK: What is done to feeds

  /// Marks the articles that existed when the key was pressed: as of the time of the list beside,
  /// else now.
  private func markRead() {
    guard let source = model.selectedSource else { return }
    let context = context
    var search: SearchQuery?
    if case .saved(let id) = source {
      search = model.search(id).flatMap { ListSearch($0).query }
      guard search != nil else { return }
    }
    var query = source.query(filter: source.ownFilter, asOf: nil)
    if openList?.source == source { query.asOf = openList?.model.query.asOf }
    do throws(StoreError) {
      if query.asOf == nil { query.asOf = try context.store.articles.latestArticleID() }
    } catch {
      return context.report(error)
    }
    context.write({ [query, search, cache = context.search] store throws(StoreError) in
      var query = query
      if let search { query.hits = try await cache.hits(search, in: query) ?? SearchHits.none }
      return try await store.states.markShownRead(query)
    }) { context.note(MarkWording.marked($0, undo: context.keymap.label(.undo))) }
  }

  func rename(_ id: SavedSearchID) {
    guard let search = model.search(id) else { return }
    context.ask(for: "Rename to: ", text: search.name) { [context] name in
      context.write { [search = context.search] _ throws(StoreError) in
        try await search.rename(id, to: name)
      }
    }
  }

  /// The reason, unless a feed, a folder or a saved search is selected.
  func whyNotChanged(_ reason: String) -> String? {
    switch model.selectedSource {
    case .feed, .folder, .saved: nil
    default: reason
    }
  }

  private func unsubscribe() {
    if case .folder(let id) = model.selectedSource { return deleteFolder(id) }
    if case .saved(let id) = model.selectedSource, let search = model.search(id) {
      context.write({ [search = context.search] _ throws(StoreError) in
        try await search.removeSearch(id)
      }) { [context] in
        context.note(
          "Removed the search \u{201C}\(search.name)\u{201D}\(context.undoHint("brings it back"))")
      }
      return
    }
    if let feed = selectedFeed { AddressActions.unsubscribe([feed], context) }
  }

  // MARK: Changes and drawing

  func modelUpdated(_ change: StoreChange) {
    reading = nil
    let hasChanged = model.modelUpdated(change)
    countSearches(change)
    guard hasChanged else { return }
    context.report(model.failure)
    context.invalidate()
  }

  /// Reads the feeds in the background; `modelUpdated` cancels it. A thousand feeds take longer to
  /// read than a frame.
  /// - Parameter finished: Called when they have been applied, or could not be read.
  func readInBackground(_ change: StoreChange, finished: @escaping () -> Void) {
    guard FeedListModel.shows(change) else { return finished() }
    let order = model.view.order
    reading = context.look { store throws(StoreError) in
      try FeedListModel.contents(store, order: order)
    } then: { [weak self] contents in
      guard let self else { return }
      reading = nil
      if model.view.order == order, model.apply(contents) { context.backgroundReadApplied() }
      countSearches(change)
      finished()
    } failed: { [weak self] in
      self?.reading = nil
      finished()
    }
  }

  private func countSearches(_ change: StoreChange) {
    guard !change.isDisjoint(with: [.articles, .statuses, .subscriptions]) else { return }
    counts.update(model.subscriptions.searches)
  }

  func press(x: Int, y: Int, isDouble: Bool) {
    guard model.select(line: y) else { return }
    if isDouble {
      openSelected()
    } else if selectedFolder != nil, x <= 2 + 2 * model.rows[model.selected].depth {
      toggleFolder()
    }
    selectionChanged()
  }

  func scroll(by rows: Int, x: Int, y: Int) {
    model.scroll(by: rows)
    selectionChanged()
  }

  func draw(on canvas: Canvas, isFocused: Bool) {
    model.setHeight(canvas.height)
    if model.rows.isEmpty {
      canvas.write("No matches.", x: 3, y: 0, columns: canvas.width - 4, .secondary)
    }
    for (y, line) in model.visibleLines().enumerated() {
      guard case .row(let index) = line else { continue }
      draw(model.rows[index], on: canvas, y: y)
      guard index == model.selected else { continue }
      canvas.select(row: y, isFocused: isFocused)
    }
  }

  /// Why a feed has a mark, in a wide pane.
  private func note(_ id: FeedID) -> String? {
    guard let feed = model.feed(id) else { return nil }
    if feed.state.phase == .fetching { return "refreshing" }
    if feed.isPaused { return "paused" }
    if let sentence = FailureWording(dates: context.dates).sentence(for: feed) { return sentence }
    return feed.state.movedTo.map {
      "has moved to \(Confusables.shown(HiddenSecrets.name(of: $0)))"
    }
  }

  /// The state of an account, beside the name of its branch: syncing, failed, or with unsent
  /// changes.
  private func accountState(_ id: AccountID) -> (text: String, role: Role)? {
    guard let account = accounts.accounts.first(where: { $0.id == id }) else { return nil }
    if account.state.isSyncing { return ("⟳", .accent) }
    if account.state.failure != nil { return ("!", .error) }
    let waiting = account.state.outbox.waiting
    return waiting > 0 ? ("⇡ \(AmountWording.grouped(waiting))", .secondary) : nil
  }

  private func draw(_ row: FeedRow, on canvas: Canvas, y: Int) {
    // Deep trees keep at least half of the pane for names.
    let x = 1 + min(2 * row.depth, max(0, canvas.width / 2 - 4))
    var count = row.unread.flatMap { $0 > 0 ? AmountWording.grouped($0) : nil } ?? ""
    if row.isLeast, !count.isEmpty { count += "+" }
    if row.isApart, !count.isEmpty { count = "(\(count))" }
    let countWidth = count.isEmpty ? 0 : count.utf8.count + 1
    var right = canvas.width - 1
    if case .firstStep(let step) = row.item, let key = context.keymap.label(step.command) {
      canvas.write("+", x: x, y: y, .accent)
      right -= GraphemeWidth.width(of: key) + 1
      canvas.write(key, x: right + 1, y: y, .secondary)
    } else if let isExpanded = row.isExpanded {
      canvas.write(isExpanded ? "▾" : "▸", x: x, y: y, .secondary)
    } else {
      let symbol = row.item.isSavedSearch ? "/" : row.mark.symbol
      // Of failures the folder has the red mark.
      let failing = row.depth > 0 ? Role.secondary : .error
      canvas.write(symbol, x: x, y: y, row.mark == .failing ? failing : .accent)
    }
    let role: Role
    switch row.item {
    case .list(.feed): role = count.isEmpty || row.isApart ? .secondary : .text
    case .list(.folder): role = .title
    case .list(.smart), .list(.tag), .list(.saved), .list(.search), .list(.hidden), .firstStep:
      role = .text
    }
    let isFailing = row.isExpanded != nil && row.mark == .failing
    let failing: (String, Role)? = isFailing ? ("!", .error) : nil
    let state = row.account.flatMap(accountState) ?? failing
    let stateWidth = state.map { GraphemeWidth.width(of: $0.text) + 1 } ?? 0
    let space = right - countWidth - stateWidth - x - 2
    if let state {
      canvas.write(state.text, x: right - countWidth - stateWidth + 1, y: y, state.role)
    }
    let used = canvas.write(row.name, x: x + 2, y: y, columns: space, role)
    if case .list(.feed(let id)) = row.item, row.mark != .none, let note = note(id), space >= 50 {
      let from = max(used + 2, 30 - x)
      canvas.write(note, x: x + 2 + from, y: y, columns: space - from - 1, .secondary)
    }
    canvas.write(count, x: right - count.utf8.count, y: y, .secondary)
  }
}
