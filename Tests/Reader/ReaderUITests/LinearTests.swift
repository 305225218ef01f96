@testable import ReaderServices
@testable import ReaderUI

/// The words of screens in the linear form.
@Suite("The linear form") struct LinearTests {
  private func robot(_ cache: TestCache? = nil) async throws -> Robot {
    var configuration = ReaderConfiguration.test()
    configuration.isLinear = true
    let used: TestCache
    if let cache { used = cache } else { used = try await .daily() }
    return await Robot(used, width: 200, height: 24, configuration: configuration)
  }

  private func spoken(_ robot: Robot) throws -> SpokenScreen {
    try #require(robot.terminal.surface?.spoken)
  }

  @Test("One pane is in view at every width, and its rows are sentences")
  func lists() async throws {
    let robot = try await robot()
    #expect(try spoken(robot).place == "List of feeds")
    #expect(try spoken(robot).content.count == 1)
    #expect(try spoken(robot).content[0].hasSuffix(", Unread, 13 unread"))
    #expect(robot.application.browser.layout.panes.count == 1)
    await robot.press("Enter")
    #expect(try spoken(robot).place == "List of articles: Unread")
    let first = try #require(try spoken(robot).content.first)
    #expect(first.hasPrefix("1 of ") && first.contains(", unread, "), "\(first)")
    #expect(first.hasSuffix("Rachel: Why ETags are opaque, 1 minute, 2 minutes ago"), "\(first)")
    await robot.press("s")
    #expect(try spoken(robot).content[0].contains("unread, starred, Rachel"))
    await robot.press("m")
    #expect(try spoken(robot).content[0].contains(", read, starred, Rachel"))
    await robot.press("V")
    #expect(try spoken(robot).content[0].contains(", selected, read"))
  }

  @Test("The minutes of Later are said, and the states that keys change in an open article")
  func later() async throws {
    let cache = try TestCache()
    let body = "<p>" + String(repeating: "word ", count: 1_680) + "</p>"
    try await cache.feed("Planet", [.item("One", minutes: 9_000, body: body)])
    let robot = try await robot(cache)
    await robot.press("Enter").waitUntilIdle()
    #expect(try spoken(robot).content[0].contains("One, 7 minutes, "))
    await robot.press("Enter").waitUntilIdle()
    for (key, words) in [
      ("L", "Kept for later"), ("s", "Starred"), ("s", "Not starred"), ("m", "Unread"),
    ] {
      await robot.press(key).waitUntilIdle()
      #expect(try spoken(robot).message == words)
    }
    await robot.press("q", "h").waitUntilIdle()
    var rows: [String] = []
    for _ in 0..<6 {
      await robot.press("j").waitUntilIdle()
      rows += try spoken(robot).content
    }
    #expect(rows.contains { $0.hasSuffix(", Later, 1 article, 7 minutes") }, "\(rows)")
  }

  @Test("Marks of feeds and folders are words") func feeds() async throws {
    let robot = try await robot()
    var rows: [String] = []
    for _ in 0..<15 {
      rows += try spoken(robot).content
      await robot.press("j")
    }
    #expect(rows.contains { $0.contains("closed folder, Systems") || $0.contains("open folder") })
    #expect(rows.contains { $0.contains("level 2, failing, Old Gazette") }, "\(rows)")
  }

  @Test("An article is written as its lines of text, and a page down writes the next ones")
  func article() async throws {
    let robot = try await robot()
    await robot.press("Enter", "v", "/").type("WAL")
    await robot.press("Enter", "Enter")
    let first = try spoken(robot)
    #expect(first.place == "Article")
    #expect(first.content.first?.contains("Notes on WAL checkpoints") == true)
    #expect(first.content.allSatisfy { !$0.isEmpty && !$0.hasPrefix(" ") })
    await robot.press("Space")
    #expect(try spoken(robot).content != first.content)
  }

  @Test(
    "Sheets, prompts and lists of keys are read from their rows",
    arguments: [
      (["?"], "Space, read on"), (["?", "?"], "j ↓, Move down"), (["!", "j"], "Old Gazette"),
      (["Enter", ":"], "Read on: page down"), (["Enter", "j", ":mark-part above"], "y / n"),
      (["S"], ""), (["Enter", "D"], ""),
    ])
  func sheets(keys: [String], words: String) async throws {
    let robot = try await robot()
    for key in keys { await robot.press(key) }
    let content = try spoken(robot).content.joined(separator: "\n")
    #expect(words.isEmpty || content.contains(words), "\(content)")
    #expect(!content.contains("▎") && !content.contains("●"), "\(content)")
  }

  @Test("The keys after a prefix are lines, and messages and problems of forms are said")
  func messages() async throws {
    let robot = try await robot()
    await robot.press("g")
    robot.timers.pass(0.5)
    #expect(try spoken(robot).content.contains("gg, Go to the top"))
    await robot.press("Esc", "F")
    #expect(try spoken(robot).message.hasPrefix("Unknown key “F”"))
    await robot.press(":rules", "a", "Enter")
    #expect(try spoken(robot).message == "A condition is missing.")
  }

  @Test(
    "A row of the screen is read with words for symbols and without ornaments",
    arguments: [
      ("▎ ● A quieter terminal       14 min", "unread, A quieter terminal, 14 min"),
      ("▎   Then  ‹ skip later rules ›", "Then, skip later rules"),
      ("  ! Old Gazette  answered 503", "failing, Old Gazette, answered 503"),
      ("──────", ""), ("▁▂▅▇  1.4 MB/s", "1.4 MB/s"),
    ])
  func rows(row: String, words: String) { #expect(SpokenRow.text(of: row) == words) }

  @Test("The effect of a highlighted choice is a message, and a tag has the number of its articles")
  func choices() async throws {
    let cache = try TestCache()
    try await cache.feed("Planet", [.item("One", minutes: 9_000), .item("Two", minutes: 9_001)])
    let robot = try await robot(cache)
    await robot.press("Enter", "g A").waitUntilIdle()
    await robot.press("Down").waitUntilIdle()
    #expect(try spoken(robot).message.hasPrefix("marks "))
    await robot.press("Esc").type(":mark-shown").waitUntilIdle()
    #expect(try spoken(robot).message.hasSuffix("read in Unread"))
    await robot.press("Esc", "t").type("later")
    await robot.press("Enter").waitUntilIdle()
    await robot.press("t").waitUntilIdle()
    #expect(try spoken(robot).content == ["marked, later, 1 article"])
    #expect(try spoken(robot).message == "1 article")
  }

  @Test("A row of the downloads is one sentence with its state, feed, size and address")
  func downloads() async throws {
    let cache = try TestCache()
    try await cache.feed(
      "Rocket Science",
      [
        .item(
          "Tanks", minutes: 1,
          enclosures: [Enclosure(url: "https://rocket.example/1.mp3", mimeType: "audio/mpeg")])
      ])
    let article = try #require(try cache.articles.page(.all, .top, limit: 1).first)
    let id = try #require(try await cache.downloads.requestDownloads(of: article.id).first?.id)
    let robot = try await robot(cache)
    await robot.press(":lists downloads")
    #expect(try spoken(robot).content == ["1 of 1, Tanks, in the queue, Rocket Science"])
    try await cache.store.engine.downloads.finishDownload(
      id, .saved(path: "/srv/pods/1.mp3"), bytes: 28_400_000)
    cache.clock.now += 7_200
    await robot.waitUntilIdle().press("k").waitUntilIdle()
    let row = try #require(try spoken(robot).content.first)
    #expect(row.hasPrefix("1 of 1, Tanks, 2h, Rocket Science, "), "\(row)")
    #expect(row.hasSuffix("/srv/pods/1.mp3"), "\(row)")
  }

  @Test("A surface without the linear form has no words") func drawn() async throws {
    let robot = await Robot(try await .daily())
    #expect(robot.terminal.surface?.spoken == nil)
  }
}
