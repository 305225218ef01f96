@testable import Networking
@testable import SyncEngine

/// The user's credentials, headers and cookies for `http://a.example/` are sent only for the user
/// and for feeds below that address.
@Suite("The user's credentials and foreign feeds") final class LentCredentialsTests: EngineSuite {
  private static let own = "http://a.example/feed"
  private static let stranger = "http://b.example/feed"
  private static let wanted = "http://a.example/protected/delete?id=7"

  private func settings(_ fixture: EngineFixture) throws -> @Sendable (String) -> FeedSettings {
    let file = fixture.directory + "/cookies.txt"
    try "a.example\tFALSE\t/\tFALSE\t0\tsession\t1\n".write(
      toFile: file, atomically: true, encoding: .utf8)
    return { url in
      guard WebAddress(url).host == "a.example" else { return FeedSettings() }
      var options = FeedOptions()
      options.set(.headers, to: "X-Key: 1")
      options.set(.cookies, to: file)
      var settings = FeedSettings(user: "me", password: .text("secret"), options: options)
      settings.address = WebAddress("http://a.example/")
      return settings
    }
  }

  /// True for credentials, header and cookie if the first request to `wanted` had them.
  private func secrets(_ fixture: EngineFixture, at url: String = wanted) throws -> [Bool] {
    let request = try #require(fixture.web.requests(to: url).first)
    return [
      request.identity.credentials != nil, request.header("X-Key") != nil,
      request.header("Cookie") != nil,
    ]
  }

  private static let elements =
    "<link>\(wanted)</link><enclosure url=\"\(wanted)\" type=\"audio/mpeg\" length=\"4\"/>"

  /// A feed whose article has `wanted` as its page and as its file.
  private func article(
    of feed: String, _ fixture: EngineFixture
  ) async throws -> (feed: FeedID, article: ArticleID) {
    fixture.web.on(feed, .feed(rss(item: Self.elements)))
    let id = try #require(try await fixture.subscribe(feed).first)
    let settings = try settings(fixture)
    _ = await fixture.controller { $0.settings = settings }.runUntilIdle()
    let row = try fixture.store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 1)
      .first
    return (id, try #require(row?.id))
  }

  @Test(
    "A page is requested with credentials only if the feed is below the configured address",
    arguments: [(own, true), (stranger, false), ("http://a.example/x/../feed", false)])
  func pages(feed: String, isLent: Bool) async throws {
    let id = try await article(of: feed, fixture).article
    _ = try await fixture.store.reader.fullTexts.turnFullText(id)
    let settings = try settings(fixture)
    _ = await fixture.controller { $0.settings = settings }.runUntilIdle(.requested)
    #expect(try secrets(fixture) == [isLent, isLent, isLent])
  }

  @Test(
    "A file is requested with credentials only if the feed is below the configured address",
    arguments: [(own, true), (stranger, false)])
  func files(feed: String, isLent: Bool) async throws {
    let id = try await article(of: feed, fixture).article
    _ = try await fixture.store.reader.downloads.requestDownloads(of: id)
    let settings = try settings(fixture)
    let folder = fixture.directory + "/files"
    _ = await fixture.controller {
      $0.settings = settings
      $0.downloadFolder = folder
    }.runUntilIdle(.requested)
    #expect(try secrets(fixture) == [isLent, isLent, isLent])
  }

  @Test(
    "A picture is requested with credentials only if the feed is below the address",
    arguments: [(own, true), (stranger, false)])
  func pictures(feed: String, isLent: Bool) async throws {
    let id = try await article(of: feed, fixture).feed
    try await fixture.store.reader.pictures.requestPictures(
      RequestedPictures(visible: [.init(url: Self.wanted, feed: id)]))
    let settings = try settings(fixture)
    let controller = fixture.startedController { $0.settings = settings }
    let web = fixture.web
    #expect(try await fixture.pass(120) { !web.requests(to: Self.wanted).isEmpty })
    await controller.end()
    // Pictures are requested without cookies.
    #expect(try secrets(fixture) == [isLent, isLent, false])
  }

  @Test(
    "A page's picture is requested with credentials only if feed and page are below the address",
    arguments: [
      ("http://a.example/story", [], true), ("http://b.example/story", [], false),
      // A redirect of the user's own site to a foreign one, and one back.
      ("http://a.example/go", ["http://b.example/story"], false),
      ("http://b.example/go", ["http://a.example/story"], false),
    ])
  func picturesOfPages(page: String, redirects: [String], isLent: Bool) async throws {
    let settings = try settings(fixture)
    fixture.web.resolve("a.example", to: "10.0.0.7")
    fixture.web.on(Self.own, .feed(rss(item: "<link>\(page)</link>")))
    let feed = try #require(try await fixture.subscribe(Self.own).first)
    _ = await fixture.controller { $0.settings = settings }.runUntilIdle()
    let row = try fixture.store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 1)
      .first
    let id = try #require(row?.id)
    for (from, to) in zip([page] + redirects, redirects) {
      fixture.web.on(from, .status(302, [("Location", to)]))
    }
    let text = String(
      repeating: "<p>A page tells its story in sentences, and takes time. ", count: 9)
    fixture.web.on(
      redirects.last ?? page,
      .page("<html><body><article>\(text)<p><img src=\"\(Self.wanted)\"></article></html>"))
    _ = try await fixture.store.reader.fullTexts.turnFullText(id)
    _ = await fixture.controller { $0.settings = settings }.runUntilIdle(.requested)
    let html = try fixture.fullText(id)
    #expect(html.contains(Self.wanted))

    try await fixture.store.reader.pictures.requestPictures(
      RequestedPictures(visible: [.init(url: Self.wanted, feed: feed, article: id)]))
    let controller = fixture.startedController { $0.settings = settings }
    let web = fixture.web
    #expect(try await fixture.pass(120) { !web.requests(to: Self.wanted).isEmpty })
    await controller.end()
    #expect(try secrets(fixture) == [isLent, isLent, false])
    let server = try #require(ServerAddress("10.0.0.7 80"))
    #expect(
      web.requests(to: Self.wanted).first?.privateAccess == (isLent ? .only(server) : .denied))
  }

  @Test(
    "An account's article gets credentials only if the account's server is below the address too",
    arguments: [("http://aggregator.example", false), ("http://a.example", true)])
  func articlesOfAccounts(server: String, isLent: Bool) async throws {
    let account = try await AccountFixture(url: server + "/api/greader.php")
    account.server.addItems([1], feed: account.server.addFeed(Self.own, title: "A"))
    account.server.setPages([1: Self.wanted])
    let settings = try settings(account.fixture)
    try await account.store.reader.accounts.requestAccountSync(account.account)
    _ = await account.controller { $0.settings = settings }.runUntilIdle()
    let article = try #require(try account.articles()[1])
    _ = try await account.store.reader.fullTexts.turnFullText(article)
    _ = await account.controller { $0.settings = settings }.runUntilIdle(.requested)
    #expect(try secrets(account.fixture) == [isLent, isLent, isLent])
  }

  @Test("A feed named by a list or an account gets credentials only if that is below, too")
  func listedFeeds() throws {
    var settings = FeedSettings(user: "me", password: .text("secret"))
    settings.address = WebAddress("http://a.example/x")
    func isLent(_ named: AddressReferrers) -> Bool {
      settings.covers(AddressSource(named, of: "http://a.example/x/delete").referrers)
    }
    let feed = "http://a.example/x/feed"
    #expect(isLent(AddressReferrers(feed: feed)))
    #expect(isLent(AddressReferrers(feed: feed, list: "http://a.example/x/list")))
    #expect(!isLent(AddressReferrers(feed: feed, list: "http://account.example/api")))
    #expect(!isLent(AddressReferrers(feed: feed, pages: ["http://a.example/xy"])))
    for stranger in [
      nil, "", "http://a.example/xy/feed", "http://a.example:81/x/feed", "https://a.example/x/feed",
      "http://a.example@b.example/x/feed", "http://a.example%2f@b.example/x/feed",
      "http://b.example/a.example/x/feed", "http://a.example.b.example/x/feed",
      "http://\u{430}.example/x/feed", "http://a.example\\@b.example/x/feed",
      "http://a.example/x/%2E%2e/feed", "http://a.example/X/feed", "//a.example/x/feed",
    ] {
      #expect(!isLent(AddressReferrers(feed: stranger)), "\(stranger ?? "none")")
    }
    for own in ["HTTP://A.EXAMPLE/x/feed", "http://me:pw@a.example:80/x?y", feed] {
      #expect(isLent(AddressReferrers(feed: own)), "\(own)")
    }
  }

  @Test("Articles of a feed that a foreign source lists at a private address get no access to it")
  func listedPrivateFeeds() throws {
    let feed = "http://192.168.1.1/feed"
    func access(_ list: String?) -> PrivateAccess {
      AddressSource(AddressReferrers(feed: feed, list: list), of: "http://192.168.1.1/reboot")
        .access
    }
    let router = try #require(ServerAddress("192.168.1.1 80"))
    #expect(access(nil) == .only(router))
    #expect(access("http://192.168.1.9/list") == .only(router))
    #expect(access("http://account.example/api") == .denied)
  }

  @Test("A feed of another device gets no credentials and reaches no private network")
  func feedsOfDevices() async throws {
    let settings = try settings(fixture)
    fixture.web.on(Self.wanted, .feed("<rss version=\"2.0\"><channel></channel></rss>"))
    _ = try await fixture.store.reader.feeds.subscribe(
      [OutlineEntry(url: Self.wanted)], from: "weir:folder")
    _ = await fixture.controller { $0.settings = settings }.runUntilIdle()
    #expect(try secrets(fixture) == [false, false, false])
    #expect(fixture.web.requests(to: Self.wanted).first?.privateAccess == .denied)
  }

  @Test("A password program is not run for a foreign source") func program() async throws {
    let mark = fixture.directory + "/run"
    let id = try await article(of: Self.stranger, fixture).article
    _ = try await fixture.store.reader.fullTexts.turnFullText(id)
    _ = await fixture.controller {
      $0.settings = { url in
        var settings = FeedSettings(user: "me", password: .command(["touch", mark]))
        settings.address = WebAddress("http://a.example/")
        return WebAddress(url).host == "a.example" ? settings : FeedSettings()
      }
    }.runUntilIdle(.requested)
    #expect(fixture.web.requests(to: Self.wanted).count == 1)
    #expect(!FileManager.default.fileExists(atPath: mark))
  }

  @Test("Announced feeds and feeds of followed or imported lists get no credentials")
  func namedFeeds() async throws {
    let settings = try settings(fixture)
    let link = "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"\(Self.wanted)\">"
    let page = FakeWeb.Answer.page("<html><head>\(link)</head><body>Hi</body></html>")
    fixture.web.on("http://b.example/", page)
    fixture.web.on("http://c.example/", page)
    let (listed, imported) = ("http://a.example/listed?id=1", "http://a.example/imported?id=1")
    fixture.web.on(
      "http://b.example/list",
      .reply(
        200, [("Content-Type", "text/x-opml")],
        "<opml version=\"2.0\"><body><outline text=\"x\" xmlUrl=\"\(listed)\"/></body></opml>"))
    _ = try await FeedDiscoverer(transport: fixture.web, settings: settings)
      .discover("http://b.example/")
    #expect(try secrets(fixture) == [false, false, false])
    fixture.web.forget()

    try await fixture.subscribe("http://c.example/")
    _ = try await fixture.store.reader.feeds.followList(url: "http://b.example/list", name: "List")
    _ = try await fixture.store.reader.feeds.subscribe(
      [OutlineEntry(url: imported)], from: "http://b.example/other")
    _ = await fixture.controller { $0.settings = settings }.runUntilIdle()
    for url in [listed, imported] {
      #expect(try secrets(fixture, at: url) == [false, false, false], "\(url)")
      #expect(fixture.web.requests(to: url).first?.privateAccess == .denied)
    }
    // The announced address is never requested, so credentials cannot follow later.
    #expect(fixture.web.requests(to: Self.wanted).isEmpty)
  }

  @Test("A feed's own headers are not sent to another host after a redirect")
  func movedFeed() async throws {
    let (old, new) = ("http://old.example/feed", "http://new.example/feed")
    fixture.web.on(old, .status(301, [("Location", new)]))
    fixture.web.on(new, .feed(rss("A")))
    let feed = try await fixture.subscribe(old)[0]
    var own = FeedOptions()
    own.set(.headers, to: "X-Own: 1")
    try await fixture.store.reader.feeds.edit(
      feed, FeedEdit(title: nil, url: old, folder: [], isPaused: false, options: own))
    let controller = fixture.controller()
    for _ in 0..<3 {
      _ = await controller.runUntilIdle()
      fixture.manual.advance(by: .seconds(90_000))
    }
    #expect(try fixture.store.reader.feeds.feed(feed)?.url == old)
    #expect(try fixture.state(feed)?.movedTo == new)
    #expect(fixture.web.requests(to: new).allSatisfy { $0.header("X-Own") == nil })
    #expect(fixture.web.requests(to: old).allSatisfy { $0.header("X-Own") == "1" })
  }

  @Test("A redirect does not choose which of the user's cookies are sent")
  func redirectedCookies() async throws {
    let transport = FixtureTransport()
    transport.script(
      "http://b.example/", .status(302, headers: [("location", "http://www.b.example/")]))
    transport.script(
      "http://www.b.example/", .status(302, headers: [("location", "http://a.example/delete")]))
    transport.script("http://a.example/delete", .text("x"))
    let cookies = [("a.example", "a"), ("b.example", "b")].map { domain, name in
      Cookie(
        name: name, value: "1", domain: domain, coversHostsBelow: true, path: "/", isSecure: false)
    }
    _ = try await NetworkClient(transport: transport).perform(
      DocumentRequest(
        HTTPRequest(url: "http://b.example/", identity: RequestIdentity(cookies: cookies))))
    let sent = transport.requests.map { $0.headers.first { $0.name == "Cookie" }?.value }
    #expect(sent == ["b=1", "b=1", nil])
  }
}
