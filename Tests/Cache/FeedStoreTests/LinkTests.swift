import ArticleStore

@Suite("Links of articles") struct LinkTests {
  private func hash(_ url: String?, title: String = "T", fingerprint: Int64 = 1) -> Int64 {
    Link.hash(url: url, title: title, fingerprint: fingerprint)
  }

  @Test("Links of one host are neighbours in the index, and differ") func neighbours() {
    let links = (0..<1_000).map { hash("https://www.example.org/story/\($0)?utm_source=rss") }
    #expect(Set(links.map { $0 >> 48 }).count == 1)
    #expect(Set(links).count == 1_000)
    #expect(hash("https://example.net/story/1") >> 48 != links[0] >> 48)
    let withoutPath = ["https://example.org?id=1", "https://example.org?id=2"].map { hash($0) }
    #expect(withoutPath.allSatisfy { $0 >> 48 == links[0] >> 48 })
  }

  @Test("Only the address of a page identifies a story") func stories() {
    #expect(Link.isIdentifying(hash("https://example.org/a")))
    #expect(!Link.isIdentifying(hash("https://example.org/")))
    #expect(!Link.isIdentifying(hash(nil)))
    #expect(hash("https://example.org/") != hash("https://example.org/", title: "Other"))
    #expect(hash(nil) != hash(nil, fingerprint: 2))
  }
}
