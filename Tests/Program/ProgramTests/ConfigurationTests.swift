import SoakSupport

@testable import ProgramSettings
@testable import ReaderServices
@testable import TerminalViews
@testable import weir

@Suite("The configuration file") struct ConfigurationTests {
  @Test("An empty file gives the defaults") func empty() {
    let file = read("# nothing\n")
    #expect(file.configuration == UserConfiguration())
    #expect(file.problems.isEmpty)
  }

  @Test("A file with random changes is read to its end") func mutations() {
    var random = SeededRandom(seed: 3)
    let defaults = Setting.defaultFile.utf8.filter { $0 != UInt8(ascii: "#") }
    let pieces = [
      "[", "]", "{", "\"", "'''", "\"\"\"", ".", "=", "\\", "\n", "a.", "\u{FEFF}", "9",
    ]
    for _ in 0..<Soak.length(short: 100, long: 4_000) {
      var bytes = defaults
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 0...9, using: &random))
        let piece = pieces[Int.random(in: 0..<pieces.count, using: &random)]
        let times = Int.random(in: 0...3, using: &random) * 20
        bytes.replaceSubrange(place..<end, with: String(repeating: piece, count: times).utf8)
      }
      let file = read(String(decoding: bytes, as: UTF8.self))
      #expect(file.problems.allSatisfy { !$0.text.isEmpty && $0.line ?? 1 > 0 })
    }
  }

  @Test("Limits of downloads are read, and invalid and unknown ones are reported")
  func downloads() {
    let file = read(
      """
      [downloads]
      per-day = 500
      per-month = 0
      parallel = 2
      [keep]
      downloads = 14
      """)
    #expect(file.problems.isEmpty, "\(file.problems)")
    let engine = file.configuration.engine(directory: "/tmp")
    #expect(engine.downloadsPerDay == 500_000_000 && engine.downloadsPerMonth == nil)
    #expect(engine.parallelDownloads == 2)
    #expect(file.configuration.retention.downloadDays == 14)
    let wrong = read("[downloads]\nhours = \"22:00-07:00\"\nper-day = -1\nparallel = 0")
    #expect(
      wrong.problems.map(\.message) == [
        "downloads.hours: unknown setting",
        "downloads.per-day: a whole number from 0 to 10000000 expected",
        "downloads.parallel: a whole number from 1 to 16 expected",
      ])
  }

  @Test("Options of one feed are read, and apply only below its address") func feedOptions() {
    let file = read(
      """
      [feeds."https://a.example/news/"]
      interval = 30
      headers = ["X-Key: 1", "X-Other: 2"]
      cookies = "~/c.txt"
      keep-articles = 100
      full-text = true
      sort = "oldest"
      mark-read = "passed"
      proxy = ""
      user-agent = "Other/1"
      """)
    #expect(file.problems.isEmpty)
    let options = file.configuration.feedOptions("https://a.example/news/feed.xml")
    #expect(options.interval == .seconds(1_800))
    #expect(options.headers == "X-Key: 1\nX-Other: 2")
    #expect(options.keepArticles == 100 && options.fullText == true && options.sort == .oldest)
    #expect(options.markRead == .passed && options.cookies == "~/c.txt" && options.proxy == "")
    let settings = file.configuration.feedSettings("https://a.example/news/feed.xml")
    #expect(settings.userAgent == "Other/1" && settings.proxy == .none)
    #expect(settings.options == options)
    for url in ["https://a.example/newspaper", "http://a.example/news/", "https://b.example/news/"]
    {
      #expect(file.configuration.feedOptions(url).isEmpty)
    }
  }

  @Test(
    "An invalid option of a feed is reported with the expected values",
    arguments: [
      ("interval = 5", "minutes from 15 to 10080 expected"),
      ("headers = \"Host: x\"", "a list of texts such as \"Name: value\" expected"),
      ("cookies = \"c.txt\"", "a path that begins with / or ~/ expected"),
      ("sort = \"best\"", "one of \"newest\""), ("mark-read = 1", "one of \"opened\""),
      ("full-text = \"yes\"", "true or false expected"),
    ])
  func feedOptionProblems(line: String, expected: String) {
    let file = read("[feeds.\"https://a.example/\"]\n\(line)")
    #expect(file.problems.first?.text.contains(expected) == true)
    #expect(file.problems.first?.line == 2)
  }

  @Test("The handling of a program's output is read and checked") func programOutput() {
    let file = read(
      """
      [programs]
      summary = { command = ["s"], output = "show" }
      speak = ["e"]
      bad = { command = ["b"], output = "loud" }
      """)
    #expect(file.configuration.programs["summary"]?.output == .show)
    #expect(file.configuration.programs["speak"]?.output == nil)
    #expect(
      file.problems.map(\.text) == [
        "programs.bad.output: one of \"show\", \"replace\", \"background\" expected"
      ])
  }

  @Test("An application's id and key are sent only with requests to its account's server")
  func applicationKeys() {
    let file = read(
      """
      [accounts."https://www.inoreader.com"]
      app-id = "1"
      app-key = "k"
      [accounts."https://b.example/"]
      app-id = "1"
      """)
    let settings = file.configuration.feedSettings
    #expect(settings("https://www.inoreader.com").accountHeaders == "AppId: 1\nAppKey: k")
    #expect(settings("https://www.inoreader.com/reader").accountHeaders != nil)
    #expect(settings("https://www.inoreader.com/reader").options.headers == nil)
    #expect(settings("https://www.inoreader.com.evil.example/").accountHeaders == nil)
    #expect(settings("https://b.example/").accountHeaders == nil)
    #expect(
      file.configuration.accounts.passwordCommand(url: "https://www.inoreader.com", user: "u")
        == nil)
    #expect(file.problems.contains { $0.text.contains("app-key") })
  }

  @Test("An account's label for Later is read, and a Fever account has none") func laterLabel() {
    let file = read(
      """
      [accounts."https://a.example/greader.php"]
      later = "Read later"
      [accounts."https://b.example/api/fever.php"]
      later = "Read later"
      [accounts."https://c.example/"]
      later = " "
      """)
    let label = file.configuration.engine(directory: "/").laterTag
    func account(_ url: String) -> Account {
      Account(id: AccountID(rawValue: 1), kind: .googleReader, url: url, user: "u", title: "A")
    }
    #expect(label(account("https://a.example/greader.php")) == "Read later")
    #expect(label(account("https://other.example/")) == nil)
    #expect(
      file.problems.map(\.text) == [
        "accounts.\"https://b.example/api/fever.php\".later: Fever has no labels",
        "accounts.\"https://c.example/\".later: a label expected",
      ])
  }

  @Test("Every kind of setting is read") func settings() {
    let file = read(
      """
      [sync]
      automatic = false
      per-host = 4
      [reader]
      theme = "mono"
      mark-passed = true
      wrap-code = false
      [open]
      browser = ["firefox", "--new-tab"]
      [log]
      level = "debug"
      [keys]
      refresh = "ctrl-r"
      "refresh-all" = ["R", "f5"]
      quit = []
      [bindings]
      X = ["toggle-star", "open-in-browser"]
      [bindings.reader]
      "g t" = "theme light"
      """)
    #expect(file.problems.isEmpty)
    #expect(!file.configuration.isAutomatic)
    #expect(file.configuration.perHost == 4)
    let (engine, usual) = (
      file.configuration.engine(directory: "/"), UserConfiguration().engine(directory: "/")
    )
    #expect(engine.perHost == 4 && usual.perHost == nil)
    #expect(file.configuration.theme == "mono")
    let screens = file.configuration.screens(guideURL: "", environment: [:])
    #expect(screens.marksPassed && !screens.wrapsCode)
    let usualScreens = UserConfiguration().screens(guideURL: "", environment: [:])
    #expect(!usualScreens.marksPassed && usualScreens.wrapsCode)
    #expect(file.configuration.browser == ["firefox", "--new-tab"])
    #expect(file.configuration.logLevel == .debug)
    #expect(
      file.configuration.keys == ["refresh": ["ctrl-r"], "refresh-all": ["R", "f5"], "quit": []])
    #expect(
      file.configuration.bindings == [
        KeyBinding(keys: "X", commands: ["toggle-star", "open-in-browser"]),
        KeyBinding(keys: "g t", commands: ["theme light"], context: .reader),
      ])
  }

  @Test(
    "An invalid setting is reported with its name and line, and the others apply",
    arguments: [
      ("[sync]\nper-host = \"2\"", 2, "sync.per-host: a whole number from 1 to 16 expected"),
      ("[sync]\nper-host = 2.0", 2, "sync.per-host: a whole number from 1 to 16 expected"),
      ("[sync]\nper-host = 0", 2, "sync.per-host: a whole number"),
      ("[sync]\nautomatic = 1", 2, "sync.automatic: true or false expected"),
      ("[reader]\n\ntheme = \"pink\"", 3, "reader.theme: \"auto\", \"terminal\", \"dark\""),
      ("[reader]\ntheme = \"drak\"", 2, "did you mean dark?"),
      ("reader.theme = \"pink\"", 1, "reader.theme: \"auto\""),
      ("reader = { theme = \"pink\" }", 1, "reader.theme: \"auto\""),
      ("[open]\nbrowser = []", 2, "open.browser: a list of texts"),
      ("[open]\nbrowser = [1]", 2, "open.browser: a list of texts"),
      ("[sync]\n[weather]\nsun = 1", 2, "weather: unknown setting"),
      ("[sync]\nsun = 1", 2, "sync.sun: unknown setting"),
      ("[sync]\ntheme = \"dark\"", 2, "sync.theme: unknown setting; did you mean reader.theme?"),
      ("theme = \"dark\"", 1, "theme: unknown setting; did you mean reader.theme?"),
      ("sync = 3", 1, "sync: a table expected, [sync]"),
      ("[[sync]]\nper-host = 1", 1, "sync: a table expected"),
      ("[keys]\nfly = \"f\"", 2, "keys.fly: there is no such command"),
      ("[keys]\nrefesh = \"f\"", 2, "did you mean refresh?"),
      ("[sync]\nperhost = 1", 2, "sync.perhost: unknown setting; did you mean sync.per-host?"),
      ("[raeder]\ntheme = \"mono\"", 1, "raeder: unknown setting; did you mean reader?"),
      ("[bindings]\nX = 3", 2, "bindings.X: a command or a list of commands"),
      ("[bindings]\nX = [\"quit\", \"fly\"]", 2, "bindings.X: there is no command"),
      ("[bindings]\nX = \"quit now\"", 2, "quit takes no argument"),
      ("[bindings]\nctrl-foo = \"quit\"", 2, "isn\u{2019}t a key"),
      ("[bindings.raeder]\nX = \"quit\"", 1, "did you mean bindings.reader?"),
      ("[bindings.reader]\nX = \"qit\"", 2, "did you mean quit?"),
      ("[bindings]\n\"g t\" = \"theme ligth\"", 2, "bindings.g t: theme has no"),
      ("[bindings]\nX = [\"quit\", \"theme ligth\"]", 2, "did you mean light?"),
      ("[bindings.feeds]\nX = \"sort newest\"", 2, "valid values: own, name, unread, latest"),
      ("[bindings.articles]\nX = \"sort latest\"", 2, "valid values: newest, oldest, feed"),
      ("[keys]\nrefresh = \"ctrl-foo\"", 2, "isn\u{2019}t a key"),
      ("[keys]\npage-down = [\"pagedwon\"]", 2, "isn\u{2019}t a key"),
      ("[keys]\nrefresh = 3", 2, "keys.refresh: a key or a list of keys"),
      ("[programs]\na = 1", 2, "programs.a: a list of texts"),
      ("[programs.a]\ncommand = \"x\"\nterminal = 1", 3, "programs.a.terminal: true or false"),
      ("[programs.a]\ncommand = \"x\"\nterminl = true", 3, "did you mean programs.a.terminal?"),
      (
        "[feeds.\"https://u:pw@a.example/\"]\nproxi = \"\"", 2,
        "proxi: unknown setting; did you mean proxy?"
      ),
      (
        "[feeds.\"https://a.example/\"]\nproxy = 1", 2,
        "\"https://a.example/\".proxy: \"\" for none"
      ),
      ("[feeds]\n\"ftp://a.example/\" = {}", 2, "an address that begins with https://"),
      ("[feeds.\"https://a.example/\"]\npassword = \"x\"", 1, "a username expected"),
    ])
  func problems(text: String, line: Int, reason: String) {
    let file = read(text + "\n[log]\nlevel = \"info\"\n")
    #expect(file.problems.count == 1)
    #expect(file.problems.first?.line == line)
    #expect(file.problems.first?.message.contains(reason) == true, "\(file.problems)")
    #expect(file.problems.first?.described.contains("pw") == false)
    #expect(file.configuration.logLevel == .info)
  }

  @Test("Commands are bound with their arguments, in the places that accept them")
  func arguments() {
    let file = read(
      """
      [bindings]
      W = "sort latest"
      X = "sort oldest"
      Y = ["theme auto", "tag later", "pipe wc -l"]
      [bindings.articles]
      Z = "sort newest"
      """)
    #expect(file.problems.isEmpty, "\(file.problems)")
    #expect(file.configuration.bindings.count == 4)
  }

  @Test("A binding in one place overrides a binding everywhere, whatever the key") func places() {
    let file = read("[bindings]\ns = \"quit\"\n[bindings.reader]\ns = \"bookmark\"\n")
    #expect(file.problems.isEmpty)
    #expect(
      file.configuration.bindings == [
        KeyBinding(keys: "s", commands: ["quit"]),
        KeyBinding(keys: "s", commands: ["bookmark"], context: .reader),
      ])
  }

  @Test(
    "A reload reports the settings that take effect only at the next start",
    arguments: [
      ("[reader]\ntheme = \"mono\"\n[notify]\npause = 9", nil),
      ("[sync]\nper-host = 3\n[log]\nlevel = \"info\"", "[sync] and [log] take effect"),
      ("[feeds.\"https://a.example/\"]\nproxy = \"\"", "[feeds] takes effect"),
      ("[accounts.\"https://a.example/\"]\npassword-command = \"pass\"", "[accounts] takes effect"),
      ("[accounts]\ninterval = 5", "[accounts] takes effect"),
      (
        "[sync]\nper-host = 3\n[keep]\ndays = 3\n[open]\ndownloads = \"/srv\"",
        "[sync], [keep] and open.downloads take effect"
      ),
      ("[keep]\ndownloads = 7", "[keep] takes effect"),
      ("[downloads]\nparallel = 1", "[downloads] takes effect"),
    ] as [(String, String?)])
  func restart(text: String, what: String?) {
    let file = read(text)
    #expect(file.problems.isEmpty, "\(file.problems)")
    let rest = what.map { "; \($0) at the next start" } ?? ""
    #expect(
      file.configuration.readAgain(since: UserConfiguration())
        == "Configuration reloaded\(rest)")
    #expect(file.configuration.readAgain(since: file.configuration) == "Configuration reloaded")
  }

  @Test("The printed defaults contain every setting with its default") func defaults() {
    let text = Setting.defaultFile
    let uncommented = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("# ") || line == "#" ? "" : line.hasPrefix("#") ? line.dropFirst() : line
    }.joined(separator: "\n")
    let file = read(uncommented)
    #expect(file.problems.isEmpty, "\(file.problems)")
    #expect(file.configuration.isAutomatic == UserConfiguration().isAutomatic)
    for setting in Setting.all where ["reader", "lists", "keep"].contains(setting.table) {
      #expect(!setting.differs(file.configuration.values, SettingValues()), "\(setting.path)")
    }
    let lines = KeyLines(uncommented)
    for setting in Setting.all {
      let place = setting.isExpert ? [Setting.expertTable] : []
      #expect(lines.exactLine(of: place + [setting.table, setting.name]) != nil)
    }
  }
}

/// Returns the configuration in a file of this text.
func read(_ text: String) -> ConfigurationFile {
  var file = ConfigurationFile()
  file.read(text)
  return file
}
