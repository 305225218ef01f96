import Foundation

@Suite("White space, lists and formulas") struct WhiteSpaceTests {
  private func lines(_ html: String, _ width: Int = 40) -> [String] {
    ArticleBody(html: HTMLContent.sanitise(html)).layout(width: width).lines.map {
      $0.runs.map(\.text).joined()
    }
  }

  @Test(
    "The style white-space keeps lines",
    arguments: [
      ("white-space:pre-wrap", ["One", "  two  x", "", "three"]),
      ("color:red;WHITE-SPACE: Pre !important", ["One", "  two  x", "", "three"]),
      ("white-space:break-spaces", ["One", "  two  x", "", "three"]),
      ("white-space:pre-line", ["One", "two x", "", "three"]),
      ("white-space:normal", ["One two x three"]),
    ])
  func whiteSpace(style: String, expected: [String]) {
    let text = "One\n  <b>two</b>  x\n\nthree"
    for element in ["p", "div", "span"] {
      #expect(lines("<\(element) style='\(style)'>\(text)</\(element)>") == expected)
    }
    #expect(lines("<div style='\(style)'>\n<p>a</p>\n<p>b</p>\n</div>") == ["a", "", "b"])
  }

  @Test("Lists and tables in code keep indentation") func listsInCode() {
    #expect(
      lines(
        "<pre><ol>\n<li><code>first();</code></li>\n<li><code>  second();</code></li></ol></pre>")
        == ["│ first();", "│   second();"])
    #expect(
      lines("<pre><ul><li>a<ul><li>  b</li></ul></li><li>c</li></ul></pre>")
        == ["│ a", "│   b", "│ c"])
    #expect(
      lines(
        "<pre><table><tr><td class=lineno>1</td><td>a</td></tr>\n"
          + "<tr><td class=lineno>2</td><td>  b</td></tr></table></pre>") == ["│ a", "│   b"])
    #expect(lines("<pre>a b <a href='https://e.org/x'><pre>") == ["│ a b[1]"])
    let invisible = ArticleBody(html: "a<q><mfrac><a href='https://e.org/'>\n</a></mfrac></q>")
    #expect(invisible.layout(width: 9).lines.flatMap(\.runs).allSatisfy { $0.link == nil })
  }

  @Test("A list directly in a list is indented") func listInList() {
    #expect(
      lines("<ol><li>one</li><ol><li>a</li><li>b</li></ol><li>two</li></ol><p>x</p>")
        == ["1. one", "   a. a", "   b. b", "2. two", "", "x"])
    #expect(
      lines("<ul><li>a</li><ol><li>one</li></ol><ul><ul><li>deep</li></ul></ul></ul>")
        == ["• a", "  a. one", "    ▪ deep"])
  }

  @Test("A list may begin below one") func negativeStart() {
    #expect(
      lines("<ol start='-1'><li>a</li><li>b</li><li>c</li></ol>") == ["-1. a", " 0. b", " 1. c"])
  }

  @Test(
    "Formulas are part of their line",
    arguments: [
      ("<img class=latex src='https://s0.wp.com/latex.php?latex=A' alt='A'>", "A"),
      ("<img src='https://s0.wp.com/latex.php?latex=A' alt='A'>", "A"),
      ("<img class='mwe-math-fallback-image-inline' src='/x' alt='{\\displaystyle A}'>", "A"),
      ("<math alttext='{\\displaystyle A_{1}}'><msub><mi>A</mi><mn>1</mn></msub></math>", "A₁"),
      (
        "<math><msub><mi>n</mi><mi>A</mi></msub><msup><mi>x</mi><mi>th</mi></msup></math>", "n_Axᵗʰ"
      ),
      ("<math><munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover></math>", "∑ᵢⁿ"),
    ])
  func formulasInLine(formula: String, expected: String) {
    #expect(lines("<p>matrix \(formula) is denoted</p>") == ["matrix \(expected) is denoted"])
  }

  @Test("A picture whose class names text is no formula") func pictureOfText() {
    #expect(
      lines(
        "<p>a <img class='context-image text-center' src='https://e.org/x.png' alt='A view'> b</p>")
        == ["a", "", "A view[1]", "", "b"])
  }

  @Test("Footnotes by any address of the article are places in it") func footnotesByAddress() {
    let html = """
      <p>T<sup id="r1"><a href="%#f1">1</a></sup></p><ol><li id="f1">Note <a \
      href="%#r1">back</a></li></ol>
      """
    for (address, page, others) in [
      ("https://s.example/post/", "https://s.example/post", []),
      ("http://www.s.example/post/", "https://s.example/post/", []),
      ("https://s.example/post/?utm_source=x", "https://s.example/post/", []),
      ("https://s.example/post/", "https://other.example/x", ["https://s.example/post"]),
      ("https://s.example/", "https://s.example/post/", []),
    ] as [(String, String, [String])] {
      let body = ArticleBody(
        html: html.replacing("%", with: address), address: page, otherAddresses: others)
      #expect(body.layout(width: 40).links.isEmpty, "\(address)")
    }
    let body = ArticleBody(
      html: html.replacing("%", with: "https://s.example/2"), address: "https://s.example/post")
    #expect(body.layout(width: 40).links.count == 2)
  }

  @Test(
    "The time of new rules grows with the text and no faster",
    arguments: [
      "<p style='white-space:pre'>a\n  b", "<i style='white-space:pre'>a\n</i>",
      "<ol><ol></ol></ol>",
      "<pre><table><tr><td>x<td>y</table></pre>", "<tr><td>x<td>y</tr>", "<ul><li>x</li></ul>",
    ])
  func growth(piece: String) {
    func seconds(_ count: Int) -> Double {
      let html = "<pre>" + String(repeating: piece, count: count)
      let body = ArticleBody(html: piece.hasPrefix("<p ") ? String(html.dropFirst(5)) : html)
      var (start, end) = (timespec(), timespec())
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
      _ = body.layout(width: 40)
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
      return Double(end.tv_sec - start.tv_sec) + Double(end.tv_nsec - start.tv_nsec) / 1e9
    }
    let (small, large) = (seconds(2_000), seconds(16_000))
    // Quadratic time is 64 times as long.
    #expect(large < max(small, 0.001) * 28, "\(small) s and \(large) s")
  }
}
