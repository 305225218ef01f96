@testable import ArticleScreens
@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews

@Suite("The window of a long list") struct ListModelTests {
  private func model(
    _ cache: TestCache, _ source: ListSource = .smart(.unread), height: Int = 20,
    filter: ArticleQuery.Filter? = nil
  ) -> ArticleListModel {
    ArticleListModel(
      source: source, store: cache.store.reader, filter: filter, height: height,
      headings: ListHeadings {
        DateWording(now: TestCache.start, timeZone: .gmt).day($0.sortDate)
      })
  }

  @Test("The window follows the selection anywhere in a long list")
  func windowFollowsSelection() async throws {
    let (cache, feed) = try await TestCache.large(2_500)
    let list = model(cache, .feed(feed))
    let all = try cache.store.reader.articles.page(list.query, .top, limit: 10_000)
    var random = SeededRandom(seed: 7)
    var place = 0
    for _ in 0..<400 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        list.moveToBottom()
        place = all.count - 1
      case 1:
        list.moveToTop()
        place = 0
      default:
        let step = Int.random(in: -300...400, using: &random)
        list.move(.rows(step))
        place = min(max(0, place + step), all.count - 1)
      }
      #expect(list.selectedRow?.id == all[place].id)
      #expect(list.rows.count < 1_000)
      let lines = list.visibleLines()
      #expect(lines.contains(.row(list.selected)))
      #expect(lines.count == 20 || list.reachesBottom)
    }
  }

  @Test("No key reads more than ten thousand rows") func keysReadFewRows() async throws {
    let (cache, feed) = try await TestCache.large(10_200)
    let list = model(cache, .feed(feed))
    let all = try cache.store.reader.articles.page(list.query, .top, limit: 20_000)
    list.move(.pages(26_316))
    let place = try #require(all.firstIndex { $0.id == list.selectedRow?.id })
    #expect((9_900...10_100).contains(place))
    #expect(list.visibleLines().contains(.row(list.selected)))
    list.move(.pages(26_316))
    #expect(list.visibleRows.last?.id == all.last?.id)
    list.move(.pages(-26_316))
    #expect(!list.reachesTop && list.selectedRow != nil)
    list.move(.pages(-26_316))
    #expect(list.isAtTop && list.rows.first?.id == all.first?.id)
  }

  @Test("Paging shows every row and reaches both ends") func pagingShowsEveryRow() async throws {
    let (cache, feed) = try await TestCache.large(1_200)
    let list = model(cache, .feed(feed))
    var seen: Set<ArticleID> = []
    for _ in 0..<2_000 {
      seen.formUnion(list.visibleRows.map(\.id))
      let before = list.selectedRow?.id
      list.move(.pages(1))
      if list.selectedRow?.id == before { break }
    }
    #expect(seen.count == 1_200)
    for _ in 0..<2_000 where !list.isAtTop { list.move(.pages(-1)) }
    #expect(list.isAtTop)
  }

  @Test("The rows read ahead are the rows of the next pages")
  func nextPagesAreReadAhead() async throws {
    let (cache, feed) = try await TestCache.large(600)
    let list = model(cache, .feed(feed))
    var pages = 0
    while let page = list.pageBehind {
      let behind = try cache.articles.page(page.query, .after(page.key), limit: page.limit)
      let known = Set(list.rows.map(\.id))
      let ahead = Set(behind.map(\.id))
      list.move(.pages(1))
      #expect(list.visibleRows.allSatisfy { known.contains($0.id) || ahead.contains($0.id) })
      pages += 1
      if pages > 60 { break }
    }
    #expect(list.reachesBottom && (25...32).contains(pages))
  }

  @Test("Rows read ahead are appended to the window once")
  func rowsReadAheadAreKept() async throws {
    let (cache, feed) = try await TestCache.large(600)
    let list = model(cache, .feed(feed))
    let page = try #require(list.pageBehind)
    let behind = try cache.articles.page(page.query, .after(page.key), limit: page.limit)
    let count = list.rows.count + behind.count
    for _ in 0..<2 { list.append(behind, of: page) }
    let all = try cache.store.reader.articles.page(page.query, .top, limit: count)
    #expect(list.rows.map(\.id) == all.map(\.id))
    #expect(list.pageBehind == nil)
    list.setFilter(.unread)
    let rows = list.rows.map(\.id)
    list.append(behind, of: page)
    #expect(list.rows.map(\.id) == rows)
  }

  @Test("A change of states moves neither the window nor the selection")
  func statesMoveNothing() async throws {
    let (cache, _) = try await TestCache.large(400)
    let list = model(cache)
    list.move(.rows(100))
    let before = list.visibleRows.map(\.id)
    let (selected, top) = (list.selectedRow?.id, before.first)
    try await cache.store.reader.states.set(.read, before, true)
    #expect(list.modelUpdated([.statuses, .counts]))
    #expect(list.visibleRows.map(\.id) == before)
    #expect(list.selectedRow?.id == selected)
    #expect(list.visibleRows.first?.id == top)
    #expect(list.visibleRows.allSatisfy { $0.status.isRead })
  }

  @Test("Scrolling with the wheel keeps the selection in view")
  func wheelStaysWithSelection() async throws {
    let (cache, feed) = try await TestCache.large(300)
    let list = model(cache, .feed(feed))
    list.scroll(by: 7)
    #expect(list.visibleLines().contains(.row(list.selected)))
    list.scroll(by: 10_000)
    #expect(list.visibleLines().contains(.row(list.selected)))
    #expect(list.reachesBottom)
    list.scroll(by: -10_000)
    #expect(list.isAtTop)
  }
}

@Suite("The list of feeds during a refresh") struct FeedListModelTests {
  /// Returns twenty feeds with an unread article each, the newest first.
  private func library() async throws -> (cache: TestCache, feeds: [FeedID]) {
    let cache = try TestCache()
    var feeds: [FeedID] = []
    for number in 10..<30 {
      let items = [ParsedItem.item("A\(number)", minutes: Double(number))]
      feeds.append(try await cache.feed("F\(number)", items))
    }
    return (cache, feeds)
  }

  private func line(_ list: FeedListModel) -> Int? {
    list.visibleLines().firstIndex(of: .row(list.selected))
  }

  @Test("The selection stays on its line when rows change places", arguments: ["unread", "latest"])
  func movedRowsKeepSelection(order: String) async throws {
    let (cache, feeds) = try await library()
    let list = FeedListModel(store: cache.store.reader, guideURL: nil, height: 10)
    list.setOrder(try #require(FeedOrder(rawValue: order)))
    list.select(.list(.feed(feeds[4])))
    #expect(list.top == 0 && line(list) == 8)
    // Five feeds get new articles and move before the selected one.
    for number in 20..<25 {
      let news = [ParsedItem.item("B\(number)", minutes: 0)]
      try await cache.merge(feeds[number - 10], "F\(number)", news)
    }
    #expect(list.modelUpdated([.articles, .counts]))
    #expect(list.selectedItem == .list(.feed(feeds[4])) && list.selected == 12)
    #expect(line(list) == 8)
  }

  @Test("A feed that reappears above the selection does not push it down")
  func reappearingMovesNothing() async throws {
    let (cache, feeds) = try await library()
    let query = ArticleQuery(scope: .feed(feeds[0]))
    try await cache.states.set(
      .read, try cache.articles.page(query, .top, limit: 1).map(\.id), true)
    let list = FeedListModel(store: cache.store.reader, guideURL: nil, height: 10)
    list.toggleUnreadOnly()
    list.select(.list(.feed(feeds[4])))
    let (place, before) = (list.selected, line(list))
    #expect(list.top == 0)
    try await cache.merge(feeds[0], "F10", [.item("B10", minutes: 0)])
    #expect(list.modelUpdated([.articles, .counts]))
    #expect(list.selectedItem == .list(.feed(feeds[4])) && list.selected == place + 1)
    #expect(line(list) == before)
  }
}
