@Suite("Exit codes and messages of commands", .ownThreads) final class CommandTests: CommandSuite {
  @Test("Every command has help, which lists the exit codes at its beginning") func help() throws {
    let help = try fixture.weir("help")
    #expect(help.code == 0)
    #expect(help.output.contains("64 usage"))
    for command in [
      "add", "remove", "feeds", "feed", "articles", "show", "search", "page", "mark", "snooze",
      "sync", "import", "export", "undo", "doctor", "config", "backup", "restore", "watch", "save",
      "version",
    ] {
      #expect(help.output.contains("\n  \(command) "), "\(command) is not in the help")
      #expect(try fixture.weir(command, "--help").code == 0)
    }
    for hidden in ["parse", "parse-opml", "discover"] {
      #expect(!help.output.contains("\n  \(hidden) "), "\(hidden) is in the help")
      #expect(try fixture.weir(hidden, "--help").code == 0)
    }
    let version = try fixture.weir("version").output.split(separator: "\n")
    #expect(version.first?.contains(/^weir \d+\.\d+\.\d+( \([0-9a-f]{7,}\+?\))?$/) == true)
    for library in ["SQLite 3.", "ncurses ", "libcurl/"] {
      #expect(version.contains { $0.hasPrefix(library) }, "\(version)")
    }
  }

  @Test(
    "An unknown command or a wrong argument is a usage error",
    arguments: [
      ["nonsense"], ["add"], ["mark", "read"], ["mark", "read", "1", "--feed", "x"],
      ["mark", "starred", "--older-than", "3d"], ["mark", "read", "--older-than", "soon"],
      ["articles", "--limit", "0"], ["search"], ["search", "x", "--limit", "0"],
      ["sync", "--all", "x"], ["--nonsense"],
    ])
  func usage(arguments: [String]) throws {
    let outcome = try fixture.start(arguments).outcome()
    #expect(outcome.code == 64)
    #expect(!outcome.errors.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: fixture.dataDirectory.path))
  }

  @Test("The data directory may be given before or after the command, and its files are private")
  func dataDirectory() throws {
    let folder = fixture.home.appending(path: "elsewhere").path
    try fixture.weir("--data-dir", folder, "add", "--unchecked", "https://example.org/feed")
    #expect(try fixture.weir("feeds", "--data-dir", folder).output.contains("example.org"))
    #expect(!FileManager.default.fileExists(atPath: fixture.dataDirectory.path))
    let manager = FileManager.default
    #expect(try manager.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
    for name in try manager.contentsOfDirectory(atPath: folder) {
      let mode = try manager.attributesOfItem(atPath: folder + "/" + name)[.posixPermissions]
      #expect(mode as? Int == 0o600, "\(name)")
    }
  }

  @Test("Every command accepts the global options and writes the given log")
  func globalOptions() throws {
    func log(_ name: String) -> String { fixture.home.appending(path: name).path }
    let defaults = try fixture.weir("config", "default", "--log", log("0"), "--config", log("1"))
    #expect(defaults.code == 0 && defaults.output.contains("[sync]"), "\(defaults)")
    try fixture.weir("add", "--unchecked", "https://example.org/feed")
    let backup = fixture.home.appending(path: "backup.db").path
    #expect(try fixture.weir("backup", backup).code == 0)
    func logged(_ arguments: String...) throws -> String {
      _ = try fixture.start(arguments + ["--log", log("log")]).outcome()
      return try String(contentsOfFile: log("log"), encoding: .utf8)
    }
    #expect(try logged("restore", backup).contains("restored \(fixture.dataDirectory.path)"))
    #expect(try logged("restore", log("nothing")).contains("error restore of"))
    #expect(try logged("doctor", "--repair").contains("no damage found"))
  }

  @Test("A missing HOME is reported in a sentence, unless nothing depends on it")
  func noHome() throws {
    let outcome = try fixture.weir("feeds", environment: ["HOME": nil])
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("HOME is not set"))
    let folder = fixture.home.appending(path: "data").path
    #expect(try fixture.weir("feeds", "--data-dir", folder, environment: ["HOME": nil]).code == 0)
  }

  @Test("An address that is not a feed or does not answer is not subscribed to")
  func addFails() throws {
    let (fixture, origin) = try CommandFixture.online()
    origin.on("/plain", .answer("Hello", type: "text/plain"))
    origin.on("/page", .answer("<html><p>No feeds here</html>", type: "text/html"))
    origin.on("/cut", .answer("<rss version=\"2.0\"><channel><title>T</title>"))
    func fails(_ address: String, _ words: String) throws {
      let outcome = try fixture.weir("add", address)
      #expect(outcome.code == 1 && outcome.errors.contains(words), "\(outcome)")
    }
    try fails(origin.url("/plain"), "isn\u{2019}t a feed")
    try fails(origin.url("/page"), "doesn\u{2019}t link to a feed")
    try fails(origin.url("/missing"), "404")
    try fails(origin.url("/cut"), "stopped in the middle")
    origin.stop()
    try fails(origin.url("/feed"), "refused the connection")
    try fails(origin.url("/feed"), "--unchecked")
    try fails("ftp://example.org/feed", "https://")
    for address in ["[::1", "http://a b/", "https://a.example:99999/", "..."] {
      let outcome = try fixture.weir("add", "--unchecked", address)
      #expect(outcome.code == 1 && outcome.errors.contains("isn\u{2019}t a web address"))
    }
    #expect(try fixture.weir("feeds", "--json").objects().isEmpty)
  }

  @Test("A page's only feed is subscribed to, and several feeds are only listed")
  func addDiscovers() throws {
    let (fixture, origin) = try CommandFixture.online()
    let link = { (path: String) in "<link rel=alternate type=application/rss+xml href=\(path)>" }
    origin.on("/one", .answer("<html><head>\(link("/feed"))", type: "text/html"))
    origin.on("/two", .answer("<html><head>\(link("/feed"))\(link("/other"))", type: "text/html"))
    origin.on("/feed", .answer(Feeds.rss("The feed", ["A"])))
    origin.on("/other", .answer(Feeds.rss("Comments", ["B"])))

    let two = try fixture.weir("add", origin.url("/two"))
    #expect(two.code == 1)
    #expect(two.output.contains(origin.url("/feed")))
    #expect(two.output.contains(origin.url("/other")))
    #expect(two.errors.contains("weir add"))

    let one = try fixture.weir("add", origin.url("/one"), "--folder", "News/Daily")
    #expect(one.code == 0)
    #expect(one.output.contains("The feed"))
    let feeds = try fixture.weir("feeds", "--json").objects()
    #expect(feeds.count == 1)
    #expect(feeds.first?["folder"] as? [String] == ["News", "Daily"])

    let again = try fixture.weir("add", origin.url("/feed"))
    #expect(again.code == 0)
    #expect(again.output.contains("You already have"))

    let discovered = try fixture.weir("discover", origin.url("/two"), "--json").objects()
    #expect(discovered.compactMap { $0["url"] as? String }.count == 2)
  }

  @Test("A feed is named by number, address or part of its name, and ambiguity is an error")
  func feedArguments() throws {
    try fixture.weir(
      "add", "--unchecked", "https://one.example/feed", "https://two.example/feed",
      "https://three.test/")
    let ambiguous = try fixture.weir("remove", "example")
    #expect(ambiguous.code == 1)
    #expect(ambiguous.errors.contains("2 feeds match"))
    let unknown = try fixture.weir("remove", "three", "nowhere")
    #expect(unknown.code == 1)
    #expect(unknown.errors.contains("weir feeds"))
    #expect(try fixture.weir("feeds", "--json").objects().count == 3)

    #expect(try fixture.weir("remove", "three.test").output.contains("Kept") == false)
    #expect(try fixture.weir("remove", "1").code == 0)
    #expect(try fixture.weir("remove", "https://two.example/feed").code == 0)
    #expect(try fixture.weir("feeds", "--json").objects().isEmpty)
  }

  @Test("Articles and hits of a search are written as an Atom feed that Weir itself reads")
  func atom() throws {
    let (fixture, origin) = try CommandFixture.online()
    origin.on(
      "/a", .answer(Feeds.rss("Rock & Roll", ["One", "Two <3"], body: "<p>Told \u{1} here.</p>")))
    try fixture.weir("add", "--unchecked", origin.url("/a"))
    #expect(try fixture.weir("sync", "--all").code == 0)
    let document = try fixture.weir("articles", "--atom").output
    #expect(document.contains("&lt;p&gt;Told"))
    origin.on("/again", .answer(Array(document.utf8)))
    try fixture.weir("add", "--unchecked", origin.url("/again"))
    #expect(try fixture.weir("sync", "--all").code == 0)
    let again = try fixture.weir("articles", "--feed", "/again", "--json").objects()
    #expect(Set(again.compactMap { $0["title"] as? String }) == ["One", "Two <3"])
    #expect(again.allSatisfy { $0["feedName"] as? String == "articles" })

    let hits = try fixture.weir("search", "two", "--atom").output
    #expect(hits.contains("<title>Two &lt;3</title>") && !hits.contains("<title>One</title>"))
    let none = try fixture.weir("articles", "--starred", "--atom").output
    #expect(none.contains("</feed>") && !none.contains("<entry>"))
    #expect(try fixture.weir("articles", "--json", "--atom").code == 64)
  }

  @Test("Articles of a query, a folder or a text are listed as the reader lists them")
  func articlesOfQueries() throws {
    let (fixture, origin) = try CommandFixture.online()
    origin.on("/a", .answer(Feeds.rss("Rock", ["One", "Two tables", "Three -x"], body: "Told.")))
    origin.on("/b", .answer(Feeds.rss("Jazz", ["One more"], body: "Told.")))
    try fixture.weir("add", "--unchecked", "--folder", "Music/Loud", origin.url("/a"))
    try fixture.weir("add", "--unchecked", origin.url("/b"))
    #expect(try fixture.weir("sync", "--all").code == 0)
    func titles(_ arguments: String...) throws -> Set<String> {
      let process = try fixture.start(["articles", "--json"] + arguments)
      return Set(try process.outcome().objects().compactMap { $0["title"] as? String })
    }
    #expect(try titles("told", "title:one") == ["One", "One more"])
    #expect(try titles("--", "-title:one") == ["Two tables", "Three -x"])
    #expect(try titles("-title:one") == ["Two tables", "Three -x"])
    #expect(try titles("--folder", "music") == ["One", "Two tables", "Three -x"])
    #expect(try titles("--folder", "Music/Loud", "title:one") == ["One"])
    #expect(try titles("--filter", "jAZZ") == ["One more"])
    #expect(try titles("--filter=-X", "told", "--unread", "--limit", "5") == ["Three -x"])
    try fixture.weir("mark", "read", "--feed", "2")
    #expect(try titles("is:read") == ["One more"])
    #expect(try fixture.weir("articles", "--folder", "Loud").errors.contains("no folder"))
    #expect(try fixture.weir("articles", "is:green").code == 64)
    #expect(try fixture.weir("articles", "--today", "--feed", "1").code == 64)
    #expect(try fixture.weir("articles", "--kept", "--high").code == 64)
    #expect(try fixture.weir("articles", "--kept").lines.isEmpty)
  }

  @Test("Feeds with settings of their own are listed with them, and headers are not shown")
  func changedFeeds() throws {
    try fixture.weir("add", "--unchecked", "https://one.example/feed", "https://two.example/feed")
    #expect(try fixture.weir("feeds", "--changed").errors.contains("No feed has settings"))
    #expect(try fixture.weir("feeds", "--changed", "--json").objects().isEmpty)

    try fixture.file(
      ".config/weir/config.toml",
      """
      [feeds]
      "https://one.example/" = { interval = 60, headers = ["X-Key: secret"] }

      """)
    let listed = try fixture.weir("feeds", "--changed")
    #expect(
      listed.output
        == "1\thttps://one.example/feed\tinterval=60 (configuration), headers=set (configuration)\n"
    )
    let objects = try fixture.weir("feeds", "--changed", "--json").objects()
    #expect(objects.count == 1)
    let settings = objects[0]["settings"] as? [[String: Any]]
    #expect(settings?.first?["name"] as? String == "interval")
    #expect(settings?.first?["value"] as? String == "60")
    #expect(settings?.first?["isConfigured"] as? Bool == true)
  }

  @Test("A focus on an unknown folder is an error before the reader starts")
  func unknownFocus() throws {
    let outcome = try CommandFixture().weir("--focus", "play")
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("There is no folder \u{201C}play\u{201D}"), "\(outcome)")
  }

  @Test("An input in which no feed is found is reported with its kind")
  func discoveredInput() throws {
    let text = try fixture.weir("discover", "-", input: "Hello")
    #expect(text.code == 1 && text.errors == "weir: The input has no feed: it is plain text.\n")
    let page = try fixture.weir("discover", "-", input: "<html><body>Hello</body></html>")
    #expect(page.code == 1 && page.errors.contains("The input has no feed: it is a web page"))
  }

  @Test("A configuration error is reported with line and key, and affects only that setting")
  func configuration() throws {
    #expect(try fixture.weir("config", "path").output == fixture.configuration.path + "\n")
    #expect(try fixture.weir("config", "check").code == 0)

    try fixture.file(
      ".config/weir/config.toml",
      """
      # Mine.
      [sync]
      per-host = 2

      [reader]
      theme = "mono"
      text-width = "wide"

      [keys]
      refresh = ["r"]
      fly = ["f"]
      """)
    let feeds = try fixture.weir("feeds", "--json")
    #expect(feeds.code == 0)
    #expect(
      feeds.errors.contains("reader.text-width: a whole number from 20 to 1000 expected, line 7"))
    let check = try fixture.weir("config", "check")
    #expect(check.code == 1)
    #expect(
      check.errors.contains("reader.text-width: a whole number from 20 to 1000 expected, line 7"))
    #expect(check.errors.contains("keys.fly: there is no such command, line 11"))

    try fixture.file(".config/weir/config.toml", "\n\n\n\n\n\n[sync\nx = 1\n")
    #expect(try fixture.weir("config", "check").errors.contains("line 7"))
    #expect(try fixture.weir("doctor").code == 1)
    let missing = try fixture.weir("--config", "/nonexistent/config.toml", "config", "check")
    #expect(missing.code == 1)
    #expect(missing.errors.contains("there is no folder /nonexistent"))
  }

  @Test("Problems of rules.toml are reported like those of the configuration")
  func rulesFile() throws {
    let rule = "[[rule]]\nquery = \"title:x\"\nactions = [\"hide\"]\n"
    let path = try fixture.file(".config/weir/rules.toml", rule)
    #expect(try fixture.weir("config", "check").code == 0)
    #expect(try fixture.weir("doctor").code == 0)
    try fixture.file(".config/weir/rules.toml", rule + "unless = \"y\"\n")
    let check = try fixture.weir("config", "check")
    #expect(check.code == 1, "\(check)")
    #expect(check.errors.contains("\(path): Rule 1: unknown key unless."), "\(check)")
    let doctor = try fixture.weir("doctor")
    #expect(doctor.code == 1, "\(doctor)")
    #expect(
      doctor.output.contains("rules.toml: 1 problem\n  Rule 1: unknown key unless.\n"), "\(doctor)")
  }

  @Test("Every printed default is accepted as configuration") func defaultConfiguration() throws {
    let defaults = try fixture.weir("config", "default").output
    let uncommented = defaults.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.wholeMatch(of: /#([a-z-]+ = .*)/).map { String($0.1) } ?? String($0) }
      .joined(separator: "\n")
    #expect(uncommented.contains("\nautomatic = true"))
    try fixture.file(".config/weir/config.toml", uncommented)
    let check = try fixture.weir("config", "check")
    #expect(check.code == 0, "\(check.errors)")
  }

  @Test("An unusable, damaged or newer data directory is reported in a sentence with exit code 2")
  func brokenData() throws {
    let damaged = try CommandFixture()
    try damaged.file(".local/share/weir/weir.db", String(repeating: "no database ", count: 1000))
    let outcome = try damaged.weir("feeds")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("damaged"))
    #expect(outcome.errors.split(separator: "\n").count == 1)

    let blocked = try CommandFixture()
    try blocked.file(".local/share/weir", "a file in the way")
    #expect(try blocked.weir("feeds").code == 2)

    // Root may write everywhere.
    guard getuid() != 0 else { return }
    let readOnly = try CommandFixture()
    try readOnly.weir("add", "--unchecked", "https://example.org/")
    chmod(readOnly.dataDirectory.path, 0o500)
    let refused = try readOnly.weir("feeds")
    #expect(refused.code == 2)
    #expect(refused.errors.contains("--data-dir"))
  }

  @Test("Without a terminal, the reader reports that and does not start") func noTerminal() throws {
    let outcome = try CommandFixture().weir()
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("needs a terminal"))
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test("A parsed document is JSON on standard output, and a failure is a reason and exit code 1")
  func parsing() throws {
    let feed = try fixture.file("feed.xml", Feeds.rss("T", ["A", "B"]))
    let parsed = try fixture.weir("parse", feed).json() as? [String: Any]
    #expect((parsed?["items"] as? [Any])?.count == 2)
    let refused = try fixture.weir("parse", "-", input: "<html><p>no</html>")
    #expect(refused.code == 1)
    #expect(refused.errors.hasPrefix("weir: "))
    let outline = try fixture.weir(
      "parse-opml", "-", input: Feeds.opml([("A", "https://a.example/")]))
    #expect(try outline.objects().first?["xmlUrl"] as? String == "https://a.example/")
  }
}
