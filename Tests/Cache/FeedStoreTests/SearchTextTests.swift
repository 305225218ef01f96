@testable import ArticleStore
@testable import SearchStore

@Suite("The text of a search") struct SearchTextTests {
  @Test(
    "Texts of every script are split into folded words",
    arguments: [
      ("The Weir, 2026: C++ & don't", "the weir 2026 c don t"),
      ("Naïve CAFÉ e\u{301}lan Ångström", "naive cafe elan angstrom"),
      ("Straße ŁÓDŹ", "straße łodz"), ("ΦΩΣ φως Ελλάς", "φωσ φωσ ελλασ"), ("ЁЛКА йод", "елка иод"),
      ("東京都", "東京 京都 都"), ("水", "水"), ("東京、大阪", "東京 京 大阪 阪"),
      ("SwiftでTUI", "swift で tui"), ("ニュース", "ニュ ュー ース ス"), ("아침에 책", "아침 침에 에 책"),
      ("ｗｅｉｒ１２", "weir12"), ("שָׁלוֹם עולם", "שלום עולם"), ("كِتَابٌ أخبار", "كتاب اخبار"),
      ("नदी किताब", "नदी किताब"), ("น้ำ", "น\u{E49} \u{E49}ำ ำ"), ("٢٠٢٦", "2026"),
      ("🎉 👩‍🚀x ❤️ 🇪🇺", "🎉 👩 🚀 x ❤ 🇪 🇺"), ("co\u{AD}operate", "cooperate"), ("—…!? ", ""),
    ])
  func words(text: String, folded: String) {
    let found = SearchText(text)
    #expect(found.text == folded + (folded.isEmpty ? "" : " "))
    #expect(found.words.count == folded.utf8.split(separator: 0x20).count)
  }

  @Test("Words of any length are cut to the same maximum") func longWords() {
    let found = SearchText(
      String(repeating: "é", count: 10_000) + " " + String(repeating: "я", count: 99))
    #expect(found.words.count == 2)
    #expect(found.folded.count == 48 + 1 + 48 + 1)
  }

  @Test("The index receives each word once, and no other words", arguments: 1...10)
  func distinctWords(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let parts = ["a", "B", "weir ", "Weirs", " ", ", ", "東", "京", "é", "Ⱥ", "🎉", "\u{301}", "新闻"]
    for length in [0, 1, 8, 40, 400, 4_000] {
      let text = (0..<length).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
      var seen: Set<ArraySlice<UInt8>> = []
      let words = SearchText(text).folded.split(separator: 0x20)
      let expected = words.filter { seen.insert($0).inserted }
      let found = SearchText.distinct(text.utf8)
      #expect(found == Array(expected.map { $0 + [0x20] }.joined()))
      #expect(SearchText.distinct(Array(text.utf8)) == found)
    }
  }

  @Test("Words that differ only in their last byte are different, whatever their length")
  func similarWords() {
    let words = (1...48).flatMap { length in
      ["a", "b"].map { String(repeating: "x", count: length - 1) + $0 }
    }
    let text = words.joined(separator: " ") + " "
    #expect(String(decoding: SearchText.distinct((text + text).utf8), as: UTF8.self) == text)
  }

  @Test("Word ranges lie on character boundaries of the source", arguments: 1...10)
  func places(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let alphabet = Array("aB é水東京에ن🎉👩‍🚀\u{301}\u{0}ſİ٣-.".unicodeScalars)
    for _ in 0..<200 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        text.append(alphabet.randomElement(using: &random) ?? "a")
      }
      let source = String(text)
      let found = SearchText(source)
      let bounds = Set(source.unicodeScalars.indices.map { $0.utf16Offset(in: source) })
      for word in found.words {
        let utf8 = source.utf8
        let start = utf8.index(utf8.startIndex, offsetBy: word.source.lowerBound)
        let end = utf8.index(utf8.startIndex, offsetBy: word.source.upperBound)
        #expect(bounds.contains(start.utf16Offset(in: source)) && start < end)
        #expect(end == source.endIndex || bounds.contains(end.utf16Offset(in: source)))
        #expect(!word.text.isEmpty)
      }
      // Folding twice changes only the pairs of characters in scripts without spaces.
      let plain = SearchText(found.text)
      if !found.words.contains(where: \.isUnspaced) { #expect(plain.text == found.text) }
    }
  }
}
