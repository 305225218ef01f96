@testable import FeedParsing

@Suite("Conditions of newsboat") struct NewsboatFilterTests {
  @Test(
    "A newsboat condition becomes a search",
    arguments: [
      ("unread = \"yes\"", "is:unread"), ("unread != \"yes\"", "is:read"),
      (
        "unread = \"yes\" and (title =~ \"swift\" or title =~ \"rust lang\")",
        "is:unread title:/swift/ OR title:/rust lang/"
      ),
      ("tags # \"news\" and tags !# \"sport\"", "tag:news -tag:sport"),
      ("author =~ \".*Doe.*\"", "author:/.*Doe.*/"), ("content !~ \"advert\"", "-/advert/"),
      ("feedtitle =~ \"LWN\"", "feed:LWN"), ("flags # \"s\"", "is:starred"),
      ("age < 3", "after:3d"), ("age between 0:10", "before:0d after:11d"),
      ("age > 7", "before:8d"), ("age == 0", "before:0d after:1d"),
      ("feedtitle =~ \"^The .*\"", "feed:\"The \""), ("title = \"a/b\"", "title:/^a\\/b$/"),
      ("enclosure_type =~ \"audio/\"", "has:audio"),
      (
        "(unread = \"yes\" and age < 2) or flags # \"s\"",
        "is:unread OR is:starred after:2d OR is:starred"
      ),
    ])
  func becomesASearch(condition: String, search: String) throws {
    let filter = try #require(NewsboatFilter(condition))
    #expect(try filter.search() == search)
    _ = try SearchQuery(search)
  }

  @Test("A condition means the same in a search, in a rule and in a highlight")
  func oneTranslation() throws {
    for condition in ["age > 7", "title =~ \"x\"", "age between 1:3", "flags # \"s\""] {
      let filter = try #require(NewsboatFilter(condition))
      let quoted = condition.replacing("\"", with: "\\\"")
      let line = "ignore-article \"*\" \"\(quoted)\""
      #expect(try filter.alternatives().map { $0.joined(separator: " ") } == [filter.search()])
      #expect(NewsboatRules.parse(line).rules.map(\.query) == [try filter.search()])
    }
  }

  @Test(
    "An untranslatable condition is reported with the part that has no counterpart",
    arguments: [
      ("unread = \"yes\" and feedtitle =~ \"(a|b)\"", "feedtitle =~ \"(a|b)\""),
      ("total_count > 5", "total_count > \"5\""), ("age = \"x\"", "age = \"x\""),
      ("unread = \"yes\" or title =~ \"x\"", "is:unread or title:/x/"),
    ])
  func hasNoWords(condition: String, part: String) throws {
    let filter = try #require(NewsboatFilter(condition))
    let error = #expect(throws: NewsboatFilter.Untranslatable.self) { try filter.search() }
    #expect(error?.part == part)
  }

  @Test(
    "An invalid condition is rejected",
    arguments: [
      "", "unread", "unread = ", "(unread = \"yes\"", "unread = \"yes\" nonsense", "a b c",
    ])
  func isNone(text: String) { #expect(NewsboatFilter(text) == nil) }

  @Test("A deeply nested condition is rejected") func nested() {
    #expect(NewsboatFilter(String(repeating: "(", count: 4_000)) == nil)
  }
}
