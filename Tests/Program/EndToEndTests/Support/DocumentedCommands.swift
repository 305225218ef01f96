/// A line of a document's command block, by the program that runs it.
enum DocumentedCommand: Equatable {
  /// The arguments of `make`.
  case make(String)
  /// Options of `weir` without a command, which opens the reader.
  case reader([String])
  /// A line for a shell.
  case shell(String)

  /// Reads a line without its comment and crontab time, or returns `nil` if nothing is left.
  init?(_ line: some StringProtocol) {
    let command = String(line).replacing(/(^|\s)#\s.*$/, with: "")
      .replacing(/^([*\/\d,-]+\s+){5}/, with: "").trimmingCharacters(in: .whitespaces)
    guard !command.isEmpty else { return nil }
    let words = command.split(separator: " ").map(String.init)
    switch words[0] {
    case "make": self = .make(words.dropFirst().joined(separator: " "))
    case "weir" where words.dropFirst().allSatisfy { $0.hasPrefix("-") }:
      self = .reader(Array(words.dropFirst()))
    default: self = .shell(command)
    }
  }
}

/// The command blocks of the documents, with checks that they work.
enum DocumentedCommands {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func text(of document: String) throws -> String {
    try String(contentsOf: root.appending(path: document), encoding: .utf8)
  }

  /// Returns the blocks of a Markdown document, or of a manual page (between `.EX` and `.EE`).
  /// - Parameter language: The language of Markdown blocks, as written after the fence.
  static func blocks(of document: String, language: String = "") throws -> [[String]] {
    let isManual = document.hasSuffix(".1")
    var blocks: [[String]] = []
    var block: [String]?
    var isOpen = false
    for line in try text(of: document).split(separator: "\n", omittingEmptySubsequences: false) {
      let isFence = isManual ? line == ".EX" || line == ".EE" : line.hasPrefix("```")
      if isFence, isOpen {
        if let lines = block { blocks.append(lines) }
        (block, isOpen) = (nil, false)
      } else if isFence {
        // Skips blocks in other languages.
        isOpen = true
        block = isManual || line.dropFirst(3) == language ? [] : nil
      } else {
        block?.append(isManual ? unescaped(line) : String(line))
      }
    }
    return blocks
  }

  private static func unescaped(_ line: Substring) -> String {
    String(line).replacing("\\&", with: "").replacing("\\-", with: "-")
      .replacing("\\e", with: "\\")
  }

  /// Returns the error of `make -n` for a line, or `nil` if every target exists and can be made,
  /// and a filter of tests names a suite.
  static func objection(toMake arguments: String, _ fixture: CommandFixture) throws -> String? {
    let outcome = try fixture.start(
      ["/bin/sh", "-c", "cd '\(root.path)' && make -n \(arguments)"], isProgram: false
    ).outcome()
    guard outcome.code == 0 else { return outcome.errors }
    guard let filter = arguments.firstMatch(of: /FILTER=(\w+)/)?.1 else { return nil }
    let tests = FileManager.default.enumerator(atPath: root.appending(path: "Tests").path)
    let exists = try tests?.lazy.compactMap { $0 as? String }.contains {
      try $0.hasSuffix("Tests.swift") && text(of: "Tests/" + $0).contains("struct \(filter) ")
    }
    return exists == true ? nil : "no suite is called \(filter)"
  }
}

/// A home with the files that a document names, and an origin in place of the web.
final class DocumentReader {
  let fixture: CommandFixture
  let origin: Origin
  private let folder: URL

  init() throws {
    fixture = try CommandFixture()
    origin = try Origin()
    folder = fixture.home.appending(path: "copy")
    for (path, title) in [
      ("/", "Example"), ("/feed", "Daily"), ("/from-newsboat", "Weekly"), ("/lwn", "LWN"),
    ] {
      origin.on(path, .answer(Feeds.rss(title, ["Second", "First"]), type: "application/rss+xml"))
    }
    try fixture.file("copy/feeds.opml", Feeds.opml([("Daily", origin.url("/feed"))]))
    try fixture.file(".newsboat/urls", "\(origin.url("/from-newsboat")) news\n")
    try fixture.file(".newsboat/config", "color background white black\n")
    // The program as installed, and as built in a copy of the repository.
    for path in ["bin", "copy/.build/debug", "copy/.build/release"] {
      let build = fixture.home.appending(path: path)
      try FileManager.default.createDirectory(at: build, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: build.appending(path: "weir").path, withDestinationPath: CommandFixture.program)
    }
  }

  /// Runs the lines of blocks in order.
  /// - Returns: Each failing line with the reason.
  func failures(of blocks: [[String]]) throws -> [String] {
    try blocks.joined().compactMap { line in
      guard let command = DocumentedCommand(line) else { return nil }
      return try failure(of: command).map { "\(line): \($0)" }
    }
  }

  private func failure(of command: DocumentedCommand) throws -> String? {
    switch command {
    case .make(let arguments):
      return try DocumentedCommands.objection(toMake: arguments, fixture)
    case .reader(let options):
      guard TmuxRobot.isAvailable else { return nil }
      let robot = try TmuxRobot(columns: 100, rows: 30).start(
        [CommandFixture.program] + options, environment: fixture.windowEnvironment)
      try robot.waitFor("Daily").type("Q")
      let code = try robot.waitForExit()
      return code == 0 ? nil : "exit \(code)"
    case .shell(let line):
      let here = line.replacing("https://example.org", with: origin.url(""))
        .replacing("/tmp/", with: fixture.home.path + "/tmp-")
      let path = fixture.home.appending(path: "bin").path + ":/usr/local/bin:/usr/bin:/bin"
      let outcome = try fixture.start(
        ["/bin/sh", "-c", "cd '\(folder.path)' && \(here)"], environment: ["PATH": path],
        isProgram: false
      ).outcome()
      return outcome.code == 0 ? nil : "exit \(outcome.code): \(outcome.errors)"
    }
  }
}
