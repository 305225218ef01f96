/// Feeds whose items are read despite wrong roots, default namespaces or missing end tags.
@Suite("Roots, default namespaces and missing end tags") struct FeedRootTests {
  static let moduleNamespaces = [
    "http://www.w3.org/2005/Atom", "http://www.w3.org/1999/xhtml", "http://search.yahoo.com/mrss/",
    "http://www.itunes.com/dtds/podcast-1.0.dtd", "http://purl.org/dc/elements/1.1/",
    "http://purl.org/rss/1.0/modules/content/", "https://podcastindex.org/namespace/1.0",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "urn:nobody",
  ]
  private static let item =
    "<item><title>A</title><link>https://e.org/1</link><guid isPermaLink='false'>1</guid>"
    + "<description>d</description><pubDate>Mon, 01 Jul 2024 10:00:00 GMT</pubDate>"
    + "<author>Jo</author><category>c</category>"
    + "<enclosure url='https://e.org/1.mp3' length='5' type='audio/mpeg'/></item>"

  private func expectWhole(_ feed: ParsedFeed, _ note: String) throws {
    #expect(feed.title == "T", "\(note)")
    let item = try #require(feed.items.first, "\(note)")
    #expect(item.id == "1" && item.title == "A" && item.url == "https://e.org/1", "\(note)")
    #expect(item.contentHTML == "d" && item.tags == ["c"], "\(note)")
    #expect(item.datePublished == instant("2024-07-01T10:00:00Z"), "\(note)")
    #expect(item.authors == [Author(name: "Jo")], "\(note)")
    #expect(item.enclosures.map(\.url) == ["https://e.org/1.mp3"], "\(note)")
  }

  @Test("RSS elements are read whatever default namespace is declared", arguments: moduleNamespaces)
  func rssDefaultNamespace(namespace: String) throws {
    let declaration = "xmlns=\"\(namespace)\""
    let channel = "<title>T</title>" + Self.item
    for text in [
      "<rss version='2.0' \(declaration)><channel>\(channel)</channel></rss>",
      "<rss version='2.0'><channel \(declaration)>\(channel)</channel></rss>",
      "<rss><channel><title>T</title>"
        + Self.item.replacing("<item>", with: "<item \(declaration)>") + "</channel></rss>",
      "<channel \(declaration)>\(channel)</channel>",
    ] {
      try expectWhole(parse(text), text)
    }
  }

  @Test("Names that RSS does not define belong to the default namespace")
  func defaultNamespaceNames() throws {
    let feed = try parse(
      "<rss xmlns='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel><title>T</title><item>"
        + "<title>A</title><enclosure url='https://e.org/1.mp3' type='audio/mpeg'/>"
        + "<duration>1:30</duration><summary>Notes</summary></item></channel></rss>")
    #expect(feed.items.first?.enclosures.first?.duration == 90)
    #expect(feed.items.first?.contentHTML == "Notes")
    let other = try parse(
      "<rss xmlns='http://www.w3.org/2005/Atom'><channel><title>T</title>"
        + "<item><title>A</title><updated>2024-07-01T00:00:00Z</updated></item></channel></rss>")
    #expect(other.items.first?.dateModified == instant("2024-07-01T00:00:00Z"))
  }

  @Test(
    "Atom elements are read whatever default namespace is declared", arguments: moduleNamespaces)
  func atomDefaultNamespace(namespace: String) throws {
    let feed = try parse(
      "<feed xmlns=\"\(namespace)\"><title>T</title><link href='https://e.org/'/><entry>"
        + "<title>A</title><id>1</id><link href='https://e.org/1'/><author><name>Jo</name></author>"
        + "<updated>2024-07-01T00:00:00Z</updated><summary>s</summary></entry></feed>")
    #expect(feed.title == "T" && feed.homePageURL == "https://e.org/")
    let item = try #require(feed.items.first)
    #expect(item.id == "1" && item.title == "A" && item.url == "https://e.org/1")
    #expect(item.authors == [Author(name: "Jo")] && item.contentText == "s")
  }

  @Test("A prefix keeps its meaning beside a default namespace of the same address")
  func prefixBesideDefault() throws {
    let feed = try parse(
      "<rss xmlns='http://www.w3.org/2005/Atom' xmlns:atom='http://www.w3.org/2005/Atom'><channel>"
        + "<title>T</title><link>https://e.org/</link>"
        + "<atom:link rel='self' href='https://e.org/feed'/>\(Self.item)</channel></rss>")
    try expectWhole(feed, "")
    #expect(feed.homePageURL == "https://e.org/" && feed.feedURL == "https://e.org/feed")
  }

  @Test(
    "Curly quotes around attributes count as quotes",
    arguments: [
      "“http://www.w3.org/2005/Atom”", "”http://www.w3.org/2005/Atom”",
      "‘http://www.w3.org/2005/Atom’",
      "″http://www.w3.org/2005/Atom″", "\"http://www.w3.org/2005/Atom”",
      "”http://www.w3.org/2005/Atom\"",
    ])
  func curlyQuotes(namespace: String) throws {
    let feed = try parse(
      "<feed xmlns=\(namespace)><title>T</title><link rel=\"alternate\" href=“https://e.org/a b”/>"
        + "<entry><title>A</title><id>1</id></entry></feed>")
    #expect(feed.title == "T" && feed.items.map(\.title) == ["A"])
    let rdf = try parse(
      "<rdf:RDF xmlns:rdf=”http://www.w3.org/1999/02/22-rdf-syntax-ns#” "
        + "xmlns=”http://purl.org/rss/1.0/”><channel><title>T</title></channel>"
        + "<item><title>A</title></item></rdf:RDF>")
    #expect(rdf.items.map(\.title) == ["A"])
    let rss = try parse(
      "<rss version=”2.0″ xmlns:dc=”http://purl.org/dc/elements/1.1/”><channel><title>T</title>"
        + "<item><title>A</title><dc:creator>Jo</dc:creator></item></channel></rss>")
    #expect(rss.items.first?.authors == [Author(name: "Jo")])
  }

  @Test("A curly quote inside straight quotes is text") func curlyQuoteInValue() throws {
    let feed = try parse(
      atom("<entry><id>1</id><category term='“a” and ”b'/><title>A</title></entry>"))
    #expect(feed.items.first?.tags == ["“a” and ”b"])
  }

  // MARK: Missing end tags

  @Test(
    "An element of the channel without an end tag hides no item",
    arguments: [
      "<itunes:category text=\"x\">", "<itunes:category text=\"x\"><itunes:category text=\"y\">",
      "<atom:link href=\"https://e.org/feed\" rel=\"self\">", "<image>", "<image><url>i</url>",
      "<title>", "<title>T", "<description>", "<description>some <b>words", "<link>",
      "<language>en", "<cloud domain='e.org'>", "<textInput><name>q", "<managingEditor>a@b.c",
      "<skipHours><hour>1", "<itunes:owner><itunes:name>n", "<itunes:image href='x'>",
      "<generator>g", "<copyright>", "<x:y xmlns:x='urn:x'>", "<atom:author>", "<media:thumbnail>",
      "<ttl>5", "<category>",
    ])
  func unclosedInChannel(element: String) throws {
    for text in [
      "<rss><channel><title>T</title>\(element)\(Self.item)<item><title>B</title></item>"
        + "</channel></rss>",
      "<rss><channel>\(element)<title>T</title>\(Self.item)\n<item><title>B</title></item>"
        + "</channel></rss>",
      "<rss><channel><title>T</title>\(element)\(Self.item)<item><title>B</title></item>",
    ] {
      let items = try parse(text).items
      #expect(items.map(\.title) == ["A", "B"], "\(text)")
      #expect(items.first?.id == "1" && items.first?.contentHTML == "d", "\(text)")
    }
  }

  @Test(
    "An element of an Atom feed without an end tag hides no entry",
    arguments: [
      "<link href='x'>", "<author><name>Jo</name>", "<author>", "<title>T", "<icon>", "<id>f",
    ])
  func unclosedInAtom(element: String) throws {
    let text =
      "<feed xmlns=\"http://www.w3.org/2005/Atom\">\(element)<entry><title>A</title><id>1</id></entry>"
      + "<entry><title>B</title><id>2</id></entry></feed>"
    #expect(try parse(text).items.map(\.id) == ["1", "2"])
  }

  @Test("An unclosed element of an RDF feed hides no item") func unclosedInRDF() throws {
    let feed = try parse(
      "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
        + "xmlns='http://purl.org/rss/1.0/'><channel><title>T</title><items>"
        + "<item rdf:about='a'><title>A</title></item><item rdf:about='b'><title>B</title></item>"
        + "</rdf:RDF>")
    #expect(feed.items.map(\.id) == ["a", "b"])
  }

  @Test("A CDATA section without an end ends with its element, and hides no item")
  func unclosedCDATA() throws {
    let items = "<item><title>B</title></item><item><title>C</title></item>"
    for text in [
      "<description><![CDATA[D</description><item><title>A</title></item>\(items)",
      "<item><title>A</title><description><![CDATA[D</description></item>\(items)",
      "<item><title><![CDATA[A</title></item>\(items)",
      // The end of another section does not end this one.
      "<item><title>A</title><description><![CDATA[D</description></item>"
        + "<item><title><![CDATA[B]]></title></item><item><title>C</title></item>",
      "<item><title><![CDATA[A</title><content:encoded><![CDATA[<p>]]></content:encoded></item>"
        + items,
    ] {
      for end in ["", "\n<!-- cached -->\n"] {
        #expect(try parse(rss(text) + end).items.map(\.title) == ["A", "B", "C"], "\(text)")
      }
    }
    // An apparent end tag within a section is text.
    let whole = rss(
      "<item><title>A</title><description><![CDATA[x</description>y]]></description></item>")
    #expect(try parse(whole).items.first?.contentHTML == "xy")
  }

  @Test("An RSS item in an Atom feed is an item") func itemInAtom() throws {
    #expect(try parse(atom(Self.item)).items.map(\.title) == ["A"])
  }

  @Test("A title that is only a picture is empty, and not an error") func pictureAsTitle() throws {
    let title = "<title type='html'>&lt;img src='https://e.org/i.png'&gt;</title>"
    let feed = try parse("<feed xmlns='http://www.w3.org/2005/Atom'>\(title)</feed>")
    #expect(feed.title == "" && feed.items.isEmpty)
  }

  @Test("The next element ends a title without an end tag") func unclosedTitle() throws {
    let feed = try parse(
      "<rss><channel><title>T<link>https://e.org/</link><description>D</description>"
        + "<item><title>A<link>https://e.org/1</link><guid>1</guid></item>"
        + "<item><title>B</title><author>Jo<guid>2</guid></item></channel></rss>")
    #expect(feed.title == "T" && feed.homePageURL == "https://e.org/" && feed.summary == "D")
    #expect(feed.items.map(\.title) == ["A", "B"] && feed.items.map(\.id) == ["1", "2"])
    #expect(feed.items.first?.url == "https://e.org/1")
  }

  @Test("Items in an unknown element are read") func itemsInWrapper() throws {
    let text =
      "<rss><channel><title>T</title><list><item><title>A</title></item>"
      + "<item><title>B</title></item></list></channel></rss>"
    #expect(try parse(text).items.map(\.title) == ["A", "B"])
  }

  @Test("An item of another vocabulary is not an item of the feed") func foreignItems() throws {
    let feed = try parse(
      rss(
        "<x:list xmlns:x='urn:x'><x:item><title>no</title></x:item></x:list>"
          + "<list xmlns='urn:y'><item><title>no</title></item></list>"
          + "<item><title>A</title><x:y xmlns:x='urn:x'><item>no</item></x:y></item>"))
    #expect(feed.items.map(\.title) == ["A"])
  }

  // MARK: Nothing read

  @Test(
    "A feed from which nothing can be read is an error",
    arguments: [
      "<rss xmlns:x='urn:x'><x:channel><x:title>T</x:title><x:item><x:title>A</x:title></x:item>"
        + "</x:channel></rss>",
      "<rss><y><title>T</title></y></rss>", "<feed xmlns='http://www.w3.org/2005/Atom'><title>T",
      "<rss><channel><title>T</title><item><title>A",
      "<feed xmlns='http://www.w3.org/2005/Atom'><x xmlns='urn:x'><entry/></x></feed>",
      "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"T\",\"items\":[\"a\",\"b\"]}",
      "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"T\",\"items\":[{\"id\":\"1\",",
    ])
  func nothingRead(text: String) {
    #expect { try parse(text) } throws: {
      if case .damaged = $0 as? ParseError { true } else { false }
    }
  }

  // MARK: Document types

  @Test(
    "An HTML document type before a feed is skipped",
    arguments: [
      "<!DOCTYPE html>", "<!doctype HTML>\n<!-- x -->\n", "<?xml version='1.0'?><!DOCTYPE html>",
      "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"http://www.w3.org/x.dtd\">\n",
    ])
  func htmlDocumentType(prolog: String) throws {
    for type in [nil, "text/html", "application/rss+xml; charset=utf-8"] {
      #expect(try parse(prolog + rss(Self.item), contentType: type).items.count == 1)
      let entry = "<entry><title>A</title><id>1</id></entry>"
      #expect(try parse(prolog + atom(entry), contentType: type).items.count == 1)
    }
  }

  @Test("HTML before a feed is skipped if the server declares a feed")
  func declaredFeedAfterMarkup() throws {
    let text = "<!DOCTYPE html><div>Warning: x</div>" + rss(Self.item)
    #expect(try parse(text, contentType: "application/rss+xml").items.count == 1)
    #expect(throws: ParseError.webPage(announced: [])) { try parse(text, contentType: "text/html") }
    #expect(throws: ParseError.webPage(announced: [])) {
      try parse("<!DOCTYPE html><html><p>x</html>", contentType: "application/rss+xml")
    }
  }
}
