import ArticleText

@testable import ReaderServices
@testable import ReaderUI

@Suite("Pictures in the text") struct PictureTests {
  private static let hills = "https://pictures.example/hills.png"
  private static let map = "https://pictures.example/map.png"
  private static let html =
    "<p>We left early.</p><figure><img src=\"\(hills)\" alt=\"Hills\" width=\"300\" height=\"160\">"
    + "<figcaption>At noon.</figcaption></figure><p>Then it rained.</p>"
    + "<img src=\"\(map)\" alt=\"A map\"><p>The end.</p>"

  /// Returns a reader of an article with a picture of known size and one of unknown size.
  private func robot(
    _ display: PictureDisplay = .blocks, colors: ColorDepth = .trueColor, width: Int = 80,
    height: Int = 30, html: String = html, cache: TestCache? = nil,
    picturesOfArticle: Int = PictureLimits.article
  ) async throws -> Robot {
    let cache = try cache ?? TestCache()
    if try cache.store.reader.feeds.subscriptions().feeds.isEmpty {
      try await cache.feed(
        "Walks", url: "https://walks.example/feed", [.item("Hills", minutes: 5, body: html)])
    }
    var configuration = ReaderConfiguration.test { $0.pictures = display }
    configuration.picturesOfArticle = picturesOfArticle
    return await Robot(
      cache, width: width, height: height, colors: colors, configuration: configuration)
  }

  private func receive(_ url: String, _ bytes: [UInt8] = [1, 2, 3], in cache: TestCache)
    async throws
  {
    let task = try #require(try cache.store.engine.pictures.pending().first { $0.url == url })
    try await cache.store.engine.pictures.finishPicture(
      task.id, .received(bytes, PictureSize(width: 300, height: 160), PictureValidators()))
  }

  private func asked(_ cache: TestCache) throws -> [String: Bool] {
    Dictionary(
      uniqueKeysWithValues: try cache.store.engine.pictures.pending().map {
        ($0.url, $0.isVisible)
      })
  }

  @Test("Pictures on screen are requested, and the text does not move when they arrive")
  func arrival() async throws {
    let robot = try await robot()
    await robot.press("Enter", "Enter").sees("loading", "Hills", "At noon.")
    let isLoading = { robot.lines.contains { $0.hasPrefix("    loading") } }
    #expect(isLoading())
    #expect(try asked(robot.cache) == [Self.hills: true, Self.map: true])
    let before = robot.lines
    try await receive(Self.hills, in: robot.cache)
    await robot.waitUntilIdle().sees("Hills")
    #expect(!isLoading())
    let changed = zip(before, robot.lines).filter { $0 != $1 }
    #expect(changed.count == 1, "only the notice is gone: \(changed)")
    #expect(robot.actions.decoded == [Size(width: 60, height: 32)])
    try Golden.check("pictures-blocks-80x30", robot.terminal.styled)
    // A picture of unknown size is laid out when that moves no line in view.
    try await receive(Self.map, in: robot.cache)
    await robot.waitUntilIdle()
    #expect(robot.actions.decoded.count == 1)
    await robot.press("q", "Enter")
    #expect(robot.actions.decoded.count == 2)
  }

  @Test("Pictures are blocks in 256 or 16 colours, and are left out without colours")
  func depths() async throws {
    for colors in [ColorDepth.ansi256, .ansi16] {
      let robot = try await robot(colors: colors)
      await robot.press("Enter", "Enter")
      try await receive(Self.hills, in: robot.cache)
      await robot.waitUntilIdle()
      #expect(robot.actions.decoded.count == 1)
    }
    let mono = try await robot(colors: .mono)
    await mono.press("Enter", "Enter")
    mono.doesNotSee("loading").sees("Hills")
    #expect(try asked(mono.cache).isEmpty)
    await mono.press("I")
    mono.sees("Pictures need a terminal with colours")
    let off = try await robot(.off)
    await off.press("Enter", "Enter", "I")
    off.sees("Pictures are off in the configuration")
    #expect(try asked(off.cache).isEmpty)
  }

  @Test("A terminal with graphics gets each picture once, and its cells scroll with the text")
  func kitty() async throws {
    let more = String(repeating: "<p>And so on.</p>", count: 20)
    let robot = try await robot(.auto, height: 16, html: Self.html + more)
    robot.terminal.graphics = .kitty
    robot.terminal.cellPixels = Size(width: 10, height: 20)
    await robot.press("Enter", "Enter")
    try await receive(Self.hills, in: robot.cache)
    await robot.waitUntilIdle()
    #expect(robot.actions.decoded == [Size(width: 300, height: 160)])
    #expect(robot.terminal.sentPictures.count == 1)
    #expect(robot.terminal.sentPictures.first?.columns == 30)
    try Golden.check("pictures-kitty-80x16", robot.terminal.styled)
    func firstRow() throws -> Int {
      let surface = try #require(robot.terminal.surface)
      for y in 0..<surface.size.height {
        for x in 0..<surface.size.width where PicturePlaceholder.part(of: surface[x, y]) != nil {
          return PicturePlaceholder.part(of: surface[x, y])?.row ?? -1
        }
      }
      return -1
    }
    #expect(try firstRow() == 0)
    await robot.press("9", "j")
    #expect(try firstRow() > 0)
    #expect(robot.terminal.sentPictures.count == 1)
    #expect(robot.actions.decoded.count == 1)
    // Blocks set in the configuration are used whatever the terminal supports.
    let blocks = try await self.robot(.blocks)
    blocks.terminal.graphics = .kitty
    await blocks.press("Enter", "Enter")
    try await receive(Self.hills, in: blocks.cache)
    await blocks.waitUntilIdle()
    #expect(blocks.terminal.sentPictures.isEmpty)
  }

  @Test("I hides and shows pictures, and a number opens one in the whole window")
  func keys() async throws {
    let robot = try await robot()
    await robot.press("Enter", "Enter")
    try await receive(Self.hills, in: robot.cache)
    await robot.waitUntilIdle()
    let with = robot.lines
    await robot.press("I").sees("Pictures are hidden; I shows them", "Hills", "The end.")
    await robot.press("I")
    #expect(robot.lines.dropLast(2) == with.dropLast(2))
    await robot.press("1", "I").sees("Picture").doesNotSee("Then it rained.")
    #expect(robot.actions.decoded.last?.width ?? 0 > 60)
    await robot.press("q").sees("Then it rained.")
    await robot.press("9", "I").sees("No picture has this number")
  }

  @Test("The reason why a picture is missing is shown in its place")
  func failures() async throws {
    let robot = try await robot()
    await robot.press("Enter", "Enter")
    let task = try #require(
      try robot.cache.store.engine.pictures.pending().first { $0.url == Self.hills })
    let failure = RefreshFailure(kind: .httpStatus, status: 404, since: TestCache.start)
    try await robot.cache.store.engine.pictures.finishPicture(task.id, .failed(failure))
    await robot.waitUntilIdle().sees("pictures.example has no such picture (404)", "Hills")
    // The decoder's reason.
    let other = try await self.robot()
    await other.press("Enter", "Enter")
    try await receive(Self.hills, [1], in: other.cache)
    await other.waitUntilIdle()
    other.sees("the picture is damaged").sees("Hills")
    // A refused picture takes a single line when the article is opened again.
    let cache = try TestCache()
    let third = try await self.robot(cache: cache)
    await third.press("Enter", "Enter")
    let refused = try #require(
      try cache.store.engine.pictures.pending().first { $0.url == Self.hills })
    try await cache.store.engine.pictures.finishPicture(refused.id, .refused(.notAPicture))
    await third.waitUntilIdle()
    third.sees("isn\u{2019}t a picture")
    await third.press("q", "Enter")
    third.sees("Hills").sees("1 picture is missing \u{B7} I retries")
    third.doesNotSee("isn\u{2019}t a picture", "▣ Hills")
    await third.press("I").sees("Fetching the missing pictures again")
    #expect(try asked(cache)[Self.hills] == true)
    await third.press("I").sees("Pictures are hidden")
  }

  @Test("A missing picture without a description takes no line, and is counted once at the end")
  func missing() async throws {
    let html =
      "<p>One.</p><img src=\"\(Self.hills)\"><p>Two.</p><img src=\"\(Self.map)\"><p>End.</p>"
    let cache = try TestCache()
    let robot = try await robot(html: html, cache: cache)
    await robot.press("Enter", "Enter")
    for task in try cache.store.engine.pictures.pending() {
      try await cache.store.engine.pictures.finishPicture(task.id, .refused(.notAPicture))
    }
    await robot.waitUntilIdle()
    await robot.press("q", "Enter").sees("2 pictures are missing").doesNotSee("isn\u{2019}t")
    let lines = robot.lines.filter { $0.contains { $0.isLetter } }.map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let first = try #require(lines.firstIndex(of: "One."))
    #expect(lines[(first + 1)...(first + 2)].elementsEqual(["Two.", "End."]))
  }

  /// Opens an article with a picture of eight rows between paragraphs, scrolled down by `rows`.
  private func betweenParagraphs(scrolled rows: Int) async throws -> Robot {
    let text = { (name: String) in (1...20).map { "<p>\(name) \($0).</p>" }.joined() }
    let picture = "<img src=\"\(Self.hills)\" alt=\"Hills\" width=\"300\" height=\"160\">"
    let robot = try await robot(html: text("Before") + picture + text("After"))
    await robot.press("Enter", "Enter")
    for _ in 0..<rows { await robot.press("j") }
    robot.sees("loading")
    return robot
  }

  private func fail(_ robot: Robot) async throws {
    let task = try #require(
      try robot.cache.store.engine.pictures.pending().first { $0.url == Self.hills })
    let failure = RefreshFailure(kind: .httpStatus, status: 404, since: TestCache.start)
    try await robot.cache.store.engine.pictures.finishPicture(task.id, .failed(failure))
    await robot.waitUntilIdle()
  }

  @Test(
    "A picture that fails between lines in view shrinks to one line at the next key that scrolls",
    arguments: [("j", "After 2.", -1), ("k", "Before 18.", 1)])
  func failureInView(key: String, text: String, step: Int) async throws {
    let robot = try await betweenParagraphs(scrolled: 32)
    let before = robot.lines
    try await fail(robot)
    let row = try #require(robot.lines.firstIndex { $0.contains(text) })
    #expect(before.firstIndex { $0.contains(text) } == row)
    await robot.press(key)
    #expect(robot.lines.firstIndex { $0.contains(text) } == row + step)
    robot.sees("Hills").doesNotSee("(404)")
  }

  @Test("A picture that fails at the edge of the view shrinks to one line at once")
  func failureAtTheEdge() async throws {
    let robot = try await betweenParagraphs(scrolled: 43)
    robot.doesNotSee("Before 20.")
    let row = try #require(robot.lines.firstIndex { $0.contains("After 2.") })
    try await fail(robot)
    #expect(robot.lines.firstIndex { $0.contains("After 2.") } == row)
    robot.sees("Before 20.", "Hills").doesNotSee("(404)")
  }

  @Test("Only a few pictures of an article are requested at once, each counted as the largest")
  func mostAtOnce() async throws {
    let body = (1...60).map { "<p><img src=\"https://pictures.example/\($0).png\"></p>" }.joined()
    let robot = try await robot(html: body)
    await robot.press("Enter", "Enter")
    await robot.waitUntilIdle()
    let most = PictureLimits.article / PictureLimits.bytes
    #expect(try asked(robot.cache).count == most)
    try await receive("https://pictures.example/1.png", in: robot.cache)
    await robot.waitUntilIdle()
    await robot.press("j")
    await robot.waitUntilIdle()
    // Three bytes have arrived, so the largest picture fits seven times.
    #expect(try asked(robot.cache).count == most - 1)
  }

  @Test("Pictures beyond the byte limit of an article are not fetched, and show the reason")
  func mostOfArticle() async throws {
    let body = (1...6).map { "<p><img src=\"https://pictures.example/\($0).png\"></p>" }.joined()
    // Room for the largest picture and two bytes.
    let robot = try await robot(height: 60, html: body, picturesOfArticle: PictureLimits.bytes + 2)
    await robot.press("Enter", "Enter")
    await robot.waitUntilIdle()
    var fetched: [String] = []
    for _ in 1...6 {
      let wanted = try asked(robot.cache).keys.filter { !fetched.contains($0) }
      guard let next = wanted.first else { break }
      #expect(wanted.count == 1)
      fetched.append(next)
      try await receive(next, [1, 2, 3], in: robot.cache)
      await robot.waitUntilIdle()
      await robot.press("j", "k")
      await robot.waitUntilIdle()
    }
    #expect(fetched.count == 1)
    robot.sees("not fetched; this article\u{2019}s pictures exceed")
  }

  @Test("After two decodings that cost too much, no picture is decoded for a while")
  func costlyPictures() async throws {
    let body = (1...5).map {
      "<p><img width=300 height=160 src=\"https://pictures.example/\($0).png\"></p>"
    }.joined()
    let robot = try await robot(height: 90, html: body)
    robot.actions.decodingFailure = ActionFailure("too much", isCostly: true)
    await robot.press("Enter", "Enter")
    for number in 1...5 {
      try await receive("https://pictures.example/\(number).png", in: robot.cache)
    }
    for _ in 1...5 { await robot.waitUntilIdle() }
    robot.sees("waits a minute")
    #expect(robot.actions.decoded.count == 2)
  }

  @Test("Pictures of the next articles are requested in advance")
  func ahead() async throws {
    let cache = try TestCache()
    let items = (1...14).map { number in
      ParsedItem.item(
        "Item \(number)", minutes: Double(number),
        body: "<p><img src=\"https://pictures.example/\(number).png\"></p>")
    }
    try await cache.feed("Walks", url: "https://walks.example/feed", items)
    let robot = try await robot(cache: cache)
    await robot.press("Enter", "Enter")
    await robot.waitUntilIdle()
    let asked = try asked(cache)
    #expect(asked["https://pictures.example/1.png"] == true)
    #expect(asked.count == 11)
    #expect(asked["https://pictures.example/11.png"] == false)
    #expect(asked["https://pictures.example/12.png"] == nil)
  }
}
