import HTMLContent

@testable import ArticleScreens
@testable import ReaderServices
@testable import ReaderUI

@Suite("Typical articles on the screen") struct TypographyScreenTests {
  nonisolated static let sizes = [(80, 24), (120, 40), (200, 50)]
  nonisolated static let pages = SampleArticle.all.flatMap { article in
    sizes.map { (article, $0.0, $0.1) }
  }

  private static func item(_ article: SampleArticle) -> ParsedItem {
    let isPodcast = article.name == "podcast"
    var item = ParsedItem.item(
      article.title, minutes: 2,
      body: HTMLContent.sanitise(article.html, baseURL: "https://example.org/"),
      author: article.author,
      enclosures: isPodcast
        ? [
          Enclosure(
            url: "https://cdn.example.fm/41.mp3", mimeType: "audio/mpeg", size: 48_400_000,
            duration: 3_130)
        ] : [])
    item.url = "https://example.org/\(article.name)"
    if article.name == "link-blog" { item.commentsURL = "https://news.example.org/item?id=1" }
    return item
  }

  /// Returns a reader with an open article.
  static func robot(
    _ article: SampleArticle, _ width: Int, _ height: Int, colors: ColorDepth = .ansi256
  ) async throws -> Robot {
    let cache = try TestCache()
    try await cache.feed("The Sampler", url: "https://sampler.example/feed", [item(article)])
    let robot = await Robot(cache, width: width, height: height, colors: colors)
    return await robot.press("Enter", "Enter")
  }

  @Test("Every kind of article looks as recorded", arguments: pages)
  func recorded(article: SampleArticle, width: Int, height: Int) async throws {
    let robot = try await Self.robot(article, width, height)
    try robot.matches("page-\(article.name)-\(width)x\(height)")
  }

  @Test(
    "Code and tables look as recorded in colour and without",
    arguments: [ColorDepth.trueColor, .ansi16, .mono])
  func styled(colors: ColorDepth) async throws {
    for article in [SampleArticle.swiftPost, .pep, .tables, .linkBlog] {
      let robot = try await Self.robot(article, 100, 60, colors: colors)
      let look = colors == .mono ? "mono" : colors == .ansi16 ? "16" : "colour"
      try Golden.check("styled-page-\(article.name)-\(look)-100x60", robot.terminal.styled)
    }
  }

  /// Reads on to the end of the article, and calls `page` for each page.
  private func readThrough(_ robot: Robot, _ page: (ReaderScreen) throws -> Void) async throws {
    let reader = robot.application.browser.reader
    for _ in 0..<200 {
      try page(reader)
      let top = reader.view.top
      await robot.press("PageDown")
      if reader.view.top == top { return }
    }
    Issue.record("no end was reached")
  }

  @Test("No page ends with a heading, and no line is left out", arguments: SampleArticle.all)
  func pages(article: SampleArticle) async throws {
    for (width, height) in [(80, 24), (60, 13), (120, 40), (40, 18)] {
      let robot = try await Self.robot(article, width, height)
      try await check(robot)
    }
  }

  @Test("No page ends with a heading, wherever the headings are")
  func generatedPages() async throws {
    for seed in 0..<6 {
      var random = SeededRandom(seed: UInt64(seed))
      var body = ""
      for number in 0..<60 {
        let rank = Int.random(in: 1...6, using: &random)
        if number % 3 != 2 { body += "<h\(rank)>Heading \(number)</h\(rank)>" }
        let words = Int.random(in: 1...40, using: &random)
        body += "<p>" + String(repeating: "word ", count: words) + "</p>"
      }
      let cache = try TestCache()
      try await cache.feed("Notes", [.item("Headings", minutes: 1, body: body)])
      let robot = await Robot(cache, width: 60, height: 15 + seed)
      try await check(await robot.press("Enter", "Enter"))
    }
  }

  private func check(_ robot: Robot) async throws {
    var shown = 0
    try await readThrough(robot) { reader in
      let lines = try #require(reader.document).lines
      let end = min(lines.count, reader.view.top + reader.shownHeight)
      let skipped = lines[min(shown, reader.view.top)..<max(shown, reader.view.top)]
      let isNothingSkipped = reader.view.top <= shown || skipped.allSatisfy { $0.isBlank }
      #expect(isNothingSkipped)
      shown = end
      let last = lines[reader.view.top..<end].last { !$0.isBlank }
      #expect(end == lines.count || last?.isHeading != true, "\(robot.terminal.text)")
    }
    #expect(shown == robot.application.browser.reader.document?.lines.count)
  }

  @Test("The first lines list the article's files, pictures and comments, and lead to them")
  func head() async throws {
    let podcast = try await Self.robot(.podcast, 80, 24)
    podcast.sees("1 min   audio · 52 min · 48 MB   P to play")
    let blog = try await Self.robot(.linkBlog, 80, 24)
    blog.sees("▣ 2   ☰")
    let y = try #require(blog.lines.firstIndex { $0.contains("☰") })
    let x = try #require(blog.lines[y].range(of: "☰")).lowerBound
    let column = blog.lines[y].distance(from: blog.lines[y].startIndex, to: x)
    await blog.key(.mouse(MouseEvent(.press, x: column, y: y)))
    #expect(blog.actions.opened == ["https://news.example.org/item?id=1"])
  }

  @Test("Content wider than the page is scrolled by keys and by clicks at its edges")
  func sideways() async throws {
    let robot = try await Self.robot(.tables, 80, 24)
    await robot.press("l").sees("There is no pane on the right")
    await robot.press("G").sees("--connections").doesNotSee("READER_CONNECTIONS").sees("›")
    await robot.press("2l", "l", "l", "l", "l", "l", "l")
    robot.sees("‹", "READER_CONNECTIONS").doesNotSee("--connections")
    // Text that fits stays where it is.
    robot.sees("Water is H₂O")
    await robot.press("9h").sees("--connections").doesNotSee("‹")
    let y = try #require(robot.lines.firstIndex { $0.contains("--connections") })
    let x = try #require(Array(robot.lines[y]).firstIndex(of: "›"))
    await robot.key(.mouse(MouseEvent(.press, x: x, y: y)))
    robot.sees("‹")
  }

  @Test("Code is wrapped, or scrolled if the user chooses that") func code() async throws {
    let robot = try await Self.robot(.swiftPost, 80, 50)
    robot.sees("↪ \"Terminal\"], swiftSettings")
    await robot.press(":layout wrap").sees("h and l scroll long lines of code").doesNotSee("↪")
      .sees("›")
    await robot.press("l").sees("‹")
    await robot.press(":layout wrap").sees("↪", "Long lines of code are wrapped")
    robot.application.configure(.test { $0.wrapsCode = true })
    robot.sees("↪")
  }
}
