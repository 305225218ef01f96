import Foundation
import Testing

@testable import ReaderUI

/// The README's table of keys is made from the keymap; `make golden` writes it anew.
@Suite struct ReadmeTests {
  @Test func theTableOfKeysIsTheKeymaps() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("README.md")
    let readme = try String(contentsOf: file, encoding: .utf8)
    let (opening, closing) = ("<!-- keys -->\n", "<!-- /keys -->")
    let start = try #require(readme.range(of: opening)?.upperBound)
    let end = try #require(readme.range(of: closing)?.lowerBound)
    if ProcessInfo.processInfo.environment["WEIR_RECORD_GOLDEN"] != nil {
      try readme.replacingCharacters(in: start..<end, with: table)
        .write(to: file, atomically: true, encoding: .utf8)
      return
    }
    #expect(readme[start..<end] == table, "run make golden")
  }

  private var table: String {
    let keymap = Keymap()
    var lines = ["| key | does |", "|---|---|"]
    for chapter in Command.Chapter.allCases {
      for command in Command.all where command.chapter == chapter {
        let keys = keymap.sequences(for: command).map { "`\($0.label)`" }.joined(separator: " ")
        if keys.isEmpty { continue }
        let name = keys.replacingOccurrences(of: "|", with: "\\|")
        lines.append("| \(name) | \(command.title) |")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
