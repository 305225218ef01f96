@testable import FeedParsing

@Suite("newsboat's list of feeds") struct NewsboatURLsTests {
  @Test("Queries in newsboat's list keep their names") func queries() throws {
    let outline = try NewsboatURLs.parse(
      Array(
        """
        "query:Unread Swift:unread = \\"yes\\" and tags # \\"swift\\"" "~ignored"
        https://a.example/feed swift "~A"
        query:broken

        """.utf8))
    #expect(
      outline.queries == [
        OutlineQuery(
          name: "Unread Swift", condition: "unread = \"yes\" and tags # \"swift\"", line: 1)
      ])
    #expect(outline.entries.map(\.url) == ["https://a.example/feed"])
    #expect(outline.skipped == ["Line 3: the query has no name or no condition."])
  }

  @Test("Separators in newsboat's list are not errors") func separators() throws {
    let outline = try NewsboatURLs.parse(Array("---\nhttps://a.example/feed\n----- \"x\"\n".utf8))
    #expect(outline.entries.map(\.url) == ["https://a.example/feed"])
    #expect(outline.skipped.isEmpty)
  }

  @Test(
    "Feeds that newsboat hides are quiet, in the folder of their first tag",
    arguments: ["!", "!hidden", "\"!not now\""])
  func hiddenFeeds(mark: String) throws {
    let outline = try NewsboatURLs.parse(
      Array("https://a.example/feed \(mark) news\nhttps://b.example/feed news\n".utf8))
    #expect(outline.entries.map(\.priority) == [.quiet, .normal])
    #expect(outline.entries.map(\.folder) == [["news"], ["news"]])
    #expect(outline.entries.map(\.tags) == [["news"], ["news"]])
  }
}
