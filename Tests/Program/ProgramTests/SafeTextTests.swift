@testable import ProgramSettings
@testable import weir

@Suite("Text that is safe to print") struct SafeTextTests {
  /// Every scalar below U+3100, and some special ones above.
  private static let scalars = (Array(0..<0x3100) + [0x3164, 0xFEFF, 0xFFA0, 0xE0001, 0x1F600])
    .compactMap { Unicode.Scalar($0 as Int) }

  @Test("Cleaning text twice equals cleaning it once, and leaves no control character")
  func idempotent() {
    let all = String(String.UnicodeScalarView(Self.scalars))
    let line = SafeText.line(all)
    #expect(SafeText.line(line) == line)
    #expect(!line.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
    #expect(line.contains("a") && line.contains("é") && line.unicodeScalars.contains("\u{200D}"))
    let lines = SafeText.lines(all)
    #expect(SafeText.lines(lines) == lines)
    #expect(lines.contains("\n"))
  }

  @Test("A word of 100 kB is cut in a message, and other text is not") func longWords() {
    let long = "http://e.example/" + String(repeating: "a", count: 100_000)
    let cut = SafeText.withoutLongWords("\(long) was not found: \(long)")
    #expect(cut.hasPrefix("http://e.example/aaa"))
    #expect(cut.contains("a… was not found: http") && cut.count < 900)
    let usual = String(repeating: "word  ", count: 500)
    #expect(SafeText.withoutLongWords(usual) == usual)
  }

  @Test("JSON keeps unsafe characters as escapes") func json() {
    #expect(SafeText.json("\"a\u{9B}b\u{E0041}c\n\"") == "\"a\\u009bb\\udb40\\udc41c\n\"")
    #expect(SafeText.json("[1]") == "[1]")
    #expect(SafeText.json("\u{10EEEE}") == "\\udbfb\\udeee")
    #expect(SafeText.line("a\u{10EEEE}b") == "ab")
  }

  @Test(
    "User names and passwords are removed from addresses",
    arguments: [
      ("https://me:secret@a.example/x", "https://***@a.example/x"),
      ("get http://u@a/ and ftp://x:y@b", "get http://***@a/ and ftp://***@b"),
      ("https://a.example/u@b", "https://a.example/u@b"),
      ("https://p@ss:w@rd@a.example", "https://***@a.example"),
      ("mail me@example.org", "mail me@example.org"),
    ])
  func secrets(text: String, clean: String) {
    #expect(SafeText.withoutSecrets(text) == clean)
  }
}
