@testable import FeedParsing

@Suite("elfeed's lists of feeds") struct ElfeedFeedsTests {
  @Test("elfeed's list is read from an Emacs configuration") func elfeed() throws {
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

  @Test("An outline of elfeed-org is read with its tags and folders") func elfeedOrg() throws {
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
}
