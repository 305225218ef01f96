@testable import weir

@Suite("The file of rules") struct RulesFileTests {
  private func read(_ text: String) -> RulesFile {
    var file = RulesFile(path: "/rules.toml")
    file.read(text)
    return file
  }

  @Test(
    "A rule with an invalid part is reported and disabled",
    arguments: [
      ("actions = [\"hide\", \"snoze:2d\"]", "actions must be a list"),
      ("actions = [\"hide\", \"score:-5\"]", "actions must be a list"),
      ("actions = [\"hide\"]\nuntil = \"31.12.2025\"", "until must be a date"),
      ("actions = [\"hide\"]\nstop = \"yes\"", "stop must be true or false"),
      ("actions = [\"hide\"]\nenabled = 1", "enabled must be true or false"),
      ("actions = [\"hide\"]\nunless = \"x\"", "unknown key unless"),
    ])
  func invalid(lines: String, problem: String) {
    let file = read("[[rule]]\nquery = \"title:x\"\n\(lines)\n")
    #expect(file.problems.count == 1 && file.problems[0].contains(problem))
    #expect(file.rules.map(\.isEnabled) == [false])
  }

  @Test(
    "An invalid condition is reported",
    arguments: [("titel:x", "did you mean title:?"), ("", "query has no condition")])
  func invalidCondition(query: String, problem: String) {
    let file = read("[[rule]]\nquery = \"\(query)\"\nactions = [\"hide\"]\n")
    #expect(file.problems.count == 1 && file.problems[0].contains(problem))
    #expect(file.rules.map(\.draft.query) == [query])
  }

  @Test("A file that is no TOML is reported with the line") func noTOML() {
    #expect(read("[[rule]]\nquery = = 1\n").problems == ["It is not a TOML document, line 2."])
  }

  @Test("A valid rule beside an invalid one is enabled") func valid() {
    let file = read(
      """
      [[rule]]
      query = "title:x"
      actions = ["nothing"]
      [[rule]]
      query = "title:y"
      actions = ["star"]
      stop = true
      """)
    #expect(file.rules.map(\.draft.query) == ["title:y"])
    #expect(file.rules.map(\.isEnabled) == [true])
    #expect(file.rules.map(\.draft.stops) == [true])
  }
}
