@Suite("RSS feeds") struct RSSTests {
  @Test("All fields of an RSS feed are read") func aWeblogIsReadWhole() throws {
    let feed = try FeedParser.parse(
      fixture("weblog.rss"), baseURL: "https://weblog.example/feed.rss")
    #expect(feed.format == .rss)
    #expect(feed.title == "Stones & Water")
    #expect(feed.summary == "Notes from the river")
    #expect(feed.homePageURL == "https://weblog.example/")
    #expect(feed.feedURL == "https://weblog.example/feed.rss")
    #expect(feed.iconURL == "https://weblog.example/logo.png")
    #expect(feed.language == "en-GB")
    #expect(feed.authors == [Author(name: "Edda Brook")])
    #expect(feed.updateHints.interval == 5400)
    #expect(feed.updateHints.skipHours == [0, 0, 7])
    #expect(feed.updateHints.skipDays == [1, 4])
    #expect(feed.items.count == 2)

    let mill = try #require(feed.items.first)
    #expect(mill.id == "mill-1")
    #expect(mill.title == "The old mill")
    #expect(mill.url == "https://weblog.example/2024/mill")
    #expect(mill.datePublished == instant("2024-07-01T10:00:00Z"))
    #expect(mill.authors == [Author(name: "Edda Brook"), Author(name: "Tom Ford")])
    #expect(mill.tags == ["Mills", "R&D"])
    #expect(mill.commentsURL == "https://weblog.example/2024/mill#comments")
    #expect(mill.summary == "A short word.")
    let body = try #require(mill.contentHTML)
    #expect(body.contains("href=\"https://weblog.example/2024/map.html\""))
    #expect(!body.contains("script"))
    #expect(
      mill.enclosures == [
        Enclosure(
          url: "https://weblog.example/audio/mill.mp3", mimeType: "audio/mpeg", size: 123456)
      ])
  }

  @Test("A permalink guid is also the address") func permalinkGuidIsAddress() throws {
    let feed = try FeedParser.parse(fixture("weblog.rss"))
    let item = try #require(feed.items.last)
    #expect(item.id == "https://weblog.example/2024/permalink")
    #expect(item.url == "https://weblog.example/2024/permalink")
    #expect(item.authors == [Author(name: "Tom Ford")])
    #expect(item.contentHTML?.contains("Only a description") == true)
    #expect(item.summary == nil)
    #expect(item.datePublished == instant("2024-06-30T08:00:00Z"))
  }

  @Test("A guid that is not a permalink is not an address") func otherGuidIsNoAddress() throws {
    let feed = try parse(rss("<item><guid isPermaLink='false'>https://e.org/1</guid></item>"))
    #expect(feed.items.first?.url == nil)
    #expect(feed.items.first?.id == "https://e.org/1")
  }

  @Test("A podcast is read with any namespace prefix") func podcastWithAnyPrefix() throws {
    let feed = try FeedParser.parse(fixture("podcast.rss"))
    #expect(feed.iconURL == "https://radio.example/cover.jpg")
    #expect(feed.authors == [Author(name: "Radio Weir")])
    #expect(feed.summary == "Every Friday.")
    let first = try #require(feed.items.first)
    #expect(first.title == "Episode 1")
    #expect(first.enclosures.first?.duration == 3690)
    #expect(first.enclosures.first?.size == nil)
    #expect(first.tags == ["water", "stones"])
    // Without a feed address, relative addresses start from the home page.
    #expect(first.imageURL == "https://radio.example/1.jpg")
    #expect(first.contentHTML == "About <b>dams</b>.")
    let second = try #require(feed.items.last)
    #expect(second.title == "Episode 2")
    #expect(second.imageURL == "https://radio.example/2t.jpg")
    #expect(second.contentText == "First line\nsecond line")
    #expect(second.enclosures.map(\.mimeType) == ["video/mp4", "image/jpeg"])
    #expect(second.enclosures.first?.size == 77)
    #expect(second.enclosures.first?.duration == 12)
  }

  @Test("All fields of an RDF feed are read") func anRDFFeedIsReadWhole() throws {
    let feed = try FeedParser.parse(fixture("news.rdf"))
    #expect(feed.format == .rdf)
    #expect(feed.title == "News")
    #expect(feed.language == "de")
    #expect(feed.iconURL == "https://news.example/i.png")
    #expect(feed.updateHints.interval == 21_600)
    #expect(feed.items.map(\.title) == ["First", "Second"])
    #expect(feed.items.map(\.id) == ["https://news.example/1", "https://news.example/2"])
    #expect(feed.items.first?.url == "https://news.example/1?from=rss")
    #expect(feed.items.last?.url == "https://news.example/2")
    #expect(feed.items.first?.datePublished == instant("2024-07-01T08:00:00Z"))
    #expect(feed.items.first?.tags == ["World"])
    #expect(feed.items.first?.authors == [Author(name: "Ina")])
  }

  @Test("The longer of two update intervals counts") func longerIntervalCounts() throws {
    func interval(_ channel: String) throws -> Double? {
      try parse(
        rss(
          "", declarations: "xmlns:sy='http://purl.org/rss/1.0/modules/syndication/'",
          channel: "<title>T</title>" + channel)
      ).updateHints.interval
    }
    let daily = "<sy:updatePeriod>daily</sy:updatePeriod>"
    #expect(try interval("<ttl>60</ttl>" + daily) == 86_400)
    #expect(try interval(daily + "<ttl>2880</ttl>") == 172_800)
    #expect(
      try interval("<ttl>60</ttl>\(daily)<sy:updateFrequency>48</sy:updateFrequency>") == 3_600)
  }

  @Test(
    "Every namespace of RDF feeds is known",
    arguments: [
      "http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/",
      "http://channel.netscape.com/rdf/simple/0.9/",
    ])
  func rdfNamespaces(namespace: String) throws {
    let feed = try parse(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="\(namespace)">
      <channel><title>T</title></channel><item><title>A</title></item></rdf:RDF>
      """)
    #expect(feed.title == "T")
    #expect(feed.items.map(\.title) == ["A"])
  }

  @Test(
    "Elements in upper case or of an unknown default namespace are read as RSS",
    arguments: [
      "<RSS><CHANNEL><TITLE>T</TITLE><ITEM><TITLE>A</TITLE></ITEM></CHANNEL></RSS>",
      "<rss xmlns='http://nobody.example/rss9'><channel><title>T</title><item><title>A</title>"
        + "</item></channel></rss>",
    ])
  func unusualElements(text: String) throws {
    let feed = try parse(text)
    #expect(feed.title == "T")
    #expect(feed.items.first?.title == "A")
  }

  @Test("Titles of modules do not replace the item's own title")
  func moduleTitlesAreIgnored() throws {
    let feed = try parse(
      rss(
        "<item><m:title>wrong</m:title><title>right</title><d:title>wrong</d:title></item>"
          + "<item><d:title>kept</d:title></item>",
        declarations: "xmlns:m='http://search.yahoo.com/mrss/'"
          + " xmlns:d='http://purl.org/dc/elements/1.1/'"))
    #expect(feed.items.map(\.title) == ["right", "kept"])
  }

  @Test("Undeclared prefixes have their usual meaning") func undeclaredPrefixes() throws {
    let feed = try parse(
      rss(
        "<item><dc:creator>Jo</dc:creator><content:encoded>&lt;p>x&lt;/p></content:encoded></item>")
    )
    #expect(feed.items.first?.authors == [Author(name: "Jo")])
    #expect(feed.items.first?.contentHTML == "<p>x</p>")
  }

  @Test("Unescaped markup becomes HTML") func unescapedMarkupIsHTML() throws {
    let feed = try parse(
      rss("<item><description>One <b>two</b><br/>three &amp; four</description></item>"))
    #expect(feed.items.first?.contentHTML == "One <b>two</b><br>three &amp; four")
  }

  @Test("A summary and a description are separate fields") func summaryAndDescription() throws {
    let feed = try parse(
      rss("<item><summary>Short</summary><description>Long</description></item>"))
    #expect(feed.items.first?.contentHTML == "Long")
    #expect(feed.items.first?.summary == "Short")
  }

  @Test(
    "An author's name is read from every common form of the field",
    arguments: [
      ("jo@example.org (Jo Doe)", "Jo Doe"), ("Jo Doe (jo@example.org)", "Jo Doe"),
      ("Jo Doe &lt;jo@example.org&gt;", "Jo Doe"), ("Jo Doe", "Jo Doe"),
      ("jo@example.org", "jo@example.org"), ("jo@example.org Jo Doe", "Jo Doe"),
      ("\"Jo Doe\" &lt;jo@example.org&gt;", "Jo Doe"), ("Jo &amp;amp; Co", "Jo & Co"),
      ("Doe, Jo (Reuters)", "Doe, Jo (Reuters)"),
    ])
  func authorsAreNamed(text: String, name: String) throws {
    let feed = try parse(rss("<item><author>\(text)</author></item>"))
    #expect(feed.items.first?.authors.first?.name == name)
  }

  @Test("Script and data addresses are dropped") func codeIsNoAddress() throws {
    let feed = try parse(
      rss(
        "<item><link>java&#10;script:alert(1)</link><enclosure url='data:text/html,x' type='a/b'/>"
          + "<comments> JavaScript:x</comments></item>"))
    let item = try #require(feed.items.first)
    #expect(item.url == nil)
    #expect(item.enclosures.isEmpty)
    #expect(item.commentsURL == nil)
  }

  private func podcast(_ item: String) throws -> ParsedItem {
    try #require(
      try parse(
        rss(
          "<item>\(item)</item>",
          declarations: "xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd' "
            + "xmlns:content='http://purl.org/rss/1.0/modules/content/' "
            + "xmlns:dc='http://purl.org/dc/elements/1.1/'")
      ).items.first)
  }

  @Test("A description with paragraphs but without tags is plain text")
  func plainDescription() throws {
    func item(_ description: String) throws -> ParsedItem {
      try podcast("<description>\(description)</description>")
    }
    #expect(
      try item("one\n\ntwo &lt;https://a.example/&gt;\n  x -&gt; y").contentText
        == "one\n\ntwo <https://a.example/>\n  x -> y")
    for html in [
      "one\ntwo", "a\n\n&lt;p&gt;b", "a\n\nb&amp;amp;c", "a\n\n&lt;!--b--&gt;", "one\n\n",
    ] {
      #expect(try item(html).contentText == nil, "\(html)")
    }
  }

  @Test("The longer of description and notes is the body of an episode")
  func episodeNotes() throws {
    let short = "<description>Short</description>"
    let long = "<itunes:summary>A much longer text\nin lines</itunes:summary>"
    for item in [short + long, long + short] {
      let episode = try podcast(item)
      #expect(episode.contentText == "A much longer text\nin lines" && episode.summary == "Short")
    }
    let html = try podcast(
      short + "<itunes:summary>&lt;p&gt;A much longer text&lt;/p&gt;</itunes:summary>")
    #expect(html.contentHTML == "<p>A much longer text</p>" && html.summary == "Short")
    // Markup does not count towards the length, and equal texts are kept once.
    let same = try podcast(
      "<description>&lt;p&gt;Same&lt;/p&gt;</description><itunes:summary>Same</itunes:summary>")
    #expect(same.contentHTML == "<p>Same</p>" && same.summary == nil)
    let encoded = try podcast(
      long + short + "<content:encoded>&lt;p&gt;Whole&lt;/p&gt;</content:encoded>")
    #expect(encoded.contentHTML == "<p>Whole</p>" && encoded.summary == "Short")
  }

  @Test(
    "A name is preferred to a bare mail address",
    arguments: ["<itunes:author>Jo Doe</itunes:author>", "<dc:creator>Jo Doe</dc:creator>"])
  func nameBeforeMail(name: String) throws {
    let mail = "<author>jo@example.org</author>"
    let named = "<author>jo@example.org (Ann)</author>"
    for item in [mail + name, name + mail] {
      #expect(try podcast(item).authors == [Author(name: "Jo Doe")])
    }
    for item in [named + name, name + named] {
      #expect(try podcast(item).authors == [Author(name: "Ann")])
    }
    #expect(try podcast(mail).authors == [Author(name: "jo@example.org")])
    let feed = try parse(
      rss(
        "", declarations: "xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'",
        channel: "<title>T</title><managingEditor>a@b.org</managingEditor>"
          + "<itunes:author>Radio</itunes:author>"))
    #expect(feed.authors == [Author(name: "Radio")])
  }
}
