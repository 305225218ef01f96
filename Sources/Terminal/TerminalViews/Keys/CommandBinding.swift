/// A part of the interface that performs commands. A command goes to the focused screen, then to
/// the window around it, then to the application, until one of them has a binding for it.
@MainActor public protocol CommandTarget<ProgramCommand>: AnyObject {
  associatedtype ProgramCommand: CommandSet
  /// The bindings, made once. Their closures must not retain the target.
  var bindings: CommandBindings<ProgramCommand> { get }
  /// Returns the action for a command; `nil` passes the command to the next target.
  func binding(for command: ProgramCommand) -> CommandBinding<ProgramCommand>?
}

extension CommandTarget {
  public func binding(for command: ProgramCommand) -> CommandBinding<ProgramCommand>? {
    bindings.first(for: command)
  }
}

/// Bindings of one part of the interface, indexed by command.
public struct CommandBindings<ProgramCommand: CommandSet> {
  public let all: [CommandBinding<ProgramCommand>]
  private let table: [ProgramCommand: [CommandBinding<ProgramCommand>]]

  public init(_ make: () -> [CommandBinding<ProgramCommand>] = { [] }) {
    all = make()
    table = Dictionary(grouping: all, by: \.command)
  }

  /// Keys for the status line, in the order of the bindings.
  public var hints: [CommandHint<ProgramCommand>] {
    all.compactMap { binding in binding.word().map { CommandHint(binding.command, $0) } }
  }

  /// Returns the first applicable binding of a command.
  public func first(for command: ProgramCommand) -> CommandBinding<ProgramCommand>? {
    table[command]?.first { $0.applies() }
  }
}

/// A command and its action in one part of the interface.
public struct CommandBinding<ProgramCommand: CommandSet> {
  /// The count and argument with which a command is performed.
  public struct Call {
    public var count: Int?
    public var argument: String?

    public init(count: Int? = nil, argument: String? = nil) {
      (self.count, self.argument) = (count, argument)
    }
    var times: Int { count ?? 1 }
  }

  public let command: ProgramCommand
  /// Returns `false` if the next part of the interface must handle the command.
  let applies: () -> Bool
  /// Returns the reason why the command cannot act, without a full stop; `nil` if it can.
  public let reason: () -> String?
  public let choices: () -> ArgumentChoices?
  public let action: (Call) -> Void
  /// Returns the word beside the key in the status line; `nil` if the line does not show the key.
  private(set) var word: () -> String? = { nil }
  /// Says what the command would do now with an argument; see `EffectText`.
  private var effectSource: ((_ argument: String?) -> EffectText.Source)?

  /// Binds an action that needs both count and argument, or the absence of a count.
  public init(
    _ command: ProgramCommand, when applies: @escaping @autoclosure () -> Bool = true,
    unless reason: @escaping @autoclosure () -> String? = nil,
    choices: @escaping () -> ArgumentChoices? = { nil }, called action: @escaping (Call) -> Void
  ) {
    (self.command, self.applies, self.reason, self.choices) = (command, applies, reason, choices)
    self.action = action
  }

  public init(
    _ command: ProgramCommand, when applies: @escaping @autoclosure () -> Bool = true,
    unless reason: @escaping @autoclosure () -> String? = nil,
    _ action: @escaping () -> Void
  ) { self.init(command, when: applies(), unless: reason(), called: { _ in action() }) }

  /// Binds an action with a count: the number typed before the key, or 1.
  public init(
    _ command: ProgramCommand, when applies: @escaping @autoclosure () -> Bool = true,
    unless reason: @escaping @autoclosure () -> String? = nil,
    counted action: @escaping (Int) -> Void
  ) { self.init(command, when: applies(), unless: reason(), called: { action($0.times) }) }

  /// Binds an action with an argument. The program's table of commands has the arguments that do
  /// not depend on the user's data.
  public init(
    _ command: ProgramCommand, unless reason: @escaping @autoclosure () -> String? = nil,
    choices: @escaping () -> ArgumentChoices? = { nil }, given action: @escaping (String) -> Void
  ) {
    self.init(command, unless: reason(), choices: choices, called: { action($0.argument ?? "") })
  }

  /// Returns the binding with a word beside its key in the status line; `nil` for none.
  public func hinted(_ word: @escaping @autoclosure () -> String?) -> Self {
    var copy = self
    copy.word = word
    return copy
  }

  /// Returns the binding with words for its effect, such as "marks 214 read in News".
  package func counting(_ effect: @escaping (_ argument: String?) -> EffectText.Source) -> Self {
    var copy = self
    copy.effectSource = effect
    return copy
  }

  /// Returns the binding with words for its effect that need no counting; `nil` for none.
  package func saying(_ words: @escaping () -> String?) -> Self {
    counting { _ in
      { show in
        if let words = words() { show(words) }
        return nil
      }
    }
  }

  /// Returns the words for the effect; `nil` if the command has none or cannot act.
  package func effect(_ argument: String?) -> EffectText.Source? {
    reason() == nil ? effectSource?(argument) : nil
  }

  public static func movement(_ move: @escaping (ListMovement) -> Void) -> [CommandBinding] {
    func binding(_ command: ProgramCommand, _ movement: @escaping (Call) -> ListMovement)
      -> CommandBinding
    {
      CommandBinding(command, called: { move(movement($0)) })
    }
    return [
      binding(.moveDown) { .rows($0.times) },
      binding(.moveUp) { .rows(-$0.times) },
      binding(.halfPageDown) { .halfPages($0.times) },
      binding(.halfPageUp) { .halfPages(-$0.times) },
      binding(.pageDown) { .pages($0.times) },
      binding(.pageUp) { .pages(-$0.times) },
      binding(.top) { _ in .top },
      binding(.bottom) { $0.count.map { .row($0 - 1) } ?? .bottom },
    ]
  }
}

/// A movement of the selection of a list or of a text.
public nonisolated enum ListMovement: Equatable {
  /// A number of rows, negative for up.
  case rows(Int)
  case halfPages(Int)
  case pages(Int)
  case top
  case bottom
  /// The row of an index; 0 is the first.
  case row(Int)

  /// True for a move down by rows or pages, which passes the rows between.
  public var isStepDown: Bool {
    switch self {
    case .rows(let count), .halfPages(let count), .pages(let count): count > 0
    case .top, .bottom, .row: false
    }
  }

  /// Returns the distance in lines, negative for up; 0 for a move to a fixed place.
  /// - Parameter overlap: Lines of a page that stay in view.
  public func distance(height: Int, overlap: Int = 1) -> Int {
    switch self {
    case .rows(let count): count
    case .halfPages(let count): count * max(1, height / 2)
    case .pages(let count): count * max(1, height - overlap)
    case .top, .bottom, .row: 0
    }
  }
}

/// Values that a command accepts.
public struct ArgumentChoices {
  public var all: [String]
  /// The current value, which is selected in the list or already in the command line.
  public var current = ""
  /// Display texts, by value, if they differ from the value.
  public var titles: [String: String] = [:]
  package var notes: [String: String] = [:]
  /// Called while a value is only highlighted.
  public var highlighted: (String) -> Void = { _ in }
  public var cancelled: () -> Void = {}
  /// Returns the reason why a value is not accepted; `nil` if it is.
  package var problem: (String) -> String? = { _ in nil }
  public var newNeedsText = true
  /// The character between several values; `nil` if only one is accepted.
  public var separator: Character?
  /// True if Enter accepts a single value without typing.
  public var appliesToOne = false

  public init(
    all: [String], current: String = "", titles: [String: String] = [:],
    highlighted: @escaping (String) -> Void = { _ in }, cancelled: @escaping () -> Void = {},
    newNeedsText: Bool = true, separator: Character? = nil, appliesToOne: Bool = false
  ) {
    (self.all, self.current, self.titles, self.highlighted) = (all, current, titles, highlighted)
    (self.cancelled, self.newNeedsText, self.separator) = (cancelled, newNeedsText, separator)
    self.appliesToOne = appliesToOne
  }
}

/// A command with its argument: the meaning of a key, a macro or a line of the palette.
public nonisolated struct CommandInvocation<ProgramCommand: CommandSet>: Sendable, Hashable {
  public var command: ProgramCommand
  /// The argument; if a required argument is `nil`, the command asks for it.
  public var argument: String?

  public init(_ command: ProgramCommand, _ argument: String? = nil) {
    (self.command, self.argument) = (command, argument)
  }

  /// Parses "toggle-star", "theme light" or a former name. `nil` if the command is unknown or takes
  /// no argument.
  public init?(_ text: some StringProtocol) {
    var trimmed = String(text).trimmingWhitespace
    var name = trimmed.prefix { $0 != " " }
    if let new = ProgramCommand.replacement(for: String(name)) {
      trimmed = new + trimmed.dropFirst(name.count)
      name = trimmed.prefix { $0 != " " }
    }
    guard let command = ProgramCommand(named: String(name)) else { return nil }
    let rest = String(trimmed.dropFirst(name.count)).trimmingWhitespace
    guard rest.isEmpty || command.acceptsArgument else { return nil }
    self.init(command, rest.isEmpty ? nil : rest)
  }
}

/// The effect that the highlighted command or value would have now, in words that may arrive later.
package final class EffectText {
  /// Passes the words to `show`, at once or when they have been counted. Releasing the token
  /// cancels the count.
  package typealias Source = (_ show: @escaping (String) -> Void) -> TimerToken?

  /// Empty while nothing is known.
  package private(set) var text = ""
  private var subject: AnyHashable?
  private var counting: TimerToken?

  package init() {}

  /// Reads the words for another subject; does nothing if the subject is the same.
  package func read(of subject: AnyHashable?, _ source: @autoclosure () -> Source?) {
    guard subject != self.subject else { return }
    (self.subject, text) = (subject, "")
    counting = source()?({ [weak self] in if self?.subject == subject { self?.text = $0 } })
  }
}
