@testable import ArticleScreens
@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews

@Suite("The guide marks practised keys, and news about keys") struct GuideTests {
  @Test("A tick precedes the default keys of performed commands, and nothing else")
  func marks() {
    let html =
      "<p><kbd>s</kbd> stars, <kbd>&lt;</kbd> scrolls, <kbd>gs</kbd> sorts, s, <kbd>no such</kbd></p>"
    #expect(GuidePractice.marked(html, []) == html)
    let marked = GuidePractice.marked(html, [.toggleStar, .scrollLeft])
    #expect(marked.contains("✓\u{A0}<kbd>s</kbd> stars, ✓\u{A0}<kbd>&lt;</kbd>"))
    #expect(marked.contains(", <kbd>gs</kbd> sorts, s, <kbd>no such</kbd>"))
  }

  private func robot(practised: Set<Command> = []) async throws -> Robot {
    let cache = try TestCache()
    let guide = "weir:guide"
    let body =
      "<p>Press <kbd>s</kbd> to star, <kbd>m</kbd> to mark.</p>"
      + String(repeating: "<p>More about reading.</p>", count: 40)
    var item = ParsedItem.item("Reading", minutes: 1, body: body)
    item.url = nil
    try await cache.feed("Guide", url: guide, [item])
    var configuration = ReaderConfiguration.test()
    configuration.guideURL = guide
    configuration.remembered[.practised] = practised.map(\.name).joined(separator: " ")
    let robot = await Robot(cache, configuration: configuration)
    return await robot.press("g g", "j", "Enter", "Enter")
  }

  @Test("A used command is marked at once, kept for the next start, and does not move the page")
  func practice() async throws {
    let robot = try await robot()
    robot.sees("Press s to star")
    await robot.press("s").sees("✓ s to star, m to mark")
    #expect(robot.actions.practised.contains("toggle-star"))
    await robot.press("Ctrl-d")
    let before = robot.lines.dropLast(2)
    await robot.press("m")
    #expect(robot.lines.dropLast(2) == before)
    await robot.press("g g").sees("✓ s to star, ✓ m to mark")
    #expect(
      try await self.robot(practised: [.toggleStar]).lines.contains { $0.contains("✓ s to star") })
  }

  @Test("Other articles have no ticks")
  func others() async throws {
    let cache = try TestCache()
    try await cache.feed(
      "Notes", [.item("Keys", minutes: 1, body: "<p>Press <kbd>s</kbd> now.</p>")])
    var configuration = ReaderConfiguration.test()
    configuration.guideURL = "weir:guide"
    let robot = await Robot(cache, configuration: configuration)
    await robot.press("Enter", "Enter", "s").sees("Press s now").doesNotSee("✓")
  }

  @Test("News about keys has a heading and at most three lines, and none for the same version")
  func news() throws {
    #expect(KeyChanges.news(since: "0.1.0") == nil && KeyChanges.news(since: "0.10.0") == nil)
    let news = try #require(KeyChanges.news(since: "0"))
    #expect((2...4).contains(news.split(separator: "\n").count))
    #expect(news.contains("'  goes to"))
  }

  @Test("A message of several lines stands above the status line until the next key")
  func lines() async throws {
    let robot = await Robot(try await .daily())
    robot.application.say("One:\ntwo\nthree")
    robot.application.frame()
    #expect(
      robot.lines.suffix(5).prefix(3).map { $0.trimmingWhitespace } == ["One:", "two", "three"])
    await robot.press("j").doesNotSee("three")
  }
}
