@testable import ArticleText
@testable import ReaderServices
@testable import ReaderUI

@Suite("Lists copied as commands, articles as Markdown links") struct CopyTests {
  @Test(
    "Words of the shell are quoted where necessary",
    arguments: [
      ("weir", "weir"), ("--feed=12", "--feed=12"), ("", "''"), ("a b", "'a b'"),
      ("$HOME", "'$HOME'"),
      ("it's", "'it'\\''s'"), ("a\nb\u{1B}", "'a b '"), ("天気", "'天気'"),
    ])
  func words(text: String, quoted: String) {
    #expect(ShellWord.quoted(text) == quoted)
  }

  @Test(
    "A Markdown link has an escaped text and address",
    arguments: [
      ("Plain", "https://a.example/", "[Plain](https://a.example/)"),
      (
        "[a] *b* _c_", "https://a.example/(1)", "[\\[a\\] \\*b\\* \\_c\\_](<https://a.example/(1)>)"
      ),
      ("`x` <y>", "https://a.example/<b>\\", "[\\`x\\` \\<y>](https://a.example/%3Cb%3E%5C)"),
    ])
  func links(title: String, address: String, link: String) {
    #expect(ArticleBody.markdownLink(title, to: address) == link)
  }

  @Test("The command names the list under the cursor, its filter and its text")
  func commands() async throws {
    let robot = await Robot(try await .daily())
    func copied() async -> String? {
      await robot.type(":copy-command").press("Enter")
      return robot.terminal.clipboard
    }
    #expect(await copied() == "weir articles --unread")
    robot.sees("Copied weir articles --unread")
    await robot.press("g g")
    #expect(await copied() == "weir articles --today")
    await robot.press("Enter", "v", "v")
    #expect(await copied() == "weir articles --today --starred")
    await robot.press("v", "/").type("it's").press("Enter")
    #expect(await copied() == "weir articles --today '--filter=it'\\''s'")
    await robot.press("Esc", "q").press("j", "j", "j")
    let folder = await copied()
    #expect(folder?.hasPrefix("weir articles --folder ") == true, "\(folder ?? "")")
    await robot.press("G")
    let feed = await copied()
    #expect(feed?.hasPrefix("weir articles --feed ") == true, "\(feed ?? "")")
  }

  @Test("A saved search is copied with its query, and a list without a command says so")
  func searches() async throws {
    let cache = try await TestCache.daily()
    try await cache.store.search.saveSearch("-title:\"forty years\"", name: "Not old")
    let robot = await Robot(cache)
    await robot.press("g l").type("Not old").press("Enter").type(":copy-command").press("Enter")
    #expect(robot.terminal.clipboard == "weir articles '-title:\"forty years\"'")
    await robot.press(":lists hidden").type(":copy-command").press("Enter")
    robot.sees("is not possible here")
  }

  @Test("The article is copied as a Markdown link from the list and from the text")
  func markdown() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter").type(":copy-markdown").press("Enter")
    let link = try #require(robot.terminal.clipboard)
    #expect(link.hasPrefix("[Why ETags are opaque](https://"), "\(link)")
    await robot.press("Enter", "y").type(":copy-markdown").press("Enter")
    #expect(robot.terminal.clipboard == link)
  }
}
