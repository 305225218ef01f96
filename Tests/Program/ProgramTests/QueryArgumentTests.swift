import ArgumentParser

@testable import weir

@Suite("Queries and other arguments of commands") struct QueryArgumentTests {
  @Test(
    "A word that negates a condition is a part of the query, and options stay options",
    arguments: [
      (["search", "-is:read article"], ["search", " -is:read article"]),
      (["search", "-a", "OR", "b", "--json"], ["search", " -a", "OR", "b", "--json"]),
      (["--data-dir", "search", "articles", "-x"], ["--data-dir", "search", "articles", " -x"]),
      (
        ["articles", "-n", "5", "-n5", "-title:one"], ["articles", "-n", "5", "-n5", " -title:one"]
      ), (["search", "--", "-x"], ["search", "--", "-x"]), (["pack", "-q"], ["pack", "-q"]),
      (["rule", "test", "-in:news"], ["rule", "test", " -in:news"]),
      (["search", "x", "--limit", "-1"], ["search", "x", "--limit", "-1"]),
      (["mark", "-x"], ["mark", "-x"]), (["-x", "search"], ["-x", "search"]), ([], []),
      (["---completion", "search", "--", "-x"], ["---completion", "search", "--", "-x"]),
    ] as [([String], [String])])
  func negations(arguments: [String], expected: [String]) {
    #expect(QueryArguments.protected(arguments) == expected)
  }

  @Test("A query is that of all its words") func text() throws {
    let command = try SearchCommand.parse([" -is:read", "b", "-n3", "c"])
    #expect(command.query.text == "-is:read b c")
    #expect(command.most.limit == 3)
    #expect(throws: (any Error).self) { try SearchCommand.parse(["x", "--limit", "-1"]) }
    #expect(throws: (any Error).self) { try SearchCommand.parse([]) }
  }

  @Test(
    "A setting of a feed needs a valid value",
    arguments: ["keep-days=-1", "keep-days=1000001", "interval=3", "colour=1", "sort", "paused=x"])
  func settings(setting: String) {
    #expect(throws: (any Error).self) { try FeedSetCommand.parse(["1", setting]) }
    #expect(throws: Never.self) { try FeedSetCommand.parse(["1", "keep-days=9", "interval="]) }
  }

  @Test("Fewer than 52 commands are offered, and each has a name of its own") func count() {
    var names: [String] = []
    func add(_ type: any ParsableCommand.Type, _ path: String) {
      guard type.configuration.shouldDisplay else { return }
      let name = path + (type.configuration.commandName ?? "")
      names.append(name)
      for part in type.configuration.subcommands { add(part, name + " ") }
    }
    for part in RootCommand.configuration.subcommands { add(part, "") }
    #expect(names.count < 52, "\(names)")
    #expect(Set(names).count == names.count)
  }
}
