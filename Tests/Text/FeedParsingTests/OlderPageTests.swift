@Suite("Documents with older items of a feed") struct OlderPageTests {
  private static let home = "https://a.example/feed/"

  private func older(_ document: String, at url: String = home) throws -> String? {
    OlderPage.address(before: try parse(document, baseURL: url), at: url)
  }

  private static let archive = "<link rel=\"prev-archive\" href=\"/2025/feed.xml\"/>"
  private static let next = "<link rel=\"next\" href=\"?page=2\" type=\"application/atom+xml\"/>"
  private static let itemOfRSS = "<item><title>One</title></item>"
  private static let declaration = "xmlns:atom=\"http://www.w3.org/2005/Atom\""

  private static func wordPress(_ items: String = itemOfRSS) -> String {
    rss(items, channel: "<title>T</title><generator>https://wordpress.org/?v=6.7</generator>")
  }

  @Test(
    "A feed names its previous archive, which precedes the next page, in Atom, RSS and JSON Feed",
    arguments: [
      (atom(archive + next), "https://a.example/2025/feed.xml"),
      (atom(next), "https://a.example/feed/?page=2"),
      (
        atom(next.replacing("\"next\"", with: "\"http://www.iana.org/assignments/relation/next\"")),
        "https://a.example/feed/?page=2"
      ),
      (
        rss(archive.replacing("<link", with: "<atom:link") + itemOfRSS, declarations: declaration),
        "https://a.example/2025/feed.xml"
      ),
      (
        rss(next.replacing("<link", with: "<atom:link") + itemOfRSS, declarations: declaration),
        "https://a.example/feed/?page=2"
      ),
      (
        "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"T\",\"items\":[],"
          + "\"next_url\":\"https://a.example/2.json\"}",
        "https://a.example/2.json"
      ),
    ])
  func named(document: String, address: String) throws {
    #expect(try older(document) == address)
  }

  @Test(
    "Links to newer items, to web pages, of single items or outside of the web lead to no page",
    arguments: [
      "<link rel=\"previous\" href=\"/1\"/>", "<link rel=\"next-archive\" href=\"/2026\"/>",
      "<link rel=\"next\" type=\"text/html\" href=\"/blog?page=2\"/>",
      "<entry><title>One</title>\(next)</entry>", "<link rel=\"next\" href=\"exec:/bin/true\"/>",
      "<link rel=\"next\" href=\"file:///etc/passwd\"/>",
    ])
  func others(link: String) throws {
    #expect(try older(atom(link)) == nil)
  }

  @Test(
    "Pages of a WordPress feed are counted in its address",
    arguments: [
      (home, "https://a.example/feed/?paged=2"),
      ("https://a.example/?feed=rss2&paged=2#x", "https://a.example/?feed=rss2&paged=3"),
      ("https://a.example/?paged=9&cat=4", "https://a.example/?cat=4&paged=10"),
    ])
  func numbered(url: String, next: String) throws {
    let found = try older(Self.wordPress(), at: url)
    #expect(found == next)
    #expect(OlderPage.isNumbered(next) && !OlderPage.isNumbered(Self.home))
  }

  @Test("Only WordPress feeds with items are counted, and a named page precedes a counted one")
  func generators() throws {
    #expect(try older(rss(Self.itemOfRSS)) == nil)
    #expect(try older(Self.wordPress("")) == nil)
    #expect(
      try older(
        atom(
          "<generator uri=\"https://wordpress.org/\">WordPress</generator>"
            + "<entry><title>One</title></entry>")) == "https://a.example/feed/?paged=2")
    let both = Self.wordPress().replacing(
      Self.itemOfRSS, with: "<link rel=\"prev-archive\" href=\"/old\"/>" + Self.itemOfRSS)
    #expect(try older(both) == "https://a.example/old")
  }
}
