@testable import SyncEngine

@Suite("Limits of downloads") struct DownloadLimitTests {
  private static var calendar: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }

  /// A fixture with `count` articles whose files were requested in this order.
  private func asked(
    _ count: Int, host: (Int) -> String = { _ in "a.example" }
  ) async throws -> (fixture: EngineFixture, downloads: [Download], folder: String) {
    let fixture = try EngineFixture()
    let items = (1...count).map { number in
      "<item><guid>\(number)</guid><title>T\(number)</title>"
        + "<enclosure url=\"http://\(host(number))/\(number).mp3\" type=\"audio/mpeg\"/></item>"
    }
    fixture.web.on(
      "http://a.example/feed",
      .feed("<rss version=\"2.0\"><channel><title>A</title>\(items.joined())</channel></rss>"))
    try await fixture.subscribe("http://a.example/feed")
    _ = await fixture.controller().runUntilIdle()
    fixture.web.forget()
    let rows = try fixture.store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: count)
    var downloads: [Download] = []
    for row in rows.sorted(by: { $0.title < $1.title }) {
      downloads += try await fixture.store.reader.downloads.requestDownloads(of: row.id)
    }
    return (fixture, downloads, fixture.directory + "/Downloads")
  }

  private func controller(
    _ fixture: EngineFixture, _ folder: String,
    _ limits: (inout SyncConfiguration) -> Void = { _ in }
  ) -> NetworkController {
    fixture.controller {
      $0.downloadFolder = folder
      limits(&$0)
      $0.calendar = Self.calendar
      $0.isAutomatic = false
    }
  }

  private func states(_ fixture: EngineFixture, _ downloads: [Download]) throws -> [Bool] {
    try downloads.map { download in
      if case .saved = try fixture.store.reader.downloads.download(download.id)?.state {
        true
      } else {
        false
      }
    }
  }

  // MARK: Values

  @Test("A used-up amount holds downloads until the next day or month") func amounts() {
    let limits = DownloadLimits(perDay: 100, perMonth: 1_000, parallel: 3)
    let noon = Date(timeIntervalSince1970: 1_795_262_400)
    let midnight = Date(timeIntervalSince1970: 1_795_305_600)
    func pause(_ day: Int64, _ month: Int64) -> DownloadPause? {
      limits.pause(at: noon, used: (day, month), Self.calendar)
    }
    #expect(pause(99, 999) == nil)
    #expect(pause(100, 999) == DownloadPause(.day, until: midnight))
    // 1 December.
    #expect(
      pause(0, 1_000) == DownloadPause(.month, until: Date(timeIntervalSince1970: 1_796_083_200)))
  }

  // MARK: The engine

  @Test("A used-up amount requests nothing and is visible; on the next day the download runs")
  func waitsForNextDay() async throws {
    let (fixture, downloads, folder) = try await asked(1)
    fixture.web.onAnythingElse { _ in .reply(200, [], "sound") }
    try await fixture.store.engine.downloads.setDownloaded(
      downloads[0].id, received: 0, size: nil, added: 10)
    let engine = controller(fixture, folder) { $0.downloadsPerDay = 10 }
    engine.start()
    try await expectEventually { try fixture.store.reader.downloads.downloadPause() != nil }
    #expect(try fixture.store.reader.downloads.downloadPause()?.reason == .day)
    #expect(fixture.web.log.isEmpty)
    #expect(try await fixture.pass(90_000) { try states(fixture, downloads) == [true] })
    try await expectEventually { try fixture.store.reader.downloads.downloadPause() == nil }
    await engine.end()
  }

  @Test("A run until idle does not wait for the next day") func endsWithoutIts() async throws {
    let (fixture, downloads, folder) = try await asked(1)
    _ = await controller(fixture, folder) { $0.downloadsPerDay = 0 }.runUntilIdle(.requested)
    #expect(fixture.web.log.isEmpty)
    #expect(try fixture.store.reader.downloads.download(downloads[0].id)?.state == .waiting)
    #expect(try fixture.store.reader.downloads.downloadPause()?.reason == .day)
    // A file that the user wants now is fetched all the same.
    fixture.web.onAnythingElse { _ in .reply(200, [], "sound") }
    try await fixture.store.reader.downloads.startDownloadNow(downloads[0].id)
    _ = await controller(fixture, folder) { $0.downloadsPerDay = 0 }.runUntilIdle(.requested)
    #expect(try states(fixture, downloads) == [true])
  }

  @Test("Received bytes count, and when the day's amount is used up, the rest waits")
  func amountOfADay() async throws {
    let (fixture, downloads, folder) = try await asked(3)
    fixture.web.onAnythingElse { _ in .reply(200, [], "12345") }
    func limits(_ configuration: inout SyncConfiguration) {
      (configuration.downloadsPerDay, configuration.parallelDownloads) = (10, 1)
    }
    _ = await fixture.runWithTime(controller(fixture, folder, limits))
    try await expectEventually {
      try fixture.store.engine.downloads.downloadUsage(at: fixture.now).day >= 10
    }
    let day = try fixture.store.engine.downloads.downloadUsage(at: fixture.now).day
    // A finished download may be counted after the next one has started.
    #expect([10, 15].contains(day))
    if day == 10 {
      #expect(try states(fixture, downloads) == [true, true, false])
      #expect(try fixture.store.reader.downloads.downloadPause()?.reason == .day)
    }
    fixture.manual.advance(by: .seconds(86_400))
    _ = await fixture.runWithTime(controller(fixture, folder, limits))
    #expect(try states(fixture, downloads) == [true, true, true])
  }

  @Test("The configured number of downloads run at once, in the order of the queue")
  func parallel() async throws {
    let (fixture, downloads, folder) = try await asked(4) { "h\($0).example" }
    fixture.web.onAnythingElse { _ in .reply(200, [], "sound") }
    fixture.web.pause()
    let engine = controller(fixture, folder) { $0.parallelDownloads = 2 }
    engine.start()
    await fixture.web.waitForRequests(2)
    #expect(Set(fixture.web.urls) == ["http://h1.example/1.mp3", "http://h2.example/2.mp3"])
    for count in 3...4 {
      fixture.web.releaseOne()
      await fixture.web.waitForRequests(count)
      #expect(fixture.web.inFlight <= 2)
    }
    #expect(fixture.web.urls[2] == "http://h3.example/3.mp3")
    fixture.web.release()
    try await expectEventually { try states(fixture, downloads) == [true, true, true, true] }
    await engine.end()
  }

  @Test("A download that is paused while it runs keeps its bytes and resumes from there")
  func pausedOnItsWay() async throws {
    let (fixture, downloads, folder) = try await asked(1)
    let url = downloads[0].url
    fixture.web.on(url, .cut(200, [("ETag", "\"v1\"")], "first "))
    _ = await controller(fixture, folder).runUntilIdle(.requested)
    try await fixture.store.reader.downloads.retryDownloads([downloads[0].id])
    fixture.web.on(url, .hang)
    fixture.web.forget()
    let engine = controller(fixture, folder)
    engine.start()
    await fixture.web.waitForRequests(1)
    try await fixture.store.reader.downloads.setDownloadsPaused(nil, true)
    try await expectEventually { fixture.web.inFlight == 0 }
    await engine.end()
    let parts = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(parts.count == 1 && parts[0].hasPrefix(".weir-"))
    fixture.web.on(url) { request in
      request.header("Range") == "bytes=6-"
        ? .reply(206, [("Content-Range", "bytes 6-11/12")], "second") : .status(400)
    }
    fixture.web.forget()
    _ = await controller(fixture, folder).runUntilIdle(.requested)
    #expect(fixture.web.log.isEmpty)
    try await fixture.store.reader.downloads.setDownloadsPaused(nil, false)
    _ = await controller(fixture, folder).runUntilIdle(.requested)
    let path = folder + "/1.mp3"
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "first second")
    #expect(try fixture.store.reader.downloads.download(downloads[0].id)?.size == 12)
  }

  // MARK: What is let go

  @Test("Expired files are deleted, unless they were changed") func expiry() async throws {
    let (fixture, downloads, folder) = try await asked(3)
    fixture.web.onAnythingElse { _ in .reply(200, [], "sound") }
    _ = await controller(fixture, folder).runUntilIdle(.requested)
    #expect(try states(fixture, downloads) == [true, true, true])
    let paths = try downloads.map { download in
      guard case .saved(let path) = try fixture.store.reader.downloads.download(download.id)?.state
      else {
        return ""
      }
      return path
    }
    try Data("mine now".utf8).write(to: URL(filePath: paths[1]))
    try await fixture.store.reader.states.set(.read, downloads.prefix(2).map(\.article), true)
    fixture.store.close()
    let store = try FeedStore.open(
      directory: fixture.directory,
      options: StoreOptions(
        retention: Retention(downloadDays: 7), now: { fixture.now + 8 * 86_400 }))
    defer { store.close() }
    let engine = fixture.controller(on: store) {
      $0.downloadFolder = folder
      $0.maintenanceInterval = .seconds(600)
    }
    _ = await fixture.runWithTime(engine)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["2.mp3", "3.mp3"])
    #expect(try String(contentsOfFile: paths[1], encoding: .utf8) == "mine now")
    #expect(try store.reader.downloads.allDownloads().map(\.id) == [downloads[2].id])
  }
}
