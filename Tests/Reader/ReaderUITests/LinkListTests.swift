@testable import ReaderServices
@testable import ReaderUI

@Suite("The list of an article's links") struct LinkListTests {
  private static let body = """
    <p>A <a href="https://www.alpha.example/one">first link</a>, a
    <a href="https://beta.example/two">second one</a> and https://yard.example/three.</p>
    """

  private func robot(_ body: String = body) async throws -> Robot {
    let cache = try TestCache()
    try await cache.feed("Notes", [.item("Links", minutes: 1, body: body)])
    let robot = await Robot(cache)
    return await robot.press("Enter", "Enter", "f")
  }

  @Test("The list shows the text and the host of each link") func shows() async throws {
    let robot = try await robot()
    robot.sees("1  first link", " alpha.example").doesNotSee("www.alpha.example ")
    robot.sees("2  second one", "3  https://yard.example/three", "of 3").selects("first link")
  }

  @Test("Hosts with look-alike characters are shown in Punycode in both columns")
  func confusables() async throws {
    let robot = try await robot(
      """
      <p><a href="https://\u{430}pple.com/">first</a> <a href="https://a.example\u{2044}b.evil/">
      second</a> <a href="https://c.example/">\u{430}pple.com/x</a></p>
      """)
    robot.sees("first", "xn--pple-43d.com/x", "of 3")
    let list = robot.lines.filter { $0.contains("first") || $0.contains("second") }.suffix(2)
    #expect(list.allSatisfy { $0.contains("xn--") }, "\(list)")
  }

  @Test("A digit opens a link at once") func digits() async throws {
    let robot = try await robot()
    await robot.press("2")
    #expect(robot.actions.opened == ["https://beta.example/two"])
    robot.doesNotSee("Open link:")
  }

  @Test("With more than nine links, a digit waits for a second digit or Enter")
  func twoDigits() async throws {
    let body = (1...12).map { "<a href=\"https://e.example/\($0)\">link \($0)</a> " }.joined()
    let robot = try await robot("<p>\(body)</p>")
    await robot.press("1").selects("link 1")
    #expect(robot.actions.opened.isEmpty)
    await robot.press("2")
    #expect(robot.actions.opened == ["https://e.example/12"])
    await robot.press("f", "1", "Enter")
    #expect(robot.actions.opened.last == "https://e.example/1")
  }

  @Test("A single link is listed before it is opened") func oneLink() async throws {
    let robot = try await robot("<p><a href=\"https://a.example/\">only</a></p>")
    robot.sees("of 1")
    #expect(robot.actions.opened.isEmpty)
    await robot.press("Enter")
    #expect(robot.actions.opened == ["https://a.example/"])
  }

  @Test("Letters search texts and addresses, and Enter opens the selected link")
  func searching() async throws {
    let robot = try await robot()
    await robot.type("SECOND")
    robot.sees("Search links: SECOND", "second one").doesNotSee("1  first link")
    await robot.press("Enter")
    #expect(robot.actions.opened == ["https://beta.example/two"])
    await robot.press("f", "/").type("yard 9").sees("No link has “yard 9”")
    await robot.press("Backspace", "Backspace").selects("yard.example")
    await robot.press("Esc").sees("Open link:", "first link")
    await robot.press("Esc").doesNotSee("Open link:")
    #expect(robot.actions.opened.count == 1)
  }

  @Test("Arrows move the selection, y copies the address, and the list stays open")
  func copying() async throws {
    let robot = try await robot()
    await robot.press("Down", "y").sees("beta.example/two")
    #expect(robot.terminal.clipboard == "https://beta.example/two")
    await robot.press("Up").selects("first link")
  }

  @Test("O passes the address to a program") func programs() async throws {
    let robot = try await robot()
    await robot.press("Down", "O").sees("Open the link with:")
    await robot.type("reader").press("Enter")
    let task = try #require(robot.actions.tasks.last)
    #expect(task.program == .typed("reader"))
    #expect(task.address == "https://beta.example/two")
    #expect(task.environment["WEIR_LINK"] == "https://beta.example/two")
  }

  @Test("A link that continues on the next line is listed with its whole text")
  func brokenLinks() async throws {
    let words = String(repeating: "word ", count: 14)
    let robot = try await robot("<p>\(words)<a href=\"https://a.example/\">over two lines</a></p>")
    robot.sees("1  over two lines")
  }
}
