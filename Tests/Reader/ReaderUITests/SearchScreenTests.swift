@testable import ArticleScreens
@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews

@Suite("The search screen") struct SearchScreenTests {
  @Test("Hits are shown while the user types") func findsWhileOneTypes() async throws {
    let robot = await Robot(try await .searchable())
    await robot.press("g /").sees("Finds articles with all words", "Search:")
    await robot.type("check").sees("Notes on WAL checkpoints", "Enter read")
    await robot.type("zzz").sees("No results.").doesNotSee("is no field")
    await robot.key(.backspace, .backspace, .backspace)
    robot.sees("Notes on WAL checkpoints")
    await robot.press("Esc").doesNotSee("Search:")
  }

  @Test("A hit opens in the reader, and the hits become the list")
  func hitsBecomeTheList() async throws {
    let robot = await Robot(try await .searchable(), width: 140, height: 40)
    await robot.press("g /").type("the").key(.down).press("Enter")
    let browser = robot.application.browser
    #expect(browser.sheet == nil && browser.focus == .reader)
    #expect(browser.articles?.source == .search("the"))
    let hits = try #require(browser.articles?.model.rows)
    try #require(hits.count > 1)
    #expect(browser.reader.article?.id == hits[1].id)
    #expect(robot.topBar.contains("Search \u{201C}the\u{201D}"))
    await robot.press("q", "k", "Enter")
    #expect(browser.reader.article?.id == hits[0].id)
    await robot.press("q", "q")
    #expect(browser.focus == .feeds && browser.articles?.source == .smart(.unread))
    // The search opens again with its text.
    await robot.press("g /").sees("Search: the")
  }

  @Test("An article of a search begins at the first found word, and n goes on from word to word")
  func foundWords() async throws {
    let cache = try TestCache()
    func filler(_ name: String) -> String { (1...30).map { "<p>\(name) \($0).</p>" }.joined() }
    let body = "\(filler("Before"))<p>A heron.</p>\(filler("Between"))<p>Herons and a heron.</p>"
    try await cache.feed(
      "Birds", [.item("River", minutes: 1, body: body), .item("Two herons", minutes: 2)])
    let robot = await Robot(cache, width: 80, height: 24)
    await robot.press("g /").type("heron*").press("Tab")
    if robot.selection?.contains("River") != true { await robot.press("j") }
    await robot.selects("River").press("Enter")
    robot.sees("A heron.", "heron* \u{B7} 2 lines").doesNotSee("Before 1.")
    let marked = try #require(robot.terminal.surface)
    let style = robot.application.context.theme.style(.found)
    #expect((0..<24).contains { y in marked.row(y).contains { $0.style == style } })
    await robot.press("n").sees("Herons and a heron.")
    await robot.press("n").sees("Two herons")
    #expect(robot.application.browser.reader.article?.row.title == "Two herons")
    await robot.press("Esc")
    #expect(robot.application.browser.focus == .articles)
  }

  @Test("A saved search is a list with a count, and marking it read can be undone")
  func savedSearchHasACount() async throws {
    let (cache, robot) = try await Robot.reading(.searchable())
    await robot.press("g /").type("author:山田 is:unread").press("Tab", "s")
    robot.sees("Save as: author:山田 is:unread")
    await robot.key(.control("u")).type("Yamada").press("Enter", "Esc")
    let row = try #require(robot.lines.first { $0.contains("/ Yamada") })
    #expect(row.contains(" 1"))
    let feeds = robot.application.browser.feeds
    feeds.model.select(.list(.saved(try #require(feeds.model.subscriptions.searches.last?.id))))
    await robot.press("Enter").sees("東京都の新しい堰")
    await robot.press("A")
    #expect(try cache.store.reader.feeds.subscriptions().feeds.last?.counts.unread == 2)
    await robot.press("v").sees("No unread articles.")
    await robot.press("u")
    #expect(try cache.store.reader.feeds.subscriptions().feeds.last?.counts.unread == 3)
  }

  @Test("An incomplete count of a saved search is marked with +") func leastCount() async throws {
    let robot = await Robot(try await .searchable())
    let model = robot.application.browser.feeds.model
    let id = try #require(model.subscriptions.searches.first?.id)
    func row() throws -> String { try #require(robot.lines.first { $0.contains("/ Databases") }) }
    model.setSearchCounts([id: SearchCount(articles: 1_000, isExact: false)])
    await robot.press("j")
    #expect(try row().contains(" 1,000+"))
    model.setSearchCounts([id: SearchCount(articles: 1_000)])
    await robot.press("k")
    #expect(try row().contains(" 1,000") && !row().contains("+"))
  }

  @Test("Renaming and removing a saved search can be undone")
  func savedSearchIsUndone() async throws {
    let robot = await Robot(try await .searchable())
    robot.sees("/ Databases")
    let model = robot.application.browser.feeds.model
    let id = try #require(model.subscriptions.searches.first?.id)
    model.select(.list(.saved(id)))
    await robot.press("e").key(.control("u")).type("WAL").press("Enter")
    robot.sees("/ WAL")
    await robot.press("D").doesNotSee("/ WAL").sees("Removed the search")
    await robot.press("u").sees("/ WAL", "Undone: search \u{201C}WAL\u{201D} removed")
    await robot.press("u").sees("/ Databases")
  }

  @Test("Marking a saved search read from the feeds marks only its hits")
  func savedSearchMarksItsHits() async throws {
    let cache = try await TestCache.searchable()
    let id = try await cache.store.search.saveSearch("東京 OR party")
    let robot = await Robot(cache)
    let before = try cache.store.reader.feeds.subscriptions().smartCounts[.unread] ?? 0
    let query = try SearchQuery("東京 OR party")
    let hits = try #require(
      try await cache.store.search.hits(query, in: ArticleQuery(scope: .all, filter: .unread)))
    #expect(hits.count > 0 && hits.count < before)
    let model = robot.application.browser.feeds.model
    model.select(.list(.saved(id)))
    await robot.press("A")
    #expect(try cache.feeds.subscriptions().smartCounts[.unread] == before - hits.count)
  }

  @Test("The order of hits can be changed, and mistakes in a query are explained")
  func hitOrderCanBeChanged() async throws {
    let robot = await Robot(try await .searchable())
    await robot.press("g /").type("the").sees("best first")
    await robot.press("Tab", ":sort newest").sees("newest first")
    await robot.press("/").key(.control("u")).type("before:soon")
    robot.sees("before:soon isn\u{2019}t a date")
    await robot.key(.control("u")).type("foo:bar").sees("foo: is no field", "lang:")
  }

  @Test("While the index is being built, the screen shows its progress")
  func indexProgressIsShown() async throws {
    let (cache, _) = try await TestCache.large(1_500)
    while try cache.store.search.searchProgress().percent < 30 {
      _ = try await cache.store.search.indexSome(within: .zero)
    }
    let robot = await Robot(cache)
    await robot.press("g /").type("A00001")
    let percent = try cache.store.search.searchProgress().percent
    robot.sees("index \(percent) % built", "The index is \(percent) % built")
    try await cache.store.search.catchUpIndex(within: .seconds(Patience.seconds))
    await robot.pass(1).waitUntilIdle().doesNotSee("% built").sees("A00001 of the archive")
  }

  @Test("A long list is filtered in place, and Esc keeps the selection")
  func longListIsFiltered() async throws {
    let (cache, _) = try await TestCache.large(3_000)
    let robot = await Robot(cache)
    await robot.press("Enter", "/").type("A0271")
    robot.sees("/A0271", "A02710 of the archive").doesNotSee("A00000")
    await robot.press("Enter", "v").sees("A02710")
    // The selection stays on its article, with its neighbours around it again.
    await robot.press("Esc").selects("A02710").sees("A02720")
  }

  @Test("Esc in the filter of a list returns to the row and the lines from before")
  func cancelledFilter() async throws {
    let (cache, _) = try await TestCache.large(3_000)
    let robot = await Robot(cache)
    await robot.press("Enter", "PgDn", "PgDn", "PgDn", "k")
    func shown() -> [String] { Array(robot.lines.dropLast(2)) }
    let before = shown()
    for text in ["zzzqq", "A00", "archive"] {
      await robot.press("/").type(text)
      robot.sees("/\(text)")
      await robot.press("Esc")
      #expect(shown() == before, "\(text)")
    }
    await robot.press("/").type("zzzqq").key(.control("u"), .backspace)
    #expect(shown() == before)
  }

  @Test("Enter explains a date that does not exist") func impossibleDate() async throws {
    let robot = await Robot(try await .searchable())
    await robot.press("g /").type("before:2026-13-45").doesNotSee("isn\u{2019}t a date")
    await robot.press("Enter").sees("before:2026-13-45 isn\u{2019}t a date")
    await robot.key(.control("u")).type("the before:2026-13-45").press("Enter")
    robot.sees("before:2026-13-45 isn\u{2019}t a date")
    #expect(robot.application.browser.sheet is SearchScreen)
    await robot.key(.backspace).doesNotSee("isn\u{2019}t a date")
  }

  @Test("Enter waits for the running search") func enterWaitsForSearch() async throws {
    let robot = await Robot(try await .searchable())
    await robot.press("g /").type("the")
    let browser = robot.application.browser
    robot.turn(" checkpoint".map { Key.character($0) } + [.enter])
    #expect(browser.reader.article == nil)
    await robot.waitUntilIdle()
    #expect(browser.sheet == nil && browser.focus == .reader)
    #expect(browser.reader.article?.row.title == "Notes on WAL checkpoints")
    #expect(browser.articles?.source == .search("the checkpoint"))
    #expect(browser.articles?.model.rows.map(\.title) == ["Notes on WAL checkpoints"])
  }

  @Test("A key after Enter cancels an Enter that still waits")
  func nextKeyCancelsEnter() async throws {
    let robot = await Robot(try await .searchable())
    let browser = robot.application.browser
    await robot.press("g /")
    robot.turn("check".map { Key.character($0) } + [.enter, .character("p")])
    await robot.waitUntilIdle().sees("Search: checkp", "Notes on WAL checkpoints")
    #expect(browser.reader.article == nil)
    robot.turn([.character("o"), .enter, .escape])
    await robot.waitUntilIdle()
    #expect(browser.sheet == nil && browser.reader.article == nil)
  }

  @Test("The wheel scrolls the hits and keeps the selection")
  func theWheelScrollsTheHits() async throws {
    let (cache, _) = try await TestCache.large(60)
    try await cache.store.search.catchUpIndex(within: .seconds(Patience.seconds))
    let robot = await Robot(cache)
    await robot.press("g /").type("archive").key(.down, .down, .down, .down)
    let first = try #require(robot.lines.first { $0.contains(" of the archive") })
    let selected = try #require(robot.selection)
    await robot.key(.mouse(MouseEvent(.wheelDown, x: 5, y: 8)))
    #expect(robot.lines.first { $0.contains(" of the archive") } != first)
    #expect(robot.selection == selected)
  }

  @Test("After fast typing only the hits of the last query are shown")
  func lastQueryWins() async throws {
    let robot = await Robot(try await .searchable())
    await robot.press("g /")
    for text in ["weir", "notes", "東京", "nothing at all", "check"] {
      robot.turn([.control("u")])
      for character in text { robot.turn([.character(character)]) }
    }
    await robot.waitUntilIdle().sees("Notes on WAL checkpoints").doesNotSee("東京都")
  }
}
