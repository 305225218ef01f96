@testable import ArticleScreens
@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews

@Suite("Keys that begin commands") struct PrefixTests {
  @Test("The keys that may follow are shown after a while, over the page, until the next key")
  func box() async throws {
    let robot = await Robot(try await .daily(), width: 80, height: 24)
    await robot.press("j", "Enter", "Enter")
    let top = robot.lines.prefix(5)
    await robot.press("g")
    robot.pass(0.3).doesNotSee("Show what is known")
    robot.pass(0.2).sees("ga", "Show what is known", "gg").doesNotSee("gA")
    #expect(robot.lines.prefix(5) == top)
    robot.pass(10).sees("Show what is known")
    await robot.press("a").doesNotSee("Show what is known").sees("About this article")
  }

  @Test("A sequence typed without a pause shows no box, and Esc closes it without a command")
  func quick() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("g", "g")
    robot.pass(1).doesNotSee("Show another list")
    await robot.press("2", "g")
    robot.pass(0.5).sees("2gl", "Show another list")
    await robot.press("Esc").doesNotSee("Show another list", "Unknown key").selects("Today")
  }

  @Test("A macro and a longer sequence of the user are in the box") func own() async throws {
    let bindings = [
      KeyBinding(keys: "g t y", commands: ["toggle-star", "theme light"], context: .articles)
    ]
    let configuration = ReaderConfiguration.test { $0.bindings = bindings }
    let robot = await Robot(try await .daily(), configuration: configuration)
    await robot.press("Enter", "g")
    robot.pass(0.5).sees("gty", "Star or unstar, then")
  }

  @Test(
    "A key whose command cannot act says why",
    arguments: [
      (["h"], "There is no pane on the left"), (["Esc"], "There is nothing to close"),
      (["I"], "I works in the article"),
      (["Enter", "Enter", "l"], "There is no pane on the right"), (["ü"], "Unknown key “ü”"),
      (["g", "j"], "Unknown key “gj”"), (["g", "A"], "gA works in the list of articles"),
      (["Ctrl-c"], "Unknown key “Ctrl-c”; Q quits"),
    ])
  func reasons(keys: [String], sentence: String) async throws {
    let robot = await Robot(try await .daily())
    for key in keys { await robot.press(key) }
    robot.sees(sentence)
  }

  @Test("In the reading pane without an article, keys of articles say that none is open")
  func noArticle() async throws {
    let robot = await Robot(try TestCache(), width: 200, height: 40)
    await robot.press("Tab", "Tab", "x").sees("No article is open")
  }
}
