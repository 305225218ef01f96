import FeedModel
import Foundation
import ReaderUI

/// Programs of the configuration, and the argument vectors of tasks.
struct OtherPrograms {
  /// `usesTerminal` is `nil` for programs whose kind is known.
  struct Program: Sendable, Equatable {
    var arguments: [String]
    var usesTerminal: Bool?
    var output: ProgramAnswer?
    var isForRules = false
  }

  /// Programs that use the terminal.
  private static let drawInTerminal: Set<String> = [
    "w3m", "lynx", "links", "links2", "elinks", "browsh", "carbonyl", "chawan", "cha",
    "less", "more", "most", "moar", "bat", "nvimpager", "vimpager", "vi", "vim", "nvim", "view",
    "nano", "micro", "hx", "helix", "kak", "joe", "fzf", "mutt", "neomutt",
  ]

  /// Players of sound and video, in order of preference.
  static let players = ["mpv", "vlc", "xdg-open"]

  static func first(of names: [String], path: String) -> String? {
    let folders = path.split(separator: ":")
    return names.first { name in
      folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }
  }

  static func usesTerminal(_ program: Program) -> Bool {
    program.usesTerminal
      ?? drawInTerminal.contains(ProgramLauncher.name(program.arguments))
  }

  /// A name of the configuration, or the words of a command (see `LocalSource.words`).
  /// - Throws: if the line is empty or a quote is not closed.
  static func program(
    typed line: String, named programs: [String: Program]
  ) throws(CommandFailure) -> Program {
    if let known = programs[line] { return known }
    guard let words = LocalSource.words(line) else {
      throw CommandFailure("A quote is not closed.")
    }
    guard let first = words.first, !first.isEmpty else {
      throw CommandFailure("No program is named.")
    }
    // A name of the configuration with more arguments.
    if let known = programs[first] {
      return Program(
        arguments: known.arguments + words.dropFirst(), usesTerminal: known.usesTerminal,
        output: known.output)
    }
    // Shows the output of a typed program without storing it.
    return Program(arguments: words, output: .replace)
  }

  /// Inserts a file or an address; only http and https.
  static func arguments(
    _ program: Program, address: String?, file: String? = nil
  ) throws(CommandFailure) -> [String] {
    if let file { return Browser.arguments(program.arguments, file) }
    guard let address else { return program.arguments }
    let url = WebAddress(address)
    guard url.isHTTP else {
      throw CommandFailure("Only http and https addresses are opened; this is \(address).")
    }
    return Browser.arguments(program.arguments, url.text)
  }
}
