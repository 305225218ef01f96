@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews

@Suite("The effects of commands before they are run") struct EffectTests {
  private func robot(_ keys: String..., width: Int = 100) async throws -> Robot {
    let robot = await Robot(try await .daily(), width: width, height: 40)
    for key in keys { await robot.press(key) }
    return robot
  }

  private func unread(_ robot: Robot) throws -> Int {
    try robot.cache.store.reader.articles.count(ArticleQuery(scope: .all, filter: .unread))
  }

  @Test("The palette counts what the highlighted command would change")
  func palette() async throws {
    let robot = try await robot("Enter")
    let count = try unread(robot)
    await robot.type(":mark-shown").waitUntilIdle().sees("marks \(count) read in Unread")
    await robot.press("Ctrl-u").type("refresh-all").waitUntilIdle()
    robot.sees("feeds").doesNotSee("marks \(count)")
  }

  @Test("A command that cannot act has no effect, and one without a number says nothing")
  func nothing() async throws {
    let robot = try await robot("Enter")
    await robot.type(":edit").waitUntilIdle()
    #expect(!robot.statusLine.contains("articles"), "\(robot.statusLine)")
    await robot.press("Ctrl-u").type("zoom").waitUntilIdle()
    #expect(robot.statusLine.trimmingCharacters(in: .whitespaces) == ":zoom")
  }

  @Test("An age is counted while it is typed or chosen") func ages() async throws {
    let robot = try await robot("Enter")
    await robot.press("g", "A").waitUntilIdle()
    await robot.press("Down", "Down").waitUntilIdle()
    #expect(robot.statusLine.contains("read"), "\(robot.terminal.text)")
    await robot.press("Esc").type(":mark-part 1d").waitUntilIdle()
    let day = robot.statusLine
    #expect(day.contains("marks ") && day.contains(" read"), "\(day)")
    await robot.type(" nonsense").waitUntilIdle()
    #expect(!robot.statusLine.contains("marks "), "\(robot.statusLine)")
  }

  @Test("Tags and marks of several articles name their number") func several() async throws {
    let robot = try await robot("Enter", "V", "j", "j", "t")
    #expect(robot.statusLine.contains("3 articles"), "\(robot.statusLine)")
    await robot.press("Esc").type(":toggle-star").waitUntilIdle()
    #expect(robot.statusLine.contains("3 selected"), "\(robot.statusLine)")
  }

  @Test("Unsubscribing names the feed and its articles") func unsubscribing() async throws {
    let robot = try await robot("G")
    await robot.type(":unsubscribe").waitUntilIdle()
    #expect(robot.statusLine.contains("with "), "\(robot.statusLine)")
  }

  @Test("Enter in the help runs the line")
  func help() async throws {
    let robot = try await robot("Enter", "?")
    let count = try unread(robot)
    await robot.press("/").type("whole list").press("Enter").waitUntilIdle()
    robot.selects("Mark the whole list read")
    #expect(try unread(robot) == count)
    await robot.press("Enter").waitUntilIdle()
    #expect(robot.application.browser.sheet == nil)
    #expect(try unread(robot) == 0)
  }

  @Test("In the help, the selection passes all lines, and stays in view")
  func moving() async throws {
    for (width, height) in [(80, 12), (200, 20)] {
      let robot = await Robot(try await .daily(), width: width, height: height)
      await robot.press("?", "?").selects("Move down")
      var rows: Set<String> = []
      for _ in 0..<300 {
        rows.insert(robot.selection ?? "none")
        await robot.press("j")
      }
      #expect(rows.count > 35 && !rows.contains("none"), "\(rows.count) at \(width)")
      await robot.press("g", "g").selects("Move down").selects("Moving")
    }
  }

  @Test("A macro in the help is run whole") func macro() async throws {
    let binding = KeyBinding(keys: "ctrl-x", commands: ["toggle-star", "next-article"])
    let robot = await Robot(try await .daily(), configuration: .test { $0.bindings = [binding] })
    await robot.press("Enter", "?", "/").type("Star or unstar, then").press("Enter", "Enter")
    #expect(try robot.cache.articles.count(ArticleQuery(scope: .all, filter: .starred)) == 2)
  }
}
