import TerminalViews

/// The command palette, which finds the commands that can act here by some letters of their names
/// or by everyday words, and offers arguments after the name. The choices are above the line; the
/// screens stay visible.
final class CommandPrompt: ListPrompt {
  private let context: ReaderContext
  private let place: CommandContext
  private let binding: (Command) -> Binding?
  private let chosen: (Invocation) -> Void
  /// The commands that could act when the prompt was opened.
  private let usable: [Command]
  private var field: TextField
  private var entries: [Entry] = []
  private var list = ChoiceList() { didSet { readEffect() } }
  private var selected: Int? { list.selected }
  private let effect = EffectText()

  private struct Entry {
    enum Kind {
      case command(Invocation)
      case argument(String)
    }
    var kind: Kind
    var text: String
    var positions: [Int] = []
    var note = ""
  }

  /// - Parameters:
  ///   - place: The focus.
  ///   - binding: Returns the handler of a command at the focus.
  init(
    context: ReaderContext, place: CommandContext, binding: @escaping (Command) -> Binding?,
    chosen: @escaping (Invocation) -> Void
  ) {
    self.context = context
    self.place = place
    self.binding = binding
    self.chosen = chosen
    usable = Self.all.filter { command in
      command.places.contains(place) && binding(command).map { $0.reason() == nil } == true
    }
    field = TextField()
    find()
  }

  /// The command whose full name the line begins with, and the text after the name.
  private var named: (command: Command, argument: String)? {
    let name = field.text.prefix { $0 != " " }
    guard name.count < field.text.count, let command = Command(named: String(name)),
      command.argument != nil
    else { return nil }
    return (command, String(field.text.dropFirst(name.count + 1)))
  }

  private func choices(_ command: Command) -> ArgumentChoices? {
    binding(command)?.choices()
      ?? command.knownArguments(in: place).map { ArgumentChoices(all: $0) }
  }

  private func find() {
    let name = String(field.text.prefix { $0 != " " })
    if name.count < field.text.count, Command.replacement(for: name) != nil,
      let former = Invocation(field.text)
    {
      entries = [Entry(kind: .command(former), text: former.command.title)]
      list = ChoiceList(selected: 0)
    } else if let named {
      entries = arguments(of: named.command, like: named.argument)
      // If any text is accepted, Enter accepts the typed text unless a row was selected.
      let isFree = named.command.argument?.isFree == true
      let isOnlyOne =
        entries.count == 1 && named.argument.isEmpty && choices(named.command)?.appliesToOne == true
      list = ChoiceList(selected: entries.isEmpty || isFree && !isOnlyOne ? nil : 0)
    } else {
      entries = commands(like: field.text)
      list = ChoiceList(selected: entries.isEmpty ? nil : 0)
    }
  }

  /// All commands by chapter; moving comes last, since users rarely look it up by name.
  private static let all: [Command] = {
    let chapters = Command.Chapter.allCases.filter { $0 != .moving } + [.moving]
    return chapters.flatMap { chapter in
      Command.allCases.filter { $0 != .palette && $0.chapter == chapter }
    }
  }()

  /// Returns the commands with these letters: those named so first, then those whose name or word
  /// begins so.
  private func commands(like text: String) -> [Entry] {
    guard !text.isEmpty else {
      return usable.map { Entry(kind: .command(Invocation($0)), text: $0.title) }
    }
    if let command = Command(named: text), !usable.contains(command) { return [] }
    let wanted = text.lowercased().replacing("-", with: " ").trimmingWhitespace
    var found = usable.compactMap { entry(for: $0, like: text, wanted) }
    for (word, invocation) in Command.words where word.hasPrefix(wanted) {
      let command = invocation.command
      guard usable.contains(command), !command.isDestructive else { continue }
      found.append(
        (
          Entry(kind: .command(invocation), text: command.title),
          word == wanted ? Self.named - 1 : Self.begun
        ))
    }
    var known: Set<Invocation> = []
    return FuzzyMatch.ranked(found).filter { entry in
      if case .command(let invocation) = entry.kind {
        known.insert(invocation).inserted
      } else {
        true
      }
    }
  }

  /// Scores above those of scattered letters: of a whole name, and of the beginning of a name.
  private static let (named, begun) = (Int.max, Int.max / 2)

  private func entry(
    for command: Command, like text: String, _ wanted: String
  ) -> (entry: Entry, score: Int)? {
    let names = [command.name.replacing("-", with: " "), command.title.lowercased()]
    let isBegun = names.contains { $0.hasPrefix(wanted) }
    guard isBegun || !command.isDestructive else { return nil }
    let inTitle = FuzzyMatch(text, in: command.title)
    let inName = FuzzyMatch(text, in: command.name)
    guard let score = [inTitle?.score, inName?.score].compactMap({ $0 }).max() else { return nil }
    let entry = Entry(
      kind: .command(Invocation(command)), text: command.title, positions: inTitle?.positions ?? [])
    return (entry, names[0] == wanted ? Self.named : isBegun ? Self.begun + score : score)
  }

  private func arguments(of command: Command, like text: String) -> [Entry] {
    guard let choices = choices(command) else { return [] }
    // If several values are accepted, the last one is being typed.
    let typed =
      choices.separator.map {
        String(text.split(separator: $0, omittingEmptySubsequences: false).last ?? "")
          .trimmingWhitespace
      } ?? text
    let found = choices.all.compactMap { choice -> (entry: Entry, score: Int)? in
      guard let match = FuzzyMatch(typed, in: choice) else { return nil }
      return (
        Entry(
          kind: .argument(choice), text: choice, positions: match.positions,
          note: choices.titles[choice] ?? ""), match.score
      )
    }
    return typed.isEmpty ? found.map(\.entry) : FuzzyMatch.ranked(found)
  }

  func handle(_ key: Key) -> (() -> Void)? {
    switch key {
    case .escape: return {}
    case .backspace where field.text.isEmpty: return {}
    case .enter: return finish()
    case .down, .control("n"): list.step(1, of: entries.count)
    case .up, .control("p"), .backTab: list.step(-1, of: entries.count)
    case .tab: complete()
    default:
      if field.handle(key) { find() }
    }
    return nil
  }

  /// Reads the effect of the selected command, or of the one whose name was typed.
  private func readEffect() {
    var invocation = named.map { Invocation($0.command, $0.argument.trimmingWhitespace) }
    if let selected, entries.indices.contains(selected) {
      switch entries[selected].kind {
      case .command(let chosen): invocation = chosen
      case .argument(let argument): invocation?.argument = argument
      }
    }
    effect.read(
      of: invocation,
      invocation.flatMap { invocation in
        binding(invocation.command)?.effect(invocation.argument)
      })
  }

  private func complete() {
    guard !entries.isEmpty else { return }
    switch entries[selected ?? 0].kind {
    case .command(let chosen):
      let words = [chosen.command.name, chosen.argument ?? ""].joined(separator: " ")
      field = TextField(chosen.command.argument == nil ? chosen.command.name : words)
    case .argument(let argument): put(argument)
    }
    find()
  }

  private func put(_ argument: String) {
    guard let named else { return }
    var values = [argument[...]]
    let separator = choices(named.command)?.separator ?? " "
    if choices(named.command)?.separator != nil {
      values =
        named.argument.split(separator: separator, omittingEmptySubsequences: false).dropLast()
        + values
    }
    field = TextField("\(named.command.name) \(values.joined(separator: String(separator)))")
  }

  private func finish() -> (() -> Void)? {
    if let named {
      if let selected, case .argument(let argument) = entries[selected].kind {
        put(argument)
      }
      let argument = (self.named ?? named).argument.trimmingWhitespace
      let isOffered = entries.contains { $0.text == argument }
      guard named.command.argument?.isFree == true || isOffered else { return nil }
      return end(Invocation(named.command, argument))
    }
    if let selected, case .command(let invocation) = entries[selected].kind {
      return end(invocation)
    }
    return Invocation(field.text).map { end($0) } ?? {}
  }

  private func end(_ invocation: Invocation) -> () -> Void {
    { [chosen] in chosen(invocation) }
  }

  var effectText: String { effect.text }
  var listRows: Int { min(16, max(1, entries.count)) }

  func draw(on canvas: Canvas) {
    let used = canvas.write(":", x: 1, y: 0, .accent)
    field.draw(on: canvas, x: 1 + used, y: 0)
    canvas.write(effect: effect.text)
  }

  func draw(list canvas: Canvas) {
    guard !entries.isEmpty else {
      let hint = named?.command.argument?.hint ?? whyNot
      canvas.write(hint, x: 3, y: 0, columns: canvas.width - 4, .secondary)
      return
    }
    list.draw(entries.count, on: canvas) { draw(entries[$0], on: canvas, y: $1) }
  }

  /// Says why the typed command is not listed.
  private var whyNot: String {
    guard let command = Command(named: field.text) else { return "No such command here." }
    return binding(command)?.reason() ?? command.idleReason(in: place)
  }

  /// The most columns, so that names and keys are near their titles in a very wide window.
  private static let columns = 130
  /// Returns the column of the names, after the longest title if there is room.
  private static func nameColumn(_ width: Int) -> Int { min(60, max(50, width - 38)) }

  private func draw(_ entry: Entry, on canvas: Canvas, y: Int) {
    let width = min(canvas.width, Self.columns)
    var right = width - 1
    if case .command(let invocation) = entry.kind {
      let command = invocation.command
      let key = context.keymap.sequences(for: command, in: place).first?.label
      if let key, invocation.argument == nil {
        right -= GraphemeWidth.width(of: key)
        canvas.write(key, x: right, y: y, .accent)
      }
      if width >= 74 {
        let column = Self.nameColumn(width)
        let name = [command.name, invocation.argument].compactMap(\.self).joined(separator: " ")
        canvas.write(name, x: column, y: y, columns: right - column - 2, .secondary)
        right = column
      }
      right -= 2
    } else if !entry.note.isEmpty {
      let column = 3 + max(20, GraphemeWidth.width(of: entry.text) + 2)
      canvas.write(entry.note, x: column, y: y, columns: width - column - 1, .secondary)
    }
    canvas.write(
      FuzzyMatch.pieces(of: entry.text, matched: entry.positions), x: 3, y: y, columns: right - 3,
      .text)
  }
}
