/// Calls of the shell with their output, errors and exit codes, in one home from beginning to end.
@Suite("Calls of the shell", .ownThreads) struct ShellTests {
  private static let golden = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "shell.txt")

  private static let calls = """
    weir feeds
    weir articles
    weir page
    weir undo
    weir sync
    weir add file:daily.xml --folder News/Tech
    weir add file:daily.xml
    weir add file:missing.xml
    weir add --unchecked https://example.org/feed --folder news
    weir feeds
    weir sync daily
    weir sync nowhere
    weir articles
    weir articles -n1
    weir articles -n 1 --json
    weir articles --limit -1
    weir articles --unraed
    weir articles --folder news/TECH --unread
    weir articles --folder sports
    weir articles --starred
    weir articles --starred --read
    weir search swift
    weir search '-is:read swift'
    weir search -is:read swift -n1
    weir search -- -swift
    weir search foo:bar
    weir search titel:bar
    weir search is:green
    weir search after:yesterday nothing
    weir search
    weir search title:two --save Twos
    weir show 1
    weir show 99
    weir mark read 1 2
    weir mark read 1 2
    weir mark STARRED 1
    weir mark later 2
    weir mark not-later 1
    weir mark seen 1
    weir mark read
    weir mark --tag swift --tag "two words" 1 2
    weir mark --untag Swift 1 3
    weir articles tag:swift --json
    weir articles --read
    weir articles --later
    weir articles --unread --json
    weir undo
    weir undo --redo
    weir snooze --until 3d 3
    weir snooze --until yesterday 3
    weir snooze 3
    weir articles is:asleep -n5
    weir snooze --wake 3
    weir undo
    weir undo
    weir snooze --until mon --feed daily
    weir snooze --wake --feed daily
    weir page 20 -o page.epub
    weir page 0
    weir feed rename daily "My day"
    weir feed rename 1 ""
    weir feed move daily /
    weir feed move daily example News
    weir feed move daily
    weir feed set daily interval=60 priority=high
    weir feed set daily keep-articles=9
    weir feed set daily keep-articles=
    weir feed set daily interval= keep-days=30
    weir feed set daily intervall=60
    weir feed set daily interval=1
    weir feed set daily
    weir feeds --changed
    weir rule add title:two --starred --name Twos
    weir rule add "" --hide
    weir rule add title:two
    weir rule list
    weir rule test twos
    weir rule test -title:two -n1
    weir rule edit Twos --disable
    weir rule edit 1 --enable
    weir rule edit nothing --enable
    weir rule remove 1
    weir export feeds.opml
    weir export feeds.opml
    weir export -f feeds.opml
    weir backup copy.db
    weir backup copy.db
    weir backup copy.db -f
    weir remove exmaple
    weir remove example
    weir undo
    weir keep daily
    weir later
    weir sync --offline
    weir config theme nothing
    weir parse daily.xml --url https://example.org/feed --content-type text/xml
    weir parse feeds.opml
    weir discover daily.xml
    weir nonsense
    """.split(separator: "\n").map(String.init)

  @Test("Each call prints what is recorded, and ends with the recorded code") func table() throws {
    let fixture = try CommandFixture()
    let items = ["One swift", "Two swift", "Three"]
    try fixture.file("daily.xml", Feeds.rss("Daily", items, body: "<p>Words of it.</p>"))
    var text = ""
    for call in Self.calls {
      let outcome = try fixture.shell(
        "cd '\(fixture.home.path)'; \"$WEIR\" \(call.dropFirst("weir ".count))")
      text += "$ \(call)\n\(outcome.output)"
      text += outcome.errors.split(separator: "\n").map { "! \($0)\n" }.joined()
      text += outcome.code == 0 ? "" : "= \(outcome.code)\n"
    }
    text = Self.fixed(text, fixture)
    if ProcessInfo.processInfo.environment["WEIR_RECORD_GOLDEN"] != nil {
      try Data(text.utf8).write(to: Self.golden)
    }
    let recorded = try String(contentsOf: Self.golden, encoding: .utf8)
    for (line, expected) in zip(text.split(separator: "\n"), recorded.split(separator: "\n"))
    where line != expected {
      Issue.record("\(line)\ninstead of\n\(expected)")
      break
    }
    #expect(text == recorded)
  }

  /// Returns the text with each path, time and measured amount replaced by its kind.
  private static func fixed(_ text: String, _ fixture: CommandFixture) -> String {
    var text = text.replacing(fixture.home.path, with: "HOME")
    text.replace(
      #/([a-z]+day |tomorrow |(\d+ )?[A-Z][a-z][a-z] (\d+ )?)?\b\d\d:\d\d\b(?!:)/#, with: "TIME")
    text.replace(#/\d+(\.\d+)? (B|kB|MB)\b|in \d+(\.\d+)? s\b/#, with: "N")
    return text
  }
}
