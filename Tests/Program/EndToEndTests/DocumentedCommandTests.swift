@Suite("Commands in the documents", .ownThreads) struct DocumentedCommandTests {
  private static let articles = "Sources/Program/weir/Documentation.docc/"

  @Test("Every command block of the README runs, in order, from an empty home to offline")
  func readme() throws {
    let reader = try DocumentReader()
    let blocks = try DocumentedCommands.blocks(of: "README.md")
    #expect(blocks.count >= 4)
    for failure in try reader.failures(of: blocks) { Issue.record("README.md: \(failure)") }
    let feeds = try reader.fixture.weir("feeds", "--json").objects()
    #expect(feeds.count >= 2, "the list and newsboat's: \(feeds)")
    #expect(try reader.fixture.weir("articles", "--feed", "Daily", "--json").objects().count >= 2)
  }

  @Test("Every command block of CONTRIBUTING runs, and the trace is where the document says")
  func contributing() throws {
    let reader = try DocumentReader()
    let blocks = try DocumentedCommands.blocks(of: "CONTRIBUTING.md")
    #expect(blocks.count >= 4)
    for failure in try reader.failures(of: blocks) { Issue.record("CONTRIBUTING.md: \(failure)") }
    let trace = reader.fixture.home.appending(path: ".local/state/weir/trace.log").path
    #expect(FileManager.default.fileExists(atPath: trace))
  }

  @Test("Every example of the manual page runs, in order") func manual() throws {
    let reader = try DocumentReader()
    let blocks = try DocumentedCommands.blocks(of: "Resources/weir.1")
    #expect(blocks.joined().count >= 8)
    for failure in try reader.failures(of: blocks) { Issue.record("weir.1: \(failure)") }
  }

  @Test(
    "The command blocks of the articles run",
    arguments: ["Configuration.md", "Folder.md", "Packs.md", "Rules.md"])
  func articles(document: String) throws {
    let reader = try DocumentReader()
    try reader.fixture.weir("add", "--unchecked", reader.origin.url("/lwn"))
    try reader.fixture.weir("rule", "add", "feed:lwn", "--tag", "later")
    try reader.fixture.weir("sync", "--quiet")
    let blocks = try DocumentedCommands.blocks(of: Self.articles + document)
      .filter { $0.first?.hasPrefix("[") == false }
    #expect(!blocks.isEmpty)
    for failure in try reader.failures(of: blocks) { Issue.record("\(document): \(failure)") }
  }

  @Test(
    "The configuration blocks of the articles are valid",
    arguments: [("Configuration.md", ""), ("Downloads.md", "toml"), ("Rules.md", "toml")])
  func configurations(document: String, language: String) throws {
    let fixture = try CommandFixture()
    let blocks = try DocumentedCommands.blocks(of: Self.articles + document, language: language)
      .filter { $0.first?.hasPrefix("[") == true }
    #expect(!blocks.isEmpty)
    for block in blocks {
      let isRules = block[0] == "[[rule]]"
      let name = isRules ? "rules.toml" : "config.toml"
      try fixture.file(".config/weir/" + name, block.joined(separator: "\n") + "\n")
      let outcome = try isRules ? fixture.weir("rule", "list") : fixture.weir("config", "check")
      #expect(outcome.code == 0, "\(document): \(outcome)")
      if isRules { #expect(outcome.output.contains("No deals"), "\(outcome)") }
    }
  }

  @Test("Commands and options that a sentence names in code style exist") func sentences() throws {
    let fixture = try CommandFixture()
    let documents = try FileManager.default.contentsOfDirectory(
      atPath: DocumentedCommands.root.appending(path: Self.articles).path
    ).filter { $0.hasSuffix(".md") }.map { Self.articles + $0 }
    var help: [String: String] = [:]
    for document in documents + ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Benchmarks.md"] {
      for span in try DocumentedCommands.text(of: document).matches(of: /`((?:weir|make) [^`\n]+)`/)
      {
        let text = String(span.1).replacing("\\|", with: "|")
        if text.hasSuffix(" …") { continue }
        if text.hasPrefix("make ") {
          let arguments = text.dropFirst(5).prefix { $0 != "…" }
          let objection = try DocumentedCommands.objection(toMake: String(arguments), fixture)
          if let objection { Issue.record("\(document): \(text): \(objection)") }
        } else if let objection = try Self.objection(to: text, &help, fixture) {
          Issue.record("\(document): \(text): \(objection)")
        }
      }
    }
    #expect(help.count > 30, "the search found only \(help.keys.sorted())")
  }

  /// Returns the fault of a text like `weir rule add|list`: an unknown command or option.
  private static func objection(
    to text: String, _ help: inout [String: String], _ fixture: CommandFixture
  ) throws -> String? {
    let words = text.split(separator: " ").dropFirst().prefix { $0 != "#" }
    let commands = words.prefix { $0.wholeMatch(of: /[a-z][a-z|-]*/) != nil }
    var paths = [[String]()]
    for word in commands.prefix(2) {
      let names = word.split(separator: "|").map(String.init)
      paths = paths.flatMap { path in names.map { path + [$0] } }
    }
    var options = ""
    for path in paths {
      let found = try path.isEmpty ? "" : usage(of: path, &help, fixture)
      guard let found else { return "no such command" }
      options += found
      // The options include those of the group's default command.
      if let standard = found.firstMatch(of: /(\w+) \(default\)/)?.1 {
        options += try usage(of: path + [String(standard)], &help, fixture) ?? ""
      }
    }
    options += try usage(of: [], &help, fixture) ?? ""
    for option in text.matches(of: /[ \[|](--[a-z-]+)/) where !options.contains(option.1) {
      return "no option \(option.1)"
    }
    return nil
  }

  /// Returns the help of a command, whose second word may be an argument, or `nil` without one.
  private static func usage(
    of path: [String], _ help: inout [String: String], _ fixture: CommandFixture
  ) throws -> String? {
    if path.first == "help" { return "" }
    let name = path.joined(separator: " ")
    if let known = help[name] { return known }
    let output = try fixture.start(path + ["--help"]).outcome().output
    let usage = output.firstMatch(of: /USAGE: weir ([a-z -]*)/)?.1 ?? ""
    guard path.isEmpty || "\(usage) ".hasPrefix(path[0] + " ") else { return nil }
    // A command of a group is in its usage; else the word is an argument, and the group takes any.
    if path.count > 1, !"\(usage) ".hasPrefix(name + " "), output.contains("SUBCOMMANDS:") {
      return nil
    }
    help[name] = output
    return output
  }

  @Test("A block with a missing target, command, option or suite is reported")
  func wrongBlocks() throws {
    let reader = try DocumentReader()
    let lines = [
      "make nonsense", "make test FILTER=NonsenseTests", "weir nonsense", "weir sync --nonsense",
      "*/5 * * * *  weir import missing.opml", ".build/debug/nonsense",
    ]
    #expect(try reader.failures(of: [lines]).count == lines.count)
    var help: [String: String] = [:]
    for text in ["weir nonsense", "weir rule nonsense", "weir sync --nonsense"] {
      #expect(try Self.objection(to: text, &help, reader.fixture) != nil, "\(text)")
    }
    #expect(try Self.objection(to: "weir rule add|list", &help, reader.fixture) == nil)
  }

  @Test(
    "A line is read according to the program that runs it",
    arguments: [
      ("make run     # installs", DocumentedCommand.make("run")), ("weir", .reader([])),
      ("*/30 * * * *  weir sync --quiet", .shell("weir sync --quiet")),
      ("weir --offline", .reader(["--offline"])),
      ("A=b .build/debug/weir sync", .shell("A=b .build/debug/weir sync")),
    ])
  func reading(line: String, command: DocumentedCommand) {
    #expect(DocumentedCommand(line) == command)
  }
}
