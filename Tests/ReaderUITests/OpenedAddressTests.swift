import FeedModel
import FeedStore
import TerminalKit
import Testing

@testable import ReaderUI

/// Addresses that are opened, copied, and asked about first.
@Suite struct OpenedAddressTests {
  @Test func openingAndCopyingAddresses() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", "o", "y")
    #expect(robot.actions.opened == ["https://example.org/why-etags-are-opaque"])
    #expect(robot.terminal.clipboard == "https://example.org/why-etags-are-opaque")
    robot.actions.openingFails = true
    await robot.press("o")
    robot.sees("No browser was found")
    await robot.press("Esc")
    robot.doesNotSee("No browser was found")
  }

  @Test func linksAreFollowedByNumber() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", "Enter", "f", "2")
    #expect(robot.actions.opened == ["https://example.org/notes"])
  }

  @Test func whatIsNoWebPageIsAskedAbout() async throws {
    let cache = try TestCache()
    let item = ParsedItem(
      id: "x", url: "ftp://old.example/file", title: "A file", contentHTML: "<p>There.</p>",
      datePublished: TestCache.start)
    try await cache.feed("Old", [item])
    let robot = await Robot(cache)
    await robot.press("Enter", "o")
    robot.sees("This isn\u{2019}t a web page. Open ftp://old.example/file?")
    await robot.press("n")
    #expect(robot.actions.opened.isEmpty)
    await robot.press("o", "y")
    #expect(robot.actions.opened == ["ftp://old.example/file"])
  }

  @Test func aNameBeforeTheHostIsAskedAbout() async throws {
    let cache = try TestCache()
    let item = ParsedItem(
      id: "x", url: "https://bank.example@evil.example/", title: "Your account",
      contentHTML: "<p>There.</p>", datePublished: TestCache.start)
    try await cache.feed("Bank", [item])
    let robot = await Robot(cache)
    await robot.press("Enter", "o")
    robot.sees("This leads to evil.example. Open https://bank.example@evil.example/?")
    await robot.press("n")
    #expect(robot.actions.opened.isEmpty)
  }

  @Test func confusablesAreShownForWhatTheyAre() async throws {
    let cache = try TestCache()
    let bank = "https://b\u{430}nk.example/login"
    let item = ParsedItem(
      id: "x", url: bank, title: "Your account",
      contentHTML: "<p>Sign in <a href=\"\(bank)?now\">here</a>.</p>",
      datePublished: TestCache.start)
    try await cache.feed("Bank", [item])
    let robot = await Robot(cache)
    await robot.press("Enter", "Enter")
    let shown = "https://xn--bnk-6cd.example/login"
    await robot.press("f").sees("here").sees("xn--bnk-6cd.example").press("Esc", "o")
    robot.sees("Opened \(shown)")
    #expect(robot.actions.opened == [bank])
  }
}
