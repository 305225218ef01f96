import Foundation
import TerminalKit
import Testing

@testable import ReaderServices
@testable import ReaderUI

@Suite("The layout of lists, help and prompts") struct ListLookTests {
  @Test("A month has a heading if it has at least three articles")
  func headings() async throws {
    let cache = try TestCache()
    let days: [Double] = [1, 60, 61, 62, 100, 101, 400]
    try await cache.feed("Blog", days.map { .item("Day \(Int($0))", minutes: $0 * 1_440) })
    let robot = await Robot(cache)
    await robot.press("Enter").sees("─ September").doesNotSee("─ August", "2025")
    // The articles of other months are below a common heading.
    let lines = robot.lines
    let last = try #require(lines.firstIndex { $0.contains("Day 62") })
    #expect(lines[last + 1].contains("─ earlier"))
    robot.sees("17 Oct ’25")
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
    let feed = try await cache.feed("Blog", [.item("Supper", minutes: 900)])
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
