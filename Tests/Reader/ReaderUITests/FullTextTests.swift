@testable import ReaderServices
@testable import ReaderUI

@Suite("Full texts in the reader") struct FullTextTests {
  private let page = "<p>The page begins like this.</p><p>And goes on, and on, for a while.</p>"

  private func opened() async throws -> (Robot, ArticleID) {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("Enter", "Enter")
    let rows = try cache.store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 200)
    let row = try #require(rows.first { $0.title == "Why ETags are opaque" })
    return (robot, row.id)
  }

  @Test(
    "x fetches the full article and shows it; about the article, one switches to the feed's text")
  func keySwitchesTexts() async throws {
    let (robot, id) = try await opened()
    robot.sees("a black box.")
    let before = robot.lines.firstIndex { $0.contains("a black box.") }
    await robot.press("x").sees("fetching the full article …", "a black box.")
    #expect(before == robot.lines.firstIndex { $0.contains("a black box.") })
    #expect(try robot.cache.store.engine.fullTexts.pending().map(\.article) == [id])

    try await robot.cache.store.engine.fullTexts.finishFullText(id, .found(MainContent(html: page)))
    await robot.waitUntilIdle()
    robot.sees("The page begins like this.", "· full article").doesNotSee("a black box.")
    #expect(before == robot.lines.firstIndex { $0.contains("The page begins like this.") })
    await robot.press("x").sees("The page begins like this.", "Showing the full article")
    await robot.press(":about version").sees("a black box.", "the feed\u{2019}s version")
    await robot.press("x").sees("The page begins like this.")
    // The full text is shown again when the article is opened again.
    await robot.press("q", "Enter").sees("The page begins like this.")
  }

  @Test("The beginning of a paid article ends with a line that says for whom the rest is")
  func beginning() async throws {
    let (robot, id) = try await opened()
    await robot.press("x")
    var content = MainContent(html: page)
    content.obstacle = .subscriberPage
    try await robot.cache.store.engine.fullTexts.finishFullText(id, .found(content))
    await robot.waitUntilIdle()
    let host = try #require(WebAddress(try robot.cache.fullTexts.fullText(id)?.url ?? "").host)
    if try robot.cache.store.reader.fullTexts.fullText(id)?.isShown == false {
      robot.sees("a black box.", "longer version").doesNotSee("The rest is for")
      await robot.press("x")
    }
    robot.sees("The page begins like this.", "The rest is for subscribers of \(host).")
      .sees("the beginning of the article")
    await robot.press(":about version").sees("a black box.")
    robot.doesNotSee("The rest is for subscribers")
  }

  @Test("A failed full text is reported in words, with the key that retries it")
  func fullTextFailureIsShown() async throws {
    let (robot, id) = try await opened()
    await robot.press("x")
    let failure = RefreshFailure(kind: .noArticle, since: robot.cache.clock.now)
    try await robot.cache.store.engine.fullTexts.finishFullText(id, .failed(failure))
    await robot.waitUntilIdle().sees("a black box.", "no full article", "x to retry")
    await robot.press("x").sees("fetching the full article …")
  }

  @Test("An article without a text names the configured key that fetches the page")
  func emptyArticle() async throws {
    let cache = try TestCache()
    try await cache.feed("Links", [.item("Elsewhere", minutes: 3, body: "")])
    let configuration = ReaderConfiguration.test { $0.keys = ["full-text": ["X"]] }
    let robot = await Robot(cache, configuration: configuration)
    await robot.press("Enter", "Enter").sees("no text for this article. X fetches the page.")
  }

  @Test("Offline, the reader shows that the full article comes when the network is back")
  func offlineItSaysThatItWaits() async throws {
    let (robot, _) = try await opened()
    try await robot.cache.store.engine.requests.setSyncStatus(SyncStatus(quality: .offline))
    await robot.waitUntilIdle()
    await robot.press("x").sees("Offline; Weir fetches the full article when you\u{2019}re online")
    robot.sees("comes when you\u{2019}re online")
    try await robot.cache.store.engine.requests.setSyncStatus(SyncStatus(quality: .good))
    await robot.waitUntilIdle().sees("fetching the full article …")
  }

  @Test("A full text that arrives unrequested is shown only after a key")
  func unrequestedTextWaits() async throws {
    let (robot, id) = try await opened()
    await robot.resize(80, 5)
    await robot.press("j", "j")
    let line = robot.lines.firstIndex { $0.contains("a black box.") }
    let store = robot.cache.store
    _ = try await store.reader.fullTexts.turnFullText(id)
    try await store.engine.fullTexts.finishFullText(id, .found(MainContent(html: page)))
    await robot.waitUntilIdle()
    robot.sees("a black box.").doesNotSee("The page begins").sees(". shows it")
    #expect(line == robot.lines.firstIndex { $0.contains("a black box.") })
    await robot.press(".").sees("The page begins like this.").doesNotSee("a black box.")
  }

  @Test("Chapters are requested by opening an episode, and listed at its end without moving it")
  func chapters() async throws {
    let cache = try TestCache()
    var item = ParsedItem.item(
      "Episode 7", minutes: 2,
      body: String(repeating: "<p>About things.</p>", count: 9) + "<p>See you.</p>")
    item.chaptersURL = "https://cdn.example.fm/7.json"
    try await cache.feed("Things", url: "https://things.example/feed", [item])
    let robot = await Robot(cache, width: 80, height: 24)
    await robot.press("Enter", "Enter").sees("About things.")
    let line = await robot.press("G").lines.firstIndex { $0.contains("See you.") }
    let work = cache.store.engine.chapters
    let task = try #require(try work.pending().first)
    #expect(task.url == item.chaptersURL)
    let list = "<h2>Chapters</h2><p>0:00 Hello<br>12:31 <a href=\"https://x.org/\">Things</a></p>"
    try await work.finish(task.id, .success { _ in list })
    await robot.waitUntilIdle().doesNotSee("updated", "Chapters")
    #expect(line == robot.lines.firstIndex { $0.contains("See you.") })
    try await robot.press("G").matches("page-chapters-80x24")
  }

  @Test("A full text can be requested from the list")
  func listRequestsFullText() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", "x").sees("Fetching the full article")
    #expect(try robot.cache.store.engine.fullTexts.pending().count == 1)
  }

}
