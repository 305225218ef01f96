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

  /// A name of the configuration, or words. Quotes group words, a backslash escapes a character;
  /// nothing else is special.
  /// - Throws: if the line is empty or a quote is not closed.
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
