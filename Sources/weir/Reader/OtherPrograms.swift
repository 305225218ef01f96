import FeedModel
import Foundation
import ReaderUI

/// The programs that the configuration knows, and how a task of the screens becomes an argument
/// vector.
struct OtherPrograms {
  /// A program, its arguments, and whether it is given the terminal; nil: as its kind is known.
  struct Program: Sendable, Equatable {
    var arguments: [String]
    var usesTerminal: Bool?
    /// What becomes of what it prints; nil: nothing of a program of the configuration.
    var output: ProgramAnswer?
    /// Rules may run it.
    var isForRules = false
  }

  /// Programs that people read, edit and browse with in the terminal: they get ours.
  private static let drawInTerminal: Set<String> = [
    "w3m", "lynx", "links", "links2", "elinks", "browsh", "carbonyl", "chawan", "cha",
    "less", "more", "most", "moar", "bat", "nvimpager", "vimpager", "vi", "vim", "nvim", "view",
    "nano", "micro", "hx", "helix", "kak", "joe", "fzf", "mutt", "neomutt",
  ]

  /// Those that play sound and video, the best first.
  static let players = ["mpv", "vlc", "xdg-open"]

  /// The first of some programs that is in PATH.
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

  /// What was typed: a name of the configuration, or words. Quotes keep blanks together, a
  /// backslash the character after it; nothing else means anything.
  /// - Throws: where nothing was typed or a quote is not closed.
  static func program(
    typed line: String, named programs: [String: Program]
  ) throws(CommandFailure) -> Program {
    if let known = programs[line] { return known }
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == " " || character == "\t" {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { throw CommandFailure("A quote is not closed.") }
    if let word { words.append(word) }
    guard let first = words.first, !first.isEmpty else {
      throw CommandFailure("No program is named.")
    }
    // A name of the configuration with more arguments.
    if let known = programs[first] {
      return Program(
        arguments: known.arguments + words.dropFirst(), usesTerminal: known.usesTerminal,
        output: known.output)
    }
    // Shows the output of a program that was typed just now, without keeping it.
    return Program(arguments: words, output: .replace)
  }

  /// Where an address takes the place of %s and %u, else comes last; only http and
  /// https.
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
