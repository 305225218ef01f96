@Suite("The reader in a terminal", .enabled(if: TmuxRobot.isAvailable), .ownThreads)
struct ReaderTests {
  @Test("An empty home shows the guide without a network, and a removed guide stays away")
  func firstStart() throws {
    let fixture = try CommandFixture()
    try fixture.reader("--offline").waitFor("Welcome to Weir").waitFor("Start here")
      .keys("Enter").keys("Enter").waitFor("When you are ready").type("Q")
      .exit(0)
    let guide = try #require(try fixture.weir("feeds", "--json").objects().first)
    #expect(guide["url"] as? String == "weir:guide")
    #expect(guide["unread"] as? Int == 8)
    #expect(try !fixture.weir("export").output.contains("weir:guide"))

    #expect(try fixture.weir("sync", "--all").code == 0)
    #expect(try fixture.weir("remove", "weir:guide").code == 0)
    let robot = try fixture.reader("--offline").waitFor("Add or import feeds")
    #expect(try !robot.screen().contains { $0.contains("Welcome to Weir") })
    try robot.type("Q").exit(0)
    #expect(try fixture.weir("feeds", "--json").objects().isEmpty)
  }

  @Test("A feed is refreshed, its articles are marked and starred, and all is there offline")
  func day() throws {
    let (fixture, origin) = try CommandFixture.online()
    let items = Shared(["Second story", "First story"])
    origin.on("/feed") { _ in .answer(Feeds.rss("Daily", items.value)) }
    origin.on(
      "/site",
      .answer(
        "<html><head><link rel=alternate type=application/rss+xml href=/feed>", type: "text/html"))

    let robot = try fixture.reader(columns: 120)
    try robot.waitFor("Welcome to Weir").type("a").waitFor("Add").type(origin.url("/site"))
    try robot.keys("Enter").waitFor("Daily").keys("Enter")
      .waitFor("Subscribed to Daily").select("Daily").waitFor("● First story")
    items.value.insert("Third story", at: 0)
    try robot.type("r").waitFor("1 new").waitFor("Third story")

    try robot.keys("Enter").waitFor("Second story").type("s").waitFor("★")
    try robot.keys("j").type("m").type("Q").exit(0)

    let articles = try fixture.weir("articles", "--feed", "Daily", "--json").objects()
    #expect(articles.count == 3)
    #expect(articles.filter { $0["starred"] as? Bool == true }.count == 1)
    #expect(articles.contains { $0["read"] as? Bool == true })

    origin.stop()
    try fixture.reader("--offline").select("Daily").keys("Enter").waitFor("First story")
      .waitFor("offline").keys("Enter").waitFor("Text of it.").type("Q").exit(0)
  }

  @Test("The hidden cursor is at the selected row and at the text of an article")
  func hiddenCursor() throws {
    let fixture = try CommandFixture()
    let robot = try fixture.reader("--offline").select("Start here")
    func waitForCursor(at text: String) throws {
      try robot.waitUntil("the cursor is at \(text)") {
        let row = Int(try robot.ask("#{cursor_y}")) ?? -1
        let screen = try robot.screen()
        return screen.indices.contains(row) && screen[row].contains(text)
      }
    }
    try waitForCursor(at: "Start here")
    try robot.keys("Enter")
    try waitForCursor(at: "Welcome to Weir")
    #expect(try robot.ask("#{cursor_flag}") == "0")
    try robot.type(":")
    try robot.waitUntil("the cursor is shown") { try robot.ask("#{cursor_flag}") == "1" }
    try robot.keys("Escape")
    try robot.waitUntil("the cursor is hidden") { try robot.ask("#{cursor_flag}") == "0" }
    try robot.type("Q").exit(0)
  }

  @Test("weir open shows one article, and going back leads to the list of its feed")
  func openArticle() throws {
    let (fixture, origin) = try CommandFixture.online()
    origin.on("/feed", .answer(Feeds.rss("Daily", ["Second story", "First story"])))
    try fixture.weir("add", "--unchecked", origin.url("/feed"))
    try fixture.weir("sync")
    let articles = try fixture.weir("articles", "--feed", "Daily", "--json").objects()
    let article = try #require(articles.first { $0["title"] as? String == "First story" })
    let number = String(describing: try #require(article["id"]))
    let robot = try fixture.reader("open", number, "--offline", columns: 80)
    try robot.waitFor("Text of it.").waitFor("First story")
    #expect(try !robot.screen().contains { $0.contains("Second story") })
    try robot.type("q").waitFor("Second story").type("Q").exit(0)

    let missing = try fixture.weir("open", "999999")
    #expect(missing.code == 1 && missing.errors.contains("999999"), "\(missing.errors)")
  }

  @Test("An unreachable server is reported in words, and the reader continues")
  func unreachable() throws {
    let (fixture, origin) = try CommandFixture.online()
    try fixture.weir("add", "--unchecked", origin.url("/feed"))
    origin.stop()
    let feed = "127.0.0.1"
    try fixture.reader().waitFor("! http").type("!")
      .waitFor("\(feed) refused the connection").type("q")
      .waitForAbsence(of: "refused").type("??").waitFor("Moving").type("q").waitForAbsence(
        of: "Moving"
      ).type("Q").exit(0)
  }

  @Test("Pages are opened with an argument vector, and no part of an address is executed")
  func browser() throws {
    let (fixture, origin) = try CommandFixture.online()
    let canary = fixture.home.appending(path: "canary").path
    let address = "https://example.org/$(touch${IFS}\(canary))`touch ${IFS}x`;&quot;'-a?b&amp;c"
    origin.on(
      "/feed",
      .answer(
        Feeds.rss("Daily", ["Story"]).replacingOccurrences(
          of: "https://example.org/1", with: address)))
    let log = fixture.home.appending(path: "opened").path
    let program = try fixture.program(
      "browser", "for word; do printf '%s\\n' \"$word\" >> '\(log)'; done")
    try fixture.file(".config/weir/config.toml", "[open]\nbrowser = [\"\(program)\", \"--new\"]\n")
    try fixture.weir("add", "--unchecked", origin.url("/feed"))
    try fixture.weir("sync")
    let robot = try fixture.reader("--offline").select("Daily").keys("Enter").keys("Enter")
    try robot.waitFor("Text of it.").type("o")
    try robot.waitUntil("the browser was called") {
      ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").contains("example.org")
    }
    let words = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    #expect(words.count == 2)
    #expect(words.first == "--new")
    #expect(words.last?.hasPrefix("https://example.org/") == true)
    #expect(!FileManager.default.fileExists(atPath: canary))
    try robot.type("Q").exit(0)
  }

  @Test("A browser in the terminal gets all keys, including Ctrl-C, until it ends")
  func terminalBrowser() throws {
    let (fixture, origin) = try CommandFixture.online()
    origin.on("/feed", .answer(Feeds.rss("Daily", ["Story"])))
    let program = try fixture.program("w3m", "echo \"page $1\"\nread line")
    try fixture.weir("add", "--unchecked", origin.url("/feed"))
    try fixture.weir("sync")
    let terminal = try PseudoTerminal(
      [CommandFixture.program, "--offline"],
      environment: fixture.environment.merging(["BROWSER": program]) { $1 })
    _ = try #require(terminal.wait(for: "Daily"))
    terminal.send("G\r")
    _ = try #require(terminal.wait(for: "Story"))
    for ending in ["\r", "\u{3}"] {
      let opened = terminal.output.count
      terminal.send("o")
      _ = try #require(terminal.wait(for: "page https://example.org/1", from: opened))
      let closed = terminal.output.count
      terminal.send(ending)
      _ = try #require(terminal.wait(for: "Story", from: closed))
    }
    #expect(terminal.quit()?.exitCode == 0)
  }

  @Test(
    "A terminal that cannot be drawn on is reported in a sentence with exit code 2",
    arguments: ["no-such-terminal", ""])
  func terminals(type: String) throws {
    let fixture = try CommandFixture()
    let terminal = try PseudoTerminal(
      [CommandFixture.program], environment: fixture.environment.merging(["TERM": type]) { $1 })
    let usage = try #require(terminal.waitForExit())
    #expect(usage.exitCode == 2)
    let text = String(decoding: terminal.output, as: UTF8.self)
    #expect(text.hasPrefix("weir: "), "\(text)")
    #expect(!text.contains("\u{1B}"))
  }

  @Test("A signal or a vanished terminal ends the reader", arguments: [SIGTERM, SIGHUP, SIGINT])
  func signals(number: Int32) throws {
    let fixture = try CommandFixture()
    let terminal = try PseudoTerminal(
      [CommandFixture.program, "--offline"], environment: fixture.environment)
    _ = try #require(terminal.wait(for: "Starred"))
    kill(terminal.process, number)
    let usage = try #require(terminal.waitForExit())
    #expect(usage.exitCode > 128)
    #expect(try fixture.weir("doctor").code == 0)
  }

  @Test("Quitting ends the programs of feeds") func leaving() throws {
    let fixture = try CommandFixture()
    let filter = try fixture.program("filter", "exec sleep 600")
    try fixture.weir("add", "--unchecked", "exec:\(filter)")
    for signal in [SIGTERM, SIGHUP] {
      let terminal = try PseudoTerminal([CommandFixture.program], environment: fixture.environment)
      _ = try #require(terminal.wait(for: "Starred"))
      terminal.send("R")
      let deadline = Patience.end
      var children: [pid_t] = []
      while children.isEmpty, ContinuousClock.now < deadline {
        terminal.read(wait: 0.05)
        children = Spawn.children(of: terminal.process)
      }
      #expect(
        !children.isEmpty, "\(String(decoding: terminal.output.suffix(2_000), as: UTF8.self))")
      kill(terminal.process, signal)
      #expect(terminal.waitForExit() != nil)
      let end = Patience.end
      while children.contains(where: Spawn.isRunning), ContinuousClock.now < end {
        usleep(10_000)
      }
      #expect(!children.contains(where: Spawn.isRunning), "\(signal)")
    }
  }

  @Test("A configuration problem is shown in the status line, and the reader starts anyway")
  func configuration() throws {
    let fixture = try CommandFixture()
    try fixture.file(".config/weir/config.toml", "[reader]\n\n\n\n\n\ntheme = \"pink\"\n")
    let robot = try fixture.reader("--offline", columns: 180).waitFor("Starred")
    try robot.waitFor("reader.theme: \"auto\"").type("j")
      .waitForAbsence(of: "reader.theme").type("Q").exit(0)
  }

  @Test("The reader and a sync share a cache, and arrivals appear without a key press")
  func together() throws {
    let (fixture, origin) = try CommandFixture.online()
    let items = Shared(["Morning"])
    origin.on("/feed") { _ in .answer(Feeds.rss("Daily", items.value)) }
    try fixture.weir("add", "--unchecked", origin.url("/feed"))
    let robot = try fixture.reader().waitFor("Morning")
    items.value.insert("Evening", at: 0)
    #expect(try fixture.weir("sync", "Daily").output.contains("1 new"))
    try robot.waitFor("Evening")
    try robot.type("Q").exit(0)
  }
}

extension TmuxRobot {
  /// Selects the list with this name, starting from the top.
  @discardableResult func select(_ name: String) throws -> Self {
    try waitFor(name).keys("h").keys("h").keys("g", "g")
      .waitUntil("the first list is selected") {
        try screen()[1].hasPrefix("▎")
      }
    var passed = Set<Int>()
    return try waitUntil("\(name) is selected") {
      let feeds = try screen().map { $0.prefix { $0 != "│" } }
      guard let row = feeds.firstIndex(where: { $0.hasPrefix("▎") }) else { return false }
      if feeds[row].contains(name) { return true }
      // Presses the key once for each row, because on a busy machine the screen lags behind.
      if passed.insert(row).inserted { try keys("j") }
      return false
    }
  }

  func exit(_ code: Int32) throws {
    let ended = try waitForExit()
    #expect(ended == code)
  }
}
