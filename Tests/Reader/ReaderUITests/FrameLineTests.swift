import Foundation
import TestSupport
import Testing

@testable import ArticleScreens
@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews

@Suite("The line above the panes") struct FrameLineTests {
  @Test("The line has the place, the position, new articles and the last refresh")
  func facts() async throws {
    let (cache, feed) = try await TestCache.large(1_200)
    let robot = await Robot(cache, width: 120, height: 30)
    await robot.press("Enter", "j", "j", "Enter")
    let name = try #require(robot.application.browser.articles?.title)
    #expect(robot.topBar.hasPrefix(" \(name) 1,200 ───"))
    #expect(robot.topBar.contains("┬─ 3 / 1,200 ───"))
    #expect(robot.topBar.contains(" 10:42 ─"))
    #expect(robot.lines[1].contains("●") && robot.lines[1].contains("│"))
    try await cache.merge(feed, "Large", [.item("Just in", minutes: 0)])
    await robot.waitUntilIdle()
    #expect(robot.topBar.contains(" 3 / 1,200 ─ ▲ 1 new"))
    #expect(!robot.statusLine.contains("▲"))
  }

  @Test("The position is right wherever the window of a long list is")
  func positions() async throws {
    let (cache, feed) = try await TestCache.large(1_500)
    let robot = await Robot(cache, width: 80, height: 24)
    robot.application.browser.showList(.feed(feed), opens: true)
    await robot.waitUntilIdle()
    let model = try #require(robot.application.browser.articles?.model)
    let all = try cache.store.reader.articles.page(model.query, .top, limit: 2_000)
    var random = SeededRandom(seed: 3)
    for _ in 0..<60 {
      model.move(.rows(Int.random(in: -200...300, using: &random)))
      let place = try #require(all.firstIndex { $0.id == model.selectedRow?.id })
      #expect(
        robot.application.browser.articles?.position?.hasPrefix(
          "\(AmountWording.grouped(place + 1)) / 1,500") == true)
    }
    await robot.press("G")
    #expect(robot.topBar.contains(" 1,500 / 1,500 "))
  }

  @Test("A narrow line leaves out facts instead of cutting the place")
  func narrow() async throws {
    let robot = await Robot(try await .daily(), width: 40, height: 10)
    await robot.press("Enter")
    #expect(robot.topBar.hasPrefix(" Unread ─ 1 / 13 ─"))
    #expect(robot.topBar.hasSuffix("─"))
    await robot.resize(20, 4)
    #expect(robot.topBar.hasPrefix(" Unread ─"))
  }
}
