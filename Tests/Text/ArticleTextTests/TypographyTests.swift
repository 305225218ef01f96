import Foundation

private func layout(_ html: String, _ width: Int, wide: WideContent = []) -> LaidOutArticle {
  ArticleBody(html: HTMLContent.sanitise(html, baseURL: "https://example.org/post"))
    .layout(width: width, wide: wide)
}

extension TextLine {
  fileprivate var text: String {
    runs.dropFirst(marginRuns).dropLast(marginRunsAtEnd).map(\.text).joined()
  }
  fileprivate var isCode: Bool { runs.contains { $0.style.contains(.codeBar) } }
  fileprivate var isBlank: Bool { text.allSatisfy { $0 == " " } }
}

@Suite("Typography") struct TypographyTests {
  static let widths = [24, 40, 60, 72, 100]

  @Test(
    "Prose has no double spaces, and no line of it ends in a space", arguments: SampleArticle.all)
  func noDoubleSpaces(article: SampleArticle) {
    for width in Self.widths {
      for line in layout(Self.withoutTables(article.html), width).lines where !line.isCode {
        #expect(!line.text.contains("  "), "width \(width): \(line.text)")
        #expect(line.text.isEmpty || line.text.last != " ", "width \(width): \(line.text)")
      }
    }
  }

  @Test("Adjacent spaces of any kind become one") func spacesCollapse() {
    for seed in 0..<300 {
      var random = SeededRandom(seed: UInt64(seed))
      let gaps = [" ", "&nbsp;", "\n", "&#160; ", " &nbsp;", "\t", "<b> </b>", " <i>&nbsp;</i> "]
      var html = "<p>"
      for _ in 0..<40 {
        html += ["word", "<a href=/x> link </a>", "<em>more </em>", "<kbd>K</kbd>"].randomElement(
          using: &random)!
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          html += gaps.randomElement(using: &random)!
        }
      }
      for line in layout(html, 40).lines {
        #expect(!line.text.contains("  "), "seed \(seed): \(line.text)")
      }
    }
  }

  @Test("No line is wider than the window", arguments: SampleArticle.all)
  func fits(article: SampleArticle) {
    for width in Self.widths {
      for line in layout(article.html, width).lines {
        let columns = line.runs.reduce(0) { sum, run in
          sum + run.text.reduce(0) { $0 + TextMeasure.approximateWidth(of: $1) }
        }
        #expect(columns <= width, "\(width): \(line.text)")
      }
    }
  }

  @Test("A chapter has two lines above its heading and one below", arguments: SampleArticle.all)
  func headings(article: SampleArticle) {
    let lines = layout(article.html, 72).lines
    for (index, line) in lines.enumerated()
    where index > 0 && line.isHeading && !lines[index - 1].isHeading {
      let isChapter = line.runs.contains { $0.style.contains(.majorHeading) }
      let above = lines[..<index].reversed().prefix(while: \.isBlank).count
      let isBehindHeading = lines[..<index].reversed().first { !$0.isBlank }?.isHeading == true
      #expect(above == (isChapter && !isBehindHeading ? 2 : 1), "\(line.text)")
      let below = lines[(index + 1)...].drop(while: \.isHeading).prefix(while: \.isBlank).count
      #expect(below >= 1, "\(line.text)")
      #expect(lines.last { !$0.isBlank }?.isHeading != true)
    }
  }

  @Test(
    "A link is underlined without the space and punctuation after it",
    arguments: SampleArticle.all)
  func linkEdges(article: SampleArticle) {
    for line in layout(article.html, 1_000).lines where !line.isCode {
      for (run, next) in zip(line.runs, line.runs.dropFirst()) {
        guard run.style.contains(.link), next.link != run.link || next.text.hasPrefix("[") else {
          continue
        }
        let end = run.text.last.map(String.init) ?? ""
        #expect(!" .,;:!?".contains(end), "\(run.text)")
        #expect(run.text.first != " ", "\(run.text)")
      }
    }
  }

  @Test("Every address in a text is a link", arguments: SampleArticle.all)
  func addresses(article: SampleArticle) {
    for line in layout(article.html, 1_000).lines {
      for run in line.runs where run.text.contains("http") || run.text.contains("www.") {
        #expect(run.link != nil, "\(run.text)")
      }
    }
  }

  /// Returns the HTML without tables, which are aligned by spaces.
  private static func withoutTables(_ html: String) -> String {
    var rest = html[...]
    var text = ""
    while let start = rest.range(of: "<table"), let end = rest.range(of: "</table>") {
      text += rest[..<start.lowerBound]
      rest = rest[end.upperBound...]
    }
    return text + rest
  }
}

@Suite("Wrapped code") struct CodeWrappingTests {
  private static func isWord(_ character: Character?) -> Bool {
    character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
  }

  /// Checks each line of code against the lines into which it was broken.
  private static func check(_ source: String, _ html: String, _ width: Int, _ note: String) {
    var written: [String] = []
    var previous: TextLine?
    for line in layout(html, width).lines where line.isCode {
      switch line.joint {
      case .begins: written.append(line.text)
      case .space: written[written.count - 1] += " " + line.text
      case .nothing, .hyphen:
        let before = previous?.text ?? ""
        written[written.count - 1] += line.text
        guard isWord(before.last), isWord(line.text.first) else { break }
        let trimmed = before.drop { $0 == " " }
        #expect(!trimmed.contains(" "), "\(note): a word is cut in: \(before)|\(line.text)")
        #expect(!trimmed.contains { ",;(=".contains($0) }, "\(note): a word is cut in: \(before)")
      }
      previous = line
    }
    func words(_ text: String) -> [Substring] { text.split { $0 == " " || $0 == "\n" } }
    #expect(words(written.joined(separator: "\n")) == words(source), "\(note)")
  }

  private static let pieces = [
    "return", "let value", "averyveryverylongidentifierindeed_withparts", "foo(bar, baz)", "=",
    "==",
    "\"a string with words\"", "->", "{ $0 }", "https:/a/b/c/d", "x.y.z()", "[1, 2, 3]", "1.25e-9",
    "// and a comment", "if (a && b || !c)", "--option=value", "日本語の文字列",
  ]

  @Test("No word of code is cut if a space or comma can end the line, and nothing is lost")
  func generated() {
    for seed in 0..<200 {
      var random = SeededRandom(seed: UInt64(seed))
      let lines = (0..<6).map { _ in
        String(repeating: "  ", count: Int.random(in: 0...4, using: &random))
          + (0..<Int.random(in: 1...14, using: &random)).map { _ in
            Self.pieces.randomElement(using: &random)!
          }.joined(separator: " ")
      }
      let source = lines.joined(separator: "\n")
      let escaped = source.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      let width = Int.random(in: 12...100, using: &random)
      Self.check(source, "<pre>\(escaped)</pre>", width, "seed \(seed) width \(width)")
    }
  }

  @Test("A continued line of code is marked and keeps the indentation") func continuation() {
    #expect(
      shown("<pre>    call(first, second, third)\nend</pre>", 26) == [
        "│     call(first, second,", "│     ↪ third)", "│ end",
      ])
    #expect(
      shown("<pre>path/to/something/long</pre>", 14) == [
        "│ path/to/", "│ ↪ something/", "│ ↪ long",
      ])
    #expect(
      shown("<pre>a verylongwordthatcannotfit</pre>", 14) == [
        "│ a", "│ ↪ verylongwo", "│ ↪ rdthatcann", "│ ↪ otfit",
      ])
  }

  @Test("Scrolled code keeps its lines") func scrolled() {
    let code = "<pre>" + String(repeating: "word ", count: 60) + "</pre><p>text</p>"
    let lines = layout(code, 40, wide: .code).lines
    #expect(lines.count == 3)
    #expect(lines[0].isWide && !lines[2].isWide)
    #expect(lines[0].text.count == 299)
  }
}

@Suite("Colours of code") struct CodeColouringTests {
  /// Returns the texts that have a style in a block of code.
  private func parts(_ code: String, _ language: String, _ style: TextStyle) -> [String] {
    let html = "<pre><code class=\"language-\(language)\">\(code)</code></pre>"
    return layout(html, 200).lines.flatMap { line in
      line.runs.filter { $0.style.contains(style) }.map(\.text)
    }
  }

  @Test(
    "Comments are recognised",
    arguments: [
      ("swift", "a // b\nc /* d\n /* e */ f */ g", ["// b", "/* d", " /* e */ f */"]),
      ("c", "int a; /* b */ int c; // d", ["/* b */", "// d"]),
      ("python", "a = '#' # b", ["# b"]), ("bash", "echo $# a#b # c", ["# c"]),
      ("sql", "select 1 -- one", ["-- one"]), ("html", "a &lt;!-- b --&gt; c", ["<!-- b -->"]),
      ("js", "x = 'http://a' // b", ["// b"]), ("lua", "--[[ a\nb ]] c", ["--[[ a", "b ]]"]),
    ])
  func comments(language: String, code: String, expected: [String]) {
    #expect(parts(code, language, .comment) == expected)
  }

  @Test(
    "Strings are recognised, and apostrophes that do not quote are not",
    arguments: [
      (
        "swift", "let a = \"b \\\" c\" + \"\"\"\nd\n\"\"\"",
        ["\"b \\\" c\"", "\"\"\"", "d", "\"\"\""]
      ),
      ("rust", "fn f&lt;'a&gt;(c: char) { c == 'x' }", ["'x'"]),
      ("python", "r'a' + \"\"\"b\nc\"\"\"", ["r'a'", "\"\"\"b", "c\"\"\""]),
      ("js", "`a\nb` + \"c\"", ["`a", "b`", "\"c\""]), ("bash", "echo don't 'a b'", ["'a b'"]),
      ("c", "char c = '\\n'; \"open", ["'\\n'"]),
    ])
  func strings(language: String, code: String, expected: [String]) {
    #expect(parts(code, language, .string) == expected)
  }

  @Test("Keywords and numbers are found, members and other words are not") func keywordsAreFound() {
    #expect(parts("if x.if == 0x1F { returned }", "swift", .keyword) == ["if"])
    #expect(parts("a1 = 1_000 + 2.5e-3 + x[0]", "python", .number) == ["1_000", "2.5e-3", "0"])
    #expect(parts("SELECT a FROM b", "sql", .keyword) == ["SELECT", "FROM"])
  }

  @Test("Code without a known language has no colours") func codeWithoutKnownLanguage() {
    for name in ["text", "brainfuck", ""] {
      for style in [TextStyle.comment, .string, .number, .keyword] {
        #expect(parts("if \"a\" // b 1", name, style).isEmpty)
      }
    }
  }

  @Test("Code that the page has marked itself is not lexed") func pageMarkedItselfGoes() {
    let html = """
      <div class="highlight-python3"><pre><span class="k">if</span> <span class="s">x</span> "y" \
      <span class="c1"># z</span></pre></div>
      """
    let runs = layout(html, 80).lines[0].runs
    #expect(runs.filter { $0.style.contains(.keyword) }.map(\.text) == ["if"])
    #expect(runs.filter { $0.style.contains(.string) }.map(\.text) == ["x"])
    #expect(runs.filter { $0.style.contains(.comment) }.map(\.text) == ["# z"])
  }

  @Test("The language may be said around the code") func languageMaySaidAround() {
    for html in [
      "<div class='language-swift'><div class=highlight><pre>if</pre></div></div>",
      "<pre class='brush: swift'>if</pre>", "<pre class='sourceCode swift'>if</pre>",
      "<div class='highlight highlight-source-swift'><pre>if</pre></div>",
      "<pre><code class='lang-swift hljs'>if</code></pre>",
    ] {
      #expect(layout(html, 20).lines[0].runs.last?.style.contains(.keyword) == true, "\(html)")
    }
    #expect(
      layout("<div class='language-swift'></div><pre>if</pre>", 20).lines[0].runs.last?.style
        == .codeBlock)
  }
}
