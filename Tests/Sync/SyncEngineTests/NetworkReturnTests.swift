@testable import NetworkMeasurement
@testable import SyncEngine

/// A reader that is open without a network: pending work sends no requests and is done when the
/// network is back, though no feed is due.
@Suite("Work that waits for the network", .timeLimit(.minutes(120))) struct NetworkReturnTests {
  private let article = "http://a.example/1"
  private let file = "http://a.example/talk.mp3"
  private let chapters = "http://a.example/talk.json"

  private func isOffline(_ controller: NetworkController) async -> Bool {
    for await event in controller.events {
      if case .limitChanged(.offline, _, _) = event { return true }
    }
    return false
  }

  @Test("Offline, an account is not tried repeatedly") func offlineAccountWaits() async throws {
    let fixture = try await AccountFixture()
    let web = fixture.fixture.web
    web.onAnythingElse { _ in .failure(.offline) }
    let controller = fixture.startedController()
    #expect(await isOffline(controller))
    try await fixture.fixture.pass(120)
    // All other requests only checked whether the network works.
    #expect(web.log.count { $0.method != .head } == 1)
    #expect(try fixture.state()?.isRequested == true)
    fixture.server.answer(for: web)
    #expect(try await fixture.fixture.pass(120) { try fixture.state()?.isRequested == false })
    #expect(try fixture.state()?.failure == nil)
    await controller.end()
  }

  @Test("A full text, a download and its chapters are fetched when the network is back")
  func fetchedOnReturn() async throws {
    let fixture = try EngineFixture()
    let id = try await fixture.article(
      "<link>\(article)</link><enclosure url=\"\(file)\" type=\"audio/mpeg\"/>"
        + "<podcast:chapters url=\"\(chapters)\"/>")
    fixture.web.onAnythingElse { _ in .failure(.offline) }
    let controller = fixture.startedController {
      $0.downloadFolder = fixture.directory + "/Downloads"
    }
    let store = fixture.store.reader
    _ = try await store.fullTexts.turnFullText(id)
    let download = try #require(try await store.downloads.requestDownloads(of: id).first)
    #expect(await isOffline(controller))
    #expect(try fixture.store.engine.chapters.pending().map(\.url) == [chapters])
    let story = String(repeating: "A sentence that takes its time to end, and one more. ", count: 9)
    fixture.web.on(article, .page("<html><body><article><p>\(story)</p></article></body></html>"))
    fixture.web.on(file, .reply(200, [], "sound"))
    fixture.web.on(
      chapters, .reply(200, [], "{\"chapters\": [{\"startTime\": 5, \"title\": \"Five\"}]}"))
    let isThere = try await fixture.pass(600) {
      guard case .found = try store.fullTexts.fullText(id)?.state,
        case .saved = try store.downloads.download(download.id)?.state
      else { return false }
      return try store.articles.article(id)?.bodyHTML.contains("0:05 Five") == true
    }
    #expect(isThere)
    await controller.end()
  }

  @Test("An unavailable password is no evidence about the network") func passwordIsNoEvidence() {
    #expect(AccountError.noSecret(detail: nil).end(host: "a.example") == nil)
    #expect(AccountError.wrongCredentials.end(host: "a.example") == .answered)
  }

  @Test("A discovery that reaches no host does not count as an answer")
  func failedDiscoveryIsOpen() async throws {
    let fixture = try EngineFixture()
    fixture.web.onAnythingElse { _ in .failure(.hostNotFound) }
    try await fixture.subscribe((1...6).map { "http://h\($0).example/" })
    _ = try await fixture.store.reader.requests.requestDiscovery(url: "http://new.example/")
    // One operation runs at a time, and the requested one is the first.
    let summary = await fixture.runWithTime(fixture.controller { $0.connections = 1 })
    #expect(fixture.web.urls.first == "http://new.example/")
    #expect(summary.isOffline)
    #expect(summary.failed == 0)
  }
}
