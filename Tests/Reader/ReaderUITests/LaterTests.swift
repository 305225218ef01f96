@testable import ArticleScreens
@testable import ReaderServices
@testable import ReaderUI

@Suite("Keeping articles for later") struct LaterTests {
  private func robot() async throws -> Robot {
    let cache = try TestCache()
    try await cache.feed(
      "Wires",
      [
        .item(
          "First", minutes: 1,
          body: """
            <p><a href="https://e1.example/1">one</a> <a href="https://e2.example/2">two</a>
            <a href="mailto:a@e.example">three</a></p>
            """),
        .item("Second", minutes: 2), .item("Third", minutes: 3),
      ])
    return await Robot(cache)
  }

  private func titles(_ robot: Robot) -> [String] {
    robot.application.browser.articles?.model.rows.map(\.title) ?? []
  }

  private func later(_ robot: Robot) throws -> [String] {
    try robot.cache.articles.page(ArticleQuery(scope: .smart(.later)), .top, limit: 10).map(\.title)
  }

  @Test("L keeps an article, shows its mark, and the list Later begins with the last one kept")
  func list() async throws {
    let robot = try await robot()
    await robot.doesNotSee("Later").press("Enter", "L").sees("◆")
    robot.cache.clock.now += 60
    await robot.press("2", "j", "L", "q").sees("Later")
    robot.application.browser.feeds.model.select(.list(.smart(.later)))
    await robot.press("Enter")
    #expect(titles(robot) == ["Third", "First"])
    // Reading removes nothing, and a removed article stays on screen until the list is left.
    await robot.press("Enter", "q")
    #expect(try later(robot) == ["First", "Third"])
    await robot.press("L")
    #expect(titles(robot) == ["Third", "First"])
    #expect(try later(robot) == ["First"])
    await robot.press("u")
    #expect(try later(robot) == ["First", "Third"])
  }

  @Test("L works on several selected articles, with a count, and in an article")
  func several() async throws {
    let robot = try await robot()
    await robot.press("Enter", "V", "j", "L")
    #expect(try later(robot) == ["First", "Second"])
    await robot.press("g g", "3", "L")
    #expect(try later(robot) == ["First", "Second", "Third"])
    await robot.press("g g", "3", "L")
    #expect(try later(robot) == [])
    await robot.press("g g", "Enter", "L").sees("◆")
    #expect(try later(robot) == ["First"])
    await robot.press("L").doesNotSee("◆")
    #expect(try later(robot) == [])
  }

  @Test("A number and L in an article save the page of that link") func link() async throws {
    let robot = try await robot()
    await robot.press("Enter", "Enter", "2", "L").sees("Saved “https://e2.example/2” for later")
    #expect(try later(robot) == ["https://e2.example/2"])
    await robot.press("2", "L").sees("“https://e2.example/2” is kept for later")
    await robot.press("3", "L").sees("Only web pages can be saved for later")
    await robot.press("9", "L").sees("This article has 3 links")
    #expect(try later(robot) == ["https://e2.example/2"])
    robot.timers.pass(5)
    #expect(robot.actions.opened.isEmpty)
  }
}
