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
    robot.pass(0.3).doesNotSee("Show which rules acted")
    robot.pass(0.2).sees("gy", "Show which rules acted", "gg").doesNotSee("gJ")
    #expect(robot.lines.prefix(5) == top)
    robot.pass(10).sees("Show which rules acted")
    await robot.press("w").doesNotSee("Show which rules acted")
    #expect(robot.application.browser.reader.wrapsCode != nil)
  }

  @Test("A sequence typed without a pause shows no box, and Esc closes it without a command")
  func quick() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("g", "g")
    robot.pass(1).doesNotSee("Show the rules")
    await robot.press("2", "g")
    robot.pass(0.5).sees("2gW", "Show the rules")
    await robot.press("Esc").doesNotSee("Show the rules", "Unknown key").selects("Today")
  }

  @Test("A macro and a longer sequence of the user are in the box") func own() async throws {
    let bindings = [
      KeyBinding(keys: "g x y", commands: ["toggle-star", "theme light"], context: .articles)
    ]
    let configuration = ReaderConfiguration.test { $0.bindings = bindings }
    let robot = await Robot(try await .daily(), configuration: configuration)
    await robot.press("Enter", "g")
    robot.pass(0.5).sees("gxy", "Star or unstar, then")
  }

  @Test(
    "A key whose command cannot act says why",
    arguments: [
      (["h"], "There is no pane on the left"), (["Esc"], "There is nothing to close"),
      (["G", "U"], "This feed has no new address"),
      (["Enter", "U"], "U works in the list of feeds"),
      (["Enter", "Enter", "l"], "There is no pane on the right"), (["ü"], "Unknown key “ü”"),
      (["g", "j"], "Unknown key “gj”"), (["g", "K"], "gK works in the list of articles"),
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
