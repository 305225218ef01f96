import TerminalViews

/// The command palette, which finds commands by some letters of their names and offers arguments
/// after the name. The choices are above the line; the screens stay visible.
final class CommandPrompt: ListPrompt {
  private let context: ReaderContext
  private let place: CommandContext
  private let binding: (Command) -> Binding?
  private let chosen: (Invocation) -> Void
  /// Reasons why commands cannot act, read when the prompt was opened.
  private let reasons: [Command: String]
  private var field: TextField
  private var entries: [Entry] = []
  private var list = ChoiceList() { didSet { readEffect() } }
  private var selected: Int? { list.selected }
  private let effect = EffectText()

  private struct Entry {
    enum Kind {
      case command(Command, reason: String?)
      case argument(String)
    }
    var kind: Kind
    var text: String
    var positions: [Int]

    var isUsable: Bool {
      if case .command(_, .some) = kind { false } else { true }
    }
  }

  /// - Parameters:
  ///   - text: The initial text of the line, such as "theme ".
  ///   - place: The focus, whose commands come first.
  ///   - binding: Returns the handler of a command at the focus.
  init(
    text: String = "", context: ReaderContext, place: CommandContext,
    binding: @escaping (Command) -> Binding?, chosen: @escaping (Invocation) -> Void
  ) {
    self.context = context
    self.place = place
    self.binding = binding
    self.chosen = chosen
    reasons = Dictionary(
      uniqueKeysWithValues: Self.all.compactMap { command in
        Self.reason(command, in: place, binding).map { (command, $0) }
      })
    field = TextField(text)
    find()
  }

  private static func reason(
    _ command: Command, in place: CommandContext, _ binding: (Command) -> Binding?
  ) -> String? {
    guard command.places.contains(place) else {
      let places = CommandContext.allCases.filter(command.places.contains)
      return "only in: \(places.map(\.title).joined(separator: ", "))"
    }
    guard let binding = binding(command) else { return command.idleReason(in: place) }
    return binding.reason()
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
    if let named {
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

  /// Returns the commands of this place, including those that cannot act now, then the others.
  private func commands(like text: String) -> [Entry] {
    let here = Self.all.filter { $0.places.contains(place) }
    let elsewhere = Self.all.filter { !$0.places.contains(place) }
    return [here, elsewhere].flatMap { commands in
      let found = commands.compactMap { entry(for: $0, like: text) }
      return text.isEmpty ? found.map(\.entry) : FuzzyMatch.ranked(found)
    }
  }

  private func entry(for command: Command, like text: String) -> (entry: Entry, score: Int)? {
    if command.isDestructive,
      ![command.name, command.title.lowercased()].contains(where: {
        $0.hasPrefix(text.lowercased())
      })
    {
      return nil
    }
    let inTitle = FuzzyMatch(text, in: command.title)
    let inName = FuzzyMatch(text, in: command.name)
    guard let score = [inTitle?.score, inName?.score].compactMap({ $0 }).max() else { return nil }
    let kind = Entry.Kind.command(command, reason: reasons[command])
    let entry = Entry(kind: kind, text: command.title, positions: inTitle?.positions ?? [])
    // Letters at the beginnings of words may score higher than a name typed in full.
    return (entry, text == command.name ? .max : score)
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
        Entry(kind: .argument(choice), text: choice, positions: match.positions), match.score
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
      case .command(let command, reason: nil): invocation = Invocation(command)
      case .command: invocation = nil
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
    case .command(let command, _):
      field = TextField(command.name + (command.argument == nil ? "" : " "))
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
    guard let selected, case .command(let command, let reason) = entries[selected].kind else {
      return {}
    }
    guard let reason else { return end(Invocation(command)) }
    return { [context] in context.note("\u{201C}\(command.title)\u{201D}: \(reason)") }
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
      let hint = named?.command.argument?.hint ?? "No such command."
      canvas.write(hint, x: 3, y: 0, columns: canvas.width - 4, .secondary)
      return
    }
    list.draw(entries.count, on: canvas) { draw(entries[$0], on: canvas, y: $1) }
  }

  /// The most columns, so that names and keys are near their titles in a very wide window.
  private static let columns = 130
  /// Returns the column of the names, after the longest title if there is room.
  private static func nameColumn(_ width: Int) -> Int { min(60, max(50, width - 38)) }

  private func draw(_ entry: Entry, on canvas: Canvas, y: Int) {
    let width = min(canvas.width, Self.columns)
    var right = width - 1
    if case .command(let command, let reason) = entry.kind {
      if let key = context.keymap.label(command) {
        right -= GraphemeWidth.width(of: key)
        canvas.write(key, x: right, y: y, reason == nil ? .accent : .secondary)
      }
      if width >= 74 {
        let column = Self.nameColumn(width)
        canvas.write(
          reason ?? command.name, x: column, y: y, columns: right - column - 2, .secondary)
        right = column
      }
      right -= 2
    }
    canvas.write(
      FuzzyMatch.pieces(of: entry.text, matched: entry.positions), x: 3, y: y, columns: right - 3,
      entry.isUsable ? .text : .secondary)
  }
}
