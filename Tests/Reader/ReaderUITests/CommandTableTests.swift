@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews

@Suite("The commands of all screens") struct CommandTableTests {
  /// Returns a reader with the keyboard focus in a place.
  /// - Parameter cache: If `nil`, the cache of a daily user.
  static func robot(in place: CommandContext, of cache: TestCache? = nil) async throws -> Robot {
    let robot: Robot
    if let cache { robot = await Robot(cache) } else { robot = await Robot(try await .daily()) }
    switch place {
    case .feeds: await robot.press("G")
    case .articles: await robot.press("Enter")
    case .reader: await robot.press("Enter", "Enter")
    case .problems: await robot.press("!")
    case .console: await robot.press("S")
    case .accounts: await robot.press(":accounts")
    case .help: await robot.press("?")
    case .search: await robot.press("g /", "Tab")
    case .rules: await robot.press(":rules")
    case .downloads: await robot.press(":lists downloads")
    case .settings: await robot.press(":settings")
    }
    #expect(robot.application.browser.focused.commandContext == place)
    return robot
  }

  @Test("The availability of each command in each place is as recorded")
  func availabilityIsAsRecorded() async throws {
    var lines: [String] = []
    for place in CommandContext.allCases {
      let robot = try await Self.robot(in: place)
      lines.append("# \(place.rawValue)")
      for command in Command.allCases where command.places.contains(place) {
        let binding = robot.application.binding(for: command)
        let state = binding.map { $0.reason() ?? "enabled" } ?? "idle"
        lines.append("\(command.name): \(state)")
      }
    }
    try Golden.check("commands", lines.joined(separator: "\n"))
  }

  @Test("Every command has a title, a place, and a key or an entry of the palette")
  func everyCommandCanBeFound() async throws {
    let robot = try await Self.robot(in: .feeds)
    #expect(Set(Command.allCases.map(\.name)).count == Command.allCases.count)
    for command in Command.allCases where command != .palette {
      #expect(!command.title.isEmpty && !command.title.hasSuffix("."), "\(command.name)")
      #expect(!command.places.isEmpty, "\(command.name)")
      await robot.type(":\(command.name)").sees(command.name).press("Esc", "Esc")
    }
  }

  @Test(
    "A closed sheet is freed after its commands were used",
    arguments: [
      CommandContext.problems, .console, .accounts, .help, .rules, .downloads, .settings,
    ])
  func sheetsAreFreed(place: CommandContext) async throws {
    let robot = try await Self.robot(in: place)
    let browser = robot.application.browser
    weak let sheet = browser.sheet
    #expect(sheet?.binding(for: .moveDown) != nil)
    await robot.press("j")
    while browser.sheet != nil {
      await robot.press("Esc")
      if robot.lines.contains(where: { $0.contains("Discard the changes?") }) {
        await robot.press("y")
      }
    }
    #expect(sheet == nil)
  }

  @Test("A list of articles is freed when another takes its place")
  func listsAreFreed() async throws {
    let robot = try await Self.robot(in: .articles)
    let browser = robot.application.browser
    weak let list = browser.articles
    await robot.press("j", "k", "q", "j", "Enter")
    #expect(browser.articles != nil && browser.articles !== list && list == nil)
  }

  @Test("Every command that a screen binds is declared, and every declared one is bound")
  func everyBindingIsDeclared() async throws {
    var bound: Set<Command> = []
    for place in CommandContext.allCases {
      let application = try await Self.robot(in: place).application
      let browser = application.browser
      for binding in browser.focused.bindings.all + browser.bindings.all + application.bindings.all
      {
        bound.insert(binding.command)
      }
    }
    #expect(bound == Set(Command.allCases))
  }

  @Test("Every title is a verb phrase")
  func everyTitleIsAVerbPhrase() {
    let verbs: Set = [
      "Add", "Bookmark", "Change", "Choose", "Close", "Copy", "Correct", "Delete", "Discard", "Do",
      "Download", "Edit", "Export", "Fetch", "Filter", "Find", "Give", "Go", "Import", "Keep",
      "List", "Mark", "Move", "Narrow", "Open", "Pause", "Pipe", "Play", "Quit", "Read", "Redo",
      "Redraw",
      "Refresh", "Remove", "Retry", "Save", "Scroll", "Search", "Select", "Send", "Set", "Show",
      "Snooze", "Sort",
      "Star", "Stop", "Undo", "Unsubscribe", "Use", "Wake", "Widen", "Wrap",
    ]
    for command in Command.allCases {
      let first = String(command.title.prefix { $0.isLetter })
      #expect(verbs.contains(first), "\(command.name): \(command.title)")
    }
  }

  @Test("A key of a command that cannot act says why")
  func aDisabledCommandSaysWhy() async throws {
    let robot = try await Self.robot(in: .articles)
    await robot.press("Ctrl-r").sees("Nothing to redo")
    await robot.press("s", "u", "Ctrl-r").doesNotSee("Nothing to redo").sees("Redone")
  }

  @Test("The palette lists what can act here, and says why a command typed in full cannot")
  func thePaletteSaysWhy() async throws {
    for place in CommandContext.allCases {
      let robot = try await Self.robot(in: place)
      await robot.type(":redo").sees("Nothing to redo")
      await robot.press("Enter").sees("Nothing to redo")
    }
    let robot = try await Self.robot(in: .articles)
    await robot.type(":save-search").sees("works in the search")
    await robot.press("Esc").type(":pictures").sees("works in the article")
  }
}
