import ReaderUI
import SyncEngine
import TestSupport
import Testing

@testable import weir

@Suite("The configuration file")
struct ConfigurationTests {
  private func read(_ text: String) -> ConfigurationFile {
    var file = ConfigurationFile()
    file.read(text)
    return file
  }

  @Test("An empty file is the defaults")
  func empty() {
    let file = read("# nothing\n")
    #expect(file.configuration == Configuration())
    #expect(file.problems.isEmpty)
  }

  @Test("Whatever becomes of the text, it is read to its end")
  func mutations() {
    var random = SeededRandom(seed: 3)
    let defaults = PackageResources.config_toml.filter { $0 != UInt8(ascii: "#") }
    let pieces = [
      "[", "]", "{", "\"", "'''", "\"\"\"", ".", "=", "\\", "\n", "a.", "\u{FEFF}", "9",
    ]
    for _ in 0..<400 {
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

  @Test(
    "Dots count outside of texts, and only within one statement",
    arguments: [
      (String(repeating: "a.", count: 201) + "b = 1", 1),
      ("x = 1\n[" + String(repeating: "a.", count: 300) + "b]", 2),
      ("x = [\n\n" + String(repeating: "1.5, ", count: 300) + "]", 3),
      ("x = \"" + String(repeating: "a.", count: 300) + "\"", nil),
      ("x = \"\\\"" + String(repeating: "a.", count: 300) + "\"", nil),
      ("x = '\\' # " + String(repeating: "a.", count: 300), nil),
      ("x = \"\"\"\n" + String(repeating: "\"a.", count: 300) + "\"\"\"", nil),
      (String(repeating: "a.b = 1\n", count: 300), nil),
    ] as [(String, Int?)])
  func dots(text: String, line: Int?) { #expect(KeyDepth.excess(in: text) == line) }

  @Test("Every kind of setting is read")
  func settings() {
    let file = read(
      """
      [sync]
      automatic = false
      per-host = 4
      [reader]
      theme = "mono"
      justify = false
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
    #expect(!file.configuration.sync.isAutomatic)
    #expect(file.configuration.sync.perHost == 4)
    let (engine, usual) = (
      file.configuration.engine(directory: "/"), Configuration().engine(directory: "/")
    )
    #expect(engine.perHost == 4 && engine.perMultiplexingHost == 4)
    #expect(usual.perHost == 2 && usual.perMultiplexingHost == 6)
    #expect(file.configuration.reader.theme == "mono")
    #expect(!file.configuration.screens(guideURL: "", environment: [:]).isJustified)
    #expect(Configuration().screens(guideURL: "", environment: [:]).isJustified)
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
    "What has no effect is told with its line, and the rest is in force",
    arguments: [
      ("[sync]\nper-host = \"2\"", 2, "sync.per-host must be a whole number from 1 to 16"),
      ("[sync]\nper-host = 2.0", 2, "sync.per-host must be a whole number from 1 to 16"),
      ("[sync]\nper-host = 0", 2, "sync.per-host must be"),
      ("[sync]\nautomatic = 1", 2, "sync.automatic must be true or false"),
      ("[reader]\n\ntheme = \"pink\"", 3, "reader.theme must be \"auto\", \"terminal\", \"dark\""),
      ("reader.theme = \"pink\"", 1, "reader.theme must be"),
      ("reader = { theme = \"pink\" }", 1, "reader.theme must be"),
      ("[open]\nbrowser = []", 2, "open.browser must be"),
      ("[open]\nbrowser = [1]", 2, "open.browser must be"),
      ("[sync]\n[weather]\nsun = 1", 2, "weather is not known here"),
      ("[sync]\nsun = 1", 2, "sync.sun is not known here"),
      ("sync = 3", 1, "sync must be a table"),
      ("[[sync]]\nper-host = 1", 1, "sync must be a table"),
      ("[keys]\nfly = \"f\"", 2, "keys.fly: there is no such command"),
      ("[keys]\nrefesh = \"f\"", 2, "did you mean refresh?"),
      ("[sync]\nperhost = 1", 2, "sync.perhost is not known here; did you mean sync.per-host?"),
      ("[raeder]\ntheme = \"mono\"", 1, "raeder is not known here; did you mean reader?"),
      ("[bindings]\nX = 3", 2, "bindings.X must be a command or a list of commands"),
      ("[bindings]\nX = [\"quit\", \"fly\"]", 2, "bindings.X: there is no command"),
      ("[bindings]\nX = \"quit now\"", 2, "quit takes nothing behind its name"),
      ("[bindings]\nctrl-foo = \"quit\"", 2, "is no key"),
      ("[bindings.raeder]\nX = \"quit\"", 1, "did you mean bindings.reader?"),
      ("[bindings.reader]\nX = \"qit\"", 2, "did you mean quit?"),
      ("[bindings]\n\"g t\" = \"theme ligth\"", 2, "bindings.g t: theme takes no"),
      ("[bindings]\nX = [\"quit\", \"theme ligth\"]", 2, "did you mean light?"),
      ("[bindings.feeds]\nX = \"sort newest\"", 2, "it takes own, name, unread, latest"),
      ("[bindings.articles]\nX = \"sort unread\"", 2, "it takes newest, oldest"),
      ("[keys]\nrefresh = \"ctrl-foo\"", 2, "is no key"),
      ("[keys]\npage-down = [\"pagedwon\"]", 2, "is no key"),
      ("[keys]\nrefresh = 3", 2, "keys.refresh must be a key or a list of keys"),
    ])
  func problems(text: String, line: Int, reason: String) {
    let file = read(text + "\n[log]\nlevel = \"info\"\n")
    #expect(file.problems.count == 1)
    #expect(file.problems.first?.line == line)
    #expect(file.problems.first?.text.contains(reason) == true, "\(file.problems)")
    #expect(file.configuration.logLevel == .info)
  }

  @Test("Commands are bound with all that they take, where they take it")
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

  @Test("What is bound in one place goes over what is bound everywhere, whatever the key")
  func places() {
    let file = read("[bindings]\ns = \"quit\"\n[bindings.reader]\ns = \"bookmark\"\n")
    #expect(file.problems.isEmpty)
    #expect(
      file.configuration.bindings == [
        KeyBinding(keys: "s", commands: ["quit"]),
        KeyBinding(keys: "s", commands: ["bookmark"], context: .reader),
      ])
  }

  @Test(
    "Of a file that is read again it is said what counts from the next start only",
    arguments: [
      ("[reader]\ntheme = \"mono\"\n[notify]\npause = 9", nil),
      ("[sync]\nper-host = 3\n[log]\nlevel = \"info\"", "[sync] and [log] count"),
      ("[feeds.\"https://a.example/\"]\nproxy = \"\"", "[feeds] counts"),
      (
        "[accounts.\"https://a.example/\"]\npassword-command = \"pass\"", "[accounts] counts"
      ),
      (
        "[sync]\nper-host = 3\n[keep]\ndays = 3\n[open]\ndownloads = \"/srv\"",
        "[sync], [keep] and open.downloads count"
      ),
      ("[keep]\nnew-articles = 7", "[keep] counts"),
    ] as [(String, String?)])
  func restart(text: String, what: String?) {
    let file = read(text)
    #expect(file.problems.isEmpty, "\(file.problems)")
    let rest = what.map { "; \($0) from the next start" } ?? ""
    #expect(
      file.configuration.readAgain(since: Configuration())
        == "The configuration was read again\(rest)")
    #expect(
      file.configuration.readAgain(since: file.configuration) == "The configuration was read again")
  }

  @Test("A mistake in the syntax is told with its line")
  func syntax() {
    let file = read("[sync]\nper-host = 2\nautomatic = maybe\n")
    #expect(file.problems.map(\.line) == [3])
    #expect(file.configuration == Configuration())
  }

  @Test("Keys are found through texts of several lines, quotes and inner tables")
  func lines() {
    let lines = KeyLines(
      """
      [a]
      text = \"\"\"
      [b]
      c = 1
      \"\"\"
      "odd key" = 2
        [ b . 'x y' ]
        c = { d = 1 }
      """)
    #expect(lines.line(of: ["a", "text"]) == 2)
    #expect(lines.line(of: ["a", "odd key"]) == 6)
    #expect(lines.line(of: ["b", "x y", "c"]) == 8)
    #expect(lines.line(of: ["b", "x y", "c", "d"]) == 8)
    #expect(lines.line(of: ["b", "c"]) == nil)
  }

  @Test("The printed defaults hold every setting, and are the defaults")
  func defaults() {
    let text = String(decoding: PackageResources.config_toml, as: UTF8.self)
    let uncommented = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("# ") || line == "#" ? "" : line.hasPrefix("#") ? line.dropFirst() : line
    }.joined(separator: "\n")
    let file = read(uncommented)
    #expect(file.problems.isEmpty, "\(file.problems)")
    #expect(file.configuration.sync.isAutomatic == Configuration().sync.isAutomatic)
    #expect(file.configuration.reader == Configuration().reader)
    let lines = KeyLines(uncommented)
    for setting in Setting.all {
      #expect(lines.line(of: [setting.table, setting.name]) != lines.line(of: [setting.table]))
    }
  }
}
