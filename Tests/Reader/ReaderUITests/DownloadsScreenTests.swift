@testable import ReaderServices
@testable import ReaderUI

@Suite("The screen of downloads") struct DownloadsScreenTests {
  private static let titles = [
    "Re-entry", "Heat shields and what they are made of", "Tanks", "Landing legs", "Weather",
    "Fuel",
  ]

  /// Returns a cache with six downloads: two running, one each waiting, paused, failed and saved.
  private func cache() async throws -> (cache: TestCache, ids: [Int64]) {
    let cache = try TestCache()
    let items = Self.titles.enumerated().map { index, title in
      ParsedItem.item(
        title, minutes: Double(index),
        enclosures: [Enclosure(url: "https://rocket.example/\(index).mp3", mimeType: "audio/mpeg")])
    }
    try await cache.feed("Rocket Science", items)
    let rows = try cache.store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 9)
    var ids: [Int64] = []
    for title in Self.titles {
      let id = try #require(rows.first { $0.title == title }?.id)
      ids += try await cache.store.reader.downloads.requestDownloads(of: id).map(\.id)
    }
    let engine = cache.store.engine
    try await engine.downloads.setDownloaded(ids[0], received: 12_000_000, size: 28_400_000)
    try await engine.downloads.setDownloaded(ids[1], received: 700_000, size: nil)
    try await engine.downloads.setDownloaded(ids[3], received: 3_000_000, size: 4_000_000)
    try await cache.store.reader.downloads.setDownloadsPaused([ids[3]], true)
    let failure = RefreshFailure(kind: .httpStatus, status: 404, since: cache.clock.now)
    try await engine.downloads.finishDownload(ids[4], .failed(failure))
    try await engine.downloads.finishDownload(
      ids[5], .saved(path: "/srv/pods/5.mp3"), bytes: 28_400_000)
    let article = try #require(try cache.store.reader.downloads.download(ids[5])?.article)
    try await cache.store.reader.downloads.setPlayback(
      article, "https://rocket.example/5.mp3",
      Playback(position: 751, duration: 2_880, at: cache.clock.now))
    cache.clock.now += 7_200
    return (cache, ids)
  }

  /// Publishes telemetry of two running downloads, the first with `bytes` received, and one
  /// waiting.
  private func report(_ cache: TestCache, _ ids: [Int64], bytes: Int64, second: Double) async throws
  {
    let at = cache.clock.now + second
    try await cache.publish(
      SyncTelemetry(
        at: at,
        operations: [
          OperationStatus(
            key: OperationKey(kind: .download, row: ids[0]), host: "rocket.example",
            priority: .scheduled,
            state: .running(.receiving), bytes: bytes, since: cache.clock.now),
          OperationStatus(
            key: OperationKey(kind: .download, row: ids[1]), host: "rocket.example",
            priority: .scheduled,
            state: .running(.connecting), since: cache.clock.now),
          OperationStatus(
            key: OperationKey(kind: .download, row: ids[2]), host: "rocket.example",
            priority: .scheduled,
            state: .waiting(.hostBusy), since: cache.clock.now),
        ]))
  }

  private func opened(
    width: Int = 80, height: Int = 24
  ) async throws -> (robot: Robot, ids: [Int64]) {
    let (cache, ids) = try await cache()
    let robot = await Robot(cache, width: width, height: height)
    await robot.press(":lists downloads")
    try await report(cache, ids, bytes: 1_000_000, second: -1)
    await robot.waitUntilIdle()
    try await report(cache, ids, bytes: 2_200_000, second: 0)
    await robot.waitUntilIdle()
    return (robot, ids)
  }

  @Test("The screen of downloads looks as recorded", arguments: GoldenScreenTests.sizes)
  func looksAsRecorded(width: Int, height: Int) async throws {
    let (robot, _) = try await opened(width: width, height: height)
    try robot.matches("downloads-\(width)x\(height)")
  }

  @Test("Each download shows its share, speed and time left, or why it waits or failed")
  func states() async throws {
    let (robot, _) = try await opened()
    robot.sees("2 running \u{B7} 1 waiting \u{B7} 1 paused \u{B7} 1 failed \u{B7} 1 saved")
    robot.sees("42 %", "12 MB of 28 MB \u{B7} 1.2 MB/s \u{B7} 14 s left")
    robot.sees("connecting", "server is busy", "paused", "404")
    robot.sees("28 MB \u{B7} at 12:31 of 48:00 \u{B7} /srv/pods/5.mp3").doesNotSee("0 B/s")
  }

  @Test("Telemetry is requested while a screen that shows it is open")
  func watches() async throws {
    let (cache, _) = try await cache()
    let robot = await Robot(cache)
    #expect(try !cache.store.engine.requests.isTelemetryWatched())
    await robot.press(":lists downloads")
    #expect(try cache.store.engine.requests.isTelemetryWatched())
    await robot.press("q")
    #expect(try !cache.store.engine.requests.isTelemetryWatched())
    // The console below continues to request telemetry.
    await robot.press("S", "q").press(":downloads").sees("Downloads")
    #expect(try cache.store.engine.requests.isTelemetryWatched())
  }

  @Test("p pauses and resumes the selected download, or all")
  func pausing() async throws {
    let (robot, ids) = try await opened()
    let reader = robot.cache.store.reader
    await robot.press("p").sees("This one", "All").press("Enter").sees("Paused 1 download")
    #expect(try reader.downloads.download(ids[0])?.state == .paused)
    await robot.press("j", "p", "Down", "Enter").sees("Paused")
    #expect(try robot.cache.store.engine.downloads.pending().isEmpty)
    await robot.press("p", "Down", "Enter").sees("Resumed 4 downloads")
    #expect(try robot.cache.store.engine.downloads.pending().count == 4)
    await robot.press("G", "p").sees("This download isn\u{2019}t waiting or running")
  }

  @Test("r puts the selected download first and keeps it selected")
  func order() async throws {
    let (robot, ids) = try await opened()
    let engine = robot.cache.store.engine
    await robot.press("j", "j", "r").selects("Tanks").sees("Tanks is next")
    #expect(try engine.downloads.pending().map(\.id) == [ids[2], ids[0], ids[1]])
    #expect(try engine.downloads.task(ids[2])?.ignoresLimits == true)
  }

  @Test("r retries a failed download, and its end is reported")
  func retrying() async throws {
    let (robot, ids) = try await opened()
    await robot.press("G", "r").sees("This download didn\u{2019}t fail").press("g g")
    await robot.press("j", "j", "j", "j").selects("Weather")
    await robot.press("r").sees("Trying 1 download again")
    #expect(try robot.cache.store.reader.downloads.download(ids[4])?.state == .waiting)
    try await robot.cache.store.engine.downloads.finishDownload(ids[4], .saved(path: "/srv/4.mp3"))
    await robot.waitUntilIdle().sees("Saved as /srv/4.mp3")
  }

  @Test("P plays a saved file from the last position, and reports a file that is not saved")
  func playing() async throws {
    let (robot, ids) = try await opened()
    await robot.press("P").sees("This file isn\u{2019}t saved yet")
    await robot.press("G", "P").sees("Playing \u{201C}Fuel\u{201D} at 12:31")
    let task = try #require(robot.actions.tasks.last)
    #expect(task.program == .player && task.file == "/srv/pods/5.mp3")
    let article = try #require(try robot.cache.store.reader.downloads.download(ids[5])?.article)
    #expect(
      task.playing
        == ProgramTask.Playing(
          article: article, url: "https://rocket.example/5.mp3", from: 751))
  }

  @Test("Enter opens the article of the download")
  func opening() async throws {
    let (robot, _) = try await opened()
    await robot.press("j", "Enter").sees("Body of Heat shields")
  }

  @Test("Removing a waiting download asks first; for a saved one, the file can be deleted too")
  func removing() async throws {
    let (robot, ids) = try await opened()
    let reader = robot.cache.store.reader
    await robot.press("D").sees("Remove the download of Re-entry?")
    await robot.press("n")
    #expect(try reader.downloads.download(ids[0]) != nil)
    await robot.press("D", "y").sees("Removed the download of Re-entry")
    #expect(try reader.downloads.download(ids[0]) == nil)

    let file = NSTemporaryDirectory() + "weir-\(UUID().uuidString).mp3"
    try Data("sound".utf8).write(to: URL(filePath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    try await robot.cache.store.engine.downloads.finishDownload(ids[1], .saved(path: file))
    await robot.waitUntilIdle()
    await robot.press("G", "k").selects("Heat shields")
    await robot.press("D").sees("Delete the file", "Keep the file")
    await robot.press("Esc")
    #expect(try reader.downloads.download(ids[1]) != nil)
    await robot.press("D", "Enter").sees("Deleted Heat shields")
    #expect(try reader.downloads.download(ids[1]) == nil)
    #expect(!FileManager.default.fileExists(atPath: file))
    // The file of the last download does not exist; its row is removed all the same.
    await robot.press("G", "D", "Down", "Enter").sees("the file stays")
    #expect(try reader.downloads.download(ids[5]) == nil)
  }

  @Test("The limit that holds downloads back is shown above the list and beside waiting downloads")
  func held() async throws {
    let (cache, _) = try await cache()
    try await cache.store.engine.downloads.setDownloadPause(
      DownloadPause(.day, until: TestCache.start + 11 * 3_600 + 18 * 60))
    let robot = await Robot(cache)
    await robot.press(":lists downloads")
    robot.sees("Today\u{2019}s limit is reached; downloads go on at 22:00", "from 22:00")
    try await cache.store.engine.downloads.setDownloadPause(
      DownloadPause(.month, until: TestCache.start + 10 * 86_400))
    await robot.waitUntilIdle().sees("This month\u{2019}s limit is reached")
    await robot.press("q", "Enter", "d").sees("Weir downloads the file from")
    await robot.press(":lists downloads")
    try await cache.store.engine.downloads.setDownloadPause(nil)
    await robot.waitUntilIdle().doesNotSee("limit is reached").sees("in the queue")
  }

  @Test("Without downloads, the screen says how to make one")
  func empty() async throws {
    let robot = await Robot(try await .daily())
    await robot.press(":lists downloads").sees(
      "Nothing was downloaded. d on an article downloads its files.")
    await robot.press("P").sees("There are no downloads")
  }

  @Test("The speed is that of the last seconds, and 0 after a silence")
  func speed() {
    var rate = DownloadRate()
    let start = TestCache.start
    rate.add(0, at: start)
    #expect(rate.rate(at: start) == nil)
    for second in 1...60 { rate.add(Int64(second) * 1_000, at: start + Double(second)) }
    #expect(rate.rate(at: start + 60) == 1_000)
    for second in 61...75 { rate.add(60_000 + Int64(second - 60) * 10, at: start + Double(second)) }
    #expect(rate.rate(at: start + 75) == 10)
    #expect(rate.rate(at: start + 90) == 0)
    // Another attempt starts over.
    rate.add(5, at: start + 91)
    #expect(rate.rate(at: start + 91) == nil)
  }

  // MARK: The reader

  @Test("The reader shows how far a file was played without a change of the header's height")
  func header() async throws {
    let (cache, ids) = try await cache()
    let robot = await Robot(cache)
    await robot.press("Enter", "G", "Enter").sees("Body of Fuel", "at 12:31 of 48:00")
    let height = robot.lines.firstIndex { $0.contains("Body of Fuel") }
    let article = try #require(try cache.store.reader.downloads.download(ids[5])?.article)
    try await cache.store.reader.downloads.setPlayback(
      article, "https://rocket.example/5.mp3",
      Playback(position: 2_880, duration: 2_880, isFinished: true, at: cache.clock.now))
    await robot.waitUntilIdle().doesNotSee("12:31").sees("played")
    #expect(robot.lines.firstIndex { $0.contains("Body of Fuel") } == height)
    await robot.press("P").sees("Playing \u{201C}Fuel\u{201D}")
    #expect(robot.actions.tasks.last?.playing?.from == nil)
    #expect(robot.actions.tasks.last?.playing?.article == article)
  }
}
