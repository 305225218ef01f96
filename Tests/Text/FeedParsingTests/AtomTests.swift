@Suite("Atom feeds") struct AtomTests {
  @Test("All fields of an Atom feed are read") func aJournalIsReadWhole() throws {
    let feed = try FeedParser.parse(fixture("journal.atom"), baseURL: "https://elsewhere.example/")
    #expect(feed.format == .atom)
    #expect(feed.title == "Less < more")
    #expect(feed.summary == "A quiet place")
    #expect(feed.feedURL == "https://journal.example/atom/feed.xml")
    #expect(feed.homePageURL == "https://journal.example/")
    #expect(feed.iconURL == "https://journal.example/atom/logo.png")
    #expect(feed.faviconURL == "https://journal.example/atom/icon.ico")
    #expect(feed.language == "en")
    #expect(feed.authors == [Author(name: "Ada", url: "https://journal.example/people/ada")])

    let note = try #require(feed.items.first)
    #expect(note.id == "tag:journal.example,2024:1")
    #expect(note.title == "Une petite note")
    #expect(note.language == "fr")
    #expect(note.url == "https://journal.example/atom/2024/note.html")
    #expect(note.externalURL == "https://other.example/page")
    #expect(note.commentsURL == "https://journal.example/atom/2024/note.html#replies")
    #expect(note.datePublished == instant("2024-06-30T22:00:00Z"))
    #expect(note.dateModified == instant("2024-07-02T00:00:00Z"))
    #expect(note.tags == ["Notes"])
    #expect(note.summary == "Plain <not markup>")
    #expect(
      note.enclosures == [
        Enclosure(
          url: "https://journal.example/atom/2024/plan.png", mimeType: "image/png", title: "Plan",
          size: 10)
      ])
    let body = try #require(note.contentHTML)
    #expect(body.hasPrefix("<p>See <a href=\"https://journal.example/atom/2024/more.html\""))
    #expect(body.contains("more</a> &amp; <img"))
    // An xml:base in the content applies to the elements that it contains.
    #expect(body.contains("https://journal.example/atom/2024/img/q.png"))
  }

  @Test("Elements of an entry's source are not those of the entry")
  func sourceIsNotTheEntry() throws {
    let item = try #require(try FeedParser.parse(fixture("journal.atom")).items.last)
    #expect(item.title == "Bare")
    #expect(item.id == "tag:journal.example,2024:2")
    #expect(item.authors == [Author(name: "Guest")])
    #expect(item.language == nil)
  }

  @Test("The page is chosen among several alternate links") func pageAlternateIsChosen() throws {
    let item = try #require(try FeedParser.parse(fixture("journal.atom")).items.last)
    #expect(item.url == "https://journal.example/2.html")
  }

  @Test("Plain content keeps its line breaks") func plainContentKeepsLines() throws {
    let item = try #require(try FeedParser.parse(fixture("journal.atom")).items.last)
    #expect(item.contentText == "1 < 2\nand on")
    #expect(item.contentHTML == nil)
  }

  @Test("A feed of the first draft of Atom is read") func firstDraftIsRead() throws {
    let feed = try FeedParser.parse(fixture("old.atom"))
    #expect(feed.title == "Old Atom")
    #expect(feed.summary == "Of 2003")
    #expect(feed.homePageURL == "https://old.example/")
    let item = try #require(feed.items.first)
    #expect(item.title == "A < B")
    #expect(item.contentHTML == "<p>Hi</p>")
    #expect(item.datePublished == instant("2003-12-13T12:29:29Z"))
    #expect(item.dateModified == instant("2003-12-13T18:30:02Z"))
  }

  @Test("An entry document is a feed with one entry") func entryDocumentIsAFeed() throws {
    let feed = try parse(
      "<entry xmlns='http://www.w3.org/2005/Atom'><title>Alone</title><id>1</id></entry>")
    #expect(feed.items.map(\.title) == ["Alone"])
  }

  @Test("A CDF channel is read") func aCDFChannelIsRead() throws {
    let feed = try FeedParser.parse(fixture("channel.cdf"))
    #expect(feed.format == .cdf)
    #expect(feed.title == "Active channel")
    #expect(feed.summary == "From 1997")
    #expect(feed.homePageURL == "http://cdf.example/")
    #expect(feed.iconURL == "http://cdf.example/logo.gif")
    let item = try #require(feed.items.first)
    #expect(item.url == "http://cdf.example/1")
    #expect(item.title == "One")
    #expect(item.contentHTML == "The first")
    #expect(item.dateModified == instant("1997-09-10T12:00:00Z"))
  }

  /// RFC 4287, §3.1.1 and §4.1.3.3.
  @Test(
    "A title is read according to its type",
    arguments: [
      ("<title>a &lt;b&gt; c</title>", "a <b> c"),
      ("<title type='text'>&amp;amp;</title>", "&amp;"),
      ("<title type='html'>a &lt;b&gt;b&lt;/b&gt; &amp;amp; c</title>", "a b & c"),
      (
        "<title type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>a &lt; <b>b</b></div></title>",
        "a < b"
      ),
      ("<title type='text/plain'>a &lt;b&gt;</title>", "a <b>"),
      ("<title type='application/x-unknown'>test</title>", "test"),
      ("<title type='application/octet-stream'>QSBC</title>", "A B"),
    ])
  func titleTypes(title: String, text: String) throws {
    let feed = try parse(atom("<entry>\(title)<id>1</id></entry>"))
    #expect(feed.items.first?.title == text)
  }

  @Test(
    "Content and summary without a type are HTML if they clearly are",
    arguments: [
      ("&lt;p&gt;a &lt;b&gt;b&lt;/b&gt;&lt;/p&gt;", "<p>a <b>b</b></p>"),
      ("a&lt;br&gt;b", "a<br>b"), ("a &lt;img src=\"https://e.org/i.png\"/&gt;", nil),
      ("Tom &amp;amp; Jerry &amp;#8211; x", "Tom &amp; Jerry – x"),
    ])
  func untypedHTML(written: String, html: String?) throws {
    for name in ["content", "summary"] {
      for type in ["", " type=\"\""] {
        let item = try #require(
          parse(atom("<entry><id>1</id><\(name)\(type)>\(written)</\(name)></entry>")).items.first)
        #expect(item.contentText == nil && item.contentHTML != nil)
        if let html { #expect(item.contentHTML == html) }
      }
      let typed = try parse(
        atom("<entry><id>1</id><\(name) type=\"text\">\(written)</\(name)></entry>"))
      #expect(typed.items.first?.contentHTML == nil)
    }
  }

  @Test(
    "Text without a type that only looks like markup stays text",
    arguments: [
      "a &lt; b", "List&lt;String&gt;", "if (a&lt;b &amp;&amp; c&gt;d)", "AT&amp;T", "&lt;3",
      "a\nb", "&lt;p&gt; is a paragraph",
    ])
  func untypedText(written: String) throws {
    let feed = try parse(atom("<entry><id>1</id><content>\(written)</content></entry>"))
    #expect(feed.items.first?.contentHTML == nil && feed.items.first?.contentText != nil)
  }

  @Test("The id of an entry without a link is its address if it is a web address")
  func idAsLink() throws {
    func url(_ entry: String) throws -> String? {
      try parse(atom("<entry>\(entry)</entry>")).items.first?.url
    }
    #expect(try url("<id>https://e.org/1</id>") == "https://e.org/1")
    #expect(try url("<id>tag:e.org,2024:1</id>") == nil)
    for link in ["<link href='https://e.org/2'/>", "<link rel='related' href='https://e.org/2'/>"] {
      #expect(try url("<id>https://e.org/1</id>" + link) == "https://e.org/2")
      #expect(try url(link + "<id>https://e.org/1</id>") == "https://e.org/2")
    }
  }
}
