import HTMLContent

@testable import SearchStore

@Suite("Scanning HTML for a word") struct WordScanTests {
  private static let pieces = [
    "ka", "lo", "be", "k", "a", "KA", "Lo", "7", "-", " ", ". ", "\u{E9}", "e\u{301}", "\u{F1}",
    "\u{DF}",
    "\u{AD}", "\u{200B}", "\u{1}", "\u{B}", "\n", "東", "京", "都", "им", "Я", "🎉", "ﬁ", "<b>", "</b>",
    "<p>", "</p>", "<br>", "<a title=\"x>y\" href='a'>", "</a>", "<!-- ka > lo -->",
    "<script>lo</script>",
    "<unknown>", "<x-y>", "<", ">", "&amp;", "&lt;", "&nbsp;", "&eacute;", "&#233;", "&", "&k",
    "&#39;",
  ]

  @Test("A scan finds every word of 4,000 random texts") func neverMisses() {
    var random = SeededRandom(seed: 3)
    var ruledOut = 0
    for _ in 0..<4_000 {
      let html = (0..<Int.random(in: 1...12, using: &random))
        .compactMap { _ in Self.pieces.randomElement(using: &random) }.joined()
      let text = SearchText(HTMLContent.plainTextBytes(html))
      for index in text.words.indices {
        let word = Array(text.bytes(index))
        #expect(
          WordScan(word).mayStand(in: html),
          "\(String(decoding: word, as: UTF8.self)) in \(html.debugDescription)")
      }
      if !WordScan(Array("kalobe".utf8)).mayStand(in: html) { ruledOut += 1 }
    }
    #expect(ruledOut > 2_000)
  }

  @Test(
    "A scan rules out a word whose letters occur only in tags and other words",
    arguments: [
      "<p>river lake</p>", "<p>ka lo be</p>", "<i>KALOB</i> &amp; loud", "Калобе ká löbe", "",
    ])
  func rulesOut(html: String) {
    #expect(!WordScan(Array("kalobe".utf8)).mayStand(in: html))
  }

  @Test(
    "Case, accents, joining marks and tags between letters do not hide a word",
    arguments: ["KALOBE", "kálöbé", "ka\u{AD}lobe", "ka<b>lo</b>be", "<a title=\"b>c\">ka</a>lobe"])
  func finds(html: String) {
    #expect(WordScan(Array("kalobe".utf8)).mayStand(in: html))
  }
}
