@testable import ArticleScreens
@testable import ReaderServices
@testable import ReaderUI

@Suite("The daily page and minutes on screens") struct DailyPageScreenTests {
  /// Articles of three feeds that take some minutes each.
  private static func cache() async throws -> TestCache {
    let cache = try TestCache()
    for name in ["Alpha", "Beta", "Gamma"] {
      try await cache.feed(
        name,
        [3, 7, 12].enumerated().map { index, minutes in
          .item("\(name) of \(minutes)", minutes: Double(index), body: text(minutes))
        })
    }
    return cache
  }

  private static func text(_ minutes: Int) -> String {
    String(repeating: "<p>" + String(repeating: "word ", count: 60) + "</p>", count: minutes * 4)
  }

  @Test("The page lists what fits, Space reads through it, and its last line says that it ends")
  func readingDown() async throws {
    let cache = try await Self.cache()
    let robot = await Robot(cache)
    await robot.press(":").type("today 20").press("Enter")
    robot.sees("Daily page", "End of today\u{2019}s page. 5 more unread.").doesNotSee("of 12")
    let list = try #require(robot.application.browser.articles)
    #expect(list.model.rows.count == 4)
    for _ in 0..<60 where list.model.rows.contains(where: { !$0.status.isRead }) {
      await robot.press("Space")
    }
    let unread = list.model.rows.filter { !$0.status.isRead }
    #expect(unread.isEmpty)
    for _ in 0..<20 { await robot.press("Space") }
    robot.sees("End of today\u{2019}s page. 5 more unread.")
    await robot.press("q")
    #expect(robot.application.browser.articles?.source == .dailyPage)
    // Articles that were read stay listed after a restart.
    let again = await Robot(cache)
    await again.press(":").type("today").press("Enter").sees("Minutes").press("Enter")
    again.sees("Daily page").sees("End of today\u{2019}s page. 5 more unread.")
    #expect(again.application.browser.articles?.model.rows.count == 4)
  }

  @Test("A narrow page has minutes in place of ages, and its end no text that is cut off")
  func narrow() async throws {
    let cache = try await Self.cache()
    try await cache.feed("Empty", [.item("Bare of text", minutes: 0, body: "")])
    let robot = await Robot(cache, width: 80)
    await robot.press(":").type("today 20").press("Enter", "q")
    let rows = robot.terminal.text.split(separator: "\n")
      .filter { $0.contains(" of ") && !$0.contains("End of") }
    #expect(
      rows.allSatisfy { row in
        [" 3 min", " 7 min", "Empty"].contains { row.hasSuffix($0) }
      }, "\(rows)")
    #expect(rows.contains { $0.hasSuffix("Empty") } && rows.count > 3)
    robot.sees("more unread.  gA marks them read")
    let small = await Robot(try await Self.cache(), width: 40)
    await small.press(":").type("today 20").press("Enter", "q")
    small.sees("End of today\u{2019}s page. 5 more unread.").doesNotSee("gA marks")
  }

  @Test("A marks the page read, gA the others after a question, and undo brings them back")
  func others() async throws {
    let cache = try await Self.cache()
    let robot = await Robot(cache)
    await robot.press(":").type("today 20").press("Enter")
    await robot.press("A").sees("4 articles marked read").press("u").press("y")
    await robot.press(":mark-part others").sees("Mark 5 other articles read?")
    await robot.press("y").sees("5 articles marked read", "End of today\u{2019}s page.")
    robot.doesNotSee("more unread")
    #expect(robot.application.browser.articles?.model.rows.count == 4)
    #expect(try cache.store.reader.plan.beyondDailyPage().isEmpty)
    await robot.press("u")
    if try cache.store.reader.plan.beyondDailyPage().isEmpty { await robot.press("y") }
    robot.sees("End of today\u{2019}s page. 5 more unread.")
    await robot.press(":").type("today 2").press("Enter").sees("No unread article fits 2 min")
    await robot.press(":").type("today x").press("Enter").sees("Type minutes from 1 to 1000")
    await robot.press(":").type("copy-command").press("Enter").sees("weir page")
  }

  @Test("The end of the page scrolls into view below more rows than the window has")
  func longPage() async throws {
    let cache = try TestCache()
    for number in 10..<40 {
      try await cache.feed(
        "Feed \(number)", [.item("Article \(number)", minutes: Double(number), body: Self.text(1))])
    }
    let robot = await Robot(cache, height: 12)
    await robot.press(":").type("today 30").press("Enter")
    robot.sees("Article 10").doesNotSee("End of today")
    #expect(robot.application.browser.articles?.endOfPage == "End of today\u{2019}s page.")
    await robot.press("G").sees("End of today\u{2019}s page.").selects("Article 39")
    await robot.press("g g").selects("Article 10").doesNotSee("End of today")
  }

  @Test("A command continues the article that was begun last, at its position")
  func continuing() async throws {
    let cache = try await Self.cache()
    let robot = await Robot(cache)
    await robot.press(":lists continue").sees("There is no article to continue")
    await robot.press("Enter", "J", "Enter", "PgDn", "PgDn")
    let title = try #require(robot.application.browser.reader.article?.row.title)
    let line = robot.lines[8]
    await robot.press("q", "q", ":lists continue")
    #expect(robot.application.browser.reader.article?.row.title == title)
    #expect(robot.application.browser.focus == .reader)
    #expect(robot.lines[8] == line)
    await robot.press(":lists continue").sees("There is no article to continue")
    await robot.press("G", "q", "q", ":lists continue").sees("There is no article to continue")
  }

  @Test("Rows show minutes, and those left of an article that was begun, where there is room")
  func rows() async throws {
    let cache = try await Self.cache()
    let robot = await Robot(cache, width: 120, height: 30)
    robot.sees("7 min").doesNotSee("left")
    let row = try #require(
      try cache.store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 99).first {
        $0.title == "Alpha of 12"
      })
    try await cache.plan.setReadingPosition(row.id, ReadingPosition(block: 9, share: 0, seen: 0.75))
    await robot.waitUntilIdle().sees("12 min \u{B7} 3 left")
    await robot.resize(80, 24)
    await robot.press("Enter").sees("Alpha of 12  12 min \u{B7} 3 left").doesNotSee("3 min")
    await robot.press(":layout rows").sees("12 min \u{B7} 3 left")
  }
}
