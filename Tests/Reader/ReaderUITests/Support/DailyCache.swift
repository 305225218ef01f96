extension TestCache {
  /// Returns a cache with an ordinary reader's feeds: names in several scripts, and one that fails.
  static func daily() async throws -> TestCache { try await filled("daily", fillDaily) }

  private static func fillDaily(_ cache: TestCache) async throws {
    try await cache.feed(
      "LWN", url: "https://lwn.example/feed", folder: ["Systems"],
      [
        .item("Notes on WAL checkpoints", minutes: 61, body: longBody),
        .item("Splicing pages without copying them", minutes: 190),
        .item("The state of the page cache", minutes: 60 * 26),
        .item("A scheduler for small machines", minutes: 60 * 27),
      ])
    let old = try await cache.feed(
      "Old Gazette", url: "https://gazette.example/rss", folder: ["Systems"],
      [.item("The last number", minutes: 60 * 24 * 40)])
    try await cache.fail(old, .httpStatus, status: 503)
    try await cache.feed(
      "SQLite", url: "https://sqlite.example/feed", folder: ["Systems", "Databases"],
      [.item("Release 3.50 forty years of B-trees", minutes: 60 * 24 * 3)])
    try await cache.feed(
      "Rachel", url: "https://rachel.example/atom.xml",
      [
        .item("Why ETags are opaque", minutes: 2, body: etags, author: "Rachel"),
        .item("A quieter terminal", minutes: 14), .item("The BDP and you", minutes: 185),
      ])
    try await cache.feed(
      "阮一峰的网络日志", url: "https://ruanyifeng.example/atom.xml",
      [
        .item("科技爱好者周刊：如何读懂一个终端里的宽字符，以及为什么右边框总是歪的", minutes: 33),
        .item("每周分享第 88 期", minutes: 60 * 25),
      ])
    try await cache.feed(
      "Rocket 🚀 Log", url: "https://rocket.example/feed",
      [
        .item("Launch day 👩‍🚀 with a family 👨‍👩‍👧‍👦 of four and flags 🇫🇷🇯🇵", minutes: 47),
        .item(
          "Episode 12: Re-entry", minutes: 60 * 30,
          enclosures: [
            Enclosure(
              url: "https://rocket.example/audio/episode-12.mp3", mimeType: "audio/mpeg",
              size: 28_400_000, duration: 2_840)
          ]),
      ])
    try await cache.feed(
      "أخبار التقنية", url: "https://tech-ar.example/feed",
      [.item("كيف تعمل الشبكات في القطار", minutes: 75), .item("हिन्दी में टर्मिनल", minutes: 130)])
    let rows = try cache.store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 50)
    let read = rows.filter { ["Notes on WAL checkpoints", "The BDP and you"].contains($0.title) }
    try await cache.store.reader.states.set(.read, read.map(\.id), true)
    try await cache.states.set(
      .starred, rows.filter { $0.title == "The BDP and you" }.map(\.id), true)
    try await cache.store.engine.requests.setSyncStatus(
      SyncStatus(quality: .good, done: 8, total: 8, endedAt: start - 600))
  }

  private static let etags = """
    <p>A validator is a black box. The server made it, and the client hands it back, \
    <strong>byte for byte</strong>. See <a href="https://www.rfc-editor.org/rfc/rfc9110">RFC 9110</a> \
    and <a href="https://example.org/notes">these notes</a>.</p>
    <h2>What goes wrong</h2>
    <ul><li>Quotes are stripped</li><li>The <code>W/</code> is <em>normalised</em> away</li></ul>
    <blockquote><p>Quoted text is indented, with a rule at the left, so that it reads as somebody \
    else's voice.</p></blockquote>
    <pre><code>If-None-Match: W/"5e-1a2b"
    If-Modified-Since: Sat, 21 Nov 2026 10:40:00 GMT</code></pre>
    <p>全角文字の段落も、行末で正しく折り返されなければならない。絵文字 👩‍💻 も同じである。</p>
    """

  private static let longBody = (1...40).map {
    "<p>Paragraph \($0). A checkpoint moves pages from the log into the database file, and it may "
      + "only go as far as the oldest reader allows.</p>"
  }.joined()

  /// Returns the daily cache with more scripts and a saved search.
  static func searchable() async throws -> TestCache {
    try await filled("searchable", fillSearchable)
  }

  private static func fillSearchable(_ cache: TestCache) async throws {
    try await fillDaily(cache)
    try await cache.feed(
      "世界のニュース",
      [
        .item("東京都の新しい堰", minutes: 31, body: "<p>東京の川に新しい堰ができた。京都ではない。</p>", author: "山田"),
        .item(
          "Launch party 🎉👩‍🚀", minutes: 47, body: "<p>Everybody was there 🎉 and the weir too.</p>"),
        .item("קוד פתוח", minutes: 55, body: "<p>על קוד פתוח ועל מים ליד הסכר.</p>"),
      ])
    try await cache.store.search.saveSearch("sqlite OR wal", name: "Databases")
    try await cache.store.search.catchUpIndex(within: .seconds(Patience.seconds))
  }

  /// Returns a cache with two feeds, one of which fails.
  static func tiny() async throws -> TestCache {
    try await filled("tiny") { cache in
      let failing = try await cache.feed("Old")
      try await cache.fail(failing, .gone)
      try await cache.feed("New", [.item("One", minutes: 1), .item("Two", minutes: 2)])
    }
  }

  /// Returns a cache with one feed of `count` articles, an hour apart.
  static func large(_ count: Int) async throws -> (cache: TestCache, feed: FeedID) {
    let cache = try await filled("\(count) articles") { cache in
      let id = try await cache.feed("Archive", [])
      for start in stride(from: 0, to: count, by: 1_000) {
        let items = (start..<min(count, start + 1_000)).map {
          ParsedItem.item("A\(padded($0)) of the archive", minutes: Double($0) * 60)
        }
        try await cache.merge(id, "Archive", items)
      }
    }
    return (cache, try #require(try cache.feeds.subscriptions().feeds.first?.id))
  }

  private static func padded(_ number: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, 5 - text.count)) + text
  }
}
