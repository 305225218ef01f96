@testable import ProgramSettings
@testable import weir

@Suite("The feed argument of commands") struct FeedArgumentTests {
  private func feed(_ id: Int64, _ url: String, _ title: String = "") -> Feed {
    var feed = Feed(id: FeedID(rawValue: id), url: url)
    feed.title = title
    return feed
  }

  private func found(_ text: String, _ feeds: [Feed]) throws -> Int64 {
    try FeedArgument.find(text, among: feeds).id.rawValue
  }

  @Test("An exact address names that feed, even if others are similar") func exact() throws {
    let feeds = [
      feed(1, "http://example.org/feed"), feed(2, "https://example.org/feed/"),
      feed(3, "https://example.org/feed"),
    ]
    for feed in feeds {
      #expect(try FeedArgument.find(feed.url, among: feeds) == feed)
    }
    #expect(throws: CommandFailure.self) { try found("example.org/feed", feeds) }
    #expect(try found("example.org/feed", [feeds[0], feed(4, "https://other.example/")]) == 1)
  }

  @Test("An address that two subscriptions share names neither") func twice() {
    let url = "https://example.org/feed"
    #expect(throws: CommandFailure.self) { try found(url, [feed(1, url), feed(2, url)]) }
  }

  @Test("A part of a name has precedence over one of an address, and a program names no feed")
  func parts() throws {
    let feeds = [
      feed(1, "https://cats.example/feed", "Felines"), feed(2, "https://b.example/", "All cats"),
      feed(3, "filter:cat:https://c.example/", "Filtered"),
    ]
    #expect(try found("cat", feeds) == 2)
    #expect(try found("cats.ex", feeds) == 1)
    #expect(throws: CommandFailure.self) { try found("cat", [feeds[2]]) }
    #expect(throws: CommandFailure.self) { try found("cat", [feed(3, feeds[2].url)]) }
  }

  @Test("An empty argument names no feed, not even the only one", arguments: ["", " "])
  func nothing(text: String) {
    #expect(throws: CommandFailure.self) {
      try found(text, [feed(1, "https://example.org/feed", "A name")])
    }
  }
}
