@Suite("Downloads") final class DownloadTests: CacheSuite {
  private func article(_ urls: [String], in cache: TestCache) async throws -> ArticleID {
    let feed = try await cache.feed("pod")
    var item = ParsedItem.dated(1, hours: 1, title: "One")
    item.enclosures = urls.map { Enclosure(url: $0, mimeType: "audio/mpeg") }
    return try #require(try await cache.merge(feed, [item]).added.first)
  }

  @Test("Each file of an article becomes one download, and its outcome is stored")
  func eachFileIsOneDownload() async throws {
    let (a, b) = ("https://example.org/a.mp3", "https://example.org/b.mp3")
    let id = try await article([a, b, a, "ftp://example.org/c"], in: cache)
    let asked = try await cache.store.reader.downloads.requestDownloads(of: id)
    #expect(asked.map(\.url) == [a, b])
    #expect(asked.allSatisfy { $0.state == .waiting })
    #expect(try await cache.store.reader.downloads.requestDownloads(of: id) == asked)
    // The download survives a restart.
    let other = try cache.another()
    defer { other.close() }
    #expect(try other.engine.downloads.pending().map(\.url) == [a, b])
    #expect(
      try other.engine.downloads.pending().map(\.referrers.feed).first
        == "https://example.org/pod")

    try await other.engine.downloads.setDownloaded(asked[0].id, received: 10, size: 40)
    #expect(try cache.store.reader.downloads.download(asked[0].id)?.received == 10)
    try await other.engine.downloads.finishDownload(asked[0].id, .saved(path: "/tmp/a.mp3"))
    let failure = RefreshFailure(kind: .httpStatus, status: 404, since: TestCache.start)
    try await other.engine.downloads.finishDownload(asked[1].id, .failed(failure))
    let ended = try cache.store.reader.downloads.files(of: id)
    #expect(ended[0].state == .saved(path: "/tmp/a.mp3"))
    guard case .failed(let stored) = ended[1].state else {
      Issue.record("\(ended[1])")
      return
    }
    #expect(stored.kind == .httpStatus && stored.status == 404 && stored.count == 1)
    #expect(try cache.store.engine.downloads.pending().isEmpty)
    // If a download is requested again, the engine knows where it was saved.
    try await cache.store.reader.downloads.requestDownloads(of: id)
    #expect(try cache.store.engine.downloads.pending().map(\.path) == ["/tmp/a.mp3", nil])
  }

  @Test("A waiting download can be cancelled, and a late result is ignored")
  func waitingIsCancelled() async throws {
    let id = try await article(["https://example.org/a.mp3"], in: cache)
    let download = try #require(try await cache.downloads.requestDownloads(of: id).first)
    #expect(try cache.store.engine.downloads.pending().map(\.id) == [download.id])
    try await cache.store.reader.downloads.removeDownload(download.id, ifWaiting: true)
    #expect(try cache.store.engine.downloads.pending().map(\.id) == [])
    #expect(try cache.store.reader.downloads.download(download.id) == nil)
    #expect(try cache.store.engine.downloads.task(download.id) == nil)
    // A late result finds no row.
    try await cache.store.engine.downloads.finishDownload(download.id, .saved(path: "/x"))
    #expect(try cache.store.reader.downloads.files(of: id).isEmpty)
  }

  @Test("An article requests at most ten files") func atMostTenFiles() async throws {
    let id = try await article((0..<40).map { "https://example.org/\($0).mp3" }, in: cache)
    #expect(
      try await cache.store.reader.downloads.requestDownloads(of: id).count
        == DownloadCache<ReaderCache>.downloadsAtOnce)
  }

  @Test("The engine's query for waiting downloads and pages uses their indexes")
  func waitingQueryUsesIndexes() async throws {
    for name in ["a", "b"] {
      let feed = try await cache.feed(name)
      _ = try await cache.merge(feed, (1...200).map { ParsedItem.dated($0) })
    }
    // The state after maintenance: all tables are analysed, those of waiting work while empty.
    try Foreign.analyse(cache.directory)
    let store = try cache.another()
    let plans = try Foreign.waitingPlans(in: store)
    #expect(plans.count == 2)
    for plan in plans {
      #expect(plan.contains("_waiting"), "\(plan)")
      #expect(plan.contains("SEARCH a USING INTEGER PRIMARY KEY"), "\(plan)")
    }
  }
}
