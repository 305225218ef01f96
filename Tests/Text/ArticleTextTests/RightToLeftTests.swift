@Suite("Right-to-left text") struct RightToLeftTests {
  private static let urdu = "دریا کے کنارے بنے نئے بند نے شہر کے لوگوں کی زندگی بدل دی ہے۔"
  private static let hebrew = "שלום עולם, זה טקסט קצר."

  private func layout(_ html: String, _ width: Int) -> [TextLine] {
    ArticleBody(html: HTMLContent.sanitise(html, baseURL: "https://example.org/")).layout(
      width: width
    ).lines
  }

  private func text(_ line: TextLine) -> String { line.runs.map(\.text).joined() }

  private func columns(_ line: TextLine) -> Int {
    text(line).reduce(0) { $0 + TextMeasure.approximateWidth(of: $1) }
  }

  @Test("Lines end at the right edge and keep the order of their letters") func alignment() {
    let lines = layout("<p>\(Self.urdu)</p><p>\(Self.hebrew)</p>", 40).filter { !$0.runs.isEmpty }
    #expect(lines.count >= 3)
    for line in lines {
      #expect(columns(line) == 40)
      #expect(line.marginRuns == 1 && line.runs[0].text.allSatisfy { $0 == " " })
    }
    let words = lines.prefix(lines.count - 1).map { $0.runs.dropFirst().map(\.text).joined() }
    #expect(words.joined(separator: " ") == Self.urdu)
    #expect(text(lines[lines.count - 1]).hasSuffix(Self.hebrew))
  }

  @Test("Left-to-right text begins at the left") func leftToRight() {
    for body in ["plain text", "文字", "Ελληνικά", "The word שלום means peace", "2027", "हिन्दी"] {
      let line = layout("<p>\(body)</p>", 40)[0]
      #expect(line.marginRuns == 0 && text(line) == body)
    }
  }

  @Test("The direction is that of the whole text, not of its first word") func mixed() {
    #expect(TextDirection.of("BBC \(Self.urdu)") == .rightToLeft)
    #expect(
      TextDirection.of("\(Self.hebrew) was the greeting that he wrote on the wall") == .leftToRight)
    #expect(TextDirection.of("12:30 – 14:00") == nil)
    #expect(TextDirection.of("") == nil)
    // Digits alone have the direction of the text before them.
    let lines = layout("<p>\(Self.urdu)</p><p>2027</p>", 40)
    #expect(columns(lines[lines.count - 1]) == 40)
  }

  @Test("A direction set by the page overrides the letters up to the end of the element")
  func said() {
    let lines = layout(
      """
      <div dir="rtl"><p>BBC News</p><p dir="ltr">\(Self.hebrew)</p><ul><li>12</ul></div><p>after</p>\
      <p>a <span dir="rtl">\(Self.hebrew)</span> is a greeting of few words and no more</p>\
      <pre dir="rtl">x</pre><div dir="auto"><p>\(Self.hebrew)</p></div>
      """, 40
    ).filter { !$0.runs.isEmpty }.map(text)
    #expect(lines[0] == String(repeating: " ", count: 32) + "BBC News")
    #expect(lines[1] == Self.hebrew)
    #expect(lines[2].hasSuffix(" 12 •"))
    #expect(lines[3] == "after")
    #expect(lines[4].hasPrefix("a "))
    #expect(lines[lines.count - 2] == "│ x")
    #expect(lines[lines.count - 1].hasPrefix("  ") && lines[lines.count - 1].hasSuffix("קצר."))
  }

  @Test("Markers and bars of quotations are at the right") func margins() {
    let list = layout("<ul><li>\(Self.hebrew)</ul>", 40)[0]
    #expect(text(list).hasSuffix("קצר. •") && columns(list) == 40)
    #expect(list.marginRunsAtEnd == 1 && list.runs.last?.style == .secondary)
    let quote = layout("<blockquote><p>\(Self.hebrew)<p>\(Self.hebrew)</blockquote>", 40)
    #expect(quote.count == 3)
    #expect(quote.allSatisfy { text($0).hasSuffix(" ┃") && columns($0) == 40 })
    let summary = layout("<details><summary>\(Self.hebrew)</summary><p>x</details>", 40)[0]
    #expect(text(summary).hasSuffix("קצר. ▾"))
    let nested = layout("<blockquote><ul><li>\(Self.hebrew)</ul></blockquote>", 40)[0]
    #expect(text(nested).hasSuffix(" • ┃"))
  }

  @Test("Numbers of a list are in circles, because terminals that reorder text would move digits")
  func numbers() {
    let items = String(repeating: "<li>\(Self.hebrew)", count: 21)
    let lines = layout("<ol>\(items)</ol>", 40).map(text)
    #expect(lines[0].hasSuffix("   ①") && lines[19].hasSuffix("   ⑳"))
    #expect(lines[20].hasSuffix(" 21."))
    #expect(layout("<ol type=a><li>\(Self.hebrew)</ol>", 40).map(text)[0].hasSuffix(" a."))
  }

  @Test("A text without a width has no right edge") func unwrapped() {
    let lines = layout("<p>\(Self.urdu)</p>", UnwrappedText.width)
    #expect(text(lines[0]) == Self.urdu)
  }

  @Test("No line is wider than the window, whatever the margins") func narrow() {
    let html = """
      <blockquote><ol><li>\(Self.urdu)<ul><li>\(Self.hebrew)</ul></ol></blockquote>\
      <dl><dt>שם<dd>\(Self.hebrew)</dl><h2>\(Self.hebrew)</h2>
      """
    for width in 1...60 {
      for line in layout(html, width) { #expect(columns(line) <= width, "width \(width)") }
    }
  }
}
