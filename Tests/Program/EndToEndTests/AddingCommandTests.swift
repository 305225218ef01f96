import Synchronization

@Suite("Adding pages and lists on the command line", .ownThreads)
final class AddingCommandTests: OnlineSuite {
  private static func page(_ headlines: [String], list name: String = "news") -> String {
    let items = headlines.enumerated().map { index, title in
      "<li><h2><a href='/story/\(title.count)-\(index)'>\(title)</a></h2></li>"
    }
    return "<html><head><title>Town paper</title></head><body><ul class='\(name)'>"
      + items.joined() + "</ul></body></html>"
  }

  private static let headlines = [
    "The bridge is open again", "A market in the old station", "Council votes on the school",
  ]

  @Test("Headlines of a page are listed, chosen by number, followed, and repaired after a move")
  func headlines() throws {
    let name = Mutex("news")
    origin.on("/") { _ in .status(404) }
    origin.on("/town") { request in
      guard request.path == "/town" else { return .status(404) }
      return .answer(Self.page(Self.headlines, list: name.withLock { $0 }), type: "text/html")
    }
    let url = origin.url("/town")
    let listed = try fixture.weir("add", url)
    #expect(listed.code == 1)
    #expect(listed.output.contains("  1  3 headlines: The bridge is open again, A market"))
    #expect(listed.errors.contains("weir add --choose 1 \(url)"))
    // The page and its usual feed addresses are requested once each, one after another.
    #expect(origin.log.map(\.path).count == Set(origin.log.map(\.path)).count)
    #expect(origin.log.count == 9 && origin.peakConcurrencyPerHost == 1)

    #expect(try fixture.weir("add", "--choose", "9", url).code == 1)
    let added = try fixture.weir("add", "--choose", "1", url)
    #expect(added.output.contains("Following the headlines of \u{201C}Town paper\u{201D} (feed "))
    #expect(try fixture.weir("sync").output.contains("1 feed, 3 new"))
    #expect(try fixture.weir("sync", "--all").output.contains("1 feed, nothing new"))

    name.withLock { $0 = "stories" }
    #expect(try fixture.weir("sync", "--all").output.contains("its headlines are gone"))
    let doctor = try fixture.weir("doctor")
    #expect(doctor.output.contains("add the page again and choose among its headlines"))
    let repaired = try fixture.weir("add", "--choose", "1", url)
    #expect(repaired.output.contains("New headlines for \u{201C}Town paper\u{201D}"))
    #expect(try fixture.weir("sync").output.contains("1 feed, nothing new"))
    #expect(try fixture.weir("feeds", "--json").objects().count == 1)
  }

  @Test("A feed that is added shows the title that it has now") func title() throws {
    let title = Mutex("First")
    origin.on("/feed") { _ in .answer(Feeds.rss(title.withLock { $0 }, ["one"])) }
    #expect(try fixture.weir("add", origin.url("/feed")).output.contains("\u{201C}First\u{201D}"))
    func name() throws -> String? {
      try fixture.weir("feeds", "--json").objects().first?["name"] as? String
    }
    #expect(try name() == "First")
    title.withLock { $0 = "Second" }
    try fixture.weir("sync", "--all")
    #expect(try name() == "Second")
  }

  @Test("A list is offered, followed, requested conditionally, listed and exported as a list")
  func list() throws {
    for name in ["a", "b", "c"] { origin.on("/\(name)", .answer(Feeds.rss(name, ["\(name)1"]))) }
    let names = Mutex(["a", "b"])
    let base = origin.url("/")
    origin.on("/list.opml") { request in
      let now = names.withLock { $0 }
      let opml = Feeds.opml(now.map { ($0, base + $0) })
      return .document(
        Array(opml.utf8), etag: "\"\(now.joined())\"", type: "text/x-opml", to: request)
    }
    let url = origin.url("/list.opml")
    let offered = try fixture.weir("add", url)
    #expect(offered.code == 1)
    #expect(offered.output.contains("  1  a list of 2 feeds: a, b"))
    #expect(try fixture.weir("feeds", "--json").objects().isEmpty)

    #expect(try fixture.weir("add", "--choose", "1", url).code == 0)
    #expect(try fixture.weir("sync").output.contains("3 feeds, 3 new"))
    let feeds = try fixture.weir("feeds", "--json").objects()
    #expect(feeds.count == 3)
    #expect(feeds.filter { $0["isList"] as? Bool == true }.map { $0["url"] as? String } == [url])
    let notice = try fixture.weir("articles", "--json").objects()
    #expect(notice.contains { $0["title"] as? String == "2 feeds added" })

    names.withLock { $0 = ["b", "c"] }
    try fixture.weir("sync", "--all")
    try fixture.weir("sync", "--all")
    let asked = origin.log.filter { $0.path == "/list.opml" }.suffix(2)
    #expect(asked.map { $0.header("If-None-Match") } == ["\"ab\"", "\"bc\""])
    let urls = try fixture.weir("feeds", "--json").objects().compactMap { $0["url"] as? String }
    #expect(Set(urls) == [url, origin.url("/b"), origin.url("/c")])
    #expect(try fixture.weir("export").output.contains("type=\"include\" text=\"T\""))
  }
}
