import HTMLContent
import TestSupport
import Testing

@Suite struct PlainTextTests {
  @Test(arguments: [
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
    ("cut off <a href=\"http://x", "cut off"),
    ("&lt;b&gt;", "<b>"),
    ("10&nbsp;000\u{A0}km", "10 000 km"),
    ("a\u{1B}[31m\u{202E}b\u{200B}c\u{AD}d\u{3164}e", "a[31mbcde"),
    ("", ""), ("   ", ""), ("<p></p>", ""),
    ("hy&shy;phen", "hyphen"),
  ])
  func `markup becomes one line of text`(html: String, expected: String) {
    #expect(HTMLContent.plainText(html) == expected)
  }

  @Test(arguments: [
    ("a &amp; <b>", "a &amp; <b>"), ("\u{1B}]0;x\u{7}y", "]0;xy"), ("a\r\nb\u{2028}c", "a b c"),
    ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴"), ("👩‍👩‍👧", "👩‍👩‍👧"), ("نامه‌ای", "نامه‌ای"), ("\u{FEFF}x\u{2060}", "x"),
    (" x", "x"), ("x ", "x"), ("x  y", "x y"),
  ])
  func `text that is no HTML is only cleaned`(text: String, expected: String) {
    #expect(HTMLContent.cleanText(text) == expected)
  }

  @Test func `cleaning text twice changes nothing`() {
    for seed in 0..<1000 {
      var random = SeededRandom(seed: UInt64(seed))
      let text = HTMLContent.cleanText(RandomHTML.make(&random, pieces: 20))
      #expect(HTMLContent.cleanText(text) == text)
      let plain = HTMLContent.plainText(RandomHTML.make(&random, pieces: 20))
      #expect(HTMLContent.cleanText(plain) == plain)
    }
  }
}
