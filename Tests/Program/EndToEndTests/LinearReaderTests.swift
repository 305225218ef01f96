/// The reader as lines, recorded from a pseudo-terminal: only what was written counts, as for a
/// screen reader or a printer.
@Suite("The linear form in a terminal", .ownThreads) struct LinearReaderTests {
  private static let page = "Sources/Program/weir/Documentation.docc/ScreenReaders.md"
  private static let start = "> weir --linear"
  /// The keys of the session in the documentation.
  private static let keys = "Enter j s Enter Space q A u h ?".split(separator: " ")
    .map(String.init)

  private func fixture() throws -> CommandFixture {
    let (fixture, origin) = try CommandFixture.online()
    let text = "<p>Some news.</p><ul><li>one point</li></ul><blockquote>a quote</blockquote>"
    origin.on(
      "/lwn",
      .answer(Feeds.rss("LWN", ["Kernel 6.20", "A new scheduler", "Page cache"], body: text)))
    try fixture.weir("add", "--unchecked", origin.url("/lwn"))
    try fixture.weir("remove", "weir:guide")
    try fixture.weir("sync")
    return fixture
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

  /// Returns a session in the documentation: each key with the lines that follow.
  private func documented(_ index: Int) throws -> [[String]] {
    let blocks = try DocumentedCommands.blocks(of: Self.page, language: "text")
    try #require(blocks.indices.contains(index))
    return blocks[index].reduce(into: []) { steps, line in
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

  private static let isRecording = ProcessInfo.processInfo.environment["WEIR_RECORD_GOLDEN"] != nil

  /// Lines with the time of the last sync replaced.
  private static func steady(_ lines: [String]) -> [String] {
    lines.map { $0.replacing(/last updated \d\d:\d\d/, with: "last updated 10:20") }
  }

  /// Starts the reader or sends a key in a session, and returns the lines that follow, after those
  /// of the documentation.
  private func step(
    _ label: String, key: String?, _ terminal: PseudoTerminal, from start: Int, expected: [String]?
  ) -> [String] {
    if let key { terminal.send(Self.bytes(of: key)) }
    for line in expected?.dropFirst() ?? [] where !line.contains("last updated") {
      #expect(terminal.wait(for: line, from: start) != nil, "\(label): \(line)")
    }
    terminal.waitUntilIdle(quiet: Self.isRecording || key == nil ? 2 : 0.2)
    return [label] + Self.steady(lines(terminal, from: start))
  }

  /// Compares a session with the documentation.
  /// - Parameter isOrdered: false to accept the lines of a step in any order, because rows and
  ///   messages may come in two frames, and to accept any echo of typed words: `step` has found
  ///   the lines that follow them.
  private func compare(_ steps: [[String]], index: Int, isOrdered: Bool = true) throws {
    guard Self.isRecording else {
      let typed: Set = ["> ~/feeds.opml", "> later", "> frost"]
      let (found, known) = (steps, try documented(index))
      func compared(_ steps: [[String]]) -> [[String]] {
        isOrdered ? steps : steps.map { typed.contains($0[0]) ? [$0[0]] : $0.sorted() }
      }
      return #expect(compared(found) == compared(known))
    }
    let file = DocumentedCommands.root.appending(path: Self.page)
    var parts = try String(contentsOf: file, encoding: .utf8)
      .split(separator: "```text\n", omittingEmptySubsequences: false).map(String.init)
    try #require(parts.indices.contains(index + 1))
    let end = try #require(parts[index + 1].firstRange(of: "```"))
    parts[index + 1].replaceSubrange(
      ..<end.lowerBound, with: steps.joined().map { $0 + "\n" }.joined())
    try Data(parts.joined(separator: "```text\n").utf8).write(to: file)
  }

  private func end(_ terminal: PseudoTerminal) {
    #expect(terminal.waitForExit()?.exitCode == 0)
    #expect(!terminal.output.contains(0x1B))
    #expect(terminal.isCooked)
  }

  @Test("A session writes the lines of the documentation, and no escape sequence")
  func session() throws {
    let fixture = try fixture()
    let expected = Self.isRecording ? [] : try documented(0)
    let terminal = try terminal(fixture, type: "dumb")
    var steps: [[String]] = []
    for key in [nil] + Self.keys.map(Optional.some) {
      let known = expected.indices.contains(steps.count) ? expected[steps.count] : nil
      steps.append(
        step(
          key.map { "> \($0)" } ?? Self.start, key: key, terminal, from: terminal.output.count,
          expected: known))
    }
    terminal.send("Q")
    end(terminal)
    try compare(steps, index: 0)
  }

  /// The keys of an hour of reading: a first start, and another one without a network.
  private static let hour: [[String]] = [
    [
      "a", "~/feeds.opml", "Enter", "G", "k", "Enter", "Enter", "Space", "s", "t", "later",
      "Enter", "q", "m", "u", "v", "q", "g/", "frost", "Enter", "q", "q", "gg", "j", "R", "Enter",
      "A", "u", "n", ":older", "Enter", "?", "?", "j", "q", "Q",
    ],
    ["R", "Enter", "Enter", "Space", "q", "q", "Q"],
  ]

  /// Writes a list of two feeds that the fixture's origin serves.
  private func library(_ fixture: CommandFixture, _ origin: Origin) throws {
    let year =
      ["January", "April", "July", "October"].map { month in
        "<h2>\(month)</h2><p>The garden in \(month) is quieter than it looks. Frost came on two "
          + "nights, and the pears by the wall took no harm from it; the neighbours say that the wall "
          + "keeps the warmth of the day until the morning.</p><ul><li>prune what grew across the "
          + "path</li><li>write down what was late</li></ul>"
      }.joined()
    let short = "<p>The stove was lit, and nothing else happened.</p>"
    for (path, text) in [
      ("/garden", Feeds.rss("Garden notes", ["A garden year"], body: year)),
      ("/maps", Feeds.rss("Old maps", ["The road to Ystad", "A coast that moved"], body: short)),
    ] {
      // Each answer takes so long that the beginning of a sync is written.
      origin.on(path) { _ in
        var reply = Reply.answer(text)
        reply.steps.insert(.wait(0.7), at: 0)
        return reply
      }
    }
    try fixture.file(
      "feeds.opml",
      Feeds.opml([("Garden notes", origin.url("/garden")), ("Old maps", origin.url("/maps"))]))
  }

  @Test("An hour of reading writes the lines of the documentation, with and without a network")
  func hourOfReading() throws {
    let (fixture, origin) = try CommandFixture.online()
    try library(fixture, origin)
    let expected = Self.isRecording ? [] : try documented(1)
    var steps: [[String]] = []
    for (number, keys) in Self.hour.enumerated() {
      let arguments = number == 0 ? ["--linear"] : ["--offline", "--linear"]
      let terminal = try PseudoTerminal(
        [CommandFixture.program] + arguments,
        environment: fixture.environment.merging(["TERM": "dumb"]) { $1 })
      for key in [nil] + keys.map(Optional.some) {
        let known = expected.indices.contains(steps.count) ? expected[steps.count] : nil
        let start = key == nil ? 0 : terminal.output.count
        let label = key ?? "weir \(arguments.joined(separator: " "))"
        steps.append(step("> \(label)", key: key, terminal, from: start, expected: known))
        if steps.last?.contains("Refreshing") == true { try awaitArticles(fixture, terminal) }
      }
      end(terminal)
    }
    try compare(steps, index: 1, isOrdered: false)
    #expect(steps.count == Self.hour.joined().count + 2)
  }

  /// Waits until the cache has the articles of both feeds, and the reader is at rest.
  private func awaitArticles(_ fixture: CommandFixture, _ terminal: PseudoTerminal) throws {
    for _ in 0..<30 {
      let text = try fixture.weir("articles", "--limit", "50").output
      if text.contains("A garden year"), text.contains("Ystad") { break }
    }
    terminal.waitUntilIdle(quiet: 1.5)
  }

  @Test(
    "The option and the setting write lines in a terminal that can draw", arguments: [true, false])
  func choices(isOption: Bool) throws {
    let fixture = try fixture()
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
    #expect(terminal.wait(for: "3 of 4, Starred, 0 unread") != nil)
    #expect(terminal.quit()?.exitCode == 0)
    #expect(!terminal.output.contains(0x1B))
  }

  @Test("Text is echoed as it is typed, and a message is a line") func typing() throws {
    let fixture = try fixture()
    let terminal = try terminal(fixture, type: "dumb")
    #expect(terminal.wait(for: "Q quits") != nil)
    terminal.send("\r/")
    #expect(terminal.wait(for: "\n/") != nil)
    terminal.send("s")
    #expect(terminal.wait(for: "LWN: A new scheduler") != nil)
    #expect(terminal.wait(for: "/s") != nil)
    terminal.send("\r", quiet: 0.3)
    let start = terminal.output.count
    terminal.send("D")
    #expect(terminal.wait(for: "1 article deleted; u brings it back", from: start) != nil)
    #expect(terminal.quit()?.exitCode == 0)
  }

  @Test("A signal ends the linear form and restores the terminal", arguments: [SIGTERM, SIGHUP])
  func signals(number: Int32) throws {
    let fixture = try fixture()
    let terminal = try terminal(fixture, type: "dumb")
    #expect(terminal.wait(for: "Q quits") != nil)
    #expect(!terminal.isCooked)
    kill(terminal.process, number)
    let usage = try #require(terminal.waitForExit())
    #expect(usage.exitCode > 128)
    #expect(terminal.isCooked)
  }
}
