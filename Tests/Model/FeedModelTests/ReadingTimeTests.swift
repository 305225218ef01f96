@Suite("Reading time") struct ReadingTimeTests {
  @Test("Minutes are rounded, at least 1, and 0 for no words") func minutesAreRounded() {
    #expect(ReadingTime.minutes(ofWords: 0) == 0)
    #expect(ReadingTime.minutes(ofWords: 3) == 1)
    #expect(ReadingTime.minutes(ofWords: 2_400) == 10)
    #expect(ReadingTime.minutes(ofWords: 2_400, speed: 300) == 8)
  }

  @Test("Minutes left are those of the text that was not on screen") func minutesLeft() {
    #expect(ReadingTime.left(ofWords: 2_400, seen: 0.7) == 3)
    #expect(ReadingTime.left(ofWords: 2_400, seen: 0.999) == 1)
    #expect(ReadingTime.left(ofWords: 2_400, seen: 1) == nil)
    #expect(ReadingTime.left(ofWords: 2_400, seen: nil) == nil)
    #expect(ReadingTime.left(ofWords: 0, seen: 0.5) == nil)
  }

  @Test("Markup, entities and single punctuation marks are no words") func markupIsNoWord() {
    #expect(ReadingTime.words(in: "") == 0)
    #expect(ReadingTime.words(in: "<p></p> <img alt=\"one two\">") == 0)
    #expect(ReadingTime.words(in: "<p>a b c</p>") == 3)
    #expect(ReadingTime.words(in: "<p>word<br>word</p><p>word</p>") == 3)
    #expect(
      ReadingTime.words(
        in: "<b>One</b>, two - three \u{2014} four &amp; (five) \u{201C}six\u{201D}") == 7)
    #expect(
      ReadingTime.words(in: "It isn\u{2019}t hard, \u{AB}\u{A0}oui\u{A0}\u{BB}, 10\u{A0}000") == 5)
    #expect(ReadingTime.words(in: "of a <b c", isMarkup: false) == 4)
  }

  @Test("Words of code and tables count half") func codeCountsHalf() {
    let ten = String(repeating: "word ", count: 10)
    #expect(ReadingTime.words(in: "<p>\(ten)</p><pre>\(ten)</pre>") == 15)
    #expect(ReadingTime.words(in: "<table><tr><td><pre>\(ten)</pre></td></tr></table>\(ten)") == 15)
    #expect(ReadingTime.words(in: "<p><code>\(ten)</code></p>") == 10)
  }

  @Test("Characters of Chinese, Japanese and Korean count as 500 a minute") func charactersCount() {
    for text in ["\u{6C34}\u{575D}", "\u{304B}\u{30AB}", "\u{AC00}\u{B098}"] {
      let html = String(repeating: "<p>\(text)</p>", count: 1_250)
      #expect(ReadingTime.minutes(ofWords: ReadingTime.words(in: html)) == 5)
    }
    #expect(ReadingTime.words(in: "\u{3002}\u{FF0C}\u{300C}\u{300D}") == 0)
    #expect(ReadingTime.words(in: "\u{65E5}iPhone\u{65E5}") == 2)
  }

  @Test("A long text counts in proportion to its beginning") func longTexts() {
    let long = String(repeating: "<p>word word</p> ", count: 100_000)
    #expect((199_000...201_000).contains(ReadingTime.words(in: long)))
  }

  @Test("Eight bytes at once and single bytes give the same number", arguments: 0..<16)
  func positionsDoNotMatter(_ shift: Int) {
    let text =
      "The dams of \u{E9}t\u{E9} \u{2014} and, yes, \u{41A}\u{430}\u{43A} \u{434}\u{435}\u{43B}\u{430} - 5 % more = a | b"
    let space = String(repeating: " ", count: shift)
    #expect(ReadingTime.words(in: space + text) == 12)
    #expect(ReadingTime.words(in: space + text + " x") == 13)
  }

  /// Sentences in eight languages with their words, without those of characters, and the characters
  /// of Chinese, Japanese and Korean.
  private static let sentences: [(text: String, words: Int, characters: Int)] = [
    (
      "The dam was closed in 1931, and the river – once a mile wide – hasn't flowed freely since.",
      17, 0
    ),
    (
      "Der Damm wurde 1931 geschlossen; seither fließt der „große Fluss“ nicht mehr frei (sagen die Leute).",
      16, 0
    ),
    (
      "L’eau du fleuve n’a plus coulé librement depuis 1931\u{A0}: «\u{A0}c’est dommage\u{A0}», dit-on.",
      12, 0
    ),
    (
      "Плотину закрыли в 1931 году, и с тех пор река — когда-то шириной в милю — не течёт свободно.",
      17, 0
    ),
    ("大坝于一九三一年关闭，从那以后，河水再也没有自由流动过。", 0, 25),
    ("ダムは1931年に閉じられ、それ以来、川は自由に流れていません。", 1, 25),
    ("댐은 1931년에 닫혔고, 그 뒤로 강은 자유롭게 흐르지 않는다.", 1, 22),
    ("أغلق السد عام 1931، ومنذ ذلك الحين لم يعد النهر يجري بحرية.", 12, 0),
  ]

  @Test("Sentences of eight languages count as by hand, within 15 percent", arguments: sentences)
  func languages(_ text: String, _ words: Int, _ characters: Int) {
    let byHand = 20 * (Double(words) + Double(characters) * 240 / 500)
    let counted = ReadingTime.words(in: String(repeating: "<p>\(text)</p>", count: 20))
    #expect(abs(Double(counted) - byHand) <= 0.15 * byHand, "\(counted) of \(byHand)")
  }
}
