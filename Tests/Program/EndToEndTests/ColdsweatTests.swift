private enum Coldsweat {
  static let program: String? = {
    let named = ProcessInfo.processInfo.environment["WEIR_COLDSWEAT"]
    return [named, "/usr/local/bin/coldsweat", "/usr/bin/coldsweat"].compactMap { $0 }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()
}

/// Tests the Fever API of another program, coldsweat (`pip install coldsweat`), if it is installed;
/// `WEIR_COLDSWEAT` names its program.
@Suite(
  "The Fever API of coldsweat",
  .enabled(
    if: Coldsweat.program != nil,
    "coldsweat is not installed: pip install coldsweat, and name its program with WEIR_COLDSWEAT"),
  .ownThreads)
struct ColdsweatTests {
  private let user = "alice@example.org"
  private let secret = "p&=+%w ünï words"

  /// Starts a coldsweat that has fetched a feed of four articles, at a free port.
  private func serve(_ fixture: CommandFixture, _ feed: String) throws -> (
    server: pid_t, url: String
  ) {
    let coldsweat = try #require(Coldsweat.program)
    let list = try fixture.file(
      "list.opml",
      """
      <opml version="2.0"><body><outline text="News"><outline type="rss" text="Daily" xmlUrl="\(feed)"/>
      </outline></body></opml>
      """)
    var environment = fixture.environment
    environment["FLASK_DATABASE_URL"] = "sqlite:///\(fixture.home.path)/coldsweat.db"
    environment["FLASK_SECRET_KEY"] = "none"
    // A port that was free a moment ago.
    let port = try {
      let origin = try Origin()
      defer { origin.stop() }
      return origin.port
    }()
    func start(_ words: [String]) throws -> pid_t {
      try Spawn.start(
        [coldsweat] + words, environment: environment, terminal: nil,
        output: fixture.home.path + "/coldsweat.out", errors: fixture.home.path + "/coldsweat.err")
    }
    for words in [["setup", user, "-p", secret], ["import", list, user, "-f"]] {
      let usage = try #require(Spawn.wait(for: try start(words)))
      #expect(usage.exitCode == 0)
    }
    return (try start(["run", "--port", "\(port)"]), "http://127.0.0.1:\(port)/fever")
  }

  @Test("Feeds, folders, articles and states are synced in both directions")
  func bothWays() throws {
    let (fixture, origin) = try CommandFixture.online()
    origin.on("/feed", .answer(Feeds.rss("Daily", ["D", "C", "B", "A"])))
    let (server, url) = try serve(fixture, origin.url("/feed"))
    defer {
      kill(server, SIGTERM)
      _ = Spawn.wait(for: server)
    }
    func add(_ password: String) throws -> CommandFixture.Outcome {
      try fixture.weir("account", "add", "fever", url, "--user", user, input: password + "\n")
    }
    let deadline = Date() + Patience.seconds
    var wrong = try add("not this one")
    while wrong.errors.contains("refused the connection"), Date() < deadline {
      usleep(100_000)
      wrong = try add("not this one")
    }
    #expect(wrong.errors.contains("doesn\u{2019}t accept this user name and password"), "\(wrong)")
    let added = try add(secret)
    #expect(added.code == 0, "\(added)")
    #expect(try fixture.weir("account", "sync").output.contains("4 new articles"))
    #expect(try fixture.weir("feeds").output.contains("News"))
    let articles = try fixture.weir("articles", "--json").objects()
    let ids = articles.compactMap { $0["id"] as? Int }
    #expect(ids.count == 4)
    try fixture.weir("mark", "read", "\(ids[0])")
    try fixture.weir("mark", "starred", "\(ids[1])")
    #expect(try fixture.weir("sync", "--push-only").output.contains("2 sent"))
    try fixture.weir("account", "sync")

    // A second reader sees the star and removes it.
    let other = try CommandFixture()
    func states(_ fixture: CommandFixture) throws -> (unread: Int, starred: Int) {
      let all = try fixture.weir("articles", "--json").objects()
      return (
        all.count { $0["read"] as? Bool == false }, all.count { $0["starred"] as? Bool == true }
      )
    }
    try other.weir("account", "add", "fever", url, "--user", user, input: secret + "\n")
    try other.weir("account", "sync")
    #expect(try states(other) == (3, 1))
    let starred = try other.weir("articles", "--json").objects()
      .first { $0["starred"] as? Bool == true }
    try other.weir("mark", "unstarred", "\(try #require(starred?["id"] as? Int))")
    try other.weir("account", "sync")
    try fixture.weir("account", "sync")
    #expect(try states(fixture) == (3, 0))
    #expect(try fixture.weir("account", "list").output.contains("synced"))
  }
}
