@Suite("JSON of the commands", .ownThreads) struct JSONTests {
  private static let golden = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "json.txt")

  @Test("Every command prints exactly the recorded JSON") func documents() throws {
    let (fixture, origin, server, account) = try CommandFixture.withFreshRSS()
    // The body is long enough not to be an excerpt, whose page a pack would fetch.
    let body = "<p>" + String(repeating: "word ", count: 500) + "</p>"
    origin.on(
      "/daily", .answer(Feeds.rss("Daily", ["B \u{1B}[31m &amp; \u{202E}b", "Alpha"], body: body)))
    origin.on("/gone", .answer("gone", status: 410))
    try fixture.file("list.opml", Feeds.opml([("Gone", origin.url("/gone"))]))
    var text = ""
    func record(_ arguments: [String]) throws {
      let outcome = try fixture.start(arguments).outcome()
      let command = arguments.joined(separator: " ")
      text += Self.fixed("$ weir \(command)\n\(outcome.output)", origin, fixture)
    }
    try fixture.weir("import", fixture.home.appending(path: "list.opml").path)
    try fixture.weir("add", "--unchecked", origin.url("/daily").replacing("//", with: "//me:pw@"))
    try record(["sync", "--json"])
    try fixture.addAccount(account)
    try record(["account", "sync", "--json"])
    try fixture.weir(
      "rule", "add", "title:alpha", "--starred", "--name", "first", "--until", "2099-12-31")
    try fixture.weir("rule", "add", "title:alpha", "--hide", "--tag", "later", "--name", "second")
    server.setPoison([1])
    try fixture.weir("mark", "read", "--feed", "Planet")
    try record(["account", "sync", "--json"])
    for line in [
      "feeds --json", "articles --json", "show 1 --json", "show 2 --json",
      "search --json alpha", "search --json nothing", "doctor --json", "account list --json",
      "account changes --json", "account adopt 1 --json", "rule list --json",
      "rule test first --days 36500 --json",
      "pack status --json",
    ] { try record(line.split(separator: " ").map(String.init)) }
    try fixture.weir("pack", "start", "--quiet")
    for line in ["pack status --json", "account discard --json"] {
      try record(line.split(separator: " ").map(String.init))
    }
    if ProcessInfo.processInfo.environment["WEIR_RECORD_GOLDEN"] != nil {
      try Data(text.utf8).write(to: Self.golden)
    }
    #expect(text == (try String(contentsOf: Self.golden, encoding: .utf8)))
  }

  /// Returns the text with each port, path, time and measured amount replaced by its kind.
  private static func fixed(_ text: String, _ origin: Origin, _ fixture: CommandFixture) -> String {
    var text = text.replacing(":\(origin.port)", with: ":PORT")
      .replacing(fixture.home.path, with: "HOME")
    text.replace(#/"(?!2026-01-05|2100-)\d{4}-[^"]*Z"/#, with: "\"DATE\"")
    text.replace(#/quiet for weeks|\d+ articles? a \w+/#, with: "PACE")
    text.replace(#/(word ?){20,}/#, with: "WORDS")
    text.replace(#/(yesterday |tomorrow |[A-Z][a-z][a-z] )?\b\d\d:\d\d\b/#, with: "TIME")
    text.replace(#/"(bytes|received|seconds|share)":[0-9.e+-]+/#) { "\"\($0.1)\":N" }
    return text
  }
}
