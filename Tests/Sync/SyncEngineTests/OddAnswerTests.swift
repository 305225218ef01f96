@testable import SyncEngine

/// Answers of feeds that worked: pages in place of the feed, and 304 for ever.
@Suite("Pages in place of feeds, and 304 for ever") final class OddAnswerTests: EngineSuite {
  private let url = "http://a.example/feed"
  private static let challenge =
    "<html><head><title>Just a moment...</title></head><body><h1>Checking</h1></body></html>"

  @Test(
    "A check for robots and a page to sign in are named in place of a feed that worked",
    arguments: [
      (200, challenge, FailureDetail.robotCheck), (403, challenge, .robotCheck),
      (202, challenge, .robotCheck),
      (200, "<title>x</title><script>window._cf_chl_opt = {}</script><p>Wait", .robotCheck),
      (200, "<title>x</title><form><input name=u><input type=Password></form>", .signInPage),
      (200, "<title>Sign in - Example</title><p>Your account", .signInPage),
      (200, "<title>Anmelden</title><form action=/x><input name=u></form>", .signInPage),
      (403, "<title>Login</title><input type=password>", .signInPage),
      (200, "<title>Example</title><p>Hello</p>", .webPage(hasFeed: false)),
      (200, "<title>Blog index</title><p>Hello</p>", .webPage(hasFeed: false)),
    ])
  func pageInPlace(status: Int, page: String, detail: FailureDetail) async throws {
    fixture.web.on(url, .feed(rss("A")))
    let feed = try await fixture.subscribe(url)[0]
    let controller = fixture.controller()
    _ = await controller.runUntilIdle()
    fixture.web.on(url, .reply(status, [("Content-Type", "text/html")], page))
    fixture.manual.advance(by: .seconds(90_000))
    #expect(await controller.runUntilIdle().failed == 1)
    let failure = try #require(try fixture.record(feed)?.failure)
    #expect(failure.kind == .notAFeed)
    #expect(failure.detail == detail.code)
    #expect(failure.status == (status == 200 ? nil : status))
  }

  @Test("A long page with a password field is a web page") func pageWithSignIn() async throws {
    let text = String(repeating: "The pond froze first. ", count: 200)
    fixture.web.on(url, .feed(rss("A")))
    let feed = try await fixture.subscribe(url)[0]
    let controller = fixture.controller()
    _ = await controller.runUntilIdle()
    fixture.web.on(url, .page("<title>Pond</title><input type=password><p>\(text)</p>"))
    fixture.manual.advance(by: .seconds(90_000))
    _ = await controller.runUntilIdle()
    #expect(try fixture.record(feed)?.failure?.detail == "web-page-without-feed")
  }

  @Test("After thirty days of 304, a document is requested once without validators")
  func validatorsExpire() async throws {
    fixture.web.onAnythingElse { request in
      request.header("If-None-Match") == nil
        ? .feed(rss("A"), [("ETag", "\"1\"")]) : .status(304, [("ETag", "\"1\"")])
    }
    try await fixture.subscribe(url)
    let controller = fixture.controller()
    var days: [Int] = []
    for day in 0..<65 {
      fixture.web.forget()
      _ = await controller.runUntilIdle()
      if fixture.web.log.contains(where: { $0.header("If-None-Match") == nil }) { days.append(day) }
      fixture.manual.advance(by: .seconds(86_400))
    }
    #expect(days == [0, 30, 60])
  }
}
