/// The meaning of a number without a following key.
package struct CommandNumber<ProgramCommand: CommandSet>: Equatable {
  /// The command that is performed with the number as its count, unless it has no key.
  package var command: ProgramCommand
  /// Text after the number in the status line: "opens example.org".
  package var text: String
  /// True if another digit could be part of such a number too.
  package var canGrow: Bool

  package init(
    command: ProgramCommand, text: String, canGrow: Bool
  ) {
    self.command = command
    self.text = text
    self.canGrow = canGrow
  }
}

/// A key and its action, as shown in the status line.
package struct CommandHint<ProgramCommand: CommandSet>: Equatable {
  package enum Trigger: Equatable {
    /// The key assigned by the keymap.
    case command(ProgramCommand)
    /// A key outside the keymap, in text fields.
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
