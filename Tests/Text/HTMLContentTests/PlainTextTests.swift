@Suite("Plain text from HTML") struct PlainTextTests {
  @Test("A character is treated the same at every position of a long text") func places() {
    for code in Array(0..<0x180) + [0x2028, 0x202E, 0xFEFF, 0x1F600] {
      guard let scalar = Unicode.Scalar(UInt32(code)), scalar != "<", scalar != "&" else {
        continue
      }
      let alone = HTMLContent.sanitise("|\(scalar)|").dropFirst().dropLast()
      for place in 0..<18 {
        let (before, after) = (
          String(repeating: "x", count: place), String(repeating: "y", count: 18 - place)
        )
        #expect(
          HTMLContent.sanitise(before + String(scalar) + after) == before + alone + after,
          "U+\(String(code, radix: 16)) at \(place)")
      }
    }
  }

  @Test(
    "Markup becomes one line of text",
    arguments: [
      ("Plain title", "Plain title"),
      ("  a \n b\t", "a b"),
      ("Tom &amp; Jerry", "Tom & Jerry"),
      ("<b>Big</b> <i>news</i>", "Big news"),
      ("<p>a</p><p>b</p>c<br>d", "a b c d"),
      ("a<b>c</b>d", "acd"),
      ("safe<script>alert(1)</script> <b>description</b>", "safe description"),
      ("x<style>p{}</style>y<noscript>z</noscript>", "xy"),
      ("a < b && c > d", "a < b && c > d"),
      ("a<b", "a<b"),
      ("Use List<String> & Map<K>", "Use List<String> & Map<K>"),
      ("<my-part>x</my-part>", "x"),
      ("<!DOCTYPE ~", "<!DOCTYPE ~"),
      ("safe<!--", "safe"), ("safe<!-- a", "safe"), ("a<!-- b --> c", "a c"),
      ("<button>Go</button> <textarea><b>x</b> &amp;</textarea>", "Go <b>x</b> &"),
      ("cut off <a href=\"http://x", "cut off"),
      ("&lt;b&gt;", "<b>"),
      ("10&nbsp;000\u{A0}km", "10 000 km"),
      ("a\u{1B}[31m\u{202E}b\u{200B}c\u{AD}d\u{3164}e", "a[31mbcde"),
      ("", ""), ("   ", ""), ("<p></p>", ""),
      ("hy&shy;phen", "hyphen"),
    ])
  func markupBecomesOneLine(html: String, expected: String) {
    #expect(HTMLContent.plainText(html) == expected)
  }

  @Test(
    "Text that is no HTML is only cleaned",
    arguments: [
      ("a &amp; <b>", "a &amp; <b>"), ("\u{1B}]0;x\u{7}y", "]0;xy"), ("a\r\nb\u{2028}c", "a b c"),
      ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴"), ("👩‍👩‍👧", "👩‍👩‍👧"), ("نامه‌ای", "نامه‌ای"), ("\u{FEFF}x\u{2060}", "x"),
      (" x", "x"), ("x ", "x"), ("x  y", "x y"),
    ])
  func textHTMLOnlyCleaned(text: String, expected: String) {
    #expect(HTMLContent.cleanText(text) == expected)
  }

  @Test("Cleaning text twice changes nothing") func cleaningTextTwiceChanges() {
    for seed in 0..<1000 {
      var random = SeededRandom(seed: UInt64(seed))
      let text = HTMLContent.cleanText(RandomHTML.make(&random, pieces: 20))
      #expect(HTMLContent.cleanText(text) == text)
      let plain = HTMLContent.plainText(RandomHTML.make(&random, pieces: 20))
      #expect(HTMLContent.cleanText(plain) == plain)
    }
  }

  @Test("A title keeps the same characters with and without markup")
  func markupChangesNoCharacter() {
    var random = SeededRandom(seed: 19)
    let odd: [Unicode.Scalar] = [
      "\u{0}", "\t", "\n", "\u{B}", "\u{C}", "\r", "\u{1B}", " ", "&", "<", ">", "\"", "\u{7F}",
      "\u{85}", "\u{9B}", "\u{81}", "\u{A0}", "\u{AD}", "\u{34F}", "\u{61C}", "\u{115F}",
      "\u{180E}",
      "\u{2003}", "\u{200B}", "\u{200C}", "\u{200D}", "\u{200E}", "\u{2028}", "\u{202E}",
      "\u{202F}",
      "\u{2060}", "\u{2066}", "\u{206A}", "\u{3000}", "\u{3164}", "\u{FE0F}",
      "\u{FEFF}",
      "\u{FFA0}", "\u{FFF9}", "\u{FFFE}", "\u{1F600}", "\u{E0041}", "a", "ü", "я", "語", "\u{301}",
    ]
    for _ in 0..<5_000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let any = Unicode.Scalar(UInt32.random(in: 0...0x3_0000, using: &random))
        text.append((Bool.random(using: &random) ? odd.randomElement(using: &random) : any) ?? "x")
      }
      let escaped = String(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      let plain = HTMLContent.cleanText(String(text))
      #expect(HTMLContent.plainText(escaped) == plain)
      #expect(HTMLContent.plainText("<b>\(escaped)</b>") == plain)
      #expect(HTMLContent.cleanText(plain) == plain)
    }
  }

  @Test("Wide spaces stay within a line and are removed at its ends") func wideSpaces() {
    for (text, line) in [("\u{3000}a\u{3000}b \u{2003}", "a\u{3000}b"), ("\u{2009} ", "")] {
      #expect(HTMLContent.cleanText(text) == line)
    }
  }

  @Test("An endless grapheme cluster is cut in titles and in texts") func clustersAreCut() {
    let pile = "a" + String(repeating: "\u{301}", count: 10_000) + " b"
    let references = "a" + String(repeating: "&#x301;", count: 10_000) + " b"
    for text in [
      HTMLContent.cleanText(pile), HTMLContent.plainText("<b>\(references)</b>"),
      HTMLContent.sanitise("<p>\(references)</p>"), HTMLContent.sanitise(pile),
    ] {
      #expect(text.unicodeScalars.count < 60)
      #expect(text.contains("b"))
    }
  }
}
