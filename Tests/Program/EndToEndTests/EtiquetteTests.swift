@Suite("Etiquette on the command line", .ownThreads, .timeLimit(.minutes(120)))
struct EtiquetteTests {
  @Test("A program, a filter and a file become feeds, and an imported list cannot add programs")
  func localSources() throws {
    let (fixture, origin) = try CommandFixture.online()
    origin.on("/page", .answer(Feeds.rss("Page", ["P"]), type: "text/html"))
    try fixture.program("bin/print", "cat <<'X'\n\(Feeds.rss("Program", ["A", "B"]))\nX")
    try fixture.program("bin/filter", "sed s/Page/Filtered/g")
    let canary = fixture.home.appending(path: "canary").path
    try fixture.program("bin/canary", "touch '\(canary)'")
    try fixture.file("feed.xml", Feeds.rss("File", ["F"]))

    let added = try fixture.weir(
      "add", "exec:~/bin/print --to 'a b'", "filter:~/bin/filter:\(origin.url("/page"))",
      "file:~/feed.xml")
    #expect(added.code == 0, "\(added.errors)")
    for name in ["Program", "Filtered", "File"] { #expect(added.output.contains(name)) }
    #expect(try fixture.weir("sync").output.contains("3 feeds, 4 new"))
    #expect(try fixture.weir("sync", "--all").output.contains("3 feeds, nothing new"))

    let refused = try fixture.weir("add", "exec:~/bin/missing", "exec:'open", "filter:x")
    #expect(refused.code == 1)
    #expect(refused.errors.contains("cannot be started"))

    let orders = ["exec:~/bin/canary", "filter:~/bin/canary:\(origin.url("/page"))"]
    let escaped =
      orders.map { ("X", $0) } + [("F", "file:///etc/passwd"), ("P", origin.url("/page"))]
    let opml = try fixture.weir("import", "-", input: Feeds.opml(escaped))
    #expect(opml.output.contains("1 feed"))
    #expect(opml.errors.components(separatedBy: "Skipped").count == 4)
    let list = orders.map { "\"\($0)\"" }.joined(separator: "\n") + "\nfile:///etc/passwd\n"
    #expect(try fixture.weir("import", "-", input: list).code == 1)
    let even = try fixture.weir("import", "--with-programs", "-", input: Feeds.opml(escaped))
    #expect(even.output.contains("1 already there"))
    try fixture.weir("sync", "--all")
    #expect(!FileManager.default.fileExists(atPath: canary))

    // Programs are imported only if the user states that the list is their own.
    #expect(
      try fixture.weir("import", "--with-programs", "-", input: "exec:~/bin/canary \"~C\"\n").code
        == 0)
    try fixture.weir("sync")
    #expect(FileManager.default.fileExists(atPath: canary))
  }

  @Test("A configured name and password are sent only to their origin")
  func configuredPassword() throws {
    let (fixture, origin) = try CommandFixture.online(address: "0.0.0.0")
    let credentials = Data("me:s3cret".utf8).base64EncodedString()
    origin.on("/in/") { request in
      .basic(credentials, to: request, .answer(Feeds.rss("Inside \(request.path)", ["A"])))
    }
    origin.on("/in/away", .redirect(302, to: origin.url("/out", host: "127.0.0.2")))
    origin.on("/out", .answer(Feeds.rss("Outside", ["B"])))
    try fixture.file(
      ".config/weir/config.toml",
      """
      [feeds."\(origin.url("/in/"))"]
      username = "me"
      password-command = ["sh", "-c", "echo s3cret; echo x >> ~/runs"]
      user-agent = "Mine/1"
      """)
    #expect(try fixture.weir("config", "check").code == 0)
    let log = fixture.home.appending(path: "weir.log").path
    var outcomes = [
      try fixture.weir(
        "add", "--unchecked", origin.url("/in/feed"), origin.url("/in/two"), origin.url("/in/away"),
        origin.url("/out")), try fixture.weir("sync", "--log", log),
      try fixture.weir("feeds", "--json"), try fixture.weir("doctor"),
    ]
    let text = try String(contentsOfFile: log, encoding: .utf8)
    outcomes.append(.init(code: 0, output: text, errors: ""))
    for outcome in outcomes {
      #expect(!(outcome.output + outcome.errors).contains("s3cret"))
      #expect(!(outcome.output + outcome.errors).contains(credentials))
    }
    let articles = try fixture.weir("articles")
    // The page outside is listed once, although two feeds lead to it.
    #expect(articles.lines.count == 3, "\(articles.output)")
    #expect(try String(contentsOf: fixture.home.appending(path: "runs"), encoding: .utf8) == "x\n")
    for request in origin.log where request.path == "/out" {
      #expect(request.header("Authorization") == nil)
    }
    #expect(
      origin.log.allSatisfy {
        ($0.header("User-Agent") == "Mine/1") == $0.path.hasPrefix("/in") || $0.path == "/out"
      })
  }

  @Test("Every feed states when it is checked next, and the reason") func reasons() throws {
    let (fixture, origin) = try CommandFixture.online()
    let feed = Feeds.rss("Good", ["A"])
    origin.on("/good", .answer(feed, headers: [("Cache-Control", "max-age=7200")]))
    origin.on("/busy", .status(429, headers: [("Retry-After", "600")]))
    origin.on("/gone", .status(410))
    let busy = try fixture.weir("add", origin.url("/busy"))
    #expect(busy.errors.contains("asks for a pause. Try again later"))
    try fixture.weir(
      "add", "--unchecked", origin.url("/good"), origin.url("/busy"), origin.url("/gone"))
    try fixture.weir("sync")
    let next = try fixture.weir("feeds", "--json").objects().compactMap {
      $0["nextCheck"] as? String
    }
    #expect(next.count == 3)
    #expect(next[0].hasPrefix("next check ") && next[0].contains("(the server asks for 2 h"))
    #expect(next[1].contains("(the server asked for a pause; 429 at "))
    #expect(next[2] == "never: gone")
    origin.forget()
    let again = try fixture.weir("sync", "/busy")
    #expect(again.code == 1)
    #expect(origin.log.isEmpty)
    let failure = try fixture.weir("feeds", "--json").objects()[1]["failure"] as? [String: Any]
    #expect(failure?["count"] as? Int == 1)
  }

  @Test("After a killed sync, only the feeds that it had not stored are fetched")
  func killed() throws {
    let (fixture, origin) = try CommandFixture.online(address: "0.0.0.0")
    let corpus = Corpus(feeds: 120, articlesPerFeed: 3)
    corpus.serve(on: origin, think: { Double($0) * 0.05 })
    try fixture.weir("import", try fixture.file("corpus.opml", corpus.opml(port: origin.port)))
    func succeeded() throws -> Set<String> {
      Set(
        try fixture.weir("feeds", "--json").objects().filter { $0["succeededAt"] != nil }
          .compactMap { $0["url"] as? String })
    }
    let running = try fixture.start(["sync", "--quiet"])
    let deadline = Patience.end
    while origin.log.isEmpty, ContinuousClock.now < deadline { usleep(2_000) }
    while try succeeded().isEmpty, ContinuousClock.now < deadline {}
    kill(running.process, SIGKILL)
    _ = try running.outcome()
    #expect(try fixture.weir("doctor").code == 0)
    let stored = try succeeded()
    #expect(!stored.isEmpty && stored.count < 120)

    origin.forget()
    #expect(try fixture.weir("sync").code == 0)
    let asked = origin.log.map { "http://\($0.header("Host") ?? "")\($0.target)" }
    #expect(Set(asked).isDisjoint(with: stored))
    #expect(asked.count == 120 - stored.count)
    #expect(Set(asked).count == asked.count)
    #expect(try fixture.weir("articles").lines.count == 360)
  }

  @Test("When the engine is killed, a waiting process takes over at once") func handOver() throws {
    let (fixture, origin) = try CommandFixture.online(address: "0.0.0.0")
    let corpus = Corpus(feeds: 60, articlesPerFeed: 3)
    corpus.serve(on: origin, think: { _ in 0.1 })
    try fixture.weir("import", try fixture.file("corpus.opml", corpus.opml(port: origin.port)))
    let engine = try fixture.start(["sync", "--quiet"])
    let deadline = Patience.end
    while origin.log.isEmpty, ContinuousClock.now < deadline { usleep(2_000) }
    let standby = try fixture.start(["sync"])
    while origin.log.count < 20, ContinuousClock.now < deadline { usleep(2_000) }
    let before = origin.log.count
    kill(engine.process, SIGKILL)
    _ = try engine.outcome()
    let outcome = try standby.outcome()
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try fixture.weir("articles").lines.count == 180)
    let asked = origin.log.map { "\($0.header("Host") ?? "")\($0.target)" }
    #expect(Set(asked.prefix(before)).count == before)
    // Only requests in flight of the killed process are repeated, at most its concurrency limit.
    #expect(asked.count - 60 <= 40)
    #expect(Set(asked).count == 60)
  }
}
