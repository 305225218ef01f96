import ArgumentParser

@testable import weir

/// Documents, help and completions do not offer what was removed.
@Suite("Words of what was removed") struct RemovedTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static let words = [
    ":drip", "thumbnails?", "justif(y|ied)", "suggest-rules", "suggestions? for rules",
    "suggested rules?", "rule (suggest|show|export|base)", "conflicts? (of|between) rules",
    "base scores?", "--score", "score-(up|down)", "score:[+-]?[0-9]", "--focus NAME",
    "\\[focus", "focus\\.NAME", "--fixed-width", "FixedLimiter", "EarlierBuild",
    "kept apart", "keeps? apart", "is:important", "is:apart", "--(un)?important", "--(no-)?apart",
    "--hours", "--line", "--by TIME", "in reserve", "queue-(up|down)",
    "move-(up|down)-in-queue", "weir (keep|later|today)", "--force", "--now", "--also",
    "--mark-read", "--star", "rule (enable|disable)",
  ]

  private static let texts: [(name: String, text: String)] = {
    var texts: [(String, String)] = []
    let catalogue = root.appending(path: "Sources/Program/weir/Documentation.docc")
    let pages = (try? FileManager.default.contentsOfDirectory(atPath: catalogue.path)) ?? []
    var files = pages.filter { $0.hasSuffix(".md") }.map { catalogue.appending(path: $0) }
    for path in [
      "README.md", "Resources/weir.1", "Sources/Program/weir/Resources/config.toml",
      "Sources/Program/weir/Resources/guide.xml", "Tests/ArchitectureTests/texts.txt",
    ] { files.append(root.appending(path: path)) }
    for file in files {
      texts.append((file.lastPathComponent, (try? String(contentsOf: file, encoding: .utf8)) ?? ""))
    }
    for shell in [CompletionShell.bash, .zsh, .fish] {
      texts.append((shell.rawValue, RootCommand.completionScript(for: shell)))
    }
    texts.append(("help", RootCommand._dumpHelp()))
    return texts
  }()

  @Test("There are as many texts as are looked through") func everyText() {
    #expect(Self.texts.count > 25)
    #expect(Self.texts.allSatisfy { !$0.text.isEmpty })
  }

  @Test("No document, help or completion names what was removed", arguments: words)
  func removed(word: String) throws {
    let pattern = try Regex("(?:^|[^A-Za-z0-9-])(?:\(word))(?![A-Za-z0-9-])").ignoresCase()
    for (name, text) in Self.texts {
      for line in text.split(separator: "\n") where line.contains(pattern) {
        Issue.record("\(name): \(line)")
      }
    }
  }
}
