@testable import ProgramSettings
@testable import weir

/// The page Programs lists the keys of the JSON of all commands. `make golden` writes them: from
/// the values, and for documents without optional keys from the recorded output.
@Suite("The keys of JSON documents") struct JSONKeyTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let page = root.appending(
    path: "Sources/Program/weir/Documentation.docc/Programs.md")
  private static let recorded = root.appending(path: "Tests/Program/EndToEndTests/json.txt")

  private static func keys(_ object: JSONObject) -> [String] {
    object.fields.flatMap { name, value in
      let inner = value as? JSONObject ?? (value as? [JSONObject])?.first
      return [name] + (inner.map(keys) ?? []).map { "\(name).\($0)" }
    }
  }

  private static func keys(ofJSON value: Any) -> [String] {
    if let list = value as? [Any] { return list.flatMap { keys(ofJSON: $0) } }
    guard let object = value as? [String: Any] else { return [] }
    return object.flatMap { name, value in [name] + keys(ofJSON: value).map { "\(name).\($0)" } }
  }

  /// Returns the keys in the recorded output of a command.
  private static func keys(recordedFor command: String) throws -> [String] {
    var isRead = false
    var found: [String] = []
    for line in try String(contentsOf: recorded, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("$ ") {
        isRead = line.hasPrefix("$ weir \(command) ")
      } else if isRead {
        // Measured amounts are recorded as N.
        let text = (line.hasSuffix(",") ? line.dropLast() : line).replacing(":N", with: ":0")
        let value = try? JSONSerialization.jsonObject(with: Data(text.utf8))
        found += value.map { keys(ofJSON: $0) } ?? []
      }
    }
    return found
  }

  private static func rows() throws -> [(command: String, keys: [String])] {
    var feed = Feed(id: FeedID(rawValue: 1), url: "https://a.example/")
    feed.state.failure = RefreshFailure(kind: .gone, since: Date())
    feed.userTitle = "A"
    let row = ArticleRow(
      id: ArticleID(rawValue: 1), feed: feed.id, feedName: "A", title: "B", sortDate: Date(),
      status: ArticleStatus(isRead: false, isStarred: false, isLater: false))
    let labels = (tags: ["t"], authors: ["a"])
    let article = Article(row: row, firstSeenAt: Date(), bodyHTML: "")
    let rule = Rule(
      id: RuleID(rawValue: 1), draft: RuleDraft(query: "x", actions: []), isEnabled: true,
      isFile: false, createdAt: Date())
    let pieces = JSONObject.pieces(MarkedText("a"))
    let values: [(String, [String])] = try [
      ("articles", keys(row.json(labels, minutes: 1))),
      ("search", keys(row.json(labels, minutes: 1).adding("snippet", pieces))),
      ("show", keys(article.json(tags: [], text: "")) + ["authors.name", "authors.url"]),
      ("feeds", keys(feed.json(folder: [], isRefreshing: false, .now))),
      ("feeds --changed", keys(FeedChanges(feed, FeedOptionSources()).json(feed.id, "A"))),
      (
        "sync",
        keys(feed.refreshJSON(newArticles: 0))
          + keys(SyncReport(withoutFeeds: SyncSummary()).document)
          + keys(recordedFor: "sync")
      ),
      ("rule list", keys(rule.json)),
    ]
    let outputs = try [
      "rule test", "pack status", "doctor", "account list", "account sync", "account changes",
      "account adopt",
    ].map { ($0, try keys(recordedFor: $0)) }
    return (values + outputs).map { ($0, Set($1).sorted()) }
  }

  @Test("The page lists the keys of each document") func page() throws {
    let rows = try Self.rows().map { command, keys in
      "| `weir \(command)` | \(keys.map { "`\($0)`" }.joined(separator: " ")) |"
    }
    #expect(rows.allSatisfy { $0.contains("` `") }, "\(rows)")
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let head = try #require(text.components(separatedBy: "| command | keys |\n").first)
    let page = head + "| command | keys |\n|---|---|\n" + rows.map { $0 + "\n" }.joined()
    if ProcessInfo.processInfo.environment["WEIR_RECORD_GOLDEN"] != nil {
      try Data(page.utf8).write(to: Self.page)
    }
    #expect(try String(contentsOf: Self.page, encoding: .utf8) == page, "run make golden")
  }
}
