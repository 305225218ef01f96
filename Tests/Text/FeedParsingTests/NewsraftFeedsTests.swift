@testable import FeedParsing

@Suite("newsraft's list of feeds") struct NewsraftFeedsTests {
  @Test("newsraft's sections, settings of both forms and programs are read")
  func newsraft() throws {
    let text = """
      # comment
      https://a.example/feed "A" [30] {100}
      @ News < reload-period 120
      https://b.example/feed
      https://c.example/feed "C" < reload-period 5; item-limit 10; proxy "http://p.example:3128"; sound on
      $(cat "x y" | head) "Own"
      @ Quiet [0]
      gopher://d.example/
      """
    #expect(NewsraftFeeds.claims(Array(text.utf8)))
    let outline = try NewsraftFeeds.parse(Array(text.utf8), mayBeOwn: true)
    #expect(outline.entries.map(\.folder) == [[], ["News"], ["News"], ["News"]])
    #expect(outline.entries.map(\.title) == ["A", nil, "C", "Own"])
    #expect(
      outline.entries.map { $0.options.interval } == [
        .seconds(1_800), .seconds(7_200), .seconds(900), .seconds(7_200),
      ])
    #expect(outline.entries[0].options.keepArticles == 100)
    #expect(outline.entries[2].options.proxy == "http://p.example:3128")
    #expect(
      LocalSource(outline.entries[3].url) == .program(["/bin/sh", "-c", "cat \"x y\" | head"]))
    #expect(outline.skipped.count == 3)
    let foreign = try NewsraftFeeds.parse(Array(text.utf8))
    #expect(foreign.entries.count == 3)
    #expect(foreign.skipped.contains { $0.contains("needs --with-programs") })
    #expect(!NewsraftFeeds.claims(Array("https://a.example/feed tag \"~T\"\n".utf8)))
  }
}
