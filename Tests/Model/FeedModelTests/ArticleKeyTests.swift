@Suite("Article keys and names of feeds") struct ArticleKeyTests {
  @Test("Keys sort by date and then by arrival") func keysSortByDate() {
    let early = Date(timeIntervalSince1970: 1)
    let late = Date(timeIntervalSince1970: 2)
    let keys = [
      ArticleKey(sortDate: late, id: ArticleID(rawValue: 1)),
      ArticleKey(sortDate: early, id: ArticleID(rawValue: 3)),
      ArticleKey(sortDate: early, id: ArticleID(rawValue: 2)),
    ]
    #expect(keys.sorted().map(\.id.rawValue) == [2, 3, 1])
  }

  @Test("The name of a feed is never empty and hides credentials") func aFeedsNameIsNeverEmpty() {
    var feed = Feed(id: FeedID(rawValue: 1), url: "https://example.org/feed")
    #expect(feed.name == "https://example.org/feed")
    feed.url = "https://me:s3cret@example.org/feed?a=b@c"
    #expect(feed.name == "https://example.org/feed?a=b@c")
    feed.title = "Own"
    #expect(feed.name == "Own")
    feed.userTitle = ""
    #expect(feed.name == "Own")
    feed.userTitle = "Mine"
    #expect(feed.name == "Mine")
  }
}
