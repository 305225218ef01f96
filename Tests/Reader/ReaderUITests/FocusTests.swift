@testable import ArticleScreens
@testable import ReaderServices
@testable import ReaderUI

/// Checks the place of the terminal's hidden cursor, which braille displays and screen readers
/// follow.
@Suite("The hidden cursor") struct FocusTests {
  /// Presses keys, and returns the text of the row with the cursor, from the cursor's column.
  private func focusedText(
    _ keys: [String], typing text: String = "", width: Int = 80
  ) async throws -> String {
    let robot = await Robot(try await .daily(), width: width, height: 24)
    for key in keys { await robot.press(key) }
    await robot.type(text)
    return robot.focusedText
  }

  @Test(
    "It is at the selected row or the first line of the text",
    arguments: [
      (["k"], "Today"), ([], "Unread"), (["Enter"], "Why ETags are opaque"),
      (["Enter", "j"], "A quieter terminal"), (["Enter", "Enter"], "Why ETags are opaque"),
      (["!"], "Weir retries"), (["!", "j"], "Old Gazette"), (["S"], ""), (["?"], "Space"),
      (["?", "?"], "Mov"),
      ([":rules"], ""), (["Enter", "j", ":mark-part above"], "y / n"), (["A"], "Unread"),
    ])
  func places(keys: [String], text: String) async throws {
    for width in [80, 200] {
      let found = try await focusedText(keys, width: width)
      #expect(text.isEmpty || found.contains(text), "\(found)")
    }
  }

  @Test("The hidden cursor moves to the next pane with the focus") func panes() async throws {
    let robot = await Robot(try await .daily(), width: 200, height: 40)
    let feeds = try #require(robot.terminal.surface?.focus)
    #expect(feeds.x == 0)
    await robot.press("Tab")
    let articles = try #require(robot.terminal.surface?.focus)
    #expect(articles.x == robot.application.browser.layout.frame(.articles)?.x)
    await robot.press("Tab")
    let text = try #require(robot.terminal.surface?.focus)
    #expect(text.x > articles.x)
  }

  @Test("After a page down, the hidden cursor is at the first new line")
  func newLines() async throws {
    let robot = await Robot(try await .daily(), width: 80, height: 12)
    await robot.press("Enter", "v", "/")
    await robot.type("WAL")
    await robot.press("Enter", "Enter", "Space")
    let reader = robot.application.browser.reader
    let line = reader.view.firstNewLine ?? reader.view.top
    #expect(reader.view.top > 0)
    #expect(robot.terminal.surface?.focus?.y == line - reader.view.top + 1)
  }

  @Test("A text field shows the cursor at its caret") func caret() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", "/").type("ab")
    #expect(robot.terminal.surface?.cursor?.x == 4)
    await robot.press("Esc")
    #expect(robot.terminal.surface?.cursor == nil)
    #expect(robot.terminal.surface?.focus != nil)
  }
}

extension Robot {
  /// The row of the hidden cursor, from its column; empty if there is none.
  var focusedText: String {
    guard let surface = terminal.surface, let focus = surface.focus else { return "" }
    return surface.row(focus.y).dropFirst(focus.x).map(\.text).joined()
  }
}
