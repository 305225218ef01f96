import Foundation
import TerminalViews

/// The feeds as a list with a selection that is kept by identity while rows change.
final class FeedListModel {
  private let store: ReaderCache
  private let guideURL: String?
  private(set) var subscriptions = Subscriptions()
  /// The latest fetch of any feed except the guide.
  private(set) var newestFetch: Date?
  private(set) var rows: [FeedRow] = []
  private(set) var failure: StoreError?
  private(set) var view = FeedTree.Arrangement()
  private var navigation = ListNavigation()
  var selected: Int { navigation.selected }
  var top: Int { navigation.top }
  private var height: Int
  private var feedIndices: [FeedID: Int] = [:]

  init(store: ReaderCache, guideURL: String?, height: Int) {
    self.store = store
    self.guideURL = guideURL
    self.height = max(1, height)
    read()
    select(.list(.smart(.unread)))
  }

  var selectedItem: FeedItem? { rows.indices.contains(selected) ? rows[selected].item : nil }
  var selectedSource: ListSource? {
    if case .list(let source) = selectedItem { source } else { nil }
  }

  func feed(_ id: FeedID) -> Feed? { feedIndices[id].map { subscriptions.feeds[$0] } }

  func search(_ id: SavedSearchID) -> SavedSearch? {
    subscriptions.searches.first { $0.id == id }
  }

  func name(_ source: ListSource) -> String {
    switch source {
    case .smart(let smart): return FeedTree.name(smart)
    case .folder(let id): return subscriptions.folders.first { $0.id == id }?.title ?? "Folder"
    case .feed(let id): return feed(id).map { subscriptions.name(of: id, $0.name) } ?? "Feed"
    case .tag(let tag): return "#\(tag)"
    case .saved(let id): return search(id)?.name ?? "Search"
    case .hidden: return "Hidden by rules"
    case .dailyPage: return "Daily page"
    case .search(let text): return "Search \u{201C}\(text)\u{201D}"
    }
  }

  func exists(_ source: ListSource) -> Bool {
    switch source {
    case .tag(let tag): subscriptions.tags.contains { $0.name == tag }
    case .smart, .search, .hidden, .dailyPage: true
    case .saved(let id): search(id) != nil
    case .folder(let id): subscriptions.folders.contains { $0.id == id }
    case .feed(let id): feed(id) != nil
    }
  }

  func path(_ folder: FolderID?) -> [String] { subscriptions.path(of: folder) }

  /// Paths of all folders as users write them: "Systems/Databases".
  var folderPaths: [String] {
    subscriptions.folders.map { FolderPath.text(path($0.id)) }.sorted()
  }

  /// Feeds that fail or moved, the longest failing first.
  var failingFeeds: [Feed] {
    subscriptions.feeds.filter { $0.state.failure != nil || $0.state.movedTo != nil }
      .sorted {
        ($0.state.failure?.since ?? .distantFuture, $0.id)
          < ($1.state.failure?.since ?? .distantFuture, $1.id)
      }
  }

  /// All feeds in the order of the tree, including those of closed folders.
  var feedOrder: [FeedID] { FeedTree.order(subscriptions, view: view) }

  // MARK: Places

  /// The selection and the row at the window's top, with the rows to which they belong.
  struct Place {
    fileprivate let items: [FeedItem]
    fileprivate let selected: Int
    fileprivate let top: Int
  }

  var place: Place { Place(items: items, selected: selected, top: top) }
  private var items: [FeedItem] { rows.map(\.item) }

  /// Returns to a place, or to the nearest rows that remain.
  func restore(_ place: Place) {
    let new = items
    guard let index = ListNavigation.index(of: place.selected, in: place.items, after: new),
      let top = ListNavigation.index(of: place.top, in: place.items, after: new)
    else { return }
    navigation.show(min(top, scrolling.lastTop), selecting: index, in: scrolling)
  }

  // MARK: Lines

  enum Line: Equatable {
    case blank
    case row(Int)
  }

  func visibleLines() -> [Line] {
    var lines: [Line] = []
    var index = top
    while index < rows.count, lines.count < height {
      if hasGap(index), index > top {
        lines.append(.blank)
        if lines.count == height { break }
      }
      lines.append(.row(index))
      index += 1
    }
    return lines
  }

  private func hasGap(_ index: Int) -> Bool { rows[index].beginsGroup && height > 6 }

  /// Returns the row at the window's top with which row `index` is on this line of the window, or
  /// on a higher one near the list's top.
  private func top(with index: Int, onLine line: Int) -> Int {
    var (top, rest) = (index, line)
    while top > 0 {
      rest -= hasGap(top) ? 2 : 1
      if rest < 0 { break }
      top -= 1
    }
    return top
  }

  // MARK: Moving

  func setHeight(_ newHeight: Int) {
    height = max(1, newHeight)
    navigation.update(in: scrolling)
  }

  /// Moves the selection; returns `false` if it was at the end already.
  func move(_ movement: ListMovement) -> Bool { navigation.move(movement, in: scrolling) }

  func scroll(by lines: Int) { navigation.scroll(by: lines, in: scrolling) }

  func select(line: Int) -> Bool {
    let lines = visibleLines()
    guard lines.indices.contains(line), case .row(let index) = lines[line] else { return false }
    navigation.select(index, in: scrolling)
    return true
  }

  @discardableResult
  func select(_ item: FeedItem) -> Bool {
    guard let index = rows.firstIndex(where: { $0.item == item }) else { return false }
    navigation.select(index, in: scrolling)
    return true
  }

  /// Selects an item, and removes filters and opens folders that hide it.
  func reveal(_ item: FeedItem) {
    if select(item) { return }
    view.text = ""
    view.keeping.insert(item)
    var folder: FolderID? =
      switch item {
      case .list(.feed(let id)): feed(id)?.folder
      case .list(.folder(let id)): subscriptions.folders.first { $0.id == id }?.parent
      default: nil
      }
    while let id = folder, view.revealed.insert(id).inserted {
      folder = subscriptions.folders.first { $0.id == id }?.parent
    }
    rebuild()
    select(item)
  }

  /// Offers the lists of other readers at the first start.
  func setOffers(_ offers: [ImportOffer]) {
    view.offers = offers
    rebuild()
  }

  /// Closes a folder that was open only for the selection.
  func closeRevealed(_ folder: FolderID) {
    view.revealed.remove(folder)
    rebuild()
  }

  var parentIndex: Int? {
    guard rows.indices.contains(selected), rows[selected].depth > 0 else { return nil }
    let depth = rows[selected].depth
    return rows[..<selected].lastIndex { $0.depth < depth && $0.isExpanded != nil }
  }

  @discardableResult
  func selectParent() -> Bool {
    guard let parentIndex else { return false }
    navigation.select(parentIndex, in: scrolling)
    return true
  }

  /// Returns the next list after `source` with unread articles, in the order of the rows, then from
  /// the first row. Considers feeds and closed folders, without those excluded from Unread.
  func nextUnreadSource(after source: ListSource?) -> ListSource? {
    Self.unreadSource(after: source, in: rows)
  }

  /// Like `nextUnreadSource`, but backwards.
  func previousUnreadSource(before source: ListSource?) -> ListSource? {
    Self.unreadSource(after: source, in: rows.reversed())
  }

  private static func unreadSource(after source: ListSource?, in rows: [FeedRow]) -> ListSource? {
    let place = rows.firstIndex { $0.item == source.map(FeedItem.list) }
    let turn = place.map { rows[($0 + 1)...] + rows[..<$0] } ?? rows[...]
    for row in turn where row.unread ?? 0 > 0 && !row.isQuiet {
      if case .list(let source) = row.item, source.isInTree, row.isExpanded != true {
        return source
      }
    }
    return nil
  }

  // MARK: Visible feeds

  /// The number of feeds of a closed folder that count as visible.
  private static let mostInside = 30

  /// Returns the feeds on screen while a list is selected: the visible ones, or the first ones of a
  /// closed folder.
  func visitedFeeds(on source: ListSource) -> [FeedID] {
    if case .feed(let id) = source { return [id] }
    let visible = visibleLines().compactMap { line -> FeedID? in
      guard case .row(let index) = line, case .list(.feed(let id)) = rows[index].item else {
        return nil
      }
      return id
    }
    guard case .folder(let folder) = source else { return visible }
    let inside = feeds(in: folder)
    let seen = visible.filter(Set(inside).contains)
    return seen.isEmpty ? Array(inside.prefix(Self.mostInside)) : seen
  }

  func feeds(in folder: FolderID) -> [FeedID] {
    let folders = subscriptions.folders(within: [folder])
    return subscriptions.feeds.filter { $0.folder.map(folders.contains) ?? false }.map(\.id)
  }

  // MARK: Arrangement

  func setOrder(_ order: FeedOrder) {
    view.order = order
    read()
  }

  func setFoldersLast(_ isLast: Bool) {
    view.foldersLast = isLast
    rebuild()
  }

  /// The paths of the folders that are shown alone, as the user types them; `nil` for all feeds.
  var focusText: String? {
    view.focus?.map { FolderPath.text(path($0)) }.joined(separator: String(FolderFocus.separator))
  }

  func setFocus(_ folders: [FolderID]?) {
    view.focus = folders
    read()
  }

  func setText(_ text: String) {
    guard text != view.text else { return }
    view.text = text
    rebuild()
    // The folders of matches are shown too, but their names may not match.
    guard rows.indices.contains(selected), !view.matches(rows[selected].name),
      let found = rows.firstIndex(where: { view.matches($0.name) })
    else { return }
    navigation.select(found, in: scrolling)
  }

  func toggleUnreadOnly() {
    view.unreadOnly.toggle()
    view.keeping = selectedItem.map { [$0] } ?? []
    rebuild()
  }

  func setSearchCounts(_ counts: [SavedSearchID: SearchCount]) {
    guard counts != view.searchCounts else { return }
    view.searchCounts = counts
    rebuild()
  }

  // MARK: Changes of the cache

  /// Data from which the rows are made.
  nonisolated struct Contents: Sendable {
    fileprivate let subscriptions: Subscriptions
    fileprivate let latest: [FeedID: Date]
    fileprivate let focus: [FolderID]?
  }

  /// Returns true if the change may affect the rows.
  nonisolated static func shows(_ change: StoreChange) -> Bool {
    !change.isDisjoint(with: [.subscriptions, .fetches, .counts, .statuses, .articles])
  }

  /// Reads the data for the rows, on any thread.
  nonisolated static func contents(
    _ store: ReaderCache, order: FeedOrder, focus: [FolderID]?
  ) throws(StoreError) -> Contents {
    var subscriptions = try store.feeds.subscriptions()
    let present = Set(subscriptions.folders.map(\.id))
    // A focus ends when all its folders are gone.
    var focus = focus?.filter(present.contains)
    if focus?.isEmpty == true { focus = nil }
    if let focus { subscriptions = try store.feeds.subscriptions(within: focus) }
    return Contents(
      subscriptions: subscriptions,
      latest: order == .latest ? try store.feeds.latestArticles() : [:], focus: focus)
  }

  /// Reloads the data; returns `false` if nothing visible has changed.
  func modelUpdated(_ change: StoreChange) -> Bool {
    guard Self.shows(change) else { return false }
    let (oldRows, oldFailure) = (rows, failure)
    read()
    return rows != oldRows || failure != oldFailure
  }

  /// Applies data that was read in the background; returns `false` if no row has changed.
  func apply(_ contents: Contents) -> Bool {
    let (oldRows, oldFailure) = (rows, failure)
    show(contents)
    return rows != oldRows || failure != oldFailure
  }

  private func read() {
    do { show(try Self.contents(store, order: view.order, focus: view.focus)) } catch {
      failure = error
    }
  }

  private func show(_ contents: Contents) {
    failure = nil
    subscriptions = contents.subscriptions
    feedIndices = Dictionary(
      subscriptions.feeds.enumerated().map { ($0.element.id, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    newestFetch = subscriptions.feeds.lazy.filter { [guideURL] in $0.url != guideURL }
      .compactMap(\.state.succeededAt).max()
    view.latest = contents.latest
    view.focus = contents.focus
    view.isFirstStart = subscriptions.feeds.allSatisfy { $0.url == guideURL }
    rebuild()
  }

  /// Makes the rows again. The selection stays on its item, or moves to the next remaining one, and
  /// stays on its line of the window.
  private func rebuild() {
    if view.unreadOnly, let item = selectedItem { view.keeping.insert(item) }
    let (old, line) = (items, visibleLines().firstIndex(of: .row(selected)) ?? 0)
    rows = FeedTree(subscriptions, view: view).rows
    guard !old.isEmpty, !rows.isEmpty else { return navigation.update(in: scrolling) }
    let index = ListNavigation.index(of: selected, in: old, after: items) ?? rows.count - 1
    let top = min(top(with: index, onLine: line), scrolling.lastTop)
    navigation.show(top, selecting: index, in: scrolling)
  }

  private var scrolling: ListScrolling {
    ListScrolling(count: rows.count, height: height) { !$1 && self.hasGap($0) ? 2 : 1 }
  }
}

extension Subscriptions {
  nonisolated func folders(within roots: [FolderID]) -> Set<FolderID> {
    var found = Set(roots)
    var next = found
    while !next.isEmpty {
      let inner = folders.filter { $0.parent.map(next.contains) ?? false }
      next = Set(inner.map(\.id)).subtracting(found)
      found.formUnion(next)
    }
    return found
  }

  nonisolated func withEnclosing(_ inner: Set<FolderID>) -> Set<FolderID> {
    let parents = Dictionary(folders.map { ($0.id, $0.parent) }) { first, _ in first }
    var found = inner
    for folder in inner {
      var next = parents[folder] ?? nil
      while let parent = next, found.insert(parent).inserted { next = parents[parent] ?? nil }
    }
    return found
  }
}
