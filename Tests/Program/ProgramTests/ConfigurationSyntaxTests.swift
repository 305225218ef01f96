@testable import ProgramSettings
@testable import weir

@Suite("The syntax of the configuration file") struct ConfigurationSyntaxTests {
  @Test(
    "A value that is not TOML is reported as the setting that it belongs to",
    arguments: [
      ("[reader]\n\nmark-passed = no", "reader.mark-passed: true or false expected, line 3"),
      ("[reader]\nmark-passed = True", "reader.mark-passed: true or false expected, line 2"),
      ("[reader]\nmark-passed =", "reader.mark-passed: true or false expected, line 2"),
      ("reader.mark-passed = no", "reader.mark-passed: true or false expected, line 1"),
      ("[sync]\nper-host = 2 3", "sync.per-host: a whole number from 1 to 16 expected, line 2"),
      ("[sync]\nper-host = two", "sync.per-host: a whole number from 1 to 16 expected, line 2"),
      (
        "[log]\nlevel = debug",
        "log.level: \"off\", \"error\", \"warning\", \"info\" or \"debug\" expected, line 2"
      ),
      (
        "[open]\nbrowser = [\n  \"a\",\n  oops\n]",
        "open.browser: \(Setting.programForm) expected, line 2"
      ),
      ("[open]\nbrowser = \"a", "open.browser: \(Setting.programForm) expected, line 2"),
      ("[keys]\nquit = q", "keys.quit: \(Setting.keysForm) expected, line 2"),
      ("[bindings.reader]\nX = quit", "bindings.reader.X: \(Setting.bindingForm) expected, line 2"),
      (
        "[sync]\nperhost = two",
        "sync.perhost: unknown setting, line 2; did you mean sync.per-host?"
      ),
      (
        "mark-passed = no",
        "mark-passed: unknown setting, line 1; did you mean reader.mark-passed?"
      ),
      (
        "[!reader]\nmark-passed = false",
        "the name of a table in brackets expected, such as [reader], line 1"
      ),
      (
        "\u{FEFF}[]\nmark-passed = false",
        "the name of a table in brackets expected, such as [reader], line 1"
      ),
      ("[[=", "the name of a table in brackets expected, such as [reader], line 1"),
      ("[reader]\nmark-passed false", "reader.mark-passed: name = value expected, line 2"),
      (
        "[reader\nmark-passed = true",
        "reader: the name of a table in brackets expected, such as [reader], line 1"
      ),
      (
        "[reader]\nmark-passed = false\nmark-passed = true",
        "reader.mark-passed: set twice, line 3; the first is in line 2"
      ),
      (
        "[reader]\n[sync]\n[reader]\nmark-passed = false",
        "[reader]: a second table of this name, line 3; the first is in line 1"
      ),
      (
        "[accounts]\ninterval = 15min",
        "accounts.interval: a whole number from 1 to 1440 expected, line 2"
      ),
      (
        "[accounts.\"https://a.example\"]\npassword-command = pass show a",
        "accounts.\"https://a.example\".password-command: \(Setting.programForm) expected, line 2"
      ),
      (
        "[feeds]\ninterval = 60m",
        "feeds.\"interval\": an address that begins with https:// or http:// expected, line 2"
      ),
      (
        "[themes.dusk]\naccent = red",
        "themes.dusk.accent: a style such as \"bold #f4f6f8 on #14171c\" expected, line 2"
      ),
      (
        "[feeds.\"https://u:pw@a.example/\"]\nproxy = none",
        "feeds.\"https://***@a.example/\".proxy: \(Setting.proxyForm) expected, line 2"
      ),
    ])
  func syntaxOfValues(text: String, reason: String) {
    let file = read(text + "\n[notify]\npause = 9\n")
    #expect(file.problems.map(\.described) == [reason])
    #expect(file.configuration.notificationPause == 9)
    #expect(!file.configuration.marksPassed)
  }

  @Test("Every mistake of a file is reported, in the order of the lines") func severalMistakes() {
    let file = read(
      """
      [reader]
      mark-passed = no
      mark-after = many
      theme = "pink"
      [sync]
      per-host = 3
      conections = 4
      [log
      level = "info"
      [keep]
      days = 0x
      """)
    #expect(file.problems.map(\.line) == [2, 3, 4, 7, 8, 11])
    #expect(file.configuration.perHost == 3)
  }

  @Test("Keys are found through texts of several lines, quotes and inner tables") func lines() {
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

  @Test(
    "Dots count only outside of texts and within one statement",
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
  func dots(text: String, line: Int?) { #expect(KeyLines(text).excess == line) }
}
