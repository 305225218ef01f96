/// A part of the interface that carries out commands. A command goes to the focused screen, then to
/// the window around it, then to the application, until one of them has a binding for it.
protocol CommandTarget: AnyObject {
  var bindings: [Binding] { get }
  /// The action for a command; `nil` passes the command to the next part.
  func binding(for command: Command) -> Binding?
}

extension CommandTarget {
  func binding(for command: Command) -> Binding? { bindings.first(for: command) }
}

extension [Binding] {
  func first(for command: Command) -> Binding? {
    first { $0.command == command && $0.applies }
  }
}

/// A command and its action in one part of the interface.
struct Binding {
  struct Call {
    var count: Int?
    var argument: String?
    /// Chosen from a list or typed, not bound to a key.
    var isChosen = false
    var times: Int { count ?? 1 }
  }

  let command: Command
  /// If `false`, the next part of the interface is asked.
  let applies: Bool
  /// Why the command cannot act now, without a full stop; `nil` if it can.
  let reason: () -> String?
  let choices: () -> ArgumentChoices?
  let action: (Call) -> Void

  /// A command that treats an argument chosen by the user differently from one bound to a key.
  init(
    _ command: Command, when applies: Bool = true,
    unless reason: @escaping @autoclosure () -> String? = nil,
    choices: @escaping () -> ArgumentChoices? = { nil }, called action: @escaping (Call) -> Void
  ) {
    self.command = command
    self.applies = applies
    self.reason = reason
    self.choices = choices
    self.action = action
  }

  init(
    _ command: Command, when applies: Bool = true,
    unless reason: @escaping @autoclosure () -> String? = nil,
    _ action: @escaping () -> Void
  ) { self.init(command, when: applies, unless: reason(), called: { _ in action() }) }

  /// A command that takes a count: the number typed before the key, or 1.
  init(
    _ command: Command, when applies: Bool = true,
    unless reason: @escaping @autoclosure () -> String? = nil,
    counted action: @escaping (Int) -> Void
  ) { self.init(command, when: applies, unless: reason(), called: { action($0.times) }) }

  /// A command that takes an argument. Arguments that are the same for everybody are listed in
  /// `Command`.
  init(
    _ command: Command, unless reason: @escaping @autoclosure () -> String? = nil,
    choices: @escaping () -> ArgumentChoices? = { nil }, given action: @escaping (String) -> Void
  ) {
    self.init(command, unless: reason(), choices: choices, called: { action($0.argument ?? "") })
  }

  /// The commands that move through a list or a text.
  static func movement(_ move: @escaping (ListMovement) -> Void) -> [Binding] {
    func binding(_ command: Command, _ movement: @escaping (Call) -> ListMovement) -> Binding {
      Binding(command, called: { move(movement($0)) })
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

nonisolated enum ListMovement: Equatable {
  /// Negative: up.
  case rows(Int)
  case halfPages(Int)
  case pages(Int)
  case top
  case bottom
  /// Counted from 0.
  case row(Int)

  /// Moves down by rows or pages, passing what lies between.
  var isStepDown: Bool {
    switch self {
    case .rows(let count), .halfPages(let count), .pages(let count): count > 0
    case .top, .bottom, .row: false
    }
  }

  /// The distance in lines, negative upwards; 0 for a move to a fixed place.
  /// - Parameter overlap: Lines of a page that stay in view.
  func distance(height: Int, overlap: Int = 1) -> Int {
    switch self {
    case .rows(let count): count
    case .halfPages(let count): count * max(1, height / 2)
    case .pages(let count): count * max(1, height - overlap)
    case .top, .bottom, .row: 0
    }
  }
}

/// The values that a command accepts.
struct ArgumentChoices {
  var all: [String]
  /// The present value; the line begins with it.
  var current = ""
  /// Display texts that differ from the value.
  var titles: [String: String] = [:]
  /// Called while a value is only highlighted, and when none was accepted.
  var highlighted: (String) -> Void = { _ in }
  var cancelled: () -> Void = {}
  /// A new value needs a typed text.
  var newNeedsText = true
  /// Several values are separated by spaces.
  var takesSeveral = false
  /// Enter accepts a single value without typing.
  var takesOnlyOne = false
}
