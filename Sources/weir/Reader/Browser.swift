import FeedModel
import Foundation

/// Which program opens a page, and how it is called.
struct Browser {
  private static let placeholders: Set<String> = ["%s", "%u"]

  /// What to try, in order: each a program and its arguments.
  let commands: [[String]]

  /// - Parameters:
  ///   - configured: `open.browser`; nil: not set.
  ///   - variable: `$BROWSER`: commands separated by colons, words by blanks; %s is the address.
  init(configured: [String]?, variable: String?) {
    if let configured {
      commands = [configured]
      return
    }
    let named = (variable ?? "").split(separator: ":").map { command in
      command.split { $0 == " " || $0 == "\t" }.map(String.init)
    }
    #if os(macOS)
      let system = ["open"]
    #else
      let system = ["xdg-open"]
    #endif
    commands = named.filter { !$0.isEmpty } + [system]
  }

  /// Schemes that run or read something here are never opened, confirmed or not, nor is `http:`
  /// without a host.
  private static let refused: Set<String> = [
    "javascript", "vbscript", "data", "file", "http", "https",
  ]

  /// - Parameter url: of the web, or one that the user has confirmed.
  /// - Parameter withTerminal: lends the terminal to what it is given.
  @MainActor
  func open(
    _ url: String, withTerminal: (() throws(CommandFailure) -> Void) throws(CommandFailure) -> Void
  ) throws(CommandFailure) {
    let address = WebAddress(url)
    let isOther = address.scheme.map { !Self.refused.contains($0.lowercased()) } ?? false
    guard address.isHTTP || isOther else {
      throw CommandFailure("\(url) isn\u{2019}t a web address.")
    }
    var firstFailure: CommandFailure?
    for command in commands {
      let arguments = Self.arguments(command, address.text)
      do throws(CommandFailure) {
        if OtherPrograms.usesTerminal(.init(arguments: command)) {
          try withTerminal { () throws(CommandFailure) in
            try ProgramLauncher.run(arguments, in: .terminal)
          }
        } else {
          try ProgramLauncher.run(arguments, in: .background)
        }
        return
      } catch {
        if firstFailure == nil { firstFailure = error }
      }
    }
    let reason = firstFailure?.sentence ?? "There is no browser to open it."
    throw CommandFailure("\(reason) Set browser under [open] in the configuration.")
  }

  /// The address takes the place of %s or %u in the command, else it comes last. A word of its own,
  /// or part of one: never split.
  static func arguments(_ command: [String], _ url: String) -> [String] {
    let hasPlace = command.dropFirst().contains { word in
      placeholders.contains { word.contains($0) }
    }
    guard hasPlace else { return command + [url] }
    return command.prefix(1)
      + command.dropFirst().map { word in
        placeholders.reduce(word) { $0.replacingOccurrences(of: $1, with: url) }
      }
  }
}
