/// The meaning of a number that no key follows.
package struct CommandNumber<ProgramCommand: CommandSet>: Equatable {
  /// Carried out with the number as its count, unless it has no key.
  package var command: ProgramCommand
  /// For the status line, after the number: "opens example.org".
  package var text: String
  /// Another digit would be part of such a number too.
  package var canGrow: Bool

  package init(
    command: ProgramCommand, text: String, canGrow: Bool
  ) {
    self.command = command
    self.text = text
    self.canGrow = canGrow
  }
}

/// A key and its action, as the status line shows it.
package struct CommandHint<ProgramCommand: CommandSet>: Equatable {
  package enum Trigger: Equatable {
    /// The key that the keymap assigns.
    case command(ProgramCommand)
    /// A key that is not in the keymap: in text fields.
    case key(String)
  }
  package var trigger: Trigger
  package var text: String
  package init(_ command: ProgramCommand, _ text: String) {
    trigger = .command(command)
    self.text = text
  }
  package init(key: String, _ text: String) {
    trigger = .key(key)
    self.text = text
  }
}
