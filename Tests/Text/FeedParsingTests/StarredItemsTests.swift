@testable import FeedParsing

@Suite("Starred articles in Google Reader's JSON") struct StarredItemsTests {
  /// An item of Inoreader, one of FreshRSS, one without a feed, and one without any address.
  static let document = """
    {"direction":"ltr","id":"user/1/state/com.google/starred","title":"Starred","items":[
    {"crawlTimeMsec":"1700000000123","id":"tag:google.com,2005:reader/item/0000000a","published":1700000000,
     "title":"Ada &amp; Co","canonical":[{"href":"https://one.example/a"}],
     "alternate":[{"href":"https://one.example/a?x","type":"text/html"}],
     "categories":["user/1/state/com.google/starred","user/1/label/To read","user/1/label/a/b","Science"],
     "summary":{"direction":"ltr","content":"<p onclick=\\"x()\\">Text <script>evil()</script>\\u00e9</p>"},
     "author":"Ada","enclosure":[{"href":"https://one.example/a.mp3","type":"audio/mpeg","length":"12"}],
     "origin":{"streamId":"feed/https://one.example/feed","title":"One","htmlUrl":"https://one.example/"}},
    {"id":"tag:google.com,2005:reader/item/0000000b","published":"1700000001","title":"B",
     "alternate":[{"href":"https://two.example/b"}],"categories":["user/-/label/To read"],
     "content":{"content":"<p>long</p>"},"summary":{"content":"short"},
     "origin":{"streamId":"feed/12","feedUrl":"https://two.example/feed","title":"Two"}},
    {"id":"c","title":"C","published":1700000002000,"alternate":[{"href":"https://three.example/c"}]},
    {"id":"d","title":"D","origin":{"streamId":"feed/exec:rm"}},
    {"id":"e","title":"E","alternate":[{"href":"javascript:alert(1)"},{"href":"https://one.example/e"}],
     "origin":{"streamId":"feed/https://one.example/feed","title":"One"}}
    ],"updated":1700000003}
    """

  @Test("Articles are read with their feeds, labels, texts and dates") func articles() throws {
    let found = try StarredItems.parse(Array(Self.document.utf8))
    #expect(
      found.feeds.map(\.url)
        == ["https://one.example/feed", "https://two.example/feed", "https://three.example/"])
    #expect(found.feeds.map(\.title) == ["One", "Two", ""])
    #expect(found.feeds[0].homePageURL == "https://one.example/")
    #expect(found.skipped == 1)
    let articles = found.feeds.flatMap(\.articles)
    #expect(articles.map(\.item.title) == ["Ada & Co", "E", "B", "C"])
    #expect(articles.map(\.labels) == [["To read", "a/b"], [], ["To read"], []])
    #expect(
      articles.map(\.item.url)
        == [
          "https://one.example/a", "https://one.example/e", "https://two.example/b",
          "https://three.example/c",
        ])
    let first = articles[0].item
    #expect(first.contentHTML == "<p>Text é</p>")
    #expect(first.authors == [Author(name: "Ada")])
    #expect(first.enclosures.map(\.url) == ["https://one.example/a.mp3"])
    #expect(first.datePublished == Date(timeIntervalSince1970: 1_700_000_000))
    #expect(articles[2].item.contentHTML == "<p>long</p>")
    #expect(articles[3].item.datePublished == Date(timeIntervalSince1970: 1_700_000_002))
  }

  @Test("Every truncated file is an error") func truncated() {
    let bytes = Array(Self.document.utf8)
    for length in 0..<bytes.count - 1 {
      #expect(throws: ParseError.self) { try StarredItems.parse(Array(bytes.prefix(length))) }
    }
  }

  @Test(
    "Other files are errors",
    arguments: [
      "", "[]", "{}", "<opml/>", #"{"items":1}"#, #"{"version":"https://jsonfeed.org/version/1"}"#,
      #"{"items":[{]}"#, #"{"items":"# + String(repeating: "[", count: 500),
    ])
  func otherFiles(text: String) {
    #expect(throws: ParseError.self) { try StarredItems.parse(Array(text.utf8)) }
  }

  private static let otherKinds: [(String, ParseError)] = [
    ("", .empty), ("{}", .otherJSON), ("Hello", .plainText), ("<rss/>", .otherXML(root: "rss")),
    ("<html><body>Hello</body></html>", .webPage(announced: [])),
  ]

  @Test("The error for another file names its kind", arguments: otherKinds)
  func kinds(text: String, error: ParseError) {
    #expect(throws: error) { try StarredItems.parse(Array(text.utf8)) }
  }

  @Test("Items of other shapes are read without a crash") func shapes() throws {
    for item in ["1", "null", "[]", "{}", #"{"origin":[],"categories":{},"alternate":"x"}"#] {
      let found = try StarredItems.parse(Array(#"{"items":[\#(item)]}"#.utf8))
      #expect(found.feeds.isEmpty)
    }
  }
}
