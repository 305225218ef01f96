@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews

@Suite("Lists to choose from") struct PickerTests {
  @Test("A folder is chosen by a few letters, and a new one is offered first")
  func folders() async throws {
    let robot = try await Robot(.daily())
    await robot.press("G", "t").sees("Move to folder:", "+ New folder …", "No folder")
    await robot.type("data").sees("Systems/Databases").press("Enter")
    robot.sees("is in Systems/Databases")
    await robot.press("t").type("News").sees("+ New folder \u{201C}News\u{201D}").press("Enter")
    robot.sees("is in News")
    await robot.press("t").type("no f").press("Enter").sees("is in no folder")
  }

  @Test("A title with matched letters ends in an ellipsis wherever it is cut") func cutTitle() {
    let pieces = FuzzyMatch.pieces(of: "abcdef", matched: [2, 3])
    for (columns, text) in [
      (1, "…"), (2, "a…"), (3, "ab…"), (4, "abc…"), (5, "abcd…"), (6, "abcdef"), (7, "abcdef"),
    ] {
      let canvas = Canvas(size: Size(width: 10, height: 1), theme: .mono)
      let used = canvas.write(pieces, x: 0, y: 0, columns: columns, .text)
      #expect(used == min(columns, 6))
      let row = canvas.surface.row(0).map(\.text).joined()
      #expect(row.trimmingCharacters(in: .whitespaces) == text)
    }
  }

  @Test("Tab marks several tags, and Esc changes nothing") func tags() async throws {
    let robot = try await Robot(.daily())
    await robot.press("Enter", "t").type("later rust").press("Enter")
    robot.sees("#later #rust on 1 article")
    await robot.press("t").sees("✓ later").press("Esc", "j", "t").type("rust").press("Tab")
    await robot.press("Ctrl-u").type("later").press("Tab", "Enter")
    robot.sees("#later #rust on 1 article")
  }

  @Test("A theme is previewed while it is chosen, and remembered")
  func themes() async throws {
    let robot = await Robot(try await .daily(), colors: .trueColor)
    let before = robot.application.context.theme.name
    await robot.type(":theme").press("Enter").sees("Theme:").type("warm")
    #expect(robot.application.context.theme.name == "warm")
    await robot.press("Esc")
    #expect(robot.application.context.theme.name == before)
    await robot.type(":theme").press("Enter").type("warm").press("Enter")
    #expect(robot.actions.remembered == [.theme: "warm"])
  }

  @Test("A theme chosen against the configuration applies until the reader ends")
  func fixedTheme() async throws {
    let robot = await Robot(
      try await .daily(), width: 130, colors: .trueColor,
      configuration: .test { ($0.theme, $0.fixed) = ("dark", ["reader.theme"]) })
    await robot.type(":theme light").press("Enter").sees("your configuration sets reader.theme")
    #expect(robot.application.context.theme.name == "light")
  }

  @Test("A line width is previewed while it is chosen, and remembered")
  func width() async throws {
    let robot = await Robot(try await .daily(), width: 120)
    await robot.type(":text-width").press("Enter").sees("Line width:").type("60")
    #expect(robot.application.context.configuration.textWidth == 60)
    await robot.press("Esc")
    #expect(robot.application.context.configuration.textWidth == 72)
    await robot.type(":text-width 66").press("Enter")
    #expect(robot.actions.remembered == [.textWidth: "66"])
    await robot.type(":text-width 7").press("Enter").sees("Type a number from 20 to 1000")
  }

  @Test("The first letter replaces a preselected text, and an arrow key keeps it")
  func selectedText() {
    var field = TextField("Systems", isSelected: true)
    _ = field.handle(.character("N"))
    #expect(field.text == "N")
    field = TextField("Systems", isSelected: true)
    _ = field.handle(.right)
    _ = field.handle(.character("!"))
    #expect(field.text == "Systems!")
    field = TextField("Systems", isSelected: true)
    _ = field.handle(.backspace)
    #expect(field.text.isEmpty)
  }
}

@Suite("Saving articles as files") struct SaveTests {
  @Test("An article is saved as Markdown or text, by default in the format chosen last")
  func saves() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", "g x").sees("Markdown (.md)").type("markdown (")
    await robot.press("Enter").sees("Save to: ~/Why-ETags-are-opaque.md").press("Enter")
    let markdown = try #require(robot.actions.saved.last)
    #expect(markdown.path == "~/Why-ETags-are-opaque.md")
    #expect(markdown.text.hasPrefix("# Why ETags are opaque\n\nRachel · Rachel"))
    #expect(markdown.text.contains("**byte for byte**. See [RFC 9110](https://www.rfc-editor.org/"))
    await robot.press("g x").type("plain").press("Enter")
    await robot.sees("Save to: ~/Why-ETags-are-opaque.txt").press("Enter").sees("Saved as")
    #expect(robot.actions.saved.last?.path == "~/Why-ETags-are-opaque.txt")
    #expect(robot.actions.saved.last?.text.contains("Quotes are stripped") == true)
    // The last choice is offered first.
    #expect(robot.actions.remembered[.sending] == "text")
    await robot.type(":save-article").press("Enter", "Enter").sees("ETags-are-opaque.txt")
  }
}

@Suite("Saving lists as books") struct SaveListTests {
  @Test("The whole list is saved as a book in its order, or the selected articles of it")
  func saves() async throws {
    let (cache, feed) = try await TestCache.large(1_200)
    let robot = await Robot(cache)
    await robot.press("G", "Enter").type(":save-list").press("Enter")
    await robot.sees("Save as a book to: ~/").press("Enter")
    let whole = try #require(robot.actions.books.last)
    #expect(whole.path == "~/\(whole.title).epub" && whole.articles.count == 1_000)
    let query = ArticleQuery(scope: .feed(feed), filter: .all)
    let top = try cache.store.reader.articles.page(query, .top, limit: 1_000).map(\.id)
    #expect(whole.articles == top)
    await robot.press("V", "j", "j").type(":save-list").press("Enter", "Enter")
    #expect(robot.actions.books.last?.articles == Array(top.prefix(3)))
  }

  @Test("An empty list is not saved") func empty() async throws {
    let robot = await Robot(try TestCache())
    await robot.type(":save-list").press("Enter")
    #expect(robot.actions.books.isEmpty)
  }
}

@Suite("Sound, video and discussions") struct PlayTests {
  private func robot(_ item: ParsedItem) async throws -> Robot {
    let cache = try TestCache()
    try await cache.feed("Podcast", [item])
    let robot = await Robot(cache)
    await robot.press("G", "Enter")
    return robot
  }

  private static let files = [
    Enclosure(
      url: "https://a.example/one.mp3", mimeType: "audio/mpeg", size: 28_400_000, duration: 2_840),
    Enclosure(url: "https://a.example/two.mp4", mimeType: "video/mp4"),
  ]

  @Test("The player receives the address of an article's file") func plays() async throws {
    let robot = try await robot(.item("Episode", minutes: 1, enclosures: [Self.files[0]]))
    await robot.press("P").sees("Playing \u{201C}Episode\u{201D}")
    let task = try #require(robot.actions.tasks.first)
    #expect(task.program == .player && task.address == "https://a.example/one.mp3")
    #expect(task.environment["WEIR_ENCLOSURE"] == "https://a.example/one.mp3")
  }

  @Test("A downloaded file is played from the path where it was saved")
  func playsTheFile() async throws {
    let robot = try await robot(.item("Episode", minutes: 1, enclosures: [Self.files[0]]))
    await robot.press("d")
    let store = robot.cache.store
    let id = try #require(try store.reader.articles.page(.all, .top, limit: 1).first?.id)
    let download = try #require(try store.reader.downloads.files(of: id).first)
    try await store.engine.downloads.finishDownload(download.id, .saved(path: "/tmp/one.mp3"))
    await robot.waitUntilIdle().press("P")
    #expect(robot.actions.tasks.last?.file == "/tmp/one.mp3")
    #expect(robot.actions.tasks.last?.address == nil)
  }

  @Test("One of several files can be chosen for playing") func choosesAFile() async throws {
    let robot = try await robot(.item("Episode", minutes: 1, enclosures: Self.files))
    await robot.press("P").sees("one.mp3", "audio/mpeg · 47 min · 28 MB").press("Down")
    await robot.press("Enter").sees("Playing \u{201C}two.mp4\u{201D}")
    #expect(robot.actions.tasks.first?.address == "https://a.example/two.mp4")
  }

  @Test("An article without sound, video or discussion is reported as such")
  func hasNothing() async throws {
    let robot = try await robot(.item("Text", minutes: 1))
    await robot.press("P").sees("This article has no sound or video")
    await robot.press(":about discussion").sees("is not possible here")
  }

  @Test("The discussion is opened: one that the feed names, or that the text links to")
  func discussion() async throws {
    var item = ParsedItem.item("Text", minutes: 1)
    item.commentsURL = "https://blog.example/text#comments"
    await (try await robot(item)).press(":about discussion").sees(
      "Opened https://blog.example/text#comments")
    let linked = ParsedItem.item(
      "Text", minutes: 1,
      body: "<p><a href=\"https://news.ycombinator.com/item?id=123\">Comments</a></p>")
    await (try await robot(linked)).press(":about discussion").sees(
      "news.ycombinator.com/item?id=123")
  }
}
