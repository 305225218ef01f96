@Suite("Hostile pages and long computations", .ownThreads) struct HostilePageTests {
  private static let article = String(
    repeating: """
      <p>The lock opened at six, as it had every morning, and the first barge was through by ten past. \
      Nobody on the towpath looked up, because nothing about it was new.</p>
      """, count: 12)

  /// A page whose base is half of it, with a picture for each 32 bytes.
  private static func page(_ bytes: Int, isHostile: Bool) -> String {
    let base = isHostile ? "<base href=\"/\(String(repeating: "A", count: bytes / 2))/\">" : ""
    let cards = (0..<9).map {
      "<div class=c><h2><a href=/\($0)>A headline about lock \($0)</a></h2></div>"
    }
    return "<html><head><title>Locks</title>\(base)</head><body><article>\(article)"
      + String(repeating: "<img src=x.png>", count: bytes / 32) + "</article>\(cards.joined())"
  }

  /// Returns the bytes of memory that a command needed.
  private func peak(_ fixture: CommandFixture, _ arguments: [String]) throws -> Int {
    let process = try Spawn.start(
      [CommandFixture.program] + arguments, environment: fixture.environment, terminal: nil,
      output: nil)
    return try #require(Spawn.wait(for: process)).peakMemory
  }

  @Test("A base as long as the page costs no memory, on every path that reads a page")
  func longBase() throws {
    var peaks: [[Int]] = []
    for isHostile in [false, true] {
      let (fixture, origin) = try CommandFixture.online()
      let page = Self.page(800_000, isHostile: isHostile)
      origin.on("/page", .answer(page, type: "text/html"))
      origin.on("/good", .answer(Feeds.rss("Good", ["Fine"])))
      let base =
        isHostile ? " xml:base=\"http://a/\(String(repeating: "A", count: 400_000))/\"" : ""
      let content = String(repeating: "&lt;img src=x.png&gt;", count: 25_000)
      origin.on(
        "/feed",
        .answer(
          "<rss\(base)><channel><title>Full</title><item><title>T</title><link>\(origin.url("/page"))</link>"
            + "<description>\(content)</description></item></channel></rss>",
          type: "application/rss+xml"))
      try fixture.file(
        ".config/weir/config.toml", "[feeds]\n\"\(origin.url("/feed"))\" = { full-text = true }\n")
      try fixture.weir("add", "--unchecked", origin.url("/feed"), origin.url("/good"))
      peaks.append([
        try peak(fixture, ["sync"]), try peak(fixture, ["show", "--full", "1"]),
        try peak(fixture, ["pack"]), try peak(fixture, ["discover", origin.url("/page")]),
      ])
      #expect(try fixture.weir("articles").output.contains("Fine"))
      #expect(try fixture.weir("sync", "--all").code == 0)
      let again = try fixture.weir("sync")
      #expect(again.code == 0 && again.errors.isEmpty, "\(again.errors)")
    }
    guard !CommandFixture.isInstrumented else { return }
    for (usual, hostile) in zip(peaks[0], peaks[1]) {
      #expect(hostile < usual + 60 << 20, "\(peaks)")
    }
  }

  /// The page takes seconds of computation, and a signal saves most of them.
  @Test(
    "A signal ends a command whatever it computes, and the next one is complete",
    arguments: [("<li>x", ["sync"]), ("<option>x", ["show", "--full", "1"])])
  func signals(flood: String, command: [String]) throws {
    let page = Self.article + String(repeating: flood, count: 300_000)
    var whole = 0.0
    for signal in [nil, SIGINT, SIGTERM] {
      let (fixture, origin) = try CommandFixture.online()
      origin.on("/page", .answer(page, type: "text/html"))
      origin.on(
        "/feed",
        .answer(
          "<rss><channel><title>Full</title><item><title>T</title>"
            + "<link>\(origin.url("/page"))</link></item></channel></rss>",
          type: "application/rss+xml"))
      try fixture.weir("add", "--unchecked", origin.url("/feed"))
      if command == ["sync"] {
        try fixture.file(
          ".config/weir/config.toml", "[feeds]\n\"\(origin.url("/feed"))\" = { full-text = true }\n"
        )
      } else {
        try fixture.weir("sync")
      }
      let process = try Spawn.start(
        [CommandFixture.program] + command, environment: fixture.environment, terminal: nil,
        output: nil)
      guard let signal else {
        whole = try #require(Spawn.wait(for: process)).cpu
        continue
      }
      // Until the page is being read.
      while Spawn.peakMemory(of: process) < 100 << 20, Spawn.isRunning(process) { usleep(10_000) }
      kill(process, signal)
      let usage = try #require(Spawn.wait(for: process))
      #expect(usage.exitCode > 128)
      #expect(usage.cpu < whole / 2, "\(usage.cpu) of \(whole)")
      #expect(try fixture.weir("sync", "--all").code == 0)
      #expect(try fixture.weir("show", "--full", "1").output.contains("The lock opened at six"))
    }
  }
}
