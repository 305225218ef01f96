@testable import FeedParsing
@testable import SyncEngine

@Suite("Addresses and handles of well-known sites") struct KnownSitesTests {
  let web = FakeWeb()
  private static let videos = "https://www.youtube.com/feeds/videos.xml"
  private static let gitHub = "https://github.com/o/r"
  private static let gitLab = "https://gitlab.com/g/s/p"

  @Test(
    "Typed text leads to the feeds of its site",
    arguments: [
      (
        "https://www.youtube.com/channel/UCabc_-1",
        ["\(videos)?channel_id=UCabc_-1", "\(videos)?playlist_id=UULFabc_-1"]
      ),
      (
        "m.youtube.com/channel/UCabc/videos",
        ["\(videos)?channel_id=UCabc", "\(videos)?playlist_id=UULFabc"]
      ),
      ("https://youtube.com/playlist?list=PL123", ["\(videos)?playlist_id=PL123"]),
      ("https://www.youtube.com/watch?v=x&list=PL9", ["\(videos)?playlist_id=PL9"]),
      ("https://www.youtube.com/user/old", ["\(videos)?user=old"]),
      ("@jane@mastodon.example", ["https://mastodon.example/@jane.rss"]),
      ("https://mastodon.example/@jane", ["https://mastodon.example/@jane.rss"]),
      ("https://mastodon.example/@jane@other.example", ["https://other.example/@jane.rss"]),
      ("@jane.bsky.social", ["https://bsky.app/profile/jane.bsky.social/rss"]),
      ("jane.bsky.social", ["https://bsky.app/profile/jane.bsky.social/rss"]),
      ("https://bsky.app/profile/jane.example", ["https://bsky.app/profile/jane.example/rss"]),
      ("!swift@lemmy.example", ["https://lemmy.example/feeds/c/swift.xml"]),
      ("https://lemmy.example/c/swift", ["https://lemmy.example/feeds/c/swift.xml"]),
      ("https://lemmy.example/u/jane", ["https://lemmy.example/feeds/u/jane.xml"]),
      ("r/swift", ["https://www.reddit.com/r/swift/.rss"]),
      ("/r/swift", ["https://www.reddit.com/r/swift/.rss"]),
      ("u/jane", ["https://www.reddit.com/user/jane/.rss"]),
      ("https://old.reddit.com/r/swift/top", ["https://www.reddit.com/r/swift/.rss"]),
      (
        "https://www.reddit.com/r/swift/comments/1abc/title/",
        ["https://www.reddit.com/r/swift/comments/1abc/.rss"]
      ),
      (
        "github.com/o/r",
        ["\(gitHub)/releases.atom", "\(gitHub)/commits.atom", "\(gitHub)/tags.atom"]
      ),
      ("https://github.com/o/r/releases", ["\(gitHub)/releases.atom"]),
      ("https://github.com/o/r/tree/a/b", ["\(gitHub)/commits/a/b.atom"]),
      ("https://github.com/o/r/commits", ["\(gitHub)/commits.atom"]),
      ("https://github.com/o/r/discussions", ["\(gitHub)/discussions.atom"]),
      ("https://github.com/o", ["https://github.com/o.atom"]),
      (
        "https://gitlab.com/g/s/p",
        ["\(gitLab)/-/releases.atom", "\(gitLab).atom", "\(gitLab)/-/issues.atom"]
      ),
      ("https://gitlab.com/g/s/p/-/issues", ["\(gitLab)/-/issues.atom"]),
      ("https://gitlab.com/g/s/p/-/commits/main", ["\(gitLab)/-/commits/main?format=atom"]),
      (
        "https://codeberg.org/o/r",
        ["https://codeberg.org/o/r.rss", "https://codeberg.org/o/r/releases.rss"]
      ),
      ("https://codeberg.org/o", ["https://codeberg.org/o.rss"]),
      ("news.ycombinator.com", ["https://news.ycombinator.com/rss"]),
      ("https://news.ycombinator.com/item?id=42", ["https://hnrss.org/item?id=42"]),
      ("https://news.ycombinator.com/user?id=pg", ["https://hnrss.org/user?id=pg"]),
      ("https://news.ycombinator.com/show", ["https://hnrss.org/show"]),
      ("https://lobste.rs/", ["https://lobste.rs/rss"]),
      ("https://lobste.rs/t/swift", ["https://lobste.rs/t/swift.rss"]),
      ("https://lobste.rs/~jane", ["https://lobste.rs/newest/jane.rss"]),
      (
        "https://stackoverflow.com/questions/tagged/swift",
        ["https://stackoverflow.com/feeds/tag?tagnames=swift&sort=newest"]
      ),
      (
        "https://unix.stackexchange.com/questions/12/title",
        ["https://unix.stackexchange.com/feeds/question/12"]
      ),
      ("https://superuser.com/users/7/jane", ["https://superuser.com/feeds/user/7"]),
      ("https://jane.substack.com/p/post", ["https://jane.substack.com/feed"]),
      ("https://medium.com/@jane/post-1", ["https://medium.com/feed/@jane"]),
      ("https://medium.com/tag/swift", ["https://medium.com/feed/tag/swift"]),
      ("https://jane.medium.com/", ["https://jane.medium.com/feed"]),
      ("https://band.bandcamp.com/album/x", ["https://band.bandcamp.com/feed"]),
      ("https://arxiv.org/list/cs.CL/recent", ["https://rss.arxiv.org/rss/cs.CL"]),
    ] as [(String, [String])])
  func feeds(typed: String, feeds: [String]) { #expect(KnownSites(typed)?.feeds == feeds) }

  @Test(
    "Text without a feed address leads to the page that names the feed",
    arguments: [
      ("@veritas", "https://www.youtube.com/@veritas"),
      ("https://www.youtube.com/@veritas/videos", "https://www.youtube.com/@veritas"),
      ("https://m.youtube.com/c/Name", "https://www.youtube.com/c/Name"),
      ("https://github.com/o/r/issues/", "https://github.com/o/r/issues"),
      ("github.com/o/r/pulls?q=is:open", "https://github.com/o/r/pulls"),
    ])
  func pages(typed: String, page: String) { #expect(KnownSites(typed)?.page == page) }

  @Test("A page of Apple's directory leads to the directory's answer, which names the feed")
  func directory() {
    #expect(
      KnownSites("https://podcasts.apple.com/us/podcast/some-name/id1234567890?i=1")?.directory
        == "https://itunes.apple.com/lookup?id=1234567890&entity=podcast")
    let answer = #"{"resultCount":1,"results":[{"feedUrl":"https://pod.example/feed"}]}"#
    #expect(KnownSites.feedURL(inDirectory: Array(answer.utf8)) == "https://pod.example/feed")
    let other = #"{"results":[{"feedUrl":"file:///etc/passwd"}]}"#
    #expect(KnownSites.feedURL(inDirectory: Array(other.utf8)) == nil)
  }

  @Test(
    "Text of an unknown form is left to discovery on its page",
    arguments: [
      "example.org", "https://example.org/blog", "https://github.com/features", "", "words here",
      "https://www.youtube.com/", "@", "r/", "https://example.org/c/a/b", "file:///r/x",
      "https://arxiv.org/abs/2001.00001",
    ])
  func unknown(typed: String) { #expect(KnownSites(typed) == nil) }

  @Test("Only feeds are offered, and a wrong guess leads to the page")
  func discovery() async throws {
    web.on("https://github.com/o/r/releases.atom", .feed(rss("Releases", items: 1)))
    web.on("https://github.com/o/r/commits.atom", .feed(rss("Commits", items: 1)))
    let found = try await web.found("github.com/o/r")
    #expect(found.map(\.title) == ["Releases", "Commits"])
    #expect(web.peak <= 2)

    let other = FakeWeb()
    other.on("https://a.example/c/x", .feed(rss("Own", items: 1)))
    let feeds = try await other.found("https://a.example/c/x")
    #expect(feeds.map(\.url) == ["https://a.example/c/x"])
    #expect(other.urls == ["https://a.example/feeds/c/x.xml", "https://a.example/c/x"])
  }

  @Test("The channel named by a YouTube page is offered with and without shorts")
  func youTube() async throws {
    let all = "\(Self.videos)?channel_id=UCabc"
    let long = "\(Self.videos)?playlist_id=UULFabc"
    web.on(
      "https://www.youtube.com/@jane",
      .page(
        "<html><head><link rel=\"alternate\" type=\"application/rss+xml\" href=\"\(all)\"></head></html>"
      ))
    web.on(all, .feed(rss("Jane", items: 1)))
    web.on(long, .feed(rss("Videos", items: 1)))
    let found = try await web.found("@jane")
    #expect(found.map(\.url) == [all, long])
  }

  @Test("A podcast of Apple's directory is found by the directory's answer")
  func podcast() async throws {
    web.on(
      "https://itunes.apple.com/lookup?id=12&entity=podcast",
      .reply(
        200, [("Content-Type", "text/javascript")],
        #"{"results":[{"feedUrl":"https://pod.example/feed"}]}"#))
    web.on("https://pod.example/feed", .feed(rss("Pod", items: 1)))
    let found = try await web.found("https://podcasts.apple.com/us/podcast/x/id12")
    #expect(found.map(\.title) == ["Pod"])
  }

  @Test("The common addresses of a page without a feed are tried one after another, then no more")
  func usualPaths() async throws {
    web.on("https://a.example/blog", .page("<html><body><p>Hello</p></body></html>"))
    web.on("https://a.example/atom.xml", .feed(rss("Atom", items: 1)))
    let found = try await web.found("https://a.example/blog")
    #expect(found.map(\.url) == ["https://a.example/atom.xml"])
    #expect(
      web.urls == [
        "https://a.example/blog", "https://a.example/feed", "https://a.example/blog/feed",
        "https://a.example/rss.xml", "https://a.example/atom.xml",
      ])
    #expect(web.peak == 1)
  }

  @Test(
    "Feeds beside a page are found, and a feed of comments is taken if it has any",
    arguments: [
      ("/~jo/post.html", ["/~jo/index.xml"], "/~jo/index.xml"),
      ("/~jo/", ["/~jo/rss.xml", "/rss.xml"], "/~jo/rss.xml"),
      ("/blog/a-post/", ["/blog/atom.xml"], "/blog/atom.xml"),
      ("/blog/a-post", ["/blog/feed.xml"], "/blog/feed.xml"),
      ("/2024/post/", ["/2024/post/feed empty", "/feed"], "/feed"),
      ("/2024/post/", ["/2024/post/feed empty", "/index.xml"], "/index.xml"),
      ("/2024/post/", ["/2024/post/feed comments", "/atom.xml"], "/atom.xml"),
      ("/2024/post/", ["/2024/post/feed comments"], "/2024/post/feed"),
      ("/2024/post/", ["/2024/post/feed empty"], nil), ("/", ["/feed empty"], "/feed"),
    ] as [(String, [String], String?)])
  func feedsNearThePage(page: String, feeds: [String], found: String?) async throws {
    web.onAnythingElse { _ in .status(404) }
    web.on("https://a.example\(page)", .page("<html><body><p>Hello</p></body></html>"))
    for feed in feeds {
      let parts = feed.split(separator: " ")
      let isEmpty = parts.last == "empty" && page != "/"
      let title = parts.count > 1 && page != "/" ? "Comments on: Post" : "A"
      web.on(
        "https://a.example\(parts[0])",
        .feed(rss(title, items: isEmpty || parts.last == "empty" ? 0 : 1)))
    }
    guard let found else {
      #expect(try await web.failure("https://a.example\(page)").kind == .notAFeed)
      return
    }
    #expect(
      try await web.found("https://a.example\(page)").map(\.url) == ["https://a.example\(found)"])
    #expect(web.urls.count < 16)
  }

  @Test("An announced page that forwards leads to the feed")
  func announcedPageForwards() async throws {
    web.on(
      "https://a.example/",
      .page("<link rel=alternate type=application/rss+xml href=./feed/index.html>"))
    web.on(
      "https://a.example/feed/index.html",
      .page("<meta http-equiv=\"refresh\" content=\"0;url=index.xml\">"))
    web.on("https://a.example/feed/index.xml", .feed(rss("A", items: 1)))
    let found = try await web.found("https://a.example/")
    #expect(found.map(\.url) == ["https://a.example/feed/index.xml"])
  }

  @Test("An announced feed of comments without any gives way to the usual addresses")
  func announcedComments() async throws {
    web.on(
      "https://a.example/2024/post/",
      .page("<link rel=alternate type=application/rss+xml href=/2024/post/feed/>"))
    web.on("https://a.example/2024/post/feed/", .feed(rss("Comments on: Post", items: 0)))
    web.on("https://a.example/feed", .feed(rss("A", items: 1)))
    let found = try await web.found("https://a.example/2024/post/")
    #expect(found.map(\.url) == ["https://a.example/feed"])
  }

  @Test("A host that asks for a pause is not asked again, and its page counts as no feed")
  func usualPathsStop() async throws {
    web.on("https://a.example/", .page("<html><body><p>Hello</p></body></html>"))
    web.on("https://a.example/feed", .status(429, [("Retry-After", "60")]))
    let failure = try await web.failure("https://a.example/")
    #expect(failure.kind == .notAFeed)
    #expect(web.urls == ["https://a.example/", "https://a.example/feed"])
  }

  @Test(
    "A search requests no address twice and at most two at once of a host",
    arguments: [
      "https://a.example/blog", "a.example", "https://github.com/o/r", "github.com/o/r/issues",
      "https://gitlab.com/g/s/p", "https://codeberg.org/o/r", "https://jane.substack.com/feed",
      "https://band.bandcamp.com/", "https://www.youtube.com/channel/UCabc", "@jane",
      "https://medium.com/@jane", "https://stackoverflow.com/questions/tagged/swift",
      "https://a.example/@jane", "!swift@a.example", "https://arxiv.org/list/cs.CL/recent",
      "https://podcasts.apple.com/us/podcast/x/id12", "https://a.example/c/x",
    ])
  func asksLittle(typed: String) async throws {
    let feed = "<link rel=alternate type=application/rss+xml href=/feed>"
    let pages: [FakeWeb.Answer] = [
      .status(404), .page("<p>Hello</p>"), .page(feed), .failure(.connectionRefused),
    ]
    for page in pages {
      let web = FakeWeb()
      web.onAnythingElse { _ in page }
      _ = try await FeedDiscoverer(transport: web).discover(typed)
      #expect(Set(web.urls).count == web.urls.count)
      #expect(web.peak <= 2)
      #expect((1...12).contains(web.urls.count))
    }
  }

  @Test("The bytes of a list at an address are fetched, or the reason of the failure is reported")
  func body() async throws {
    web.on("https://a.example/list.opml", .reply(200, [], "<opml/>"))
    let discoverer = FeedDiscoverer(transport: web)
    let found = try await discoverer.body(at: "https://a.example/list.opml")
    #expect(try found.get().bytes == Array("<opml/>".utf8))
    let missing = try await discoverer.body(at: "https://a.example/none")
    #expect(throws: RefreshFailure.self) { try missing.get() }
  }
}
