import ArgumentParser
import Foundation

/// A query in the language of `weir search`, in one argument or several.
struct QueryArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp("A search; see weir help search.", valueName: "query"),
    completion: .searches)
  var words: [String] = []

  var text: String { words.joined(separator: " ").trimmingCharacters(in: .whitespaces) }

  private static let commands: Set<String> = ["search", "articles", "rule", "pack"]
  private static let numbers: Set<String> = ["-n", "--limit", "--days"]

  /// Returns the arguments with a space before each word that negates a condition, like
  /// `-is:read`, so that the parser does not read it as options. A query ignores the space.
  static func protected(_ arguments: [String]) -> [String] {
    let pairs = zip(["weir"] + arguments, arguments)
    let command = pairs.first { !$1.hasPrefix("-") && !GlobalOptions.withValues.contains($0) }?.1
    guard let command, commands.contains(command) else { return arguments }
    var isQuery = false
    return pairs.map { before, word in
      isQuery = word != "--" && (isQuery || word == command)
      let isNegation =
        isQuery && !numbers.contains(before) && word.hasPrefix("-")
        && word.wholeMatch(of: /--.*|-|-[hnoqy]|-n\d+/) == nil
      return isNegation ? " " + word : word
    }
  }
}

/// The most articles that a command lists.
struct LimitOption: ParsableArguments {
  @Option(
    name: [.customShort("n", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp("The most articles to list.", valueName: "n"))
  var limit: Int?

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
  }
}
