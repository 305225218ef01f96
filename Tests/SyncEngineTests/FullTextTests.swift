import FeedModel
import FeedStore
import Foundation
import Networking
import Testing

@testable import SyncEngine

@Suite struct FullTextTests {
  private let story =
    "<html><body><nav><a href=/>Home</a></nav><article><p>"
    + "The page tells the whole story, slowly, and in sentences that take their time to end. "
    + "It has a second one too, so that nobody takes it for a label.</p></article></body></html>"

  /// A feed of one article whose page is at `page`.
  private func article(
    _ bench: Bench, page: String = "http://a.example/1", feed: String = "http://a.example/feed"
  ) async throws -> ArticleID {
    bench.web.on(
      feed,
      .feed(
        "<rss version=\"2.0\"><channel><title>A</title><item><guid>1</guid><title>One</title>"
          + "<link>\(page)</link><description>A teaser</description></item></channel></rss>"))
    try await bench.subscribe(feed)
    _ = await bench.controller().runUntilIdle()
    let row = try bench.store.reader.articles(ArticleQuery(scope: .all), .top, limit: 1).first
    return try #require(row?.id)
  }

  private func failure(_ bench: Bench, _ id: ArticleID) throws -> RefreshFailure? {
    guard case .failed(let failure) = try bench.store.reader.fullText(id)?.state else { return nil }
    return failure
  }

  @Test func thePageOfAnArticleIsFetchedAndItsArticleKept() async throws {
    let bench = try Bench()
    let id = try await article(bench)
    bench.web.on("http://a.example/1", .status(302, [("Location", "/story")]))
    bench.web.on("http://a.example/story", .page(story))
    _ = try await bench.store.reader.turnFullText(id)
    _ = await bench.controller().runUntilIdle(.requested)
    guard case .found(let html) = try bench.store.reader.fullText(id)?.state else {
      Issue.record("\(String(describing: try bench.store.reader.fullText(id)))")
      return
    }
    #expect(html.hasPrefix("<p>The page tells the whole story"))
    #expect(!html.contains("Home"))
    let request = try #require(bench.web.requests(to: "http://a.example/1").first)
    #expect(request.header("Accept")?.hasPrefix("text/html") == true)
    #expect(request.header("Referer") == nil)
    #expect(request.limits.decodedBody == PageRequest.maximumPage)
    // Once is enough.
    bench.web.forget()
    _ = await bench.controller().runUntilIdle(.requested)
    #expect(bench.web.log.isEmpty)
  }

  @Test func onlyAFeedsOwnHostLeadsIntoAPrivateNetwork() async throws {
    let bench = try Bench()
    let own = try await article(bench)
    let foreign = try await article(
      bench, page: "http://192.168.1.1/reboot", feed: "http://b.example/feed")
    for id in [own, foreign] { _ = try await bench.store.reader.turnFullText(id) }
    _ = await bench.controller().runUntilIdle(.requested)
    let allowed = { (url: String) in bench.web.requests(to: url).map(\.allowsPrivateAddress) }
    #expect(allowed("http://a.example/1") == [true])
    #expect(allowed("http://192.168.1.1/reboot") == [false])
  }

  private static let failures: [(FakeWeb.Answer, RefreshFailure.Kind, Int?)] = [
    (.status(404), .httpStatus, 404),
    (.status(403), .httpStatus, 403), (.status(410), .gone, 410),
    (.status(401), .unauthorized, 401),
    (.status(429, [("Retry-After", "100")]), .rateLimited, 429),
    (.page("<html><body><div id=app></div></body></html>"), .noArticle, nil),
    (.page("%PDF-1.7 x"), .noArticle, nil), (.page("  "), .empty, nil),
    (.failure(.tooLarge), .tooLarge, nil), (.failure(.forbiddenAddress), .forbiddenAddress, nil),
    (.failure(.hostNotFound), .hostNotFound, nil),
  ]

  @Test(arguments: failures)
  func whatGoesWrongIsARow(
    answer: FakeWeb.Answer, kind: RefreshFailure.Kind, status: Int?
  ) async throws {
    let bench = try Bench()
    let id = try await article(bench)
    bench.web.on("http://a.example/1", answer)
    _ = try await bench.store.reader.turnFullText(id)
    _ = await bench.controller().runUntilIdle(.requested)
    let failure = try #require(try failure(bench, id))
    #expect(failure.kind == kind)
    #expect(failure.status == status)
    #expect(try bench.store.reader.article(id)?.bodyHTML.contains("teaser") == true)
    // The key asks again.
    bench.web.on("http://a.example/1", .page(story))
    #expect(try await bench.store.reader.turnFullText(id)?.state == .waiting)
  }

  @Test func offlineItWaitsForTheLine() async throws {
    let bench = try Bench()
    let id = try await article(bench)
    bench.web.on("http://a.example/1", .failure(.offline))
    _ = try await bench.store.reader.turnFullText(id)
    let summary = await bench.runWithTime(bench.controller())
    #expect(summary.storeFailure == nil)
    #expect(try bench.store.reader.fullText(id)?.state == .waiting)
    bench.web.on("http://a.example/1", .page(story))
    _ = await bench.controller().runUntilIdle(.requested)
    guard case .found = try bench.store.reader.fullText(id)?.state else {
      Issue.record("\(String(describing: try bench.store.reader.fullText(id)))")
      return
    }
  }

  @Test func givenUpOnTheWayItEndsWithoutAFolderForFilesToo() async throws {
    let bench = try Bench()
    let id = try await article(bench)
    bench.web.on("http://a.example/1", .hang)
    bench.web.forget()
    _ = try await bench.store.reader.turnFullText(id)
    let controller = bench.controller()
    controller.start()
    await bench.web.waitForRequests(1)
    #expect(bench.web.inFlight == 1)
    try await bench.store.reader.cancelFullText(id)
    #expect(try await Bench.eventually { bench.web.inFlight == 0 })
    await controller.stop(deadline: 3_600)
  }

  @Test func aFeedThatIsSetSoBringsThePagesOfWhatArrives() async throws {
    let bench = try Bench()
    bench.web.on("http://a.example/1", .page(story))
    let feeds = try await bench.subscribe("http://a.example/feed")
    try await bench.store.reader.setFetchesFullText(feeds[0], true)
    bench.web.on(
      "http://a.example/feed",
      .feed(
        "<rss version=\"2.0\"><channel><title>A</title><item><guid>1</guid><title>One</title>"
          + "<link>http://a.example/1</link></item></channel></rss>"))
    _ = await bench.controller().runUntilIdle()
    let row = try #require(
      try bench.store.reader.articles(ArticleQuery(scope: .all), .top, limit: 1).first)
    guard case .found = try bench.store.reader.fullText(row.id)?.state else {
      Issue.record("\(String(describing: try bench.store.reader.fullText(row.id)))")
      return
    }
  }
}
