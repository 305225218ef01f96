@Suite("Bounds of queries") struct SearchQueryBoundTests {
  private func condition(_ text: String) -> SearchQuery.Condition? {
    let clauses = try? SearchQuery(text).clauses
    return clauses?.count == 1 && clauses?[0].count == 1 ? clauses?[0][0].condition : nil
  }

  private func problem(_ text: String, isBeingTyped: Bool = false) -> SearchQuery.Problem? {
    do throws(SearchQuery.Problem) {
      _ = try SearchQuery(text, isBeingTyped: isBeingTyped)
      return nil
    } catch {
      return error
    }
  }

  private func words(
    _ text: String, in field: SearchQuery.Field = .anywhere, isPrefix: Bool = false
  ) -> SearchQuery.Condition { .words(text, in: field, isPrefix: isPrefix) }

  @Test(
    "A comparison holds below, at and above its number",
    arguments: [
      (.lessOrEqual, [true, true, false]), (.greaterOrEqual, [false, true, true]),
      (.less, [true, false, false]), (.greater, [false, false, true]),
      (.equal, [false, true, false]),
    ] as [(SearchQuery.Comparison.Sign, [Bool])])
  func comparisons(sign: SearchQuery.Comparison.Sign, expected: [Bool]) {
    let comparison = SearchQuery.Comparison(sign, 3)
    #expect([2, 3, 4].map(comparison.holds) == expected)
  }

  @Test("A query has up to 64 conditions and 4,096 characters") func lengths() throws {
    func clauses(_ count: Int) throws -> Int {
      try SearchQuery(String(repeating: "a ", count: count)).clauses.count
    }
    #expect(try clauses(64) == 64)
    #expect(throws: SearchQuery.Problem.tooLong) { try clauses(65) }
    // Signs without a condition do not count.
    #expect(throws: Never.self) { try SearchQuery(String(repeating: "\"\" ", count: 70) + "a") }
    let long = String(repeating: "x", count: 5_000)
    #expect(condition(long) == words(String(repeating: "x", count: 4_096)))
  }

  @Test(
    "Numbers and dates are accepted up to their bounds",
    arguments: [
      ("minutes:1000000", .minutes(.init(.equal, 1_000_000))), ("minutes:1000001", nil),
      ("minutes:-1000000", .minutes(.init(.equal, -1_000_000))), ("minutes:-1000001", nil),
      ("before:0h", .before(.ago(0))), ("before:1h", .before(.ago(3_600))),
      ("before:2d", .before(.ago(172_800))), ("before:2w", .before(.ago(1_209_600))),
      ("before:2m", .before(.ago(5_184_000))), ("before:2y", .before(.ago(63_072_000))),
      ("before:100000h", .before(.ago(360_000_000))), ("before:100001h", nil),
      ("before:-1h", nil), ("before:h", nil),
      ("after:0001", .after(.day(year: 1, month: nil, day: nil))), ("after:0000", nil),
      ("after:9999", .after(.day(year: 9_999, month: nil, day: nil))), ("after:999", nil),
      ("after:10000", nil), ("after:2026-01", .after(.day(year: 2026, month: 1, day: nil))),
      ("after:2026-12", .after(.day(year: 2026, month: 12, day: nil))), ("after:2026-0", nil),
      ("after:2026-01-01", .after(.day(year: 2026, month: 1, day: 1))),
      ("after:2026-01-31", .after(.day(year: 2026, month: 1, day: 31))),
      ("after:2026-01-32", nil), ("after:2026-01-00", nil), ("after:2026-01-01-01", nil),
      ("after:2026--01", nil), ("after:2026-+1", nil),
    ] as [(String, SearchQuery.Condition?)])
  func bounds(text: String, expected: SearchQuery.Condition?) {
    #expect(condition(text) == expected)
  }

  @Test("OR is a word of its own and joins any number of conditions") func or() throws {
    func joined(_ text: String) throws -> [[SearchQuery.Condition]] {
      try SearchQuery(text).clauses.map { $0.map(\.condition) }
    }
    #expect(try joined("a OR b OR c d") == [[words("a"), words("b"), words("c")], [words("d")]])
    #expect(try joined("ORacle") == [[words("ORacle")]])
    #expect(try joined("O RA") == [[words("O")], [words("RA")]])
    #expect(try joined("a O") == [[words("a")], [words("O")]])
    #expect(try joined("XR a") == [[words("XR")], [words("a")]])
    #expect(try joined("OX a") == [[words("OX")], [words("a")]])
    #expect(try joined("is:read OR is:unread") == [[.state(.read), .state(.unread)]])
    #expect(problem("a OR is:read b") == .mixedAlternatives)
    #expect(problem("a OR", isBeingTyped: true) == nil)
    #expect(problem("a OR ", isBeingTyped: true) == nil)
    #expect(problem("OR", isBeingTyped: true) == .looseOr)
    #expect(problem("") == nil && problem(" ") == nil)
  }

  @Test("A minus negates only the condition directly after it") func minus() throws {
    func negated(_ text: String) throws -> [Bool] {
      try SearchQuery(text).clauses.flatMap { $0.map(\.isNegated) }
    }
    #expect(try negated("-a b") == [true, false])
    #expect(try negated("-a") == [true])
    #expect(condition("- ") == words("-"))
    #expect(try SearchQuery("- a").clauses.map { $0[0].condition } == [words("-"), words("a")])
    #expect(condition("-") == words("-"))
    #expect(condition("a-b") == words("a-b"))
  }

  @Test("A misspelt field is a mistake, and other colons are text") func misspeltFields() {
    #expect(problem("titel:weir") == .unknownField("titel", near: "title"))
    #expect(problem("hass:audio") == .unknownField("hass", near: "has"))
    #expect(problem("fed:x") == .unknownField("fed", near: "feed"))
    #expect(condition("iss:x") == nil)
    #expect(condition("ix:x") == words("ix:x"))
    #expect(condition("titel:") == words("titel:"))
    #expect(condition("titel:/x") == words("titel:/x"))
    #expect(condition("\"titel:x\"") == words("titel:x"))
    #expect(condition("titel\"x:y\"") == words("titel\"x:y\""))
    #expect(condition("nothing-like-it:x") == words("nothing-like-it:x"))
    #expect(condition("title") == words("title"))
    #expect(condition("is") == words("is"))
  }

  @Test("A phrase ends at its quotation mark, of whatever kind") func phrases() throws {
    for (open, close) in [("\"", "\""), ("\u{201C}", "\u{201D}"), ("\u{201E}", "\u{201C}")] {
      #expect(condition("\(open)a b\(close)") == words("a b"))
      #expect(condition("title:\(open)a b\(close)") == words("a b", in: .title))
    }
    #expect(try SearchQuery("\"a\"b").clauses.map { $0[0].condition } == [words("a"), words("b")])
    #expect(condition("\"open*") == words("open*"))
    #expect(condition("\"a*\"") == words("a*"))
    #expect(condition("\"\"") == nil)
    #expect(try SearchQuery("\"a b", isBeingTyped: true).clauses[0][0].condition == words("a b"))
  }

  @Test("A pattern needs text, two slashes and an end of a word") func patterns() throws {
    func pattern(_ source: String) throws -> SearchQuery.Condition {
      .pattern(try Pattern(source), in: .anywhere)
    }
    #expect(try condition("/a/") == pattern("a"))
    #expect(try condition(#"/a\.b/"#) == pattern(#"a\.b"#))
    #expect(try condition(#"/a\/b/"#) == pattern("a/b"))
    #expect(try SearchQuery("/a/ b").clauses.map { $0[0].condition } == [pattern("a"), words("b")])
    #expect(try condition("/a/b/") == pattern("a/b"))
    #expect(condition("//") == words("//"))
    #expect(condition("/") == words("/"))
    #expect(condition("/a") == words("/a"))
    #expect(condition(#"/a\"#) == words(#"/a\"#))
    #expect(condition("/a/b") == words("/a/b"))
    // Values of narrowing fields may have slashes.
    #expect(condition("in:/a/") == .folder("/a/"))
  }

  @Test(
    "A value that may still be typed is not a mistake, and others are",
    arguments: [
      ("is:un", true), ("is:\"un", true), ("feed:\"", true), ("is:xx", false), ("is:un ", false),
      ("has:vid", true), ("has:xx", false),
      ("has:vid ", false), ("minutes:>", true), ("minutes:x", false), ("minutes:> ", false),
      ("minutes:>=-", true), ("before:2026-", true), ("before:20x", false), ("before:20 ", false),
      ("before:-", true), ("feed:", true), ("feed: ", false), ("lang: a", false),
    ])
  func unfinishedValues(text: String, mayGoOn: Bool) {
    #expect((problem(text, isBeingTyped: true) == nil) == mayGoOn)
    #expect(problem(text) != nil)
  }

  @Test("Only the last word is a prefix while it is typed") func prefixes() throws {
    func typed(_ text: String) throws -> [SearchQuery.Condition] {
      try SearchQuery(text, isBeingTyped: true).clauses.map { $0[0].condition }
    }
    #expect(try typed("a b") == [words("a"), words("b", isPrefix: true)])
    #expect(try typed("a* b ") == [words("a", isPrefix: true), words("b")])
    #expect(try typed("title:a") == [words("a", in: .title, isPrefix: true)])
    #expect(try typed("a title:") == [words("a")])
    #expect(condition("title:a*") == words("a", in: .title, isPrefix: true))
    #expect(condition("lang:DE") == .language("de"))
    #expect(condition("TITLE:a") == words("a", in: .title))
  }

  @Test("Words are about the text, other conditions are not") func textConditions() throws {
    #expect(words("a").isText)
    #expect(SearchQuery.Condition.pattern(try Pattern("a"), in: .title).isText)
    #expect(!SearchQuery.Condition.minutes(.init(.less, 3)).isText)
    #expect(!SearchQuery.Condition.tag("a").isText && !SearchQuery.Condition.state(.read).isText)
  }
}
