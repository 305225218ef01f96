// Microsoft's Channel Definition Format (W3C submission of 1997): addresses in HREF attributes,
// dates in LASTMOD, texts in TITLE and ABSTRACT.

internal import TextRules

extension FeedReader {
  func readCDFChannel(_ element: XMLElement) {
    feed.homePage.offer(Values.address(element[.href], in: element), rank: Rank.own)
    feed.feedURL = feed.feedURL ?? Values.address(element[.selfAddress], in: element)
  }

  func readCDFItem(_ element: XMLElement) {
    item.url.offer(Values.address(element[.href], in: element), rank: Rank.own)
    if let date = element[.lastmod] {
      item.modified.offer(DateParser.parse(date), rank: Rank.own)
    }
  }
}
