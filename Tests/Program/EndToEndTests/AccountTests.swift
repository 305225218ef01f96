@Suite("Accounts", .ownThreads, .countsFailures) struct AccountTests {
  @Test("A rebuilt server gets stars again, which undo takes back") func rebuiltServer() throws {
    let (fixture, _, server, url) = try CommandFixture.withFreshRSS()
    server.starred = [1, 2]
    try fixture.addAccount(url)
    #expect(try fixture.weir("account", "sync").code == 0)
    server.rebuild(addingToIDs: 1_000)
    for _ in 0..<2 { #expect(try fixture.weir("account", "sync").code == 0) }
    #expect(server.starred == [1_001, 1_002])
    #expect(try fixture.weir("account", "list").output.contains("your marks were sent again"))
    let robot = try fixture.reader(columns: 100).waitFor("127.0.0.1")
    try robot.type("u").waitFor("Undone: marks of 2 articles sent").type("qQ").exit(0)
    #expect(server.starred.isEmpty)
  }

  private let user = FakeAggregator.user
  private let secret = FakeAggregator.password

  @Test("An account is added, listed, synced, changed and removed") func journey() throws {
    let (fixture, _, server, url) = try CommandFixture.withFreshRSS()
    let added = try fixture.addAccount(url)
    #expect(added.code == 0, "\(added.errors)")
    #expect(added.output.contains("Signed in and added account 1, alice at 127.0.0.1"))
    #expect(added.output.contains("in a file that only you may read"))

    let synced = try fixture.weir("account", "sync")
    #expect(synced.code == 0, "\(synced.errors)")
    #expect(synced.output.contains("2 new articles"))
    let articles = try fixture.weir("articles", "--json").objects()
    #expect(articles.count == 2)
    let id = try #require(articles.first?["id"] as? Int)
    try fixture.weir("mark", "starred", "\(id)")
    #expect(try fixture.weir("account", "list").output.contains("1 to send"))
    let account = try #require(try fixture.weir("account", "list", "--json").objects().first)
    #expect((account["outbox"] as? [String: Int])?["pending"] == 1)
    #expect(account["kind"] as? String == "greader" && account["user"] as? String == user)

    let pushed = try fixture.weir("sync", "--push-only")
    #expect(pushed.code == 0 && pushed.output.contains("1 sent"), "\(pushed)")
    #expect(server.starred.count == 1)
    #expect(try fixture.weir("sync", "--push-only").output == "Nothing to send\n")

    #expect(try fixture.addAccount(url).errors.contains("is already account 1"))
    try fixture.weir("mark", "read", "\(id)")
    let refused = try fixture.weir("account", "remove", "1")
    #expect(refused.code == 1 && refused.errors.contains("1 change that the server does not know"))
    #expect(try fixture.weir("sync").output.contains("1 sent"))
    #expect(server.unread.count == 1)
    #expect(try fixture.weir("account", "remove", "alice").output.contains("Removed account 1"))
    #expect(try fixture.weir("articles", "--json").objects().isEmpty)
    #expect(try fixture.weir("account", "list", "--json").output == "[]\n")
  }

  @Test("A server that is asked without TLS and says so gets a remedy") func needsTLS() throws {
    let (fixture, origin) = try CommandFixture.online()
    origin.on("/") { _ in
      .answer("Client sent an HTTP request to an HTTPS server.\n", status: 400, type: "text/plain")
    }
    let errors = try fixture.addAccount(origin.url("")).errors
    #expect(errors.contains("server. If the server speaks TLS, write https:// in"), "\(errors)")
  }

  @Test("A failure is a plain sentence with a remedy, and leaves nothing behind")
  func failures() throws {
    let (fixture, origin, server, url) = try CommandFixture.withFreshRSS()
    func attempt(_ url: String, _ password: String) throws -> CommandFixture.Outcome {
      try fixture.weir("account", "add", "greader", url, "--user", user, input: password + "\n")
    }
    let wrong = try attempt(url, "not this one")
    #expect(wrong.code == 1)
    #expect(wrong.errors.contains("doesn\u{2019}t accept this user name and password"))
    #expect(wrong.errors.contains("a separate password"))
    let plain = try attempt(origin.url("/"), "not this one")
    #expect(plain.errors.contains("doesn\u{2019}t accept this user name and password"))
    #expect(!plain.errors.contains("Allow API access"), "\(plain.errors)")
    server.setSwitchedOff(true)
    let off = try attempt(url, secret)
    #expect(off.code == 1 && off.errors.contains("Allow API access"), "\(off.errors)")
    server.setSwitchedOff(false)
    let elsewhere = try attempt(origin.url("/nothing/here"), secret)
    #expect(elsewhere.code == 1 && elsewhere.errors.contains("has no such API at this address"))
    let unreachable = try attempt("http://127.0.0.1:1/api/greader.php", secret)
    #expect(unreachable.code == 1 && unreachable.errors.contains("refused the connection"))
    #expect(try attempt("gopher://h", secret).code == 1)
    #expect(try attempt("https://a:b@h/", secret).errors.contains("holds a name or a password"))
    let empty = try fixture.weir("account", "add", "greader", url, "--user", user)
    #expect(empty.code == 1 && empty.errors.contains("No password was given"))
    #expect(try fixture.weir("account", "list", "--json").output == "[]\n")
    let kept = fixture.dataDirectory.appending(path: "passwords.json")
    #expect(!FileManager.default.fileExists(atPath: kept.path))
    #expect(try fixture.weir("account", "add", "gopher", url, "--user", user).code == 64)

    let unchecked = try fixture.weir(
      "account", "add", "greader", "http://127.0.0.1:1", "--user", user, "--unchecked",
      input: secret)
    #expect(unchecked.code == 0, "\(unchecked.errors)")
  }

  @Test(
    "The API's address is found from any of the server's addresses",
    arguments: [
      "", "/", "/api", "/api/", "/api/greader.php/", "/api/greader.php/accounts/ClientLogin",
      "/api/greader.php/reader/api/0/", "/?x=1#top", "/i/", "/i/?a=normal&get=a",
      "/i/index.php", "/api/fever.php",
    ])
  func addressOfTheServer(path: String) throws {
    let (fixture, origin, _, url) = try CommandFixture.withFreshRSS()
    let added = try fixture.addAccount(origin.url(path))
    #expect(added.code == 0, "\(added.errors)")
    #expect(try fixture.weir("account", "list", "--json").objects().first?["url"] as? String == url)
    #expect(try fixture.addAccount(url).errors.contains("is already account 1"))
  }

  @Test("A sync says each time that an account fails, and exits with 1")
  func exitCodeAndSummary() throws {
    let (fixture, origin) = try CommandFixture.online()
    try fixture.addAccount(FakeAggregator.freshRSS(on: origin).url)
    try fixture.weir(
      "account", "add", "greader", "http://127.0.0.1:1", "--user", user, "--unchecked",
      input: secret + "\n")
    func objects(_ arguments: String...) throws -> [[String: Any]] {
      try fixture.start(["sync", "--json"] + arguments).outcome().lines.compactMap {
        try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
    }
    let first = try fixture.weir("sync")
    #expect(first.code == 1 && first.errors.contains("refused the connection"), "\(first)")
    #expect(!first.output.contains("refused"))
    let waiting = try fixture.weir("sync")
    #expect(waiting.code == 1 && waiting.errors.contains("refused the connection"), "\(waiting)")
    #expect(try fixture.weir("doctor").output.contains("Accounts: 1 problem"))
    let whole = try objects("--all")
    #expect(whole.count == 3)
    #expect(whole.last?["summary"] as? Bool == true && whole.last?["total"] as? Int == 0)
    let nothing = try objects()
    #expect(nothing.count == 1)
    #expect(nothing.last?["summary"] as? Bool == true && nothing.last?["total"] as? Int == 0)
    try fixture.weir("account", "remove", "1")
    let accountAlone = try fixture.weir("sync", "--all")
    #expect(accountAlone.code == 1, "\(accountAlone)")
  }

  @Test("Feeds of an account do not count as unfetched, because their server fetches them")
  func feedsOfAccountsAreWell() throws {
    let (fixture, origin) = try CommandFixture.online()
    try fixture.addAccount(FakeAggregator.freshRSS(on: origin).url)
    try fixture.weir("account", "sync")
    let doctor = try fixture.weir("doctor")
    #expect(doctor.output.contains("Feeds: OK"), "\(doctor.output)")
    let feed = try #require(try fixture.weir("feeds", "--json").objects().first)
    #expect(feed["name"] as? String == "Planet" && feed["state"] as? String == "ok")
    #expect(try !fixture.weir("feeds").output.contains("not fetched yet"))
    // A feed without an account counts as not fetched until its first fetch.
    try fixture.weir("add", "--unchecked", origin.url("/own"))
    #expect(try fixture.weir("doctor").output.contains("Not fetched yet: 1 feed"))
  }

  // MARK: The reader

  @Test("A star in the reader is sent to the server, and unsent changes are announced at the end")
  func reader() throws {
    let (fixture, _, server, url) = try CommandFixture.withFreshRSS()
    let robot = try fixture.reader(columns: 130).waitFor("Welcome to Weir")
    try robot.type(":accounts").keys("Enter").waitFor("There are no accounts").type("a").waitFor(
      "Add an account"
    ).type(url).keys("Tab").type(user).keys("Tab")
      .type("wrong").waitFor("•••••").keys("Enter").waitFor("doesn\u{2019}t accept this user")
    try robot.keys("C-u").type(secret).keys("Enter").waitFor("Signed in")
      .type("q").waitFor("Planet")
    #expect(try !robot.screen().joined().contains(secret))
    try robot.type("/").type("planet").keys("Enter").type("G").keys("Enter").type("s")
      .waitFor("★")
    let deadline = Date() + Patience.seconds
    while server.starred.isEmpty, Date() < deadline { usleep(50_000) }
    #expect(server.starred.count == 1)
    try robot.type("Q").exit(0)
    #expect(try fixture.weir("account", "list").output.contains("synced"))
  }

  @Test("Offline, an account is added without a check, and changes wait") func offline() throws {
    let (fixture, _, server, url) = try CommandFixture.withFreshRSS()
    _ = try fixture.addAccount(url)
    try fixture.weir("account", "sync")
    let robot = try fixture.reader("--offline", columns: 130).waitFor("127.0.0.1")
    try robot.type("G").keys("Enter").type("s").waitFor("★").waitFor("⇡ 1").type(":accounts").keys(
      "Enter"
    )
    .waitFor("starred").waitFor("waiting to be sent").type("qQ").exit(0)
    #expect(server.starred.isEmpty)
    #expect(try fixture.weir("sync", "--push-only").output.contains("1 sent"))
    #expect(server.starred.count == 1)
  }

  @Test("A refused change is shown, sent again or discarded, and an account can be removed")
  func refused() throws {
    let (fixture, _, server, url) = try CommandFixture.withFreshRSS()
    try fixture.addAccount(url)
    try fixture.weir("account", "sync")
    server.setPoison([1, 2])
    let robot = try fixture.reader(columns: 130).waitFor("127.0.0.1")
    try robot.type("G").keys("Enter").type("s").waitFor("★").type(":accounts").keys("Enter")
      .waitFor("refused by the server: 400")
    server.setPoison([])
    try robot.type("jr").waitForAbsence(of: "refused by the server")
    try robot.waitUntil("the star has arrived") { server.starred.count == 1 }

    server.setPoison([1, 2])
    try robot.type("q").waitForAbsence(of: "synced ").type("s").waitForAbsence(of: "★")
      .type(":accounts").keys("Enter").waitFor("refused by the server: 400")
    try robot.type("jD").waitFor("Discard this change (unstarred").type("y").waitFor("Discarded")
      .waitForAbsence(of: "refused by the server")
    #expect(server.starred.count == 1)
    // The next sync restores the server's state.
    try robot.type("ggr").waitFor("127.0.0.1 syncs").type("q").waitFor("★")

    try robot.type(":accounts").keys("Enter").waitFor("synced ").type("D").waitFor(
      "Remove 127.0.0.1"
    ).type("y")
      .waitFor("Removed 127.0.0.1").type("qQ").exit(0)
    #expect(try fixture.weir("account", "list", "--json").output == "[]\n")
  }

  @Test("Every sync reports refused changes until they are sent again or discarded")
  func refusedChanges() throws {
    let (fixture, _, server, url) = try CommandFixture.withFreshRSS()
    try fixture.addAccount(url)
    try fixture.weir("account", "sync")
    server.setPoison([1])
    try fixture.weir("mark", "read", "--feed", "1")
    let sync = try fixture.weir("account", "sync")
    #expect(sync.code == 1 && sync.errors.contains("refused 1 change"), "\(sync)")
    #expect(sync.output.contains("1 refused"), "\(sync)")
    #expect(server.unread == [1])
    let again = try fixture.weir("sync")
    #expect(again.code == 1 && again.errors.contains("weir account retry"), "\(again)")
    let changes = try fixture.weir("account", "changes", "--json")
    #expect(changes.code == 0 && changes.output.contains("\"state\":\"refused\""), "\(changes)")
    server.setPoison([])
    let retry = try fixture.weir("account", "retry", "1")
    #expect(retry.output.contains("1 change will be sent with the next sync"), "\(retry)")
    #expect(try fixture.weir("account", "sync").code == 0)
    #expect(server.unread.isEmpty)

    server.setPoison([2])
    try fixture.weir("mark", "unread", "--feed", "1")
    #expect(try fixture.weir("account", "sync").code == 1)
    let discard = try fixture.weir("account", "discard")
    #expect(discard.output.contains("1 change discarded"), "\(discard)")
    #expect(try fixture.weir("account", "sync").code == 0)
    #expect(try fixture.weir("account", "changes").errors.contains("Every change has been sent"))
  }

  @Test(
    "A sync whose changes were not accepted fails with the reason, although it fetched articles")
  func failedChanges() throws {
    let (fixture, origin, server, url) = try CommandFixture.withFreshRSS()
    try fixture.addAccount(url)
    try fixture.weir("account", "sync")
    server.addItems([3], feed: 1)
    try fixture.weir("mark", "read", "--feed", "1")
    let call = "/api/greader.php/reader/api/0/edit-tag"
    origin.on(call, .answer("<h1>Oops</h1>", status: 500, type: "text/html"))
    let sync = try fixture.weir("account", "sync")
    #expect(sync.code == 1, "\(sync)")
    #expect(
      sync.errors.contains("has not taken 2 changes: the server has a problem (500: Oops)"),
      "\(sync)")
    #expect(sync.output.contains("2 to be sent next time, 1 new article"), "\(sync)")
    let changes = try fixture.weir("account", "changes")
    #expect(changes.output.contains("the server has a problem (500: Oops)"), "\(changes)")
    server.serve(on: origin, below: call)
    let again = try fixture.weir("account", "sync")
    #expect(again.code == 0 && again.output.contains("2 sent"), "\(again)")
    #expect(server.unread == [3])
  }

  @Test(
    "Quitting waits three seconds for a hanging server, and reports changes that are sent later")
  func quitting() throws {
    let (fixture, origin, server, url) = try CommandFixture.withFreshRSS()
    server.addItems(3...200, feed: 1)
    try fixture.addAccount(url)
    try fixture.weir("account", "sync")
    try fixture.weir("mark", "read", "--feed", "1")
    let call = "/api/greader.php/reader/api/0/edit-tag"
    origin.on(call, .hang)
    let reader = try PseudoTerminal([CommandFixture.program], environment: fixture.environment)
    #expect(reader.wait(for: "200") != nil)
    let isTried = Date() + Patience.seconds
    while !origin.log.contains(where: { $0.target.contains("edit-tag") }), Date() < isTried {
      _ = reader.read(wait: 0.05)
    }
    let began = ContinuousClock.now
    #expect(reader.quit() != nil)
    let duration = began.duration(to: .now)
    #expect(
      String(decoding: reader.output, as: UTF8.self).contains("200 changes will be sent next time"))
    Soak.report("quit, 200 changes pending, the server hangs", "\(duration)", "200 wait")
    #expect(server.unread.count == 200)
    server.serve(on: origin, below: call)
    let pushed = try fixture.weir("sync", "--push-only")
    #expect(pushed.output.contains("200 sent"), "\(pushed)")
    #expect(server.unread.isEmpty)
  }
}
