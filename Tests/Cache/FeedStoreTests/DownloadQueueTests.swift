@Suite("The queue of downloads") struct DownloadQueueTests {
  /// A cache with `count` waiting downloads, in the order in which they were requested.
  private func queue(
    _ count: Int, downloadDays: Int = 0
  ) async throws -> (cache: TestCache, ids: [Int64], articles: [ArticleID]) {
    let cache = try TestCache(downloadDays: downloadDays)
    let feed = try await cache.feed("pod")
    let items = (1...count).map { number in
      var item = ParsedItem.dated(number, hours: Double(number), title: "T\(number)")
      item.enclosures = [
        Enclosure(url: "https://example.org/\(number).mp3", mimeType: "audio/mpeg")
      ]
      return item
    }
    try await cache.merge(feed, items)
    let rows = try cache.store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: count)
    let articles = rows.sorted { $0.title < $1.title }.map(\.id)
    var ids: [Int64] = []
    for article in articles {
      ids += try await cache.store.reader.downloads.requestDownloads(of: article).map(\.id)
    }
    return (cache, ids, articles)
  }

  @Test("The queue keeps its order, and a download can be moved to the front")
  func order() async throws {
    let (cache, ids, _) = try await queue(4)
    func order() throws -> [Int64] { try cache.store.engine.downloads.pending().map(\.id) }
    #expect(try order() == ids)
    try await cache.store.reader.downloads.startDownloadNow(ids[2])
    #expect(try order() == [ids[2], ids[0], ids[1], ids[3]])
    #expect(try cache.store.engine.downloads.task(ids[2])?.ignoresLimits == true)
    #expect(try cache.downloads.allDownloads().map(\.id) == [ids[2], ids[0], ids[1], ids[3]])
  }

  @Test("The engine skips a paused download, which keeps its received bytes")
  func paused() async throws {
    let (cache, ids, articles) = try await queue(3)
    let (reader, engine) = (cache.store.reader, cache.store.engine)
    try await engine.downloads.setDownloaded(ids[0], received: 10, size: 40)
    #expect(try await reader.downloads.setDownloadsPaused([ids[0]], true) == 1)
    #expect(try reader.downloads.download(ids[0])?.state == .paused)
    #expect(try reader.downloads.download(ids[0])?.received == 10)
    #expect(try engine.downloads.pending().map(\.id) == [ids[1], ids[2]])
    #expect(try engine.downloads.task(ids[0]) == nil)
    #expect(try engine.downloads.hasPart(ofDownload: ids[0]))
    #expect(try engine.downloads.unfinishedDownloads().map(\.id).contains(ids[0]))
    #expect(try await reader.downloads.setDownloadsPaused(nil, true) == 2)
    #expect(try engine.downloads.pending().isEmpty)
    #expect(try await reader.downloads.setDownloadsPaused(nil, false) == 3)
    #expect(try engine.downloads.pending().map(\.id) == ids)
    // Requesting the download again resumes it.
    try await reader.downloads.setDownloadsPaused([ids[0]], true)
    try await reader.downloads.requestDownloads(of: articles[0])
    #expect(try reader.downloads.download(ids[0])?.state == .waiting)
    try await reader.downloads.removeDownload(ids[0], ifWaiting: true)
    #expect(try !engine.downloads.hasPart(ofDownload: ids[0]))
  }

  @Test("Failed downloads wait again behind the others; any download can be removed")
  func retried() async throws {
    let (cache, ids, _) = try await queue(3)
    let (reader, engine) = (cache.store.reader, cache.store.engine)
    let failure = RefreshFailure(kind: .httpStatus, status: 404, since: TestCache.start)
    try await engine.downloads.finishDownload(ids[0], .failed(failure))
    try await engine.downloads.finishDownload(ids[1], .saved(path: "/tmp/2.mp3"), bytes: 7)
    #expect(try reader.downloads.allDownloads().map(\.id) == [ids[2], ids[0], ids[1]])
    try await reader.downloads.retryDownloads([ids[0], ids[1]])
    #expect(try engine.downloads.pending().map(\.id) == [ids[2], ids[0]])
    let saved = try #require(try reader.downloads.download(ids[1]))
    #expect(saved.state == .saved(path: "/tmp/2.mp3"))
    #expect(saved.size == 7 && saved.savedAt == TestCache.start)
    #expect(try reader.downloads.savedDownloads() == ["/tmp/2.mp3"])
    for id in ids { try await reader.downloads.removeDownload(id) }
    #expect(try reader.downloads.allDownloads().isEmpty)
  }

  @Test("Bytes are counted by day and month, including those of removed downloads")
  func usage() async throws {
    let (cache, ids, _) = try await queue(1)
    let engine = cache.store.engine
    try await engine.downloads.setDownloaded(ids[0], received: 10, size: nil, added: 10)
    cache.clock.now = TestCache.start + 86_400
    try await engine.downloads.setDownloaded(ids[0], received: 15, size: nil, added: 5)
    try await cache.store.reader.downloads.removeDownload(ids[0])
    try await engine.downloads.setDownloaded(ids[0], received: 16, size: nil, added: 1)
    let now = try engine.downloads.downloadUsage(at: cache.clock.now)
    #expect(now.day == 6 && now.month == 16)
    // 1 December.
    let later = try engine.downloads.downloadUsage(at: TestCache.start + 10 * 86_400)
    #expect(later.day == 0 && later.month == 0)
  }

  @Test("The pause of downloads is visible to other processes until it is cleared")
  func pause() async throws {
    let (cache, _, _) = try await queue(1)
    let pause = DownloadPause(.day, until: TestCache.start + 3_600)
    try await cache.store.engine.downloads.setDownloadPause(pause)
    let other = try cache.another()
    defer { other.close() }
    #expect(try other.reader.downloads.downloadPause() == pause)
    try await cache.store.engine.downloads.setDownloadPause(nil)
    #expect(try other.reader.downloads.downloadPause() == nil)
  }

  // MARK: How far files were played

  @Test("The position in a file is stored with its length until its article is deleted")
  func playback() async throws {
    let (cache, ids, articles) = try await queue(1)
    let (reader, url) = (cache.store.reader, "https://example.org/1.mp3")
    let at = TestCache.start
    try await reader.downloads.setPlayback(
      articles[0], url, Playback(position: 10, duration: 60, at: at))
    try await reader.downloads.setPlayback(
      articles[0], url, Playback(position: 25, at: at), isLast: false)
    let expected = Playback(position: 25, duration: 60, at: at)
    #expect(try reader.downloads.playbacks(of: articles[0]) == [url: expected])
    #expect(try reader.downloads.allDownloads().first?.playback == expected)
    #expect(expected.resumesAt == 25)
    #expect(Playback(position: 2, at: at).resumesAt == nil)
    #expect(Playback(position: 59, duration: 60, isFinished: true, at: at).resumesAt == nil)
    let other = try cache.another()
    defer { other.close() }
    #expect(try other.reader.downloads.playbacks(of: articles[0]) == [url: expected])
    // An unknown article.
    try await reader.downloads.setPlayback(ArticleID(rawValue: 999), url, expected)
    #expect(try reader.downloads.playbacks(of: ArticleID(rawValue: 999)).isEmpty)
    _ = ids
  }

  @Test("Retention keeps an article played in part, and deletes one played to its end")
  func spared() async throws {
    let (cache, _, articles) = try await queue(3)
    let reader = cache.store.reader
    try await reader.states.set(.read, articles, true)
    let at = TestCache.start
    try await reader.downloads.setPlayback(
      articles[0], "https://example.org/1.mp3", Playback(position: 25, at: at))
    try await reader.downloads.setPlayback(
      articles[1], "https://example.org/2.mp3", Playback(position: 25, isFinished: true, at: at))
    cache.clock.now = TestCache.start + 400 * 86_400
    let feed = try #require(try reader.feeds.subscriptions().feeds.first?.id)
    try await reader.feeds.setRetention(feed, Retention(days: 30))
    while try await cache.store.engine.maintenance.maintenanceStep() {}
    let left = try reader.articles.page(ArticleQuery(scope: .all), .top, limit: 9).map(\.id)
    #expect(left == [articles[0]])
  }

  // MARK: What is let go

  @Test("Files expire days after they were read or played, except those of starred articles")
  func expired() async throws {
    let (cache, ids, articles) = try await queue(7, downloadDays: 7)
    let (reader, engine) = (cache.store.reader, cache.store.engine)
    for id in ids {
      try await engine.downloads.finishDownload(id, .saved(path: "/p/\(id)"), bytes: id)
    }
    let at = cache.clock.now
    func url(_ number: Int) -> String { "https://example.org/\(number).mp3" }
    // 0: read; 1: unread; 2: read and starred; 3: read and tagged; 4: played in part; 5: played,
    // not read; 6: read, played again recently.
    try await reader.states.set(.read, [0, 2, 3, 4, 6].map { articles[$0] }, true)
    try await reader.states.set(.starred, [articles[2]], true)
    try await reader.states.changeTags(of: [articles[3]], adding: ["keep"], removing: [])
    try await reader.downloads.setPlayback(articles[4], url(5), Playback(position: 60, at: at))
    try await reader.downloads.setPlayback(
      articles[5], url(6), Playback(position: 60, isFinished: true, at: at))
    #expect(try engine.downloads.expiredDownloads().isEmpty)
    cache.clock.now = at + 8 * 86_400
    try await reader.downloads.setPlayback(
      articles[6], url(7), Playback(position: 60, isFinished: true, at: cache.clock.now))
    let expired = try engine.downloads.expiredDownloads()
    #expect(expired.map(\.id) == [ids[0], ids[5]])
    #expect(expired.first?.path == "/p/\(ids[0])" && expired.first?.bytes == ids[0])
    for file in expired { try await engine.downloads.removeDownload(file.id, ifWaiting: false) }
    #expect(try engine.downloads.expiredDownloads().isEmpty)
  }

  @Test("An article stays until its file has expired") func articleAfterFile() async throws {
    let (cache, ids, articles) = try await queue(2, downloadDays: 7)
    let (reader, engine) = (cache.store.reader, cache.store.engine)
    try await reader.states.set(.read, articles, true)
    try await reader.downloads.removeDownload(ids[1])
    try await engine.downloads.finishDownload(ids[0], .saved(path: "/p/1"), bytes: 1)
    let feed = try #require(try reader.feeds.subscriptions().feeds.first?.id)
    cache.clock.now = TestCache.start + 400 * 86_400
    try await reader.feeds.setRetention(feed, Retention(days: 30))
    while try await engine.maintenance.maintenanceStep() {}
    let left = try reader.articles.page(ArticleQuery(scope: .all), .top, limit: 9).map(\.id)
    #expect(left == [articles[0]])
  }
}
