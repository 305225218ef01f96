import FeedModel
import Foundation

/// Settings translated from another reader's configuration to a TOML file, and a report about each
/// of its lines.
package struct ConfigurationProposal: Equatable, Sendable {
  package struct Note: Equatable, Sendable {
    package var line: String
    package var result: String
  }

  /// The values of each table with their places in the text. "bindings.reader" is a table too.
  private(set) var tables: [String: [String: (place: Int, value: String)]] = [:]
  private var last = 0
  package var accepted: [Note] = []
  /// Settings with another name or place in Weir.
  package var renamed: [Note] = []
  /// Settings without an equivalent in Weir.
  package var refused: [Note] = []
  /// `ignore-article` and `highlight-article`, which become rules.
  package var rules: [Note] = []
  /// Commands that have lost all their keys.
  package var lost: [Note] = []

  package var isEmpty: Bool { tables.isEmpty }

  package static func == (a: ConfigurationProposal, b: ConfigurationProposal) -> Bool {
    a.text == b.text && a.accepted == b.accepted && a.renamed == b.renamed && a.refused == b.refused
      && a.rules == b.rules && a.lost == b.lost
  }

  /// Sets a value. The last value of a key counts, as in newsboat.
  mutating func set(_ table: String, _ key: String, _ value: String) {
    last += 1
    tables[table, default: [:]][key] = (last, value)
  }

  package var text: String {
    tables.sorted { $0.key < $1.key }.map { table, lines in
      (["[\(table)]"]
        + lines.sorted { $0.value.place < $1.value.place }
        .map { "\(Self.key($0.key)) = \($0.value.value)" }).joined(separator: "\n")
    }.joined(separator: "\n\n") + (tables.isEmpty ? "" : "\n")
  }

  private static func key(_ name: String) -> String {
    let isBare =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
      }
    return isBare ? name : quoted(name)
  }

  package static func quoted(_ text: String) -> String { SettingValue.text(text).toml }

  package static func list(_ words: [String]) -> String { SettingValue.texts(words).toml }

  package var report: [String] {
    func chapter(_ title: String, _ notes: [Note]) -> [String] {
      guard !notes.isEmpty else { return [] }
      return ["", "\(title):"]
        + notes.flatMap { ["  \($0.line)", "    \($0.result)"] }
    }
    return chapter("Imported", accepted) + chapter("Imported under another name or place", renamed)
      + chapter("Became rules", rules)
      + chapter("Left without a key; \u{201C}:\u{201D} finds them by name", lost)
      + chapter("No counterpart", refused)
  }
}
