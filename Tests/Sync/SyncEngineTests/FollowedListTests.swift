@testable import SyncEngine

@Suite("Followed lists of feeds") struct FollowedListTests {
  private static let list = "http://planet.example/list.opml"

  /// - Parameter names: `a` is a feed of the host `a.example`; `x/a` is in the folder `x`.
  private static func opml(_ names: String...) -> String {
    let outlines = names.map { name in
      let parts = name.split(separator: "/").map(String.init)
      let last = parts.last ?? ""
      let outline = "<outline type='rss' text='\(last)' xmlUrl='\(url(last))'/>"
      return parts.count > 1 ? "<outline text='\(parts[0])'>\(outline)</outline>" : outline
    }
    return "<opml version='2.0'><head><title>Planet</title></head><body>\(outlines.joined())"
      + "</body></opml>"
  }

  private static func url(_ name: String) -> String { "http://\(name).example/feed" }

  /// A fixture that follows the list, which was fetched once.
  private func following(_ opml: String) async throws -> (fixture: EngineFixture, list: FeedID) {
    let fixture = try EngineFixture()
    fixture.web.onAnythingElse { .feed(rss(WebAddress($0.url).host ?? "")) }
    fixture.web.on(Self.list, .reply(200, [("Content-Type", "text/x-opml")], opml))
    let list = try await fixture.feeds.followList(url: Self.list, name: "Planet")
    _ = await fixture.controller().runUntilIdle()
    return (fixture, list)
  }

  private func answer(_ fixture: EngineFixture, _ answer: FakeWeb.Answer) async {
    fixture.web.on(Self.list, answer)
    fixture.manual.advance(by: .seconds(90_000))
    _ = await fixture.controller().runUntilIdle()
  }

  /// The letters of the subscribed feeds, without the list.
  private func names(_ fixture: EngineFixture) throws -> String {
    try fixture.feeds.subscriptions().feeds.filter { !$0.isList }
      .map { String(WebAddress($0.url).host?.prefix(1) ?? "?") }.sorted().joined()
  }

  private func feed(_ name: String, _ fixture: EngineFixture) throws -> Feed {
    try #require(try fixture.feeds.feed(url: Self.url(name)))
  }

  /// Titles of the list's articles, the newest first.
  private func notices(_ fixture: EngineFixture, _ list: FeedID) throws -> [String] {
    try fixture.articles.page(ArticleQuery(scope: .feed(list)), .top, limit: 99)
      .map(\.title)
  }

  @Test("Feeds of a list are subscribed in its folder, announced, and fetched at once")
  func first() async throws {
    let (fixture, list) = try await following(Self.opml("a", "x/b"))
    let outline = try fixture.feeds.outline()
    #expect(
      outline.map { [$0.url] + $0.folder } == [
        [Self.url("b"), "Planet", "x"], [Self.list, "Planet"], [Self.url("a"), "Planet"],
      ])
    #expect(outline.map(\.isList) == [false, true, false])
    #expect(try notices(fixture, list) == ["+ a, b"])
    #expect(try feed("a", fixture).counts.total == 3)
    #expect(try feed("a", fixture).userTitle == nil)
  }

  @Test("A requested sync ends when the feeds that the list added are fetched, too")
  func requested() async throws {
    let fixture = try EngineFixture()
    fixture.web.onAnythingElse { .feed(rss(WebAddress($0.url).host ?? "")) }
    fixture.web.on(Self.list, .reply(200, [], Self.opml("a", "b")))
    _ = try await fixture.feeds.followList(url: Self.list, name: "Planet")
    let request = try await fixture.requests.requestRefresh(.all)
    #expect(request.total == 1)
    _ = await fixture.controller().runUntilIdle(.requested)
    let done = try #require(try fixture.requests.refreshRequest(request.id))
    #expect((done.total, done.done, done.newArticles) == (3, 3, 7))
    #expect(done.isFinished)
    #expect(try feed("b", fixture).counts.total == 3)
  }

  @Test("A list is fetched like a feed: later, and with the validators of its last answer")
  func conditional() async throws {
    let (fixture, list) = try await following(Self.opml("a"))
    await answer(fixture, .reply(200, [("ETag", "\"1\"")], Self.opml("a", "b")))
    let due = try #require(try fixture.state(list)?.nextCheckAt)
    #expect(due > fixture.now && due < fixture.now + 2 * 86_400)
    fixture.web.forget()
    await answer(fixture, .status(304))
    let requests = fixture.web.requests(to: Self.list)
    #expect(requests.map { $0.header("If-None-Match") } == ["\"1\""])
    #expect(try names(fixture) == "ab")
    #expect(try notices(fixture, list).count == 2)
  }

  @Test("New feeds of a list are subscribed, missing ones unsubscribed; both can be undone")
  func changes() async throws {
    let (fixture, list) = try await following(Self.opml("a", "b"))
    await answer(fixture, .reply(200, [], Self.opml("a", "c")))
    #expect(try names(fixture) == "ac")
    #expect(try notices(fixture, list).first == "+ c \u{2212} b.example")
    let dropped = try await fixture.journal.undo()
    #expect(dropped?.kind == .listDropped && dropped?.subject == "Planet")
    #expect(try names(fixture) == "abc")
    #expect(try feed("b", fixture).counts.total == 3)
    #expect(try await fixture.journal.undo()?.kind == .listAdded)
    #expect(try names(fixture) == "ab")
    // The user's decision stays after undo.
    await answer(fixture, .reply(200, [], Self.opml("a", "c", "d")))
    #expect(try names(fixture) == "abd")
  }

  @Test(
    "An empty, damaged, truncated or other answer changes nothing and counts as a failure",
    arguments: [
      (200, "", RefreshFailure.Kind.empty), (200, "   ", .empty),
      (200, "<html><body>Sorry</body></html>", .notAList),
      (200, "<opml><head><title>Planet</title></head><body></body></opml>", .notAList),
      (200, "<opml><body><outline text='a' xmlUrl='http://a.example/feed'/>", .notAList),
      (
        200, "<opml><body><outline text='a' xmlUrl='http://a.example/feed'></body></opml>",
        .notAList
      ),
      (200, "{}", .notAList), (200, rss("A"), .notAList), (500, "", .httpStatus),
      (404, "", .httpStatus),
    ])
  func nothingIsRemoved(status: Int, body: String, kind: RefreshFailure.Kind) async throws {
    let (fixture, list) = try await following(Self.opml("a", "b"))
    await answer(fixture, .reply(status, [], body))
    #expect(try names(fixture) == "ab")
    #expect(try fixture.state(list)?.failure?.kind == kind)
    await answer(fixture, .reply(200, [], Self.opml("a", "b", "c")))
    #expect(try names(fixture) == "abc")
    #expect(try fixture.state(list)?.failure == nil)
  }

  @Test("A feed that the user has changed stays when the list drops it")
  func userOwned() async throws {
    let (fixture, list) = try await following(Self.opml("a", "b", "c", "d", "e", "f"))
    let reader = fixture.store.reader
    let article = try #require(
      try reader.articles.page(
        ArticleQuery(scope: .feed(try feed("a", fixture).id)), .top, limit: 1
      ).first)
    try await reader.states.set(.starred, [article.id], true)
    try await reader.feeds.edit(try feed("b", fixture).id) { $0.title = "Mine" }
    try await reader.feeds.move(try feed("c", fixture).id, toFolder: ["Other"])
    try await reader.feeds.edit(try feed("d", fixture).id) { $0.isPaused = true }
    await answer(fixture, .reply(200, [], Self.opml("f")))
    #expect(try names(fixture) == "abcdf")
    #expect(
      try notices(fixture, list).first
        == "\u{2212} e.example = a.example, Mine, c.example, d.example")
    // They belong to the user from now on.
    await answer(fixture, .reply(200, [], Self.opml("a", "f")))
    await answer(fixture, .reply(200, [], Self.opml("f")))
    #expect(try names(fixture) == "abcdf")
  }

  @Test("Earlier feeds of the user stay, and feeds that the user unsubscribed do not return")
  func beforeAndAfter() async throws {
    let fixture = try EngineFixture()
    fixture.web.onAnythingElse { .feed(rss(WebAddress($0.url).host ?? "")) }
    try await fixture.subscribe(Self.url("a"))
    fixture.web.on(Self.list, .reply(200, [], Self.opml("a", "b")))
    let list = try await fixture.feeds.followList(url: Self.list, name: "Planet")
    _ = await fixture.controller().runUntilIdle()
    #expect(try notices(fixture, list) == ["+ b"])
    try await fixture.feeds.unsubscribe([try feed("b", fixture).id])
    await answer(fixture, .reply(200, [], Self.opml("a", "b", "c")))
    #expect(try names(fixture) == "ac")
    await answer(fixture, .reply(200, [], Self.opml("c")))
    #expect(try names(fixture) == "ac")
    try await fixture.feeds.unsubscribe([list])
    #expect(try names(fixture) == "ac")
  }

  @Test("A feed in two lists stays until neither contains it") func twoLists() async throws {
    let (fixture, _) = try await following(Self.opml("a", "b"))
    let other = "http://other.example/list.opml"
    fixture.web.on(other, .reply(200, [], Self.opml("a", "c")))
    _ = try await fixture.feeds.followList(url: other, name: "Other")
    await answer(fixture, .reply(200, [], Self.opml("b")))
    #expect(try names(fixture) == "abc")
    fixture.web.on(other, .reply(200, [], Self.opml("c")))
    await answer(fixture, .reply(200, [], Self.opml("b")))
    #expect(try names(fixture) == "bc")
  }

  @Test("A list adds no programs, private addresses, settings or other lists")
  func noOrders() async throws {
    let opml = """
      <opml xmlns:weir="https://weir.example/" version="2.0"><body>
      <outline text="a" xmlUrl="\(Self.url("a"))" category="tag"/>
      <outline text="p" xmlUrl="exec:/bin/true"/><outline text="f" xmlUrl="file:///etc/passwd"/>
      <outline text="n" xmlUrl="http://10.0.0.1/feed"/>
      <outline text="o" xmlUrl="http://planet.example/own"/>
      <outline text="l" type="include" url="http://else.example/list.opml"/>
      <outline text="s" xmlUrl="\(Self.list)"/>
      </body></opml>
      """
    let (fixture, list) = try await following(opml)
    let urls = try fixture.feeds.subscriptions().feeds.map(\.url).sorted()
    #expect(
      urls == ["http://10.0.0.1/feed", Self.url("a"), Self.list, "http://planet.example/own"])
    let allowed = { (url: String) in fixture.web.requests(to: url).map(\.privateAccess) }
    #expect(allowed("http://10.0.0.1/feed") == [.denied])
    // The same applies when the list is unfollowed.
    try await fixture.feeds.unsubscribe([list])
    let record = try fixture.store.engine.fetches.fetchRecord(
      try #require(try fixture.feeds.feed(url: "http://10.0.0.1/feed")).id)
    #expect(record?.addressSource.access == .denied)
    // DNS may resolve the list's own host to another address for the next request.
    #expect(allowed("http://planet.example/own") == [.denied])
    #expect(allowed(Self.list) == [.allowed])
    #expect(try fixture.feeds.outline().allSatisfy { $0.tags.isEmpty })
  }

  @Test("A feed that answers with a list once subscribes to nothing")
  func notFollowed() async throws {
    let fixture = try EngineFixture()
    fixture.web.on(Self.list, .feed(rss("A")))
    let feed = try await fixture.subscribe(Self.list)[0]
    _ = await fixture.controller().runUntilIdle()
    await answer(fixture, .reply(200, [], Self.opml("a", "b")))
    #expect(try fixture.feeds.subscriptions().feeds.map(\.id) == [feed])
    #expect(try fixture.state(feed)?.failure?.kind == .notAFeed)
  }

  @Test("An address that answers with a list offers to follow the list")
  func offered() async throws {
    let web = FakeWeb()
    web.on(Self.list, .reply(200, [("Content-Type", "text/xml")], Self.opml("a", "x/b")))
    let state = try await FeedDiscoverer(transport: web).discover(Self.list)
    #expect(
      state
        == .found([
          FeedCandidate(
            url: Self.list, title: "Planet", latestTitles: ["a", "b"], kind: .list, count: 2)
        ]))
    web.on(Self.list, .reply(200, [], "<opml><body/></opml>"))
    #expect(try await web.failure(Self.list).kind == .notAFeed)
  }
}
