package import TerminalViews

/// A window onto a list of articles: a few screens of rows around the visible ones, however long
/// the list is. The list is frozen when it is opened (`asOf`): later articles are counted and shown
/// on request. Selection and top row are held by article, not by number, so no change of the cache
/// moves them; if the selected article disappears, the next one is selected.
package final class ArticleListModel {
  let source: ListSource
  private let store: ReaderCache
  package private(set) var query: ArticleQuery
  package private(set) var rows: [ArticleRow] = []
  /// True if the window contains the list's first row (`reachesTop`) or last row.
  private(set) var reachesTop = true
  private(set) var reachesBottom = true
  private var navigation = ListNavigation()
  package var selected: Int { navigation.selected }
  var top: Int { navigation.top }
  /// The number of rows above the window; `nil` if unknown.
  private(set) var above: Int? = 0
  /// Articles that arrived since the list was frozen.
  package private(set) var arrivals = 0
  package private(set) var failure: StoreError?
  private var height: Int
  var headings: ListHeadings { didSet { navigation.update(in: scrolling) } }
  /// The columns of titles in a roomy list; `nil` for rows of one line.
  private var titleColumns: Int?

  package init(
    source: ListSource, store: ReaderCache, filter: ArticleQuery.Filter? = nil,
    folders: [FolderID]? = nil, hits: SearchHits? = nil, height: Int, headings: ListHeadings = .none
  ) {
    self.source = source
    self.store = store
    self.height = max(1, height)
    self.headings = headings
    query = source.query(filter: filter ?? source.ownFilter, asOf: nil)
    (query.folders, query.hits) = (folders, hits)
    reading { query.asOf = try store.articles.latestArticleID() }
    load(.top)
  }

  package var selectedRow: ArticleRow? { rows.indices.contains(selected) ? rows[selected] : nil }
  package var isEmpty: Bool { rows.isEmpty }
  /// The articles below and above the selected one, as far as they are in the window.
  package var neighbours: [ArticleID] {
    [selected + 1, selected - 1].filter(rows.indices.contains).map { rows[$0].id }
  }
  package var isAtTop: Bool { reachesTop && top == 0 }
  /// `nil` for an empty list.
  var place: ListPosition? {
    guard rows.indices.contains(top), let row = selectedRow else { return nil }
    return ListPosition(top: rows[top].key, selected: row.key, above: above.map { $0 + top })
  }

  // MARK: Lines

  /// The visible lines from the top row down: at most `height`.
  func visibleLines() -> [ListLine] {
    var lines: [ListLine] = []
    var index = top
    while index < rows.count, lines.count < height {
      if let heading = heading(index, isTop: index == top) {
        lines.append(.heading(index, heading))
        if lines.count == height { break }
      }
      lines.append(.row(index))
      lines += (1..<self.lines(ofRow: index)).map { .summary(index, line: $0) }
      index += 1
    }
    if index == rows.count { lines += end }
    return Array(lines.prefix(height))
  }

  package var visibleRows: [ArticleRow] {
    visibleLines().compactMap { if case .row(let index) = $0 { rows[index] } else { nil } }
  }

  private func heading(_ index: Int, isTop: Bool) -> ListHeadings.Heading? {
    guard height > (titleColumns == nil ? 3 : 5) else { return nil }
    return headings.heading(above: index, in: rows, isTop: isTop)
  }

  private var end: [ListLine] { headings.hasEnd && reachesBottom && height > 4 ? ListLine.end : [] }

  /// The lines of a row: in a roomy list one or two of its title, and one below.
  private func lines(ofRow index: Int) -> Int {
    guard let titleColumns else { return 1 }
    return GraphemeWidth.width(of: rows[index].title) > titleColumns ? 3 : 2
  }

  private func lineCount(_ index: Int, isTop: Bool) -> Int {
    lines(ofRow: index) + (heading(index, isTop: isTop) == nil ? 0 : 1)
      + (index == rows.count - 1 ? end.count : 0)
  }

  // MARK: Moving

  /// - Parameter columns: The columns of titles in a roomy list; `nil` for rows of one line.
  package func setHeight(_ newHeight: Int, titleColumns columns: Int? = nil) {
    guard max(1, newHeight) != height || columns != titleColumns else { return }
    (height, titleColumns) = (max(1, newHeight), columns)
    fill()
    navigation.update(in: scrolling)
  }

  /// Moves the selection; `false` if it was at the end already.
  /// - Parameter overlap: Lines of a page that stay in view.
  @discardableResult
  package func move(_ movement: ListMovement, overlap: Int = 1) -> Bool {
    let before = selectedRow?.id
    switch movement {
    case .top: moveToTop()
    case .bottom: moveToBottom()
    case .row(let index):
      moveToTop()
      return move(.rows(index))
    case .rows, .halfPages, .pages:
      guard !rows.isEmpty else { return false }
      let page = titleColumns == nil ? height : max(1, visibleRows.count)
      extend(by: movement.distance(height: page, overlap: overlap))
      navigation.move(movement, page: page, overlap: overlap, in: scrolling)
      fill()
    }
    return selectedRow?.id != before
  }

  /// Scrolls without selecting: the selection stays on its article while that is visible.
  package func scroll(by lineCount: Int) {
    guard !rows.isEmpty else { return }
    extend(by: lineCount)
    navigation.scroll(by: lineCount, in: scrolling)
    fill()
  }

  package func moveToTop() {
    load(.top)
    navigation = ListNavigation()
  }

  func moveToBottom() {
    load(.bottom)
    navigation.show(scrolling.lastTop, selecting: rows.count - 1, in: scrolling)
  }

  /// Selects the row of a visible line; `false` if the line shows no row.
  package func select(line: Int) -> Bool {
    let lines = visibleLines()
    guard lines.indices.contains(line) else { return false }
    switch lines[line] {
    case .heading, .end: return false
    case .row(let index), .summary(let index, _): navigation.select(index, in: scrolling)
    }
    return true
  }

  /// Selects an article of this list; loads the window around it if it is elsewhere.
  package func select(_ row: ArticleRow) {
    if let index = rows.firstIndex(where: { $0.id == row.id }) {
      navigation.select(index, in: scrolling)
    } else {
      load(around: row.key, selecting: row.key)
    }
    fill()
  }

  /// Returns the next (or previous) unread article, also outside the window.
  /// - Parameter key: the article from which to search; `nil` for an end of the list.
  package func unread(isForward: Bool, from key: ArticleKey?) -> ArticleRow? {
    reading {
      isForward
        ? try store.articles.nextUnread(query, key.map(PageStart.after) ?? .top)
        : try store.articles.nextUnread(query, key.map(PageStart.before) ?? .bottom)
    } ?? nil
  }

  // MARK: Requests of the reader

  /// Keeps articles in the list though they no longer pass the filter.
  package func retain(_ ids: some Sequence<ArticleID>) {
    guard query.filter != .all else { return }
    query.keeping.formUnion(ids)
  }

  package func setFilter(_ filter: ArticleQuery.Filter) {
    guard filter != query.filter else { return }
    query.filter = filter
    query.keeping = []
    if let row = selectedRow, filter != .all { query.keeping = [row.id] }
    restart()
  }

  func setOrder(_ order: ArticleQuery.Order) {
    guard order != query.order else { return }
    query.order = order
    let key = selectedRow?.key
    above = nil
    if let key { load(around: key, selecting: key) } else { load(.top) }
    countArrivals()
  }

  // MARK: Selecting several

  var several: SeveralArticles?

  /// Returns the selected article and those after it, at most `count`, also beyond the window.
  func articles(_ count: Int) -> [ArticleID] {
    extend(by: count - 1)
    return rows.dropFirst(selected).prefix(count).map(\.id)
  }

  func setShowsHidden(_ shows: Bool) { query.showsHiddenByRules = shows }

  /// - Parameter place: The place to show then; `nil` for the selected article.
  package func setHits(_ hits: SearchHits?, at place: ListPosition? = nil) {
    defer {
      if let place {
        load(around: place.top, selecting: place.selected)
        above = above ?? place.above.map { $0 - top }
      }
    }
    guard hits != query.hits else { return }
    query.hits = hits
    // A ranked list has no position for a selected article that is not among the hits.
    if let several, let hits, hits.isRanked,
      several.keys.contains(where: { hits.place(of: $0) == hits.count })
    {
      self.several = nil
    }
    restart()
  }

  /// Selects the same article if it is still in the list, else the list's top.
  private func restart() {
    guard let key = selectedRow?.key else { return moveToTop() }
    above = nil
    load(around: key, selecting: key)
    if selectedRow?.id != key.id {
      moveToTop()
    } else {
      fill()
    }
    countArrivals()
  }

  /// Adds the articles that have arrived. The view goes to the list's top; the selection stays on
  /// its article if that remains visible, else it goes to the first row. A list that is not sorted
  /// by date has to be sorted again.
  func showArrivals(selectsFirst: Bool = false) {
    let key = selectedRow?.key
    reading { query.asOf = try store.articles.latestArticleID() }
    arrivals = 0
    if query.hits?.isWholeList == true { return }
    moveToTop()
    if selectsFirst { return }
    let index = rows.firstIndex { $0.id == key?.id } ?? 0
    if scrolling.isVisible(index, from: 0) { navigation.select(index, in: scrolling) }
  }

  // MARK: Changes of the cache

  /// Reads the window again. Visible rows stay in the list even if they no longer pass the filter.
  /// - Returns: `false` if the rows and the number of arrivals are the same as before.
  package func modelUpdated(_ change: StoreChange) -> Bool {
    guard !change.isDisjoint(with: [.articles, .statuses, .subscriptions]) else { return false }
    let (oldRows, oldArrivals, oldFailure) = (rows, arrivals, failure)
    if change.contains(.statuses) { retain(visibleRows.map(\.id)) }
    if let place {
      load(around: place.top, selecting: place.selected)
    } else {
      load(.top)
    }
    countArrivals()
    return rows != oldRows || arrivals != oldArrivals || failure != oldFailure
  }

  /// Forgets the number of rows above the window, some of which may have left the list.
  func lengthChanged() { if !reachesTop { above = nil } }

  func countArrivals() {
    arrivals = reading { try store.articles.arrivals(query) } ?? arrivals
  }

  // MARK: The window

  /// The number of rows that one read loads: few, because a key that turns the page waits for them.
  private var pageSize: Int { height + 8 }

  /// The maximum number of rows that one step reads; a count that exceeds it moves less far.
  private static let longestRead = 10_000

  /// A request for the rows after the window, which follow `key`.
  typealias PageBehind = (query: ArticleQuery, key: ArticleKey, limit: Int)

  /// The request for the next page; `nil` at the list's end, or if enough rows are loaded.
  var pageBehind: PageBehind? {
    guard !reachesBottom, rows.count - max(top, selected) - height < 2 * pageSize,
      let last = rows.last
    else { return nil }
    return (query, last.key, 2 * pageSize)
  }

  /// Appends the rows of a page, unless the window has changed since the request.
  func append(_ new: [ArticleRow], of page: PageBehind) {
    guard !reachesBottom, rows.last?.key == page.key, query == page.query else { return }
    rows += new
    reachesBottom = new.count < page.limit
  }

  private var scrolling: ListScrolling {
    ListScrolling(count: rows.count, height: height) { self.lineCount($0, isTop: $1) }
  }

  private func load(_ start: PageStart) {
    let size = pageSize
    rows =
      reading { try store.articles.page(query, start, limit: size) }
      ?? rows
    reachesTop = start == .top || rows.count < size
    above = reachesTop ? 0 : nil
    reachesBottom = start == .bottom || rows.count < size
    if reachesTop || reachesBottom { navigation.update(in: scrolling) }
  }

  /// Reads the window around `topKey`, whose row becomes the top row (the next row if it is gone).
  private func load(around topKey: ArticleKey, selecting key: ArticleKey) {
    let size = pageSize
    var newTop = top
    reading {
      let known = rows.firstIndex { $0.key == topKey }.flatMap { index in above.map { $0 + index } }
      let before = try store.articles.page(query, .before(topKey), limit: size)
      let from = try store.articles.page(query, .from(topKey), limit: size + height)
      rows = before + from
      reachesTop = before.count < size
      above = reachesTop ? 0 : known.map { $0 - before.count }
      reachesBottom = from.count < size + height
      newTop = before.count
    }
    let index = rows.firstIndex { !query.comesBefore($0.key, key) } ?? rows.count - 1
    navigation.show(newTop, selecting: index, in: scrolling)
    if reachesBottom { navigation.fillWindow(in: scrolling) }
  }

  /// Loads the rows that a step of this length needs.
  private func extend(by step: Int) {
    if step > 0, !reachesBottom, let last = rows.last {
      let missing = max(selected, top) + step + height + 1 - rows.count
      guard let page = readPage(.after(last.key), missing) else { return }
      rows += page.rows
      reachesBottom = page.isLast
    } else if step < 0, !reachesTop, let first = rows.first {
      let missing = -step + 1 - min(selected, top)
      guard let page = readPage(.before(first.key), missing) else { return }
      rows.insert(contentsOf: page.rows, at: 0)
      navigation.shift(by: page.rows.count)
      reachesTop = page.isLast
      above = reachesTop ? 0 : above.map { $0 - page.rows.count }
    }
  }

  /// Reads missing rows and some more; `nil` if none is missing.
  private func readPage(
    _ start: PageStart, _ missing: Int
  ) -> (rows: [ArticleRow], isLast: Bool)? {
    guard missing > 0 else { return nil }
    let limit = min(missing + pageSize, Self.longestRead)
    let found = reading { try store.articles.page(query, start, limit: limit) } ?? []
    return (found, found.count < limit)
  }

  /// Reads the rows that the screen lacks, and drops those far from it.
  private func fill() {
    extend(by: 1)
    if top == 0 { extend(by: -1) }
    let margin = 2 * pageSize
    let behind = rows.count - (max(top, selected) + height)
    if behind > 2 * margin {
      rows.removeLast(behind - margin)
      reachesBottom = false
    }
    let ahead = min(top, selected)
    if ahead > 2 * margin {
      rows.removeFirst(ahead - margin)
      navigation.shift(by: margin - ahead)
      reachesTop = false
      above = above.map { $0 + ahead - margin }
    }
  }

  /// Runs a read. Stores a failure for the status line, and leaves everything else unchanged.
  @discardableResult
  private func reading<Result>(_ body: () throws -> Result) -> Result? {
    do {
      let result = try body()
      failure = nil
      return result
    } catch {
      failure = StoreError(error)
      return nil
    }
  }
}

/// Reads the rows after a list's window in the background, so that no key waits for them.
final class RowsAhead {
  private let context: ReaderContext
  private let model: ArticleListModel
  /// The running read, and its first row.
  private var running: (loading: TimerToken, key: ArticleKey)?

  init(context: ReaderContext, model: ArticleListModel) {
    (self.context, self.model) = (context, model)
  }

  func read() {
    guard let page = model.pageBehind, running?.key != page.key else { return }
    let loading = context.load { store in
      try store.articles.page(page.query, .after(page.key), limit: page.limit)
    } then: { [weak self] rows in
      self?.running = nil
      self?.model.append(rows, of: page)
    }
    running = (loading, page.key)
  }

  /// Discards rows that were read before a change, so that they are not shown after it.
  func discard() { running = nil }
}
