import GRDB

@testable import Programs
@testable import SyncEngine

/// Each test refuses rows with the word "poison" in a column that holds foreign text, as SQLite
/// refuses a text that is too long.
@Suite("A value that the cache refuses") final class RefusedValueTests: EngineSuite {
  private func refuse(
    _ place: String, with word: String = "poison", in fixture: EngineFixture
  ) async throws {
    let names = place.split(separator: ".").map(String.init)
    let queue = try DatabaseQueue(path: fixture.directory + "/weir.db")
    try await queue.write { db in
      for event in ["INSERT", "UPDATE"] {
        try db.execute(
          sql: """
            CREATE TRIGGER refuse_\(event) BEFORE \(event) ON \(names[0])
            WHEN instr(NEW.\(names[1]), '\(word)') > 0 BEGIN SELECT RAISE(ABORT, 'refused'); END
            """)
      }
    }
    try queue.close()
  }

  private func titles(_ fixture: EngineFixture) throws -> [String] {
    try fixture.articles.page(ArticleQuery(scope: .all), .top, limit: 100).map(\.title).sorted()
  }

  private static let item = """
    <item><guid>poison-guid</guid><title>A poison title</title><link>http://a.example/poison</link>
    <author>poison</author><category>poison</category><comments>http://a.example/poison</comments>
    <description>poison summary</description>
    <content:encoded xmlns:content="http://purl.org/rss/1.0/modules/content/">&lt;p&gt;poison&lt;/p&gt;
    </content:encoded><enclosure url="http://a.example/poison.mp3" type="audio/poison"/>
    <media:content xmlns:media="http://search.yahoo.com/mrss/" url="http://a.example/poison.png"
    medium="image"><media:title>poison</media:title></media:content></item>
    """

  @Test(
    "An item fails alone, with its feed's reason, and the sync goes on",
    arguments: [
      "article.title", "article.author", "article.url", "articleBody.itemID", "articleBody.html",
      "articleBody.tags", "enclosure.url", "enclosure.mimeType",
    ])
  func items(place: String) async throws {
    fixture.web.on("http://a.example/", .feed(rss("Fine", extra: Self.item)))
    fixture.web.on("http://b.example/", .feed(rss("Other")))
    let feeds = try await fixture.subscribe("http://a.example/", "http://b.example/")
    try await refuse(place, in: fixture)
    for _ in 0..<2 {
      let summary = await fixture.controller().runUntilIdle()
      #expect(summary.storeFailure == nil)
      try await fixture.requests.requestRefresh(.all)
    }
    #expect(try titles(fixture) == ["Fine 1", "Fine 2", "Fine 3", "Other 1", "Other 2", "Other 3"])
    let failure = try #require(try fixture.record(feeds[0])?.failure)
    #expect(failure.kind == .storage && failure.detail?.contains("refused") == true)
    #expect(try fixture.record(feeds[1])?.failure == nil)
    #expect(try fixture.feeds.feed(feeds[0])?.name == "Fine")
  }

  @Test(
    "A feed whose own values are refused keeps its articles and has the reason",
    arguments: ["feed.title", "feed.summary", "feed.homePageURL", "feedFetch.etag"])
  func feeds(place: String) async throws {
    let extra = "<description>poison</description><link>http://a.example/poison</link>"
    fixture.web.on(
      "http://a.example/", .feed(rss("The poison", extra: extra), [("ETag", "\"poison\"")]))
    fixture.web.on("http://b.example/", .feed(rss("Other")))
    let feeds = try await fixture.subscribe("http://a.example/", "http://b.example/")
    try await refuse(place, in: fixture)
    #expect(await fixture.controller().runUntilIdle().storeFailure == nil)
    #expect(try titles(fixture).count == 6)
    #expect(try fixture.record(feeds[0])?.failure?.kind == .storage)
  }

  @Test("A changed article whose new text is refused keeps the old one, and others change")
  func changedItems() async throws {
    fixture.web.on("http://a.example/", .feed(rss("Fine")))
    let feed = try await fixture.subscribe("http://a.example/")[0]
    _ = await fixture.controller().runUntilIdle()
    let changed = rss("Fine").replacing("Text of 1", with: "poison").replacing(
      "<title>Fine 2", with: "<title>Fine, changed 2")
    fixture.web.on("http://a.example/", .feed(changed))
    try await refuse("articleBody.html", in: fixture)
    try await fixture.requests.requestRefresh(.all)
    #expect(await fixture.controller().runUntilIdle().storeFailure == nil)
    #expect(try titles(fixture) == ["Fine 1", "Fine 3", "Fine, changed 2"])
    #expect(try fixture.record(feed)?.failure?.kind == .storage)
  }

  private static let story =
    "<html><body><article><p>The poison page tells the whole story, slowly, and in sentences that "
    + "take their time to end. It has a second one too, so that nobody takes it for a label.</p>"
    + "<img src=http://a.example/poison.png></article></body></html>"

  /// A fixture with an article whose page holds the word.
  private func article() async throws -> (EngineFixture, ArticleID) {
    let fixture = try EngineFixture()
    fixture.web.on(
      "http://a.example/feed",
      .feed(
        rss(
          "A", items: 0,
          extra: """
            <item><guid>1</guid><title>One</title><link>http://a.example/1</link>
            <enclosure url="http://a.example/talk.mp3" type="audio/mpeg" length="5"/></item>
            """)))
    fixture.web.onAnythingElse { request in
      request.url.hasSuffix("png")
        ? .picture(SamplePictures.png, [("ETag", "\"poison\"")]) : .page(Self.story)
    }
    try await fixture.subscribe("http://a.example/feed")
    _ = await fixture.controller().runUntilIdle()
    let row = try fixture.articles.page(ArticleQuery(scope: .all), .top, limit: 1).first
    return (fixture, try #require(row?.id))
  }

  @Test("A page, a file and a search for feeds fail alone, with their reason")
  func rows() async throws {
    let (fixture, id) = try await article()
    for place in ["fullText.html", "download.validator", "discovery.answer"] {
      let (fixture, id) = place == "fullText.html" ? (fixture, id) : try await article()
      try await refuse(place, in: fixture)
      fixture.web.on("http://b.example/", .feed(rss("Other")))
      fixture.web.on("http://a.example/talk.mp3", .reply(200, [("ETag", "\"poison\"")], "sound"))
      fixture.web.on("http://a.example/find", .feed(rss("poison")))
      try await fixture.subscribe("http://b.example/")
      _ = try await fixture.fullTexts.turnFullText(id)
      let download = try await fixture.downloads.requestDownloads(of: id).first
      let search = try await fixture.requests.requestDiscovery(url: "http://a.example/find")
      let summary = await fixture.controller {
        $0.downloadFolder = fixture.directory + "/Downloads"
      }.runUntilIdle()
      #expect(summary.storeFailure == nil, "\(place)")
      #expect(try titles(fixture).contains("Other 1"), "\(place)")
      let failure: RefreshFailure? =
        switch place {
        case "fullText.html":
          if case .failed(let failure) = try fixture.fullTexts.fullText(id)?.state {
            failure
          } else {
            nil
          }
        case "download.validator":
          if case .failed(let failure) = try fixture.downloads.download(download?.id ?? 0)?.state {
            failure
          } else {
            nil
          }
        default:
          if case .failed(let failure) = try fixture.requests.discovery(search)?.state {
            failure
          } else {
            nil
          }
        }
      #expect(failure?.kind == .storage, "\(place): \(String(describing: failure))")
    }
  }

  @Test("A picture fails alone, with its reason, and others are stored")
  func pictures() async throws {
    fixture.web.on("http://a.example/", .feed(rss("A")))
    let feed = try await fixture.subscribe("http://a.example/")[0]
    let urls = ["poison", "fine"].map { "http://a.example/\($0).png" }
    for (url, tag) in zip(urls, ["poison", "fine"]) {
      fixture.web.on(url, .picture(SamplePictures.png, [("ETag", "\"\(tag)\"")]))
    }
    try await refuse("picture.etag", in: fixture)
    try await fixture.store.reader.pictures.requestPictures(
      RequestedPictures(visible: urls.map { .init(url: $0, feed: feed) }, ahead: []))
    let controller = fixture.startedController()
    let pictures = fixture.store.reader.pictures
    #expect(
      try await fixture.pass(120) {
        try pictures.known(at: urls).values.allSatisfy { $0.state != .waiting }
      })
    await controller.end()
    let states = try urls.map { try pictures.known(at: urls)[$0]?.state }
    guard case .failed(let failure) = states[0], case .stored = states[1] else {
      Issue.record("\(states)")
      return
    }
    #expect(failure.kind == .storage)
  }

  @Test(
    "A part of a pack fails alone, and the pack is completed",
    arguments: ["fullText.html", "packItem.url", "picture.etag"])
  func packs(place: String) async throws {
    fixture.web.on("http://a.example/", .feed(rss("A")))
    try await fixture.subscribe("http://a.example/")
    _ = await fixture.controller().runUntilIdle()
    let articles = try fixture.articles.page(.all, .top, limit: 3).map(\.id)
    fixture.web.onAnythingElse { request in
      guard request.url.hasSuffix("png") else { return .page(Self.story) }
      return .picture(SamplePictures.png, [("ETag", "\"\(request.url)\"")])
    }
    fixture.web.on("http://a.example/0", .page(Self.story.replacing("poison", with: "fine")))
    try await refuse(place, in: fixture)
    try await fixture.store.reader.packs.startPack(
      articles.prefix(2).enumerated().map { index, id in
        PackArticle(id: id, minutes: 4, page: "http://a.example/\(index)", pictures: [])
      }, budget: 10_000_000)
    let summary = await fixture.controller {
      $0.packsAtOnce = true
      $0.textFacts = { html in
        (3, ["http://a.example/\(html.contains("poison") ? "poison" : "fine").png"])
      }
    }.runUntilIdle(.pack)
    #expect(summary.storeFailure == nil)
    let pack = try #require(try fixture.store.reader.packs.last())
    #expect(pack.end == .complete)
    #expect(pack[.text, .done] == (place == "picture.etag" ? 2 : 1))
    #expect(pack[.picture, .done] == 1)
    #expect(pack.received > 2 * 600)
  }

  @Test(
    "A page of older posts, or a post, fails alone, with its reason",
    arguments: ["olderPages.pages", "article.title"])
  func olderPosts(place: String) async throws {
    let next = "<a:link xmlns:a='http://www.w3.org/2005/Atom' rel='next' href='/poison'/>"
    fixture.web.on("http://a.example/", .feed(rss("A", extra: next)))
    fixture.web.on("http://a.example/poison", .feed(rss("B", extra: Self.item + next)))
    fixture.web.on("http://b.example/", .feed(rss("Other")))
    let feed = try await fixture.subscribe("http://a.example/")[0]
    _ = await fixture.controller().runUntilIdle()
    try await refuse(place, in: fixture)
    try await fixture.subscribe("http://b.example/")
    _ = try await fixture.olderPosts.request(feed, pages: 1)
    #expect(await fixture.controller().runUntilIdle().storeFailure == nil)
    #expect(try titles(fixture).contains("Other 1"))
    #expect(try titles(fixture).contains("B 1") == (place == "article.title"))
    guard case .failed(let failure) = try fixture.olderPosts.request(of: feed)?.state else {
      Issue.record("\(String(describing: try fixture.olderPosts.request(of: feed)))")
      return
    }
    #expect(failure.kind == .storage)
  }

  @Test(
    "A feed of a followed list fails alone, with its reason",
    arguments: ["listFeed.url", "feed.url", "folder.title", "article.title"])
  func lists(place: String) async throws {
    let outline = """
      <opml version='2.0'><body><outline type='rss' text='F' xmlUrl='http://fine.example/'/>
      <outline text='poison'><outline type='rss' text='poison' xmlUrl='http://poison.example/'/>
      </outline><outline type='rss' text='G' xmlUrl='http://fine.example/2'/></body></opml>
      """
    fixture.web.on("http://list.example/", .reply(200, [("Content-Type", "text/x-opml")], outline))
    fixture.web.on("http://b.example/", .feed(rss("Other")))
    let list = try await fixture.feeds.followList(url: "http://list.example/", name: "Planet")
    try await fixture.subscribe("http://b.example/")
    try await refuse(place, in: fixture)
    #expect(await fixture.controller().runUntilIdle().storeFailure == nil)
    #expect(try titles(fixture).contains("Other 1"))
    let urls = Set(try fixture.feeds.subscriptions().feeds.map(\.url))
    #expect(urls.isSuperset(of: ["http://fine.example/", "http://fine.example/2"]))
    #expect(urls.contains("http://poison.example/") == place.hasPrefix("article"))
    #expect(try fixture.record(list)?.failure?.kind == .storage)
  }

  @Test("The output of a rule’s program fails alone, and the rule has the reason")
  func notes() async throws {
    fixture.web.on("http://a.example/", .feed(rss("A")))
    try await fixture.subscribe("http://a.example/")
    let rule = try await fixture.rules.addRule(
      RuleDraft(name: "All", query: "is:unread", actions: [.run("summary")]), reach: .arrivals
    ).id
    try await refuse("articleNote.html", in: fixture)
    let number = Mutex(0)
    let summary = await fixture.controller {
      $0.ruleProgram = { task in
        let text = number.withLock {
          $0 += 1
          return $0 == 1 ? "poison" : "fine"
        }
        return ProgramCall(
          words: ["/bin/echo", text], environment: [:], input: [], note: task.program)
      }
    }.runUntilIdle()
    #expect(summary.storeFailure == nil)
    #expect(try fixture.rules.programFailures(of: rule).map(\.count) == [1])
    let notes = try fixture.articles.page(.all, .top, limit: 9).flatMap {
      try fixture.states.notes(of: $0.id)
    }
    #expect(notes.count == 2)
  }

  @Test("The name of a host that limits requests ends no sync") func hosts() async throws {
    fixture.web.onAnythingElse { request in
      request.url.hasSuffix("5") ? .status(429, [("Retry-After", "120")]) : .feed(rss("A"))
    }
    fixture.web.on("http://b.example/", .feed(rss("Other")))
    try await refuse("hostLimit.host", in: fixture)
    try await fixture.subscribe(
      (1...9).map { "http://poison.example/\($0)" } + ["http://b.example/"])
    #expect(await fixture.controller().runUntilIdle().storeFailure == nil)
    #expect(try titles(fixture).contains("Other 1"))
  }

  @Test("A status that cannot be stored ends no sync") func status() async throws {
    fixture.web.on("http://a.example/", .feed(rss("A")))
    try await fixture.subscribe("http://a.example/")
    try await refuse("syncStatus.json", with: "{", in: fixture)
    let controller = fixture.startedController()
    #expect(try await fixture.pass(120) { try titles(fixture).count == 3 })
    fixture.web.on("http://a.example/", .feed(rss("A", items: 5)))
    try await fixture.requests.requestRefresh(.all)
    #expect(try await fixture.pass(20) { try titles(fixture).count == 5 })
    await controller.end()
    #expect(await fixture.controller().runUntilIdle().storeFailure == nil)
  }

  @Test("A change whose refusal by the server cannot be stored delays no others")
  func outbox() async throws {
    let account = try await AccountFixture()
    account.server.addItems(1...3, feed: account.server.addFeed("http://a.example/", title: "A"))
    try await account.sync(after: 60)
    try await refuse("outbox.detail", with: "Bad Request", in: account.fixture)
    account.server.setPoison([2])
    try await account.fixture.states.set(.read, Array(account.articles().values), true)
    for _ in 0..<2 { #expect(try await account.sync(after: 60).storeFailure == nil) }
    let left = try account.fixture.store.reader.accounts.outbox(of: nil, limit: 9)
    #expect(left.map(\.state) == [.refused] && left[0].detail?.contains("refused") == true)
    #expect(try account.state()?.failure == nil)
  }

  @Test(
    "An article, a subscription, a label or a change for an account’s server fails alone",
    arguments: [
      ("article.title", "Item 2"), ("remoteFeed.title", "Bad"), ("folder.title", "Bad"),
      ("remoteLabel.label", "Poison"), ("articleTag.tag", "Poison"), ("outbox.item", "2"),
    ])
  func accounts(place: String, word: String) async throws {
    let account = try await AccountFixture()
    let (fixture, server) = (account.fixture, account.server)
    server.addItems(1...3, feed: server.addFeed("http://a.example/", title: "Name"))
    server.addItems(
      4...5, feed: server.addFeed("http://c.example/", title: "Bad", folder: "Bad"))
    server.labels = ["Fine": [3], "Poison": [1]]
    if place == "outbox.item" {
      try await fixture.rules.addRule(
        RuleDraft(name: "All", query: "is:unread", actions: [.markRead]), reach: .arrivals)
    }
    try await refuse(place, with: word, in: fixture)
    fixture.web.on("http://b.example/", .feed(rss("Other")))
    try await fixture.subscribe("http://b.example/")
    #expect(try await account.sync(after: 60).storeFailure == nil)
    let count = ["remoteFeed.title": 3, "folder.title": 3, "remoteLabel.label": 5][place] ?? 4
    #expect(try titles(fixture).filter { $0.hasPrefix("Item") }.count == count)
    #expect(try titles(fixture).contains("Other 1"))
    let rows = try fixture.articles.page(.all, .top, limit: 99)
    let third = try #require(rows.first { $0.title.hasPrefix("Item 3") }?.id)
    #expect(try fixture.states.tags(of: [third]) == ["Fine"])
    #expect(try account.state()?.failure?.detail?.contains("refused") == true)
    #expect(try account.state()?.syncedAt != nil)
  }
}
