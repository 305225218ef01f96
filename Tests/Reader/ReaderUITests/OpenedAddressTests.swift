@testable import ReaderUI

@Suite("Opened and copied addresses") struct OpenedAddressTests {
  @Test("The article's address is opened and copied, and a missing browser is reported")
  func addressIsOpenedAndCopied() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", "o", "y")
    #expect(robot.actions.opened == ["https://example.org/why-etags-are-opaque"])
    #expect(robot.terminal.clipboard == "https://example.org/why-etags-are-opaque")
    robot.actions.openingFails = true
    await robot.press("o").sees("No browser was found")
    await robot.press("Esc").doesNotSee("No browser was found")
  }

  @Test("A link is opened by its number") func linksAreFollowedByNumber() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", "Enter", "f", "2")
    #expect(robot.actions.opened == ["https://example.org/notes"])
  }

  @Test("An address that is not a web page is opened only after a question")
  func otherAddressIsConfirmed() async throws {
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

  @Test("An address with a user name before the host is opened only after a question")
  func userNameIsConfirmed() async throws {
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

  @Test("Look-alike characters in hosts are shown in Punycode")
  func lookalikesAreInPunycode() async throws {
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
    await robot.press("f").sees("here", "xn--bnk-6cd.example").press("Esc", "o")
    robot.sees("Opened \(shown)")
    #expect(robot.actions.opened == [bank])
  }
}
