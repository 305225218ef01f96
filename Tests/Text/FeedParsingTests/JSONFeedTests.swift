@Suite("JSON Feed") struct JSONFeedTests {
  @Test("All fields of a JSON feed are read") func aFeedIsReadWhole() throws {
    let feed = try FeedParser.parse(
      fixture("feed.json"), contentType: "application/feed+json", baseURL: "https://json.example/f")
    #expect(feed.format == .jsonFeed)
    #expect(feed.title == "JSON & <Feed>")
    #expect(feed.iconURL == "https://json.example/icon.png")
    #expect(feed.authors == [Author(name: "Jo", url: "https://json.example/jo")])
    #expect(feed.items.count == 2)
    let first = try #require(feed.items.first)
    #expect(first.id == "9007199254740993")
    #expect(first.url == "https://json.example/1")
    #expect(first.contentHTML == "<p>Hello</p>")
    #expect(first.summary == "Hi")
    #expect(first.tags == ["a", "1"])
    #expect(first.authors == [Author(name: "Old")])
    #expect(first.datePublished == instant("2024-07-01T10:00:00Z"))
    #expect(
      first.enclosures == [
        Enclosure(
          url: "https://json.example/1.mp3", mimeType: "audio/mpeg", title: "Sound", size: 12,
          duration: 1.5)
      ])
    let second = try #require(feed.items.last)
    #expect(second.title == nil)
    #expect(second.contentHTML == nil)
    #expect(second.contentText == "<b>literal</b>\n  line")
  }

  @Test("A written JSON feed is read back unchanged") func whatIsWrittenIsReadAgain() throws {
    for name in ["feed.json", "weblog.rss", "podcast.rss", "news.rdf", "journal.atom"] {
      var feed = try FeedParser.parse(fixture(name), baseURL: "https://e.org/")
      let document = jsonFeed(feed)
      var again = try FeedParser.parse(document)
      feed.format = .jsonFeed
      feed.updateHints = again.updateHints
      // Comments have no place in the format.
      for index in feed.items.indices { feed.items[index].commentsURL = nil }
      again.format = .jsonFeed
      #expect(again == feed, "\(name)")
    }
  }

  @Test(
    "An HTML item without a title is written with its list title, which is not read back",
    arguments: [
      (ParsedItem(id: "1", url: "https://e.org/1", contentHTML: "<p>A <b>text</b></p>"), "A text"),
      (ParsedItem(id: "1", contentHTML: "<p>A text</p>", summary: "In short"), "In short"),
      (ParsedItem(id: "1", url: "https://e.org/1"), "https://e.org/1"),
      (ParsedItem(id: "1", contentText: "A status"), nil), (ParsedItem(id: "1"), nil),
      (ParsedItem(id: "1", title: "T", contentHTML: "<p>A text</p>"), "T"),
    ])
  func derivedTitles(item: ParsedItem, title: String?) throws {
    let document = jsonFeed(ParsedFeed(format: .jsonFeed, items: [item]))
    let object = try JSONSerialization.jsonObject(with: Data(document))
    let items = try #require((object as? [String: Any])?["items"] as? [[String: Any]])
    #expect(items.first?["title"] as? String == title)
    #expect(try FeedParser.parse(document).items == [item])
  }

  @Test("A written feed is valid JSON for any reader") func writesValidJSON() throws {
    var item = ParsedItem(id: "\u{1}\"\\\n\u{7F}é😀")
    item.enclosures = [Enclosure(url: "u", mimeType: "m", size: 1, duration: 2)]
    let feed = ParsedFeed(format: .rss, title: "T", items: [item])
    let object = try JSONSerialization.jsonObject(with: Data(jsonFeed(feed)))
    let root = try #require(object as? [String: Any])
    let items = try #require(root["items"] as? [[String: Any]])
    #expect(items.first?["id"] as? String == item.id)
    #expect(items.first?["content_text"] as? String == "")
    #expect(root["version"] as? String == "https://jsonfeed.org/version/1.1")
  }

  @Test("Items before damage are kept, and the item in which the document ends is not")
  func itemsBeforeDamageStay() throws {
    let head = #"{"version":"https://jsonfeed.org/version/1","title":"T","items":[{"id":"1"},"#
    #expect(try parse(head + #"{"id":"2","ti"#).items.map(\.id) == ["1"])
    #expect(try parse(head + #"{"id":"2"},{"id":"3","x":?}]}"#).items.map(\.id) == ["1", "2", "3"])
  }

  @Test(
    "References in WordPress's titles and names are decoded once, and others are text",
    arguments: [
      ("Tom &amp; Jerry &#8217;s", "Tom & Jerry ’s"), ("&amp;amp;", "&amp;"),
      ("&lt;b&gt; is bold", "<b> is bold"), ("A &amp; B & C", "A &amp; B & C"),
      ("AT&T", "AT&T"), ("<b>&amp;</b>", "<b>&amp;</b>"), ("a &nosuchname; b", "a &nosuchname; b"),
    ])
  func escapedTitles(written: String, title: String) throws {
    let items =
      "\"title\":\"\(written)\",\"items\":[{\"id\":\"1\",\"title\":\"\(written)\","
      + "\"tags\":[\"\(written)\"],\"authors\":[{\"name\":\"\(written)\"}]}]}"
    let start = "{\"version\":\"https://jsonfeed.org/version/1.1\","
    let comment = "This feed is for readers that support the JSON Feed format."
    let feed = try parse(start + "\"user_comment\":\"\(comment)\"," + items)
    #expect(feed.title == title)
    let item = try #require(feed.items.first)
    #expect(item.title == title && item.tags == [title] && item.authors.map(\.name) == [title])
    #expect(try FeedParser.parse(jsonFeed(feed)) == feed)
    // The format defines a title as plain text.
    if !written.contains("<") { #expect(try parse(start + items).title == written) }
  }

  @Test("The id of an item without an address is its address if it is a web address")
  func idAsAddress() throws {
    let feed = try parse(
      #"{"version":"https://jsonfeed.org/version/1","items":[{"id":"https://e.org/1"},{"id":"2"}]}"#
    )
    #expect(feed.items.map(\.url) == ["https://e.org/1", nil])
  }

  @Test("A value of a wrong type affects only its own field") func wrongTypesLoseOneField() throws {
    let feed = try parse(
      #"""
      {"version":"https://jsonfeed.org/version/1.1","title":7,"icon":null,"authors":{"name":"A"},
       "items":[{"id":true,"tags":"x, y","title":["no"],"attachments":{},"content_text":"c"}]}
      """#)
    #expect(feed.title == "")
    #expect(feed.authors == [Author(name: "A")])
    #expect(feed.items.first?.tags == ["x", "y"])
    #expect(feed.items.first?.title == nil)
    #expect(feed.items.first?.contentText == "c")
  }

  @Test(
    "Other JSON is not a feed",
    arguments: [
      "null", "[1,2]", "\"x\"", "{}", "{\"version\":\"1.0\",\"items\":[]}",
      "{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":{}}",
      "{\"@context\":\"https://www.w3.org/ns/activitystreams\",\"items\":[]}", "[", "{\"a\"",
    ])
  func otherJSONIsNoFeed(text: String) {
    #expect(throws: ParseError.otherJSON) { try parse(text) }
  }

  @Test("Escapes and surrogates are decoded") func escapesAreDecoded() throws {
    let feed = try parse(
      #"{"version":"https:\/\/jsonfeed.org\/version\/1.1","title":"a\/b \ud83d\ude00 \ud83d x","items":[]}"#
    )
    #expect(feed.title == "a/b 😀 \u{FFFD} x")
  }
}
