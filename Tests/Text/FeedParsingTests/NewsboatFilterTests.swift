import FeedModel
import Testing

@testable import FeedParsing

@Suite("Lists and conditions of newsboat, newsraft and elfeed") struct OtherListsTests {
  @Test("Queries in newsboat's list keep their names")
  func queries() throws {
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

  @Test("A deeply nested condition is rejected")
  func nested() {
    #expect(NewsboatFilter(String(repeating: "(", count: 4_000)) == nil)
  }

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

  @Test("elfeed's list is read from an Emacs configuration")
  func elfeed() throws {
    let text = """
      ;; elfeed-feeds is set below
      (setq elfeed-db-directory "~/.elfeed")
      (setq elfeed-feeds
            '("https://a.example/feed" ; the first
              ("https://b.example/feed" blog emacs)
              ("https://c.example/feed" news :title "The \\"C\\"")
              ("not an address" x)))
      (add-to-list 'elfeed-feeds '("https://d.example/feed" late))
      (add-hook 'elfeed-new-entry-hook (elfeed-make-tagger :before "2 weeks ago" :remove 'unread))
      """
    #expect(ElfeedFeeds.claims(Array(text.utf8)))
    let outline = try ElfeedFeeds.parse(Array(text.utf8))
    #expect(
      outline.entries.map(\.url) == [
        "https://a.example/feed", "https://b.example/feed", "https://c.example/feed",
        "https://d.example/feed",
      ])
    #expect(outline.entries[1].tags == ["blog", "emacs"])
    #expect(outline.entries[1].folder == ["blog"])
    #expect(outline.entries[2].title == "The \"C\"")
    #expect(
      outline.skipped == [
        "elfeed-make-tagger: rules for tags are added with weir rule add.",
        "not an address isn\u{2019}t a web address.",
      ])
  }

  @Test("An outline of elfeed-org is read with its tags and folders")
  func elfeedOrg() throws {
    let text = """
      * Other notes
      ** https://no.example/feed
      * Feeds :elfeed:
      ** Systems :sys:
      *** https://a.example/feed A name :db:
      *** [[https://b.example/feed][B name]]
      ** https://c.example/feed :solo:
      ** entry-title: \\(linux\\|emacs\\) :os:
      """
    let outline = try ElfeedFeeds.parse(Array(text.utf8))
    #expect(
      outline.skipped == [
        "Line 8: a rule for tags; add it with: weir rule add 'title:/(linux|emacs)/' --tag os"
      ])
    #expect(
      outline.entries == [
        OutlineEntry(
          url: "https://a.example/feed", title: "A name", folder: ["Systems"], tags: ["sys", "db"]),
        OutlineEntry(
          url: "https://b.example/feed", title: "B name", folder: ["Systems"], tags: ["sys"]),
        OutlineEntry(url: "https://c.example/feed", tags: ["solo"]),
      ])
  }

  @Test("Headlines of elfeed-org with the tag ignore are left out with all below them")
  func ignoredHeadlines() throws {
    let text = """
      * Feeds :elfeed:
      ** Off :ignore:
      *** https://a.example/feed
      ** https://b.example/feed :ignore:
      ** https://c.example/feed
      """
    let outline = try ElfeedFeeds.parse(Array(text.utf8))
    #expect(outline.entries.map(\.url) == ["https://c.example/feed"])
  }

  @Test("Separators in newsboat's list are not errors")
  func separators() throws {
    let outline = try NewsboatURLs.parse(Array("---\nhttps://a.example/feed\n----- \"x\"\n".utf8))
    #expect(outline.entries.map(\.url) == ["https://a.example/feed"])
    #expect(outline.skipped.isEmpty)
  }

  @Test(
    "Highlights for the header lines of an article are not rules",
    arguments: [
      "^Title:.*$", "^(Feed|Link):.*$", "^(Title|Author|Date):", "^Podcast Download URL: ",
    ])
  func headingHighlights(expression: String) {
    #expect(NewsboatRules.parse("highlight article \"\(expression)\" cyan default").rules.isEmpty)
  }

  @Test("A highlight for a word before a colon is a rule")
  func wordHighlight() {
    #expect(NewsboatRules.parse("highlight article \"^Breaking:\" red default").rules.count == 1)
  }

  @Test(
    "Feeds that newsboat hides are kept apart, in the folder of their first tag",
    arguments: ["!", "!hidden", "\"!not now\""])
  func hiddenFeeds(mark: String) throws {
    let outline = try NewsboatURLs.parse(
      Array("https://a.example/feed \(mark) news\nhttps://b.example/feed news\n".utf8))
    #expect(outline.entries.map(\.listing) == [.apart, .normal])
    #expect(outline.entries.map(\.folder) == [["news"], ["news"]])
    #expect(outline.entries.map(\.tags) == [["news"], ["news"]])
  }
}
