@Suite("Hostile feeds on the command line", .ownThreads) final class HostileTests: OnlineSuite {
  @Test("No control character and no direction override of a feed reaches the output")
  func controls() throws {
    let nasty = "a&#27;]0;x&#7;b&#155;31mc&#x202E;d&#x200B;e&#xE0041;f\u{1B}[2Jg"
    origin.on("/feed", .answer(Feeds.rss("N \(nasty)", ["T \(nasty)"], body: "<p>B \(nasty)</p>")))
    try fixture.weir("add", "--unchecked", origin.url("/feed"))
    try fixture.weir("sync")
    var outcomes = [
      try fixture.weir("feeds"), try fixture.weir("feeds", "--json"), try fixture.weir("articles"),
      try fixture.weir("articles", "--json"), try fixture.weir("export"),
      try fixture.weir("doctor"),
    ]
    let id = try #require(try fixture.weir("articles", "--json").objects().first?["id"] as? Int)
    for form in ["--text", "--html", "--json"] {
      outcomes.append(try fixture.weir("show", String(id), form))
    }
    for outcome in outcomes {
      #expect(outcome.code == 0)
      let scalars = (outcome.output + outcome.errors).unicodeScalars
      let bad = scalars.filter {
        ($0.value < 0x20 && $0 != "\n" && $0 != "\t") || (0x7F...0x9F).contains($0.value)
          || (0x202A...0x202E).contains($0.value) || (0xE0000...0xE007F).contains($0.value)
      }
      #expect(bad.isEmpty, "\(outcome.output.debugDescription)")
    }
  }

  @Test("A compressed bomb ends at the limit, needs little memory and harms no other feed")
  func bomb() throws {
    let bomb = Gzip.bomb(decoded: 300 << 20)
    origin.on("/bomb", .answer(bomb, headers: [("Content-Encoding", "gzip")]))
    origin.on("/good", .answer(Feeds.rss("Good", ["One"])))
    try fixture.weir("add", "--unchecked", origin.url("/bomb"), origin.url("/good"))
    let process = try Spawn.start(
      [CommandFixture.program, "sync"], environment: fixture.environment, terminal: nil, output: nil
    )
    let usage = try #require(Spawn.wait(for: process))
    #expect(usage.exitCode == 0)
    #expect(usage.peakMemory < 150 << 20 || CommandFixture.isInstrumented)
    #expect(try fixture.weir("articles").lines.count == 1)
    #expect(try fixture.weir("doctor").output.contains("a feed that is too large"))
  }

  @Test("A hundred thousand items, with equal or different guids, need little memory and few rows")
  func floods() throws {
    func feed(_ title: String, _ guid: (Int) -> String) -> Reply {
      let items = (0..<100_000).map { "<item><guid>\(guid($0))</guid><title>t</title></item>" }
      return .answer(
        "<rss><channel><title>\(title)</title>\(items.joined())</channel></rss>",
        type: "application/rss+xml")
    }
    origin.on("/one", feed("One") { _ in "same" })
    origin.on("/many", feed("Many") { "\($0)" })
    try fixture.weir("add", "--unchecked", origin.url("/one"), origin.url("/many"))
    let process = try Spawn.start(
      [CommandFixture.program, "sync"], environment: fixture.environment, terminal: nil, output: nil
    )
    let usage = try #require(Spawn.wait(for: process))
    #expect(usage.exitCode == 0)
    #expect(
      usage.peakMemory < 150 << 20 || CommandFixture.isInstrumented, "\(usage.peakMemory >> 20) MB")
    let articles = try fixture.weir("articles", "--json", "--limit", "5000").objects()
    #expect(articles.count { $0["feedName"] as? String == "One" } == 1)
    #expect(articles.count { $0["feedName"] as? String == "Many" } == 1_000)
  }

  @Test("A password in an address is only in the export") func secrets() throws {
    origin.on("/feed") { request in
      .basic(
        Data("me:s3cret".utf8).base64EncodedString(), to: request,
        .answer(Feeds.rss("Private", ["A"])))
    }
    let log = fixture.home.appending(path: "weir.log").path
    let url = origin.url("/feed", userInfo: "me:s3cret")
    let missing = origin.url("/missing", userInfo: "me:s3cret")
    var outcomes = [
      try fixture.weir("add", url, missing, "--log", log),
      try fixture.weir("add", "--unchecked", missing, "--log", log),
      try fixture.weir("sync", "--log", log), try fixture.weir("sync", "--all", "--json"),
      try fixture.weir("feeds"), try fixture.weir("feeds", "--json"), try fixture.weir("doctor"),
      try fixture.weir("remove", "nothing-like-that"), try fixture.weir("remove", "2"),
    ]
    #expect(try fixture.weir("articles", "--json").objects().count == 1)
    let text = try String(contentsOfFile: log, encoding: .utf8)
    outcomes.append(.init(code: 0, output: text, errors: ""))
    #expect(text.contains("127.0.0.1"))
    for outcome in outcomes {
      #expect(!outcome.output.contains("s3cret"), "\(outcome.output)")
      #expect(!outcome.errors.contains("s3cret"), "\(outcome.errors)")
    }
    #expect(try fixture.weir("export").output.contains("s3cret"))
  }

  @Test("A pipe whose reader has ended ends a command quietly") func brokenPipe() throws {
    let titles = (0..<900).map { "Article number \($0) with a title of some length" }
    origin.on("/feed", .answer(Feeds.rss("Long", titles)))
    try fixture.weir("add", "--unchecked", origin.url("/feed"))
    try fixture.weir("sync")
    let errors = fixture.home.appending(path: "errors").path
    let script = "\"$0\" articles --json 2> \"$1\" | head -n 1"
    let process = try Spawn.start(
      ["/bin/sh", "-c", script, CommandFixture.program, errors], environment: fixture.environment,
      terminal: nil, output: nil)
    #expect(Spawn.wait(for: process)?.exitCode == 0)
    #expect(try String(contentsOfFile: errors, encoding: .utf8).isEmpty)
  }
}
