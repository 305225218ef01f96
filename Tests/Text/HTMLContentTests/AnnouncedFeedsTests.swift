@testable import HTMLContent

@Suite("Feeds that a page announces") struct AnnouncedFeedsTests {
  private func find(_ html: String, url: String = "https://example.org/blog/") -> [AnnouncedFeed] {
    HTMLContent.announcedFeeds(in: Array(html.utf8), url: url)
  }

  @Test("Links in the head come in the order of the page, comments last")
  func linksHeadComeOrder() {
    let found = find(
      """
      <!doctype html><head><link rel="alternate" type="application/rss+xml" title="Comments &amp; more"
       href="comments/feed"><link rel=alternate type="application/atom+xml" href=/atom.xml title="News">
      <link REL="ALTERNATE" TYPE="Application/RSS+XML; charset=utf-8" href="feed?x=1&amp;y=2">
      <link rel=alternate type="application/feed+json" href="https://cdn.example/feed.json">
      <link rel=alternate type="application/json" href="/wp-json/wp/v2/posts/1">
      <link rel=stylesheet href=x.css><link rel=alternate hreflang=de href=/de/>
      <link rel=alternate type="application/atom+xml" href="https://example.org/atom.xml">
      <link rel=alternate type="application/rss+xml" href="javascript:x"></head>
      <a href="/rss">not looked at</a>
      """)
    #expect(
      found == [
        AnnouncedFeed(
          url: "https://example.org/atom.xml", title: "News", mimeType: "application/atom+xml"),
        AnnouncedFeed(
          url: "https://example.org/blog/feed?x=1&y=2", mimeType: "application/rss+xml"),
        AnnouncedFeed(url: "https://cdn.example/feed.json", mimeType: "application/feed+json"),
        AnnouncedFeed(
          url: "https://example.org/blog/comments/feed", title: "Comments & more",
          mimeType: "application/rss+xml"),
      ])
  }

  @Test("Without announcements links that look like feeds are taken")
  func linksThatLookLikeFeeds() {
    let found = find(
      """
      <base href="https://base.example/x/"><p><a href="/about">About</a>
      <a href="feed.xml"><b>The</b> feed</a> <a href=feed.xml>again</a>
      <a href="feed://other.example/rss">R</a> <a href="https://a.example/?feed=rss2"><img></a>
      """)
    #expect(
      found.map(\.url) == [
        "https://base.example/x/feed.xml", "http://other.example/rss",
        "https://a.example/?feed=rss2",
      ])
    #expect(found.map(\.title) == ["The feed", "R", nil])
  }

  @Test("A page without feeds has none") func pageWithoutFeedsNone() {
    #expect(find("<p>Hello <a href=/feedback>write</a></p>").isEmpty)
    #expect(find("").isEmpty)
    #expect(
      find("<script>'<link rel=alternate type=application/rss+xml href=/x>'</script>").isEmpty)
  }

  @Test(
    "Titles are read in the encoding of the page",
    arguments: [
      ("text/html; charset=ISO-8859-1", [0xE9], "é"), ("text/html", [0xE9], "é"),
      ("text/html; charset=\"utf-8\"", [0xC3, 0xA9], "é"), (nil, [0xC3, 0xA9], "é"),
      ("text/html;charset=Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], "日本"),
      ("text/html; charset=koi8-r", [0xF4, 0xC5, 0xD3, 0xD4], "Тест"),
      ("text/html; charset=windows-1251", [0xD2, 0xE5, 0xF1, 0xF2], "Тест"),
      ("text/html; charset=gb2312", [0xD6, 0xD0], "中"),
      ("text/html; charset=nonsense", [0x41], "A"),
    ] as [(String?, [UInt8], String)])
  func titlesReadEncodingPage(contentType: String?, bytes: [UInt8], expected: String) {
    let page =
      Array("<link rel=alternate type=application/rss+xml href=/f title=\"".utf8) + bytes
      + Array("\">".utf8)
    let found = HTMLContent.announcedFeeds(
      in: page, contentType: contentType, url: "https://example.org/")
    #expect(found.first?.title == expected)
  }

  @Test("Marks and declarations name the encoding too") func encodingIsRecognised() {
    let link = "<link rel=alternate type=application/rss+xml href=/f title=\"é\">"
    let units = link.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    let utf16: [UInt8] = [0xFF, 0xFE] + units
    let latin2: [UInt8] =
      Array("<meta http-equiv=content-type content='text/html; charset=iso-8859-2'>".utf8)
      + link.unicodeScalars.map { UInt8($0.value) }
    let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + Array(link.utf8)
    for page in [utf16, latin2, marked] {
      #expect(HTMLContent.announcedFeeds(in: page, url: "https://e.org/").first?.title == "é")
    }
  }
}
