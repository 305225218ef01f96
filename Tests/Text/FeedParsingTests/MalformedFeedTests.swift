@Suite("Malformed documents") struct MalformedFeedTests {
  private func titles(_ text: String) throws -> [String?] { try parse(text).items.map(\.title) }

  @Test("A truncated feed keeps its complete items, wherever it is cut")
  func truncatedFeedKeepsItems() throws {
    let whole = rss("<item><title>A</title><guid>1</guid></item><item><title>B</title></item>")
    let end = try #require(whole.firstRange(of: "</item>")).upperBound
    let first = whole.utf8.distance(from: whole.startIndex, to: end)
    for length in first..<whole.utf8.count {
      let feed = try FeedParser.parse(Array(whole.utf8.prefix(length)))
      #expect(feed.items.first?.title == "A", "\(length)")
    }
  }

  @Test("Control characters are dropped") func controlsAreDropped() throws {
    let bytes = Array(rss("<item><title>A").utf8.prefix { _ in true })
    let text = String(decoding: bytes, as: UTF8.self).replacing("</channel></rss>", with: "")
    let document =
      Array(text.utf8) + [0x08, 0x00, 0x1B]
      + Array("B\u{FFFE}</title></item><item><title>C</title></item></channel></rss>".utf8)
    #expect(try FeedParser.parse(document).items.map(\.title) == ["AB", "C"])
  }

  @Test(
    "Bad references and stray markup characters are text",
    arguments: [
      ("R&D", "R&D"), ("a & b", "a & b"), ("AT&T; x", "AT&T; x"), ("&#0;x&#27;[1m", "x[1m"),
      ("&#xZZ;", "&#xZZ;"), ("caf&eacute; &mdash;", "café —"), ("a < b", "a < b"), ("1<2", "1<2"),
      ("]]>", "]]>"), ("&#xD800;x", "\u{FFFD}x"), ("&;", "&;"), ("&#;", "&#;"),
    ])
  func badReferencesAreText(written: String, text: String) throws {
    #expect(
      try titles(rss("<item><title>\(written)</title></item><item><title>Z</title></item>"))
        == [text, "Z"])
  }

  @Test(
    "A misspelt or missing end tag, or one in another case, loses no item",
    arguments: [
      "<item><title>A</titel><guid>1</guid></item><item><title>B</title></item>",
      "<item><title>A</title><description><p>one<br>two</description></item><item><title>B</title>",
      "<item><Title>A</title></ITEM><item><title>B</title></item>",
    ])
  func badEndTags(items: String) throws {
    #expect(try titles(rss(items + "<item><title>C</title></item>")) == ["A", "B", "C"])
  }

  @Test("An unclosed CDATA section at the end loses only its own item")
  func unclosedCDATASection() throws {
    let whole = "<rss><channel><title>T</title><item><title>A</title></item>"
    for part in ["<item><title><![CDATA[B", "<item><title><![CD"] {
      #expect(try titles(whole + part) == ["A"])
    }
  }

  @Test("Bad attributes are repaired") func badAttributesAreRepaired() throws {
    let feed = try parse(
      rss(
        "<item><enclosure url=https://e.org/a.mp3 url=\"b\" length=\"1\" type='audio/mpeg' x/></item>"
          + "<item><guid isPermaLink=\"false\" isPermaLink=\"true\">x & <y></guid></item>"))
    #expect(feed.items.first?.enclosures.first?.url == "https://e.org/a.mp3")
    #expect(feed.items.last?.id.hasPrefix("x &") == true)
  }

  @Test("A damaged document that is not a feed is an error") func damagedPageIsNoFeed() {
    #expect(throws: ParseError.self) { try parse("<note><to>x</note") }
    #expect(throws: ParseError.self) { try parse("<rdf:RDF><x") }
  }

  @Test("Repairs do not change the intact parts of a document")
  func repairKeepsIntactParts() throws {
    let good = rss(
      """
      <item><title>A &amp; B</title><link>https://e.org/?a=1&amp;b=2</link>\
      <description><![CDATA[<p>x & y</p>]]> &lt;i&gt;z&lt;/i&gt;</description></item>
      """)
    let damaged = good.replacing("</channel>", with: "<item><title>&nope</title></item></channel>")
    #expect(try parse(damaged).items.first == parse(good).items.first)
  }
}
