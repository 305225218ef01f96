@Suite(
  "Imports from newsboat",
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")), .ownThreads)
struct NewsboatTests {
  /// Writes a cache in newsboat 2.x's format with a feed that is subscribed to, one that is not,
  /// and one made by a program.
  private func cache(_ fixture: CommandFixture, feed: String) throws -> String {
    let sql = """
      CREATE TABLE rss_feed (rssurl VARCHAR(1024) PRIMARY KEY NOT NULL, url VARCHAR(1024) NOT NULL,
        title VARCHAR(1024) NOT NULL, lastmodified INTEGER(11) NOT NULL DEFAULT 0,
        is_rtl INTEGER(1) NOT NULL DEFAULT 0, etag VARCHAR(128) NOT NULL DEFAULT '');
      CREATE TABLE rss_item (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
        guid VARCHAR(64) NOT NULL, title VARCHAR(1024) NOT NULL, author VARCHAR(1024) NOT NULL,
        url VARCHAR(1024) NOT NULL, feedurl VARCHAR(1024) NOT NULL, pubDate INTEGER NOT NULL,
        content VARCHAR(65535) NOT NULL, unread INTEGER(1) NOT NULL, enclosure_url VARCHAR(1024),
        enclosure_type VARCHAR(1024), enqueued INTEGER(1) NOT NULL DEFAULT 0, flags VARCHAR(52),
        deleted INTEGER(1) NOT NULL DEFAULT 0, base VARCHAR(128) NOT NULL DEFAULT '',
        content_mime_type VARCHAR(255) NOT NULL DEFAULT '');
      INSERT INTO rss_feed (rssurl, url, title) VALUES ('\(feed)', 'https://example.org/', 'Daily'),
        ('https://example.org/other', 'https://example.org/', 'Other'),
        ('exec:touch \(fixture.home.path)/canary', '', 'Program');
      INSERT INTO rss_item (guid, title, author, url, feedurl, pubDate, content, unread, flags,
        deleted, enclosure_url, enclosure_type) VALUES
        ('Daily/A', 'A', 'Ann', 'https://example.org/1', '\(feed)', 1767607200, '<p>Old text.</p>',
          0, 'x', 0, '', ''),
        ('Daily/Old', 'Old one', '', 'https://example.org/old', '\(feed)', 1600000000,
          '<p onclick="x">Only here<script>alert(1)</script></p>', 1, NULL, 0,
          'https://example.org/a.mp3', 'audio/mpeg'),
        ('Daily/Gone', 'Gone', '', 'https://example.org/gone', '\(feed)', 1600000000, '', 0, '', 1,
          '', ''),
        ('o1', 'Esc \u{1B}[31mred', '', 'javascript:alert(1)', 'https://example.org/other',
          1700000000, 'x', 1, 'ab', 0, '', ''),
        ('p1', 'Made by a program', '', 'https://example.org/p', 'exec:touch \(fixture.home.path)/canary',
          1700000000, 'x', 1, NULL, 0, '', '');
      """
    let path = fixture.home.appending(path: "cache.db").path
    let script = try fixture.file("make.sql", sql)
    #expect(try Shell.run("sqlite3 '\(path)' < '\(script)'") == 0)
    return path
  }

  @Test("Read, flagged and deleted articles are imported, cleaned, and only once")
  func cacheComesOver() throws {
    let (fixture, origin) = try CommandFixture.online()
    origin.on("/feed", .answer(Feeds.rss("Daily", ["Gone", "B", "A"])))
    try fixture.weir("add", "--unchecked", origin.url("/feed"))
    try fixture.weir("sync", "--quiet")
    let path = try cache(fixture, feed: origin.url("/feed"))
    let before = try Data(contentsOf: URL(filePath: path))

    let first = try fixture.weir("import", "--newsboat-cache", path)
    #expect(first.code == 0, "\(first)")
    #expect(
      first.output.contains("Imported 2 articles from newsboat; updated the marks of 2 articles"))
    #expect(first.output.contains("added 1 feed"))
    #expect(first.errors.contains("exec:"))
    #expect(!FileManager.default.fileExists(atPath: fixture.home.path + "/canary"))

    let rows = try fixture.weir("articles", "--json").objects()
    func row(_ title: String) -> [String: Any]? { rows.first { $0["title"] as? String == title } }
    #expect(rows.count == 5)
    #expect(row("A")?["read"] as? Bool == true)
    #expect(row("A")?["starred"] as? Bool == true)
    #expect(row("B")?["read"] as? Bool == false)
    #expect(row("Old one")?["read"] as? Bool == false)
    // An article that newsboat had deleted was here already, and stays.
    #expect(row("Gone") != nil)
    let old = try #require(row("Old one")?["id"] as? Int)
    let article = try fixture.weir("show", String(old), "--json").json() as? [String: Any]
    #expect(article?["html"] as? String == "<p>Only here</p>")
    #expect((article?["enclosures"] as? [Any])?.count == 1)
    let other = try #require(rows.first { ($0["title"] as? String)?.hasPrefix("Esc") == true })
    #expect(other["url"] == nil)
    #expect(other["starred"] as? Bool == true)
    #expect((other["title"] as? String)?.contains("\u{1B}") == false)

    let second = try fixture.weir("import", "--newsboat-cache", path)
    #expect(second.output == "Imported 0 articles from newsboat\n")
    #expect(try fixture.weir("articles", "--json").objects().count == 5)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(try fixture.weir("doctor").output.contains(": OK"))
  }

  @Test("Feeds get newsboat's names, and feeds of programs are imported on request")
  func titlesAndPrograms() throws {
    let fixture = try CommandFixture()
    let path = try cache(fixture, feed: "https://daily.example/feed")
    let outcome = try fixture.weir("import", "--newsboat-cache", path, "--with-programs")
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome)")
    let feeds = try fixture.weir("feeds", "--json").objects()
    let names = Set(feeds.compactMap { $0["name"] as? String })
    #expect(names.isSuperset(of: ["Daily", "Other", "Program"]), "\(names)")
    let titles = try fixture.weir("articles", "--json").objects().compactMap {
      $0["title"] as? String
    }
    #expect(titles.contains("Made by a program"))
    #expect(!FileManager.default.fileExists(atPath: fixture.home.path + "/canary"))
  }

  @Test("An article that newsboat had deleted does not return with the next refresh")
  func deletedStaysAway() throws {
    let (fixture, origin) = try CommandFixture.online()
    origin.on("/feed", .answer(Feeds.rss("Daily", ["Gone", "A"])))
    let path = try cache(fixture, feed: origin.url("/feed"))
    #expect(try fixture.weir("import", "--newsboat-cache", path).code == 0)
    try fixture.weir("sync", "--all", "--quiet")
    let titles = try fixture.weir("articles", "--json").objects().compactMap {
      $0["title"] as? String
    }
    #expect(titles.contains("A") && !titles.contains("Gone"))
    #expect(titles.filter { $0 == "A" }.count == 1)
  }

  @Test("A file that is not a newsboat cache is reported as such") func otherFiles() throws {
    let fixture = try CommandFixture()
    let text = try fixture.file("text", "hello")
    #expect(try fixture.weir("import", "--newsboat-cache", text).code != 0)
    #expect(try fixture.weir("import", "--newsboat-cache", text + "-none").code == 1)
    #expect(try fixture.weir("import").code == 64)
    try fixture.weir("feeds")
    let own = fixture.dataDirectory.appending(path: "weir.db").path
    let outcome = try fixture.weir("import", "--newsboat-cache", own)
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("newsboat\u{2019}s cache"))
  }

  @Test("A view in place of a table is not read, as it may have no end") func endlessView() throws {
    let fixture = try CommandFixture()
    let path = try cache(fixture, feed: "https://example.org/feed")
    let columns = ["guid", "title", "author", "url", "content", "feedurl"].map { "'x' AS \($0)" }
    let script = try fixture.file(
      "view",
      """
      DROP TABLE rss_item;
      CREATE VIEW rss_item AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT i AS id, 1 AS pubDate, 1 AS unread, \(columns.joined(separator: ", ")) FROM n;
      """)
    #expect(try Shell.run("sqlite3 '\(path)' < '\(script)'") == 0)
    let outcome = try fixture.weir("import", "--newsboat-cache", path)
    #expect(outcome.code == 1 && outcome.errors.contains("newsboat\u{2019}s cache"))
  }

  @Test("A pipe in place of newsboat's cache is refused at once") func pipe() throws {
    let fixture = try CommandFixture()
    let path = try fixture.file("cache.db", "")
    unlink(path)
    #expect(mkfifo(path, 0o600) == 0)
    let outcome = try fixture.weir("import", "--newsboat-cache", path)
    #expect(outcome.code == 1 && outcome.errors.contains("not a regular file"))
  }

  @Test("A damaged newsboat cache is not reported as Weir's database") func damagedCache() throws {
    let fixture = try CommandFixture()
    let path = try cache(fixture, feed: "https://example.org/feed")
    var bytes = try Data(contentsOf: URL(filePath: path))
    #expect(bytes.count > 8_192)
    bytes.replaceSubrange(4_096..., with: Data(repeating: 0xA5, count: bytes.count - 4_096))
    try bytes.write(to: URL(filePath: path))
    let outcome = try fixture.weir("import", "--newsboat-cache", path)
    #expect(outcome.code == 1)
    #expect(
      outcome.errors.contains("newsboat\u{2019}s cache \(path) is damaged"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("doctor"))
  }

  @Test("A publisher's changes are shown word by word") func changes() throws {
    let (fixture, origin) = try CommandFixture.online()
    let text = Shared("<p>The lake is 40 m deep.</p>")
    origin.on("/feed") { _ in .answer(Feeds.rss("Daily", ["A"], body: text.value)) }
    try fixture.weir("add", "--unchecked", origin.url("/feed"))
    try fixture.weir("sync", "--quiet")
    let id = try #require(try fixture.weir("articles", "--json").objects().first?["id"] as? Int)
    #expect(try fixture.weir("show", String(id), "--changes").output.contains("not changed"))
    text.value = "<p>The lake is 42 m deep.</p>"
    try fixture.weir("sync", "--all", "--quiet")
    let changes = try fixture.weir("show", String(id), "--changes")
    #expect(changes.output.contains("The lake is [-40-] {+42+} m deep."), "\(changes)")
  }

  @Test("The number of kept articles can be set for all feeds and for one")
  func limitsArticles() throws {
    let (fixture, origin) = try CommandFixture.online()
    let items = (0..<30).map { "Item \($0)" }
    origin.on("/a", .answer(Feeds.rss("Aa", items)))
    origin.on("/b", .answer(Feeds.rss("Bb", items)))
    try fixture.weir("add", "--unchecked", origin.url("/a"), origin.url("/b"))
    try fixture.file(".config/weir/config.toml", "[keep]\narticles = 10\n")
    let set = try fixture.weir("feed", "set", origin.url("/b"), "keep-articles=20")
    #expect(set.output == "keep-articles=20\nkeep-days=0\n")
    #expect(set.errors.contains("The oldest read articles go first"))
    try fixture.weir("sync", "--quiet")
    for feed in ["/a", "/b"] { try fixture.weir("mark", "read", "--feed", origin.url(feed)) }
    // Maintenance follows a sync.
    let deadline = Patience.end
    var totals: [Int] = []
    while totals != [10, 20], ContinuousClock.now < deadline {
      try fixture.weir("feed", "set", origin.url("/b"), "keep-articles=20")
      try fixture.weir("sync", "--all", "--quiet")
      totals = try fixture.weir("feeds", "--json").objects().compactMap { $0["total"] as? Int }
    }
    #expect(totals == [10, 20])
  }
}
