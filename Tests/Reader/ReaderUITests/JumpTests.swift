@testable import ArticleScreens
@testable import ReaderServices
@testable import ReaderUI

@Suite("Letters that lead to rows, panes and links") struct JumpTests {
  @Test("Up to 26 targets get single letters, and more get pairs") func labels() {
    #expect(JumpPrompt.labels(3) == ["a", "s", "d"])
    #expect(Set(JumpPrompt.labels(26).map(\.count)) == [1])
    let many = JumpPrompt.labels(600)
    #expect(Set(many).count == 600 && Set(many.map(\.count)) == [2])
  }

  @Test("A letter selects its row without scrolling, and the letters disappear")
  func rows() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter")
    let before = robot.lines
    await robot.press("'").sees("Go to:")
    let row = try #require(robot.lines.first { $0.contains("The state of the page cache") })
    let letter = String(try #require(row.first))
    await robot.press(letter).selects("The state of the page cache").doesNotSee("Go to:")
    // Apart from the position, the mark of the selection and the status line, nothing has changed.
    #expect(
      robot.lines[1...].dropLast(2).map { $0.dropFirst() }
        == before[1...].dropLast(2).map { $0.dropFirst() })
  }

  @Test(
    "Esc and keys without a target end it and do nothing else", arguments: ["Esc", "m", "Down"])
  func ends(key: String) async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter")
    let selected = robot.selection
    await robot.press("'", key).doesNotSee("Go to:")
    #expect(robot.selection == selected)
  }

  @Test("In a wide window panes have letters, and a row of another pane moves the focus there")
  func panes() async throws {
    let robot = await Robot(try await .daily(), width: 140, height: 40)
    let browser = robot.application.browser
    #expect(browser.focus == .feeds)
    await robot.press("'", "a", "s")
    #expect(browser.focus == .articles)
    await robot.press("'", "a", "a")
    #expect(browser.focus == .feeds)
    await robot.press("'")
    let row = try #require(robot.lines.first { $0.contains("A quieter terminal") })
    let cut = try #require(row.range(of: "A quieter terminal")?.lowerBound)
    let letters = String(row[..<cut].suffix(3).prefix(2))
    await robot.type(letters)
    #expect(browser.focus == .articles)
    #expect(browser.articles?.model.selectedRow?.title == "A quieter terminal")
  }

  @Test("A letter opens a link of the article") func links() async throws {
    let cache = try TestCache()
    try await cache.feed(
      "Notes",
      [
        .item(
          "Links", minutes: 1,
          body: """
            <p>Go <a href="https://one.example/">first</a> or
            <a href="https://two.example/">second</a>.</p>
            """)
      ])
    let robot = await Robot(cache)
    await robot.press("Enter", "Enter", "'")
    let line = try #require(robot.lines.first { $0.contains("Go ") && $0.contains("irst") })
    let place = try #require(line.range(of: "econd")?.lowerBound)
    await robot.press(String(line[line.index(before: place)]))
    #expect(robot.actions.opened == ["https://two.example/"])
  }

  @Test("Rows of sheets have letters, and a screen without targets says so")
  func sheets() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("!", "'").sees("Go to:")
    await robot.press("a").doesNotSee("Go to:").press("Esc")
    await robot.press("?", "'").sees("nothing to go to")
  }

  @Test("The letters look as recorded", arguments: [(80, 24), (140, 40)])
  func recorded(width: Int, height: Int) async throws {
    let robot = await Robot(try await .daily(), width: width, height: height)
    try await robot.press("Enter", "'").matches("jump-\(width)x\(height)")
  }
}
