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

  @Test("Every kind of setting is read")
  func settings() {
    let file = read(
      """
      [sync]
      automatic = false
      per-host = 4
      [reader]
      theme = "mono"
      [open]
      browser = ["firefox", "--new-tab"]
      [log]
      level = "debug"
      [keys]
      refresh = "ctrl-r"
      "refresh-all" = ["R", "f5"]
      """)
    #expect(file.problems.isEmpty)
    #expect(!file.configuration.sync.isAutomatic)
    #expect(file.configuration.sync.perHost == 4)
    #expect(file.configuration.reader.theme == "mono")
    #expect(file.configuration.browser == ["firefox", "--new-tab"])
    #expect(file.configuration.logLevel == .debug)
    #expect(
      file.configuration.keys == ["refresh": ["ctrl-r"], "refresh-all": ["R", "f5"]])
  }

  @Test(
    "What has no effect is told with its line, and the rest is in force",
    arguments: [
      ("[sync]\nper-host = \"2\"", 2, "sync.per-host must be a whole number from 1 to 16"),
      ("[sync]\nper-host = 2.0", 2, "sync.per-host must be a whole number from 1 to 16"),
      ("[sync]\nper-host = 0", 2, "sync.per-host must be"),
      ("[sync]\nautomatic = 1", 2, "sync.automatic must be true or false"),
      ("[reader]\n\ntheme = \"pink\"", 3, "reader.theme must be \"default\" or \"mono\""),
      ("reader.theme = \"pink\"", 1, "reader.theme must be"),
      ("reader = { theme = \"pink\" }", 1, "reader.theme must be"),
      ("[open]\nbrowser = []", 2, "open.browser must be"),
      ("[open]\nbrowser = [1]", 2, "open.browser must be"),
      ("[sync]\n[weather]\nsun = 1", 2, "weather is not known here"),
      ("[sync]\nsun = 1", 2, "sync.sun is not known here"),
      ("sync = 3", 1, "sync must be a table"),
      ("[[sync]]\nper-host = 1", 1, "sync must be a table"),
      ("[keys]\nfly = \"f\"", 2, "keys.fly: there is no such command"),
      ("[keys]\nrefresh = \"ctrl-foo\"", 2, "is no key"),
      ("[keys]\nrefresh = 3", 2, "keys.refresh must be a key or a list of keys"),
    ])
  func problems(text: String, line: Int, reason: String) {
    let file = read(text + "\n[log]\nlevel = \"info\"\n")
    #expect(file.problems.count == 1)
    #expect(file.problems.first?.line == line)
    #expect(file.problems.first?.text.contains(reason) == true, "\(file.problems)")
    #expect(file.configuration.logLevel == .info)
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
}
