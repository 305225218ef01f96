import SoakSupport
import TestSupport

/// Checks that a truncated document has no item that the whole document does not have.
@Suite("Truncated documents") struct TruncatedFeedTests {
  private func ids(_ bytes: some Collection<UInt8>) -> [String] {
    (try? FeedParser.parse(Array(bytes), baseURL: "https://e.org/feed"))?.items.map(\.id) ?? []
  }

  @Test("The item in which a document ends is left out") func openItem() throws {
    let whole = rss("<item><title>A</title><guid>1</guid></item><item><title>B</title></item>")
    let end = try #require(whole.firstRange(of: "</item></channel>")).lowerBound
    #expect(try parse(String(whole[..<end])).items.map(\.title) == ["A"])
    let json = """
      {"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1"},{"id":"2","title":"B
      """
    #expect(try parse(json).items.map(\.id) == ["1"])
    let cdf =
      "<CHANNEL><TITLE>T</TITLE><ITEM HREF='/a'></ITEM><ITEM HREF='/b'></ITEM><ITEM HREF='/c'>"
    #expect(try parse(cdf + "<TITLE>C").items.map(\.url) == ["/a", "/b"])
  }

  @Test(
    "A document without its last end tags keeps all items",
    arguments: ["", "</channel>", "\n<!-- cached -->\n", "\n", "</rss>"])
  func missingEndTags(end: String) throws {
    let items = "<item><title>A</title><link>/1</link></item><item><title>B</title></item>"
    let text = "<rss><channel><title>T</title><link>/</link>" + items + end
    #expect(try parse(text).items.map(\.title) == ["A", "B"])
  }

  @Test("A channel with its end tag is complete even if the root element has none")
  func missingRootEndTag() throws {
    let item = "<item><title>A</title><link>https://e.org/</link></item>"
    let text = "<rss><channel><title>T</title>\(item)\(item.replacing("A", with: "B"))</channel>"
    #expect(try parse(text).items.map(\.id) == parse(text + "</rss>").items.map(\.id))
    // In a truncated document, a missing item may have the same address, so both are omitted.
    #expect(throws: ParseError.self) { try parse(text.replacing("</channel>", with: "")) }
  }

  @Test("Items that share an address are never identified by the address alone")
  func sharedPageAddress() throws {
    let item = "<item><title>A</title><link>https://e.org/a/b</link></item>"
    let whole = Array(rss(String(repeating: item, count: 3)).utf8)
    let known = Set(ids(whole))
    for length in 0..<whole.count {
      #expect(Set(ids(whole[..<length])).isSubset(of: known), "\(length)")
    }
  }

  @Test("An item in a comment is not an item, wherever the document is cut")
  func commentedItem() throws {
    let item = "<item><title>A</title><guid>1</guid></item>"
    let text = rss(
      item + "<!-- \(item.replacing("1", with: "2")) --><item><guid>3</guid></item><!-- old -->")
    let whole = Array(text.utf8)
    for length in 0..<whole.count {
      #expect(Set(ids(whole[..<length])).isSubset(of: ["1", "3"]), "\(length)")
    }
    // In a complete document, a comment without an end does not hide items.
    let forgotten = text.replacing(" -->", with: "")
    #expect(Set(try parse(forgotten).items.map(\.id)) == ["1", "2", "3"])
  }

  @Test("A truncated title of a feed is not used") func cutFeedTitle() throws {
    let text = "<rss><channel><item><title>A</title></item><title>My fe"
    #expect(try parse(text).title == "")
  }

  @Test("An entry in the content of a truncated document is not an item")
  func nestedEntries() throws {
    let text = atom(
      "<entry><id>1</id><content type='application/xml'><feed><entry><id>x</id></entry></feed>"
        + "</content></entry><entry><id>2</id><title>B</title></entry>")
    let bytes = Array(text.utf8)
    for length in 0..<bytes.count {
      #expect(Set(ids(bytes[..<length])).isSubset(of: ["1", "2"]), "\(length)")
    }
  }

  @Test("A UTF-8 document truncated within a character is still read as UTF-8")
  func cutCharacter() throws {
    let text =
      "<?xml version='1.0' encoding='iso-8859-1'?><rss><channel><title>Tö</title>"
      + "<item><title>Ä</title></item><item><title>€€€"
    for length in [text.utf8.count, text.utf8.count - 1, text.utf8.count - 2] {
      let feed = try FeedParser.parse(Array(text.utf8.prefix(length)))
      #expect(feed.title == "Tö" && feed.items.map(\.title) == ["Ä"], "\(length)")
    }
    // Within a document, an invalid UTF-8 byte is a letter of another charset.
    let latin = Array("<rss><channel><title>Caf".utf8) + [0xE9]
    #expect(try FeedParser.parse(latin + Array("</title></channel></rss>".utf8)).title == "Café")
  }

  @Test(
    "No part of a fixture has an item that the whole does not have",
    arguments: ["weblog.rss", "podcast.rss", "news.rdf", "journal.atom", "old.atom", "feed.json"])
  func cutFixtures(name: String) throws {
    let bytes = try fixture(name)
    let whole = Set(ids(bytes))
    for length in 0..<bytes.count {
      let phantoms = Set(ids(bytes[..<length])).subtracting(whole)
      #expect(phantoms.isEmpty, "\(length): \(phantoms)")
    }
  }

  @Test("Random cuts of documents give no item that the whole does not have")
  func randomCuts() throws {
    var random = SeededRandom(seed: 20_261_122)
    var kept = 0
    let documents = Soak.length(short: 100, long: 2_000)
    for number in 0..<documents {
      let bytes = Array(RandomFeed.document(number, &random).utf8)
      let all = ids(bytes)
      #expect(!all.isEmpty, "document \(number)")
      let whole = Set(all)
      for _ in 0..<20 {
        let length = Int.random(in: 0..<bytes.count, using: &random)
        let part = ids(bytes[..<length])
        kept += part.count
        let phantoms = Set(part).subtracting(whole)
        #expect(phantoms.isEmpty, "document \(number) cut at \(length): \(phantoms)")
      }
    }
    #expect(kept > 40 * documents)
  }
}

/// Random feeds of all formats, with variations in everything that identity depends on: ids, own or
/// shared addresses, repeated titles, and dates.
private enum RandomFeed {
  static func document(_ number: Int, _ random: inout SeededRandom) -> String {
    let format = number % 5
    let style = Int.random(in: 0..<6, using: &random)
    let items = (0..<Int.random(in: 1...24, using: &random)).map { index in
      item(index, format, style, &random)
    }
    let gap = ["", "\n", "\n    "].randomElement(using: &random) ?? ""
    let list = items.joined(separator: (format == 4 ? "," : "") + gap)
    switch format {
    case 0:
      return "<?xml version=\"1.0\"?>\(gap)<rss version=\"2.0\"><channel><title>Ä feed</title>"
        + "<link>https://e.org/</link>\(gap)\(list)\(gap)</channel></rss>"
    case 1:
      return "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" "
        + "xmlns=\"http://purl.org/rss/1.0/\"><channel><title>T</title>"
        + "<link>https://e.org/</link></channel>\(gap)\(list)</rdf:RDF>"
    case 2:
      return "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>T</title>"
        + "<link href=\"https://e.org/\"/>\(gap)\(list)</feed>"
    case 3:
      // The end tag of `image` is missing.
      return "<rss><channel><title>T</title><link>https://e.org/</link><image>\(gap)\(list)"
        + "</channel></rss>"
    default:
      return "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"T\","
        + "\"home_page_url\":\"https://e.org/\",\"items\":[\(gap)\(list)]}"
    }
  }

  private static func item(
    _ index: Int, _ format: Int, _ style: Int, _ random: inout SeededRandom
  ) -> String {
    // A feed gives the same fields to all of its items.
    let id = style < 3 ? "id-\(index)" : nil
    let link = [
      "https://e.org/\(index)", nil, "/p/\(index)", "https://e.org/page/\(index)?a=1&amp;b=2",
      "https://e.org/", nil,
    ][style]
    let title = style == 4 ? "Progress report \(index % 3)" : "Títle \(index) &amp; more"
    let day = String(index % 28 + 1)
    let date = "2024-0\(index / 28 + 1)-\(day.count == 1 ? "0" : "")\(day)T10:00:00Z"
    let words = (0..<Int.random(in: 0..<40, using: &random)).map { "wörd\($0)" }
      .joined(separator: " ")
    switch format {
    case 0, 3:
      return "<item><title>\(title)</title>" + (link.map { "<link>\($0)</link>" } ?? "")
        + (id.map { "<guid isPermaLink=\"false\">\($0)</guid>" } ?? "")
        + "<pubDate>\(date)</pubDate><description><![CDATA[<p>\(words)</p>]]></description></item>"
    case 1:
      return "<item" + (id.map { " rdf:about=\"https://e.org/\($0)\"" } ?? "")
        + "><title>\(title)</title>" + (link.map { "<link>\($0)</link>" } ?? "")
        + "<description>\(words)</description><dc:date>\(date)</dc:date></item>"
    case 2:
      return "<entry><title>\(title)</title>" + (link.map { "<link href=\"\($0)\"/>" } ?? "")
        + (id.map { "<id>tag:e.org,2024:\($0)</id>" } ?? "") + "<published>\(date)</published>"
        + "<content type=\"html\">&lt;p&gt;\(words)&lt;/p&gt;</content></entry>"
    default:
      return "{\"title\":\"\(title)\"," + (link.map { "\"url\":\"\($0)\"," } ?? "")
        + (id.map { "\"id\":\"\($0)\"," } ?? "")
        + "\"date_published\":\"\(date)\",\"content_html\":\"<p>\(words)<\\/p>\"}"
    }
  }
}
