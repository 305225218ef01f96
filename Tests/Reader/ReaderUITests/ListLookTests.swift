import Foundation
import TerminalKit
import Testing

@testable import ArticleScreens
@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews

@Suite("The layout of lists, help and prompts") struct ListLookTests {
  @Test("A period has a heading if it has at least five articles; a rule ends it before others")
  func headings() async throws {
    let cache = try TestCache()
    let days: [Double] = [1, 60, 61, 62, 63, 64, 100, 101, 400, 401, 402, 403, 404]
    try await cache.feed("Blog", days.map { .item("Day \(Int($0))", minutes: $0 * 1_440) })
    let robot = await Robot(cache)
    await robot.press("Enter").sees("─ September", "─ 2025 ─").doesNotSee("─ August", "earlier")
    let lines = robot.lines
    let last = try #require(lines.firstIndex { $0.contains("Day 64") })
    #expect(!lines[last + 1].contains { $0.isLetter } && lines[last + 1].contains("────"))
    #expect(lines[last + 2].contains("Day 100"))
    #expect(lines.contains { $0.contains("Day 400") && $0.hasSuffix(" 2025") })
    robot.application.browser.articles?.setText("Day 6")
    await robot.waitUntilIdle().sees("Day 60").doesNotSee("September")
  }

  @Test("Fewer than five rows have no heading")
  func fewRows() async throws {
    let cache = try TestCache()
    try await cache.feed("Blog", [0, 2, 40, 400].map { .item("Day \($0)", minutes: $0 * 1_440) })
    let robot = await Robot(cache)
    await robot.press("Enter").sees("Day 400")
    #expect(!robot.lines.dropFirst().contains { $0.contains("─ ") })
  }

  /// Returns the columns of a title that its row has no room for.
  private func titleColumns(width: Int, height: Int, opens: Bool) async throws -> Int {
    let cache = try TestCache()
    for (feed, letter) in [("Blog", "#"), ("Gazette", "%")] {
      let title = String(repeating: letter, count: 300)
      try await cache.feed(feed, [.item(title, minutes: 60 * 1_440)])
    }
    let robot = await Robot(cache, width: width, height: height)
    await robot.press("Enter")
    if opens { await robot.press("j", "Enter") }
    let row = try #require(robot.lines.first { $0.contains("##") || $0.contains("%%") })
    return row.drop { !"#%".contains($0) }.prefix { "#%…".contains($0) }.count
  }

  @Test(
    "A title beside an article has 34 columns or 60 % of the row",
    arguments: [(90, 34), (100, 34), (120, 34), (140, 40), (160, 34), (200, 44)])
  func titles(width: Int, least: Int) async throws {
    #expect(try await titleColumns(width: width, height: 30, opens: true) >= least)
    #expect(try await titleColumns(width: width, height: 30, opens: false) >= 34)
  }

  @Test("The feed is in rows only if rows differ, minutes only from five on")
  func facts() async throws {
    let cache = try TestCache()
    func item(_ title: String, words: Int) -> ParsedItem {
      .item(title, minutes: 8, body: "<p>\(String(repeating: "word ", count: words))</p>")
    }
    try await cache.feed("Blog", [item("Long", words: 1_400), item("Short", words: 700)])
    let robot = await Robot(cache, width: 80)
    await robot.press("Enter").sees("Long  6 min", "8m").doesNotSee("Blog", "3 min")
    try await cache.feed("Gazette", [item("Other", words: 10)])
    let other = await Robot(cache, width: 80)
    await other.press("Enter").sees("Other", "Blog", "Gazette")
  }

  @Test("A roomy row has its title on up to two lines, and the facts below")
  func roomyFacts() async throws {
    let cache = try TestCache()
    let title = "A long title that needs more than one line of forty columns, and is read whole"
    try await cache.feed("Blog", [.item(title, minutes: 8)])
    try await cache.feed("Gazette", [.item("Short", minutes: 9)])
    let robot = await Robot(
      cache, width: 50, height: 20, configuration: .test { $0.isRoomy = true })
    await robot.press("Enter")
    let lines = robot.lines
    let first = try #require(lines.firstIndex { $0.contains("A long title") })
    #expect(lines[first + 1].contains("read whole"))
    #expect(lines[first + 2].contains("  Blog · 8m"))
    #expect(lines[first + 3].contains("Short") && lines[first + 4].contains("Gazette · 9m"))
    await robot.press("j").key(.mouse(MouseEvent(.press, x: 5, y: first + 2)))
    #expect(robot.application.browser.articles?.model.selected == 0)
  }

  @Test("Only the selected title is bold, read ones are dim, and one pane has the tint")
  func oneSelection() async throws {
    let robot = await Robot(try await .daily(), width: 110, height: 30)
    await robot.press("Enter", "j", "m")
    func cells(_ text: String) throws -> [Cell] {
      let y = try #require(robot.lines.firstIndex { $0.contains(text) })
      let pane = try #require(robot.application.browser.layout.frame(.articles))
      return Array(try #require(robot.terminal.surface).row(y).dropFirst(pane.x))
    }
    let row = try #require(robot.application.browser.articles?.model.selectedRow)
    #expect(try cells(row.title).contains { $0.style.attributes.contains(.bold) })
    await robot.press("j")
    #expect(try !cells(row.title).contains { $0.style.attributes.contains(.bold) })
    let surface = try #require(robot.terminal.surface)
    let backgrounds = (2..<surface.size.height - 2).flatMap { y in
      surface.row(y).map(\.style.background)
    }
    let selection = robot.application.context.theme.style(.selection).background
    let ground = robot.application.context.theme.style(.text).background
    #expect(Set(backgrounds).subtracting([selection, ground]).isEmpty)
  }

  @Test("A line separates articles that arrived since the last session from older ones")
  func visit() async throws {
    let cache = try TestCache()
    let feed = try await cache.feed(
      "Blog",
      [
        .item("Next week\u{2019}s event", minutes: -600), .item("Breakfast", minutes: 30),
        .item("Supper", minutes: 900),
      ])
    let first = await Robot(cache)
    await first.press("Enter").sees("Breakfast").doesNotSee("last visit")
    await first.application.stop()

    let unchanged = await Robot(cache)
    await unchanged.press("Enter").sees("Breakfast").doesNotSee("last visit")
    await unchanged.application.stop()

    cache.clock.now += 3_600
    try await cache.merge(
      feed, "Blog", [.item("Lunch", minutes: -50), .item("Found late", minutes: 800)])
    let robot = await Robot(cache)
    try await robot.press("Enter").sees("Lunch").matches("visit-80x24")
    func line(_ text: String) throws -> Int {
      try #require(robot.lines.firstIndex { $0.contains(text) })
    }
    #expect(try line("Lunch") + 1 == line("\u{2500} before your last visit"))
    #expect(try line("before your last visit") + 1 == line("Breakfast"))

    // The line stays in its place during the session.
    try await cache.merge(feed, "Blog", [.item("Tea", minutes: -59)])
    await robot.waitUntilIdle()
    await robot.press(".")
    #expect(try line("Tea") + 1 == line("Lunch"))
    #expect(try line("before your last visit") + 1 == line("Breakfast"))
    await robot.type("gs").type("oldest").press("Enter").doesNotSee("last visit")
    await robot.application.stop()
  }

  @Test("The heading of a day and the line of the last visit share a line")
  func visitOnADay() async throws {
    let cache = try TestCache()
    let feed = try await cache.feed(
      "Blog", (0..<5).map { .item("Supper \($0)", minutes: 900 + Double($0)) })
    await Robot(cache).application.stop()
    let other = try await cache.feed("Quiet", [.item("All is new", minutes: 10)])
    try await cache.merge(feed, "Blog", [.item("Breakfast", minutes: 30)])
    let robot = await Robot(cache, width: 140)
    await robot.press("Enter").sees("\u{2500} yesterday \u{B7} before your last visit ")
    robot.application.browser.reveal(.feed(other))
    await robot.waitUntilIdle().sees("All is new").doesNotSee("last visit")
    await robot.application.stop()
  }

  @Test("A click on a key in the status line acts as that key")
  func clicks() async throws {
    let robot = await Robot(try await .daily())
    let column = try #require(robot.statusLine.range(of: "a add")).lowerBound
    let x = robot.statusLine.distance(from: robot.statusLine.startIndex, to: column)
    await robot.key(.mouse(MouseEvent(.press, x: x, y: 23)))
    #expect(robot.topBar.contains("Add a feed"))
    await robot.press("Esc").key(.mouse(MouseEvent(.press, x: 75, y: 23)))
    #expect(robot.topBar.contains("Help"))
  }

  @Test("Tab completes a path as far as it is unambiguous, and the up arrow recalls earlier input")
  func completion() async throws {
    let robot = await Robot(try await .daily())
    await robot.type(":export-feeds").press("Enter").sees("Export to: ~/weir.opml")
    await robot.type("~/f").press("Tab").sees("Export to: ~/feeds/").type("on").press("Tab")
    await robot.press("Enter").sees("Exported 7 feeds to ~/feeds/one.opml")
    #expect(robot.actions.exported == ["~/feeds/one.opml"])
    await robot.type(":export-feeds").press("Enter", "Up").sees("Export to: ~/feeds/one.opml")
  }

  @Test("The database can be copied to a file")
  func copy() async throws {
    let robot = await Robot(try await .daily())
    await robot.type(":save-database").press("Enter").sees("Copy the database to: ~/weir-copy.db")
    await robot.press("Enter").sees("Database copied to ~/weir-copy.db")
    #expect(robot.actions.copies == ["~/weir-copy.db"])
  }
}
