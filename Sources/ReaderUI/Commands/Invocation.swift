/// A command and what is given to it: what a key, a macro or a line of the palette stands for.
public nonisolated struct Invocation: Sendable, Hashable {
  /// What is done.
  public var command: Command
  /// Nil: none is given; a command that takes one asks for it then.
  public var argument: String?

  /// - Parameter argument: nil: none is given.
  public init(_ command: Command, _ argument: String? = nil) {
    self.command = command
    self.argument = argument
  }

  /// Reads "toggle-star" or "theme light": a command's name, a blank, what it is given. Nil if
  /// there is no such command, or it takes nothing.
  public init?(_ text: some StringProtocol) {
    let trimmed = String(text).trimmingWhitespace
    let name = trimmed.prefix { $0 != " " }
    guard let command = Command(named: String(name)) else { return nil }
    let rest = String(trimmed.dropFirst(name.count)).trimmingWhitespace
    guard rest.isEmpty || command.argument != nil else { return nil }
    self.init(command, rest.isEmpty ? nil : rest)
  }
}
