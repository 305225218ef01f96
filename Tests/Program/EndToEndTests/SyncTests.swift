@Suite("Syncs on the command line", .ownThreads) final class SyncTests: OnlineSuite {
  @Test("Synced articles are found, in every form of output") func search() throws {
    origin.on(
      "/one",
      .answer(
        Feeds.rss(
          "One", ["Naïve weirs", "Other"], body: "<p>About <b>wa</b>ter &amp; 水壩\u{1B}[31m.</p>"),
        type: "application/rss+xml"))
    try fixture.weir("import", "-", input: Feeds.opml([("One", origin.url("/one"))]))
    try fixture.weir("sync")
    let found = try fixture.weir("search", "naive", "WATER", "--json").objects()
    #expect(found.compactMap { $0["title"] as? String } == ["Naïve weirs"])
    let pieces = found.first?["snippet"] as? [[String: Any]] ?? []
    #expect(
      pieces.filter { $0["isHit"] as? Bool == true }.map { $0["text"] as? String } == ["water"])
    let plain = try fixture.weir("search", "水壩 -naive", "--limit", "5")
    #expect(plain.code == 0)
    #expect(
      plain.output.hasPrefix("1\tunread\t") && plain.output.hasSuffix("About water & 水壩[31m.\n"))
    #expect(!plain.output.contains("\u{1B}"))
    let none = try fixture.weir("search", "nowhere")
    #expect(none.code == 0 && none.output.isEmpty && none.errors.contains("No results"))
    for (query, words) in [("is:green", "unread, read"), ("before:soon", "isn\u{2019}t a date")] {
      let outcome = try fixture.weir("search", query)
      #expect(outcome.code == 64 && outcome.errors.contains(words), "\(query): \(outcome.errors)")
    }
  }

  @Test(
    "A sync without due feeds wakes the articles that are due",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")))
  func wakes() throws {
    origin.on("/one", .answer(Feeds.rss("One", ["Asleep", "Awake"])))
    try fixture.weir("add", "--unchecked", origin.url("/one"))
    #expect(try fixture.weir("rule", "add", "title:asleep", "--snooze", "1h").code == 0)
    try fixture.weir("sync")
    func titles() throws -> [String] {
      try fixture.weir("articles", "--json").objects().compactMap { $0["title"] as? String }
    }
    #expect(try titles() == ["Awake"])
    let path = fixture.dataDirectory.appending(path: "weir.db").path
    let changed = try fixture.shell("/usr/bin/sqlite3 '\(path)' 'UPDATE snooze SET until = 1'")
    #expect(changed.code == 0, "\(changed)")
    #expect(try fixture.weir("sync").output.hasPrefix("Nothing to refresh"))
    #expect(try Set(titles()) == ["Asleep", "Awake"])
  }

  @Test("Feeds are imported, synced, marked and exported, and the second sync is conditional")
  func journey() throws {
    let etag = "W/\"a b:\\1\""
    let date = "Mon, 05 Jan 2026 10:00:00 GMT"
    for name in ["one", "two"] {
      origin.on("/\(name)") { request in
        .document(
          Array(Feeds.rss("Feed \(name)", ["\(name) B", "\(name) A"]).utf8), etag: etag,
          lastModified: date, to: request)
      }
    }
    origin.on("/broken", .answer("<html>no feed</html>", type: "text/html"))
    let opml = Feeds.opml(["one", "two", "broken", "missing"].map { ($0, origin.url("/\($0)")) })
    #expect(try fixture.weir("import", "-", input: opml).output.contains("4 feeds"))

    let first = try fixture.weir("sync")
    #expect(first.code == 0)
    #expect(first.output.contains("4 feeds, 4 new articles, 2 failed; "))
    #expect(first.output.contains("1 failed: 127.0.0.1 has no such page (404); check the address:"))
    for request in origin.log { #expect(request.header("If-None-Match") == nil) }
    #expect(origin.log.allSatisfy { $0.header("User-Agent")?.hasPrefix("Weir/0.1.0") == true })

    let feeds = try fixture.weir("feeds", "--json").objects()
    #expect(feeds.filter { $0["state"] as? String == "failing" }.count == 2)
    #expect(feeds.allSatisfy { $0["folder"] as? [String] == ["News"] })
    let doctor = try fixture.weir("doctor")
    #expect(doctor.code == 0)
    #expect(doctor.output.contains("Failing: 2 feeds"))

    let articles = try fixture.weir("articles", "--json").objects()
    #expect(articles.count == 4)
    let titles = articles.compactMap { $0["title"] as? String }
    #expect(titles.prefix(2).sorted() == ["one B", "two B"])
    let ids = articles.compactMap { ($0["id"] as? Int).map(String.init) }

    let shown = try fixture.weir("show", ids[0])
    #expect(shown.output.contains("Text of it."))
    #expect(!shown.output.contains("<p>"))
    #expect(try fixture.weir("show", ids[0], "--html").output.contains("<p>Text of it.</p>"))
    let document = try fixture.weir("show", ids[0], "--json").json() as? [String: Any]
    #expect(document?["read"] as? Bool == false)

    #expect(try fixture.weir("mark", "read", ids[0], ids[1]).code == 0)
    #expect(try fixture.weir("mark", "starred", ids[2]).code == 0)
    #expect(try fixture.weir("articles", "--unread", "--json").objects().count == 2)
    #expect(try fixture.weir("articles", "--starred", "--json").objects().count == 1)
    #expect(try fixture.weir("mark", "read", "--feed", "two").output.contains("1 article "))
    #expect(try fixture.weir("mark", "unread", "--feed", "two").output.contains("2 articles"))
    #expect(try fixture.weir("mark", "read", ids[0], "999999").code == 1)
    let old = try fixture.weir("mark", "read", "--older-than", "1d")
    #expect(old.code == 0)

    origin.forget()
    #expect(try fixture.weir("sync").output.contains("Nothing to refresh"))
    #expect(origin.log.isEmpty)
    let second = try fixture.weir("sync", "--all")
    #expect(second.output.contains("4 feeds, nothing new, 2 unchanged, 2 failed"))
    let asked = origin.log.filter { ["/one", "/two"].contains($0.path) }
    #expect(asked.count == 2)
    for request in asked {
      #expect(request.header("If-None-Match") == etag)
      #expect(request.header("If-Modified-Since") == date)
    }
    #expect(try fixture.weir("articles", "--starred", "--json").objects().count == 1)
    #expect(try fixture.weir("export").output.contains(origin.url("/two")))
  }

  @Test("A sync prints nothing, a line for each feed, or failures, as requested")
  func forms() throws {
    origin.on("/good", .answer(Feeds.rss("Good", ["A"])))
    try fixture.weir("add", "--unchecked", origin.url("/good"), origin.url("/bad"))

    let lines = try fixture.weir("sync", "--json").lines.map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    #expect(lines.count == 3)
    #expect(lines.last??["summary"] as? Bool == true)
    #expect(lines.last??["failed"] as? Int == 1)
    #expect((lines.last??["failures"] as? [[String: Any]])?.first?["status"] as? Int == 404)
    #expect(Set(lines.compactMap { $0?["outcome"] as? String }) == ["ok", "failed"])
    #expect(lines.dropLast().compactMap { $0?["newArticles"] as? Int }.reduce(0, +) == 1)

    let quiet = try fixture.weir("sync", "--all", "--quiet")
    #expect(quiet.code == 0)
    #expect(quiet.output.isEmpty && quiet.errors.isEmpty)
    let strict = try fixture.weir("sync", "--all", "--strict", "--quiet")
    #expect(strict.code == 1)
    let alone = try fixture.weir("sync", "/bad")
    #expect(alone.code == 1)
    #expect(alone.errors.contains("404"))
  }

  @Test("Ctrl-C ends a sync at once and keeps what was fetched") func interrupt() throws {
    origin.on("/good", .answer(Feeds.rss("Good", ["A"])))
    origin.on("/hangs", .hang)
    try fixture.weir("add", "--unchecked", origin.url("/good"), origin.url("/hangs"))
    let running = try fixture.start(["sync"])
    let deadline = Patience.end
    while origin.log.count < 2, ContinuousClock.now < deadline { usleep(2_000) }
    while try fixture.weir("articles", "--json").objects().isEmpty, ContinuousClock.now < deadline {
    }
    kill(running.process, SIGINT)
    let outcome = try running.outcome()
    #expect(outcome.code == 130)
    #expect(outcome.errors.contains("Cancelled after 1 of 2 feeds"))
    #expect(try fixture.weir("articles", "--json").objects().count == 1)
    #expect(try fixture.weir("doctor").code == 0)
  }

  @Test("If two syncs run at once, one does the work and the other watches")
  func together() throws {
    for number in 0..<6 {
      origin.on("/\(number)", Reply.answer(Feeds.rss("F\(number)", ["A", "B"])).after(0.2))
      try fixture.weir("add", "--unchecked", origin.url("/\(number)"))
    }
    let both = [try fixture.start(["sync"]), try fixture.start(["sync"])]
    for running in both { #expect(try running.outcome().code == 0) }
    #expect(try fixture.weir("articles", "--json").objects().count == 12)
    #expect(origin.log.count == 6)
  }

  @Test("Moved, gone and slow feeds are shown as such") func conditions() throws {
    origin.on("/new", .answer(Feeds.rss("New place", ["A"])))
    origin.on("/old", .redirect(301, to: origin.url("/new")))
    origin.on("/gone", .status(410))
    try fixture.weir("add", "--unchecked", origin.url("/old"), origin.url("/gone"))
    try fixture.weir("sync")
    let states = try fixture.weir("feeds", "--json").objects().reduce(into: [String: String]()) {
      $0[$1["url"] as? String ?? ""] = $1["state"] as? String
    }
    #expect(states[origin.url("/old")] == "moved")
    #expect(states[origin.url("/gone")] == "gone")
    let doctor = try fixture.weir("doctor", "--json").json() as? [String: Any]
    let conditions = (doctor?["feeds"] as? [[String: Any]])?.compactMap {
      $0["condition"] as? String
    }
    #expect(conditions?.sorted() == ["gone", "moved"])
  }

  @Test("A hundred feeds of every format arrive whole, and a day later only news is fetched")
  func corpus() throws {
    let fixture = try CommandFixture()
    let corpus = Corpus(feeds: 100, articlesPerFeed: 5)
    let origin = try Origin(address: "0.0.0.0")
    let stage = corpus.serve(on: origin)
    let file = try fixture.file("corpus.opml", corpus.opml(port: origin.port))
    #expect(try fixture.weir("import", file).output.contains("100 feeds"))
    let first = try fixture.weir("sync")
    #expect(first.output.contains("100 feeds, 500 new"))
    #expect(try fixture.weir("articles").lines.count == 500)

    origin.forget()
    stage.generation = 1
    let news = (0..<100).filter(corpus.hasNews).count * Corpus.newsPerGeneration
    let second = try fixture.weir("sync", "--all")
    #expect(second.output.contains("100 feeds, \(news) new"))
    #expect(origin.log.count == 100)
    #expect(origin.log.allSatisfy { $0.header("If-None-Match") != nil })
    #expect(try fixture.weir("articles", "--unread").lines.count == 500 + news)
  }
}
