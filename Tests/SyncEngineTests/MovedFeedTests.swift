import FeedModel
import FeedStore
import Foundation
import Networking
import TestSupport
import Testing

@testable import SyncEngine

/// Feeds that have moved, and feeds that are gone.
@Suite struct MovedFeedTests {
  @Test func aPermanentRedirectIsTakenAfterADay() async throws {
    let bench = try Bench()
    let (old, new) = ("http://old.example/feed", "http://new.example/feed")
    bench.web.on(old, .status(301, [("Location", new)]))
    bench.web.on(new, .feed(rss("A"), [("ETag", "\"n\"")]))
    let feed = try await bench.subscribe(old)[0]
    let controller = bench.controller()
    _ = await controller.runUntilIdle()
    #expect(try bench.store.reader.feed(feed)?.url == old)
    #expect(try bench.state(feed)?.movedTo == new)
    bench.manual.advance(by: .seconds(86_400))
    _ = await controller.runUntilIdle()
    #expect(try bench.store.reader.feed(feed)?.url == new)
    #expect(try bench.state(feed)?.movedTo == nil)
    bench.manual.advance(by: .seconds(86_400))
    bench.web.forget()
    _ = await controller.runUntilIdle()
    #expect(bench.web.urls == [new])
    #expect(bench.web.log.first?.header("If-None-Match") == "\"n\"")
  }

  @Test(arguments: [429, 503, 410])
  func aRefusalDoesNotForgetWhereAFeedHasMovedTo(status: Int) async throws {
    let bench = try Bench()
    let (old, new) = ("http://old.example/feed", "http://new.example/feed")
    bench.web.on(old, .status(301, [("Location", new)]))
    bench.web.on(new, .feed(rss("A")))
    let feed = try await bench.subscribe(old)[0]
    let controller = bench.controller()
    _ = await controller.runUntilIdle()
    bench.web.on(new, .status(status, [("Retry-After", "60")]))
    bench.manual.advance(by: .seconds(80_000))
    #expect(await controller.runUntilIdle().failed == 1)
    #expect(try bench.record(feed)?.movedTo == new)
    guard status != 410 else { return }
    bench.web.on(new, .feed(rss("A")))
    bench.manual.advance(by: .seconds(80_000))
    _ = await controller.runUntilIdle()
    #expect(try bench.store.reader.feed(feed)?.url == new)
  }

  @Test func aMoveOntoAnotherSubscriptionIsShownAndNothingElse() async throws {
    let bench = try Bench()
    let (old, new) = ("http://old.example/feed", "http://new.example/feed")
    bench.web.on(old, .status(301, [("Location", new)]))
    bench.web.on(new, .feed(rss("A")))
    let feed = try await bench.subscribe(old, new)[0]
    let controller = bench.controller()
    _ = await controller.runUntilIdle()
    let since = try bench.record(feed)?.movedSince
    for _ in 0..<2 {
      bench.manual.advance(by: .seconds(90_000))
      bench.web.forget()
      _ = await controller.runUntilIdle()
      #expect(bench.web.requests(to: old).count == 1)
      #expect(try bench.store.reader.feed(feed)?.url == old)
      #expect(try bench.state(feed)?.movedTo == new)
      #expect(try bench.record(feed)?.movedSince == since)
      #expect(try bench.state(feed)?.failure == nil)
    }
  }

  @Test func onlyASuccessBringsAFeedBackThatIsGone() async throws {
    let bench = try Bench()
    let url = "http://a.example/feed"
    bench.web.on(url, .status(410))
    let feed = try await bench.subscribe(url)[0]
    let controller = bench.controller()
    _ = await controller.runUntilIdle()
    func retry(_ answer: FakeWeb.Answer) async throws -> FetchRecord {
      bench.web.on(url, answer)
      bench.manual.advance(by: .seconds(3_600))
      try await bench.store.reader.requestRefresh(.feed(feed))
      _ = await controller.runUntilIdle(.requested)
      return try #require(try bench.record(feed))
    }
    let refusals: [FakeWeb.Answer] = [
      .status(500), .failure(.tls), .page("<p>Sorry</p>"), .status(429, [("Retry-After", "60")]),
    ]
    for answer in refusals {
      let record = try await retry(answer)
      #expect(record.isGone)
      #expect(record.nextCheckAt == nil)
    }
    let record = try await retry(.feed(rss("A")))
    #expect(!record.isGone)
    #expect(record.nextCheckAt == bench.now + 3_600)
  }

  @Test(arguments: [200, 301, 410, 429, 500])
  func whatAnAddressAnswersThatTheUserHasReplacedIsVoid(status: Int) async throws {
    let bench = try Bench()
    let (old, new) = ("http://old.example/feed", "http://new.example/feed")
    let headers = [("Location", "https://old.example/feed"), ("Retry-After", "86400")]
    bench.web.on(old, .reply(status, headers, rss("Old")))
    bench.web.on("https://old.example/feed", .feed(rss("Old")))
    bench.web.on(new, .feed(rss("New", items: 2)))
    let feed = try await bench.subscribe(old)[0]
    bench.web.hold()
    let controller = bench.controller()
    controller.start()
    await bench.web.waitForRequests(1)
    try await bench.store.reader.edit(
      feed, FeedEdit(title: nil, url: new, folder: [], isPaused: false))
    let request = try await bench.store.reader.requestRefresh(.feed(feed))
    bench.web.release()
    let isServed = try await Bench.eventually {
      try bench.store.reader.refreshRequest(request.id)?.isFinished == true
    }
    #expect(isServed)
    await controller.stop()
    let served = try #require(try bench.store.reader.refreshRequest(request.id))
    #expect((served.failed, served.newArticles) == (0, 2))
    let record = try #require(try bench.record(feed))
    #expect(record.url == new)
    #expect(record.failure == nil && record.notBefore == nil && !record.isGone)
    #expect(try bench.store.reader.feed(feed)?.name == "New")
    #expect(try bench.state(feed)?.phase == .idle)
    #expect(bench.web.requests(to: new).count == 1)
  }

  @Test(arguments: [(301, true), (302, false), (307, false)])
  func goneAtTheEndOfADetourIsNotGone(status: Int, isGone: Bool) async throws {
    let bench = try Bench()
    bench.web.on("http://a.example/", .status(status, [("Location", "http://b.example/")]))
    bench.web.on("http://b.example/", .status(410))
    let feed = try await bench.subscribe("http://a.example/")[0]
    _ = await bench.controller().runUntilIdle()
    let record = try #require(try bench.record(feed))
    #expect(record.isGone == isGone)
    #expect((record.nextCheckAt == nil) == isGone)
    let kind: RefreshFailure.Kind = isGone ? .gone : .httpStatus
    #expect(record.failure?.kind == kind)
    #expect(record.failure?.status == 410)
  }
}
