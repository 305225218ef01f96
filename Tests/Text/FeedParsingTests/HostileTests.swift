import TestSupport

@testable import FeedParsing

/// Hostile documents. Work that grows with the square of the input would take many minutes.
@Suite("Hostile documents") struct HostileTests {
  @Test("Deeply nested entities of a document type are not expanded") func nestedEntities() throws {
    var subset = "<!ENTITY a0 \"lol\">"
    for level in 1...12 {
      let reference = String(repeating: "&a\(level - 1);", count: 10)
      subset += "<!ENTITY a\(level) \"\(reference)\">"
    }
    let feed = try parse(
      "<?xml version='1.0'?><!DOCTYPE rss [\(subset)]>"
        + "<rss><channel><title>x &a12; y</title></channel></rss>")
    #expect(!feed.title.contains("lol"))
    #expect(feed.title.utf8.count < 100)
  }

  @Test("A large entity that is used often is not expanded")
  func largeEntityIsNotExpanded() throws {
    let feed = try parse(
      "<!DOCTYPE rss [<!ENTITY a \"\(String(repeating: "x", count: 50_000))\">]><rss><channel><title>"
        + String(repeating: "&a;", count: 20_000) + "</title></channel></rss>")
    #expect(!feed.title.contains("xxx"))
    #expect(feed.title.utf8.count <= 4096)
  }

  @Test("At most a thousand references to entities of a document type are expanded")
  func manyEntities() throws {
    let feed = try parse(
      "<!DOCTYPE rss [<!ENTITY a \"\(String(repeating: "x", count: 1000))\">]><rss><channel>"
        + "<item><description>" + String(repeating: "&a; ", count: 20_000)
        + "</description></item></channel></rss>")
    let text = try #require(feed.items.first?.contentHTML)
    #expect(text.utf8.count < 1_200_000 && text.contains("xxx &amp;a; &amp;a;"))
  }

  @Test("External entities are not read from files") func noFileIsRead() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "weir-\(UUID().uuidString)")
    try "canary".write(to: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: path) }
    for subset in [
      "<!ENTITY x SYSTEM \"file://\(path.path)\">",
      "<!ENTITY % p SYSTEM \"file://\(path.path)\"> %p;",
    ] {
      let feed = try parse(
        "<!DOCTYPE rss [\(subset)]><rss><channel><title>a &x; b</title></channel></rss>")
      #expect(!feed.title.contains("canary"))
    }
  }

  @Test("Deep nesting is flattened") func deepNestingIsFlattened() throws {
    let open = String(repeating: "<b>", count: 20_000)
    let close = String(repeating: "</b>", count: 20_000)
    let feed = try parse(
      rss(
        "<item><title>A</title><description>\(open)x\(close)</description></item>"
          + "<item><title>B</title></item>"))
    #expect(feed.items.map(\.title) == ["A", "B"])
    #expect(feed.items.first?.contentHTML?.contains("x") == true)
  }

  @Test("Many attributes and namespaces are read in bounded time") func manyAttributes() throws {
    let attributes = (0..<50_000).map { "a\($0)=\"\"" }.joined(separator: " ")
    let wide = try parse(rss("<item \(attributes)><title>A</title></item>"))
    #expect(wide.items.map(\.title) == ["A"])
    let nested = (0..<5_000).map { "<i xmlns:a\($0)=\"x\">" }.joined()
    _ = try parse(rss(nested + String(repeating: "<b/>", count: 50_000)))
  }

  @Test(
    "Repeated fragments take linear time",
    arguments: [
      "<!--", "<", "&", "<a x=\"", "<![CDATA[", "</x>", "<?", "&#", "<item>", "<title>", "&a;",
      "<a b='", "]]>", "<!",
    ])
  func fragmentsInLinearTime(fragment: String) {
    let growth = ThreadTime.growth {
      rss("<item><title>A</title></item>" + String(repeating: fragment, count: $0))
    } _: {
      #expect((try? parse($0))?.items.first?.title == "A")
    }
    #expect(growth < ThreadTime.linear)
  }

  /// Each adds thousands of bytes for each element, and gigabytes in all.
  @Test(
    "A base is repeated in proportion to the feed",
    arguments: [
      "<item><link>x</link></item>", "<item><title>t</title>",
      "<item><description>&lt;img src=x&gt;</description></item>", "<enclosure url='x?#'/>",
      "<media:content url='#'/>", "<comments>x</comments>", "<media:thumbnail url='#'/>",
      "<content:encoded>&lt;a href=x&gt;y&lt;/a&gt;</content:encoded></item><item>",
      "<description><div xml:base='x/'><a href='y'/></div></description></item><item>",
    ])
  func longBases(piece: String) throws {
    let pieces = (0..<1_500).map { piece.replacing("#", with: "\($0)") }.joined()
    for length in [4_000, 100_000] {
      let base = "http://a.example/\(String(repeating: "A", count: length))/"
      let text =
        "<rss xml:base=\"\(base)\" xmlns:media=\"http://search.yahoo.com/mrss/\" "
        + "xmlns:content=\"http://purl.org/rss/1.0/modules/content/\"><channel><title>T</title>"
        + "<item><title>A</title>\(pieces)</item></channel></rss>"
      let feed = try Base.$maximumGrowth.withValue(1 << 20) { try parse(text) }
      // All fields, whatever they are called.
      let size = String(describing: feed).utf8.count
      // The address of an item is its identity too.
      #expect(size < (3 << 20) + 4 * text.utf8.count, "\(size)")
      #expect(feed.items.contains { $0.title == "A" })
    }
  }

  @Test("A title of a megabyte is truncated") func aTitleOfAMegabyteIsCut() throws {
    let feed = try parse(
      rss("<item><title>\(String(repeating: "ü", count: 500_000))</title></item>"))
    let title = try #require(feed.items.first?.title)
    #expect(title.utf8.count <= 4096)
    #expect(title.allSatisfy { $0 == "ü" })
  }

  @Test("A guid of a megabyte becomes a digest") func hugeGuidBecomesADigest() throws {
    let guid = String(repeating: "g", count: 1_000_000)
    let first = try parse(
      rss("<item><guid>\(guid)</guid></item><item><guid>\(guid)h</guid></item>"))
    #expect(first.items.map(\.id.utf8.count) == [32, 32])
    #expect(first.items[0].id != first.items[1].id)
  }

  @Test("Items with the same guid are all returned") func itemsWithOneGuid() throws {
    let item = "<item><guid>same</guid><title>t</title></item>"
    let feed = try parse(rss(String(repeating: item, count: 40_000)))
    #expect(feed.items.count == 40_000)
    #expect(Set(feed.items.map(\.id)) == ["same"])
  }

  @Test("Items beyond fifty thousand are left out") func itemsAreLimited() throws {
    let count = 50_010
    let list = (0..<count).map { "<item><guid>\($0)</guid></item>" }
    let feed = try parse(rss(list.joined()))
    #expect(feed.items.count == 50_000)
    #expect(feed.items.first?.id == "0")
    let values = (0..<count).map { "{\"id\":\"\($0)\"}" }
    let other = try parse(
      "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"t\",\"items\":["
        + values.joined(separator: ",") + "]}")
    #expect(other.items.count == 50_000)
  }

  @Test("Deeply nested JSON is rejected, or ignored in an unknown field")
  func deepJSONIsRejected() {
    let deep = String(repeating: "[", count: 200_000)
    #expect(throws: ParseError.self) { try parse(deep) }
    #expect(throws: Never.self) {
      try parse("{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[],\"_x\":\(deep)")
    }
  }

  @Test("Control characters never reach a field") func controlsNeverReachAField() throws {
    let bad = "\u{9B}31m\u{202E}x\u{2066}y\u{E0041}&#27;[2J"
    let feed = try parse(
      rss(
        "<item><title>\(bad)</title><guid>g\(bad)</guid><link>https://e.org/\(bad)</link>"
          + "<author>\(bad)</author><author>&lt;a@b\(bad)&gt;</author><category>\(bad)</category>"
          + "<enclosure url='https://e.org/1.mp3' type='audio/\(bad)'/></item>"))
    let item = try #require(feed.items.first)
    #expect(item.authors.count == 2 && item.enclosures.count == 1)
    let fields: [String?] =
      [item.title, item.id, item.url, item.tags.first, item.enclosures.first?.mimeType]
      + item.authors.map(\.name)
    let forbidden: [ClosedRange<UInt32>] = [
      0...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069, 0xE0000...0xE007F,
    ]
    for field in fields {
      for scalar in try #require(field).unicodeScalars {
        #expect(!forbidden.contains { $0.contains(scalar.value) }, "U+\(scalar.value)")
      }
    }
  }

  @Test("Documents with random changes never crash the parser")
  func randomChangesNeverCrash() throws {
    var random = SeededRandom(seed: 42)
    for name in ["weblog.rss", "podcast.rss", "news.rdf", "journal.atom", "old.atom", "feed.json"] {
      let original = try fixture(name)
      for _ in 0..<60 {
        var bytes = original
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes.remove(at: place)
          case 2:
            bytes.insert(contentsOf: Array("<&>\"]'".utf8).shuffled(using: &random), at: place)
          default: bytes.removeSubrange(place..<min(bytes.count, place + 40))
          }
        }
        _ = try? FeedParser.parse(bytes, baseURL: "https://e.org/")
        _ = try? OPML.parse(bytes)
      }
    }
  }
}
