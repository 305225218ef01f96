import TestSupport

@testable import FeedParsing

@Suite("OPML") struct OPMLTests {
  @Test("All fields of an outline are read") func anOutlineIsReadWhole() throws {
    let outline = try OPML.parse(fixture("subscriptions.opml"))
    #expect(outline.title == "Subscriptions")
    #expect(
      outline.entries == [
        OutlineEntry(
          url: "https://loose.example/feed", title: "Loose & free",
          homePageURL: "https://loose.example/", tags: ["/a/b", "c"]),
        OutlineEntry(url: "https://title.example/feed", title: "Only title", folder: ["News"]),
        OutlineEntry(url: "https://deep.example/feed", title: "Deep", folder: ["News", "World"]),
        OutlineEntry(url: "https://last.example/atom", title: "Last"),
      ])
    #expect(outline.skipped.count == 1)
    #expect(outline.skipped.first?.contains("Empty") == true)
  }

  @Test("A broken outline is read as far as possible") func brokenOutline() throws {
    let outline = try OPML.parse(
      Array(
        """
        <opml><body><outline text="R&D"><outline text="A" xmlUrl="https://a.example/?x=1&y=2">
        <outline text="B" xmlUrl="https://b.example/"></outline><outline text="C" xmlU
        """.utf8))
    #expect(outline.entries.map(\.url) == ["https://a.example/?x=1&y=2", "https://b.example/"])
    #expect(outline.entries.first?.folder == ["R&D"])
  }

  @Test("A followed list and headlines of a page survive export and import")
  func listsAndHeadlines() throws {
    let headlines = HeadlinesAddress(
      page: "https://town.example/news", selector: "body/ul.news/li/a")
    let entries = [
      OutlineEntry(
        url: "https://planet.example/list.opml", title: "Planet", folder: ["P"], isList: true),
      OutlineEntry(url: "https://a.example/feed", title: "A", folder: ["P"]),
      OutlineEntry(url: headlines.text, title: "Town"),
    ]
    let outline = try OPML.parse(Array(OPML.document(title: "Mine", entries: entries).utf8))
    #expect(outline.entries == entries)
    #expect(!outline.isDamaged)
  }

  @Test(
    "A list that is malformed or truncated is marked as damaged",
    arguments: [
      "<opml><body><outline text='A' xmlUrl='https://a.example/'/>",
      "<opml><body><outline text='A' xmlUrl='https://a.example/'></body></opml>",
      "<opml><body><outline text='A' xmlUrl='https://a.example/'/></body></opml",
    ])
  func damaged(text: String) throws { #expect(try OPML.parse(Array(text.utf8)).isDamaged) }

  @Test("An outline cannot add commands or local files") func anOutlineGivesNoOrders() throws {
    let addresses = [
      "exec:/bin/rm", "filter:cat:https://a.example/", "file:///etc/passwd", "|touch x", "-o x",
      "javascript:x", "/etc/passwd", "../x.xml", "feed:file:///x", "data:text/xml,x",
    ]
    let outlines = addresses.map { "<outline text='n' type='rss' xmlUrl='\($0)'/>" }.joined()
    let outline = try OPML.parse(
      Array(
        "<opml><body>\(outlines)<outline text='ok' xmlUrl='https://ok.example/'/></body></opml>"
          .utf8))
    #expect(outline.entries.map(\.url) == ["https://ok.example/"])
    #expect(outline.skipped.count == addresses.count)
  }

  @Test(
    "Common spellings of addresses are accepted",
    arguments: [
      ("feed://a.example/x", "http://a.example/x"),
      ("feed:https://a.example/x", "https://a.example/x"),
      ("a.example/feed", "http://a.example/feed"), ("a.example:8080/x", "http://a.example:8080/x"),
      ("HTTP://A.example/", "HTTP://A.example/"),
    ])
  func commonAddressSpellings(written: String, url: String) throws {
    let document = "<opml><body><outline text='t' xmlUrl='\(written)'/></body></opml>"
    #expect(try OPML.parse(Array(document.utf8)).entries.map(\.url) == [url])
  }

  @Test("Options of a feed are written as weir: attributes and read back")
  func optionsAreWrittenAndRead() throws {
    var options = FeedOptions()
    for (option, text) in [
      (FeedOption.interval, "45"), (.headers, "X-A: <b>\nX-C: \"d\""), (.proxy, ""),
      (.keepArticles, "500"), (.keepDays, "90"), (.fullText, "true"), (.sort, "unread"),
      (.markRead, "passed"), (.userAgent, "A/1"), (.cookies, "~/c"),
    ] {
      let isSet = options.set(option, to: text)
      #expect(isSet)
    }
    let entries = [
      OutlineEntry(url: "https://a.example/", title: "A", options: options),
      OutlineEntry(url: "https://b.example/", title: "B"),
    ]
    let document = OPML.document(title: "T", entries: entries)
    #expect(document.contains("weir:interval=\"45\""))
    #expect(try OPML.parse(Array(document.utf8)).entries == entries)
    #expect(!OPML.document(title: "T", entries: [entries[1]]).contains("weir"))
  }

  @Test("Priorities of feeds and folders are written as weir:priority and read back")
  func priorities() throws {
    var entries = [["F"], ["F", "G"], ["F", "G", "H"], ["F"], []].enumerated().map {
      OutlineEntry(url: "https://a.example/\($0)", title: "A", folder: $1)
    }
    entries[1].folderPriorities = [.normal, .quiet]
    entries[2].folderPriorities = [.normal, .quiet, .high]
    entries[4].priority = .quiet
    let document = OPML.document(title: "T", entries: entries)
    #expect(document.matches(of: /weir:priority="quiet"/).count == 2)
    #expect(document.matches(of: /weir:priority="high"/).count == 1)
    #expect(try OPML.parse(Array(document.utf8)).entries == entries)
  }

  @Test(
    "Priorities of files that earlier versions wrote are read; a feed kept apart is quiet",
    arguments: [
      ("apart=\"true\"", FeedPriority.quiet), ("important=\"true\"", .high),
      ("apart=\"true\" w:important=\"true\"", .quiet), ("apart=\"false\"", .normal),
      ("apart=\"true\" w:priority=\"high\"", .high), ("priority=\"urgent\"", .normal),
    ])
  func oldPriorities(attribute: String, priority: FeedPriority) throws {
    let document = """
      <opml version="2.0" xmlns:w="https://github.com/weir-reader/weir/opml"><body>
      <outline text="F" w:\(attribute)><outline xmlUrl="https://a.example/" w:\(attribute)/></outline>
      </body></opml>
      """
    let entry = try #require(try OPML.parse(Array(document.utf8)).entries.first)
    #expect(entry.priority == priority)
    #expect(entry.folderPriorities == (priority == .normal ? [] : [priority]))
  }

  @Test("An invalid weir: attribute is reported, an unknown one ignored, and the feed is imported")
  func invalidOptionIsReported() throws {
    let document = """
      <opml version="2.0" xmlns:w="https://github.com/weir-reader/weir/opml" xmlns:o="urn:o"><body>
      <outline text="A" xmlUrl="https://a.example/" w:interval="5" w:score="15" o:sort="oldest" sort="title"/>
      </body></opml>
      """
    let outline = try OPML.parse(Array(document.utf8))
    #expect(outline.entries == [OutlineEntry(url: "https://a.example/", title: "A")])
    #expect(outline.skipped == ["“A”: weir:interval cannot be “5”."])
  }

  @Test("A document that is not an outline is reported by its kind") func otherKindsAreReported() {
    #expect(throws: ParseError.empty) { try OPML.parse([]) }
    #expect(throws: ParseError.plainText) { try OPML.parse(Array("x".utf8)) }
    #expect(throws: ParseError.otherXML(root: "rss")) { try OPML.parse(Array(rss("").utf8)) }
  }

  @Test("An address that is too long is reported as such") func longAddressIsReported() throws {
    let long = "http://e.example/" + String(repeating: "a", count: 100_000)
    let outline = try OPML.parse(
      Array("<opml><body><outline text='Long' xmlUrl='\(long)'/></body></opml>".utf8))
    #expect(outline.entries.isEmpty)
    let sentence = try #require(outline.skipped.first)
    #expect(sentence.hasPrefix("“Long” has an address of more than 4096 bytes"))
    #expect(sentence.utf8.count < 250)
  }

  @Test("A compressed list is reported as compressed") func compressedIsReported() {
    let gzip: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    #expect(throws: ParseError.binary("compressed data (truncated gzip)")) {
      try NewsboatURLs.parse(gzip)
    }
    #expect(throws: ParseError.binary("compressed data (truncated gzip)")) { try OPML.parse(gzip) }
  }

  @Test("An exported outline is imported unchanged") func exportedIsImported() throws {
    var random = SeededRandom(seed: 7)
    let pieces = [
      "News", "a & b", "<b>", "\"q\"", "'", "日本", "é\u{301}", "😀", "x y", "]]>", "&amp;", "--", "#",
    ]
    func text() -> String {
      (0..<Int.random(in: 1...3, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }
      .joined(separator: " ")
    }
    for _ in 0..<200 {
      let entries = (0..<Int.random(in: 0...12, using: &random)).map { index in
        OutlineEntry(
          url: "https://\(index).example/?a=\(index)&b=<\"'>",
          title: Bool.random(using: &random) ? text() : nil,
          homePageURL: Bool.random(using: &random) ? "https://\(index).example/" : nil,
          folder: (0..<Int.random(in: 0...3, using: &random)).map { _ in text() },
          tags: (0..<Int.random(in: 0...2, using: &random)).map { "tag \($0) & <x>" })
      }
      let title = text()
      let outline = try OPML.parse(Array(OPML.document(title: title, entries: entries).utf8))
      #expect(outline == OPML.Outline(title: title, entries: entries))
    }
  }

  @Test("Entries for scripts are written as JSON") func entriesForScriptsAreJSON() throws {
    let json = OPML.json([OutlineEntry(url: "https://e.org/", title: "\"T\"", folder: ["a", "b"])])
    let list = try JSONSerialization.jsonObject(with: Data(json)) as? [[String: Any]]
    #expect(list?.first?["title"] as? String == "\"T\"")
    #expect(list?.first?["xmlUrl"] as? String == "https://e.org/")
    #expect(list?.first?["folder"] as? [String] == ["a", "b"])
  }

  @Test("A newsboat file is read") func aNewsboatFileIsRead() throws {
    let outline = try NewsboatURLs.parse(try fixture("urls"))
    var hidden = OutlineEntry(url: "http://three.example/feed", title: "Three")
    hidden.priority = .quiet
    #expect(
      outline.entries == [
        OutlineEntry(
          url: "https://one.example/feed", title: "One", folder: ["news"], tags: ["news"]),
        OutlineEntry(
          url: "https://two.example/feed", title: "Two \"quoted\"", folder: ["two"],
          tags: ["two", "a tag"]), hidden,
      ])
    #expect(outline.skipped.count == 4)
    #expect(outline.queries.map(\.name) == ["Unread"])
    #expect(outline.queries.map(\.line) == [6])
    #expect(!outline.entries.contains { $0.url.hasPrefix("exec") })
  }
}
