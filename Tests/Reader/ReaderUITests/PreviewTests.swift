@testable import ArticleScreens
@testable import ReaderServices
@testable import ReaderUI

@Suite("The reading pane beside a list") struct PreviewTests {
  private func wide(_ configuration: ReaderConfiguration? = nil) async throws -> Robot {
    await Robot(try await .daily(), width: 160, height: 30, configuration: configuration)
  }

  private func unread(_ robot: Robot) throws -> Int {
    try robot.cache.store.reader.articles.count(ArticleQuery(scope: .all, filter: .unread))
  }

  private func shown(_ robot: Robot) -> String? {
    robot.application.browser.reader.article?.row.title
  }

  @Test("The pane shows the selected article and marks nothing read")
  func followsTheSelection() async throws {
    let robot = try await wide()
    let before = try unread(robot)
    robot.sees("Quotes are stripped")
    await robot.press("Enter", "j").sees("Body of A quieter terminal")
    #expect(try unread(robot) == before)
    await robot.press("k").sees("Quotes are stripped")
    #expect(robot.application.browser.focus == .articles)
  }

  @Test("Focusing the pane marks the article read", arguments: ["Enter", "l", "Space", "Tab"])
  func goingThereReads(key: String) async throws {
    let robot = try await wide()
    let before = try unread(robot)
    await robot.press("Enter", key)
    #expect(robot.application.browser.focus == .reader)
    #expect(try unread(robot) == before - (key == "Space" ? 2 : 1))
  }

  @Test("A held key draws no article until it is released")
  func aHeldKeyDoesNotWait() async throws {
    let robot = try await wide()
    await robot.press("Enter")
    for _ in 0..<5 { robot.turn([.character("j")]) }
    #expect(shown(robot) == "Why ETags are opaque")
    robot.timers.pass(0.04)
    #expect(shown(robot) == "Why ETags are opaque")
    robot.timers.pass(0.01)
    let selected = robot.application.browser.articles?.model.selectedRow?.title
    #expect(shown(robot) == selected)
    #expect(selected != "Why ETags are opaque")
  }

  @Test("Keys of the list act on the article in the pane") func keysMeanTheSame() async throws {
    let robot = try await wide()
    await robot.press("Enter", "f").sees("of 2")
    await robot.press("1")
    #expect(robot.actions.opened == ["https://www.rfc-editor.org/rfc/rfc9110"])
    robot.turn([.character("j"), .character("o")])
    await robot.waitUntilIdle()
    #expect(robot.actions.opened.last == "https://example.org/a-quieter-terminal")
    #expect(shown(robot) == "A quieter terminal")
  }

  @Test("An article shown for the configured time counts as read")
  func marksAfterATime() async throws {
    let robot = try await wide(ReaderConfiguration.test { $0.markAfter = 3 })
    let before = try unread(robot)
    await robot.press("Enter", "j")
    await robot.pass(2).waitUntilIdle()
    #expect(try unread(robot) == before)
    await robot.pass(1.1).waitUntilIdle()
    #expect(try unread(robot) == before - 1)
    #expect(robot.application.browser.focus == .articles)
  }

  @Test("A window with two panes shows the pane after an article was opened")
  func twoPanes() async throws {
    let robot = await Robot(try await .daily(), width: 110, height: 30)
    await robot.press("Enter").doesNotSee("Quotes are stripped")
    await robot.press("Enter").sees("Quotes are stripped").press("h", "j")
    robot.sees("Body of A quieter terminal").selects("A quieter terminal")
    await robot.press("l", "q").doesNotSee("Body of A quieter")
  }

  @Test("For an empty list the pane shows no article") func emptyList() async throws {
    let robot = try await wide()
    await robot.press("Enter", "/").type("opaque").press("Enter").sees("Quotes are stripped")
    await robot.press("Esc", "/").type("nothing like it").doesNotSee("Quotes are stripped")
  }
}

@Suite("Going to the next article") struct NextArticleTests {
  @Test("J and K go to the next and previous article in the list and in the reader, read or unread")
  func everyState() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("G", "g g", "Enter", "v").selects("Why ETags are opaque")
    await robot.press("2", "J", "K").selects("A quieter terminal")
    await robot.press("K", "K").sees("This is the first article")
    await robot.press("Enter", "J").sees("Body of A quieter terminal")
    await robot.press("3", "J", "K").press("q")
    let model = try #require(robot.application.browser.articles?.model)
    #expect(model.selected == 3)
  }

  @Test("Space selects single rows, V selects a range, and their number is shown")
  func severalRows() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("Enter", "V").sees("1 selected").press("Space", "j", "Space")
    robot.sees("2 selected")
    await robot.press("V", "j", "j").sees("5 selected").press("Space", "k", "Space")
    robot.sees("4 selected")
    await robot.press("s")
    let starred = try cache.store.reader.articles.count(ArticleQuery(scope: .all, filter: .starred))
    // One had a star before.
    #expect(starred == 5)
    robot.doesNotSee(" selected")
  }
}
