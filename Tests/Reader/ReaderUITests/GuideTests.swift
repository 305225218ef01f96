import Foundation
import TestSupport
import Testing

@testable import ArticleScreens
@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews

@Suite("News about keys") struct GuideTests {
  @Test("News about keys has a heading and at most three lines, and none for the same version")
  func news() throws {
    #expect(KeyChanges.news(since: "0.1.0") == nil && KeyChanges.news(since: "0.10.0") == nil)
    let news = try #require(KeyChanges.news(since: "0"))
    #expect((2...4).contains(news.split(separator: "\n").count))
    #expect(news.contains("'  goes to"))
  }

  @Test("A message of several lines stands above the status line until the next key")
  func lines() async throws {
    let robot = await Robot(try await .daily())
    robot.application.say("One:\ntwo\nthree")
    robot.application.frame()
    #expect(
      robot.lines.suffix(5).prefix(3).map { $0.trimmingWhitespace } == ["One:", "two", "three"])
    await robot.press("j").doesNotSee("three")
  }
}
