@Suite("Options of feeds") struct FeedOptionsTests {
  @Test(
    "An invalid value of an option is rejected and not stored",
    arguments: [
      (FeedOption.interval, "14"), (.interval, "10081"), (.interval, "an hour"), (.userAgent, ""),
      (.userAgent, "a\nb"), (.proxy, "ftp://host/"), (.proxy, "host:3128"), (.headers, "no colon"),
      (.headers, "A b: c"), (.headers, "Host: example.org"), (.headers, "Cookie: a=b"),
      (.headers, "X-A: b\u{1}"), (.cookies, "cookies.txt"), (.keepArticles, "-1"),
      (.fullText, "yes"), (.sort, "best"), (.markRead, "seen"), (.download, "3"),
      (.download, "latest 0"), (.download, "latest 51"),
    ])
  func refuses(option: FeedOption, text: String) {
    var options = FeedOptions()
    let isSet = options.set(option, to: text)
    #expect(!isSet)
    #expect(options.isEmpty)
  }

  @Test(
    "A value is read back as it was written",
    arguments: [
      (FeedOption.interval, "15"), (.interval, "10080"), (.userAgent, "Other/1.0"), (.proxy, ""),
      (.proxy, "socks5h://127.0.0.1:9050"), (.headers, "X-A: b\nAuthorization: Bearer x"),
      (.cookies, "~/cookies.txt"), (.keepArticles, "0"), (.keepDays, "90"), (.fullText, "false"),
      (.sort, "oldest"), (.markRead, "passed"), (.download, "latest 3"),
    ])
  func reads(option: FeedOption, text: String) {
    var options = FeedOptions()
    let isSet = options.set(option, to: text)
    #expect(isSet)
    #expect(options.text(of: option) == text)
  }

  @Test("Headers can be written in one line, separated by bars") func headersInOneLine() throws {
    let lines = try #require(FeedOptions.headerLines("X-A:  b | X-C: d:e"))
    #expect(lines.map(\.name) == ["X-A", "X-C"])
    #expect(lines.map(\.value) == ["b", "d:e"])
  }

  @Test("An option set for a feed overrides the same option set for all feeds") func refines() {
    var (own, all) = (FeedOptions(), FeedOptions())
    own.sort = .oldest
    all.sort = .title
    all.proxy = ""
    let sum = own.over(all)
    #expect(sum.sort == .oldest && sum.proxy == "" && sum.interval == nil)
    #expect(sum.withoutRequests.proxy == nil && sum.withoutRequests.sort == .oldest)
  }
}
