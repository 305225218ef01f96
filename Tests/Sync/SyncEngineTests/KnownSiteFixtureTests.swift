import FeedParsing

@testable import SyncEngine

/// Documents as well-known sites serve them.
@Suite("Documents of well-known sites") struct KnownSiteFixtureTests {
  private static let videos = "https://www.youtube.com/feeds/videos.xml"

  /// The typed text, the served documents, and the offered feeds.
  struct Site: Sendable, CustomTestStringConvertible {
    var typed: String
    /// Fixtures by address.
    var served: [(url: String, fixture: String)]
    /// Titles of feeds.
    var offered: [String]
    /// Link and author of the first article.
    var link: String?
    var author: String?
    var testDescription: String { typed }
  }

  private static func sites() -> [Site] {
    [
      Site(
        typed: "@sluice",
        served: [
          ("https://www.youtube.com/@sluice", "youtube-page.html"),
          ("\(videos)?channel_id=UCsluice", "youtube-channel.xml"),
          ("\(videos)?playlist_id=UULFsluice", "youtube-channel.xml"),
        ], offered: ["Sluice Films", "Sluice Films"],
        link: "https://www.youtube.com/watch?v=AbCdEfGhIj1", author: "Sluice Films"),
      Site(
        typed: "https://www.youtube.com/playlist?list=PLlocks",
        served: [("\(videos)?playlist_id=PLlocks", "youtube-channel.xml")],
        offered: ["Sluice Films"], link: "https://www.youtube.com/watch?v=AbCdEfGhIj1"),
      Site(
        typed: "@jane@mastodon.example",
        served: [("https://mastodon.example/@jane.rss", "mastodon.xml")], offered: ["Jane Weir"],
        link: "https://mastodon.example/@jane/113000000000000001"),
      Site(
        typed: "@jane.bsky.social",
        served: [("https://bsky.app/profile/jane.bsky.social/rss", "bluesky.xml")],
        offered: ["@jane.bsky.social - Jane"],
        link: "https://bsky.app/profile/jane.bsky.social/post/3kabc"),
      Site(
        typed: "!swift@lemmy.example",
        served: [("https://lemmy.example/feeds/c/swift.xml", "lemmy.xml")],
        offered: ["Lemmy - swift"], link: "https://weir.example/news"),
      Site(
        typed: "r/swift", served: [("https://www.reddit.com/r/swift/.rss", "reddit.xml")],
        offered: ["Swift"], link: "https://www.reddit.com/r/swift/comments/1abcde/a_reader/",
        author: "/u/jane"),
      Site(
        typed: "github.com/o/r",
        served: [
          ("https://github.com/o/r/releases.atom", "github-releases.xml"),
          ("https://github.com/o/r/commits.atom", "github-commits.xml"),
        ], offered: ["Release notes from r", "Recent Commits to r:main"],
        link: "https://github.com/o/r/releases/tag/v1.2", author: "octo"),
      Site(
        typed: "https://gitlab.com/g/s/p",
        served: [("https://gitlab.com/g/s/p/-/releases.atom", "gitlab-releases.xml")],
        offered: ["p releases"], link: "https://gitlab.com/g/s/p/-/releases/v2.0", author: "Ada"),
      Site(
        typed: "https://codeberg.org/o/r",
        served: [("https://codeberg.org/o/r.rss", "codeberg.xml")],
        offered: ["Feed of \"o/r\""], link: "https://codeberg.org/o/r/commit/9f", author: "octo"),
      Site(
        typed: "news.ycombinator.com",
        served: [("https://news.ycombinator.com/rss", "hackernews.xml")],
        offered: ["Hacker News"], link: "https://weir.example/"),
      Site(
        typed: "https://news.ycombinator.com/show",
        served: [("https://hnrss.org/show", "hnrss.xml")], offered: ["Hacker News: Show HN"],
        link: "https://weir.example/", author: "jane"),
      Site(
        typed: "https://lobste.rs/t/swift",
        served: [("https://lobste.rs/t/swift.rss", "lobsters.xml")], offered: ["Lobsters: swift"],
        link: "https://weir.example/", author: "jane"),
      Site(
        typed: "https://stackoverflow.com/questions/tagged/swift",
        served: [
          ("https://stackoverflow.com/feeds/tag?tagnames=swift&sort=newest", "stackexchange.xml")
        ], offered: ["Newest questions tagged swift - Stack Overflow"],
        link: "https://stackoverflow.com/questions/70000001/why-is-my-actor-slow", author: "jane"),
      Site(
        typed: "https://jane.substack.com/p/post",
        served: [("https://jane.substack.com/feed", "substack.xml")], offered: ["Letters of Jane"],
        link: "https://jane.substack.com/p/on-water", author: "Jane Weir"),
      Site(
        typed: "https://medium.com/@jane",
        served: [("https://medium.com/feed/@jane", "medium.xml")],
        offered: ["Stories by Jane on Medium"],
        link: "https://medium.com/@jane/a-story-1?source=rss-1------2", author: "Jane"),
      Site(
        typed: "https://band.bandcamp.com/album/x",
        served: [("https://band.bandcamp.com/feed", "bandcamp.xml")],
        offered: ["band on Bandcamp"], link: "https://band.bandcamp.com/album/floodgate"),
      Site(
        typed: "https://podcasts.apple.com/us/podcast/under-the-bridge/id1234567890",
        served: [
          ("https://itunes.apple.com/lookup?id=1234567890&entity=podcast", "apple-lookup.json"),
          ("https://pod.example/feed", "podcast.xml"),
        ], offered: ["Under the Bridge"]),
      Site(
        typed: "https://arxiv.org/list/cs.CL/recent",
        served: [("https://rss.arxiv.org/rss/cs.CL", "arxiv.xml")],
        offered: ["cs.CL updates on arXiv.org"], link: "https://arxiv.org/abs/2611.00001",
        author: "Jane Weir, Ada Lock"),
    ]
  }

  private static func type(_ fixture: String) -> String {
    if fixture.hasSuffix(".html") { return "text/html; charset=utf-8" }
    return fixture.hasSuffix(".json") ? "text/javascript; charset=utf-8" : "application/xml"
  }

  private static func bytes(_ fixture: String) throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Sites")
    return Array(try Data(contentsOf: folder.appending(path: fixture)))
  }

  @Test(
    "The served feeds are offered for the typed text, with few requests to each host",
    arguments: sites())
  func offered(site: Site) async throws {
    let web = FakeWeb()
    for (url, fixture) in site.served {
      web.on(url, .bytes(200, [("Content-Type", Self.type(fixture))], try Self.bytes(fixture)))
    }
    let found = try await web.found(site.typed)
    #expect(found.map(\.title) == site.offered)
    #expect(Set(found.map(\.url)).isSubset(of: site.served.map(\.url)))
    // No address twice, at most two requests at once, and no others than in the table.
    #expect(Set(web.urls).count == web.urls.count)
    #expect(web.peak <= 2)
    #expect(web.urls.count <= 3)
  }

  @Test(
    "The first article of each document has its title, link, date and author", arguments: sites())
  func articles(site: Site) throws {
    let feeds = site.served.map(\.fixture).filter { $0.hasSuffix(".xml") }
    for (place, fixture) in feeds.enumerated() {
      let feed = try FeedParser.parse(
        try Self.bytes(fixture), contentType: "application/xml", baseURL: site.served[0].url)
      let item = try #require(feed.items.first)
      #expect(!item.id.isEmpty)
      #expect(item.datePublished ?? item.dateModified != nil)
      #expect(item.title != nil || item.contentHTML != nil || item.summary != nil)
      guard place == 0 else { continue }
      if let link = site.link { #expect(item.url == link) }
      if let author = site.author {
        #expect((item.authors + feed.authors).first?.name == author)
      }
    }
  }
}
