@testable import TerminalKit

@Suite("Widths of grapheme clusters") struct GraphemeWidthTests {
  @Test(
    "A cluster takes the columns that UAX #11 and UTS #51 give it",
    arguments: [
      ("a", 1), ("é", 1), ("e\u{301}", 1), ("漢", 2), ("ｗ", 2), ("ｱ", 1), ("한", 2),
      ("\u{1112}\u{1161}\u{11AB}", 2), ("😀", 2), ("👩‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇫🇷", 2), ("🇫", 1),
      ("❤", 1), ("❤\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2), ("☝🏽", 2), ("⌚\u{FE0E}", 2), ("…", 1),
      ("●", 1), ("\u{200B}", 0), ("\u{301}", 0), ("\u{1B}", 0), ("\u{9B}", 0), ("\r\n", 0),
      ("\u{3000}", 2), ("कि", 2), ("กำ", 2), ("𠀀", 2), ("🫩", 2), ("\u{E000}", 1), ("א", 1),
    ] as [(Character, Int)])
  func widths(cluster: Character, columns: Int) {
    #expect(GraphemeWidth.width(of: cluster) == columns)
  }

  @Test("A text is as wide as its clusters together") func textWideClustersTogether() {
    #expect(GraphemeWidth.width(of: "plain ASCII") == 11)
    #expect(GraphemeWidth.width(of: "漢字 and 👩‍💻!") == 4 + 5 + 2 + 1)
    #expect(GraphemeWidth.width(of: "a\tb\u{7F}") == 2)
    #expect(GraphemeWidth.width(of: "") == 0)
  }

  @Test("Only what terminals disagree about is uncertain") func uncertainWidths() {
    for plain in ["a", "é", "e\u{301}", "漢", "한", "…", "│", "●"] {
      #expect(!GraphemeWidth.isUncertain(plain), "\(plain)")
    }
    for open in [
      "😀", "❤\u{FE0F}", "👍🏽", "🇫🇷", "कि", "⌚", "\u{1112}\u{1161}\u{11AB}", "1\u{FE0F}\u{20E3}",
    ] {
      #expect(GraphemeWidth.isUncertain(open), "\(open)")
    }
  }

  @Test("The tables are ascending and do not overlap") func tablesAscendingDoOverlap() {
    for table in [GraphemeWidthTables.wide, GraphemeWidthTables.zero] {
      #expect(table.count.isMultiple(of: 2))
      for index in 1..<table.count {
        let isStart = index.isMultiple(of: 2)
        #expect(isStart ? table[index] > table[index - 1] : table[index] >= table[index - 1])
      }
    }
  }

  @Test("A shortened text fits and says where something is missing") func shortenedTextFitsSays() {
    #expect("short".fitted(to: 5) == "short")
    #expect("too long".fitted(to: 5) == "too …")
    #expect("漢字漢字".fitted(to: 6) == "漢字…")
    #expect("漢字漢字".fitted(to: 2) == "…")
    #expect("x".fitted(to: 0) == "")
    #expect("https://example.org/a/b/c".fitted(to: 11, truncation: .middle) == "https…a/b/c")
  }
}
