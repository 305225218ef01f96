@Suite("Data of publishers in pages") struct PublisherDataTests {
  private static let sentence =
    "The lock opened at six, as it had every morning, and the first barge was through by ten past. "

  private func content(
    _ head: String, _ body: String? = nil, url: String = "https://site.example/story"
  ) throws -> MainContent {
    let body =
      body ?? "<article><p>" + String(repeating: Self.sentence, count: 5) + "</p></article>"
    let page = "<html><head>\(head)</head><body>\(body)</body></html>"
    return try #require(HTMLContent.mainContent(of: Array(page.utf8), url: url))
  }

  private static let data = """
    <script type="application/ld+json">{"@graph": [{"@type": "WebSite", "name": "Site"},
    {"@type": "NewsArticle", "headline": "Lock opens", "datePublished": "2026-05-02T08:00:00Z",
    "author": [{"@type": "Person", "name": "Jo Marsh"}, {"name": "Ines Hale"}],
    "image": {"url": "/img/lock.jpg"}},
    {"@type": "NewsArticle", "headline": "Another", "author": "Nobody"}]}</script>
    """
  private static let graph = """
    <meta property="og:title" content="Lock opens"><meta property="og:image" content="/img/og.jpg">
    <meta property="article:published_time" content="2026-05-03T08:00:00Z">
    <meta property="article:author" content="https://social.example/jo">
    <meta name="author" content="By J. Marsh">
    """

  @Test(
    "The title, authors, date and picture of an article come from its page's data",
    arguments: [
      (data + graph, "Jo Marsh, Ines Hale", "2026-05-02T08:00:00Z", "/img/lock.jpg"),
      (graph + data, "Jo Marsh, Ines Hale", "2026-05-02T08:00:00Z", "/img/lock.jpg"),
      (graph, "J. Marsh", "2026-05-03T08:00:00Z", "/img/og.jpg"),
    ])
  func titleAuthorsDatePicture(head: String, author: String, date: String, picture: String) throws {
    let found = try content(head)
    #expect(found.title == "Lock opens")
    #expect(found.author == author)
    #expect(found.published == ISO8601DateFormatter().date(from: date))
    #expect(
      found.html.hasPrefix(
        "<figure><img src=\"https://site.example\(picture)\"></figure><p>The lock"))
  }

  @Test("Microdata of an article is read, and that of a comment is not")
  func microdataOfArticle() throws {
    let text = String(repeating: Self.sentence, count: 5)
    let found = try content(
      "",
      "<div itemscope itemtype='https://schema.org/BlogPosting'><h1 itemprop=headline>Lock</h1>"
        + "<span itemprop=author itemscope itemtype='https://schema.org/Person'>By "
        + "<b itemprop=name>Jo Marsh</b>, keeper</span>"
        + "<time itemprop=datePublished datetime='2026-05-02'>May</time><p>\(text)</p></div>"
        + "<div itemscope itemtype='https://schema.org/Comment'><b itemprop=author>Troll</b></div>")
    #expect(found.author == "Jo Marsh")
    #expect(found.published == ISO8601DateFormatter().date(from: "2026-05-02T00:00:00Z"))
  }

  @Test(
    "A logo, or a picture beside those of the text, is not put before it",
    arguments: [
      ("<meta property=og:image content=/img/site-logo.png>", "<p>"),
      ("<meta property=og:image content=/img/lock.jpg>", "<p><img src=/own.jpg></p><p>"),
    ])
  func logoPictureBesideThose(head: String, start: String) throws {
    let text = String(repeating: Self.sentence, count: 5)
    let found = try content(head, "<article>\(start)\(text)</p></article>")
    #expect(!found.html.contains("logo") && !found.html.contains("lock.jpg"))
  }

  private func page(stated: String) -> String {
    "<script type=\"application/ld+json\">{\"@type\": \"Article\", \"headline\": \"Lock\", "
      + "\"articleBody\": \"\(stated)\"}</script>"
  }

  @Test("The stated text replaces a visible beginning of it, and no other text")
  func statedTextReplaces() throws {
    let numbers = (1...60).map {
      "Barge number \($0) went through at minute \($0 * 7) of the day. "
    }
    let stated = page(stated: numbers.joined())
    let beginning = numbers.prefix(8).joined()
    let short = try content(stated, "<article><p>\(beginning)</p></article>")
    #expect(short.html.contains("number 60 went"))
    let other = try content(
      stated, "<article><p>\(String(repeating: Self.sentence, count: 5))</p></article>")
    #expect(other.html.contains("The lock opened") && !other.html.contains("number 60"))
  }

  @Test("The stated text is recognised in a language without spaces")
  func textWithoutSpaces() throws {
    let lines = (1...40).map { "第\($0)艘船在早上通过了老船闸的大门。" }
    let stated = page(stated: lines.joined())
    let found = try content(stated, "<article><p>\(lines.prefix(10).joined())</p></article>")
    #expect(found.html.contains("第40艘"))
  }

  @Test(
    "Another version is named where the page promises more than it shows",
    arguments: [
      (
        "<link rel=amphtml href='https://amp.site.example/story'>", "https://amp.site.example/story"
      ),
      ("<link rel=alternate media=print href='?print=1'>", "https://site.example/story?print=1"),
      ("<link rel=amphtml href='https://cdn.example/story'>", nil),
      ("<link rel=amphtml href='/story'>", nil),
    ])
  func anotherVersionNamedWhere(link: String, address: String?) throws {
    let promise =
      "<script type='application/ld+json'>{\"@type\": \"Article\", \"wordCount\": 900}</script>"
    #expect(try content(link + promise).otherVersion == address)
    #expect(try content(link).otherVersion == nil)
    let shell = Array("<html><head>\(link)</head><body><div id=app></div></body></html>".utf8)
    #expect(HTMLContent.otherVersion(of: shell, url: "https://site.example/story") == address)
  }

  @Test("A print link is another version") func printLinkAnotherVersion() {
    let page = Array("<p>Short. <a href='/print/story'>Print version</a></p>".utf8)
    #expect(
      HTMLContent.otherVersion(of: page, url: "https://site.example/story")
        == "https://site.example/print/story")
  }

  @Test(
    "An embedded post or player is a link at its place",
    arguments: [
      (
        "<iframe title='How locks work' src='https://www.youtube.com/embed/abc-1_2?rel=0'></iframe>",
        "<a href=\"https://www.youtube.com/watch?v=abc-1_2\">▶ How locks work — youtube.com</a>"
      ),
      (
        "<div class=player><iframe data-src='//player.vimeo.com/video/77?h=1'></iframe></div>",
        "<a href=\"https://vimeo.com/77\">▶ Video — vimeo.com</a>"
      ),
      (
        "<iframe src='https://birds.example/@ines/11/embed' class='mastodon-embed'></iframe>",
        "<a href=\"https://birds.example/@ines/11/embed\">Post — birds.example</a>"
      ),
      (
        "<iframe title='Lock talk' src='https://w.soundcloud.com/player/?url=x'></iframe>",
        "<a href=\"https://w.soundcloud.com/player/?url=x\">♪ Lock talk — w.soundcloud.com</a>"
      ),
      (
        "<div><audio controls src=/lock.mp3></audio></div>", "src=\"https://site.example/lock.mp3\""
      ),
      (
        "<blockquote class=twitter-tweet><p>The lock is shut.</p>&mdash; Jo (@jo) "
          + "<a href='https://twitter.com/jo/status/1'>May 2</a></blockquote>",
        "<blockquote><p>The lock is shut.</p>— Jo (@jo) <a href=\"https://twitter.com/jo/status/1\">"
      ),
      (
        "<blockquote class=mastodon-embed><a href='https://birds.example/@ines/11'>View post</a>"
          + "</blockquote>", "<a href=\"https://birds.example/@ines/11\">View post</a>"
      ),
    ])
  func embeddedPostPlayerLink(embed: String, expected: String) throws {
    let text = "<p>" + String(repeating: Self.sentence, count: 3) + "</p>"
    let middle = try content("", "<article>\(text)\(embed)<p>After, \(text)</article>").html
    let place = try #require(middle.firstRange(of: expected), "\(middle)")
    let after = try #require(middle.firstRange(of: "After,"))
    #expect(place.lowerBound < after.lowerBound)
    let end = try content("", "<article>\(text)\(text)\(embed)</article>").html
    #expect(end.contains(expected), "\(end)")
  }

  @Test("Frames from other sites are left out") func framesOthersLeftOut() throws {
    let text = "<p>" + String(repeating: Self.sentence, count: 3) + "</p>"
    let html = try content(
      "", "<article>\(text)<iframe src='https://ads.example/1'></iframe>\(text)</article>"
    ).html
    #expect(!html.contains("ads.example"))
  }
}
