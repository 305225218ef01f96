import TerminalViews

/// The order and the row height of the list. The list remembers the user's choices.
extension ArticlesScreen {
  /// The maximum number of articles that are sorted at once. Longer lists are sorted in the
  /// background.
  private static let shortList = 300

  var orders: ArgumentChoices {
    ArgumentChoices(
      all: ArticleOrder.allCases.map(\.rawValue), current: order.rawValue,
      titles: Dictionary(
        uniqueKeysWithValues: ArticleOrder.allCases.map { ($0.rawValue, $0.title) }))
  }

  func sort(_ name: String) {
    guard let order = ArticleOrder(rawValue: name) else { return }
    context.change(viewOf: source) { $0.order = order }
    if sorting == nil, search?.order == .best {
      context.note("Search results are sorted by best match")
    }
    setOrder(order)
  }

  var sorting: ListOrder? { order.sorting(of: source) }
  var rows: ListRows { ListRows(context: context, source: source) }

  private func setOrder(_ new: ArticleOrder) {
    order = new
    model.headings = headings
    model.setOrder(new == .oldest ? .oldestFirst : .newestFirst)
    find()
  }

  /// The headings between the rows: months if the list is sorted by date, feeds if by feed.
  var headings: ListHeadings {
    if source == .dailyPage { return ListHeadings(group: { _ in 0 }, hasEnd: true) }
    switch order {
    case .newest, .oldest:
      guard search?.order != .best, sorting == nil else { return .none }
      let dates = context.dates
      return ListHeadings(
        group: { dates.period($0.sortDate) }, least: DateWording.leastRowsOfPeriod,
        visit: order == .newest ? visit : nil)
    case .feed where source.isMixed:
      return ListHeadings(group: { Int($0.feed.rawValue) }, isAlwaysInView: true)
    case .feed, .title, .author, .unread, .length: return .none
    }
  }

  /// Ignores dates in the future, which some feeds have.
  private var visit: (newestID: ArticleID, lastSeen: ArticleKey)? {
    guard let visit = context.lastVisit else { return nil }
    let known = source.query(filter: .all, asOf: visit.id)
    let lastSeen = context.read(
      try context.store.articles.page(known, .from(visit), limit: 1).first?.key)
    return lastSeen.map { (visit.id, $0) }
  }

  var feedOrder: [FeedID] { order == .feed ? context.window?.feedOrder ?? [] : [] }

  /// Sorts the whole list if it is short; `false` if it is too long.
  func sortNow(_ list: ArticleQuery, at place: ListPosition?) -> Bool {
    guard let sorting,
      let hits = context.read(
        try context.store.articles.sorted(
          list, by: sorting, atMost: Self.shortList, feeds: feedOrder)),
      hits.continuesBefore == nil
    else { return false }
    loading = nil
    model.setHits(hits, at: place)
    return true
  }
}
