@Suite("Regular expressions") struct PatternTests {
  @Test(
    "A pattern matches as RE2's syntax defines, without regard to case",
    arguments: [
      ("deals?", "Ten DEALS of today", true), ("deals?", "idea", false),
      ("^sponsored", "Sponsored: a chair", true), ("^sponsored", "Not sponsored", false),
      (#"\bAI\b"#, "The AI of it", true), (#"\bAI\b"#, "rain", false),
      ("(?-i)AI", "ai", false), ("東.都", "東京都", true), ("é", "CAFÉ", true),
      ("a.b", "a\nb", false), ("(?s)a.b", "a\nb", true), (#"\d{4}-\d\d"#, "on 2026-11", true),
      ("x*", "", true), ("x+", "", false),
    ])
  func matches(source: String, text: String, isMatch: Bool) throws {
    #expect(try Pattern(source).matches(text) == isMatch)
  }

  @Test(
    "An unusable pattern is reported with the reason and position",
    arguments: [
      ("", .empty, nil), ("a(b", .parenthesis, 0), ("a)b", .parenthesis, 0), ("[a", .bracket, 0),
      ("[z-a]", .range, 1), (#"a\q"#, .escape, 1), (#"(a)\1"#, .escape, 3), ("*a", .repetition, 0),
      ("a{2000}", .repetition, 1), ("(?=a)", .group, 0), ("ab(?<!c)", .group, 2),
      ("東(?=都)", .group, 1), ("[[:no:]]", .range, 1),
      (#"(\pL\pL){400}"#, .tooLarge, nil),
    ] as [(String, Pattern.Problem.Kind, Int?)])
  func problems(source: String, kind: Pattern.Problem.Kind, position: Int?) {
    do throws(Pattern.Problem) {
      _ = try Pattern(source)
      Issue.record("it was compiled")
    } catch {
      #expect(error.kind == kind)
      #expect(error.position == position)
    }
  }

  @Test("A source of more than 1,000 bytes is rejected") func longSource() throws {
    #expect(throws: Pattern.Problem(.tooLarge)) {
      try Pattern(String(repeating: "a", count: Pattern.longest + 1))
    }
    #expect(throws: Never.self) { try Pattern(String(repeating: "a", count: Pattern.longest)) }
  }

  @Test(
    "Ranges are in bytes of UTF-8, do not overlap, and are never empty",
    arguments: [
      ("an", "banana", [1..<3, 3..<5]), ("a*", "baab", [1..<3]), ("京", "東京京", [3..<6, 6..<9]),
      ("x", "", []), ("^a", "aaa", [0..<1]), ("z*", "日本", []),
    ] as [(String, String, [Range<Int>])])
  func places(source: String, text: String, ranges: [Range<Int>]) throws {
    let pattern = try Pattern(source)
    #expect(pattern.ranges(in: text) == ranges)
    #expect(pattern.ranges(in: Array(text.utf8)) == ranges)
    #expect(pattern.ranges(in: text, atMost: 1) == Array(ranges.prefix(1)))
  }

  @Test("Two patterns are equal if their sources are equal") func equality() throws {
    #expect(try Pattern("a+") == Pattern("a+"))
    #expect(try Pattern("a+") != Pattern("a*"))
    #expect(try Set([Pattern("a"), Pattern("a"), Pattern("b")]).count == 2)
  }

  @Test(
    "Nested quantifiers finish quickly on a text that takes backtracking programs years",
    arguments: ["(a+)+$", "(a|aa)+$", "(a|a?)+$", "(.*a){12}", "([a-z]+)*$", "(x+x+)+y"])
  func nestedQuantifiers(source: String) throws {
    let text = String(repeating: "a", count: 100_000) + "!"
    #expect(
      try Pattern(source).matches(text) == ["(.*a){12}", "(a|a?)+$", "([a-z]+)*$"].contains(source))
  }

  @Test(
    "Words match whole words, or beginnings of words if they are prefixes",
    arguments: [
      ("AI", false, "The ai of it", true), ("AI", false, "rain", false),
      ("data base", false, "the Data  base.", true), ("check", true, "checkpoints", true),
      ("check", false, "checkpoints", false), ("東京", false, "在東京都", true),
      ("c++", false, "in C++ now", true), ("c++", false, "c--", false),
    ])
  func words(text: String, isPrefix: Bool, in article: String, isThere: Bool) throws {
    let source = Pattern.source(ofWords: text, isPrefix: isPrefix)
    #expect(try Pattern(source).matches(article) == isThere)
  }

  @Test(
    "Text between slashes is a pattern",
    arguments: [
      ("/a b/", "a b"), (#"/a\/b/"#, "a/b"), ("/usr/bin", nil), ("//", nil), ("/", nil),
      ("a/", nil),
    ] as [(String, String?)])
  func slashes(text: String, source: String?) {
    #expect(Pattern.source(of: text) == source)
  }
}
