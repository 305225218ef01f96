import Foundation
import ReaderServices
import ReaderUI
import TerminalViews

extension Configuration {
  /// Returns notes on valid settings: programs that are not in PATH, and hidden default keys.
  package func notes(path: String) -> [String] { missingPrograms(path) + hiddenKeys }

  private func missingPrograms(_ path: String) -> [String] {
    let single: [(name: String, words: [String]?)] = [
      ("open.browser", self.browser), ("open.player", self.player),
      ("open.bookmark", self.bookmark), ("notify.command", self.notification),
    ]
    let named = programs.sorted { $0.key < $1.key }.map {
      (name: "programs.\($0.key)", words: Optional($0.value.arguments))
    }
    return (single + named).compactMap { name, words in
      guard let first = words?.first else { return nil }
      if first.contains("/") {
        let file = NSString(string: first).expandingTildeInPath
        return FileManager.default.isExecutableFile(atPath: file)
          ? nil : "\(name): there is no program \(first)."
      }
      guard OtherPrograms.first(of: [first], path: path) == nil else { return nil }
      let words = first.split(separator: " ").map { "\"\($0)\"" }
      return words.count > 1
        ? "\(name): there is no program \u{201C}\(first)\u{201D}; write [\(words.joined(separator: ", "))]."
        : "\(name): there is no program \(first) in PATH."
    }
  }

  private var hiddenKeys: [String] {
    let (usual, own) = (Keymap(), Keymap(overrides: keys, bindings: bindings))
    return Command.allCases.filter { keys[$0.name] == nil }.flatMap { command in
      let left = own.sequences(for: command)
      return usual.sequences(for: command).compactMap { key in
        let hidden = CommandContext.allCases.filter {
          usual.sequences(for: command, in: $0).contains(key)
            && !own.sequences(for: command, in: $0).contains(key)
        }
        let places = left.contains(key) ? hidden.map(\.title).joined(separator: ", ") : ""
        let end = places.isEmpty ? left.isEmpty ? ", which has no key" : "" : " in: \(places)"
        return hidden.isEmpty ? nil : "Key \(key) no longer runs \(command.name)\(end)."
      }
    }
  }
}
