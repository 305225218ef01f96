import FeedModel

@Suite("Single elements, and addresses in running text") struct ElementTests {
  private func runs(_ html: String) -> [StyledRun] {
    ArticleBody(html: html).layout(width: 60).lines.flatMap(\.runs)
  }

  @Test(
    "Formulas and smileys stay in their line",
    arguments: [
      ("<img src=/a.png alt='$x^2$'>", "$x^2$"), ("<img src=/a.png alt=':-)'>", ":-)"),
      ("<img src=/a.png alt='\\frac{a}{b}'>", "\\frac{a}{b}"),
      ("<img class=katex src=/a.png alt='a+b'>", "a+b"),
      ("<img src=/images/smilies/grin.gif alt=':D'>", ":D"),
      ("<img src=/images/smilies/grin.gif alt=Grin>", "Grin"),
      ("<img src=/a.png alt=':smile:'>", ":smile:"),
    ])
  func inline(picture: String, text: String) {
    #expect(shown("<p>one \(picture) two</p>", 40) == ["one \(text) two"])
  }

  @Test(
    "Other pictures keep their own line",
    arguments: ["A view", "Left: a; right: b", ":", "8", "C:\\Users, a screenshot", "$5 bill"])
  func apart(description: String) {
    let lines = shown("<p>one</p><img src=/a.png alt=\"\(description)\"><p>two</p>", 40)
    #expect(lines.count == 5 && lines[2].hasPrefix(description))
  }

  @Test("Tasks have a check box in place of the bullet")
  func tasksCheckBoxPlace() {
    #expect(
      shown(
        """
        <ul><li><input type=checkbox checked disabled> Done<li><p><input type="checkbox"> Open</p>\
        <li>Plain<li>a <input type=checkbox> b<li><input type=text>c</ul>
        """, 30) == ["☑ Done", "", "☐ Open", "", "• Plain", "", "• a ☐ b", "", "• c"])
    #expect(shown("<ol><li><input type=checkbox> x</ol>", 30) == ["1. ☐ x"])
    #expect(shown("<ul><li>☐ <a href=/x>x</a><li>☑x</ul>", 30) == ["☐ x[1]", "• ☑x"])
  }

  @Test("Keys and code have styles of their own")
  func keysCodeStylesTheir() {
    let runs = ArticleBody(html: "<kbd>K</kbd><code>c</code>").layout(width: 9).lines[0].runs
    #expect(runs == [StyledRun("K", style: .key), StyledRun("c", style: .code)])
  }

  @Test("The content of a details element is indented below its summary")
  func detailsAreIndented() {
    #expect(
      shown("<details><summary>S</summary><p>a</p><ul><li>b</ul></details><p>c</p>", 20) == [
        "▾ S", "", "  a", "", "  • b", "", "c",
      ])
    #expect(
      shown("<details>a<summary>S</summary>b</details>c", 20) == [
        "a", "", "▾ S", "", "  b", "", "c",
      ])
  }

  @Test("Pictures have lines of their own, icons stay in the text")
  func picturesLinesTheirOwn() {
    #expect(shown("<p>a<img src=/b.png alt=B>c</p>", 20) == ["a", "", "B[1]", "", "c"])
    #expect(
      shown("<p><img src=/b.png alt=B> <img src=/c.png alt=C></p>", 20) == ["B[1]", "C[2]"])
    #expect(shown("<p>a <img src=/b.png alt=B width=16> c</p>", 20) == ["a B c"])
    #expect(shown("<p>a <img src=/b.png alt=x+y class=latex> c</p>", 20) == ["a x+y c"])
    #expect(
      shown("<figure><img src=/b.png alt=B><figcaption>B</figcaption></figure>", 20) == ["B[1]"])
    #expect(shown("<a href=/x><img src=/b.png alt=B></a><p>t</p>", 20) == ["B[1]", "", "t"])
  }

  @Test("Superscripts and subscripts that Unicode does not have are in brackets")
  func bracketedSuperscripts() {
    #expect(shown("x<sup>ab</sup> y<sub>Q1</sub> z<sub>n</sub>", 30) == ["xᵃᵇ y_(Q1) zₙ"])
  }

  @Test("Tables without a header have rules, and a wide layout keeps all columns")
  func tablesWithoutHeaderRules() {
    let cells = (1...8).map { "<th>Column number \($0)" }.joined()
    let row = (1...8).map { "<td>value \($0)" }.joined()
    let html = "<table><tr>\(cells)<tr>\(row)</table><p>x</p>"
    let wide = ArticleBody(html: html).layout(width: 60, wide: .tables)
    #expect(wide.lines.count == 5)
    #expect(wide.lines.map(\.isWide) == [true, true, true, false, false])
    #expect(shown(html, 60).first == "Column number 1: value 1")
    #expect(
      ArticleBody(html: html).layout(width: 30, wide: .tables).lines.allSatisfy { !$0.isWide })
  }

  @Test(
    "Addresses in a text are links",
    arguments: [
      ("See https://a.example/b.", "See https://a.example/b[1]."),
      ("(http://a.example/b_(c))", "(http://a.example/b_(c)[1])"),
      ("at www.a.example, or", "at www.a.example[1], or"),
      ("“https://a.example/?q=1&amp;r=2”", "“https://a.example/?q=1&r=2[1]”"),
      ("见https://a.example/p，价", "见https://a.example/p[1]，价"),
      ("&lt;https://a.example&gt;", "<https://a.example[1]>"),
      ("https://a.example/ https://a.example/", "https://a.example/[1] https://a.example/[1]"),
      (
        "ftp://a.example http:// www. wwww.b xhttp://c",
        "ftp://a.example http:// www. wwww.b xhttp://c"
      ),
      ("<a href='https://b.example/'>https://a.example/</a>", "https://a.example/[1]"),
      ("http://[::1]/x", "http://[::1]/x[1]"), ("HTTPS://A.EXAMPLE", "HTTPS://A.EXAMPLE[1]"),
    ])
  func addressesTextLinks(html: String, expected: String) {
    #expect(shown("<p>\(html)</p>", 80) == [expected])
  }

  @Test("Addresses in code are links without a number")
  func linksInCodeHaveNoNumber() {
    let layout = ArticleBody(html: "<pre>get https://a.example/ now</pre>").layout(width: 60)
    #expect(layout.lines[0].runs.map(\.text).joined() == "│ get https://a.example/ now")
    #expect(layout.links == ["https://a.example/"])
    #expect(layout.lines[0].runs.contains { $0.link == .address(0) })
  }

  @Test("Pictures of an article are counted without icons")
  func picturesAreCounted() {
    let pictures = "<img src=\"a\"><img src=\"b\" width=\"16\" height=\"16\"><image><img src=\"c\">"
    #expect(ReadingFacts(html: pictures).pictures == 2)
    #expect(ReadingFacts(html: pictures).words == 0)
  }

  @Test("A heading that links to itself is not a link, and its sign is not shown")
  func headings() {
    let linked = runs("<h2 id=a><a href='#a'>Abstract</a></h2><p>x</p>")
    #expect(linked.first == StyledRun("Abstract", style: [.heading, .majorHeading]))
    #expect(shown("<h3 id=a>Title<a class=headerlink href='#a'>¶</a></h3>", 40) == ["Title"])
    #expect(shown("<h3 id=a><a href='#a'></a>Title <a href='#a'>#</a></h3>", 40) == ["Title"])
    let away = runs("<h2><a href='https://e.org/b'>B</a></h2>")
    #expect(away.first?.link == .address(0))
    #expect(runs("<p id=a><a href='#a'>¶</a> x</p>").first?.text == "¶")
  }

  @Test("An icon without words is not shown, and a drawing is")
  func icons() {
    #expect(shown("a <svg viewbox='0 0 16 16'><path></path></svg>b", 40) == ["a b"])
    #expect(shown("a<svg width=20 height=20><g></g></svg>", 40) == ["a"])
    #expect(shown("<svg></svg>", 40).isEmpty)
    #expect(shown("<svg width=400 height=300><g></g></svg>", 40) == ["drawing"])
    #expect(shown("<svg width=16><title>New</title></svg>", 40) == ["New"])
  }

  @Test("A reading without letters has no parentheses")
  func ruby() {
    #expect(shown("<ruby>振<rt>ふ</rt>り<rt></rt></ruby>", 40) == ["振(ふ)り"])
  }

  @Test("Non-breaking spaces at the ends of a link are not part of it")
  func linkEdges() {
    let star = runs("<p><a href='https://e.org/'>&nbsp;★&nbsp;</a></p>")
    #expect(star.first { $0.style.contains(.link) }?.text == "★")
    let word = runs("<p>a<a href='https://e.org/'>&nbsp;b&nbsp;</a>c</p>")
    #expect(word.first { $0.style.contains(.link) }?.text == "b")
    let text = word.map(\.text).joined().map { $0 == "\u{A0}" ? " " : $0 }
    #expect(String(text) == "a b[1] c")
  }
}
