@testable import ReaderUI

@Suite("Downloads of the open article") struct DownloadTests {
  private func opened() async throws -> Robot {
    let robot = try await Robot(.daily())
    await robot.press("Enter", "/").type("Re-entry").press("Enter", "Enter")
    return robot.sees("P to play")
  }

  private func asked(_ robot: Robot) throws -> DownloadTask {
    try #require(try robot.cache.store.engine.downloads.pending().first)
  }

  @Test("d requests a download, and its progress and end are shown")
  func progressIsShown() async throws {
    let robot = try await opened()
    await robot.press("d").sees("Downloading the file", "waiting to download")
    let task = try asked(robot)
    try await robot.cache.store.engine.downloads.setDownloaded(
      task.id, received: 7_100_000, size: 28_400_000)
    await robot.waitUntilIdle().sees("downloading, 7.1 MB of 28 MB, 25 %")
    try await robot.cache.store.engine.downloads.finishDownload(
      task.id, .saved(path: "/srv/pods/episode-12.mp3"))
    await robot.waitUntilIdle()
    robot.sees("Saved as /srv/pods/episode-12.mp3", "saved as /srv/pods/episode-12.mp3")
  }

  @Test("A failed download is reported with its reason and the key that retries it")
  func failureNamesRetryKey() async throws {
    let robot = try await opened()
    await robot.press("d")
    let task = try asked(robot)
    let failure = RefreshFailure(kind: .httpStatus, status: 404, since: robot.cache.clock.now)
    try await robot.cache.store.engine.downloads.finishDownload(task.id, .failed(failure))
    await robot.waitUntilIdle()
    robot.sees("episode-12.mp3 wasn\u{2019}t downloaded", "(d to retry)", "404")
    await robot.press("d").sees("waiting to download")
  }

  @Test("The end of a download is reported on any screen")
  func endIsReportedAnywhere() async throws {
    let robot = try await opened()
    await robot.press("d", "q", "h")
    let task = try asked(robot)
    try await robot.cache.store.engine.downloads.finishDownload(
      task.id, .saved(path: "/srv/episode-12.mp3"))
    await robot.waitUntilIdle().sees("Saved as /srv/episode-12.mp3")
  }

  @Test("d on an article without files reports that there are none")
  func noFilesIsReported() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", "d").sees("This article has no files to download")
    #expect(try robot.cache.store.engine.downloads.pending().isEmpty)
  }

  @Test("The console shows a download and stops it")
  func consoleStopsDownload() async throws {
    let robot = try await opened()
    await robot.press("d")
    let task = try asked(robot)
    try await robot.cache.publish(
      SyncTelemetry(
        at: TestCache.start,
        operations: [
          OperationStatus(
            key: OperationKey(kind: .download, row: task.id), name: task.url,
            host: "rocket.example", priority: .scheduled, state: .running(.receiving), bytes: 1_000,
            since: TestCache.start)
        ]))
    await robot.press("S").sees("File episode-12.mp3")
    await robot.press("D").sees("Stopped File episode-12.mp3")
    #expect(try robot.cache.store.engine.downloads.pending().isEmpty)
  }
}
