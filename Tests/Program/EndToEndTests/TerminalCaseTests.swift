@Suite("The reader in terminals of many kinds", .ownThreads, .countsFailures)
struct TerminalCaseTests {
  let fixture: CommandFixture
  private static let title = "Ünïcode 漢字 😀 \u{301}x"

  init() throws {
    let (fixture, origin) = try CommandFixture.online()
    self.fixture = fixture
    origin.on("/feed", .answer(Feeds.rss(Self.title, ["Erste — “Zeile”", "二番目"])))
    try fixture.weir("add", "--unchecked", origin.url("/feed"))
    try fixture.weir("sync")
  }

  @Test(
    "The reader starts, accepts keys and restores the terminal",
    arguments: [
      ("xterm-256color", "C.UTF-8", 80, 24), ("xterm-256color", "C", 80, 24),
      ("vt100", "C", 80, 24), ("vt100", "C.UTF-8", 80, 24), ("linux", "C.UTF-8", 80, 25),
      ("tmux-256color", "POSIX", 120, 40), ("xterm-256color", "C.UTF-8", 1, 1),
      ("vt100", "C", 1, 1), ("xterm-256color", "C.UTF-8", 2, 500),
      ("xterm-256color", "C.UTF-8", 500, 200),
    ])
  func kinds(type: String, locale: String, columns: Int, rows: Int) throws {
    let environment = fixture.environment.merging(["TERM": type, "LC_ALL": locale]) { $1 }
    let terminal = try PseudoTerminal(
      [CommandFixture.program, "--offline"], columns: columns, rows: rows, environment: environment)
    let deadline = Patience.end
    while terminal.isCooked, ContinuousClock.now < deadline { terminal.read(wait: 0.02) }
    for key in ["G", "\r", "\r", " ", "?", "q", "S", "q", "j", "k"] {
      terminal.send(key, quiet: 0.05)
    }
    #expect(terminal.quit()?.exitCode == 0)
    terminal.waitUntilIdle(quiet: 0.05)
    #expect(terminal.isCooked)
    let output = terminal.output
    if locale != "C.UTF-8" { #expect(output.allSatisfy { $0 < 0x80 }) }
    switch type {
    case "xterm-256color":
      let stream = TerminalStream(output)
      #expect(stream.faults == [])
      #expect(stream.isAtRest)
    case "vt100":
      // Only known sequences are sent: no private mode beyond terminfo's, no title, no link.
      let text = String(decoding: output, as: UTF8.self)
      #expect(!text.contains(/\u{1B}\[\?\d{3,}/) && !text.contains("\u{1B}]"))
      #expect(text.contains("\u{1B}["))
    default: break
    }
  }

  @Test("A report of another colour scheme asks for the background and changes the theme")
  func schemes() throws {
    let environment = fixture.environment.merging([
      "TERM": "xterm-256color", "COLORTERM": "truecolor", "COLORFGBG": "",
    ]) { $1 }
    let terminal = try PseudoTerminal(
      [CommandFixture.program, "--offline"], environment: environment)
    _ = try #require(terminal.wait(for: "Starred", quiet: 0.3))
    #expect(TerminalStream(terminal.output).modes.contains(2031))
    func queries() -> Int {
      String(decoding: terminal.output, as: UTF8.self).ranges(of: "\u{1B}]11;?").count
    }
    #expect(queries() == 1)
    terminal.send("\u{1B}]11;rgb:0000/0000/0000\u{1B}\\\u{1B}[?62c", quiet: 0.3)
    let before = terminal.output.count
    terminal.send("\u{1B}[?997;2n", quiet: 0.3)
    #expect(queries() == 2)
    terminal.send("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}[?62c", quiet: 0.3)
    // The same rows in other colours.
    let drawn = String(decoding: terminal.output[before...], as: UTF8.self)
    #expect(drawn.contains("Starred"), "\(drawn.debugDescription)")
    #expect(terminal.quit()?.exitCode == 0)
    terminal.waitUntilIdle(quiet: 0.05)
    #expect(TerminalStream(terminal.output).isAtRest)
  }

  @Test("The doctor names what the terminal answers and what keys send, and needs a terminal")
  func doctor() throws {
    let environment = fixture.environment.merging([
      "TERM": "xterm-256color", "COLORTERM": "", "COLORFGBG": "", "LC_ALL": "C.UTF-8",
    ]) { $1 }
    let terminal = try PseudoTerminal(
      [CommandFixture.program, "doctor", "--terminal"], environment: environment)
    _ = try #require(terminal.wait(for: "]11;?"))
    terminal.send("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}[?62;4c")
    _ = try #require(terminal.wait(for: "漢字"))
    terminal.send("\u{1B}[9;14R")
    _ = try #require(terminal.wait(for: "q ends"))
    terminal.send("\u{1B}[1;5C")
    _ = try #require(terminal.wait(for: "Right"))
    #expect(terminal.quit("q")?.exitCode == 0)
    terminal.waitUntilIdle(quiet: 0.05)
    #expect(terminal.isCooked)
    let text = String(decoding: terminal.output, as: UTF8.self)
    for part in [
      "Colours: 256", "Background: light", "Pictures: pixels, as sixels",
      "wide: 13 columns instead of 12", "not measured", "Clipboard: by OSC 52",
      "ESC [ 1 ; 5 C   Right",
    ] {
      #expect(text.contains(part), "\(part) is missing in \(text)")
    }
    let piped = try fixture.weir("doctor", "--terminal")
    #expect(piped.code == 2 && piped.errors.contains("needs a terminal") && piped.output.isEmpty)
    #expect(try fixture.weir("doctor", "--terminal", "--json").code == 64)
  }

  @Test("News about keys is shown once after an upgrade, and not at the first start")
  func keyNews() throws {
    func session(_ check: (PseudoTerminal) throws -> Void) throws {
      let terminal = try PseudoTerminal(
        [CommandFixture.program, "--offline"], environment: fixture.environment)
      _ = try #require(terminal.wait(for: "Starred", quiet: 0.3))
      try check(terminal)
      #expect(terminal.quit()?.exitCode == 0)
    }
    func hasNews(_ terminal: PseudoTerminal) -> Bool {
      String(decoding: terminal.output, as: UTF8.self).contains("New keys since")
    }
    try session { #expect(!hasNews($0)) }
    let state = fixture.home.appending(path: ".local/state/weir/state.json")
    let text = try String(contentsOf: state, encoding: .utf8)
    try text.replacing(/"version" : "[^"]*"/, with: "\"version\" : \"0.0.9\"")
      .write(to: state, atomically: true, encoding: .utf8)
    try session { #expect(hasNews($0)) }
    try session { #expect(!hasNews($0)) }
  }

  @Test(
    "Input that no terminal sends is ignored, and the next key is answered",
    arguments: [
      "\u{1B}]11;" + String(repeating: "jQ", count: 60_000) + "\u{7}",
      "\u{1B}P" + String(repeating: "+q;Q", count: 30_000) + "\u{1B}\\",
      "\u{1B}[" + String(repeating: "1;", count: 60_000) + "A",
      String(repeating: "\u{1B}[<99999999999999999999;-1;9223372036854775808M", count: 500),
      String(repeating: "\u{1B}[<0;65536;65536M\u{1B}[1114112u\u{1B}[55296;99999u", count: 500),
    ])
  func input(bytes: String) throws {
    let terminal = try PseudoTerminal(
      [CommandFixture.program, "--offline"],
      environment: fixture.environment.merging(["COLUMNS": "30000", "LINES": "30000"]) { $1 })
    _ = try #require(terminal.wait(for: "Starred", quiet: 0.3))
    var rest = bytes.utf8[...]
    while !rest.isEmpty {
      terminal.send(String(Substring(rest.prefix(2_000))))
      rest = rest.dropFirst(2_000)
      terminal.read(wait: 0)
    }
    let before = terminal.output.count
    terminal.send("??")
    _ = try #require(terminal.wait(for: "Moving", from: before))
    #expect(Spawn.peakMemory(of: terminal.process) < 150 << 20 || CommandFixture.isInstrumented)
    #expect(terminal.quit()?.exitCode == 0)
    #expect(TerminalStream(terminal.output).faults == [])
  }

  @Test("When the terminal vanishes, the reader ends and leaves a sound cache")
  func vanishes() throws {
    let terminal = try PseudoTerminal([CommandFixture.program], environment: fixture.environment)
    _ = try #require(terminal.wait(for: "Starred", quiet: 0.3))
    terminal.vanish()
    let usage = try #require(terminal.waitForExit())
    #expect(usage.exitCode == 128 + SIGHUP)
    #expect(try fixture.weir("doctor").code == 0)
  }

  @Test("After many resizes, stops and continuations, the screen equals that of a fresh start")
  func storms() throws {
    let size = (columns: 90, rows: 22)
    func open() throws -> PseudoTerminal {
      let terminal = try PseudoTerminal(
        [CommandFixture.program, "--offline"], columns: size.columns, rows: size.rows,
        environment: fixture.environment)
      _ = try #require(terminal.wait(for: "Starred", quiet: 0.3))
      return terminal
    }
    let fresh = try open()
    /// Returns the output of a full redraw.
    func screen(_ terminal: PseudoTerminal) -> [UInt8] {
      let start = terminal.output.count
      terminal.send("\u{C}", quiet: 0.3)
      return Array(terminal.output[start...])
    }
    let expected = screen(fresh)
    #expect(expected.count > 300)

    let stormy = try open()
    var random = SeededRandom(seed: 3)
    let resizes = Soak.length(short: 50, long: 1_000)
    for _ in 0..<resizes {
      stormy.resize(
        columns: Int.random(in: 1...500, using: &random),
        rows: Int.random(in: 1...200, using: &random))
      stormy.read(wait: 0.005)
    }
    let stops = Soak.length(short: 5, long: 50)
    for _ in 0..<stops {
      kill(stormy.process, SIGSTOP)
      stormy.read(wait: 0.01)
      kill(stormy.process, SIGCONT)
      stormy.read(wait: 0.01)
    }
    stormy.resize(columns: size.columns, rows: size.rows)
    stormy.waitUntilIdle()
    // On a busy machine the terminal may fall silent before the program has read the last size.
    let end = Patience.end
    var shown = screen(stormy)
    while shown != expected, ContinuousClock.now < end { shown = screen(stormy) }
    #expect(shown.elementsEqual(expected))
    for terminal in [fresh, stormy] {
      #expect(terminal.quit()?.exitCode == 0)
      terminal.waitUntilIdle(quiet: 0.05)
      let stream = TerminalStream(terminal.output)
      #expect(stream.faults == [])
      #expect(stream.isAtRest)
    }
    Soak.report(
      "sizes in a storm, SIGSTOP and SIGCONT", "\(resizes) sizes, \(stops) stops",
      "the screen of a fresh start")
  }
}
