import SoakSupport

@testable import ArticleText

@Suite("Line breaking") struct LineBreakingTests {
  @Test(
    "Lines end where they may",
    arguments: [
      ("aaa bbb", 3, ["aaa", "bbb"]), ("aaa bbb", 7, ["aaa bbb"]), ("aaaa", 3, ["aaa", "a"]),
      ("a aaaa b", 3, ["a", "aaa", "a b"]), ("10&nbsp;km x", 5, ["10 km", "x"]),
      ("ab 10&nbsp;km", 6, ["ab", "10 km"]), ("well-known", 6, ["well-", "known"]),
      ("x -5 -6", 5, ["x -5", "-6"]), ("ab—cd", 4, ["ab—", "cd"]),
      ("ex&shy;tra", 4, ["ex-", "tra"]), ("ex&shy;tra", 9, ["extra"]),
      ("long<wbr>word", 5, ["long", "word"]),
      ("日本語", 4, ["日本", "語"]), ("日本。語", 4, ["日", "本。", "語"]), ("日「本」", 4, ["日", "「本", "」"]),
      ("日本ab語", 5, ["日本", "ab語"]),
      ("e\u{301}e\u{301}e\u{301}", 2, ["e\u{301}e\u{301}", "e\u{301}"]),
      ("👩‍👩‍👧x", 2, ["👩‍👩‍👧", "x"]), ("漢", 1, ["?"]), ("a漢b", 1, ["a", "?", "b"]),
      ("שלום עולם", 5, [" שלום", " עולם"]), ("a    b", 2, ["a", "b"]), ("1 日日", 4, ["1 日", "日"]),
      ("<pre>(abcdefghijkl</pre>", 12, ["│ (abcdefghi", "│ ↪ jkl"]),
    ])
  func linesEndWhereThey(html: String, width: Int, expected: [String]) {
    #expect(shown(html, width) == expected)
  }

  @Test("Tabs become spaces up to the last tab stop, and one space each after it") func manyTabs() {
    for (start, columns) in [("", 1_000), ("é", 1_001)] {
      var text = InlineText()
      text.append(verbatim: start + String(repeating: "\t", count: 200_000), style: [], link: nil)
      let lines = CodeLines.split(text, isFirst: false)
      #expect(lines.count == 1 && lines[0].bytes.count < 200_000 + columns)
    }
  }

  @Test("The columns of a character are measured by the given function")
  func measureScreenDecides() {
    let blocks = ArticleBody(html: "<p>§§§§</p>")
    #expect(blocks.layout(width: 4).lines.count == 1)
    #expect(blocks.layout(width: 4) { $0 == "§" ? 2 : 1 }.lines.count == 2)
  }

  @Test("No line is wider than the window and no text is lost") func lineWiderThanWindow() {
    for seed in 0..<Soak.length(short: 200, long: 20_000) {
      var random = SeededRandom(seed: UInt64(seed))
      let html = HTMLContent.sanitise(RandomArticle.make(&random), baseURL: "https://e.org/")
      let blocks = ArticleBody(html: html)
      let width = Int.random(in: 1...120, using: &random)
      let layout = blocks.layout(width: width)
      for line in layout.lines {
        let columns = line.runs.reduce(0) { sum, run in
          sum + run.text.reduce(0) { $0 + TextMeasure.approximateWidth(of: $1) }
        }
        #expect(columns <= width, "seed \(seed) width \(width)")
        for run in line.runs {
          switch run.link {
          case .address(let index): #expect(layout.links.indices.contains(index), "seed \(seed)")
          case .place(let index): #expect(layout.places.indices.contains(index), "seed \(seed)")
          case nil: break
          }
        }
      }
      #expect(layout.places.allSatisfy { $0 == 0 || layout.lines.indices.contains($0) })
      #expect(layout.lines.map(\.block) == layout.lines.map(\.block).sorted())
      guard width > 2 else { continue }
      var words: [Character: Int] = [:]
      for line in layout.lines {
        for run in line.runs { for c in run.text { words[c, default: 0] += 1 } }
      }
      for marked in "äöüæœø" {
        #expect(
          words[marked, default: 0] == html.count { $0 == marked }, "seed \(seed) \(marked) \(html)"
        )
      }
    }
  }

  /// The first string is there once, and each other one as often as a step asks for.
  @Test(
    "Nothing takes more than linear time",
    arguments: [
      ["", "<div>"], ["", "<blockquote>"], ["", "<ul><li>"], ["", "<p>"], ["<h1>", "title "],
      ["<h1>", "x"], ["", "漢"], ["", "<table><tr><td>a<td>"], ["<table>", "<tr><td>a<td>b"],
      ["<table><tr>", "<td>a"], ["<table>", "<tr><td rowspan=999 colspan=20>a<td>b"],
      ["", "x<sup>2</sup>"], ["<p id=f>", "<sup id=r><a href=#f>1</a></sup>"],
      ["<p id=f>", "a<sup id=r><a href=#f>1</a></sup>"],
      ["", "<img width=9 height=9 src=/x alt=y>"], ["<pre>", "\t"],
      ["", "<p id=a><i id=b><a name=c></a>"],
      ["<p id=a>", "x<br><a href=#a name=b>y</a><br>"], ["", "<a href=/x></a>"],
      ["", "<a href=/x>y</a>"], ["", "<br>"], ["", "&shy;&#8203;"], ["e", "\u{301}"],
      ["<pre>", "x\n"], ["<pre>", "x.y("], ["<pre>", " ", "x"],
      ["<pre class=language-python>", "'\\"], ["<pre class=language-swift>", "/*\""],
      ["<pre class=language-rust>", "'"], ["", "http://"], ["", "www.a."], ["", "&nbsp; "],
      ["<a href=/x>", " ."], ["", "<details><summary>x</summary>"], ["", "<img src=/x alt=y>"],
      ["", "<math><msup>"], ["", "<svg><g>"],
    ])
  func nothingTakesMoreThan(parts: [String]) {
    let growth = ThreadTime.growth(times: Soak.length(short: 16, long: 128)) { count in
      parts[0] + parts.dropFirst().map { String(repeating: $0, count: count) }.joined()
    } _: { html in
      let blocks = ArticleBody(html: HTMLContent.sanitise(html, baseURL: "https://e.org/"))
      for width in [1, 80] { _ = blocks.layout(width: width) }
      _ = ArticleBody(html: html)
    }
    #expect(growth < ThreadTime.linear)
  }

  @Test("No line begins with a closing quotation mark or dots") func quotationMarks() {
    #expect(shown("日本“語言”界", 5) == ["日本", "“語", "言”界"])
    #expect(shown("日本語……言", 6) == ["日本", "語……言"])
    #expect(shown("don’t “go” now", 5) == ["don’t", "“go”", "now"])
  }
}

/// Random articles of all constructs. The marked letters occur only in text that must be shown.
private enum RandomArticle {
  private static let names = [
    "p", "div", "b", "i", "em", "ul", "ol", "li", "li", "dl", "dt", "dd", "table", "tr", "td", "td",
    "th",
    "caption", "blockquote", "pre", "code", "h2", "br", "hr", "ruby", "rt", "details", "summary",
    "figure",
    "figcaption", "q", "sub", "sup", "math", "mi", "msup", "mfrac", "a href=/x", "a href=/y",
    "a href=#z", "p id=z", "a name=z",
  ]
  private static let texts = [
    "ä ", "wordö ", "ü", "æœ longer words here ", "ø&shy;soft", "10&nbsp;ä", "日本語、「括弧」。", "👩‍👩‍👧ö",
    "averyveryveryverylongwordindeedü", "well-known ", "\n", "&#8203;", "x\u{301}",
    " a b c d e f g ", "한국어",
    "ä—ö", "12", "<img src=/a.png alt='picture æ'>", "\t",
  ]

  static func make(_ random: inout SeededRandom) -> String {
    var html = ""
    for _ in 0..<Int.random(in: 1...50, using: &random) {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4: html += "<" + names[Int.random(in: 0..<names.count, using: &random)] + ">"
      case 4..<6:
        let name = names[Int.random(in: 0..<names.count, using: &random)]
        html += "</" + name.prefix { $0 != " " } + ">"
      default: html += texts[Int.random(in: 0..<texts.count, using: &random)]
      }
    }
    return html
  }
}
