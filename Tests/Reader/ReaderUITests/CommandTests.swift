@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews

@Suite("The keymap") struct CommandTests {
  private func keys(_ text: String) throws -> [Key] { try #require(KeySequence(text)).keys }

  private func run(
    _ names: String, _ keymap: Keymap = Keymap(), in context: CommandContext = .articles
  )
    throws -> [ChordReader<Command>.Outcome]
  {
    var reader = ChordReader<Command>()
    var outcomes: [ChordReader<Command>.Outcome] = []
    for key in try keys(names) { outcomes += reader.handle(key, keymap, in: context) }
    return outcomes
  }

  @Test("Every default key has a name and a single meaning") func defaultKeysAreUnique() {
    let keymap = Keymap()
    #expect(keymap.problems.isEmpty)
    for command in Command.allCases {
      #expect(keymap.sequences(for: command).count == command.keys.count)
      #expect(!command.title.isEmpty && !command.places.isEmpty)
    }
  }

  @Test("Counts and key sequences are read, and Esc drops a count") func countsAndChords() throws {
    #expect(try run("1 2 j") == [.init(command: .moveDown, count: 12)])
    #expect(try run("g g") == [.init(command: .top, count: nil)])
    #expect(try run("g") == [])
    #expect(try run("g j") == [])
    let waiting = Keymap(overrides: ["top": ["g"]])
    #expect(
      try run("g j", waiting) == [
        .init(command: .top, count: nil), .init(command: .moveDown, count: nil),
      ])
    #expect(try run("5 Esc j") == [.init(command: .moveDown, count: nil)])
    #expect(try run("0 j") == [.init(command: .moveDown, count: nil)])
  }

  @Test("A key that could begin a longer sequence acts after the timeout")
  func prefixKeyActsAfterTime() throws {
    var reader = ChordReader<Command>()
    let keymap = Keymap(overrides: ["top": ["g"]])
    #expect(reader.handle(.character("g"), keymap, in: .reader).isEmpty)
    #expect(reader.isWaiting(keymap, in: .reader))
    #expect(reader.label == "g")
    #expect(reader.timeOut(keymap, in: .reader)?.invocations == [Invocation(.top)])
    #expect(reader.timeOut(keymap, in: .reader) == nil)
  }

  @Test("Configured keys replace the defaults, and unknown commands and keys are reported")
  func keysCanBeChanged() throws {
    let keymap = Keymap(overrides: [
      "toggle-star": ["ctrl-x s", "j"], "nonsense": ["x"], "quit": ["ctrl-foo"],
    ])
    #expect(try run("Ctrl-x s", keymap) == [.init(command: .toggleStar, count: nil)])
    #expect(try run("j", keymap) == [.init(command: .toggleStar, count: nil)])
    #expect(try run("j", keymap, in: .feeds) == [.init(command: .moveDown, count: nil)])
    #expect(try run("s", keymap).isEmpty)
    #expect(keymap.problems.contains(.unknownCommand("nonsense")))
    #expect(keymap.problems.contains(.unknownKey(command: "quit", sequence: "ctrl-foo")))
  }

  @Test("A huge count is reduced to the maximum") func hugeCountsAreCut() throws {
    #expect(
      try run("9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 j").first?.count
        == ChordReader<Command>.maximumCount)
  }
}

@Suite("The commands of each place") struct CommandReachTests {
  @Test("Every command of a place is handled there, except at the edges")
  func noKeyOfAPaneFallsThrough() async throws {
    for context in CommandContext.allCases {
      for command in Command.allCases where command.places.contains(context) {
        let robot = try await CommandTableTests.robot(in: context, of: .tiny())
        // At the edges there is nowhere to go and nothing to dismiss.
        let isEdge =
          (context == .reader && command == .goIn)
          || (context == .feeds && (command == .goOut || command == .dismiss))
        let isTaken = robot.application.perform(Invocation(command))
        #expect(isTaken || isEdge, "\(command) in \(context)")
        await robot.application.context.work.finish()
      }
    }
  }
}

extension ChordReader<Command>.Outcome {
  init(command: Command, count: Int?) {
    self.init(invocations: [Invocation(command)], count: count)
  }
}
