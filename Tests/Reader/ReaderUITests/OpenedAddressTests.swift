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

  @Test(
    "An address that is no web page, or has a user name, is opened only after a question",
    arguments: [
      ("ftp://old.example/file", "This isn\u{2019}t a web page."),
      ("https://bank.example@evil.example/", "This leads to evil.example."),
    ])
  func otherAddressIsConfirmed(url: String, reason: String) async throws {
    let robot = try await Self.robot(url)
    await robot.press("Enter", "o").sees("\(reason) Open \(url)?").press("n")
    #expect(robot.actions.opened.isEmpty)
    await robot.press("o", "y")
    #expect(robot.actions.opened == [url])
  }

  /// Returns a reader whose only article has this address.
  private static func robot(_ url: String, _ html: String = "<p>There.</p>") async throws -> Robot {
    let cache = try TestCache()
    let item = ParsedItem(
      id: "x", url: url, title: "Your account", contentHTML: html, datePublished: TestCache.start)
    try await cache.feed("Bank", [item])
    return await Robot(cache)
  }

  @Test("Look-alike characters in hosts are shown in Punycode")
  func lookalikesAreInPunycode() async throws {
    let bank = "https://b\u{430}nk.example/login"
    let robot = try await Self.robot(bank, "<p>Sign in <a href=\"\(bank)?now\">here</a>.</p>")
    await robot.press("Enter", "Enter")
    let shown = "https://xn--bnk-6cd.example/login"
    await robot.press("f").sees("here", "xn--bnk-6cd.example").press("Esc", "o")
    robot.sees("Opened \(shown)")
    #expect(robot.actions.opened == [bank])
  }
}
