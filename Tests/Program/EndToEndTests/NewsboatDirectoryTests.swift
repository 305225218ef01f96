@Suite("A newsboat directory", .enabled(if: TmuxRobot.isAvailable), .ownThreads)
struct NewsboatDirectoryTests {
  private static let feeds = 200

  /// A typical configuration: binds, macros, colours, queries, rules and an included file.
  private static let config = """
    # general
    browser "echo %u >> opened"
    max-downloads 3
    article-sort-order date-asc
    bind-key j down
    bind-key k up
    bind-key l open
    bind-key h quit
    bind-key n next-unread
    bind-key u pageup
    bind-key J next-feed articlelist
    bind-key SPACE macro-prefix
    bind gx feedlist,articlelist reload-all
    macro m mark-feed-read ; next-unread-feed
    macro v set browser "mpv %u" ; open-in-browser ; set browser firefox
    include "rules"
    include "missing"
    nosuchoption 5
    """
  private static let rules = """
    ignore-article "*" "title =~ \\"^Sponsored\\""
    highlight-article "title =~ \\"kernel\\"" red default bold
    highlight articlelist "rust|swift" green default
    highlight feedlist "x" green default
    color listfocus black yellow bold
    """

  private func directory(_ fixture: CommandFixture, _ origin: Origin) throws -> String {
    var urls = ["# a comment", ""]
    for number in 0..<Self.feeds {
      origin.on(
        "/f\(number)",
        .answer(Feeds.rss("Feed \(number)", ["Sponsored \(number)", "Kernel \(number)"])))
      let tag = ["news", "\"two words\"", "tech", "!"][number % 4]
      urls.append("\(origin.url("/f\(number)")) \(tag)" + (number == 7 ? " \"~My name\"" : ""))
    }
    urls += [
      "\"query:Kernels:unread = \\\"yes\\\" and title =~ \\\"kernel\\\"\"",
      "\"query:Deep:(title =~ \\\"a\\\" or author = \\\"b\\\") and total_count > 3\"",
      "\"exec:touch \(fixture.home.path)/canary\" scripts", "gopher://old.example/",
    ]
    _ = try fixture.file(".newsboat/urls", urls.joined(separator: "\n") + "\n")
    _ = try fixture.file(".newsboat/config", Self.config)
    _ = try fixture.file(".newsboat/rules", Self.rules)
    return fixture.home.appending(path: ".newsboat").path
  }

  @Test("200 feeds with binds, macros, colours, queries and rules are imported, and keys work")
  func comesOver() throws {
    let (fixture, origin) = try CommandFixture.online()
    let folder = try directory(fixture, origin)
    let outcome = try fixture.weir("import", "--newsboat", folder)
    #expect(outcome.code == 0, "\(outcome)")
    let report = outcome.output
    #expect(report.contains("Imported 200 feeds; 1 saved search added"))
    #expect(report.contains("3 rules added, not enabled yet"))
    // Lines for settings that are imported, renamed, lost or unknown.
    for line in [
      "[bindings] space m = mark-shown-read, next-unread", "downloads.parallel = 3",
      "[bindings.articles] J = go-out, move-down, open", "a rule: title:/^Sponsored/",
      "a rule: title:/rust|swift/", "feeds have the colours of the theme", "had the keys u",
      "the file cannot be read", "nosuchoption 5", "[themes.newsboat] selection",
    ] { #expect(report.contains(line), "\(line)") }
    for skipped in ["Deep", "exec", "not a web address"] {
      #expect(outcome.errors.contains(skipped), "\(outcome.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: fixture.home.path + "/canary"))

    // A second import adds nothing.
    let again = try fixture.weir("import", "--newsboat", folder)
    #expect(again.output.contains("Imported 0 feeds; 200 already there"))
    #expect(!again.output.contains("rules added"))

    // Each rule is tried before it acts.
    try fixture.weir("sync", "--quiet")
    let rules = try fixture.weir("rule", "list", "--json").objects()
    #expect(rules.count == 3)
    #expect(rules.allSatisfy { $0["enabled"] as? Bool == false })
    let hiding = try #require(
      rules.first { ($0["actions"] as? [String]) == ["hide"] }?["id"] as? Int)
    let trial = try fixture.weir("rule", "test", String(hiding), "--days", "3650")
    #expect(trial.output.contains("200 of "), "\(trial)")

    // The same keys do the same tasks.
    let proposal = fixture.home.appending(path: ".config/weir/from-newsboat.toml")
    try FileManager.default.copyItem(at: proposal, to: fixture.configuration)
    let robot = try fixture.reader("--offline", columns: 80).waitFor("Kernels")
    try robot.type("jj").waitUntil("the search is selected") {
      try robot.screen().contains { $0.hasPrefix("▎") && $0.contains("Kernels") }
    }
    try robot.type("l").waitFor("● Kernel").type("l").waitFor("Text of it.").type("h")
      .waitForAbsence(of: "Text of it.").type("nl").waitFor("Text of it.").type("h")
      .waitForAbsence(of: "Text of it.").type(" m").waitFor("articles marked read")
      .type("h").waitFor("Starred").type("/").type("My name").keys("Enter").type("l")
      .waitFor("Sponsored 7").type("Q").exit(0)
  }
}
