@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews

@Suite("Fuzzy matches") struct FuzzyMatchTests {
  @Test("The letters of the query must occur in their order")
  func queryLettersInOrder() {
    #expect(FuzzyMatch("rfs", in: "refresh")?.positions == [0, 2, 5])
    #expect(FuzzyMatch("sfr", in: "refresh") == nil)
    #expect(FuzzyMatch("refreshing", in: "refresh") == nil)
    #expect(FuzzyMatch("", in: "refresh")?.positions == [])
    #expect(FuzzyMatch("ÜB", in: "drüber")?.positions == [2, 3])
  }

  @Test("Beginnings of words, runs of letters and short names score higher")
  func wordStartsScoreHigher() throws {
    #expect(FuzzyMatch("ra", in: "refresh-all")?.positions == [0, 8])
    #expect(FuzzyMatch("all", in: "palace hall")?.positions == [8, 9, 10])
    let acronym = try #require(FuzzyMatch("oib", in: "open-in-browser"))
    let scattered = try #require(FuzzyMatch("oib", in: "cooling bob"))
    #expect(acronym.score > scattered.score)
    let word = try #require(FuzzyMatch("save", in: "Save the article as a file"))
    let words = try #require(FuzzyMatch("save", in: "Show the article or a version"))
    #expect(word.score > words.score)
    let short = try #require(FuzzyMatch("top", in: "top"))
    let long = try #require(FuzzyMatch("top", in: "top of the list"))
    #expect(short.score > long.score)
  }

  /// Compares with the plain definition of a subsequence.
  @Test("A match exists exactly if the query is a subsequence of the name")
  func matchIsASubsequence() {
    var random = SeededRandom(seed: 17)
    let letters = Array("ab-C ")
    for _ in 0..<2_000 {
      let name = String(
        (0..<Int.random(in: 0...9, using: &random)).map { _ in
          letters.randomElement(using: &random) ?? "a"
        })
      let query = String(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
          ["a", "b", "c"].randomElement(using: &random) ?? "a"
        })
      var rest = name.lowercased()[...]
      let occurs = query.allSatisfy { letter in
        guard let place = rest.firstIndex(of: letter) else { return false }
        rest = rest[rest.index(after: place)...]
        return true
      }
      let match = FuzzyMatch(query, in: name)
      #expect((match != nil) == occurs, "\(query) in \(name)")
      guard let match else { continue }
      let characters = Array(name)
      #expect(match.positions.map { characters[$0].lowercased() }.joined() == query)
      #expect(match.positions == match.positions.sorted())
    }
  }
}

@Suite("Text fields") struct TextFieldTests {
  @Test("A combining mark joins the letter before the cursor")
  func combiningMarkIsJoined() {
    var field = TextField()
    func handle(_ keys: Key...) { for key in keys { _ = field.handle(key) } }
    handle(.character("ก"), .character("\u{E35}"))
    #expect(field.text == "กี")
    handle(.character("x"), .left, .left, .character("n"), .character("\u{303}"), .character("!"))
    #expect(field.text == "n\u{303}!กีx")
    handle(.paste("\u{301}e\u{301}"), .character("-"))
    #expect(field.text == "n\u{303}!\u{301}e\u{301}-กีx")
  }
}

@Suite("The palette") struct PaletteTests {
  @Test("A few letters find a command, and Enter runs it")
  func aFewLettersRunACommand() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", ":").type("tgst").sees("toggle-star", "Star")
    let before = robot.selection
    await robot.press("Enter").doesNotSee("toggle-star")
    #expect(robot.selection != before)
    robot.sees("★")
  }

  @Test("Only commands that can act in the current place are listed")
  func whatWorksHereComesFirst() async throws {
    let robot = await Robot(try await .daily(), width: 80, height: 30)
    await robot.press("G", ":").type("fol")
    let lines = robot.lines
    #expect(lines.contains { $0.contains("Move to a folder") })
    #expect(!lines.contains { $0.contains("List the links and open one") })
    await robot.press("Esc", ":").type("follow-link").press("Enter").waitUntilIdle().sees(
      "works in the list of")
  }

  @Test("A command that removes something is found by its first letters only")
  func removal() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("G")
    for text in ["unsub", "Unsubscribe", "unsubscribe f"] {
      await robot.type(":" + text).sees("Unsubscribe").press("Esc")
    }
    for text in ["subscribe", "ubsc", "unsb", "delete the fold", "nsubscribe"] {
      await robot.type(":" + text).doesNotSee("Unsubscribe").press("Esc")
    }
    let feeds = try robot.cache.feeds.subscriptions().feeds.count
    await robot.type(":subscribe").press("Enter", "Esc")
    #expect(try robot.cache.feeds.subscriptions().feeds.count == feeds)
  }

  @Test("A theme chosen in the palette applies at once")
  func themesChangeAtOnce() async throws {
    let robot = await Robot(try await .daily(), colors: .trueColor)
    await robot.press(":").type("theme war").press("Enter")
    #expect(robot.terminal.surface?[0, 5].style.background == .rgb(0x22, 0x1D, 0x18))
    await robot.press(":").type("choose a th").press("Enter").sees("Theme:", "contrast")
    await robot.type("pink").press("Enter").sees("Theme: pink", "No matches.")
    await robot.press("Esc").type(":theme mono").press("Enter")
    #expect(robot.terminal.surface?[0, 5].style.background == .default)
  }

  @Test("Tab completes a command, and arrows choose its argument")
  func tabCompletes() async throws {
    let robot = await Robot(try await .daily())
    await robot.press(":").type("theme").press("Tab").sees(":theme", "auto")
    await robot.press("Down", "Tab").sees(":theme terminal")
    await robot.press("Esc").doesNotSee(":theme")
  }

  @Test("The palette looks as recorded", arguments: GoldenScreenTests.sizes)
  func paletteLooksAsRecorded(width: Int, height: Int) async throws {
    let robot = await Robot(try await .daily(), width: width, height: height)
    try await robot.press("Enter", ":").matches("palette-\(width)x\(height)")
    await robot.type("mark")
    try robot.matches("palette-found-\(width)x\(height)")
  }
}

@Suite("Key bindings") struct BindingTests {
  private func outcomes(
    _ keys: String, _ bindings: KeyBinding..., in context: CommandContext = .articles
  ) throws -> [[Invocation]] {
    let keymap = Keymap(bindings: bindings)
    #expect(keymap.problems.isEmpty)
    var reader = ChordReader<Command>()
    return try #require(KeySequence(keys)).keys
      .flatMap { reader.handle($0, keymap, in: context) }.map(\.invocations)
  }

  @Test("A key can be bound to several commands")
  func keyHasSeveralCommands() throws {
    let both = KeyBinding(keys: "X", commands: ["toggle-star", "open-in-browser"])
    #expect(try outcomes("X", both) == [[Invocation(.toggleStar), Invocation(.openInBrowser)]])
    #expect(try outcomes("X", both, in: .feeds) == [])
  }

  @Test("A key can be bound in one place only")
  func keyIsBoundInOnePlace() throws {
    let star = KeyBinding(keys: "j", commands: ["toggle-star"], context: .reader)
    #expect(try outcomes("j", star, in: .reader) == [[Invocation(.toggleStar)]])
    #expect(try outcomes("j", star) == [[Invocation(.moveDown)]])
  }

  @Test("A binding without commands removes the key")
  func aKeyIsTakenAway() throws {
    #expect(try outcomes("Q", KeyBinding(keys: "Q", commands: [])) == [])
    #expect(Keymap(bindings: [KeyBinding(keys: "Q", commands: [])]).label(.quit) == nil)
    #expect(Keymap(overrides: ["quit": []]).label(.quit) == nil)
    let once = KeyBinding(keys: "s", commands: [], context: .reader)
    #expect(Keymap(bindings: [once]).label(.toggleStar) == "s")
  }

  @Test("The keys of a command are listed for one place")
  func keysOfOnePlaceAreListed() {
    let keymap = Keymap(bindings: [
      KeyBinding(keys: "Q", commands: [], context: .reader),
      KeyBinding(keys: "j", commands: ["toggle-star"], context: .reader),
    ])
    func keys(_ command: Command, _ context: CommandContext) -> [String] {
      keymap.sequences(for: command, in: context).map(\.label)
    }
    #expect(keys(.quit, .reader) == [])
    #expect(keys(.quit, .feeds) == ["Q"])
    #expect(keys(.toggleStar, .reader) == ["s", "j"])
    #expect(keys(.toggleStar, .articles) == ["s"])
    #expect(keys(.moveDown, .reader) == ["↓"])
  }

  @Test("The help lists the keys of the place from which it is opened")
  func helpListsKeysOfPlace() async throws {
    let configuration = ReaderConfiguration.test {
      $0.bindings = [KeyBinding(keys: "Q", commands: [], context: .reader)]
    }
    let robot = await Robot(try await .daily(), configuration: configuration)
    await robot.press("?", "/").type("quit").sees("Quit")
    await robot.press("Esc", "Esc", "Enter", "Enter", "?", "/").type("quit")
    robot.sees("twice on the first screen: quit").doesNotSee("Quit")
  }

  @Test("A check of the configuration knows the arguments that the screens offer")
  func checkKnowsArguments() async throws {
    let robot = await Robot(try await .daily())
    for order in try #require(Command.sort.knownArguments(in: .feeds)) {
      robot.application.perform(Invocation(.sort, order))
      let view = robot.application.browser.feeds.model.view
      let place = view.foldersLast ? FolderPlace.last : .first
      #expect([view.order.rawValue, place.rawValue].contains(order))
    }
    await robot.type(":sort ").sees("latest").doesNotSee("newest").press("Esc")
    await robot.press("Enter").type(":sort ").sees("newest").doesNotSee("latest")
    for command in Command.allCases {
      let isChosen = command.argument?.isFree == false
      #expect((command.knownArguments() != nil) == isChosen, "\(command)")
    }
  }

  @Test("A command in a binding can have an argument")
  func argumentsAreGiven() throws {
    #expect(
      try outcomes("ctrl-t", KeyBinding(keys: "ctrl-t", commands: ["theme light"]))
        == [[Invocation(.theme, "light")]])
    #expect(Invocation("quit now") == nil)
    #expect(Invocation("fly") == nil)
  }

  @Test("A key with several commands runs them in order")
  func macroRunsFromKeyboard() async throws {
    let configuration = ReaderConfiguration.test {
      $0.bindings = [KeyBinding(keys: "X", commands: ["toggle-star", "move-down", "theme light"])]
    }
    let robot = await Robot(try await .daily(), colors: .trueColor, configuration: configuration)
    await robot.press("Enter", "X").sees("★").selects("A quieter terminal")
    #expect(robot.terminal.surface?[0, 5].style.background == .rgb(0xFB, 0xFA, 0xF7))
    await robot.press("?", "?", "G").sees("Star or unstar, then Move down, then Choose a theme")
  }
}
