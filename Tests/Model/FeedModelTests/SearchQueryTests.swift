import TestSupport

@Suite("Queries as people type them") struct SearchQueryTests {
  private func words(
    _ text: String, in field: SearchQuery.Field = .anywhere, isPrefix: Bool = false
  ) -> SearchQuery.Alternative {
    .init(.words(text, in: field, isPrefix: isPrefix))
  }

  @Test("Words are joined by and, OR joins its neighbours, and - negates") func joining() throws {
    let query = try SearchQuery("sqlite wal OR journal -\"write ahead\"")
    #expect(
      query.clauses == [
        [words("sqlite")], [words("wal"), words("journal")],
        [.init(.words("write ahead", in: .anywhere, isPrefix: false), isNegated: true)],
      ])
  }

  @Test(
    "Each operator is read",
    arguments: [
      ("title:weir", .words("weir", in: .title, isPrefix: false)),
      ("Author:\"Jo Doe\"", .words("Jo Doe", in: .author, isPrefix: false)),
      ("tag:swift", .tag("swift")), ("feed:\"LWN net\"", .feed("LWN net")),
      ("in:News", .folder("News")),
      ("is:Unread", .state(.unread)), ("is:starred", .state(.starred)), ("is:read", .state(.read)),
      ("before:2026-03-21", .before(.day(year: 2026, month: 3, day: 21))),
      ("after:2026-03", .after(.day(year: 2026, month: 3, day: nil))),
      ("after:2026", .after(.day(year: 2026, month: nil, day: nil))),
      ("after:7d", .after(.ago(604_800))), ("before:12h", .before(.ago(43_200))),
      ("after:today", .after(.midnight(daysAgo: 0))),
      ("after:yesterday", .after(.midnight(daysAgo: 1))),
      ("begin*", .words("begin", in: .anywhere, isPrefix: true)),
      ("https://example.org", .words("https://example.org", in: .anywhere, isPrefix: false)),
      ("has:Audio", .has(.audio)), ("has:discussion", .has(.discussion)),
      ("is:duplicate", .state(.duplicate)), ("is:asleep", .state(.snoozed)),
      ("lang:DE", .language("de")),
      ("minutes:<3", .minutes(.init(.less, 3))),
      ("minutes:>=10", .minutes(.init(.greaterOrEqual, 10))),
      ("minutes:4", .minutes(.init(.equal, 4))),
      ("minutes:<=-2", .minutes(.init(.lessOrEqual, -2))),
      ("/usr/bin", .words("/usr/bin", in: .anywhere, isPrefix: false)),
      ("feed:/blog/", .feed("/blog/")),
      ("\"still open", .words("still open", in: .anywhere, isPrefix: false)),
    ] as [(String, SearchQuery.Condition)])
  func operators(text: String, condition: SearchQuery.Condition) throws {
    #expect(try SearchQuery(text).clauses == [[.init(condition)]])
    #expect(try SearchQuery("-" + text).clauses == [[.init(condition, isNegated: true)]])
  }

  @Test(
    "A query without meaning is reported",
    arguments: [
      ("is:green", .unknownState("green")),
      ("before:soon", .unknownDate(field: "before", value: "soon")),
      ("after:2026-13", .unknownDate(field: "after", value: "2026-13")),
      ("feed:", .emptyField("feed")), ("has:money", .unknownContent("money")),
      ("minutes:long", .unknownNumber(field: "minutes", value: "long")),
      ("minutes:>", .unknownNumber(field: "minutes", value: ">")),
      ("/a(b/", .pattern(.init(.parenthesis, at: 0), source: "a(b")),
      ("a OR minutes:3 OR is:read", .mixedAlternatives),
      ("a OR", .looseOr), ("OR a", .looseOr), ("a OR OR b", .looseOr),
      ("a OR is:unread", .mixedAlternatives),
      (String(repeating: "a ", count: 100), .tooLong),
    ] as [(String, SearchQuery.Problem)])
  func problems(text: String, problem: SearchQuery.Problem) {
    #expect(throws: problem) { try SearchQuery(text) }
  }

  @Test("A regular expression ends at the first slash that ends a word") func patterns() throws {
    func pattern(_ source: String, _ field: SearchQuery.Field = .anywhere) throws
      -> SearchQuery.Alternative
    {
      .init(.pattern(try Pattern(source), in: field))
    }
    #expect(
      try SearchQuery(#"/a b/ title:/x\/y/ wal OR /w.l/"#).clauses == [
        [pattern("a b")], [pattern("x/y", .title)], [words("wal"), pattern("w.l")],
      ])
    #expect(
      try SearchQuery("-author:/doe$/").clauses
        == [[.init(.pattern(Pattern("doe$"), in: .author), isNegated: true)]])
  }

  @Test("While a query is typed, its last word may continue, and unfinished parts are not mistakes")
  func typing() throws {
    #expect(
      try SearchQuery("swift con", isBeingTyped: true).clauses
        == [[words("swift")], [words("con", isPrefix: true)]])
    #expect(try SearchQuery("swift ", isBeingTyped: true).clauses == [[words("swift")]])
    #expect(try SearchQuery("\"swift\"", isBeingTyped: true).clauses == [[words("swift")]])
    for text in [
      "feed:", "is:", "is:un", "before:20", "before:2026-", "title:", "a OR", "-", "\"", "has:",
      "has:aud", "minutes:<", "minutes:-", "/", "/a(", "lang:",
    ] {
      #expect(throws: Never.self) { try SearchQuery(text, isBeingTyped: true) }
    }
    #expect(try SearchQuery("  ", isBeingTyped: true).isEmpty)
  }

  @Test("No typed text crashes the parser", arguments: 1...20) func storms(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let pieces = [
      "a", "\"", "-", "OR", " ", ":", "is:", "before:", "title:", "*", "東京", "👩‍🚀", "\u{0}", "(", ")",
      "NEAR", "^", "{title}", "feed:", "/", "\\", "has:", "minutes:<", "[", "*", "7d", "2026-02-31",
      "\u{301}", "AND", "NOT", ";", "'",
    ]
    for _ in 0..<500 {
      let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      _ = try? SearchQuery(text)
      _ = try? SearchQuery(text, isBeingTyped: true)
    }
  }
}
