// The daily tasks of a reader, by keys, in a real terminal against a server on loopback:
//
//  1. start with nothing, read the guide          ReaderTests.firstStart
//  2. add a site, see its articles come           ReaderTests.day
//  3. refresh a feed, see what is new             ReaderTests.day
//  4. import subscriptions                        imports
//  5. read on with one key, across feeds          readsOn
//  6. go from unread to unread                    readsOn
//  7. mark read and unread, and undo              marks
//  8. star, and find it under Starred             marks
//  9. mark a list read, and undo                  marks
// 10. open a page in the browser                  ReaderTests.browser
// 11. follow a link of an article                 links
// 12. copy an address                             links
// 13. filter a list, find in an article           finds
// 14. search everything, save the search          finds
// 15. fetch the full text                         brings
// 16. download a file                             brings
// 17. file a feed under a folder, rename it       arranges
// 18. tag an article                              arranges
// 19. unsubscribe, and undo                       arranges
// 20. see what failed, retry                      ReaderTests.unreachable, retries
// 21. watch the sync, pause and stop it           ConsoleTests.console
// 22. find a command by its name                  commands
// 23. give an article to another program          commands
// 24. leave in the middle, return to the line     places
// 25. work in panes, zoom, another window size    places
// 26. read with no network                        ReaderTests.day
// 27. request files and news with no network      lands
@Suite("A day's reading", .enabled(if: TmuxRobot.isAvailable), .ownThreads) struct DailyTests {
  private let fixture: CommandFixture
  private let origin: Origin

  init() throws {
    fixture = try CommandFixture()
    origin = try Origin()
  }

  private func subscribe(
    _ name: String, _ items: [String], body: String = "<p>Text of it.</p>"
  ) throws {
    let path = "/" + name.lowercased()
    origin.on(path, .answer(Feeds.rss(name, items, body: body)))
    try fixture.weir("add", "--unchecked", origin.url(path))
  }

  /// Syncs, and opens the reader.
  private func reader(columns: Int = 120) throws -> TmuxRobot {
    try fixture.weir("sync")
    return try fixture.reader("--offline", columns: columns).waitFor("Unread")
  }

  private func removeGuide() throws {
    try fixture.reader("--offline").waitFor("Welcome to Weir").type("Q").exit(0)
    try fixture.weir("remove", "weir:guide")
  }

  @Test("A list is imported from the reader") func imports() throws {
    try removeGuide()
    origin.on("/a", .answer(Feeds.rss("Alpha", ["One"])))
    let path = try fixture.file(
      "feeds.opml", Feeds.opml([(name: "Alpha", url: origin.url("/a"))], folder: "Letters"))
    let robot = try fixture.reader().waitFor("Add or import feeds").type("a")
    try robot.waitFor("another reader").type(path).keys("Enter")
      .waitFor("Letters").waitFor("Alpha").select("Alpha").waitFor("● One")
      .type("Q").exit(0)
  }

  /// The typed path does not count as keys.
  @Test(
    "A newcomer imports, sees the list fill and reads an article, in six keys",
    arguments: [80, 120, 160])
  func newcomer(columns: Int) throws {
    let titles = (1...30).map { "Story \($0)" }
    for name in ["a", "b"] {
      origin.on("/" + name, .answer(Feeds.rss("Feed \(name)", titles, body: "<p>Told here.</p>")))
    }
    let feeds = ["a", "b"].map { (name: "Feed \($0)", url: origin.url("/" + $0)) }
    let path = try fixture.file("feeds.opml", Feeds.opml(feeds, folder: "Letters"))
    let robot = try fixture.reader(columns: columns).waitFor("Add or import feeds")
    // 1: import; 2: the path is typed.
    try robot.type("a").waitFor("another reader").type(path).keys("Enter").waitFor("Letters")
    if columns >= 90 {
      // The list beside the feeds shows unread articles and has not been used.
      try robot.waitFor("● Story")
      #expect(try !robot.screen().joined().contains("▲"))
    }
    // 3: into the list; 4: the article.
    try robot.waitFor("6").keys("Enter").waitFor("● Story")
    try robot.keys("Enter").waitFor("Told here.").type("Q").exit(0)
  }

  @Test("A newcomer with a list of newsboat reaches the first article in three keys")
  func newcomerFromNewsboat() throws {
    // The articles of the guide are as old as the story.
    try removeGuide()
    origin.on("/a", .answer(Feeds.rss("Feed A", ["Story"], body: "<p>Told here.</p>")))
    try fixture.file(".newsboat/urls", origin.url("/a") + "\n")
    let robot = try fixture.reader().waitFor("▎+ Import newsboat: 1")
    try robot.keys("Enter").waitFor("● Story").keys("Enter").keys("Enter").waitFor("Told here.")
      .type("Q").exit(0)
  }

  @Test("Space reads on across feeds, and n goes to the next unread article")
  func readsOn() throws {
    try removeGuide()
    try subscribe("Alpha", ["A two", "A one"], body: "<p>Alpha says this.</p>")
    try subscribe("Beta", ["B one"], body: "<p>Beta says that.</p>")
    let robot = try reader().type(":continue").keys("Enter").waitFor(
      "There is no article to continue"
    ).select("Alpha")
    try robot.keys("Enter").keys("Enter").waitFor("Alpha says this.")
    try robot.keys("Space").waitFor("▎  A one").keys("Space").waitFor("Beta says that.")
    try robot.keys("Space").waitFor("No unread articles left here").type("Q").exit(0)
    #expect(try fixture.weir("articles", "--unread", "--json").objects().isEmpty)

    try fixture.weir("mark", "unread", "--feed", "Alpha")
    let again = try reader().select("Alpha").keys("Enter").waitFor("● A one")
    try again.type("gg").type("n").waitFor("▎● A one").keys("Enter").waitFor("Alpha says this.")
      .type("n").waitFor("▎  A two").type("Q").exit(0)
  }

  @Test("Marks and stars are undone, even after a restart") func marks() throws {
    try removeGuide()
    try subscribe("Alpha", ["Third", "Second", "First"])
    let robot = try reader().select("Alpha").keys("Enter").waitFor("● Third")
    try robot.type("m").waitForAbsence(of: "● Third").type("u").waitFor("● Third")
    try robot.type("js").waitFor("★").select("Starred").keys("Enter").waitFor("★ Second")
    try robot.select("Alpha").keys("Enter").waitFor("● First").type("A").waitFor("marked read")
      .waitForAbsence(of: "●").type("u").waitFor("● First").type("Q").exit(0)
    // Undo outlives the program.
    try reader().select("Alpha").keys("Enter").waitFor("● First").keys("C-r")
      .waitForAbsence(of: "● First").type("u").waitFor("● First").type("Q").exit(0)
  }

  @Test("A link of an article is opened, and an address is copied") func links() throws {
    try removeGuide()
    let log = fixture.home.appending(path: "opened").path
    let program = try fixture.program("browser", "printf '%s\\n' \"$@\" >> '\(log)'")
    try fixture.file(".config/weir/config.toml", "[open]\nbrowser = [\"\(program)\"]\n")
    try subscribe(
      "Alpha", ["Story"],
      body: "<p><a href='https://one.example/'>One</a> <a href='https://two.example/'>Two</a></p>")
    let robot = try reader().select("Alpha").keys("Enter").waitFor("● Story").keys("Enter")
    try robot.waitFor("One Two").type("f2").keys("Enter")
    try robot.waitUntil("the link was opened") {
      (try? String(contentsOfFile: log, encoding: .utf8)) == "https://two.example/\n"
    }
    try robot.type("y").waitFor("opied").type("Q").exit(0)
  }

  @Test("Articles are found by a filter, a text in an article and a saved search")
  func finds() throws {
    try removeGuide()
    try subscribe(
      "Alpha", ["Heron", "Weir", "Dipper"], body: "<p>A kingfisher is not a heron.</p>")
    let robot = try reader().select("Alpha").keys("Enter").waitFor("● Heron").type("/dipp")
    try robot.waitForAbsence(of: "● Heron").keys("Enter").keys("Enter").waitFor("A kingfisher")
    try robot.type("/kingf").waitFor("1 line").keys("Enter").keys("Escape")
    try robot.waitForAbsence(of: "1 line").type("q").waitFor("Enter read").keys("Escape")
    try robot.waitFor("Heron").type("g/").waitFor("Search").type("kingfisher").waitFor("3 hits")
    try robot.keys("Tab").type("s").waitFor("kingfisher").keys("Enter")
      .waitFor("Saved; it").keys("Escape").waitForAbsence(of: "Search:")
    try robot.select("kingfisher").keys("Enter").waitFor("Weir").type("Q").exit(0)
  }

  @Test("The full text and a file of an article are fetched") func brings() throws {
    try removeGuide()
    let sentence = "The page tells it slowly, in sentences that take their time to come to an end."
    origin.on(
      "/page",
      .answer(
        "<html><body><article><p>\(sentence)</p><p>\(sentence) Twice.</p></article></body></html>",
        type: "text/html"))
    origin.on("/talk.mp3", Reply.answer(Array(repeating: 7, count: 100_000), type: "audio/mpeg"))
    let enclosure = "<enclosure url=\"\(origin.url("/talk.mp3"))\" type=\"audio/mpeg\"/></item>"
    let feed = Feeds.rss("Alpha", ["Talk"])
      .replacingOccurrences(of: "https://example.org/1/Alpha", with: origin.url("/page"))
      .replacingOccurrences(of: "</item>", with: enclosure)
    origin.on("/alpha", .answer(feed))
    try fixture.weir("add", "--unchecked", origin.url("/alpha"))
    try fixture.weir("sync")
    let robot = try fixture.reader(columns: 120).select("Alpha").keys("Enter").waitFor("● Talk")
    try robot.keys("Enter").waitFor("Text of it.").type("x")
      .waitFor("The page tells it slowly")
    try robot.type("d").waitFor("Saved as ~/Downloads/talk.mp3")
      .waitFor("saved as ~/Downloads/talk.mp3").type("Q").exit(0)
    let saved = fixture.home.appending(path: "Downloads/talk.mp3")
    #expect(try Data(contentsOf: saved).count == 100_000)
    let number = try #require(
      try fixture.weir("articles", "--feed", "Alpha", "--json").objects().first?["id"] as? Int)
    #expect(try fixture.weir("show", "--full", "\(number)").output.contains("tells it slowly"))
  }

  @Test("Files and refreshes requested offline are fetched by the next sync") func lands() throws {
    try removeGuide()
    origin.on("/talk.mp3", Reply.answer([7, 7, 7], type: "audio/mpeg"))
    let enclosure = "<enclosure url=\"\(origin.url("/talk.mp3"))\" type=\"audio/mpeg\"/></item>"
    let items = Shared(["Talk"])
    origin.on("/alpha") { [origin = origin.url("/page")] _ in
      .answer(
        Feeds.rss("Alpha", items.value)
          .replacingOccurrences(of: "https://example.org/1/Alpha", with: origin)
          .replacingOccurrences(of: "</item>", with: enclosure))
    }
    try fixture.weir("add", "--unchecked", origin.url("/alpha"))
    let robot = try reader().select("Alpha").keys("Enter").waitFor("● Talk").keys("Enter")
      .waitFor("Text of it.")
    try robot.type("d").waitFor("at the next sync").type("Q").exit(0)
    let brought = try fixture.weir("sync")
    #expect(brought.code == 0, "\(brought)")
    #expect(brought.output == "Full texts and files that were asked for: 1 fetched\n", "\(brought)")
    let saved = fixture.home.appending(path: "Downloads/talk.mp3")
    #expect(try Data(contentsOf: saved).count == 3)
    #expect(try fixture.weir("sync").output.contains("Nothing to refresh"))

    items.value = ["News", "Talk"]
    let again = try fixture.reader("--offline").select("Alpha").type("r")
    try again.waitFor("offline").type("Q").exit(0)
    let refreshed = try fixture.weir("sync")
    #expect(refreshed.output.contains("1 feed, 1 new article"), "\(refreshed)")
    #expect(try fixture.weir("sync").output.contains("Nothing to refresh"))
  }

  @Test("A feed is moved, renamed, tagged, and restored after unsubscribing")
  func arranges() throws {
    try removeGuide()
    try subscribe("Alpha", ["One"])
    let robot = try reader().select("Alpha").type("t").waitFor("folder").type("Letters")
      .keys("Enter").waitFor("▾ Letters")
    try robot.type("e").waitFor("Edit Alpha").keys("C-u").type("Omega").keys("Enter")
      .waitForAbsence(of: "Edit Alpha").waitFor("Omega")
    try robot.keys("Enter").waitFor("● One").type("t").waitFor("Tags").type("birds").keys("Enter")
      .waitFor("birds").keys("h")
    try robot.waitFor("Enter open").type("D").waitFor("Kept: 1 tagged").type("y")
      .waitFor("nsubscribed").waitFor("Kept  ").type("u").waitFor("Omega").type("Q").exit(0)
    let feeds = try fixture.weir("feeds", "--json").output
    #expect(feeds.contains("Omega") && feeds.contains("Letters"))
  }

  @Test("A failed feed is retried from the problems screen") func retries() throws {
    try removeGuide()
    let isWell = Shared(false)
    origin.on("/alpha") { _ in
      isWell.value ? .answer(Feeds.rss("Alpha", ["One"])) : .answer("", status: 404)
    }
    try fixture.weir("add", "--unchecked", origin.url("/alpha"))
    try fixture.weir("sync")
    let robot = try fixture.reader().waitFor("Unread").type("!").waitFor("no such page (404)")
    isWell.value = true
    try robot.type("r").waitForAbsence(of: "(404)").type("q").waitFor("Alpha")
      .type("Q").exit(0)
  }

  @Test("Commands are found by name, and an article is passed to a program")
  func commands() throws {
    try removeGuide()
    try subscribe("Alpha", ["One"], body: "<p>To be counted.</p>")
    let file = fixture.home.appending(path: "given").path
    let robot = try reader().select("Alpha").keys("Enter").waitFor("● One")
    try robot.type(":mark-shown").waitFor("mark-shown-read").keys("Enter").waitFor("marked read")
    try robot.type(":pipe").keys("Enter").waitFor("Other program").type("tee \(file)").keys("Enter")
    try robot.waitUntil("the article was given") {
      (try? String(contentsOfFile: file, encoding: .utf8))?.contains("To be counted.") == true
    }
    try robot.type("Q").exit(0)
  }

  @Test("The reading position survives a restart, and zoom and window sizes change the panes")
  func places() throws {
    try removeGuide()
    let body = (1...80).map { "<p>Paragraph number \($0) of a long one.</p>" }.joined()
    try subscribe("Alpha", ["Long"], body: body)
    let robot = try reader(columns: 150).select("Alpha").keys("Enter").waitFor("● Long")
    try robot.keys("Enter").waitFor("number 1 of").keys("Space").waitFor("number 20 of")
      .keys("Space").waitFor("number 30 of")
    try robot.type("z").waitForAbsence(of: "Today").type("z").waitFor("Today")
    try robot.resize(columns: 60, rows: 20).waitForAbsence(of: "Today").waitFor("of a long one.")
    try robot.resize(columns: 150, rows: 30).waitFor("Today")
    let shown = try #require(
      try robot.screen().lazy.compactMap { $0.firstMatch(of: /Paragraph number \d+/)?.0 }.first)
    try robot.type("Q").exit(0)
    try reader(columns: 150).select("Alpha").keys("Enter").waitFor("Long").keys("Enter")
      .waitFor(String(shown)).waitForAbsence(of: "number 1 of").type("Q").exit(0)
  }
}
