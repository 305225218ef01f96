@Suite("Addresses in items") struct ItemBaseTests {
  private func html(_ item: String, at baseURL: String = "https://feeds.example/blog.xml") throws
    -> String?
  {
    let channel = "<title>T</title><link>https://www.blog.example/</link>"
    return try parse(rss("<item>\(item)</item>", channel: channel), baseURL: baseURL).items.first?
      .contentHTML
  }

  @Test("A text of RSS is relative to the page of its item") func relativeToPage() throws {
    let picture =
      "<description>&lt;img src=\"w.png\"&gt;&lt;a href=\"../x\"&gt;x&lt;/a&gt;</description>"
    #expect(
      try html("<link>https://blog.example/2026/wheels/</link>\(picture)")
        == "<img src=\"https://blog.example/2026/wheels/w.png\">"
        + "<a href=\"https://blog.example/2026/x\">x</a>")
    // The link of a link blog leads elsewhere.
    #expect(
      try html(
        "<link>https://other.example/a/b</link><guid>https://blog.example/c/d</guid>\(picture)")?
        .contains("https://blog.example/c/w.png") == true)
    // The items of a planet are on other sites.
    #expect(
      try html("<link>https://other.example/a/b</link><guid>7</guid>\(picture)")?
        .contains("https://other.example/a/w.png") == true)
    #expect(
      try html(
        "<description xml:base=\"https://cdn.example/\">&lt;img src=\"w.png\"&gt;</description>")
        == "<img src=\"https://cdn.example/w.png\">")
  }

  @Test("A text of JSON is relative to the page of its item") func relativeInJSON() throws {
    let json = """
      {"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1",
      "url":"https://blog.example/a/","content_html":"<img src=\\"w.png\\">"}]}
      """
    #expect(
      try parse(json, baseURL: "https://blog.example/feed.json").items.first?.contentHTML
        == "<img src=\"https://blog.example/a/w.png\">")
  }

  @Test("A text of Atom is relative to the document") func relativeInAtom() throws {
    let entry = """
      <entry><id>1</id><link href="https://blog.example/a/"/><content type="html">&lt;img \
      src="w.png"&gt;</content></entry>
      """
    #expect(
      try parse(atom(entry), baseURL: "https://blog.example/feed/").items.first?.contentHTML
        == "<img src=\"https://blog.example/feed/w.png\">")
  }

  @Test("A host without a scheme is no relative reference") func hostWithoutScheme() throws {
    let item = """
      <item><link>www.blog.example/page</link><description>&lt;a \
      href="WWW.blog.example/x"&gt;x&lt;/a&gt; &lt;a href="www.html"&gt;y&lt;/a&gt;</description></item>
      """
    let found = try parse(rss(item), baseURL: "https://blog.example/").items.first
    #expect(found?.url == "http://www.blog.example/page")
    #expect(
      found?.contentHTML == "<a href=\"http://WWW.blog.example/x\">x</a> "
        + "<a href=\"http://www.blog.example/www.html\">y</a>")
  }

  @Test(
    "A module is known by its prefix if its address is not",
    arguments: [
      ("dc", "<dc:creator>Jo</dc:creator>"),
      ("itunes", "<itunes:author>Jo</itunes:author>"),
      ("media", "<media:credit role=\"author\">Jo</media:credit>"),
    ])
  func moduleByPrefix(prefix: String, element: String) throws {
    let feed = try parse(
      rss(
        "<item><guid>1</guid>\(element)</item>",
        declarations: "xmlns:\(prefix)=\"http://unknown.example/\""))
    #expect(feed.items.first?.authors.map(\.name) == ["Jo"])
    let other = try parse(
      rss("<item><guid>1</guid><x:creator>Jo</x:creator></item>", declarations: "xmlns:x=\"u:x\""))
    #expect(other.items.first?.authors.isEmpty == true)
  }

  @Test(
    "A vague type of a file gives way to the name of the file",
    arguments: [
      ("a.mp3", "application/octet-stream", "audio/mpeg"),
      ("a.ogg", "text/plain", "audio/ogg"),
      ("a.mp4?x=1", "binary/octet-stream", "video/mp4"),
      ("get.php?f=a.m4a&amp;x=1", "application/force-download", "audio/mp4"),
      ("a.zip", "audio/mpeg", "audio/mpeg"),
      ("a.txt", "text/plain", "text/plain"),
      ("a", "application/octet-stream", "application/octet-stream"),
    ])
  func vagueTypes(file: String, stated: String, expected: String) throws {
    let item =
      "<item><guid>1</guid><enclosure url='https://e.org/\(file)' type='\(stated)'/></item>"
    #expect(try parse(rss(item)).items.first?.enclosures.first?.mimeType == expected)
  }

  @Test("A vague type gives way to the medium") func vagueTypeAndMedium() throws {
    let item = """
      <item><guid>1</guid><media:content url="https://e.org/d" type="application/octet-stream" \
      medium="audio"/></item>
      """
    let feed = try parse(rss(item, declarations: "xmlns:media=\"http://search.yahoo.com/mrss/\""))
    #expect(feed.items.first?.enclosures.first?.mimeType == "audio/*")
  }
}
