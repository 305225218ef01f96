import FeedModel
import FeedStore
import Foundation
import TerminalKit
import Testing

@testable import ReaderUI

/// The problems screen: what failed, why, what comes next, and what helps.
@Suite struct ProblemsTests {
  @Test func helpReturnsToWhereItWasAskedFrom() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("!", "?")
    #expect(robot.topBar.contains("Help"))
    await robot.press("q")
    #expect(robot.topBar.contains("Problems"))
    await robot.press("?", "?")
    #expect(robot.topBar.contains("Problems"))
    await robot.press("q")
    #expect(robot.topBar.contains("Unread"))
  }

  @Test func feedsOfOneHostWithOneCauseAreTriedTogether() async throws {
    let cache = try await TestCache.busy()
    let robot = await Robot(cache, height: 40)
    await robot.press("!")
    robot.sees("mirrors.example: 3 feeds").sees("mirrors.example did not answer")
    await robot.press("j", "r")
    let mirrors = try cache.store.subscriptions().feeds.filter { $0.name.hasPrefix("Mirror") }
    #expect(
      try cache.store.refreshRequests(finishedSince: .distantFuture).map(\.scope)
        == [.feeds(mirrors.prefix(3).map(\.id))])
    await robot.press("j", "D")
    robot.sees("Unsubscribed from Mirror 1").sees("Mirror 2")
    robot.doesNotSee("mirrors.example: 3 feeds")
  }

  @Test func theSelectionStaysWhereItIs() async throws {
    let cache = try await TestCache.busy()
    let robot = await Robot(cache, height: 40)
    await robot.press("!", "G")
    robot.selects("Mirror 4")
    let first = try #require(
      try cache.store.subscriptions().feeds.first { $0.name == "Old Gazette" })
    try await cache.merge(first.id, first.name, [])
    await robot.settle()
    robot.selects("Mirror 4").doesNotSee("Old Gazette")
  }

  @Test func anAddressIsCorrected() async throws {
    let cache = try await TestCache.busy()
    let robot = await Robot(cache, height: 40)
    await robot.press("!", "G", "e")
    robot.sees("Address: https://mirrors.example/4.xml")
    for _ in 0..<5 { await robot.press("Backspace") }
    await robot.type("5.xml").press("Enter")
    robot.sees("subscribed to already")
    await robot.press("Esc", "e")
    for _ in 0..<5 { await robot.press("Backspace") }
    await robot.type("44.xml").press("Enter")
    robot.sees("Trying Mirror 4 at mirrors.example")
    let feed = try #require(try cache.store.feed(url: "https://mirrors.example/44.xml"))
    #expect(
      try cache.store.refreshRequests(finishedSince: .distantFuture).map(\.scope) == [
        .feed(feed.id)
      ])
    await robot.press("e", "Ctrl-u")
    await robot.type("file:///etc/passwd").press("Enter")
    robot.sees("An address begins with https:// or http://")
  }

  @Test func aGroupOffersNothingThatIsForOneFeed() async throws {
    let cache = try TestCache()
    for number in 1...3 {
      let feed = try await cache.feed(
        "Mirror \(number)", url: "https://mirrors.example/\(number).xml")
      try await cache.fail(feed, .httpStatus, status: 404)
    }
    let robot = await Robot(cache)
    await robot.press("!")
    robot.selects("mirrors.example: 3 feeds").sees("has no such page (404)")
    robot.doesNotSee("corrects the address")
    await robot.press("j")
    robot.selects("Mirror 1")
    #expect(robot.statusLine.contains("e address"))
  }

  @Test func theWheelScrollsAndTheSelectionStaysWhileItIsInView() async throws {
    let robot = await Robot(try await .busy(), height: 14)
    await robot.press("!", "j", "j")
    robot.selects("Mirror 1").sees("Old Gazette")
    await robot.key(.mouse(MouseEvent(.wheelDown, x: 5, y: 5)))
    robot.selects("Mirror 1").doesNotSee("Old Gazette")
    await robot.key(.mouse(MouseEvent(.wheelUp, x: 5, y: 5)))
    robot.selects("Mirror 1").sees("Old Gazette")
  }

  @Test func theRemedyFitsTheFailure() {
    let now = TestCache.start
    func remedy(_ kind: RefreshFailure.Kind, _ status: Int? = nil, days: Double = 0, count: Int = 1)
      -> Remedy
    {
      Remedy(
        RefreshFailure(kind: kind, status: status, since: now - days * 86_400, count: count),
        at: now)
    }
    #expect(remedy(.httpStatus, 404) == .editAddress)
    #expect(remedy(.httpStatus, 503) == .wait)
    #expect(remedy(.httpStatus, 503, days: 40, count: 30) == .unsubscribe)
    #expect(remedy(.gone, 410) == .unsubscribe)
    #expect(remedy(.unauthorized, 401) == .signIn)
    #expect(remedy(.hostNotFound) == .wait)
    #expect(remedy(.hostNotFound, count: 2) == .editAddress)
    #expect(remedy(.rateLimited, 429, days: 40, count: 30) == .leaveAlone)
    for kind in RefreshFailure.Kind.allCases {
      let remedy = remedy(kind)
      #expect(!remedy.advice.isEmpty && !remedy.command(7).isEmpty)
      #expect(remedy.hint { Keymap().label($0) }?.isEmpty == false)
    }
    #expect(!remedy(.httpStatus, 404).command(7).contains("sync"))
    // Another address in another feed would lose what was read and starred.
    for remedy in [Remedy.signIn, .editAddress] {
      #expect(!remedy.command(7).contains("remove") && !remedy.command(7).contains("add "))
      #expect(remedy.command(7).contains("e in the reader"))
    }
  }
}
