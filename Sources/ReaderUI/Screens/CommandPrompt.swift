import FeedStore
import TerminalKit

/// The command palette: every command by name, found by a few of its letters, and behind a command's
/// name what it can be given. What can be chosen stands above the line; the screens stay in view.
final class CommandPrompt: ListPrompt {
  private let context: ReaderContext
  private let place: CommandContext
  private let choices: (Command) -> ArgumentChoices?
  private let ended: (Invocation?) -> Void
  private var field: TextField
  private var entries: [Entry] = []
  private var chosen: Int?
  private var top = 0

  private struct Entry {
    enum Kind {
      case command(Command, isUsable: Bool)
      case argument(String)
    }
    var kind: Kind
    var text: String
    /// The letters that were typed.
    var positions: [Int]

    var isUsable: Bool {
      if case .command(_, let isUsable) = kind { isUsable } else { true }
    }
  }

  /// - Parameters:
  ///   - text: what stands in the line already: "theme ".
  ///   - place: where the keyboard is; what works there comes first.
  ///   - choices: what a command can be given, as the screens know it.
  ///   - ended: what was chosen; nil: nothing.
  init(
    text: String = "", context: ReaderContext, place: CommandContext,
    choices: @escaping (Command) -> ArgumentChoices?, ended: @escaping (Invocation?) -> Void
  ) {
    self.context = context
    self.place = place
    self.choices = choices
    self.ended = ended
    field = TextField(text)
    find()
  }

  // MARK: Finding

  /// The command that the line names in full, with what follows it.
  private var named: (command: Command, argument: String)? {
    let name = field.text.prefix { $0 != " " }
    guard name.count < field.text.count, let command = Command(rawValue: String(name)),
      command.description.argument != nil
    else { return nil }
    return (command, String(field.text.dropFirst(name.count + 1)))
  }

  private func find() {
    top = 0
    if let named {
      entries = arguments(of: named.command, like: named.argument)
      // Where anything may be typed, Enter takes what is typed unless something was chosen.
      chosen = entries.isEmpty || named.command.description.argument?.isFree == true ? nil : 0
    } else {
      entries = commands(like: field.text)
      chosen = entries.isEmpty ? nil : 0
    }
  }

  /// By chapters; moving comes last, as nobody moves by name.
  private static let all: [Command] = {
    let chapters = CommandDescription.Chapter.allCases.filter { $0 != .moving } + [.moving]
    return chapters.flatMap { chapter in
      Command.allCases.filter { $0 != .palette && $0.description.chapter == chapter }
    }
  }()

  private func commands(like text: String) -> [Entry] {
    let found = Self.all.compactMap {
      command -> (entry: Entry, score: Int)? in
      let title = command.description.title
      let inTitle = FuzzyMatch(text, in: title)
      let inName = FuzzyMatch(text, in: command.rawValue)
      guard let score = [inTitle?.score, inName?.score].compactMap({ $0 }).max() else { return nil }
      let isUsable = command.description.contexts.contains(place)
      return (
        Entry(
          kind: .command(command, isUsable: isUsable), text: title,
          positions: inTitle?.positions ?? []),
        score
      )
    }
    let usable = found.filter { $0.entry.isUsable }
    let others = found.filter { !$0.entry.isUsable }
    guard !text.isEmpty else { return (usable + others).map(\.entry) }
    return [usable, others].flatMap { Self.ranked($0) }
  }

  private func arguments(of command: Command, like text: String) -> [Entry] {
    guard let choices = choices(command) else { return [] }
    // Of several words the last one is being typed.
    let typed =
      choices.takesSeveral
      ? text.split(separator: " ", omittingEmptySubsequences: false).last ?? "" : text[...]
    let found = choices.all.compactMap { choice -> (entry: Entry, score: Int)? in
      guard let match = FuzzyMatch(typed, in: choice) else { return nil }
      return (
        Entry(kind: .argument(choice), text: choice, positions: match.positions), match.score
      )
    }
    return typed.isEmpty ? found.map(\.entry) : Self.ranked(found)
  }

  /// The best first; equals in the order of the table.
  private static func ranked(_ found: [(entry: Entry, score: Int)]) -> [Entry] {
    found.enumerated().sorted {
      ($0.element.score, -$0.offset) > ($1.element.score, -$1.offset)
    }.map(\.element.entry)
  }

  // MARK: Keys

  func take(_ key: Key) {
    context.invalidate()
    switch key {
    case .escape: ended(nil)
    case .backspace where field.text.isEmpty: ended(nil)
    case .enter: finish()
    case .down, .control("n"): choose((chosen ?? -1) + 1)
    case .up, .control("p"): choose((chosen ?? entries.count) - 1)
    case .tab: complete()
    case .backTab: choose((chosen ?? entries.count) - 1)
    default:
      if field.take(key) { find() }
    }
  }

  private func choose(_ index: Int) {
    guard !entries.isEmpty else { return }
    chosen = (index + entries.count) % entries.count
  }

  /// Puts what is chosen into the line.
  private func complete() {
    guard !entries.isEmpty else { return }
    switch entries[chosen ?? 0].kind {
    case .command(let command, _):
      field = TextField(command.rawValue + (command.description.argument == nil ? "" : " "))
    case .argument(let argument): put(argument)
    }
    find()
  }

  private func put(_ argument: String) {
    guard let named else { return }
    var words: [Substring] = []
    if choices(named.command)?.takesSeveral == true {
      words = named.argument.split(separator: " ", omittingEmptySubsequences: false).dropLast()
    }
    field = TextField(
      ([Substring(named.command.rawValue)] + words + [argument[...]]).joined(separator: " "))
  }

  private func finish() {
    if let named {
      if let chosen, case .argument(let argument) = entries[chosen].kind {
        put(argument)
      }
      let argument = (self.named ?? named).argument.trimmingWhitespace
      let isOffered = entries.contains { $0.text == argument }
      guard named.command.description.argument?.isFree == true || isOffered else { return }
      return ended(Invocation(named.command, argument))
    }
    guard let chosen, case .command(let command, let isUsable) = entries[chosen].kind else {
      return ended(nil)
    }
    guard isUsable else {
      ended(nil)
      let places = CommandContext.allCases.filter { command.description.contexts.contains($0) }
      return context.note(
        "\u{201C}\(command.description.title)\u{201D} works in: "
          + places.map(\.rawValue).joined(separator: ", "))
    }
    ended(Invocation(command))
  }

  // MARK: Drawing

  var listRows: Int { min(12, max(1, entries.count)) }

  func draw(on canvas: Canvas) {
    let used = canvas.write(":", x: 1, y: 0, .accent)
    field.draw(on: canvas, x: 1 + used, y: 0)
  }

  func draw(list canvas: Canvas) {
    guard !entries.isEmpty else {
      let hint = named?.command.description.argument?.hint ?? "No command has that name."
      canvas.write(hint, x: 3, y: 0, columns: canvas.width - 4, .secondary)
      return
    }
    if let chosen {
      if chosen < top { top = chosen }
      if chosen >= top + canvas.height { top = chosen - canvas.height + 1 }
    }
    for (y, index) in entries.indices.dropFirst(top).prefix(canvas.height).enumerated() {
      draw(entries[index], on: canvas, y: y)
      guard index == chosen else { continue }
      canvas.select(row: y)
      canvas.mark(row: y)
    }
  }

  /// In a wide window names and keys stay near their titles.
  private static let columns = 88
  private static let nameColumn = 50

  private func draw(_ entry: Entry, on canvas: Canvas, y: Int) {
    let width = min(canvas.width, Self.columns)
    var right = width - 1
    if case .command(let command, let isUsable) = entry.kind {
      if let key = context.keymap.label(command) {
        right -= GraphemeWidth.width(of: key)
        canvas.write(key, x: right, y: y, isUsable ? .accent : .secondary)
      }
      if width >= 74 {
        let space = right - Self.nameColumn - 2
        canvas.write(command.rawValue, x: Self.nameColumn, y: y, columns: space, .secondary)
        right = Self.nameColumn
      }
      right -= 2
    }
    canvas.write(
      MarkedText(entry.text, characters: entry.positions), x: 3, y: y, columns: right - 3,
      entry.isUsable ? .text : .secondary)
  }
}

/// What a command can be given.
struct ArgumentChoices {
  /// In the order in which they are offered.
  var all: [String]
  /// What it has now; stands in the line to be edited.
  var current = ""
  /// Words parted by blanks are each one of them.
  var takesSeveral = false
}
