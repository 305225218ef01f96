/// The names of test functions are short, because the sentence in `@Test` says the rest.
@Suite("The names of tests") struct TestNames {
  private static let mostLetters = 24

  /// Returns the test functions of a source file with their line numbers.
  private static func tests(in source: String) -> [(line: Int, name: String)] {
    var tests: [(line: Int, name: String)] = []
    var followsAttribute = false
    for (number, line) in source.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      if line.drop(while: { $0 == " " }).hasPrefix("@Test") { followsAttribute = true }
      guard followsAttribute, let function = line.firstMatch(of: /\bfunc `?(\w+)/) else { continue }
      tests.append((number + 1, String(function.1)))
      followsAttribute = false
    }
    return tests
  }

  /// Returns the test functions whose names are too long.
  private static func longNames(in source: String) -> [(line: Int, name: String)] {
    tests(in: source).filter { $0.name.count > mostLetters }
  }

  @Test("No test function has a name of 25 letters or more") func namesAreShort() throws {
    var count = 0
    for file in ImportRules.files(under: "Tests", withExtensions: ["swift"])
    where !file.path.contains("/.build/") {
      let path = file.path.dropFirst(ImportRules.root.path.count + 1)
      let source = try String(contentsOf: file, encoding: .utf8)
      count += Self.tests(in: source).count
      for (line, name) in Self.longNames(in: source) {
        Issue.record("\(path):\(line): \(name) has \(name.count) letters")
      }
    }
    #expect(count > 1_000, "the walk found only \(count) tests")
  }

  private static let long = String(repeating: "a", count: 25)

  @Test(
    "A long name is found beside its attribute and below it, and a long helper is not",
    arguments: [
      ("  @Test(\"A\") func \(long)() {}", 1),
      ("  @Test(\n    \"A\",\n    arguments: [1])\n  func \(long)(_: Int) {}", 4),
      ("  @Test(\"A\") func aNameThatIsShortEnough() {}", nil),
      ("  @Test(\"A\") func a() {}\n  func aHelperWithAnExtremelyLongName() {}", nil),
    ] as [(String, Int?)])
  func longNamesAreFound(source: String, line: Int?) {
    #expect(Self.longNames(in: source).map(\.line) == (line.map { [$0] } ?? []))
  }
}
