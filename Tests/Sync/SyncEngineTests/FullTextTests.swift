@testable import SyncEngine

@Suite("Fetching full texts") final class FullTextTests: EngineSuite {
  private let story =
    "<html><body><nav><a href=/>Home</a></nav><article><p>"
    + "The page tells the whole story, slowly, and in sentences that take their time to end. "
    + "It has a second one too, so that nobody takes it for a label.</p></article></body></html>"

  /// A feed with one article, whose page is at `page`.
  private func article(
    _ fixture: EngineFixture, page: String = "http://a.example/1",
    feed: String = "http://a.example/feed"
  ) async throws -> ArticleID {
    try await fixture.article(
      "<link>\(page)</link><description>A teaser</description>", of: feed)
  }

  /// Requests the full text of an article and runs until it is fetched.
  private func fetch(_ id: ArticleID) async throws {
    _ = try await fixture.fullTexts.turnFullText(id)
    _ = await fixture.controller().runUntilIdle(.requested)
  }

  private func failure(_ fixture: EngineFixture, _ id: ArticleID) throws -> RefreshFailure? {
    guard case .failed(let failure) = try fixture.fullTexts.fullText(id)?.state else {
      return nil
    }
    return failure
  }

  @Test("An article's page is fetched once and reduced to its main content")
  func pageIsReducedToContent() async throws {
    let id = try await article(fixture)
    fixture.web.on("http://a.example/1", .status(302, [("Location", "/story")]))
    fixture.web.on("http://a.example/story", .page(story))
    try await fetch(id)
    let html = try fixture.fullText(id)
    #expect(html.hasPrefix("<p>The page tells the whole story"))
    #expect(!html.contains("Home"))
    let request = try #require(fixture.web.requests(to: "http://a.example/1").first)
    #expect(request.header("Accept")?.hasPrefix("text/html") == true)
    #expect(request.header("Referer") == nil)
    #expect(request.limits.decodedBody == DocumentRequest.maximumPage)
    // The page is not fetched again.
    fixture.web.forget()
    _ = await fixture.controller().runUntilIdle(.requested)
    #expect(fixture.web.log.isEmpty)
  }

  @Test("A page saved offline is fetched when the network is back, and gives the article its title")
  func savedOffline() async throws {
    let page = "http://pages.example/story"
    fixture.web.on(page, .failure(.offline))
    let saved = try await fixture.plan.save([page], in: "Saved pages")
    let id = try #require(saved.first?.article)
    _ = await fixture.runWithTime(fixture.controller())
    #expect(try fixture.fullTexts.fullText(id)?.state == .waiting)
    fixture.web.on(page, .page("<title>The story</title>" + story))
    _ = await fixture.controller().runUntilIdle(.requested)
    #expect(try fixture.articles.articleRow(id)?.title == "The story")
    _ = try fixture.fullText(id)
  }

  private func part(_ number: Int, of count: Int) -> String {
    let next = number < count ? "<a rel=next href='/story/\(number + 1)'>Next</a>" : ""
    return "<html><body><article><p>Part \(number) tells its share of the story, slowly, and in "
      + "sentences that take their time. It has a second one too, as every part of it has.</p></article>"
      + "\(next)</body></html>"
  }

  @Test("An article of several pages is joined from at most five pages")
  func severalPagesAreJoined() async throws {
    let id = try await article(fixture, page: "http://a.example/story")
    fixture.web.on("http://a.example/story", .page(part(1, of: 7)))
    for number in 2...7 {
      fixture.web.on("http://a.example/story/\(number)", .page(part(number, of: 7)))
    }
    try await fetch(id)
    let html = try fixture.fullText(id)
    for number in 1...5 { #expect(html.contains("Part \(number) tells")) }
    #expect(!html.contains("Part 6"))
    #expect(fixture.web.requests(to: "http://a.example/story/6").isEmpty)
  }

  /// A page without its article that links to another version.
  private func shell(_ link: String) -> String {
    "<html><head>\(link)</head><body><div id=app></div></body></html>"
  }

  @Test("A page without an article is replaced by the version that it links to")
  func pageWithoutArticle() async throws {
    let id = try await article(fixture)
    fixture.web.on("http://a.example/1", .page(shell("<link rel=amphtml href='/amp/1'>")))
    fixture.web.on("http://a.example/amp/1", .page(story))
    fixture.web.forget()
    try await fetch(id)
    #expect(fixture.web.urls == ["http://a.example/1", "http://a.example/amp/1"])
    let html = try fixture.fullText(id)
    #expect(html.contains("The page tells the whole story"))
  }

  @Test(
    "Another version is one more request to the same site, and its failure changes nothing",
    arguments: [
      ("<link rel=amphtml href='/amp/1'>", 2), ("<link rel=amphtml href='http://b.example/1'>", 1),
    ])
  func anotherVersionOneMore(link: String, requests: Int) async throws {
    let id = try await article(fixture)
    fixture.web.on("http://a.example/1", .page(shell(link)))
    fixture.web.onAnythingElse { _ in .status(404) }
    fixture.web.forget()
    try await fetch(id)
    #expect(fixture.web.urls.count == requests)
    #expect(try failure(fixture, id)?.kind == .noArticle)
  }

  @Test("A page with its article is not requested in another version")
  func pageWithArticle() async throws {
    let id = try await article(fixture)
    let page = story.replacing(
      "<body>", with: "<head><link rel=amphtml href='/amp/1'></head><body>")
    fixture.web.on("http://a.example/1", .page(page))
    fixture.web.forget()
    try await fetch(id)
    #expect(fixture.web.urls == ["http://a.example/1"])
  }

  @Test("A link to the next post is not a part of the article")
  func linkNextPostPart() async throws {
    let id = try await article(fixture, page: "http://a.example/2026/frost")
    let page = part(1, of: 1).replacing(
      "</body>", with: "<a rel=next href='/2026/thaw'>Thaw</a></body>")
    fixture.web.on("http://a.example/2026/frost", .page(page))
    try await fetch(id)
    #expect(fixture.web.requests(to: "http://a.example/2026/thaw").isEmpty)
    _ = try fixture.fullText(id)
  }

  @Test(
    "A page in place of the article is reported by kind, and the feed's text stays",
    arguments: [
      (
        "<title>Just a moment...</title><p>Checking your browser before you go on, please wait.</p>",
        FailureDetail.robotCheck
      ),
      (
        "<title>News</title><form action='https://consent.site.example/v2/collectConsent'><p>"
          + String(
            repeating: "We and our partners store data on your device, to measure and show. ",
            count: 12) + "</p><button>Accept</button></form>", .consentPage
      ),
      (
        "<title>News</title><div id=app></div><noscript>Please enable JavaScript.</noscript>",
        .needsScripts
      ),
      ("<title>News</title><h1>Frost</h1><p>Subscribe to continue reading.</p>", .subscriberPage),
    ])
  func pagePlaceArticleNamed(page: String, detail: FailureDetail) async throws {
    let id = try await article(fixture)
    fixture.web.on("http://a.example/1", .page("<html><body>\(page)</body></html>"))
    try await fetch(id)
    let failure = try #require(try failure(fixture, id))
    #expect(failure.kind == .noArticle)
    #expect(failure.detail == detail.code)
    #expect(try fixture.articles.article(id)?.bodyHTML.contains("teaser") == true)
  }

  @Test(
    "The beginning of a paid article is shown as such, unless the feed's text is longer",
    arguments: [("A teaser", true), (String(repeating: "All of the story. ", count: 40), false)],
    [true, false])
  func beginning(feed: (text: String, isShown: Bool), isWanted: Bool) async throws {
    let elements = "<link>http://a.example/1</link><description>\(feed.text)</description>"
    fixture.web.on("http://a.example/feed", .feed(rss(item: elements)))
    let subscribed = try await fixture.subscribe("http://a.example/feed")
    fixture.web.on(
      "http://a.example/1",
      .page(
        story.replacing("a label.", with: "a label ...")
          .replacing("</article>", with: "<p>Subscribe to continue reading.</p></article>")))
    if !isWanted {
      try await fixture.store.reader.feeds.edit(#require(subscribed.first)) {
        $0.options.fullText = true
      }
    }
    _ = await fixture.controller().runUntilIdle()
    let id = try #require(try fixture.articles.page(.all, .top, limit: 1).first?.id)
    if isWanted { _ = try await fixture.fullTexts.turnFullText(id) }
    _ = await fixture.controller().runUntilIdle(.requested)
    let text = try #require(try fixture.fullTexts.fullText(id))
    guard case .found = text.state else {
      Issue.record("\(text)")
      return
    }
    #expect(text.obstacle == .subscriberPage)
    #expect(text.isShown == feed.isShown)
    #expect(try await fixture.fullTexts.turnFullText(id)?.isShown == !feed.isShown)
  }

  @Test("Only a feed's own host may lead into a private network")
  func ownHostMayBePrivate() async throws {
    fixture.web.resolve("a.example", to: "10.0.0.7")
    let own = try await article(fixture)
    let foreign = try await article(
      fixture, page: "http://192.168.1.1/reboot", feed: "http://b.example/feed")
    for id in [own, foreign] { _ = try await fixture.fullTexts.turnFullText(id) }
    _ = await fixture.controller().runUntilIdle(.requested)
    let allowed = { [fixture] (url: String) in fixture.web.requests(to: url).map(\.privateAccess) }
    #expect(allowed("http://a.example/1") == [.only(try #require(ServerAddress("10.0.0.7 80")))])
    #expect(allowed("http://192.168.1.1/reboot") == [.denied])
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

  @Test(
    "A failed full text is stored with its reason and can be requested again",
    arguments: failures)
  func whatGoesWrongIsARow(
    answer: FakeWeb.Answer, kind: RefreshFailure.Kind, status: Int?
  ) async throws {
    let id = try await article(fixture)
    fixture.web.on("http://a.example/1", answer)
    try await fetch(id)
    let failure = try #require(try failure(fixture, id))
    #expect(failure.kind == kind)
    #expect(failure.status == status)
    #expect(try fixture.articles.article(id)?.bodyHTML.contains("teaser") == true)
    // The user's key requests it again.
    fixture.web.on("http://a.example/1", .page(story))
    #expect(try await fixture.fullTexts.turnFullText(id)?.state == .waiting)
  }

  @Test("Offline, a full text waits for the network") func fullTextWaitsOffline() async throws {
    let id = try await article(fixture)
    fixture.web.on("http://a.example/1", .failure(.offline))
    _ = try await fixture.fullTexts.turnFullText(id)
    let summary = await fixture.runWithTime(fixture.controller())
    #expect(summary.storeFailure == nil)
    #expect(try fixture.fullTexts.fullText(id)?.state == .waiting)
    fixture.web.on("http://a.example/1", .page(story))
    _ = await fixture.controller().runUntilIdle(.requested)
    _ = try fixture.fullText(id)
  }

  @Test("Cancelling a full text ends its request, also without a download folder")
  func cancelledFullTextEnds() async throws {
    let id = try await article(fixture)
    fixture.web.on("http://a.example/1", .hang)
    fixture.web.forget()
    _ = try await fixture.fullTexts.turnFullText(id)
    let controller = fixture.startedController()
    await fixture.web.waitForRequests(1)
    #expect(fixture.web.inFlight == 1)
    try await fixture.fullTexts.cancelFullText(id)
    try await expectEventually { fixture.web.inFlight == 0 }
    await controller.end()
  }

  @Test("A feed can be set to fetch the pages of arriving articles")
  func arrivingPagesAreFetched() async throws {
    fixture.web.on("http://a.example/1", .page(story))
    let feeds = try await fixture.subscribe("http://a.example/feed")
    try await fixture.store.reader.feeds.edit(feeds[0]) { $0.options.fullText = true }
    fixture.web.on("http://a.example/feed", .feed(rss(item: "<link>http://a.example/1</link>")))
    _ = await fixture.controller().runUntilIdle()
    let row = try #require(try fixture.articles.page(.all, .top, limit: 1).first)
    _ = try fixture.fullText(row.id)
  }
}
