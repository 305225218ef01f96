/// A part of the interface that carries out commands. A command goes to the focused screen, then to
/// the window around it, then to the application, until one of them has a binding for it.
@MainActor package protocol CommandTarget<ProgramCommand>: AnyObject {
  associatedtype ProgramCommand: CommandSet
  /// Made once; its closures must not keep the part alive.
  var bindings: CommandBindings<ProgramCommand> { get }
  /// The action for a command; `nil` passes the command to the next part.
  func binding(for command: ProgramCommand) -> CommandBinding<ProgramCommand>?
}

extension CommandTarget {
  package func binding(for command: ProgramCommand) -> CommandBinding<ProgramCommand>? {
    bindings.first(for: command)
  }
}

/// The bindings of one part of the interface, found by their command.
package struct CommandBindings<ProgramCommand: CommandSet> {
  package let all: [CommandBinding<ProgramCommand>]
  private let table: [ProgramCommand: [CommandBinding<ProgramCommand>]]

  package init(_ make: () -> [CommandBinding<ProgramCommand>] = { [] }) {
    all = make()
    table = Dictionary(grouping: all, by: \.command)
  }

  /// The first binding of a command that applies.
  package func first(for command: ProgramCommand) -> CommandBinding<ProgramCommand>? {
    table[command]?.first { $0.applies() }
  }
}

/// A command and its action in one part of the interface.
package struct CommandBinding<ProgramCommand: CommandSet> {
  package struct Call {
    package var count: Int?
    package var argument: String?
    /// Chosen from a list or typed, not bound to a key.
    package var isChosen = false

    package init(
      count: Int? = nil, argument: String? = nil, isChosen: Bool = false
    ) {
      self.count = count
      self.argument = argument
      self.isChosen = isChosen
    }
    var times: Int { count ?? 1 }
  }

  package let command: ProgramCommand
  /// If `false`, the next part of the interface is asked.
  let applies: () -> Bool
  /// Why the command cannot act now, without a full stop; `nil` if it can.
  package let reason: () -> String?
  package let choices: () -> ArgumentChoices?
  package let action: (Call) -> Void

  /// A command that treats an argument chosen by the user differently from one bound to a key.
  package init(
    _ command: ProgramCommand, when applies: @escaping @autoclosure () -> Bool = true,
    unless reason: @escaping @autoclosure () -> String? = nil,
    choices: @escaping () -> ArgumentChoices? = { nil }, called action: @escaping (Call) -> Void
  ) {
    self.command = command
    self.applies = applies
    self.reason = reason
    self.choices = choices
    self.action = action
  }

  package init(
    _ command: ProgramCommand, when applies: @escaping @autoclosure () -> Bool = true,
    unless reason: @escaping @autoclosure () -> String? = nil,
    _ action: @escaping () -> Void
  ) { self.init(command, when: applies(), unless: reason(), called: { _ in action() }) }

  /// A command that takes a count: the number typed before the key, or 1.
  package init(
    _ command: ProgramCommand, when applies: @escaping @autoclosure () -> Bool = true,
    unless reason: @escaping @autoclosure () -> String? = nil,
    counted action: @escaping (Int) -> Void
  ) { self.init(command, when: applies(), unless: reason(), called: { action($0.times) }) }

  /// A command that takes an argument. Arguments that are the same for everybody are those of the
  /// program's own table of commands.
  package init(
    _ command: ProgramCommand, unless reason: @escaping @autoclosure () -> String? = nil,
    choices: @escaping () -> ArgumentChoices? = { nil }, given action: @escaping (String) -> Void
  ) {
    self.init(command, unless: reason(), choices: choices, called: { action($0.argument ?? "") })
  }

  /// The commands that move through a list or a text.
  package static func movement(_ move: @escaping (ListMovement) -> Void) -> [CommandBinding] {
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

package nonisolated enum ListMovement: Equatable {
  /// Negative: up.
  case rows(Int)
  case halfPages(Int)
  case pages(Int)
  case top
  case bottom
  /// Counted from 0.
  case row(Int)

  /// Moves down by rows or pages, passing what lies between.
  package var isStepDown: Bool {
    switch self {
    case .rows(let count), .halfPages(let count), .pages(let count): count > 0
    case .top, .bottom, .row: false
    }
  }

  /// The distance in lines, negative upwards; 0 for a move to a fixed place.
  /// - Parameter overlap: Lines of a page that stay in view.
  package func distance(height: Int, overlap: Int = 1) -> Int {
    switch self {
    case .rows(let count): count
    case .halfPages(let count): count * max(1, height / 2)
    case .pages(let count): count * max(1, height - overlap)
    case .top, .bottom, .row: 0
    }
  }
}

/// The values that a command accepts.
package struct ArgumentChoices {
  package var all: [String]
  /// The present value; the line begins with it.
  package var current = ""
  /// Display texts that differ from the value.
  package var titles: [String: String] = [:]
  /// Called while a value is only highlighted, and when none was accepted.
  package var highlighted: (String) -> Void = { _ in }
  package var cancelled: () -> Void = {}
  /// A new value needs a typed text.
  package var newNeedsText = true
  /// Several values are separated by spaces.
  package var takesSeveral = false
  /// Enter accepts a single value without typing.
  package var takesOnlyOne = false

  package init(
    all: [String], current: String = "", titles: [String: String] = [:],
    highlighted: @escaping (String) -> Void = { _ in }, cancelled: @escaping () -> Void = {},
    newNeedsText: Bool = true, takesSeveral: Bool = false, takesOnlyOne: Bool = false
  ) {
    self.all = all
    self.current = current
    self.titles = titles
    self.highlighted = highlighted
    self.cancelled = cancelled
    self.newNeedsText = newNeedsText
    self.takesSeveral = takesSeveral
    self.takesOnlyOne = takesOnlyOne
  }
}
