import FeedModel
import Testing

@Suite("Reading time") struct ReadingTimeTests {
  @Test("Minutes are rounded, at least 1, and 0 for no words")
  func minutesAreRounded() {
    #expect(ReadingTime.minutes(ofWords: 0) == 0)
    #expect(ReadingTime.minutes(ofWords: 3) == 1)
    #expect(ReadingTime.minutes(ofWords: 2_400) == 10)
    #expect(ReadingTime.minutes(ofWords: 2_400, speed: 300) == 8)
  }

  @Test("Minutes left are those of the text that was not on screen")
  func minutesLeft() {
    #expect(ReadingTime.left(ofWords: 2_400, seen: 0.7) == 3)
    #expect(ReadingTime.left(ofWords: 2_400, seen: 0.999) == 1)
    #expect(ReadingTime.left(ofWords: 2_400, seen: 1) == nil)
    #expect(ReadingTime.left(ofWords: 2_400, seen: nil) == nil)
    #expect(ReadingTime.left(ofWords: 0, seen: 0.5) == nil)
  }

  @Test("Markup, entities and single punctuation marks are no words")
  func markupIsNoWord() {
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

  @Test("Words of code and tables count half")
  func codeCountsHalf() {
    let ten = String(repeating: "word ", count: 10)
    #expect(ReadingTime.words(in: "<p>\(ten)</p><pre>\(ten)</pre>") == 15)
    #expect(ReadingTime.words(in: "<table><tr><td><pre>\(ten)</pre></td></tr></table>\(ten)") == 15)
    #expect(ReadingTime.words(in: "<p><code>\(ten)</code></p>") == 10)
  }

  @Test("Characters of Chinese, Japanese and Korean count as 500 a minute")
  func charactersCount() {
    for text in ["\u{6C34}\u{575D}", "\u{304B}\u{30AB}", "\u{AC00}\u{B098}"] {
      let html = String(repeating: "<p>\(text)</p>", count: 1_250)
      #expect(ReadingTime.minutes(ofWords: ReadingTime.words(in: html)) == 5)
    }
    #expect(ReadingTime.words(in: "\u{3002}\u{FF0C}\u{300C}\u{300D}") == 0)
    #expect(ReadingTime.words(in: "\u{65E5}iPhone\u{65E5}") == 2)
  }

  @Test("A long text counts in proportion to its beginning")
  func longTexts() {
    let long = String(repeating: "<p>word word</p> ", count: 100_000)
    #expect((199_000...201_000).contains(ReadingTime.words(in: long)))
  }

  @Test("Eight bytes at once and single bytes give the same number", arguments: 0..<16)
  func positionsDoNotMatter(_ shift: Int) {
    let text =
      "The dams of \u{E9}t\u{E9} \u{2014} and, yes, \u{41A}\u{430}\u{43A} \u{434}\u{435}\u{43B}\u{430} - 5 % more"
    let space = String(repeating: " ", count: shift)
    #expect(ReadingTime.words(in: space + text) == 10)
    #expect(ReadingTime.words(in: space + text + " x") == 11)
  }
}
