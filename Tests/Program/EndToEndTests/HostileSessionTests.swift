/// Every hostile value in every field, from the list of subscriptions to the texts of errors, read
/// in a long session.
@Suite("Sessions with hostile feeds", .serialized, .ownThreads, .countsFailures)
struct HostileSessionTests {
  private let fixture: CommandFixture
  private let canary: String
  private let corpus: HostileCorpus
  private let origin: Origin

  init() throws {
    fixture = try CommandFixture()
    canary = fixture.home.appending(path: "canary").path
    let corpus = HostileCorpus(canary: canary)
    self.corpus = corpus
    origin = try Origin(address: "0.0.0.0")
    for index in corpus.values.indices {
      origin.on("/rss/\(index).", .answer(corpus.rss(index)))
      origin.on("/json/\(index).", .answer(corpus.json(index), type: "application/feed+json"))
      origin.on("/answer/\(index).", corpus.answer(index))
    }
    origin.on("/page", .answer(corpus.html(3), type: "text/html"))
    var urls: [String] = []
    for index in corpus.values.indices {
      urls.append(origin.url("/rss/\(index).", host: "127.0.0.2"))
      urls.append(origin.url("/json/\(index).", host: "127.0.0.3"))
      // Each has its own host, because some request a pause of days.
      urls.append(origin.url("/answer/\(index).", host: "127.0.1.\(index + 1)"))
    }
    let list = fixture.home.appending(path: "list.opml")
    try Data(corpus.opml(urls)).write(to: list)
    try fixture.file(".config/weir/config.toml", "[log]\nlevel = \"debug\"\n")
  }

  @Test("The output and logs of commands contain no control sequences") func commands() throws {
    let list = fixture.home.appending(path: "list.opml").path
    let feed = try fixture.file("feed.xml", Self.feed)
    var outcomes = [
      try fixture.weir("import", list), try fixture.weir("sync", "--all"),
      try fixture.weir("sync", "--json"), try fixture.weir("feeds"),
      try fixture.weir("feeds", "--json"), try fixture.weir("articles", "--limit", "1000"),
      try fixture.weir("articles", "--json"), try fixture.weir("doctor"),
      try fixture.weir("export"), try fixture.weir("search", "sentence"),
      try fixture.weir("parse-opml", list), try fixture.weir("parse", feed),
      try fixture.weir("add", origin.url("/page")),
      try fixture.weir("discover", origin.url("/page")),
    ]
    for value in corpus.values where !value.contains(0) {
      let text = String(decoding: value.prefix(3_000), as: UTF8.self)
      outcomes.append(try fixture.weir("search", "--", text))
    }
    for article in try fixture.weir("articles", "--json", "--limit", "60").objects() {
      let id = try #require(article["id"] as? Int)
      outcomes.append(try fixture.weir("show", String(id)))
    }
    #expect(outcomes[1].output.contains("failed") || outcomes[1].errors.contains("failed"))
    for outcome in outcomes {
      #expect([0, 1, 64].contains(outcome.code), "\(outcome.errors)")
      try expectHarmless(outcome.output)
      try expectHarmless(outcome.errors)
    }
    let log = fixture.home.appending(path: ".local/state/weir/weir.log")
    try expectHarmless(String(contentsOf: log, encoding: .utf8))
    try expectNothingElsewhere()
  }

  /// Fields that are neither titles nor texts.
  private static let feed = """
    <rss><channel><title>t</title><item><guid>\u{9B}31m\u{202E}</guid>
    <author>&lt;a@b\u{9B}31m\u{202E}&gt;</author>
    <enclosure url="https://a.example/\u{9B}31m" type="a/\u{9B}31m\u{202E}"/></item></channel></rss>
    """

  @Test("An hour of keys writes only permitted bytes to the terminal and starts no program")
  func keys() throws {
    try fixture.weir("import", fixture.home.appending(path: "list.opml").path)
    try fixture.weir("sync", "--all")
    var script = Script(corpus: corpus)
    // A key a second.
    let length = Soak.length(short: 150, long: 3_600)
    var day = Day()
    while day.keys < length { try sit(&script, &day, until: length) }
    #expect(day.children.isEmpty)
    #expect(
      day.peak > 0 && (day.peak < 150 << 20 || CommandFixture.isInstrumented),
      "\(day.peak >> 20) MB")
    try expectNothingElsewhere()
    #expect(try fixture.weir("doctor").code == 0)
    Soak.report(
      "hostile values in every field, read in a terminal",
      "\(day.keys) keys, \(day.written >> 10) KiB written",
      "own sequences only, nothing started, peak \(day.peak >> 20) MB")
  }

  /// Totals of all sessions.
  private struct Day {
    var keys = 0
    var written = 0
    var peak = 0
    var children: Set<pid_t> = []
  }

  /// Opens the reader and types until it ends, as with `q` on the first screen, or until time is
  /// up.
  private func sit(_ script: inout Script, _ day: inout Day, until length: Int) throws {
    let terminal = try PseudoTerminal(
      [CommandFixture.program], columns: 100, rows: 30,
      environment: fixture.environment.merging(["FORCE_HYPERLINK": "1"]) { $1 })
    _ = try #require(terminal.wait(for: "Starred"))
    var usage: ResourceUsage?
    while usage == nil, day.keys < length {
      let step = script.next()
      for part in step.parts where usage == nil {
        terminal.send(part)
        while terminal.read(wait: 0.02) {}
        day.keys += part.count
        day.peak = max(day.peak, Spawn.peakMemory(of: terminal.process))
        // After the reader has ended, typed text would be echoed.
        if part == "q" { terminal.waitUntilIdle(quiet: 0.2) }
        if terminal.isCooked { usage = terminal.waitForExit() }
      }
      if let size = step.size { terminal.resize(columns: size.columns, rows: size.rows) }
      day.children.formUnion(Spawn.children(of: terminal.process))
    }
    terminal.waitUntilIdle()
    // Closes whatever is open.
    for _ in 0..<600 where usage == nil {
      terminal.send("\u{1B}", quiet: 0.1)
      terminal.send("Q")
      usage = terminal.waitForExit(deadline: 1)
    }
    terminal.waitUntilIdle(quiet: 0.05)
    #expect(try #require(usage).exitCode == 0)
    let stream = TerminalStream(terminal.output)
    #expect(stream.faults == [])
    #expect(stream.isAtRest)
    #expect(stream.cancellations == 0)
    // The first screen alone has more; the number of other drawn screens depends on the machine.
    #expect(stream.characters > 1_000)
    day.written += terminal.output.count
    for copy in stream.copied {
      try expectHarmless(String(decoding: try #require(Data(base64Encoded: copy)), as: UTF8.self))
    }
  }

  private func expectHarmless(_ text: String) throws {
    let bytes = text.utf8.filter { $0 != 0x09 }
    #expect(TerminalStream(bytes).faults == [])
    #expect(!bytes.contains(0x1B))
  }

  /// Checks that all files are in their folders and that no command ran.
  private func expectNothingElsewhere() throws {
    #expect(!FileManager.default.fileExists(atPath: canary))
    #expect(!FileManager.default.fileExists(atPath: "/tmp/weir-hostile"))
    let homes = [
      ".local/share/weir/", ".local/state/weir/", ".config/weir/config.toml", "list.opml",
      "feed.xml",
    ]
    let walker = FileManager.default.enumerator(atPath: fixture.home.path)
    while let path = walker?.nextObject() as? String {
      let full = fixture.home.appending(path: path).path
      let type = try FileManager.default.attributesOfItem(atPath: full)[.type] as? FileAttributeType
      if type == .typeDirectory { continue }
      #expect(homes.contains { path.hasPrefix($0) }, "\(path)")
    }
  }
}

/// Random keys that use all features except other programs.
private struct Script {
  struct Step {
    var parts: [String]
    var size: (columns: Int, rows: Int)?
  }

  private let corpus: HostileCorpus
  private var random = SeededRandom(seed: 11)

  init(corpus: HostileCorpus) { self.corpus = corpus }

  /// Keys that stay within the three panes.
  private static let panes = Array("jjjjjkklh npvzcmsuA.Jy\u{4}\u{15}\u{12}\u{C}GgJK\t\rrxVe")
  /// Sequences that open, use and close a screen.
  private static let tours: [[String]] = [
    ["?", "j", "j", "/", "re", "\u{1B}", "q"], ["S", "j", "\t", "j", "l", "j", "q"],
    ["!", "j", "j", "j", "\r", "q", "q"], [":", "the", "\u{1B}"],
    ["/", "x%s", "\r", "j", "\u{1B}"],
    ["g", "/", "sentence", "\r", "j", "\r", "q", "q"], ["l", "t", "a $(b) `c`", "\r"],
    ["h", "h", "e", "\t", "\t", "\u{1B}"], ["l", "g", "s", "\u{1B}"], ["h", "h", "D", "y", "u"],
    ["l", "\r", "x", " ", " ", "\u{1B}"], ["R", "\u{7}"], ["h", "h", "t", "../../x", "\r"],
    ["l", "\u{1B}[3~", "u"], ["\u{1B}[<0;30;9M\u{1B}[<0;30;9m", "\u{1B}[<65;30;9M"],
    [":", "theme dark\r"], [":", "theme mono\r"], ["a", "http://", "\u{1B}"],
  ]

  mutating func next() -> Step {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<12:
      let keys = (0..<4).map { _ in
        let key = String(Self.panes[Int.random(in: 0..<Self.panes.count, using: &random)])
        return key == "e" || key == "V" ? key + "\u{1B}" : key
      }
      return Step(parts: keys)
    case 12..<17:
      return Step(parts: Self.tours[Int.random(in: 0..<Self.tours.count, using: &random)])
    case 17:
      // Pasted text is hostile too.
      let value = corpus.values[Int.random(in: 0..<corpus.values.count, using: &random)]
      let text = String(decoding: value.prefix(500), as: UTF8.self)
        .filter {
          $0 != "\u{1B}" && !$0.unicodeScalars.contains { (0x80..<0xA0).contains($0.value) }
        }
      return Step(parts: ["/", "\u{1B}[200~\(text)\u{1B}[201~", "\r", "\u{1B}"])
    default:
      let sizes = [(100, 30), (80, 24), (40, 10), (160, 50), (20, 5), (1, 1), (100, 30)]
      let size = sizes[Int.random(in: 0..<sizes.count, using: &random)]
      return Step(parts: ["j"], size: (size.0, size.1))
    }
  }
}
