@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews

/// `make golden` rewrites the documentation's table of keys from the keymap.
@Suite("The documented table of keys") struct KeyTableTests {
  @Test("The documentation's table of keys lists the keymap")
  func documentationListsKeymap() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/Program/weir/Documentation.docc/Keys.md")
    let document = try String(contentsOf: file, encoding: .utf8)
    let (opening, closing) = ("<!-- keys -->\n", "<!-- /keys -->")
    let start = try #require(document.range(of: opening)?.upperBound)
    let end = try #require(document.range(of: closing)?.lowerBound)
    if ProcessInfo.processInfo.environment["WEIR_RECORD_GOLDEN"] != nil {
      try document.replacingCharacters(in: start..<end, with: table)
        .write(to: file, atomically: true, encoding: .utf8)
      return
    }
    #expect(document[start..<end] == table, "run make golden")
  }

  private var table: String {
    let keymap = Keymap()
    var lines = ["| key | does |", "|---|---|"]
    for chapter in Command.Chapter.allCases {
      for command in Command.allCases where command.chapter == chapter {
        let keys = keymap.sequences(for: command).map { "`\($0.label)`" }.joined(separator: " ")
        if keys.isEmpty { continue }
        let name = keys.replacingOccurrences(of: "|", with: "\\|")
        lines.append("| \(name) | \(command.title) |")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
