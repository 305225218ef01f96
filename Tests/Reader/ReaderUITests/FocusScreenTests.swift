import Foundation
import TerminalKit
import Testing

@testable import ReaderServices
@testable import ReaderUI

@Suite("A focus on some folders") struct FocusScreenTests {
  private func cache() async throws -> TestCache {
    let cache = try TestCache()
    try await cache.feed("Office", folder: ["Work"], [.item("Meeting", minutes: 1)])
    try await cache.feed("Planet", folder: ["Tech", "Deep"], [.item("Kernel", minutes: 2)])
    try await cache.feed("Fun", folder: ["Home"], [.item("Cats", minutes: 3)])
    return cache
  }

  private func configuration(_ focus: String? = nil) -> ReaderConfiguration {
    var configuration = ReaderConfiguration(timeZone: .gmt)
    configuration.focuses = ["work": ["Work", "Tech/Deep"], "none": ["Nowhere"]]
    configuration.focus = focus
    return configuration
  }

  @Test("focus NAME filters the tree and the mixed lists; all ends it; unknown names say so")
  func command() async throws {
    let robot = await Robot(
      try await cache(), width: 140, height: 30, configuration: configuration())
    robot.sees("Fun").sees("Cats")
    await robot.type(":focus play").press("Enter")
    robot.sees("The configuration has no [focus.play]").sees("Fun")
    await robot.type(":focus work").press("Enter").waitUntilIdle()
    robot.doesNotSee("Fun").doesNotSee("Home").doesNotSee("Cats")
    robot.sees("Office").sees("Planet").sees("Tech").sees("Meeting").sees("Kernel")
    #expect(robot.lines.contains { $0.contains("Unread") && $0.contains(" 2 ") })
    await robot.press("A").sees("2 articles marked read")
    await robot.type(":focus all").press("Enter").waitUntilIdle()
    robot.sees("Fun").sees("Cats")
    await robot.type(":focus none").press("Enter").waitUntilIdle()
    robot.doesNotSee("Fun").doesNotSee("Office").doesNotSee("Cats")
  }

  @Test("The reader begins with a focus, which arrivals do not end")
  func start() async throws {
    let cache = try await cache()
    let robot = await Robot(cache, width: 140, height: 30, configuration: configuration("work"))
    robot.doesNotSee("Fun").doesNotSee("Cats").sees("Meeting")
    try await cache.feed("Games", folder: ["Home"], [.item("Chess", minutes: 0)])
    await robot.waitUntilIdle()
    robot.doesNotSee("Games").doesNotSee("Chess").sees("Meeting")
  }
}
