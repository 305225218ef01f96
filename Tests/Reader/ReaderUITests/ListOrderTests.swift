@testable import ArticleScreens
@testable import ReaderServices
@testable import ReaderUI

@Suite("The order and the rows of lists of articles") struct ListOrderTests {
  private func titles(_ robot: Robot) -> [String] {
    robot.application.browser.articles?.model.rows.map(\.title) ?? []
  }

  private func cache() async throws -> TestCache {
    let cache = try TestCache()
    try await cache.feed(
      "Wires",
      [
        .item("Zebras", minutes: 1, body: "<p>Short.</p>", author: "Bea"),
        .item("Apples", minutes: 3, body: "<p>A rather longer text.</p>", author: "Ada"),
      ])
    try await cache.feed("Alpha", [.item("Middle", minutes: 2, body: "<p>Some words.</p>")])
    return cache
  }

  @Test("Each order can be chosen, is shown above the list, and is remembered")
  func orders() async throws {
    let robot = await Robot(try await cache())
    await robot.press("Enter")
    #expect(titles(robot) == ["Zebras", "Middle", "Apples"])
    let expected: [(name: String, caption: String, titles: [String])] = [
      ("title", "by title", ["Apples", "Middle", "Zebras"]),
      ("author", "by author", ["Apples", "Zebras", "Middle"]),
      ("length", "shortest first", ["Zebras", "Middle", "Apples"]),
      ("feed", "by feed", ["Zebras", "Apples", "Middle"]),
      ("oldest", "oldest first", ["Apples", "Middle", "Zebras"]),
      ("unread", "unread first", ["Zebras", "Middle", "Apples"]),
    ]
    for order in expected {
      await robot.type(":sort \(order.name)").press("Enter").sees(order.caption)
      #expect(titles(robot) == order.titles)
      #expect(robot.actions.views == ["unread": "order=\(order.name)"])
    }
    await robot.press("m").press("q").press("Enter").sees("unread first")
    #expect(titles(robot) == ["Middle", "Apples"])
  }

  @Test("Feeds of the same name show their hosts in the tree, in lists and above articles")
  func sameNames() async throws {
    let cache = try TestCache()
    for (host, minutes) in [("one", 1.0), ("two", 2)] {
      try await cache.feed(
        "News", url: "https://\(host).example/feed", [.item("From \(host)", minutes: minutes)])
    }
    try await cache.feed("Journal", [.item("Another", minutes: 3)])
    let robot = await Robot(cache, width: 120)
    for host in ["one", "two"] {
      let lines = robot.lines.filter { $0.contains("News (\(host).example)") }
      #expect(lines.contains { $0.contains("From \(host)") }, "\(robot.terminal.text)")
      #expect(lines.contains { $0.hasPrefix("   News (\(host).example)") })
    }
    robot.doesNotSee("Journal (")
    await robot.press("Enter", "Enter").sees("News (one.example) \u{B7} ")
    let narrow = await Robot(cache, width: 60)
    await narrow.press("Enter").sees(" two.example ").doesNotSee("News (")
  }

  @Test("A list sorted by feed has a heading for each feed, which the selection skips")
  func feedHeadings() async throws {
    let robot = await Robot(try await cache(), configuration: .test { $0.articleOrder = .feed })
    await robot.press("Enter").sees("─ Alpha ─", "─ Wires ─").selects("Zebras")
    await robot.press("j").selects("Apples").press("j").selects("Middle")
    let line = try #require(robot.lines.firstIndex { $0.contains("─ Alpha ─") })
    await robot.key(.mouse(MouseEvent(.press, x: 5, y: line))).selects("Middle")
    await robot.resize(80, 8)
    robot.selects("Middle").sees("Alpha")
  }

  @Test("The chosen order applies to filtered lists, arrivals and long lists")
  func sortedBesideTheScreen() async throws {
    let (cache, feed) = try await TestCache.large(400)
    let robot = await Robot(cache, configuration: .test { $0.articleOrder = .title })
    await robot.press("Enter").sees("by title")
    #expect(
      titles(robot) == titles(robot).sorted { $0.localizedStandardCompare($1) == .orderedAscending }
    )
    let selected = try #require(robot.application.browser.articles?.model.selectedRow?.id)
    try await cache.merge(feed, "Large", [.item("0 Aardvarks", minutes: 1)])
    await robot.waitUntilIdle().sees("▲ 1 new").doesNotSee("Aardvarks")
    await robot.press(".").sees("by title").doesNotSee("▲")
    #expect(robot.application.browser.articles?.model.selectedRow?.id == selected)
    await robot.press("g", "g").waitUntilIdle()
    await robot.press("k").waitUntilIdle()
    #expect(titles(robot).first == "0 Aardvarks")
    await robot.press("/").type("aardv").press("Enter").sees("by title")
    #expect(titles(robot) == ["0 Aardvarks"])
    await robot.press("Esc")
    #expect(titles(robot).count > 1)
  }

  @Test("The list of orders also finds them by their names in the configuration")
  func namesInThePicker() async throws {
    let robot = await Robot(try await cache())
    await robot.press("Enter", ":sort").sees("shortest first").type("length").press("Enter")
    robot.sees("shortest first").doesNotSee("Sort by")
    #expect(robot.actions.views == ["unread": "order=length"])
  }

  @Test("Hits of a search keep their order until another one is chosen")
  func hits() async throws {
    let robot = await Robot(try await cache(), configuration: .test { $0.articleOrder = .title })
    await robot.press("g /").type("short OR words OR text").press("Enter", "q")
    robot.doesNotSee("by title")
    #expect(titles(robot).count == 3)
    await robot.type(":sort title").press("Enter").sees("by title")
    #expect(titles(robot) == ["Apples", "Middle", "Zebras"])
  }

  @Test("Each list remembers its own order, filter and rows, also after a restart")
  func views() async throws {
    let cache = try await cache()
    var configuration = ReaderConfiguration.test { $0.articleOrder = .title }
    let robot = await Robot(cache, configuration: configuration)
    await robot.press("Enter").sees("by title").type(":sort oldest").press(
      "Enter", "v", ":layout rows", "q")
    await robot.press("/").type("Wires").press("Enter", "Enter").sees("by title")
    robot.doesNotSee("oldest first", "A rather longer text.")
    await robot.press("v").sees("unread only").press("q", "Esc", "g g", "/").type("Unread")
    await robot.press("Enter", "Enter").sees("oldest first", "read ones too")
    robot.sees("A rather longer text.")
    #expect(robot.actions.views["unread"] == "filter=all order=oldest rows=roomy")
    #expect(robot.actions.views.count == 2 && robot.actions.views.values.contains("filter=unread"))
    await robot.application.stop()

    for (list, view) in robot.actions.views { configuration.remembered[.view(of: list)] = view }
    let again = await Robot(cache, configuration: configuration)
    await again.press("Enter").sees("oldest first").sees("read ones too").sees("A rather longer")
    // The filter that the list had at first is remembered as such.
    await again.press("v").press("v").press("q").press("Enter").doesNotSee("read ones too")
    #expect(again.actions.views["unread"] == "order=oldest rows=roomy")
  }

  @Test(
    "A view is read from its text, and unknown words are ignored",
    arguments: [
      ("", ""), ("filter=unread", "filter=unread"),
      ("rows=compact order=title", "order=title rows=compact"),
      ("order=nonsense filter=some x rows=", ""),
      ("filter=starred order=oldest rows=roomy", "filter=starred order=oldest rows=roomy"),
    ])
  func viewTexts(text: String, read: String) { #expect(ChosenView(text).text == read) }

  @Test("Roomy rows show the first words, can be clicked there, and halve the rows of a page")
  func roomy() async throws {
    let robot = await Robot(try await cache())
    await robot.press("Enter").doesNotSee("A rather longer text.").press(":layout rows")
    robot.sees("A rather longer text.", "Short.")
    #expect(robot.actions.views == ["unread": "rows=roomy"])
    let line = try #require(robot.lines.firstIndex { $0.contains("A rather longer") })
    await robot.key(.mouse(MouseEvent(.press, x: 5, y: line))).selects("Apples")
    await robot.press(":layout rows").doesNotSee("A rather longer text.")
    #expect(robot.actions.views == ["unread": "rows=compact"])

    let (large, _) = try await TestCache.large(100)
    let other = await Robot(large, height: 24, configuration: .test { $0.isRoomy = true })
    await other.press("Enter", "PageDown")
    let model = try #require(other.application.browser.articles?.model)
    #expect((8...10).contains(model.selected))
    for _ in 0..<30 {
      await other.press("j")
      let lines = model.visibleLines()
      #expect(lines.contains(.row(model.selected)) && lines.contains(.summary(model.selected)))
    }
  }
}

@Suite("The widths of panes") struct PaneWidthTests {
  private func widths(_ robot: Robot) -> [Int] {
    robot.application.browser.layout.panes.map(\.frame.width)
  }

  @Test("Keys make the focused pane wider and narrower within bounds, and the width is remembered")
  func keys() async throws {
    let robot = await Robot(try await .daily(), width: 140, height: 30)
    let usual = widths(robot)
    await robot.press(":layout wider")
    #expect(widths(robot)[0] == usual[0] + 2)
    let articles = widths(robot)[1]
    await robot.press("l", ":layout narrower 5")
    #expect(widths(robot)[1] == articles - 10)
    await robot.press("Enter", ":layout wider")
    #expect(widths(robot)[1] == articles - 12)
    #expect(robot.actions.remembered[.feedsWidth] == "\(usual[0] + 2)")
    #expect(robot.actions.remembered[.articlesWidth] == "\(articles - 12)")
    await robot.press(":layout wider 99", ":layout wider 99")
    #expect(widths(robot)[1] == 20 && widths(robot).reduce(0, +) == 138)
    await robot.press("z", ":layout wider").sees("is not possible here").press("z", ":layout usual")
    #expect(widths(robot) == usual)
    #expect(robot.actions.remembered[.feedsWidth] == "0")
  }

  @Test("A border is dragged with the mouse")
  func mouse() async throws {
    let robot = await Robot(try await .daily(), width: 140, height: 30)
    let usual = widths(robot)
    let selection = robot.application.browser.feeds.model.selected
    await robot.key(.mouse(MouseEvent(.press, x: usual[0], y: 9)))
    await robot.key(.mouse(MouseEvent(.release, x: 40, y: 12)))
    #expect(widths(robot)[0] == 40)
    #expect(robot.application.browser.feeds.model.selected == selection)
    await robot.key(.mouse(MouseEvent(.press, x: 40, y: 9)))
    await robot.key(.mouse(MouseEvent(.release, x: 139, y: 9)))
    #expect(widths(robot).allSatisfy { $0 >= 20 })
    await robot.key(.mouse(MouseEvent(.release, x: 3, y: 9)))
    #expect(widths(robot)[0] > 40)
  }

  @Test("A window of any size has room for all panes, whatever widths are set")
  func anySize() {
    for width in 20...260 {
      for wanted in [1, 30, 500] {
        for focus in PaneKind.allCases {
          let layout = Layout(
            size: Size(width: width, height: 24), focus: focus, hasArticle: true, isZoomed: false,
            widths: PaneWidths(feeds: wanted, articles: wanted))
          let sum = layout.panes.reduce(0) { $0 + $1.frame.width }
          #expect(sum + layout.panes.count - 1 == width)
          #expect(layout.panes.allSatisfy { $0.frame.width >= 12 })
        }
      }
    }
  }
}

@Suite("Choosing searches and accounts by name") struct ChoosingTests {
  @Test("A saved search is opened by its name, or a new one is begun")
  func searches() async throws {
    let cache = try await TestCache.daily()
    _ = try await cache.store.search.saveSearch("page", name: "Pages of all kinds")
    let robot = await Robot(cache)
    await robot.press("g l").sees("+ New search", "Pages of all kinds")
    await robot.type("kinds").press("Enter")
    #expect(robot.topBar.contains("Pages of all kinds"))
    robot.sees("The state of the page cache")
    await robot.press("q", "g l").type("checkpoints").press("Enter").sees("Search: checkpoints")
    robot.sees("Notes on WAL checkpoints")
    await robot.press("Esc", "Esc")
    await robot.press("g l").type("words").press("Up", "Enter")
    #expect(robot.topBar.contains("Search"))
  }
}
