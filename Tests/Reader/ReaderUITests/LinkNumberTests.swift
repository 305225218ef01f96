@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews

/// Numbers typed in an article, which open a link or are the count of a command.
@Suite("Link numbers") struct LinkNumberTests {
  private func robot(
    links: Int = 3, _ configuration: ReaderConfiguration? = nil, more: String = ""
  ) async throws -> Robot {
    let cache = try TestCache()
    let body = (1...max(1, links)).map { number in
      links == 0 ? "" : "<a href=\"https://e\(number).example/\(number)\">link \(number)</a> "
    }.joined()
    try await cache.feed(
      "Notes",
      [
        .item("Links", minutes: 1, body: "<p>\(body)</p>\(more)"), .item("Second", minutes: 2),
        .item("Third", minutes: 3), .item("Fourth", minutes: 4),
      ])
    let robot = await Robot(
      cache, configuration: configuration ?? .test { $0.hidesLinkNumbers = false })
    return await robot.press("Enter", "Enter")
  }

  @Test("A number opens its link after half a second, and the status line names the host before")
  func alone() async throws {
    let robot = try await robot()
    await robot.press("2").sees("2 opens e2.example")
    #expect(robot.actions.opened.isEmpty)
    robot.timers.pass(0.4)
    #expect(robot.actions.opened.isEmpty)
    robot.timers.pass(0.11)
    #expect(robot.actions.opened == ["https://e2.example/2"])
    robot.sees("Opened https://e2.example/2").doesNotSee("2 opens")
    // The number is used up, so the next key has no count.
    await robot.press("J").sees("Second")
  }

  @Test("A number before a key is the key's count, and Esc discards it")
  func counts() async throws {
    let robot = try await robot()
    await robot.press("3", "J").sees("Body of Fourth")
    await robot.press("3", "K").sees("link 1").press("2", "Esc").doesNotSee("opens")
    robot.timers.pass(5)
    #expect(robot.actions.opened.isEmpty)
  }

  @Test("Enter opens the link of the number at once, and asks for a number if there is none")
  func enter() async throws {
    let robot = try await robot()
    await robot.press("3", "Enter")
    #expect(robot.actions.opened == ["https://e3.example/3"])
    await robot.press("9", "Enter").sees("This article has 3 links")
    await robot.press("Enter").sees("Type the number of a link first")
    robot.timers.pass(5)
    #expect(robot.actions.opened.count == 1)
  }

  @Test("A number that can have another digit waits twice as long") func twoDigits() async throws {
    let robot = try await robot(links: 12)
    await robot.press("1").sees("1 opens e1.example")
    robot.timers.pass(0.9)
    #expect(robot.actions.opened.isEmpty)
    await robot.press("2").sees("12 opens e12.example")
    robot.timers.pass(0.51)
    #expect(robot.actions.opened == ["https://e12.example/12"])
    await robot.press("1")
    robot.timers.pass(1.01)
    #expect(robot.actions.opened.last == "https://e1.example/1")
  }

  @Test("A number without a link waits for a command and opens nothing")
  func noSuchLink() async throws {
    for links in [0, 2] {
      let robot = try await robot(links: links)
      await robot.press("3").doesNotSee("opens")
      robot.timers.pass(5)
      await robot.press("J").sees("Body of Fourth")
      #expect(robot.actions.opened.isEmpty)
    }
  }

  @Test("In lists, a number is only a count") func lists() async throws {
    let robot = try await robot()
    await robot.press("q", "g g", "2")
    robot.timers.pass(5)
    #expect(robot.actions.opened.isEmpty)
    await robot.press("j").selects("Third")
  }

  @Test("Without Enter in articles, a number is only a count")
  func configured() async throws {
    let robot = try await robot(
      .test { $0.bindings = [KeyBinding(keys: "enter", commands: [], context: .reader)] })
    await robot.press("2").doesNotSee("opens")
    robot.timers.pass(5)
    #expect(robot.actions.opened.isEmpty)
  }

  @Test("The number of a link within the article goes to the place in the article")
  func places() async throws {
    let robot = try await robot(
      links: 1,
      more: "<p><a href=\"#end\">down</a></p>"
        + String(repeating: "<p>text</p>", count: 30) + "<h2 id=end>The end</h2><p>text</p>")
    await robot.press("2").sees("2 goes to a part of the article")
    robot.pass(0.51).sees("The end")
    #expect(robot.actions.opened.isEmpty)
  }

  /// Returns the styles of a text on the screen.
  private func styles(of text: String, in robot: Robot) throws -> [Style] {
    let surface = try #require(robot.terminal.surface)
    for y in 0..<surface.size.height {
      let cells = Array(surface.row(y))
      for x in cells.indices where cells[x...].prefix(text.count).map(\.text).joined() == text {
        return cells[x...].prefix(text.count).map(\.style)
      }
    }
    throw NotThere()
  }

  private struct NotThere: Error {}

  @Test("Link numbers are faint digits, and are highlighted while a number is asked for")
  func faint() async throws {
    let robot = try await robot(links: 12)
    robot.sees("link 12¹²").doesNotSee("[1]", "https://e1.example/")
    let theme = robot.application.context.theme
    let faint = Array(repeating: theme.style([.secondary]), count: 2)
    #expect(try styles(of: "¹²", in: robot) == faint)
    await robot.press("1")
    #expect(try styles(of: "¹²", in: robot) == Array(repeating: theme.style([.found]), count: 2))
    await robot.press("Esc")
    #expect(try styles(of: "¹²", in: robot) == faint)
    await robot.press("f")
    #expect(try styles(of: "³", in: robot) == [theme.style([.found])])
  }

  @Test("Hidden link numbers are shown over the links only while a number is asked for")
  func quiet() async throws {
    let robot = try await robot(.test { $0.hidesLinkNumbers = true })
    robot.sees("link 1 link 2 link 3").doesNotSee("¹")
    await robot.press("f").sees("1ink 1 2ink 2 3ink 3").press("Esc").sees("link 1 link 2")
    await robot.press("2", "Enter")
    #expect(robot.actions.opened == ["https://e2.example/2"])
  }

  @Test("Without colours or without UTF-8, numbers are in brackets") func brackets() async throws {
    let cache = try TestCache()
    try await cache.feed(
      "Notes", [.item("L", minutes: 1, body: "<p><a href=\"https://a.example/\">word</a></p>")])
    let numbers = ReaderConfiguration.test { $0.hidesLinkNumbers = false }
    let mono = await Robot(cache, colors: .mono, configuration: numbers)
    await mono.press("Enter", "Enter").sees("word[1]")
    let ascii = await Robot(cache, configuration: numbers)
    ascii.terminal.supportsUTF8 = false
    await ascii.press("Enter", "v", "Enter").sees("word[1]")
  }

  @Test("A link that is not a web page is opened only after a question") func asks() async throws {
    let cache = try TestCache()
    try await cache.feed(
      "Notes", [.item("L", minutes: 1, body: "<p><a href=\"mailto:a@b.example\">write</a></p>")])
    let robot = await Robot(cache)
    await robot.press("Enter", "Enter", "1").sees("1 opens mailto")
    robot.pass(0.51).sees("Open mailto:a@b.example?")
    #expect(robot.actions.opened.isEmpty)
  }
}
