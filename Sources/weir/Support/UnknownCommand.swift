import ArgumentParser
import FeedModel
import ProgramSettings

/// Finds a word that is used as a command but is none.
enum UnknownCommand {
  /// Options before a command that take a value.
  private static let options: Set<String> = [
    "--data-dir", "--config", "--log", "--focus", "--generate-completion-script",
  ]

  /// - Returns: an error for the first unknown command; `nil` if there is none.
  static func failure(_ arguments: some Sequence<String>) -> CommandFailure? {
    var command: any ParsableCommand.Type = RootCommand.self
    var path = ["weir"]
    var isValue = false
    for word in arguments {
      if isValue {
        isValue = false
        continue
      }
      guard !word.hasPrefix("-") else {
        isValue = options.contains(word)
        continue
      }
      if word == "help" { continue }
      let configuration = command.configuration
      let known = configuration.subcommands.compactMap { type in
        type.configuration.commandName.map { (name: $0, type: type) }
      }
      guard !known.isEmpty, configuration.defaultSubcommand == nil else { return nil }
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
    return nil
  }
}
