@Suite("Several patterns in one pass") struct PatternSetTests {
  @Test("A set matches the same patterns as the single patterns do") func alike() throws {
    let sources = [
      "deals?", "^sponsored", #"\bAI\b"#, "(?-i)AI", "東.都", "é", "a.b", "x*", "x+", #"\d{4}-\d\d"#,
      "(a|aa)+$", "deals?",
    ]
    let texts = [
      "", "Ten DEALS of today", "Sponsored: a chair", "The AI of it", "rain ai", "東京都", "CAFÉ",
      "a\nb axb", "on 2026-11", "aaaaaaaa", "xx",
    ]
    let patterns = try sources.map { try Pattern($0) }
    let set = try #require(PatternSet(patterns))
    for text in texts {
      let found = try #require(set.matches(in: text))
      #expect(Set(found) == Set(patterns.indices.filter { patterns[$0].matches(text) }), "\(text)")
    }
  }

  @Test("Patterns that are too large together do not form a set") func tooLarge() throws {
    let patterns = try (0..<1_000).map { try Pattern("\\pL\($0)\\pL") }
    #expect(PatternSet(patterns) == nil)
    #expect(PatternSet([]) == nil)
  }

  @Test("If the automaton outgrows its memory, the result is unknown") func outgrown() throws {
    let patterns = try (0..<40).map { try Pattern("[a-q][^u-z]{\(10 + $0 % 5)}x\($0)") }
    let set = try #require(PatternSet(patterns))
    var state: UInt64 = 1
    let text = String(
      decoding: (0..<100_000).map { _ -> UInt8 in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return 97 + UInt8((state >> 33) % 24)
      }, as: UTF8.self)
    let found = set.matches(in: text)
    let expected = Set(patterns.indices.filter { patterns[$0].matches(text) })
    #expect(found.map(Set.init) ?? expected == expected)
  }
}
