import FeedModel

/// An item with every field set, and a change to each.
enum WholeItem {
  static let full = ParsedItem(
    id: "full", url: "https://e.org/1", externalURL: "https://other.org/", title: "T",
    contentHTML: "<p>x</p>", contentText: "x", summary: "S", imageURL: "https://e.org/i.png",
    datePublished: TestCache.start - 10, dateModified: TestCache.start - 5,
    authors: [Author(name: "Ann", url: "https://ann.org")], tags: ["a", "b"],
    enclosures: [
      Enclosure(
        url: "https://e.org/a.mp3", mimeType: "audio/mpeg", title: "Ep", size: 12, duration: 3.5)
    ], language: "en", commentsURL: "https://e.org/c")

  static var changes: [(inout ParsedItem) -> Void] {
    [
      { $0.url = nil }, { $0.externalURL = nil }, { $0.title = "t" }, { $0.contentHTML = "" },
      { $0.contentHTML = nil }, { $0.contentText = nil }, { $0.summary = "s" },
      { $0.imageURL = nil }, { $0.datePublished = nil }, { $0.dateModified = TestCache.start },
      { $0.authors[0].name = "Anna" }, { $0.authors[0].url = nil }, { $0.authors = [] },
      { $0.tags = ["ab"] }, { $0.tags = ["b", "a"] }, { $0.enclosures[0].url += "x" },
      { $0.enclosures[0].size = 13 }, { $0.enclosures[0].duration = nil },
      { $0.enclosures[0].mimeType = "" }, { $0.enclosures[0].title = nil },
      { $0.enclosures = [] }, { $0.language = "de" }, { $0.commentsURL = nil },
    ]
  }
}
