import Foundation

/// Programs of the configuration, and the argument vectors of tasks.
package struct OtherPrograms {
  /// A program; if `usesTerminal` is `nil`, the program's name decides.
  package struct Program: Sendable, Equatable {
    package var arguments: [String]
    package var usesTerminal: Bool?
    package var output: ProgramAnswer?
    package var isForRules = false

    package init(
      arguments: [String], usesTerminal: Bool? = nil, output: ProgramAnswer? = nil,
      isForRules: Bool = false
    ) {
      (self.arguments, self.usesTerminal, self.output) = (arguments, usesTerminal, output)
      self.isForRules = isForRules
    }
  }

  private static let drawInTerminal: Set<String> = [
    "w3m", "lynx", "links", "links2", "elinks", "browsh", "carbonyl", "chawan", "cha",
    "less", "more", "most", "moar", "bat", "nvimpager", "vimpager", "vi", "vim", "nvim", "view",
    "nano", "micro", "hx", "helix", "kak", "joe", "fzf", "mutt", "neomutt",
  ]

  /// Players of sound and video, in order of preference.
  package static let players = ["mpv", "vlc", "xdg-open"]

  package static func first(of names: [String], path: String) -> String? {
    let folders = path.split(separator: ":")
    return names.first { name in
      folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }
  }

  package static func usesTerminal(_ program: Program) -> Bool {
    program.usesTerminal
      ?? program.arguments.first.map { drawInTerminal.contains(($0 as NSString).lastPathComponent) }
      ?? false
  }

  /// Returns a program by its name in the configuration, or by words (see `LocalSource.words`).
  /// - Throws: if the line is empty or a quote is not closed.
  package static func program(
    typed line: String, named programs: [String: Program]
  ) throws(CommandFailure) -> Program {
    if let known = programs[line] { return known }
    guard let words = LocalSource.words(line) else {
      throw CommandFailure("A quote is not closed.")
    }
    guard let first = words.first, !first.isEmpty else {
      throw CommandFailure("No program is named.")
    }
    // The line may be a name of the configuration with more arguments.
    if let known = programs[first] {
      return Program(
        arguments: known.arguments + words.dropFirst(), usesTerminal: known.usesTerminal,
        output: known.output)
    }
    // Shows the output of a typed program without storing it.
    return Program(arguments: words, output: .replace)
  }
}
