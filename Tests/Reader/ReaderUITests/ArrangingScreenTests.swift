@testable import ArticleScreens
@testable import ReaderServices
@testable import ReaderUI

@Suite("Selections of articles") struct SelectionTests {
  @Test("Selected articles are starred at once, and one undo reverts all of them")
  func selectionIsStarred() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("Enter", "V", "j", "j", "s").doesNotSee(" selected")
    let starred = try cache.store.reader.articles.page(
      ArticleQuery(scope: .all, filter: .starred), .top, limit: 20)
    #expect(starred.count == 4)
    await robot.press("u").sees("Undone: 3 articles starred")
  }

  @Test("A mixed selection gets the state, and only a selection that has it loses it")
  func mixedSelectionGetsState() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    func count(_ filter: ArticleQuery.Filter) throws -> Int {
      try cache.store.reader.articles.count(ArticleQuery(scope: .all, filter: filter))
    }
    let (unread, starred) = (try count(.unread), try count(.starred))
    await robot.press("Enter", "m", "V", "j", "j", "m")
    #expect(try count(.unread) == unread - 3)
    await robot.press("V", "k", "k", "m")
    #expect(try count(.unread) == unread)
    await robot.press("g g", "s", "V", "j", "j", "s")
    #expect(try count(.starred) == starred + 3)
    await robot.press("g g", "3", "s")
    #expect(try count(.starred) == starred)
  }

  @Test("The message about a selection counts the changed articles, not the selected ones")
  func messageCountsChanges() async throws {
    let cache = try TestCache()
    let story = ParsedItem.item("Shared", minutes: 1)
    try await cache.feed("a", [story, .item("First", minutes: 2)])
    try await cache.feed("b", [story])
    let robot = await Robot(cache)
    for key in ["m", "A"] {
      await robot.press("Enter", "j", "m", "V", "k", key).sees("1 article and 1 copy changed")
      await robot.press("u").sees("Undone: 2 articles marked read").press("u", "q")
    }
  }

  @Test("A selection reaches beyond the loaded window of the list")
  func selectionSpansWindows() async throws {
    let (cache, feed) = try await TestCache.large(3_000)
    let robot = await Robot(cache)
    await robot.press("G", "Enter", "V", "G").sees("selected").press("m")
    let list = ArticleQuery(scope: .feed(feed), filter: .unread)
    #expect(try cache.store.reader.articles.count(list) == 0)
    await robot.press("u").sees("Undo: mark 3,000 articles unread?").press("y")
    robot.sees("3,000 articles marked read")
    #expect(try cache.store.reader.articles.count(list) == 3_000)
  }

  @Test("Selected articles are deleted together, and undo restores them")
  func deletionIsUndone() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    let all = try cache.store.reader.articles.count(ArticleQuery(scope: .all))
    await robot.press("Enter", "V", "j", "D").sees("2 articles deleted")
    robot.doesNotSee("Why ETags", "A quieter")
    #expect(try cache.store.reader.articles.count(ArticleQuery(scope: .all)) == all - 2)
    await robot.press("Enter", "D").sees("1 article deleted")
    await robot.press("u", "u").sees("Why ETags")
    #expect(try cache.store.reader.articles.count(ArticleQuery(scope: .all)) == all)
  }

  /// Returns a list of six hits, the best first: three with the word in their titles, then the
  /// newer ones.
  private func hitList() async throws -> (cache: TestCache, robot: Robot, rows: [ArticleRow]) {
    let cache = try TestCache()
    let (old, new): ([Double], [Double]) = ([300, 100, 200], [1, 2, 3])
    let items = old.map { ParsedItem.item("The weir \($0)", minutes: $0) }
    let others = new.map { ParsedItem.item("Number \($0)", minutes: $0, body: "<p>A weir.</p>") }
    try await cache.feed("Blog", items + others)
    try await cache.store.search.catchUpIndex(within: .seconds(Patience.seconds))
    let robot = await Robot(cache, width: 140, height: 40)
    await robot.press("g /").type("weir").press("Enter", "q")
    let rows = try #require(robot.application.browser.articles?.model.rows)
    try #require(rows.count == 6)
    #expect(rows[..<3].allSatisfy { $0.title.hasPrefix("The weir") })
    return (cache, robot, rows)
  }

  @Test(
    "A command acts on exactly the highlighted hits of a search",
    arguments: ["s", "D", "t", "A"])
  func hitsAreActedOn(key: String) async throws {
    let (cache, robot, rows) = try await hitList()
    await robot.press("j", "V", "j", "j", "j")
    let model = try #require(robot.application.browser.articles?.model)
    let highlighted = model.selectedRows.sorted().map { model.rows[$0].id }
    #expect(highlighted == rows[1...4].map(\.id))
    // Opening it has marked the first one read.
    try await cache.store.reader.states.set(.read, [rows[0].id], false)
    await robot.press(key)
    if key == "t" { await robot.type("later").press("Enter") }
    let all = ArticleQuery(scope: .all)
    let touched: [ArticleRow]
    switch key {
    case "s":
      touched = try cache.store.reader.articles.page(all, .top, limit: 9).filter(\.status.isStarred)
    case "A":
      touched = try cache.store.reader.articles.page(all, .top, limit: 9).filter(\.status.isRead)
    case "t":
      touched = try cache.articles.page(ArticleQuery(scope: .tag("later")), .top, limit: 9)
    default:
      let left = Set(try cache.store.reader.articles.page(all, .top, limit: 9).map(\.id))
      touched = rows.filter { !left.contains($0.id) }
    }
    #expect(Set(touched.map(\.id)) == Set(highlighted))
  }

  @Test("Tagging one hit of a search tags no other article")
  func oneHitIsTaggedAlone() async throws {
    let (cache, robot, rows) = try await hitList()
    await robot.press("j", "j", "j", "t").type("later").press("Enter")
    let tagged = try cache.articles.page(ArticleQuery(scope: .tag("later")), .top, limit: 9)
    #expect(tagged.map(\.id) == [rows[3].id])
  }

  @Test("Hits in a list sorted oldest first keep that order and the selection through changes")
  func oldestHitsComeFirst() async throws {
    let (cache, _) = try await TestCache.large(300)
    let robot = await Robot(cache)
    await robot.press("Enter", ":sort").type("old").press("Enter", "/").type("A000").press("Enter")
    robot.sees("oldest first", "/A000")
    await robot.press("g g").selects("A00099")
    await robot.press("5", "j", "m").selects("A00094")
    // A change of another article moves nothing.
    try await cache.states.set(.starred, [try cache.articles.latestArticleID()], true)
    await robot.waitUntilIdle().selects("A00094").sees("A00099")
    await robot.press("g g", "V", "j", "j", "D").sees("3 articles deleted").selects("A00096")
    #expect(try cache.store.reader.articles.count(ArticleQuery(scope: .all)) == 297)
  }

  @Test("Marking all read acts on the selection if there is one")
  func selectionIsMarkedRead() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("Enter", "V", "j", "j", "A").doesNotSee(" selected")
    #expect(try cache.store.reader.articles.count(ArticleQuery(scope: .all, filter: .unread)) == 10)
    await robot.press("u").sees("Undone: 3 articles marked read")
  }

  @Test("Esc ends the selection") func escapeEndsIt() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", "V", "j").sees("selected").press("Esc").doesNotSee(" selected")
    robot.selects("A quieter terminal")
  }

  @Test("Tags are added to a selection, become lists, and can be removed and restored")
  func tagsBecomeLists() async throws {
    let robot = try await Robot(.daily())
    await robot.press("Enter", "V", "j", "t").type("later rust").press("Enter")
    robot.sees("#later #rust on 2 articles")
    await robot.press("h").sees("#later", "#rust")
    await robot.press("/").type("later").press("Enter", "Enter")
    robot.sees("Why ETags are opaque", "A quieter terminal").doesNotSee("BDP")
    // The article's tags are marked; a tag that loses its mark is removed.
    await robot.press("t").sees("✓ later", "✓ rust").type("later").press("Tab", "Enter")
    await robot.sees("#rust on 1 article").press("u")
    await robot.sees("Undone: tags of").press("t").sees("✓ later", "✓ rust")
  }

  @Test("A list is sorted in the chosen order") func listsAreSorted() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", ":sort").sees("newest").type("old").press("Enter").sees(
      "oldest first")
    await robot.press("g g").selects("The last number")
    await robot.press("j").selects("SQLite")
  }

  @Test("A selection looks as recorded", arguments: GoldenScreenTests.sizes)
  func selectionLooksAsRecorded(width: Int, height: Int) async throws {
    let robot = await Robot(
      try await .daily(), width: width, height: height, colors: .trueColor,
      configuration: .test { $0.theme = "dark" })
    await robot.press("Enter", "j", "V", "j", "j")
    try Golden.check("selection-\(width)x\(height)", robot.terminal.styled)
  }
}

@Suite("Arranging feeds and folders") struct ArrangingScreenTests {
  @Test("A feed is edited in a form, and one undo reverts all changes")
  func aFeedIsEditedInAForm() async throws {
    let (cache, robot) = try await Robot.reading(.daily(), width: 110)
    await robot.press("/").type("Rachel").press("Enter", "e")
    robot.sees("Edit Rachel", "▸ Keeping, order, downloads", "▸ Network", "newest")
    robot.doesNotSee("https://rachel.example/atom.xml", "Refresh")
    await robot.type("R. by the bay").press("Tab").type("Blogs/Good")
    await robot.press("Tab", "Tab", "Tab", "Enter", "Tab").type("90 days, 500 articles")
    await robot.press("Tab", "Tab", "Tab", "Tab", "Space", "Tab")
    await robot.sees("▾ Network", "https://rachel.example/atom.xml").press("Tab", "Space", "Enter")
    robot.sees("Saved").doesNotSee("Edit Rachel")
    let feed = try #require(
      try cache.store.reader.feeds.feed(url: "https://rachel.example/atom.xml"))
    #expect(feed.name == "R. by the bay" && feed.isPaused)
    let kept = try cache.feeds.options(of: feed.id).own.retention
    #expect(kept == Retention(articles: 500, days: 90))
    #expect(try cache.store.reader.feeds.outline().contains { $0.folder == ["Blogs", "Good"] })
    await robot.press("u").sees("Undone: change to")
    let undone = try #require(
      try cache.store.reader.feeds.feed(url: "https://rachel.example/atom.xml"))
    #expect(undone.name == "Rachel" && !undone.isPaused && undone.folder == nil)
  }

  @Test("A quiet feed is counted in parentheses, and neither Unread nor Space includes it")
  func quietFeed() async throws {
    let cache = try TestCache()
    let quiet = try await cache.feed("Quiet", [.item("Hushed", minutes: 1)])
    try await cache.feed("Loud", [.item("Shouted", minutes: 2), .item("Cried", minutes: 3)])
    let robot = await Robot(cache, width: 110)
    await robot.press("/").type("Quiet").press("Enter", ":").type("priority quiet").press("Enter")
    robot.sees("Quiet has priority quiet", "(1)")
    #expect(try cache.store.reader.feeds.feed(quiet)?.priority == .quiet)
    await robot.press("Esc", "g g", "/").type("Loud").press("Enter", "Space").sees("Shouted")
    await robot.press("Space", "Space").sees("No unread articles left here")
    #expect(try cache.store.reader.feeds.feed(quiet)?.counts.unread == 1)
    #expect(try cache.store.reader.feeds.subscriptions().smartCounts[.unread] == 0)
    // The sheet shows the setting and changes it; one undo brings it back.
    await robot.press("q", "q", "Esc", "/").type("Quiet").press("Enter", "e").sees("quiet")
    await robot.press("Tab", "Tab", "Space", "Enter").sees("Saved")
    #expect(try cache.store.reader.feeds.feed(quiet)?.priority == .normal)
    await robot.press("u").sees("Undone: change to")
    #expect(try cache.store.reader.feeds.feed(quiet)?.priority == .quiet)
  }

  @Test("Saving the form keeps the present values of fields that the user did not edit")
  func uneditedFieldsStay() async throws {
    let (cache, robot) = try await Robot.reading(.daily(), width: 110)
    let id = try #require(
      try cache.store.reader.feeds.feed(url: "https://rachel.example/atom.xml")?.id)
    await robot.press("/").type("Rachel").press("Enter", "e").sees("Edit Rachel")
    try await cache.store.reader.feeds.move(id, toFolder: ["X", "Y"])
    try await cache.store.reader.feeds.edit(id) { $0.isPaused = true }
    await robot.waitUntilIdle()
    await robot.type("Rachel B.").press("Enter").sees("Saved")
    let feed = try #require(try cache.store.reader.feeds.feed(id))
    #expect(feed.name == "Rachel B." && feed.isPaused)
    #expect(try cache.store.reader.feeds.subscriptions().path(of: feed.folder) == ["X", "Y"])
    // A field that the user edited overwrites a later change.
    await robot.press("e", "Tab", "Ctrl-u").type("Z")
    try await cache.store.reader.feeds.move(id, toFolder: [])
    await robot.press("Enter").sees("Saved")
    #expect(try cache.feeds.subscriptions().path(of: cache.feeds.feed(id)?.folder) == ["Z"])
  }

  @Test("A retention is read back from its own text, and invalid texts are rejected")
  func retentionIsReadBack() {
    for retention in [
      nil, Retention(), Retention(articles: 500), Retention(days: 1),
      Retention(articles: 1_500, days: 90),
    ] {
      let text = RetentionWording.text(retention)
      #expect(RetentionWording.read(text)?.retention == retention, "\(text)")
    }
    for text in ["5", "days", "-1 days", "0 articles", "5 weeks", "5 days 3"] {
      #expect(RetentionWording.read(text) == nil, "\(text)")
    }
  }

  @Test("The form explains why a value cannot be saved")
  func whatCannotBeSavedIsSaid() async throws {
    let robot = try await Robot(.daily(), width: 110)
    await robot.press("/").type("Rachel").press("Enter", "e")
    await robot.press("Tab", "Tab", "Tab", "Tab", "Tab", "Enter", "Tab", "Ctrl-u").type("ftp://x")
      .press("Enter")
    robot.sees("must begin with http")
    await robot.press("Ctrl-u").type("https://lwn.example/feed").press("Enter")
    robot.sees("already have that feed")
    await robot.press("Esc", "y").doesNotSee("Edit Rachel")
  }

  @Test("Esc asks before it discards the changes of a form, and not if there are none")
  func changesAreNotDropped() async throws {
    let (cache, robot) = try await Robot.reading(.daily(), width: 110)
    await robot.press("/").type("Rachel").press("Enter", "e").sees("Edit Rachel")
    await robot.press("Tab", "Esc").doesNotSee("Discard", "Edit Rachel")
    await robot.press("e").type("x").press("Esc").sees("Discard the changes?")
    await robot.press("n").sees("Edit Rachel").doesNotSee("Discard")
    // A field with its first text again is unchanged.
    await robot.press("Backspace", "Esc").doesNotSee("Discard", "Edit Rachel")
    await robot.press("e", "Tab", "Tab", "Space", "Esc", "y")
    robot.doesNotSee("Edit Rachel")
    #expect(try cache.feeds.subscriptions().feeds.allSatisfy { $0.priority == .normal })
  }

  @Test("A feed moves to another folder, and up and down among its neighbours")
  func feedsMove() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("/").type("Rachel").press("Enter", "Esc", "t").sees("Systems/Databases")
    await robot.type("New place").press("Enter").sees("Rachel is in New place")
    #expect(try cache.store.reader.feeds.outline().contains { $0.folder == ["New place"] })
    await robot.press("u").sees("moved")
    await robot.press("J")
    let names = try cache.feeds.subscriptions().feeds.filter { $0.folder == nil }.map(\.name)
    #expect(names.prefix(2) == ["阮一峰的网络日志", "Rachel"])
    robot.selects("Rachel")
    await robot.press("2", "K")
    #expect(try cache.feeds.subscriptions().feeds.first { $0.folder == nil }?.name == "Rachel")
    await robot.press(":sort").type("unread").press("Enter", "J").sees("sorted by unread")
  }

  @Test("Pausing a feed can be undone") func pausingIsUndone() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("G", ":pause").sees("is paused")
    #expect(try cache.store.reader.feeds.subscriptions().feeds.last?.isPaused == true)
    await robot.press("u").sees("Undone:")
    #expect(try cache.store.reader.feeds.subscriptions().feeds.last?.isPaused == false)
  }

  @Test(
    "A folder is renamed; deleting it moves its feeds to the parent folder, and undo restores it")
  func foldersAreRenamed() async throws {
    let (cache, robot) = try await Robot.reading(.daily(), width: 110)
    await robot.press("/").type("Databases").press("Enter", "Esc", "e", "Ctrl-u")
    await robot.type("Stores").press("Enter")
    #expect(try cache.store.reader.feeds.subscriptions().folders.contains { $0.title == "Stores" })
    await robot.press("D").sees("Folder Stores deleted, its feed is kept")
    #expect(try !cache.store.reader.feeds.subscriptions().folders.contains { $0.title == "Stores" })
    #expect(
      try cache.store.reader.feeds.outline().contains {
        $0.url.contains("sqlite") && $0.folder == ["Systems"]
      })
    await robot.press("u")
    #expect(try cache.store.reader.feeds.subscriptions().folders.contains { $0.title == "Stores" })
  }

  @Test("A high feed has a list of its own, and A and moving past leave its articles unread")
  func highFeed() async throws {
    let cache = try TestCache()
    let boss = try await cache.feed("Boss", [.item("Urgent", minutes: 1)])
    try await cache.feed("Loud", [.item("Shouted", minutes: 2), .item("Cried", minutes: 3)])
    var configuration = ReaderConfiguration.test()
    configuration.marksPassed = true
    let robot = await Robot(cache, width: 110, configuration: configuration)
    robot.doesNotSee("High priority")
    await robot.press("/").type("Boss").press("Enter", ":").type("priority high").press("Enter")
    await robot.sees("Boss has priority high").press("Esc").sees("High priority")
    await robot.press("g g", "/").type("Unread").press("Enter", "A")
    robot.sees("2 articles marked read, 1 of high priority left unread")
    #expect(try cache.store.reader.feeds.feed(boss)?.counts.unread == 1)
    await robot.press("A").sees("1 of high priority left unread")
    await robot.press("Esc", "/").type("High priority").press("Enter", "A").sees(
      "1 article marked read")
    await robot.press("Esc", "/").type("Boss").press("Enter", ":").type("priority normal")
    await robot.press("Enter").sees("Boss has priority normal").press("Esc")
    robot.doesNotSee("High priority")
  }

  @Test("The form of a feed shows the feed's description in as many lines as it takes")
  func description() async throws {
    let cache = try TestCache()
    let feed = try await cache.feed("Tides", [])
    let summary = "Every Friday the tides of the week, " + "explained for sailors. " + "Since 1998."
    try await cache.merge(feed, "Tides", [.item("High", minutes: 5)], summary: summary)
    let robot = await Robot(cache, width: 60)
    await robot.press("/").type("Tides").press("Enter", "j", "e")
    robot.sees("Every Friday the tides of the week", "1998.")
    try await cache.merge(feed, "Tides", [.item("High", minutes: 5)])
    #expect(try cache.store.reader.feeds.description(of: feed) == nil)
  }

  @Test("The form of a feed looks as recorded", arguments: GoldenScreenTests.sizes)
  func theFormLooksAsRecorded(width: Int, height: Int) async throws {
    let robot = await Robot(try await .daily(), width: width, height: height)
    try await robot.press("/").type("LWN").press("Enter", "j", "e", "Tab", "Tab").matches(
      "edit-feed-\(width)x\(height)")
  }
}

@Suite("Reading positions and searches in an article") struct ReadingTests {
  @Test("The reading position survives a restart") func positionSurvivesRestart() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    let id = try #require(
      try cache.store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 50)
        .first { $0.title == "Notes on WAL checkpoints" }?.id)
    robot.application.browser.open(id)
    await robot.press("Space", "Space").doesNotSee("Paragraph 1.")
    let place = try #require(robot.lines.first { $0.contains("Paragraph") })
    await robot.application.stop()
    let again = await Robot(cache)
    again.application.browser.open(id)
    again.application.frame()
    again.sees(place)
  }

  @Test("A text is found in the article, and Esc ends the search")
  func textIsFoundInTheArticle() async throws {
    let robot = await Robot(try await .daily(), width: 80, height: 24, colors: .trueColor)
    await robot.press("Enter", "Enter", "/").type("if-").press("Enter").sees("/if-")
    await robot.press("n", "n", "p")
    let styled = robot.terminal.styled
    #expect(styled.contains("reverse"))
    await robot.press("Esc").doesNotSee("/if-")
    await robot.press("/").type("nowhere to be found").press("Enter")
    // Without a match, `n` goes to the next article.
    await robot.press("n").sees("A quieter terminal")
  }
}

extension ReadingTests {
  @Test("During a search in the article, n and p go to its matches until Esc")
  func searchKeysGoToMatches() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    let rows = try cache.store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 50)
    robot.application.browser.open(
      try #require(rows.first { $0.title == "Notes on WAL checkpoints" }?.id))
    await robot.press("/").type("Paragraph").press("Enter")
    robot.sees("next match", "/Paragraph · 40 lines")
    await robot.press("2", "0", "n").sees("Paragraph 21.")
    await robot.press("1", "9", "p").doesNotSee("Paragraph 21.").sees("Paragraph 2.")
    await robot.press("Esc").doesNotSee("next match")
  }
}

@Suite("Remembered choices") struct RememberedOrderTests {
  @Test("The order of feeds and the theme are stored, and the order is applied at the start")
  func remembered() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press(":sort").type("name").press("Enter")
    await robot.press(":").type("theme mono").press("Enter", "y")
    #expect(robot.actions.remembered == [.feedOrder: "name", .theme: "mono"])
    let ordered = robot.application.browser.feeds.model.rows.map(\.name)
    for (order, isKept) in [("name", true), ("no such order", false)] {
      let next = await Robot(cache, configuration: .test { $0.remembered[.feedOrder] = order })
      #expect((next.application.browser.feeds.model.rows.map(\.name) == ordered) == isKept)
    }
  }
}
