import FeedModel
import FeedStore
import TerminalKit

/// The first pane: smart feeds, folders and feeds.
final class FeedsScreen: Screen {
  let model: FeedListModel
  let context: ReaderContext
  private let refreshes: RefreshModel
  private let accounts: AccountsModel
  private let pull: PullToRefresh
  private let counts: SearchCounts
  weak var nextResponder: (any Responder)?
  /// The articles that stand beside, or have the window.
  weak var openList: ArticlesScreen?
  private var pageHeight = 1

  init(context: ReaderContext, refreshes: RefreshModel, accounts: AccountsModel) {
    self.context = context
    self.refreshes = refreshes
    self.accounts = accounts
    pull = PullToRefresh(context: context, refreshes: refreshes)
    let model = FeedListModel(
      store: context.store, guideURL: context.configuration.guideURL, height: 20)
    self.model = model
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
    let parts = [filterCaption, pull.caption(for: model.selectedSource)].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }

  /// The caption without the progress of a refresh, for where the articles beside show that.
  var filterCaption: String? {
    var parts: [String] = []
    if !model.view.text.isEmpty { parts.append("/\(model.view.text)") }
    if model.view.unreadOnly { parts.append("unread only") }
    if pull.isPulled { parts.append(PullToRefresh.invitation) }
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }

  var hints: [Hint] {
    if case .firstStep(let step) = model.selectedItem {
      return [Hint(.open, step.command.description.title), Hint(.help, "help")]
    }
    return [
      Hint(.open, "open"), Hint(.refresh, "refresh"), Hint(.addFeed, "add"), Hint(.help, "help"),
      Hint(.search, "search"), Hint(.refreshAll, "refresh all"), Hint(.filter, "filter"),
      Hint(.editFeed, "edit"), Hint(.console, "sync"), Hint(.palette, "commands"),
    ]
  }

  // MARK: Keys

  func respond(to event: InterfaceEvent) -> Bool {
    if case .given(let command, let text) = event { return take(command, given: text) }
    guard case .command(let command, let count) = event else { return false }
    let repetitions = count ?? 1
    if command != .moveUp { pull.relax() }
    switch command {
    case .moveDown: move { self.model.move(by: repetitions) }
    case .moveUp:
      if !model.move(by: -repetitions) {
        pull.pulled(model.selectedSource)
      } else {
        pull.relax()
      }
      selectionChanged()
    case .top: move { self.model.move(by: -self.model.rows.count) }
    case .bottom:
      move { self.model.move(by: count.map { $0 - self.model.selected - 1 } ?? .max / 2) }
    case .halfPageDown: move { self.model.page(by: repetitions * max(1, self.pageHeight / 2)) }
    case .halfPageUp: move { self.model.page(by: -repetitions * max(1, self.pageHeight / 2)) }
    case .pageDown: move { self.model.page(by: repetitions * max(1, self.pageHeight - 1)) }
    case .pageUp: move { self.model.page(by: -repetitions * max(1, self.pageHeight - 1)) }
    case .open: openSelected()
    case .goIn:
      if let folder = selectedFolder, !folder.isExpanded { toggleFolder() } else { openSelected() }
    case .goOut:
      if !closeFolder(), !model.selectParent() { return false }
      selectionChanged()
    case .toggleFolder: toggleFolder()
    case .toggleUnreadFilter:
      move { self.model.toggleUnreadOnly() }
    case .filter: send(.ask(filterPrompt()))
    case .dismiss:
      guard !model.view.text.isEmpty else { return false }
      move { self.model.setText("") }
    case .refresh:
      guard let source = model.selectedSource else { return false }
      pull.refresh(source.refreshScope)
    case .markShownRead: markRead()
    case .unsubscribe: unsubscribe()
    case .editFeed: edit()
    case .moveFeedDown: reorder(by: repetitions)
    case .moveFeedUp: reorder(by: -repetitions)
    case .useNewAddress: useNewAddress()
    case .previousUnread: selectPreviousUnread()
    case .pauseThis:
      guard case .feed(let id) = model.selectedSource, let feed = model.feed(id) else {
        context.note("Select a feed to pause it")
        return true
      }
      SyncSteering.pause(feed, context)
    case .openInBrowser, .copyAddress:
      guard case .feed(let id) = model.selectedSource, let feed = model.feed(id) else {
        context.note("Only feeds have an address")
        return true
      }
      let url = feed.homePageURL ?? WebAddress.withoutUserInfo(feed.url)
      if command == .openInBrowser { return send(.follow(url)) }
      AddressActions.copy(url, context)
    default: return false
    }
    context.invalidate()
    return true
  }

  private func move(_ body: () -> Void) {
    body()
    selectionChanged()
  }

  private func selectionChanged() {
    context.invalidate()
    if let source = model.selectedSource { send(.showList(source, opens: false)) }
  }

  private func selectPreviousUnread() {
    guard let previous = model.previousUnreadSource(before: model.selectedSource) else {
      return context.note("Everything is read")
    }
    move { model.reveal(.list(previous)) }
  }

  private func openSelected() {
    switch model.selectedItem {
    case .list(let source): send(.showList(source, opens: true))
    case .firstStep(let step): send(.command(step.command, count: nil))
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
    context.write { store throws(StoreError) in try await store.setExpanded(id, opens) }
  }

  private func closeFolder() -> Bool {
    guard let folder = selectedFolder, folder.isExpanded else { return false }
    toggleFolder()
    return true
  }

  // MARK: What is done to feeds

  /// Marks what was there when the key was pressed: as of when the articles beside are shown, else now.
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
      if query.asOf == nil { query.asOf = try context.store.latestArticleID() }
    } catch {
      return context.report(error)
    }
    context.write({ [query, search] store throws(StoreError) in
      var query = query
      if let search { query.hits = try await store.hits(search, in: query) ?? SearchHits.none }
      return try await store.markAllRead(query)
    }) { context.note(MarkWording.marked($0, undo: context.keymap.label(.undo))) }
  }

  func rename(_ id: SavedSearchID) {
    guard let search = model.search(id) else { return }
    let context = context
    send(
      .ask(
        TextPrompt(label: "Rename to:", text: search.name, context: context) { [weak self] name in
          self?.send(.endPrompt)
          guard let name else { return }
          context.write { store throws(StoreError) in try await store.rename(id, to: name) }
        }))
  }

  private func unsubscribe() {
    if case .folder(let id) = model.selectedSource { return deleteFolder(id) }
    if case .saved(let id) = model.selectedSource, let search = model.search(id) {
      let context = context
      let undo = context.keymap.label(.undo).map { "; \($0) brings it back" } ?? ""
      context.write({ store throws(StoreError) in try await store.removeSearch(id) }) {
        context.note("Removed the search \u{201C}\(search.name)\u{201D}\(undo)")
      }
      return
    }
    guard case .feed(let id) = model.selectedSource, let feed = model.feed(id) else {
      return context.note("Select a feed to unsubscribe from it")
    }
    AddressActions.unsubscribe(feed, context)
  }

  private func useNewAddress() {
    if case .feed(let id) = model.selectedSource {
      AddressActions.useMovedAddress(model.feed(id), context)
    } else {
      AddressActions.useMovedAddress(nil, context)
    }
  }

  private func filterPrompt() -> any Prompt {
    let before = model.view.text
    return FilterPrompt(
      label: "/", text: before, context: context,
      changed: { [weak self] text in self?.move { self?.model.setText(text) } },
      ended: { [weak self] keeps in
        if !keeps { self?.move { self?.model.setText("") } }
        self?.send(.endPrompt)
      })
  }

  // MARK: Changes and drawing

  func modelUpdated(_ change: StoreChange) {
    let hasChanged = model.modelUpdated(change)
    if !change.isDisjoint(with: [.articles, .statuses, .subscriptions]) {
      counts.update(model.subscriptions.searches)
    }
    guard hasChanged else { return }
    context.report(model.failure)
    context.invalidate()
  }

  func mouse(_ action: MouseEvent.Action, x: Int, y: Int) -> Bool {
    switch action {
    case .press:
      guard model.select(line: y) else { return false }
      if selectedFolder != nil, x <= 2 + 2 * model.rows[model.selected].depth { toggleFolder() }
    case .doubleClick:
      guard model.select(line: y) else { return false }
      openSelected()
    case .wheelUp: model.scroll(by: -context.configuration.wheelRows)
    case .wheelDown: model.scroll(by: context.configuration.wheelRows)
    case .release: return false
    }
    selectionChanged()
    return true
  }

  func draw(on canvas: Canvas, isFocused: Bool) {
    pageHeight = canvas.height
    model.setHeight(canvas.height)
    if model.rows.isEmpty {
      canvas.write("Nothing here has that name.", x: 3, y: 0, columns: canvas.width - 4, .secondary)
    }
    for (y, line) in model.visibleLines().enumerated() {
      guard case .row(let index) = line else { continue }
      draw(model.rows[index], on: canvas, y: y)
      guard index == model.selected else { continue }
      if isFocused { canvas.select(row: y) }
      canvas.mark(row: y)
    }
  }

  /// Why a feed has a mark, in a wide pane.
  private func note(_ id: FeedID) -> String? {
    guard let feed = model.feed(id) else { return nil }
    if feed.state.phase == .fetching { return "refreshing" }
    if feed.isPaused { return "paused" }
    if let sentence = FailureWording(dates: context.dates).sentence(for: feed) { return sentence }
    return feed.state.movedTo.map { "has moved to \(Confusables.shown($0))" }
  }

  /// How an account stands, beside the name of its branch: it is asked, has failed, or has not been told
  /// everything yet.
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
    let count = row.unread.flatMap { $0 > 0 ? AmountWording.grouped($0) : nil } ?? ""
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
      canvas.write(symbol, x: x, y: y, row.mark == .failing ? .error : .accent)
    }
    let role: Role
    switch row.item {
    case .list(.feed): role = count.isEmpty ? .secondary : .text
    case .list(.folder): role = .title
    case .list(.smart), .list(.tag), .list(.saved), .list(.search), .firstStep: role = .text
    }
    let state = row.account.flatMap(accountState)
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
