import Foundation
import ProgramSettings

struct WebBrowser {
  private static let placeholders: Set<String> = ["%s", "%u"]

  /// Programs with their arguments, in the order of attempts.
  let commands: [[String]]

  /// - Parameters:
  ///   - configured: `open.browser`.
  ///   - variable: `$BROWSER`: commands separated by colons, words by spaces; %s is the address.
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

  /// Schemes that run or read something on this machine are never opened; `http:` needs a host.
  private static let refused: Set<String> = [
    "javascript", "vbscript", "data", "file", "http", "https",
  ]

  /// - Parameters:
  ///   - url: a web address, or another address that the user has confirmed.
  ///   - withTerminal: lends the terminal to its argument.
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
      let arguments = Self.arguments(command, address.encoded)
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

  /// Replaces %s or %u in the words of a command by the address, else appends it. Never splits a
  /// word.
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
