@Suite("Syncs of accounts", .ownThreads) struct AccountSyncTests {
  private let user = FakeAggregator.user
  private let secret = FakeAggregator.password

  @Test("A feed for a Fever account is refused before anything is requested")
  func feverSubscription() throws {
    let (fixture, origin) = try CommandFixture.online()
    _ = FakeAggregator.freshRSS(on: origin)
    let added = try fixture.weir(
      "account", "add", "fever", origin.url("/api/fever.php"), "--user", user, "--title", "Fever",
      input: secret + "\n")
    #expect(added.code == 0, "\(added.errors)")
    let requests = origin.log.count
    let refused = try fixture.weir("add", origin.url("/page"), "--folder", "Fever/News")
    #expect(refused.code == 1 && refused.errors.contains("Fever speaks Fever"), "\(refused.errors)")
    #expect(origin.log.count == requests)
  }

  @Test("A quiet sync reports an account that fails, whether or not a feed is due")
  func quietFailure() throws {
    let (fixture, origin) = try CommandFixture.online()
    origin.on("/good", .answer(Feeds.rss("Good", ["A"])))
    try fixture.addAccount(FakeAggregator.freshRSS(on: origin).url)
    try fixture.weir(
      "account", "add", "greader", "http://127.0.0.1:1", "--user", user, "--unchecked",
      input: secret + "\n")
    for _ in 0..<2 {
      let sync = try fixture.weir("sync", "--all", "--quiet")
      #expect(sync.code == 1 && sync.output.isEmpty, "\(sync)")
      #expect(sync.errors.contains("127.0.0.1 refused the connection. "), "\(sync)")
      try fixture.weir("add", "--unchecked", origin.url("/good"))
    }
  }

  @Test(
    "Sync and reader list the feeds with starred articles that were unsubscribed at the server",
    arguments: [true, false])
  func endedSubscription(isInReader: Bool) throws {
    let (fixture, origin, server, url) = try CommandFixture.withFreshRSS()
    server.addItems([3], feed: server.addFeed(origin.url("/other"), title: "Other"))
    server.starred = [1]
    try fixture.addAccount(url)
    try fixture.weir("account", "sync")
    server.feeds = server.feeds.filter { $0.title != "Planet" }
    let notice = "\u{201C}Planet\u{201D} was unsubscribed there, with 1 starred article"
    if isInReader {
      try fixture.reader(columns: 140).waitFor("Planet").type(":accounts").keys("Enter").waitFor(
        "synced"
      ).type("r")
        .waitFor(notice).type("qQ").exit(0)
    } else {
      let sync = try fixture.weir("account", "sync")
      #expect(sync.output.contains(notice), "\(sync)")
    }
  }

  @Test("Adopting reports how many feeds moved, how many the server had, and why others stay")
  func adoption() throws {
    let (fixture, origin) = try CommandFixture.online()
    try fixture.addAccount(FakeAggregator.freshRSS(on: origin).url)
    try fixture.weir("account", "sync")
    for path in ["/planet", "/new"] { try fixture.weir("add", "--unchecked", origin.url(path)) }
    try fixture.weir("add", "--unchecked", "exec:/bin/true")
    let outcome = try fixture.weir("account", "adopt", "1", "--yes")
    #expect(outcome.errors.contains("1 feed will be subscribed to at 127.0.0.1"), "\(outcome)")
    #expect(outcome.output.contains("Already at 127.0.0.1: "), "\(outcome)")
    #expect(outcome.output.contains("Only Weir can read it, stays here: "), "\(outcome)")
  }

  @Test("A server restored from a backup gets the lost marks again") func setBack() throws {
    let (fixture, _, server, url) = try CommandFixture.withFreshRSS()
    server.addItems(3...40, feed: 1)
    try fixture.addAccount(url)
    try fixture.weir("account", "sync")
    let backup = server.backup()
    try fixture.weir("mark", "read", "--feed", "1")
    try fixture.weir("account", "sync")
    #expect(server.unread.isEmpty)
    server.restore(backup)
    for _ in 0..<2 { #expect(try fixture.weir("account", "sync").code == 0) }
    #expect(server.unread.isEmpty)
    #expect(try fixture.weir("account", "list").output.contains("restored or set up again"))
  }
}
