import Foundation

/// Changes of the keys by version, which the reader shows once after an upgrade.
public nonisolated enum KeyChanges {
  /// The newest version first, each with the most important changes first.
  private static let all = [
    (
      version: "0.1.0",
      lines: [
        "'  goes to a row, pane or link on screen by its letter",
        ".  shows new articles from every pane",
        "f  lists the links of an article, which no longer follow its text",
      ]
    )
  ]

  private static let most = 3

  /// Returns a heading and at most three lines about the changes since a version; `nil` if there
  /// are none.
  public static func news(since version: String) -> String? {
    let lines = all.filter { $0.version.compare(version, options: .numeric) == .orderedDescending }
      .flatMap { $0.lines }.prefix(most)
    return lines.isEmpty
      ? nil : (["New keys since your last version:"] + lines).joined(separator: "\n")
  }
}
