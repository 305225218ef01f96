@testable import FeedModel

@Suite("The limit of grapheme clusters") struct GraphemeLimitTests {
  private static func joined(_ parts: String..., count: Int) -> String {
    String(repeating: parts.joined(), count: count)
  }

  /// Texts that Swift reads as one cluster or a few.
  static let piles = [
    "a" + joined("\u{301}", count: 5_000) + "b",
    joined("\u{1100}", count: 5_000) + "\u{1161}" + joined("\u{11A8}", count: 5_000) + "한글",
    joined("👩\u{200D}", count: 5_000) + "👩 x",
    joined("©\u{200D}", count: 5_000) + "© x",
    joined("\u{0600}", count: 5_000) + "1 x",
    joined("\u{0600}", count: 5_000),
    joined("क\u{94D}", count: 5_000) + "क",
    "न" + joined("\u{93F}", count: 5_000) + "न",
    joined("a" + joined("\u{20DD}\u{FE0F}", count: 40), count: 100),
    "\u{301}" + joined("\u{301}\u{200D}", count: 5_000),
  ]

  @Test("A cluster keeps at most 32 scalars", arguments: piles) func clustersAreCut(text: String) {
    let limited = GraphemeLimit.limited(text)
    #expect(limited.allSatisfy { $0.unicodeScalars.count <= GraphemeLimit.scalars })
    #expect(limited.utf8.count < text.utf8.count)
    #expect(GraphemeLimit.limited(limited) == limited)
    #expect(GraphemeLimit.limited(Array(text.utf8)) == Array(limited.utf8))
  }

  @Test(
    "Ordinary text stays unchanged",
    arguments: [
      "", "plain", "Zażółć gęślą jaźń", "e\u{301}a\u{308}", "नमस्ते दुनिया क्षत्रिय", "한국어 문장입니다",
      "👨\u{200D}👩\u{200D}👧\u{200D}👦 🏴󠁧󠁢󠁳󠁣󠁴󠁿 👍🏽", String(repeating: "漢字かな", count: 100),
      String(repeating: "ภาษาไทย", count: 100), String(repeating: "اللغةالعربية", count: 100),
      "\u{0F40}\u{0F90}\u{0FB5}\u{0F72}", String(repeating: "ကမ္ဘာ", count: 100),
      "Z" + String(repeating: "\u{301}", count: 31),
    ])
  func ordinaryTextStays(text: String) {
    #expect(GraphemeLimit.limited(text) == text)
  }

  @Test("Text after a truncated cluster is kept") func whatFollowsStays() {
    let pile = "a" + String(repeating: "\u{301}", count: 100)
    #expect(GraphemeLimit.limited(pile + "bcd").hasSuffix("bcd"))
    let prefixes = String(repeating: "\u{0600}", count: 100)
    #expect(GraphemeLimit.limited(prefixes + "12 and more").hasSuffix("2 and more"))
  }

  @Test(
    "A long cluster is found at every position", arguments: ["x", "я", "文", "א", "ก", "\u{200D}я"])
  func everyPlace(filler: String) {
    for count in 0..<80 {
      let before = String(repeating: filler, count: count) + " "
      let kept = before + "e" + String(repeating: "\u{301}", count: 31)
      #expect(GraphemeLimit.limited(kept + " z") == kept + " z")
      #expect(GraphemeLimit.limited(kept + "\u{301}\u{301} z") == kept + " z")
    }
  }

  @Test("A first byte begins a cluster only if every character with that byte begins one")
  func leadingBytes() {
    for value in UInt32(0x80)...0x10_FFFF {
      guard let scalar = Unicode.Scalar(value), let lead = UTF8.encode(scalar)?.first else {
        continue
      }
      if GraphemeLimit.leadBeginsCluster(lead), !GraphemeLimit.beginsCluster(value) {
        Issue.record("\(value)")
      }
    }
  }
}
