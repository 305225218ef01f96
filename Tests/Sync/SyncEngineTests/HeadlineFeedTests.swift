@testable import SyncEngine

@Suite("Headlines of pages") struct HeadlineFeedTests {
  private static let page = "http://town.example/news"

  private static func html(_ headlines: [String], class name: String = "news") -> String {
    let items = headlines.map { "<li><h2><a href='/\($0.hashed)'>\($0)</a></h2></li>" }
    return "<html><head><title>Town paper</title></head><body><nav><ul><li><a href='/a'>About this "
      + "whole town</a></li></ul></nav><ul class='\(name)'>\(items.joined())</ul></body></html>"
  }

  private static let headlines = [
    "The bridge is open again", "A market in the old station", "Council votes on the school",
  ]

  private func discover(_ web: FakeWeb) async throws -> [FeedCandidate] {
    guard case .found(let found) = try await FeedDiscoverer(transport: web).discover(Self.page)
    else { return [] }
    return found
  }

  /// A fixture that follows the headlines, which were fetched once.
  private func following() async throws -> (fixture: EngineFixture, feed: FeedID) {
    let fixture = try EngineFixture()
    fixture.web.on(Self.page, .page(Self.html(Self.headlines)))
    let found = try #require(try await discover(fixture.web).first)
    fixture.web.forget()
    let feed = try await fixture.feeds.followHeadlines(url: found.url, folder: nil).feed
    _ = await fixture.controller().runUntilIdle()
    return (fixture, feed)
  }

  private func answer(_ fixture: EngineFixture, _ answer: FakeWeb.Answer) async {
    fixture.web.on(Self.page, answer)
    fixture.manual.advance(by: .seconds(90_000))
    _ = await fixture.controller().runUntilIdle()
  }

  private func titles(_ fixture: EngineFixture) throws -> [String] {
    try fixture.articles.page(.all, .top, limit: 99).map(\.title)
  }

  @Test("Headlines are offered if neither the page nor a common address has a feed")
  func offered() async throws {
    let web = FakeWeb()
    web.on(Self.page, .page(Self.html(Self.headlines)))
    let found = try await discover(web)
    #expect(
      found == [
        FeedCandidate(
          url: "\(Self.page)#weir-headlines=html./body./ul.news/li/h2/a", title: "Town paper",
          latestTitles: Self.headlines, kind: .headlines, count: 3)
      ])
    #expect(web.urls.count == 9 && web.peak == 1)
    web.on("http://town.example/rss", .feed(rss("Town")))
    #expect(try await discover(web).map(\.kind) == [.feed])
    web.on(Self.page, .page("<link rel=feed href=/own>" + Self.html(Self.headlines)))
    web.on("http://town.example/own", .feed(rss("Own")))
    #expect(try await discover(web).map(\.url) == ["http://town.example/own"])
  }

  @Test("A page becomes a feed whose articles are its links, in the order of the page")
  func refreshed() async throws {
    let (fixture, feed) = try await following()
    #expect(try titles(fixture) == Self.headlines)
    #expect(try fixture.feeds.feed(feed)?.name == "Town paper")
    #expect(fixture.web.urls == [Self.page])
    await answer(fixture, .page(Self.html(["A new headline of the day"] + Self.headlines)))
    #expect(try titles(fixture) == ["A new headline of the day"] + Self.headlines)
    #expect(fixture.web.urls == [Self.page, Self.page])
  }

  @Test("A page without links at the place is a failure; a new choice keeps the articles")
  func changed() async throws {
    let (fixture, feed) = try await following()
    await answer(fixture, .page(Self.html(Self.headlines, class: "stories")))
    #expect(try fixture.state(feed)?.failure?.kind == .pageChanged)
    #expect(try titles(fixture) == Self.headlines)
    let found = try #require(try await discover(fixture.web).first)
    let (again, isRepaired) = try await fixture.feeds.followHeadlines(url: found.url, folder: nil)
    #expect(again == feed && isRepaired)
    _ = await fixture.controller().runUntilIdle()
    #expect(try fixture.state(feed)?.failure == nil)
    #expect(try titles(fixture) == Self.headlines)
    #expect(try fixture.feeds.subscriptions().feeds.map(\.url) == [found.url])
    let undone = try await fixture.journal.undo()
    #expect(undone?.kind == .editFeed)
  }

  @Test("A page that moved permanently keeps the place of its headlines")
  func moved() async throws {
    let (fixture, feed) = try await following()
    let secure = "https://town.example/news"
    fixture.web.on(secure, .page(Self.html(["A new headline of the day"] + Self.headlines)))
    await answer(fixture, .status(301, [("Location", secure)]))
    #expect(
      try fixture.feeds.feed(feed)?.url == "\(secure)#weir-headlines=html./body./ul.news/li/h2/a")
    #expect(try titles(fixture).count == 4)
  }

  @Test("An error of the page keeps its own reason instead of a changed page")
  func errors() async throws {
    let (fixture, feed) = try await following()
    await answer(fixture, .status(503))
    #expect(try fixture.state(feed)?.failure?.status == 503)
    await answer(fixture, .page(""))
    #expect(try fixture.state(feed)?.failure?.kind == .empty)
    #expect(try titles(fixture) == Self.headlines)
  }
}

extension String {
  /// A unique path for each text.
  fileprivate var hashed: String { replacing(" ", with: "-").lowercased() }
}
