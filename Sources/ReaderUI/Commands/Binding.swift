/// A part of the interface that carries out commands. A command goes to the focused screen, then to
/// the window around it, then to the application: the first that has a binding for it takes it.
protocol CommandTarget: AnyObject {
  /// What it can do now.
  var bindings: [Binding] { get }
  /// What it does for a command; nil: it leaves it to the next part.
  func binding(for command: Command) -> Binding?
}

extension CommandTarget {
  func binding(for command: Command) -> Binding? { bindings.first(for: command) }
}

extension [Binding] {
  /// The first that applies to a command.
  func first(for command: Command) -> Binding? {
    first { $0.command == command && $0.applies }
  }
}

/// A command and what a part of the interface does for it.
struct Binding {
  /// What a command is carried out with.
  struct Call {
    /// As typed before the key; nil: none.
    var count: Int?
    /// Nil: none was given.
    var argument: String?
    /// Chosen from a list or typed just now, not bound to a key.
    var isChosen = false
    var times: Int { count ?? 1 }
  }

  let command: Command
  /// False: it does not apply now, and the next part of the interface is asked.
  let applies: Bool
  /// Why the command cannot act now, without a full stop; nil: it can.
  let reason: () -> String?
  /// What it can be given here.
  let choices: () -> ArgumentChoices?
  let action: (Call) -> Void

  private init(
    _ command: Command, _ applies: Bool, _ reason: @escaping () -> String?,
    choices: @escaping () -> ArgumentChoices? = { nil }, action: @escaping (Call) -> Void
  ) {
    self.command = command
    self.applies = applies
    self.reason = reason
    self.choices = choices
    self.action = action
  }

  /// - Parameters:
  ///   - applies: false: the command is left to the next part of the interface.
  ///   - reason: why it cannot act now; nil: it can.
  init(
    _ command: Command, when applies: Bool = true,
    unless reason: @escaping @autoclosure () -> String? = nil,
    _ action: @escaping () -> Void
  ) {
    self.init(command, applies, reason) { _ in action() }
  }

  /// A command that takes a count: the number typed before the key; 1 where none was.
  init(
    _ command: Command, when applies: Bool = true,
    unless reason: @escaping @autoclosure () -> String? = nil,
    counted action: @escaping (Int) -> Void
  ) {
    self.init(command, applies, reason) { action($0.times) }
  }

  /// A command that takes an argument.
  /// - Parameter choices: what can be given; for what is the same for everybody, `Command` knows
  ///   it.
  init(
    _ command: Command, when applies: Bool = true,
    unless reason: @escaping @autoclosure () -> String? = nil,
    choices: @escaping () -> ArgumentChoices? = { nil }, given action: @escaping (String) -> Void
  ) {
    self.init(command, applies, reason, choices: choices) { action($0.argument ?? "") }
  }

  /// A command that does other things for an argument that was chosen than for one of a key.
  init(
    _ command: Command, choices: @escaping () -> ArgumentChoices? = { nil },
    called action: @escaping (Call) -> Void
  ) {
    self.init(command, true, { nil }, choices: choices, action: action)
  }

  /// The commands that move through a list or a text.
  static func movement(_ move: @escaping (ListMovement) -> Void) -> [Binding] {
    func binding(_ command: Command, _ movement: @escaping (Call) -> ListMovement) -> Binding {
      Binding(command, true, { nil }) { move(movement($0)) }
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

/// A step through a list or a text.
nonisolated enum ListMovement: Equatable {
  /// Negative: up.
  case rows(Int)
  case halfPages(Int)
  case pages(Int)
  case top
  case bottom
  /// To a row, counted from 0.
  case row(Int)

  /// Whether it goes down by rows or pages, over what lies between.
  var isStepDown: Bool {
    switch self {
    case .rows(let count), .halfPages(let count), .pages(let count): count > 0
    case .top, .bottom, .row: false
    }
  }

  /// How far a step goes, negative: up; 0 if it goes to a place.
  /// - Parameters:
  ///   - height: lines of the window.
  ///   - overlap: lines of a page that stay in view.
  func distance(height: Int, overlap: Int = 1) -> Int {
    switch self {
    case .rows(let count): count
    case .halfPages(let count): count * max(1, height / 2)
    case .pages(let count): count * max(1, height - overlap)
    case .top, .bottom, .row: 0
    }
  }
}

/// What a command can be given.
struct ArgumentChoices {
  /// In the order in which they are offered.
  var all: [String]
  /// What it has now; it is in the line already, to be edited.
  var current = ""
  /// How some of them are shown where that is not as they are.
  var titles: [String: String] = [:]
  /// Called while one of them is only looked at, and when none was taken.
  var highlighted: (String) -> Void = { _ in }
  var cancelled: () -> Void = {}
  /// Without a text there is nothing new.
  var newNeedsText = true
  /// Words separated by spaces are each one of them.
  var takesSeveral = false
  /// Where there is one choice and nothing is typed, Enter takes it.
  var takesOnlyOne = false
}
