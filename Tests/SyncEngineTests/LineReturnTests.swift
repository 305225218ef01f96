import FeedModel
import FeedStore
import Foundation
import Networking
import RemoteAccounts
import TestSupport
import Testing

@testable import NetworkMeasurement
@testable import SyncEngine

/// In a reader that is open without a line: what waits costs nothing meanwhile, and is done when
/// the line is back, though no feed is due.
@Suite struct LineReturnTests {
  private let article = "http://a.example/1"
  private let file = "http://a.example/talk.mp3"

  private func isOffline(_ controller: NetworkController) async -> Bool {
    for await event in controller.events {
      if case .line(.offline, _, _) = event { return true }
    }
    return false
  }

  /// A feed that is not due, with an article whose page and file the line does not bring.
  private func bench() async throws -> (bench: Bench, article: ArticleID) {
    let bench = try Bench()
    bench.web.on(
      "http://a.example/feed",
      .feed(
        "<rss version=\"2.0\"><channel><title>A</title><item><guid>1</guid><title>One</title>"
          + "<link>\(article)</link><enclosure url=\"\(file)\" type=\"audio/mpeg\"/></item>"
          + "</channel></rss>"))
    try await bench.subscribe("http://a.example/feed")
    _ = await bench.controller().runUntilIdle()
    let row = try bench.store.reader.articles(ArticleQuery(scope: .all), .top, limit: 1).first
    bench.web.onAnythingElse { _ in .failure(.offline) }
    return (bench, try #require(row?.id))
  }

  @Test(.timeLimit(.minutes(2))) func anAccountIsNotTriedOverAndOver() async throws {
    let bench = try await AccountBench()
    let web = bench.bench.web
    web.onAnythingElse { _ in .failure(.offline) }
    let controller = bench.controller()
    controller.start()
    #expect(await isOffline(controller))
    try await bench.bench.pass(120)
    // The rest asked only whether the line lives.
    #expect(web.log.count { $0.method != .head } == 1)
    #expect(try bench.state()?.isRequested == true)
    bench.server.answer(for: web)
    #expect(try await bench.bench.pass(120) { try bench.state()?.isRequested == false })
    #expect(try bench.state()?.failure == nil)
    await controller.stop(deadline: 10)
  }

  @Test(.timeLimit(.minutes(2))) func aFullTextComesWhenTheLineIsBack() async throws {
    let (bench, id) = try await bench()
    let controller = bench.controller()
    controller.start()
    _ = try await bench.store.reader.turnFullText(id)
    #expect(await isOffline(controller))
    let story = String(repeating: "A sentence that takes its time to end, and one more. ", count: 9)
    bench.web.on(article, .page("<html><body><article><p>\(story)</p></article></body></html>"))
    let isThere = try await bench.pass(120) {
      if case .found = try bench.store.reader.fullText(id)?.state { true } else { false }
    }
    #expect(isThere)
    await controller.stop(deadline: 10)
  }

  @Test(.timeLimit(.minutes(2))) func aDownloadComesWhenTheLineIsBack() async throws {
    let (bench, id) = try await bench()
    let controller = bench.controller { $0.downloadFolder = bench.directory + "/Downloads" }
    controller.start()
    let download = try #require(try await bench.store.reader.requestDownloads(of: id).first)
    #expect(await isOffline(controller))
    bench.web.on(file, .reply(200, [], "sound"))
    let isThere = try await bench.pass(120) {
      if case .saved = try bench.store.reader.download(download.id)?.state { true } else { false }
    }
    #expect(isThere)
    await controller.stop(deadline: 10)
  }

  @Test func aPasswordThatCannotBeHadSaysNothingOfTheLine() {
    #expect(AccountError.noSecret(detail: nil).end(host: "a.example") == .cancelled)
    #expect(AccountError.wrongCredentials.end(host: "a.example") == .answered)
  }

  @Test func aDiscoveryThatReachesNobodyIsNoAnswer() async throws {
    let bench = try Bench()
    bench.web.onAnythingElse { _ in .failure(.hostNotFound) }
    try await bench.subscribe((1...6).map { "http://h\($0).example/" })
    _ = try await bench.store.reader.requestDiscovery(url: "http://new.example/")
    // One at a time, and what was asked for by name is the first.
    let summary = await bench.runWithTime(bench.controller { $0.ceiling = 1 })
    #expect(bench.web.urls.first == "http://new.example/")
    #expect(summary.isOffline)
    #expect(summary.failed == 0)
  }
}
