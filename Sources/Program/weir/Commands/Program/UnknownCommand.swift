import ArgumentParser
import ProgramSettings

/// Finds a word that is used as a command but is none, and options of the reader that another
/// command does not use.
enum UnknownCommand {
  private static let readerOptions = ["--offline", "--linear", "--focus"]

  /// - Returns: an error for the first unknown command, or else for an option of the reader with
  ///   another command; `nil` if there is none.
  static func failure(_ arguments: some Sequence<String>) -> CommandFailure? {
    var command: any ParsableCommand.Type = RootCommand.self
    var path = ["weir"]
    var isValue = false
    let words = arguments.prefix { $0 != "--" }
    for word in words {
      if isValue {
        isValue = false
        continue
      }
      guard !word.hasPrefix("-") else {
        isValue = GlobalOptions.withValues.contains(word)
        continue
      }
      if word == "help" { continue }
      let configuration = command.configuration
      let known = configuration.subcommands.compactMap { type in
        type.configuration.commandName.map { (name: $0, type: type) }
      }
      guard !known.isEmpty, configuration.defaultSubcommand == nil else { break }
      guard let found = known.first(where: { $0.name == word }) else {
        let near = Suggestion.nearest(to: word, among: known.map(\.name))
        let hint = near.map { "; did you mean \($0)?" } ?? "."
        let help = "\u{201C}\(path.joined(separator: " ")) --help\u{201D} lists the commands."
        return CommandFailure(
          "There is no command \(SafeText.line(word))\(hint) \(help)", code: .usage)
      }
      (command, isValue) = (found.type, false)
      path.append(word)
    }
    guard path.count > 1 else { return nil }
    // The command open has its own option.
    let own = path[1] == "open" ? readerOptions.filter { $0 != "--offline" } : readerOptions
    let used = own.first { option in
      words.contains { $0 == option || $0.hasPrefix(option + "=") }
    }
    guard let option = used else { return nil }
    return CommandFailure(
      "\(option) is an option of the reader; \(path.joined(separator: " ")) does not use it.",
      code: .usage)
  }
}
