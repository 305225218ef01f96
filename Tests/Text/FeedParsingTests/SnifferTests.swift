@Suite("Documents that are not feeds") struct SnifferTests {
  private func error(_ bytes: [UInt8], url: String? = nil) -> ParseError? {
    do throws(ParseError) {
      _ = try FeedParser.parse(bytes, baseURL: url)
      return nil
    } catch { return error }
  }

  private func error(_ text: String) -> ParseError? { error(Array(text.utf8)) }

  @Test("A document without content is empty") func nothingIsEmpty() {
    #expect(error("") == .empty)
    #expect(error(" \n\t\r\n") == .empty)
    #expect(error([0xEF, 0xBB, 0xBF]) == .empty)
  }

  @Test("A web page is reported with the feeds that it announces") func aPageIsAPageWithItsFeeds() {
    let page = """
      <!DOCTYPE html><html><head><title>t</title>
      <link rel="alternate" type="application/rss+xml" href="/feed"></head><body>x</body></html>
      """
    #expect(
      error(Array(page.utf8), url: "https://example.org/a")
        == .webPage(announced: ["https://example.org/feed"]))
  }

  @Test(
    "Other forms of web pages are recognised",
    arguments: [
      "<html><body><pre>&lt;rss></pre></body></html>", "<!doctype HTML><p>x",
      "<?xml version='1.0'?><!DOCTYPE html PUBLIC 'a' 'b'><html xmlns='http://www.w3.org/1999/xhtml'/>",
      "<br /><b>Fatal error</b>: x", "<HTML><HEAD></HEAD></HTML>", "<head><title>x</title></head>",
    ])
  func otherPagesArePagesToo(text: String) {
    #expect(error(text) == .webPage(announced: []))
  }

  @Test(
    "Other XML is named by its root element",
    arguments: [
      ("<opml version='2.0'><body/></opml>", "opml"),
      ("<svg xmlns='http://www.w3.org/2000/svg'/>", "svg"),
      ("<?xml version='1.0'?><!-- <rss> --><urlset/>", "urlset"), ("<s:Envelope/>", "s:Envelope"),
      ("<feeds><feed/></feeds>", "feeds"), ("<note>Hi</note>", "note"),
      ("<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>", "rdf:RDF"),
      ("<entry>no Atom</entry>", "entry"),
    ])
  func otherXMLIsNamedByItsRoot(text: String, root: String) {
    #expect(error(text) == .otherXML(root: root))
  }

  @Test(
    "Binary data is named by its kind",
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "a PNG image"),
      ([0xFF, 0xD8, 0xFF, 0xE0], "a JPEG image"), (Array("GIF89a".utf8), "a GIF image"),
      (Array("%PDF-1.7".utf8), "a PDF document"), ([0x50, 0x4B, 3, 4], "a ZIP archive"),
      ([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x61], "compressed data (truncated gzip)"),
      ([0x28, 0xB5, 0x2F, 0xFD, 0], "compressed data (zstd)"),
      (Array("ID3\u{4}".utf8), "an MP3 file"),
      (Array(repeating: 0, count: 64), "binary data"), ((0..<28).map { UInt8($0) }, "binary data"),
      ((0...255).map { UInt8($0) }, "binary data"),
    ] as [([UInt8], String)])
  func binaryKindsAreNamed(bytes: [UInt8], kind: String) {
    #expect(error(bytes) == .binary(kind))
  }

  @Test(
    "Plain text is recognised",
    arguments: [
      "Hello, this is no feed.\n", "a < b and c > d", "<!-- only -->", "<?xml version='1.0'?>",
    ])
  func textIsText(text: String) {
    #expect(error(text) == .plainText)
  }

  @Test("Junk before a feed is skipped") func leadingJunkIsSkipped() throws {
    let feed = rss("<item><title>A</title></item>")
    for junk in [
      "\n\n  ", "\u{FEFF}", "<br />\n<b>Warning</b>: x in <b>y.php</b> on line <b>1</b><br />\n",
      "Notice: undefined index\n", "<!-- a --><?php ?>", "<!DOCTYPE rss [<!ENTITY a \"]>\">]>",
    ] {
      #expect(try parse(junk + feed).items.map(\.title) == ["A"], "\(junk)")
    }
  }

  @Test("Junk after a feed is ignored") func junkAfterAFeedIsIgnored() throws {
    let feed = rss("<item><title>A</title></item>")
    for junk in ["<!-- cached -->", "<script>x</script>", "\u{0}\u{0}", "garbage & <"] {
      #expect(try parse(feed + junk).items.map(\.title) == ["A"], "\(junk)")
    }
  }

  @Test("The content type does not override the document") func documentBeatsContentType() throws {
    #expect(try parse(rss("<item/>"), contentType: "text/html").items.count == 1)
    #expect(try parse(rss("<item/>"), contentType: "application/json").items.count == 1)
  }

  @Test("A feed without items is a feed") func anEmptyFeedIsAFeed() throws {
    #expect(try parse("<rss version='2.0'></rss>").items.isEmpty)
    #expect(try parse("<feed xmlns='http://www.w3.org/2005/Atom'/>").items.isEmpty)
  }
}
