/// Tests a real terminal under tmux with `terminalprobe`, which shows a frame of difficult text and
/// the names of the received keys.
@Suite(
  "The terminal under tmux",
  .enabled(if: TmuxRobot.isAvailable, "needs tmux"), .serialized, .ownThreads)
struct TerminalTests {
  /// The path beside the test bundle, which on Linux is a program whose bundle is the folder.
  private static var probe: String {
    let bundle = Bundle(for: Marker.self).bundleURL
    let folder = bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
    return folder.appending(path: "terminalprobe").path
  }
  private final class Marker {}

  private func robot(
    _ columns: Int = 80, _ rows: Int = 24, _ environment: [String: String?] = [:]
  ) throws -> TmuxRobot {
    let clean: [String: String?] = [
      "NO_COLOR": nil, "COLORTERM": nil, "LC_ALL": "C.UTF-8", "ESCDELAY": nil,
    ]
    return try TmuxRobot(columns: columns, rows: rows)
      .start([Self.probe], environment: clean.merging(environment) { $1 })
  }

  @Test(
    "The right border is intact with CJK, emoji and combining marks",
    arguments: [(8, 16), (10, 5), (21, 16), (40, 10), (79, 16), (80, 24), (141, 40), (200, 50)])
  func border(columns: Int, rows: Int) throws {
    let robot = try robot(columns, rows).waitFor("keys:")
    for shift in 0..<2 {
      let ends = try robot.rowEnds()
      let screen = try robot.screen()
      for y in 1..<rows - 1 {
        #expect(ends[y] == columns, "row \(y) of \(columns)×\(rows), shift \(shift): \(screen[y])")
        #expect(screen[y].hasSuffix("│"), "row \(y): \(screen[y])")
      }
      try robot.keys("n").waitFor("keys: n")
    }
  }

  @Test(
    "The program works in windows down to one cell",
    arguments: [(1, 1), (2, 1), (1, 4), (3, 2), (5, 3)])
  func tiny(columns: Int, rows: Int) throws {
    let robot = try robot(columns, rows)
    try robot.waitUntil("something is drawn") { try robot.screen().joined().contains(/[pk]/) }
    try robot.keys("n", "q")
    #expect(try robot.waitForExit() == 0)
  }

  @Test(
    "Terminals of many kinds show the frame, receive keys and are restored",
    arguments: [
      "xterm-256color", "tmux-256color", "screen", "screen-256color", "xterm", "vt100", "linux",
      "rxvt",
    ])
  func types(type: String) throws {
    let robot = try robot(60, 16, ["TERM": type]).waitFor("probe 60x16").waitFor("keys:")
    #expect(try robot.rowEnds()[1...14].allSatisfy { $0 == 60 })
    try robot.keys("j", "C-d", "Escape").waitFor("keys: j Ctrl-d Esc")
    try robot.keys("q").waitFor("probe ended")
    #expect(try robot.waitForExit() == 0)
    #expect(try robot.ask("#{alternate_on}#{mouse_any_flag}#{wrap_flag}#{cursor_flag}") == "0011")
  }

  @Test(
    "A terminal that cannot be drawn on is an error, and no byte is written to it",
    arguments: [
      ("dumb", "noCursorAddressing"), ("no-such-terminal", "unknownType"), ("", "noType"),
      ("../../etc/passwd", "unknownType"), (nil, "noType"),
    ] as [(String?, String)])
  func refused(type: String?, error: String) throws {
    let robot = try robot(100, 8, ["TERM": type])
    #expect(try robot.waitForExit() == 2)
    let lines = try robot.screen().filter { !$0.isEmpty }
    #expect(lines.count == 1 && lines[0].hasPrefix("terminalprobe: \(error)"), "\(lines)")
  }

  @Test("Standard output that is no terminal is an error") func nonTerminalIsAnError() throws {
    let process = Process()
    process.executableURL = URL(filePath: Self.probe)
    process.standardOutput = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let message = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 2)
    #expect(message == "terminalprobe: notATerminal\n")
  }

  @Test("Colours follow what the terminal has") func coloursFollowTerminal() throws {
    let plain = try robot(40, 6, ["NO_COLOR": "1"]).waitFor("mono").colours()
    #expect(!plain.contains(/\u{1B}\[[0-9;]*[34][0-7]/), "\(plain.debugDescription)")
    #expect(plain.contains("\u{1B}[1m"))
    let rich = try robot(40, 6, ["COLORTERM": "truecolor"]).waitFor("trueColor").colours()
    #expect(rich.contains("38;2;250;200;60"))
    let palette = try robot(40, 6).waitFor("ansi256").colours()
    #expect(palette.contains("38;5;2"))
    let few = try robot(40, 6, ["TERM": "screen"]).waitFor("ansi16").colours()
    #expect(!few.contains("38;5"))
  }

  @Test("A terminal with direct 24-bit colours shows them and the palette")
  func directColours() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "weir-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let source = folder.appending(path: "source")
    try #"""
    xterm-direct|xterm with direct colours,
      RGB, colors#0x1000000, pairs#0x7fff, ccc@, initc@, oc@,
      setab=\E[%?%p1%{8}%<%t4%p1%d%e48\:2\:\:%p1%{65536}%/%d\:%p1%{256}%/%{255}%&%d\:%p1%{255}%&%d%;m,
      setaf=\E[%?%p1%{8}%<%t3%p1%d%e38\:2\:\:%p1%{65536}%/%d\:%p1%{256}%/%{255}%&%d\:%p1%{255}%&%d%;m,
      use=xterm-256color,

    """#.write(to: source, atomically: true, encoding: .utf8)
    let compiler = try Spawn.start(
      ["/usr/bin/env", "tic", "-x", "-o", folder.path, source.path],
      environment: ProcessInfo.processInfo.environment, terminal: nil, output: nil)
    #expect(Spawn.wait(for: compiler)?.exitCode == 0)
    let robot = try robot(60, 16, ["TERM": "xterm-direct", "TERMINFO": folder.path])
    let colours = try robot.waitFor("probe 60x16 trueColor").waitFor("keys:").colours()
    #expect(colours.contains("38;2;250;200;60") && colours.contains("[91m"))
    #expect(try robot.rowEnds()[1...14].allSatisfy { $0 == 60 })
    try robot.keys("j", "q").waitFor("probe ended")
  }

  @Test("Without UTF-8 the screen is ASCII with its columns in place")
  func withoutUTF8Screen() throws {
    let robot = try robot(60, 16, ["LC_ALL": "C"]).waitFor("keys:")
    let screen = try robot.screen()
    #expect(screen.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
    #expect(screen[1...14].allSatisfy { $0.count == 60 && $0.hasSuffix("|") && $0.hasPrefix("|") })
  }

  @Test("A locale that is not installed but says UTF-8 is UTF-8")
  func localeInstalledButSays() throws {
    try robot(60, 6, ["LC_ALL": "xx_XX.UTF-8"]).waitFor("漢字")
  }

  @Test("Keys, pastes, the mouse and focus arrive") func keysPastesMouseFocus() throws {
    let robot = try robot(110, 6).waitFor("keys:")
    try robot.keys("Up", "PPage", "F5", "BTab", "M-x", "DC", "Space", "C-c").waitFor(
      "Up PgUp F5 Shift-Tab Alt-x Delete Space Ctrl-c")
    try robot.keys("C").waitForAbsence(of: "Ctrl-c")
    try robot.type("é漢").waitFor("é 漢")
    try robot.keys("C").waitForAbsence(of: "é 漢")
    try robot.paste("two\nlines").waitFor("paste(\"two\\nlines\")")
    try robot.keys("C").waitForAbsence(of: "lines")
    try robot.bytes("\u{1B}[<64;3;2M\u{1B}[<65;3;2M").waitFor("wheelUp@2,1 wheelDown@2,1")
    try robot.keys("C").waitForAbsence(of: "wheelDown")
    try robot.bytes("\u{1B}[<0;3;2M\u{1B}[<0;3;2m\u{1B}[<0;3;2M").waitFor(
      "press@2,1 release@2,1 doubleClick@2,1")
    try robot.keys("C").waitForAbsence(of: "press")
    try robot.bytes("\u{1B}[I\u{1B}[O").waitFor("focusIn focusOut")
    #expect(try robot.ask("#{mouse_sgr_flag}#{mouse_standard_flag}") == "11")
  }

  @Test("The title and the clipboard are written and the title is harmless")
  func titleIsHarmless() throws {
    let robot = try robot(80, 6).waitFor("keys:")
    let before = try robot.ask("#{pane_title}")
    try robot.keys("t").waitUntil("the title") { try robot.ask("#{pane_title}") == "probe title 漢" }
    try robot.keys("c").waitFor("copied true")
    try robot.keys("q").waitFor("probe ended")
    #expect(try robot.ask("#{pane_title}") == before)
  }

  @Test("A new size is drawn, and after a storm of them the last") func newSizeDrawnAfter() throws {
    let robot = try robot(80, 24).waitFor("probe 80x24")
    for round in 0..<40 {
      try robot.resize(columns: 20 + round * 7 % 90, rows: 4 + round * 5 % 30)
    }
    try robot.resize(columns: 1, rows: 1).resize(columns: 70, rows: 18)
    try robot.waitFor("probe 70x18")
    try robot.waitUntil("every border is in place") {
      try robot.rowEnds()[1...16].allSatisfy { $0 == 70 }
    }
    try robot.keys("q")
    #expect(try robot.waitForExit() == 0)
  }

  @Test("The terminal is lent to another program and taken again") func terminalIsLent() throws {
    let robot = try robot(80, 10).waitFor("keys:")
    try robot.keys("!").waitFor("outside")
    #expect(try robot.ask("#{alternate_on}#{mouse_standard_flag}") == "00")
    try robot.keys("Enter").waitFor("probe 80x10").waitFor("keys: !")
    #expect(try robot.ask("#{alternate_on}#{mouse_standard_flag}") == "11")
  }

  @Test("Ctrl-Z stops the job and fg brings the screen back") func ctrlZStopsJob() throws {
    let robot = try TmuxRobot(columns: 80, rows: 10)
    try robot.start(
      ["bash", "--norc", "--noprofile", "-i"], environment: ["PS1": "ready> ", "LC_ALL": "C.UTF-8"])
    try robot.waitFor("ready>").type("'\(Self.probe)'\n").waitFor("probe 80x10")
    for _ in 0..<5 {
      try robot.keys("C-z").waitFor("Stopped").waitForAbsence(of: "probe 80x10")
      try robot.type("clear; fg\n").waitFor("probe 80x10").waitFor("keys:")
      #expect(try robot.ask("#{mouse_sgr_flag}") == "1")
    }
    try robot.keys("n").waitFor("keys: n").keys("q").waitFor("probe ended")
  }

  @Test("Without a shell to continue the reader, Ctrl-Z does no harm")
  func shellContinueCtrlZ() throws {
    let robot = try robot(80, 10).waitFor("keys:")
    try robot.keys("C-z", "n").waitFor("keys: n")
  }

  @Test("A signal to end restores the terminal and is reported once")
  func signalRestoresTerminal() throws {
    for (signal, code) in [(SIGTERM, 143), (SIGINT, 143), (SIGHUP, 129)] as [(Int32, Int32)] {
      let robot = try robot(60, 8).waitFor("keys:")
      try robot.signal(signal)
      #expect(try robot.waitForExit() == code)
      #expect(try robot.ask("#{alternate_on}#{mouse_any_flag}#{wrap_flag}") == "001")
    }
  }

  @Test("A vanished terminal ends the program, with or without the signal", arguments: [":", ""])
  func vanishes(trap: String) throws {
    let result = FileManager.default.temporaryDirectory.appending(path: "weir-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: result) }
    let robot = try TmuxRobot(columns: 60, rows: 8)
    // An empty trap leaves the signal ignored in the program too, which then sees the end of file.
    let script = "trap '\(trap)' HUP; '\(Self.probe)'; echo $? > '\(result.path)'"
    try robot.start(["sh", "-c", script]).waitFor("keys:").vanish()
    var code = ""
    for _ in 0..<250 where code.isEmpty {
      code = (try? String(contentsOf: result, encoding: .utf8)) ?? ""
      usleep(20_000)
    }
    #expect(code == "129\n")
  }

  @Test("A terminal that does not read does not prevent the program from ending")
  func unread() throws {
    let terminal = try pseudoTerminal()
    // More than any kernel keeps for a terminal.
    terminal.send("Wnjk")
    // No byte is read until the program has ended.
    kill(terminal.process, SIGTERM)
    #expect(Spawn.wait(for: terminal.process)?.exitCode == 143)
  }

  @Test("No key is lost that was typed while the terminal did not read") func typedUnread() throws {
    let terminal = try pseudoTerminal()
    let before = terminal.output.count
    terminal.send("Wabdefghi\u{C}")
    _ = try #require(terminal.wait(for: "a b d e f g h i", from: before))
    #expect(terminal.quit("q")?.exitCode == 0)
    terminal.waitUntilIdle(quiet: 0.05)
    #expect(TerminalStream(terminal.output).faults == [])
  }

  private func pseudoTerminal() throws -> PseudoTerminal {
    let environment = ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"]
    let terminal = try PseudoTerminal(
      [Self.probe], columns: 200, rows: 60, environment: environment)
    _ = try #require(terminal.wait(for: "keys:", quiet: 0.3))
    return terminal
  }

  @Test("A flood of frames is drawn as its last, and idling costs nothing")
  func floodFramesDrawnLast() throws {
    let robot = try robot(120, 40).waitFor("keys:")
    try robot.keys("W").waitFor("keys: W")
    let process = try robot.process()
    func used() throws -> String {
      let stat = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      let switches = status.split(separator: "\n").filter { $0.contains("ctxt_switches") }
      return stat.split(separator: " ")[13...14].joined(separator: " ") + switches.joined()
    }
    guard FileManager.default.fileExists(atPath: "/proc/\(process)/stat") else { return }
    // The last frame may still be on its way; then a whole second must pass with no wake-up.
    var last = try used()
    var since = ContinuousClock.now
    try robot.waitUntil("a second passes in which nothing happens") {
      let now = try used()
      if now != last { (last, since) = (now, .now) }
      return ContinuousClock.now - since >= .seconds(1)
    }
  }
}
