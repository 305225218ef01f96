/// The engine and the cache write codes; the words for them are in Wording.
@Suite("Codes of reasons") struct ReasonCodeTests {
  /// True if a text is English and not SQL, a name or a path.
  static func isEnglish(_ text: String) -> Bool {
    let sql =
      #/
      \b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|PRAGMA|FROM|WHERE|JOIN|AND|OR|NOT|NULL
      |IS|LIMIT|INDEX|MATCH|CASE|ON|TEXT|INTEGER|CAST|ORDER|BY)\b
      /#
    return text.contains(/[A-Za-z]{2,} [a-z]{2,}/) && !text.contains(sql)
  }

  @Test(
    "The engine and the cache contain no English texts",
    arguments: CacheFacets.targets + ["SyncEngine", "Programs"])
  func noEnglish(target: String) throws {
    let files = try Manifest.files(of: target)
      // Excludes names of migrations and texts stored by earlier versions, and settings, whose
      // comments in the configuration are part of their declarations.
      .filter { !$0.path.contains("/Schema/") && !$0.path.contains("/Settings/") }
    #expect(!files.isEmpty)
    for file in files {
      // Assertion messages are for developers.
      let code = try ImportRules.lines(of: file)
        .filter { !$0.contains(/\b(assert|precondition|preconditionFailure|fatalError)\(/) }
        .joined(separator: "\n")
      for text in SwiftLiterals.texts(code) where Self.isEnglish(text) {
        Issue.record("\(file.lastPathComponent): \u{201C}\(text)\u{201D} belongs in Wording")
      }
    }
  }

  @Test(
    "A sentence is recognised as English, and SQL is not",
    arguments: [
      ("more than … bytes", true), ("it cannot be read", true), ("not subscribed to", true),
      ("SELECT id FROM feed", false), ("…SET isRead = 1 WHERE id = ?", false), ("exit-code", false),
      ("https://example.org/a", false), ("nextCheckAt", false),
    ])
  func sentences(text: String, isEnglish: Bool) {
    #expect(Self.isEnglish(text) == isEnglish)
  }
}
