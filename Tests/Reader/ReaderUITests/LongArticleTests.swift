@testable import ArticleScreens
@testable import ReaderServices
@testable import ReaderUI

@Suite("Long articles") struct LongArticleTests {
  /// The number of paragraphs, many more than are laid out at once.
  private static let count = 4_000
  private static let body =
    (1...count).map { "<p>Paragraph \($0) of a long text, with enough words for two lines.</p>" }
    .joined() + "<p id=\"last\">The very end.</p>"
  private static let linked = "<p><a href=\"#last\">Down</a></p>" + body

  /// Returns a reader with one feed's list, in which the long article is selected.
  private func robot(_ body: String, _ cache: TestCache? = nil) async throws -> Robot {
    let cache = try cache ?? TestCache()
    try await cache.feed(
      "Notes",
      [
        .item(
          "Long", minutes: 1, body: body,
          enclosures: [Enclosure(url: "https://e.org/a.mp3", mimeType: "audio/mpeg")]),
        .item("Short", minutes: 2),
      ])
    let robot = await Robot(cache, width: 80, configuration: .test())
    return await robot.press("Enter")
  }

  @Test("The frame after the opening key shows the beginning of a long article")
  func firstScreen() async throws {
    #expect(Self.body.utf8.count > 4 * ArticlePage.firstPiece)
    let robot = try await robot(Self.body)
    robot.turn([.enter])
    robot.sees("Paragraph 1 of", "Paragraph 4 of", "…")
    await robot.waitUntilIdle().doesNotSee("…").sees("0 %")
  }

  @Test(
    "An article is laid out for the pane that will show it, not again when the pane is drawn",
    arguments: [80, 120])
  func laidOutOnce(width: Int) async throws {
    let cache = try TestCache()
    try await cache.feed("Notes", [.item("Only", minutes: 1, body: Self.body)])
    let robot = await Robot(cache, width: width, configuration: .test())
    await robot.press("Enter")
    let browser = robot.application.browser
    let reader = browser.reader
    browser.open(try #require(browser.articles?.model.selectedRow?.id))
    let (frame, columns) = (reader.frame, reader.page.width)
    #expect(columns != nil)
    robot.application.frame()
    #expect(reader.frame == frame)
    #expect(reader.page.width == columns)
  }

  @Test("G in a long article goes to the end as soon as the end is laid out")
  func toTheEnd() async throws {
    let robot = try await robot(Self.body)
    robot.turn([.enter])
    robot.turn([.character("G")])
    robot.doesNotSee("The very end.")
    await robot.waitUntilIdle().sees("The very end.", "end")
    await robot.press("gg").sees("Paragraph 1 of")
  }

  @Test("The last page marks where its new text begins") func lastPage() async throws {
    let robot = try await robot((1...26).map { "<p>Line \($0)</p>" }.joined())
    await robot.press("Enter", "Space").doesNotSee("▸")
    await robot.press("Space")
    let mark = try #require(robot.lines.firstIndex { $0.contains("▸") })
    #expect(mark > 2)
    await robot.press("k").doesNotSee("▸")
  }

  @Test("A key pressed after G, before the rest is laid out, keeps the page in place")
  func keysMeanwhile() async throws {
    let robot = try await robot(Self.body)
    robot.turn([.enter])
    robot.turn([.character("G")])
    robot.turn([.character("k")])
    let lines = robot.lines.dropLast(3)
    await robot.waitUntilIdle()
    #expect(robot.lines.dropLast(3) == lines)
  }

  @Test("Space in a long article does not go to the next one before the end is laid out")
  func readingOn() async throws {
    let robot = try await robot(Self.body)
    robot.turn([.enter])
    robot.turn([.character("G")])
    for _ in 0..<3 { robot.turn([.character(" ")]) }
    await robot.waitUntilIdle().sees("of a long text").doesNotSee("Body of Short")
  }

  @Test("A long article opens where it was left, and keeps its place at another width")
  func positions() async throws {
    let robot = try await robot(Self.body)
    await robot.press("Enter", "G", "PgUp", "PgUp", "k", "k", "k")
    let lines = Array(robot.lines.dropLast(2))
    robot.sees("of a long text").doesNotSee("Paragraph 1 of")
    await robot.press("q", "Enter")
    #expect(Array(robot.lines.dropLast(2)) == lines)
    let top = robot.lines[2]
    await robot.resize(60, 24)
    await robot.resize(80, 24)
    #expect(robot.lines[2] == top)
    // The old layout stays readable while the new one is made.
    robot.terminal.resize(to: Size(width: 64, height: 24))
    robot.turn(robot.terminal.readKeys())
    robot.sees("of a long text")
    await robot.waitUntilIdle().sees("of a long text")
  }

  @Test("A link to a place that is not laid out yet leads there") func placesAhead() async throws {
    let robot = try await robot(Self.linked)
    robot.turn([.enter])
    robot.turn([.character("f")])
    robot.turn([.character("1")])
    await robot.waitUntilIdle().selects("The very end.")
  }

  @Test("A search in a long article finds matches at its end") func finding() async throws {
    let robot = try await robot(Self.body)
    await robot.press("Enter", "/")
    await robot.type("VERY END")
    await robot.press("Enter").sees("The very end.", "/VERY END · 1 line")
    await robot.press("Esc", "gg", "/")
    await robot.type("long text")
    await robot.press("Enter").sees("4,000 lines")
  }

  @Test("A change of an article's state does not move its long text")
  func stateChanges() async throws {
    let robot = try await robot(Self.body)
    await robot.press("Enter", "G", "PgUp")
    let lines = robot.lines.dropLast(2)
    robot.turn([.character("s")])
    await robot.waitUntilIdle()
    #expect(robot.lines.dropLast(2) == lines)
    await robot.press("gg").sees("★")
  }

  @Test("A truncated article is marked as such, with the key that opens the page")
  func cuts() async throws {
    let code = "<pre>" + String(repeating: "x\n", count: 120_000) + "</pre>"
    let robot = try await robot(code)
    await robot.press("Enter", "G")
    robot.sees("This article is too long to show in full", "o opens the page")
  }

  @Test("A program gets the whole text of a long article") func programs() async throws {
    let robot = try await robot(Self.body)
    await robot.press("Enter", ":send pipe")
    await robot.type("wc")
    await robot.press("Enter")
    let input = try #require(robot.actions.tasks.last?.input)
    #expect(input.contains("Paragraph 4000 of a long text, with enough words for two lines.\n"))
    #expect(input.contains("The very end."))
  }

  @Test("A program gets whole addresses and unwrapped lines") func unwrapped() async throws {
    let address = "https://example.org/" + String(repeating: "part/", count: 40)
    let words = String(repeating: "word ", count: 60)
    let robot = try await robot("<p>\(words)<a href=\"\(address)\">link</a></p>")
    await robot.press("Enter", ":send pipe")
    await robot.type("wc")
    await robot.press("Enter")
    let input = try #require(robot.actions.tasks.last?.input)
    #expect(input.contains(words + "link\u{2060}[1]\n") || input.contains(words + "link[1]\n"))
    #expect(input.contains("[1] \(address)\n"))
    #expect(!input.contains("…"))
  }
}
