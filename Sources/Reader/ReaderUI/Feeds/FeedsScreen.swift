import TerminalViews

final class FeedsScreen: Screen {
  let model: FeedListModel
  let context: ReaderContext
  private let refreshes: RefreshModel
  private let accounts: AccountsModel
  private let pull: PullToRefresh
  private let counts: SearchCounts
  private var reading: TimerToken?
  /// The list of articles beside the list of feeds, or in the whole window.
  weak var openList: ArticlesScreen?

  init(context: ReaderContext, refreshes: RefreshModel, accounts: AccountsModel) {
    self.context = context
    self.refreshes = refreshes
    self.accounts = accounts
    pull = PullToRefresh(context: context, refreshes: refreshes)
    let model = FeedListModel(
      store: context.store, guideURL: context.configuration.guideURL, height: 20)
    self.model = model
    let order = context.configuration.remembered[.feedOrder].flatMap(FeedOrder.init)
    if let order, order != .own { model.setOrder(order) }
    let isLast = context.configuration.remembered[.folders] == FolderPlace.last.rawValue
    if isLast { model.setFoldersLast(true) }
    if let text = context.configuration.remembered[.focus],
      case .folders(let folders) = FolderFocus(text, in: model.subscriptions)
    {
      model.setFocus(folders)
    }
    counts = SearchCounts(context: context) { [weak model] counts in
      model?.setSearchCounts(counts)
      context.invalidate()
    }
    context.report(model.failure)
    counts.update(model.subscriptions.searches, in: model.view.focus)
    if model.view.isFirstStart { FirstSteps(context: context, model: model).findLists() }
  }

  var commandContext: CommandContext { .feeds }
  var title: String { model.selectedSource.map(model.name) ?? "Feeds" }

  var caption: String? {
    var parts: [String] = []
    if let focus = model.focusText { parts.append(focus) }
    if !model.view.text.isEmpty { parts.append("/\(model.view.text)") }
    if model.view.unreadOnly { parts.append("unread only") }
    if pull.isPulled { parts.append(PullToRefresh.invitation) }
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }

  var hints: [Hint] {
    if case .firstStep(let step) = model.selectedItem {
      return [Hint(.open, step.path == nil ? step.command.title : "import")]
    }
    return [
      Hint(.open, "open"), Hint(.refresh, "refresh"), Hint(.add, "add"),
      Hint(.search, "search"), Hint(.edit, "edit"), Hint(.palette, "commands"),
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
      Binding(.toggleUnreadFilter) { self.toggleUnreadFilter() },
      Binding(.filter) { self.askForFilter() },
      Binding(.dismiss, when: !self.model.view.text.isEmpty) { self.setText("") },
      Binding(.refresh, when: self.model.selectedSource != nil) { self.refresh() },
      Binding(
        .markShownRead, unless: self.model.selectedSource == nil ? "Select a list first" : nil
      ) { self.marking?.markRead() }.counting { _ in self.marking?.effect ?? { _ in nil } },
      Binding(.delete, unless: self.whyNotChanged("Select a feed to unsubscribe from it")) {
        self.unsubscribe()
      }.counting { _ in self.unsubscribeEffect },
      Binding(.unsubscribe, unless: self.whyNoFeed("Select a feed to unsubscribe from it")) {
        self.unsubscribe()
      }.counting { _ in self.unsubscribeEffect },
      Binding(.previousUnread) { self.selectPreviousUnread() },
      Binding(.pause, unless: self.whyNoFeed("Select a feed to pause it")) {
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

  private var unsubscribeEffect: EffectText.Source {
    selectedFeed.map { AddressActions.unsubscribeEffect($0, context) } ?? { _ in nil }
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
    let place = model.place
    context.window?.ask(
      .filter(model.view.text) { [weak self] in
        self?.setText($0)
      } cancelled: { [weak self] in
        self?.model.setText("")
        self?.model.restore(place)
        self?.selectionChanged()
      })
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
    case .firstStep(let step):
      FirstSteps(context: context, model: model).carryOut(step)
      selectionChanged()
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
    context.write { store in try await store.folders.setExpanded(id, opens) }
  }

  private func goIn() {
    if selectedFolder?.isExpanded == false { toggleFolder() } else { openSelected() }
  }

  private func goOut() {
    if selectedFolder?.isExpanded == true { toggleFolder() } else { model.selectParent() }
    selectionChanged()
  }

  // MARK: Actions on feeds

  private var marking: FeedMarking? {
    model.selectedSource.map {
      FeedMarking(
        source: $0, asOf: openList?.source == $0 ? openList?.model.query.asOf : nil, model: model,
        context: context)
    }
  }

  func rename(_ id: SavedSearchID) {
    guard let search = model.search(id) else { return }
    context.ask(for: "Rename to: ", text: search.name) { [context] name in
      context.write { [search = context.search] _ in try await search.rename(id, to: name) }
    }
  }

  /// Returns `nil` if a feed, a folder or a saved search is selected, otherwise the given reason.
  func whyNotChanged(_ reason: String) -> String? {
    switch model.selectedSource {
    case .feed, .folder, .saved: nil
    default: reason
    }
  }

  private func unsubscribe() {
    if case .folder(let id) = model.selectedSource { return deleteFolder(id) }
    if case .saved(let id) = model.selectedSource, let search = model.search(id) {
      let undo = context.undoHint("brings it back")
      return context.write(noting: "Removed the search \u{201C}\(search.name)\u{201D}\(undo)") {
        [search = context.search] _ in try await search.removeSearch(id)
      }
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
  /// - Parameter finished: Called when the feeds have been applied, or could not be read.
  func readInBackground(_ change: StoreChange, finished: @escaping () -> Void) {
    guard FeedListModel.shows(change) else { return finished() }
    let (order, focus) = (model.view.order, model.view.focus)
    reading = context.load { store in
      try FeedListModel.contents(store, order: order, focus: focus)
    } then: { [weak self] contents in
      guard let self else { return }
      reading = nil
      if model.view.order == order, model.view.focus == focus, model.apply(contents) {
        context.backgroundReadApplied()
      }
      countSearches(change)
      finished()
    } failed: { [weak self] in
      self?.reading = nil
      finished()
    }
  }

  private func countSearches(_ change: StoreChange) {
    guard !change.isDisjoint(with: [.articles, .statuses, .subscriptions]) else { return }
    counts.update(model.subscriptions.searches, in: model.view.focus)
  }

  /// Shows these folders alone, or all feeds.
  func setFocus(_ folders: [FolderID]?) {
    model.setFocus(folders)
    counts.update(model.subscriptions.searches, in: model.view.focus)
    context.report(model.failure)
    context.invalidate()
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

  /// Returns a row as it is now: the engine refreshes feeds more often than their rows change.
  private func row(_ index: Int) -> FeedRow {
    var row = model.rows[index]
    if case .list(.feed(let id)) = row.item, refreshes.isRefreshing(id) { row.mark = .refreshing }
    return row
  }

  var spoken: [String]? {
    guard model.rows.indices.contains(model.selected) else { return ["No matches."] }
    let row = row(model.selected)
    let minutes = context.store.plan.minutes(ofWords: row.words)
    return [row.sentence(model.selected, of: model.rows.count, minutes: minutes)]
  }

  func draw(on canvas: Canvas, isFocused: Bool) {
    model.setHeight(canvas.height)
    if model.rows.isEmpty {
      canvas.write("No matches.", x: 3, y: 0, columns: canvas.width - 4, .secondary)
    }
    let drawing = FeedRowDrawing(
      canvas: canvas, context: context, model: model, accounts: accounts.all)
    for (y, line) in model.visibleLines().enumerated() {
      guard case .row(let index) = line else { continue }
      let isSelected = index == model.selected
      drawing.draw(row(index), isSelected: isSelected, y: y)
      if isSelected { canvas.select(row: y, isFocused: isFocused) }
    }
  }
}
