/// A command with its argument: the meaning of a key, a macro or a line of the palette.
public nonisolated struct CommandInvocation<ProgramCommand: CommandSet>: Sendable, Hashable {
  public var command: ProgramCommand
  /// The argument; if a required argument is `nil`, the command asks for it.
  public var argument: String?

  public init(_ command: ProgramCommand, _ argument: String? = nil) {
    self.command = command
    self.argument = argument
  }

  /// Parses "toggle-star" or "theme light". `nil` if the command is unknown or takes no argument.
  public init?(_ text: some StringProtocol) {
    let trimmed = String(text).trimmingWhitespace
    let name = trimmed.prefix { $0 != " " }
    guard let command = ProgramCommand(named: String(name)) else { return nil }
    let rest = String(trimmed.dropFirst(name.count)).trimmingWhitespace
    guard rest.isEmpty || command.acceptsArgument else { return nil }
    self.init(command, rest.isEmpty ? nil : rest)
  }
}
