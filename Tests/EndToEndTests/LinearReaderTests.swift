import Foundation
import TestSupport
import Testing

/// The reader as lines, recorded from a pseudo-terminal: only what was written counts, as for a
/// screen reader or a printer.
@Suite("The linear form in a terminal", .ownThreads)
struct LinearReaderTests {
  private static let page = "Sources/weir/Documentation.docc/ScreenReaders.md"
  private static let start = "> weir --linear"
  /// The keys of the session in the documentation.
  private static let keys = "Enter j s Enter Space q A u h ?".split(separator: " ")
    .map(String.init)

  private func fixture() throws -> (fixture: CommandFixture, origin: Origin) {
    let fixture = try CommandFixture()
    let origin = try Origin()
    let text = "<p>Some news.</p><ul><li>one point</li></ul><blockquote>a quote</blockquote>"
    origin.on(
      "/lwn",
      .answer(Feeds.rss("LWN", ["Kernel 6.20", "A new scheduler", "Page cache"], body: text)))
    try fixture.weir("add", "--unchecked", origin.url("/lwn"))
    try fixture.weir("remove", "weir:guide")
    try fixture.weir("sync")
    return (fixture, origin)
  }

  private func terminal(
    _ fixture: CommandFixture, _ arguments: String..., type: String
  ) throws -> PseudoTerminal {
    try PseudoTerminal(
      [CommandFixture.program] + arguments,
      environment: fixture.environment.merging(["TERM": type]) { $1 })
  }

  /// Returns the lines written since `start`.
  private func lines(_ terminal: PseudoTerminal, from start: Int) -> [String] {
    String(decoding: terminal.output[start...], as: UTF8.self).split(whereSeparator: \.isNewline)
      .map(String.init)
  }

  /// Returns the session in the documentation: each key with the lines that follow.
  private func documented() throws -> [[String]] {
    let blocks = try DocumentedCommands.blocks(of: Self.page, language: "text")
    return try #require(blocks.first).reduce(into: []) { steps, line in
      if line.hasPrefix("> ") { steps.append([line]) } else { steps[steps.count - 1].append(line) }
    }
  }

  private static func bytes(of key: String) -> String {
    switch key {
    case "Enter": "\r"
    case "Space": " "
    default: key
    }
  }

  @Test("A session writes the lines of the documentation, and no escape sequence")
  func session() throws {
    let (fixture, origin) = try fixture()
    defer { origin.stop() }
    let isRecording = ProcessInfo.processInfo.environment["WEIR_RECORD_GOLDEN"] != nil
    let expected = isRecording ? [] : try documented()
    let terminal = try terminal(fixture, type: "dumb")
    var steps: [[String]] = []
    for key in [nil] + Self.keys.map(Optional.some) {
      let start = terminal.output.count
      if let key { terminal.send(Self.bytes(of: key)) }
      if expected.indices.contains(steps.count), let last = expected[steps.count].dropFirst().last {
        #expect(terminal.wait(for: last, from: start, deadline: 30) != nil, "\(last)")
      }
      terminal.waitUntilIdle(quiet: isRecording || key == nil ? 2 : 0.2)
      steps.append([key.map { "> \($0)" } ?? Self.start] + lines(terminal, from: start))
    }
    terminal.send("Q")
    #expect(terminal.waitForExit(deadline: 20)?.exitCode == 0)
    #expect(!terminal.output.contains(0x1B))
    #expect(terminal.isCooked)
    guard isRecording else { return #expect(steps == expected) }
    let file = DocumentedCommands.root.appending(path: Self.page)
    let text = try String(contentsOf: file, encoding: .utf8)
    let block = "```text\n" + steps.joined().map { $0 + "\n" }.joined() + "```"
    try Data(text.replacing(/(?s)```text\n.*?```/, with: block).utf8).write(to: file)
  }

  @Test(
    "The option and the setting write lines in a terminal that can draw", arguments: [true, false])
  func choices(isOption: Bool) throws {
    let (fixture, origin) = try fixture()
    defer { origin.stop() }
    if !isOption {
      try fixture.file(".config/weir/config.toml", "[reader]\nscreen-reader = true\n")
    }
    let terminal =
      try isOption
      ? terminal(fixture, "--linear", type: "xterm-256color")
      : terminal(fixture, type: "xterm-256color")
    #expect(terminal.wait(for: "2 of 4, Unread, 3 unread") != nil)
    // Arrow keys work where the terminal has them.
    terminal.send("\u{1B}[B")
    #expect(terminal.wait(for: "3 of 4, Starred, 0 unread", deadline: 30) != nil)
    terminal.send("Q")
    #expect(terminal.waitForExit(deadline: 20)?.exitCode == 0)
    #expect(!terminal.output.contains(0x1B))
  }

  @Test("Text is echoed as it is typed, and a question is a line")
  func typing() throws {
    let (fixture, origin) = try fixture()
    defer { origin.stop() }
    let terminal = try terminal(fixture, type: "dumb")
    #expect(terminal.wait(for: "Q quits") != nil)
    terminal.send("\r/")
    #expect(terminal.wait(for: "\n/", deadline: 30) != nil)
    terminal.send("s")
    #expect(terminal.wait(for: "LWN: A new scheduler", deadline: 30) != nil)
    #expect(terminal.wait(for: "/s", deadline: 30) != nil)
    terminal.send("\r")
    terminal.waitUntilIdle()
    let start = terminal.output.count
    terminal.send("D")
    #expect(terminal.wait(for: "Select a feed", from: start, deadline: 30) != nil)
    terminal.send("Q")
    #expect(terminal.waitForExit(deadline: 20)?.exitCode == 0)
  }

  @Test("A signal ends the linear form and restores the terminal", arguments: [SIGTERM, SIGHUP])
  func signals(number: Int32) throws {
    let (fixture, origin) = try fixture()
    defer { origin.stop() }
    let terminal = try terminal(fixture, type: "dumb")
    #expect(terminal.wait(for: "Q quits") != nil)
    #expect(!terminal.isCooked)
    kill(terminal.process, number)
    let usage = try #require(terminal.waitForExit(deadline: 60))
    #expect(usage.exitCode > 128)
    #expect(terminal.isCooked)
  }
}
