@testable import ArticleScreens
@testable import ReaderServices
@testable import ReaderUI

@Suite("Daily use") struct DailyUseTests {
  private func row(_ title: String, in cache: TestCache) throws -> ArticleRow {
    let rows = try cache.store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 200)
    return try #require(rows.first { $0.title == title })
  }

  @Test("Opening an article marks it read") func openingMarksRead() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("Enter", "Enter").sees("a black box.")
    #expect(try row("Why ETags are opaque", in: cache).status.isRead)
    await robot.press("q").selects("Why ETags are opaque").doesNotSee("● Why ETags")
    await robot.press("q").selects("Unread").sees("12")
  }

  @Test("J in an empty list reports that the list is empty") func nothingToGoTo() async throws {
    let cache = try TestCache()
    try await cache.feed("Quiet", [])
    let robot = await Robot(cache)
    await robot.press("Enter").sees("No unread articles")
    await robot.press("J").sees("This list is empty")
  }

  @Test("An article that was read stays in the unread list until the list is closed")
  func readArticleStaysListed() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", "Enter", "q", "j", "Enter", "q")
    robot.sees("Why ETags are opaque", "A quieter terminal").selects("A quieter terminal")
    await robot.press("q", "Enter").doesNotSee("Why ETags are opaque", "A quieter terminal")
  }

  @Test("A key pressed three times quickly acts three times")
  func quickPressesAllCount() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("Enter")
    robot.turn([.character("m"), .character("m"), .character("m")])
    await robot.waitUntilIdle()
    #expect(try row("Why ETags are opaque", in: cache).status.isRead)
  }

  @Test("Starring is undone and redone") func starringAndUndoing() async throws {
    let robot = try await Robot(.daily())
    await robot.press("Enter", "s").sees("★ Why ETags are opaque")
    await robot.press("u").sees("● Why ETags are opaque", "Undone:")
    await robot.press("Ctrl-r").sees("★ Why ETags are opaque", "Redone:")
  }

  @Test("A count marks several articles") func countMarksSeveral() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("Enter", "3", "m")
    #expect(try row("Why ETags are opaque", in: cache).status.isRead)
    #expect(try row("A quieter terminal", in: cache).status.isRead)
    let unread = try cache.store.reader.articles.count(ArticleQuery(scope: .all, filter: .unread))
    #expect(unread == 10)
    robot.selects("科技爱好者周刊")
  }

  @Test("A count reaches beyond the loaded window, but not beyond the list")
  func countReachesPastWindow() async throws {
    let (cache, feed) = try await TestCache.large(300)
    let robot = await Robot(cache)
    await robot.press("G", "Enter", "2", "0", "0", "m").selects("A00199")
    let unread = ArticleQuery(scope: .feed(feed), filter: .unread)
    #expect(try cache.store.reader.articles.count(unread) == 100)
    await robot.press("g g", "2", "5", "0", "s", "g g")
    #expect(try cache.articles.count(ArticleQuery(scope: .feed(feed), filter: .starred)) == 250)
    await robot.press("1", "5", "0", "D").sees("150 articles deleted").selects("A00150")
    // The count stops at the end of the list.
    await robot.press("9", "9", "9", "D").sees("150 articles deleted")
    #expect(try cache.store.reader.articles.count(ArticleQuery(scope: .feed(feed))) == 0)
  }

  @Test("Marking a list read from the feeds marks only articles that existed at the key press")
  func laterArrivalsStayUnread() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    let feed = try #require(try cache.feeds.subscriptions().feeds.first { $0.name == "Rachel" })
    // The queued merge reaches the cache before the command of the key runs.
    robot.application.context.perform {
      _ = try? await cache.merge(feed.id, "Rachel", [.item("Breaking news", minutes: 0)])
    }
    robot.turn([.character("A")])
    await robot.waitUntilIdle().sees("13 articles marked read")
    #expect(try !row("Breaking news", in: cache).status.isRead)
  }

  @Test("Marking a list read from the feeds marks only articles that the list beside it shows")
  func onlyListedAreMarked() async throws {
    let (cache, robot) = try await Robot.reading(.daily(), width: 110)
    let feed = try #require(try cache.feeds.subscriptions().feeds.first { $0.name == "Rachel" })
    await robot.press("Enter", "j", "q")
    try await cache.merge(feed.id, "Rachel", [.item("Breaking news", minutes: 0)])
    await robot.waitUntilIdle().sees("▲ 1 new")
    await robot.press("A").sees("13 articles marked read")
    #expect(try !row("Breaking news", in: cache).status.isRead)
  }

  @Test("Marking a list read marks only the articles that it shows")
  func onlyShownAreMarked() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("Enter")
    let feed = try #require(try cache.feeds.subscriptions().feeds.first { $0.name == "Rachel" })
    // The article has arrived, but is not on the screen.
    try await cache.merge(feed.id, "Rachel", [.item("Breaking news", minutes: 0)])
    await robot.waitUntilIdle().sees("▲ 1 new").doesNotSee("Breaking news")
    await robot.press("A").sees("13 articles marked read; u undoes it")
    #expect(try !row("Breaking news", in: cache).status.isRead)
    await robot.press("u").sees("Undo: mark 13 articles unread?").press("y")
    #expect(try cache.store.reader.articles.count(ArticleQuery(scope: .all, filter: .unread)) == 14)
  }

  @Test("An untouched list shows arrivals at once, and a used one after a key")
  func untouchedList() async throws {
    let (cache, robot) = try await Robot.reading(.daily(), width: 110)
    let feed = try #require(try cache.feeds.subscriptions().feeds.first { $0.name == "Rachel" })
    func arrive(_ title: String, _ minutes: Double) async throws {
      try await cache.merge(feed.id, "Rachel", [.item(title, minutes: minutes)])
      await robot.waitUntilIdle()
    }
    try await arrive("First", 0)
    robot.sees("● First").doesNotSee("▲")
    // Focusing the pane does not count as use; moving the selection does.
    await robot.press("Tab", "Tab")
    try await arrive("Second", -1)
    robot.sees("● Second").doesNotSee("▲")
    await robot.press("Tab", "j", "q")
    try await arrive("Third", -2)
    robot.sees("▲ 1 new [.]").doesNotSee("Third")
    await robot.press(".").sees("Showing 1 new article", "● Third").doesNotSee("▲")
    await robot.press(".").sees("No new articles")
    // The same holds in the reader, and without a list beside the feeds.
    await robot.press("Tab", "Enter")
    try await arrive("Fourth", -3)
    await robot.press(".").sees("● Fourth")
    let narrow = await Robot(cache)
    await narrow.press(".").sees("No new articles")
  }

  @Test("Opening a list that was not scrolled shows its arrivals") func goingIn() async throws {
    let (cache, robot) = try await Robot.reading(.daily(), width: 110)
    let feed = try #require(try cache.feeds.subscriptions().feeds.first { $0.name == "Rachel" })
    await robot.press("Enter", "Enter", "q", "q")
    try await cache.merge(feed.id, "Rachel", [.item("Breaking news", minutes: 0)])
    await robot.waitUntilIdle().sees("▲ 1 new")
    await robot.press("Enter").sees("Breaking news").doesNotSee("▲")
  }

  @Test("Arrivals move neither the selection nor the top row")
  func arrivalsMoveNothing() async throws {
    let (cache, feed) = try await TestCache.large(300)
    let robot = await Robot(cache, width: 110, height: 24)
    await robot.press("Enter", "30", "j", "Ctrl-d")
    let before = robot.lines
    #expect(robot.lines.contains { $0.contains("▎") && $0.contains("A000") })
    let items = (0..<50).map { ParsedItem.item("N\($0) arrived", minutes: -Double($0)) }
    try await cache.merge(feed, "Archive", items)
    await robot.waitUntilIdle().sees("▲ 50 new")
    // Only the counts of the feeds and the status line differ.
    let list = { (lines: [String]) in lines.dropLast(2).map { String($0.drop { $0 != "│" }) } }
    #expect(list(before) == list(robot.lines))
    await robot.press(".").doesNotSee("▲").sees("N49 arrived")
  }

  @Test("When the selected article disappears, the next one is selected")
  func nextArticleIsSelected() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("k", "Enter")  // Today
    await robot.press("j").selects("A quieter terminal")
    let rachel = try #require(try cache.feeds.subscriptions().feeds.first { $0.name == "Rachel" })
    try await cache.store.reader.feeds.unsubscribe([rachel.id])
    await robot.waitUntilIdle().selects("科技爱好者周刊").doesNotSee("A quieter terminal")
  }

  @Test("Space opens the unread articles of the selected feed one after the other")
  func spaceReadsOnAcrossFeeds() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    // LWN has three unread articles.
    for _ in 0..<4 { await robot.press("j") }
    let start = try #require(robot.selection)
    #expect(start.contains("SQLite") || start.contains("Databases"))
    await robot.press("/").type("LWN")
    await robot.press("Enter")
    await robot.press("j", "j").selects("LWN")
    await robot.press("Space").sees("Splicing pages without copying them")
    await robot.press("Space").sees("The state of the page cache")
    await robot.press("Space").sees("A scheduler for small machines")
    #expect(try cache.store.reader.articles.count(ArticleQuery(scope: .all, filter: .unread)) == 10)
  }

  @Test("Space goes on to the next feed when a feed has no unread article left")
  func spaceGoesToNextFeed() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("G").selects("أخبار")
    await robot.press("Space", "Space", "Space").sees("Next: ")
    #expect(try cache.store.reader.articles.count(ArticleQuery(scope: .all, filter: .unread)) == 10)
  }

  @Test("Filtering in place is incremental, and Esc removes the filter")
  func escRemovesFilter() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", "/").type("term").sees("A quieter terminal").doesNotSee("Why ETags")
    await robot.press("Enter").sees("/term").doesNotSee("Why ETags")
    await robot.press("Esc").sees("Why ETags").doesNotSee("/term")
    await robot.press("/").type("no such thing").sees("No matches in titles, authors and feeds.")
    await robot.press("Esc").sees("Why ETags")
  }

  @Test("v switches the unread list to all articles, to starred ones, and back")
  func unreadFilterSwitches() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", "v").sees("Notes on WAL checkpoints", "read ones too")
    await robot.press("v")
    robot.sees("The BDP and you", "starred only").doesNotSee("Notes on WAL checkpoints")
    await robot.press("v").doesNotSee("The BDP and you", "starred only")
  }

  @Test("v narrows a list of all articles to unread ones first, then to starred ones")
  func allNarrowsToUnread() async throws {
    let robot = await Robot(try await .daily())
    let filter = { robot.application.browser.articles?.model.query.filter }
    await robot.press("G", "Enter", "v").sees("unread only")
    #expect(filter() == .unread)
    await robot.press("v").sees("starred only").doesNotSee("हिन्दी")
    #expect(filter() == .starred)
    await robot.press("v").sees("हिन्दी").doesNotSee("starred only")
    #expect(filter() == .all)
  }

  @Test("n and p in the feeds go to the next and previous feed with unread articles")
  func adjacentUnreadFeeds() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("n", "n").selects("LWN").press("p").selects("SQLite")
    await robot.press("p").selects("أخبار").press("n").selects("SQLite")
  }

  @Test("n and p in a list go to the next and previous unread article")
  func nextAndPreviousUnread() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", "v", "n", "n", "n", "n").selects("كيف تعمل")
    await robot.press("p").selects("Launch day")
  }

  @Test("The reading position is kept when an article is opened again or the window resized")
  func theReadingPositionIsKept() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", "v", "/").type("WAL")
    await robot.press("Enter", "Enter", "PgDn", "PgDn")
    robot.sees("Paragraph 13.").doesNotSee("Paragraph 1.")
    let place = robot.lines.first { $0.contains("Paragraph") }
    await robot.press("q", "Enter")
    #expect(robot.lines.first { $0.contains("Paragraph") } == place)
    // The same paragraph stays in view at another width.
    await robot.resize(50, 24)
    let first = try #require(robot.lines.first { $0.contains("Paragraph") })
    #expect(
      place.map { first.contains($0.trimmingCharacters(in: .whitespaces).prefix(12)) } == true)
  }

  @Test("Unsubscribing can be undone") func unsubscribingCanBeUndone() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("G", "D")
    robot.sees("Unsubscribed from أخبار التقنية (2 articles); u brings it back")
    #expect(try cache.store.reader.feeds.subscriptions().feeds.count == 6)
    await robot.press("u")
    #expect(try cache.store.reader.feeds.subscriptions().feeds.count == 7)
  }

  @Test("h closes a folder, l opens it, and h on a feed selects its folder")
  func foldersCloseAndOpen() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("j", "j").selects("Systems")
    await robot.press("h").sees("▸ Systems").doesNotSee("LWN").selects("Systems")
    await robot.press("l").sees("▾ Systems", "LWN")
    await robot.press("j", "j", "h").selects("Databases")
  }

  @Test("The mouse selects and opens articles, and closes folders")
  func mouseOpensArticles() async throws {
    let robot = await Robot(try await .daily(), width: 140, height: 30)
    await robot.key(.mouse(MouseEvent(.press, x: 40, y: 3)))
    let lines = robot.lines.filter { $0.contains("▎") }
    #expect(lines.contains { $0.contains("科技爱好者周刊") })
    await robot.key(.mouse(MouseEvent(.doubleClick, x: 40, y: 1)))
    robot.sees("a black box.")
    await robot.key(.mouse(MouseEvent(.press, x: 8, y: 6)), .mouse(MouseEvent(.press, x: 1, y: 5)))
    robot.sees("▸ Systems")
  }

  @Test("Tab moves the focus between panes, and z zooms the focused one")
  func tabMovesAndZooms() async throws {
    let robot = await Robot(try await .daily(), width: 140, height: 30)
    await robot.press("Tab", "z").doesNotSee("▾ Systems").sees("A quieter terminal")
    await robot.press("z").sees("▾ Systems")
    await robot.press("Tab", "Tab", "j", "j", "j", "j").sees("Release 3.50")
  }

  @Test("An empty reader offers a feed, a starter set and an import with one key each")
  func firstStepsAreOneKeyAway() async throws {
    let cache = try TestCache()
    let robot = await Robot(cache)
    robot.sees("+ Add or import feeds", "Add a starter set")
    await robot.press(":take-starter-set").sees("All 12 feeds", "Feed 1").press("Esc")
    #expect(robot.actions.starterSets == 0)
    await robot.press(":take-starter-set", "Enter").sees("12 feeds added")
    #expect(robot.actions.starterSets == 1)
    await robot.press("a").type("/tmp/feeds.opml")
    await robot.press("Enter").sees("3 feeds added, 1 was there already")
    await robot.press("a").type("/tmp/missing")
    await robot.press("Enter").sees("/tmp/missing does not exist")
  }

  @Test("The first start offers the lists of other readers, and Enter imports the first of them")
  func offeredImports() async throws {
    let robot = await Robot(
      try TestCache(),
      offers: [
        ImportOffer(reader: "newsboat", path: "/home/me/.newsboat/urls", feeds: 212),
        ImportOffer(reader: "OPML", path: "/home/me/Downloads/feeds.opml", feeds: 1),
      ])
    robot.selects("Import newsboat: 212 feeds").sees("Import feeds.opml: 1 feed")
      .sees("+ Add or import feeds")
    await robot.press("Enter").sees("3 feeds added, 1 was there already")
    #expect(robot.actions.imported == ["/home/me/.newsboat/urls"])
  }

  @Test("Esc in the filter of the feeds returns to the row and the lines from before")
  func cancelledFeedFilter() async throws {
    let robot = await Robot(try await .daily(), height: 10)
    await robot.press("G", "k", "k")
    func shown() -> [String] { Array(robot.lines.dropLast(2)) }
    let before = shown()
    for text in ["zzzqq", "LWN"] {
      await robot.press("/").type(text)
      #expect(shown() != before)
      await robot.press("Esc")
      #expect(shown() == before, "\(text)")
    }
  }

  @Test("A filter in the feeds selects the match, not the folder that contains it")
  func filterSelectsMatch() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("/").type("sqlite").sees("▾ Systems").selects("SQLite")
    await robot.key(.backspace).press("Esc")
    await robot.press("/").type("data").selects("Databases")
  }

  @Test("A key without a meaning is reported as such")
  func aKeyWithoutMeaningSaysSo() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("F").sees("Unknown key “F”; ? shows the keys")
    await robot.press("j").doesNotSee("Unknown key")
    await robot.press("5", "j", "g", "g", "5", "Esc", "g", "Esc").doesNotSee("Unknown key")
    await robot.press("5", "F").sees("Unknown key “F”")
    await robot.press("g", "q").sees("Unknown key “gq”")
  }

  @Test("The help lists the keys and can be searched") func helpIsSearched() async throws {
    let robot = await Robot(try await .daily(), width: 80, height: 70)
    await robot.press("?", "?").sees("Refresh this", "unsubscribe")
    await robot.press("/").type("star").sees("starred").doesNotSee("half a page")
    await robot.press("Esc", "?").sees("▾ Systems")
  }

  @Test("A double click opens the row under its first press")
  func doubleClickOpensFirst() async throws {
    let robot = await Robot(try await .daily(), width: 110, height: 30)
    await robot.press("Enter", "Enter", "h", "h").sees("Rachel")
    let y = try #require(robot.lines.firstIndex { $0.contains("A quieter terminal") })
    for action in [MouseEvent.Action.press, .release, .doubleClick, .release] {
      await robot.key(.mouse(MouseEvent(action, x: 60, y: y)))
    }
    #expect(robot.application.browser.reader.article?.row.title == "A quieter terminal")
    #expect(robot.application.browser.focus == .reader)
    // A click elsewhere or later acts on what the screen shows there.
    await robot.key(.mouse(MouseEvent(.doubleClick, x: 10, y: y)))
    #expect(robot.application.browser.focus == .reader)
    await robot.key(.mouse(MouseEvent(.press, x: 10, y: y)))
    #expect(robot.application.browser.focus == .articles)
  }
}
