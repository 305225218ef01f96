@testable import ReaderServices
@testable import ReaderUI

/// Returns a reader with an open article that has the given body.
private func reader(of body: String, width: Int = 80) async throws -> Robot {
  let cache = try TestCache()
  try await cache.feed("Notes", [.item("With footnotes", minutes: 1, body: body)])
  let robot = await Robot(cache, width: width, configuration: .test())
  return await robot.press("Enter", "Enter")
}

@Suite("Footnotes") struct FootnoteTests {
  private static func filler(_ name: String) -> String {
    (1...40).map { "<p>\(name) \($0).</p>" }.joined()
  }

  /// A link to another site, a footnote, and a link back with the whole address, as many pages
  /// have.
  private static let noted = """
    <p>A claim<sup id="ref1"><a href="#fn1">1</a></sup> and a <a href="https://a.example/">link</a>.</p>
    \(filler("Filler"))
    <ol><li id="fn1">The note. <a href="https://example.org/with-footnotes#ref1">back</a></li></ol>
    \(filler("Tail"))
    """

  @Test("A number leads to the footnote, and Esc back") func numberLeadsToFootnote() async throws {
    let robot = try await reader(of: Self.noted)
    robot.sees("A claim ¹ and a link.").doesNotSee("return")
    await robot.press("f")
    // While a number is asked for, the footnote has one too.
    robot.sees("of 3", "A claim 2 and a 1ink.")
    await robot.press("2").selects("The note. back").doesNotSee("A claim").sees("Esc return")
    await robot.press("j")
    #expect(robot.selection == nil)
    await robot.press("Esc").sees("A claim ¹").doesNotSee("The note.", "return")
    await robot.press("Esc")
    #expect(robot.application.browser.focus == .articles)
    #expect(robot.actions.opened.isEmpty)
  }

  @Test("The link in a footnote leads back to the place where the footnote was followed")
  func footnoteLinkLeadsBack() async throws {
    let robot = try await reader(of: Self.noted)
    await robot.press("j")
    let before = robot.lines
    await robot.press("f", "2", "f").sees("3ack")
    await robot.press("3").selects("A claim ¹").doesNotSee("return")
    await robot.press("k", "j")
    #expect(robot.lines == before)
  }

  @Test("A click on a footnote's number leads to it") func aClickLeadsThereToo() async throws {
    let robot = try await reader(of: Self.noted)
    let y = try #require(robot.lines.firstIndex { $0.contains("A claim ¹") })
    let x = try #require(Array(robot.lines[y]).firstIndex(of: "¹"))
    await robot.key(.mouse(MouseEvent(.press, x: x, y: y)))
    robot.selects("The note.")
  }

  @Test("Links within the article are not in its list of links")
  func innerLinksAreNotListed() async throws {
    let robot = try await reader(of: Self.noted)
    await robot.press("f", "1")
    #expect(robot.actions.opened == ["https://a.example/"])
    await robot.press("G").doesNotSee("[1]", "https://a.example/")
  }

  @Test("A single link to a footnote is listed before it is followed")
  func singleFootnoteIsListed() async throws {
    let robot = try await reader(of: "<p><a href=\"#n\">See below</a></p><p id=\"n\">Here.</p>")
    await robot.press("f").sees("of 1", "in this article")
    await robot.press("Enter").selects("Here.")
    // Nothing has moved, so there is nothing to go back to.
    robot.doesNotSee("return")
  }

  @Test("A footnote is found again at another width") func footnoteAtAnotherWidth() async throws {
    let robot = try await reader(of: Self.noted)
    await robot.press("f", "2")
    await robot.resize(40, 24)
    await robot.press("f", "2").selects("The note.")
  }
}

@Suite("Searches in the open article") struct FindingInArticleTests {
  /// Returns the text in reverse video, row by row.
  private func marked(_ robot: Robot) -> [String] {
    guard let surface = robot.terminal.surface else { return [] }
    return (0..<surface.size.height).map { y in
      surface.row(y).filter { $0.style.attributes.contains(.reverse) }.map(\.text).joined()
    }.filter { !$0.isEmpty }
  }

  private func find(_ text: String, in robot: Robot) async -> [String] {
    await robot.press("/").type(text).press("Enter")
    return marked(robot)
  }

  private static let counting =
    "<p>One two three four five six seven eight nine ten eleven twelve thirteen.</p>"

  @Test("A phrase is found across a line break") func phraseSpansLineBreak() async throws {
    let robot = try await reader(of: Self.counting, width: 40)
    let found = await find("SEVEN eight nine", in: robot)
    #expect(found == ["seven", "eight nine"])
    robot.sees("/SEVEN eight nine · 1")
  }

  @Test("The rule of a quotation is not part of a phrase")
  func quotationRuleIsIgnored() async throws {
    let quoted = "<blockquote>\(Self.counting)</blockquote>"
    let robot = try await reader(of: quoted, width: 40)
    let found = await find("six seven eight", in: robot)
    #expect(found.joined(separator: " ") == "six seven eight")
    #expect(found.count == 2)
  }

  @Test("Styles and links do not divide a phrase") func stylesDivideNoPhrase() async throws {
    let robot = try await reader(
      of: "<p>It is <b>very</b> bold, as <a href=\"https://a.example/\">this</a> is.</p>")
    #expect(await find("is very bold", in: robot) == ["is very bold"])
    #expect(await find("as this", in: await robot.press("Esc")) == ["as this"])
  }

  @Test("A hyphenated word is found as a whole") func hyphenatedWordIsFound() async throws {
    let long = "incom\u{AD}prehensibili\u{AD}ties"
    let robot = try await reader(of: "<p>There are so many strange \(long).</p>", width: 40)
    robot.sees("incom-")
    #expect(await find("incomprehensib", in: robot) == ["incom", "prehensib"])
  }

  @Test("Every match in a line is marked, and no match spans two paragraphs")
  func allMatchesAreMarked() async throws {
    let robot = try await reader(of: "<p>aba ABA bab</p><p>bab</p>")
    #expect(await find("ab", in: robot) == ["abABab", "ab"])
    #expect(await find("bab bab", in: await robot.press("Esc")) == [])
  }

  @Test("Esc after a search returns to the earlier place, even at another width")
  func escReturnsToPlace() async throws {
    let robot = await Robot(try await .daily())
    let rows = try robot.cache.articles.page(.all, .top, limit: 50)
    robot.application.browser.open(
      try #require(rows.first { $0.title == "Notes on WAL checkpoints" }?.id))
    await robot.press("Space", "Space", "j")
    func paragraph() -> Substring? {
      robot.lines.dropFirst(2).first { $0.contains("Paragraph") }?.split(separator: ".").first
    }
    // The text begins a paragraph at the top of the window.
    while robot.lines.dropFirst(2).first?.contains("Paragraph") == false { await robot.press("j") }
    let before = try #require(paragraph()?.split(separator: " ").last)
    await robot.press("/").type("Paragraph 39")
    await robot.resize(50, 24)
    await robot.press("Esc")
    #expect(paragraph()?.split(separator: " ").last == before)
  }
}
