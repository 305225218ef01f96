@Suite("Chapters of episodes") struct ChapterTests {
  private static let chapters = """
    <psc:chapters version="1.2">
    <psc:chapter start="00:00:00" title="Start"/>
    <psc:chapter start="3:07.500" title="Bits &amp; &lt;b&gt;bytes" href="/bytes" image="a.png"/>
    <psc:chapter start="01:02:03" title="End"/>
    <psc:chapter title="Never"/>
    </psc:chapters>
    """

  private func item(_ inner: String, _ declaration: String? = nil) throws -> ParsedItem {
    let address = declaration ?? "http://podlove.org/simple-chapters"
    let text = rss(
      "<item><guid>1</guid>\(inner)</item>", declarations: "xmlns:psc=\"\(address)\"")
    return try #require(parse(text, baseURL: "https://pod.example/feed").items.first)
  }

  @Test("Chapters follow the notes, with their times and addresses")
  func listed() throws {
    for address in ["http://podlove.org/simple-chapters", "https://podlove.org/simple-chapters/"] {
      let found = try item(
        "<description>&lt;p>Notes.&lt;/p></description>" + Self.chapters, address)
      #expect(
        found.contentHTML == """
          <p>Notes.</p><h2>Chapters</h2><p>0:00 Start<br>3:07 \
          <a href="https://pod.example/bytes">Bits &amp; &lt;b&gt;bytes</a><br>1:02:03 End</p>
          """)
      #expect(found.id == "1" && found.url == nil)
    }
  }

  @Test("Chapters are shown without notes, and not twice if the notes name all of them")
  func once() throws {
    #expect(
      try item(Self.chapters).contentHTML?.hasPrefix("<h2>Chapters</h2><p>0:00 Start") == true)
    let notes =
      "<description>0:00 Start, 3:07 Bits &amp;amp; &amp;lt;b&amp;gt;bytes, End</description>"
    #expect(try item(notes + Self.chapters).contentHTML?.contains("Chapters") == false)
    #expect(try item("<psc:chapters/><title>A</title>").contentHTML == nil)
  }

  @Test("The address of a file of chapters is resolved, and kept for items without a list")
  func file() throws {
    let file = "<podcast:chapters url=\"/c.json\" type=\"application/json+chapters\"/>"
    #expect(try item(file).chaptersURL == "https://pod.example/c.json")
    #expect(try item(file + Self.chapters).chaptersURL == nil)
    #expect(try item("<podcast:chapters url=\"javascript:x\"/>").chaptersURL == nil)
    let many = (0..<900).map { "{\"startTime\": \($0), \"title\": \"C \($0)\"}," }.joined()
    let list = [Chapter](Array("{\"chapters\": [\(many)".utf8), contentType: nil, url: "")
    #expect(list.html(below: "").hasSuffix("<br>8:19 C 499</p>"))
  }

  @Test("Times that are no times, and chapters outside of an item, do no harm")
  func odd() throws {
    let odd = """
      <psc:chapters><psc:chapter start="-5" title="a"/><psc:chapter start="999999999:0:0:0" title="b"/>
      <psc:chapter start="nan" title="c"/><title>No</title></psc:chapters><title>Yes</title>
      """
    let found = try item(odd)
    #expect(found.title == "Yes")
    #expect(found.contentHTML?.contains("0:00 a<br>") == true)
    let feed = try parse(
      rss("", declarations: "xmlns:psc=\"http://podlove.org/simple-chapters\"", channel: odd))
    #expect(feed.title == "Yes" && feed.items.isEmpty)
  }
}
