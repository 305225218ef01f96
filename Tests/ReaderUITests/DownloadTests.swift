import FeedModel
import FeedStore
import Foundation
import TerminalKit
import Testing

@testable import ReaderUI

@Suite struct DownloadTests {
  private func opened() async throws -> Robot {
    let cache = try await TestCache.daily()
    let robot = await Robot(cache)
    await robot.press("Enter", "/").type("Re-entry").press("Enter", "Enter")
    return robot.sees("episode-12.mp3")
  }

  private func asked(_ robot: Robot) throws -> DownloadTask {
    try #require(try robot.cache.store.engine.pendingDownloads().first)
  }

  @Test func theKeyAsksAndItsProgressAndEndAreTold() async throws {
    let robot = try await opened()
    await robot.press("d")
    robot.sees("Downloading the file").sees("waiting to download")
    let task = try asked(robot)
    try await robot.cache.store.engine.setDownloaded(task.id, received: 7_100_000, size: 28_400_000)
    await robot.settle()
    robot.sees("downloading, 7.1 MB of 28 MB, 25 %")
    try await robot.cache.store.engine.finishDownload(
      task.id, .saved(path: "/srv/pods/episode-12.mp3"))
    await robot.settle()
    robot.sees("Saved as /srv/pods/episode-12.mp3").sees("saved as /srv/pods/episode-12.mp3")
  }

  @Test func aFailureIsSaidWithWhatCanBeDone() async throws {
    let robot = try await opened()
    await robot.press("d")
    let task = try asked(robot)
    let failure = RefreshFailure(kind: .httpStatus, status: 404, since: robot.cache.clock.now)
    try await robot.cache.store.engine.finishDownload(task.id, .failed(failure))
    await robot.settle()
    robot.sees("episode-12.mp3 wasn\u{2019}t downloaded").sees("(d tries again)").sees("404")
    await robot.press("d")
    robot.sees("waiting to download")
  }

  @Test("All downloads are a list: Enter stops one, tries it again, or plays it")
  func allAreAList() async throws {
    let robot = try await opened()
    await robot.press("q", "Esc", "g d").sees("Nothing was downloaded")
    let again = try await opened()
    await again.press("d")
    let task = try asked(again)
    let engine = again.cache.store.engine
    try await engine.setDownloaded(task.id, received: 7_100_000, size: 28_400_000)
    await again.press("g d")
    again.sees("Re-entry").sees("7.1 MB of 28 MB, 25 %")
    await again.press("Enter").sees("Stop the download of")
    await again.press("n")
    let failure = RefreshFailure(kind: .httpStatus, status: 404, since: again.cache.clock.now)
    try await engine.finishDownload(task.id, .failed(failure))
    await again.settle()
    await again.press("g d")
    await again.press("Enter").sees("Downloading the file")
    try await engine.finishDownload(task.id, .saved(path: "/srv/pods/episode-12.mp3"))
    await again.settle()
    await again.press("g d")
    await again.press("Enter").sees("Playing")
    #expect(again.actions.tasks.last?.program == .player)
    #expect(again.actions.tasks.last?.file == "/srv/pods/episode-12.mp3")
  }

  @Test func whatEndsElsewhereIsToldWhereverOneIs() async throws {
    let robot = try await opened()
    await robot.press("d", "q", "h")
    let task = try asked(robot)
    try await robot.cache.store.engine.finishDownload(task.id, .saved(path: "/srv/episode-12.mp3"))
    await robot.settle()
    robot.sees("Saved as /srv/episode-12.mp3")
  }

  @Test func anArticleWithoutFilesSaysSo() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", "d")
    robot.sees("This article has no files to download")
    #expect(try robot.cache.store.engine.pendingDownloads().isEmpty)
  }

  @Test func theConsoleShowsAndStopsIt() async throws {
    let robot = try await opened()
    await robot.press("d")
    let task = try asked(robot)
    try await robot.cache.tell(
      SyncTelemetry(
        at: TestCache.start,
        operations: [
          OperationStatus(
            subject: .download(task.id), host: "rocket.example", priority: .scheduled,
            state: .running(.receiving), bytes: 1_000, since: TestCache.start)
        ]))
    await robot.press("S")
    robot.sees("File episode-12.mp3")
    await robot.press("x")
    robot.sees("Stopped File episode-12.mp3")
    #expect(try robot.cache.store.engine.pendingDownloads().isEmpty)
  }
}
