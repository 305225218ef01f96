@Suite("Parts that a browser does not show") struct HiddenPartTests {
  @Test(
    "Hidden parts are left out",
    arguments: [
      "<span hidden>secret</span>", "<p hidden=''>secret", "<div hidden=hidden>secret</div>",
      "<span style='display:none'>secret</span>",
      "<div style=' DISPLAY : None !important;'>secret</div>",
      "<div style='display:none;max-height:0;mso-hide:all'>secret <b>too</b><img src=/x.png></div>",
      "<span style='visibility:hidden'>secret</span>", "<i style='mso-hide:all'>secret</i>",
      "<span style='position:absolute;left:-9999px'>secret</span>",
      "<span style='clip: rect(0 0 0 0)'>secret</span>",
      "<span class='sr-only'>secret</span>", "<span class='a visually-hidden'>secret</span>",
      "<span class=visually-hidden-focusable>secret</span>",
      "<h2 class=screen-reader-text>secret</h2>",
      "<span class=VisuallyHidden>secret</span>", "<span class=invisible>secret</span>",
      "<nobr hidden>secret</nobr>",
      "<ul><li hidden>secret<li hidden>secret</ul>", "<b hidden><p>secret</p></b>",
    ])
  func hiddenParts(html: String) {
    let clean = HTMLContent.sanitise("<p>A</p>\(html)<p>B</p>")
    #expect(!clean.contains("secret") && !clean.contains("x.png"), "\(clean)")
    #expect(HTMLContent.plainText(clean) == "A B")
    #expect(HTMLContent.sanitise(html).contains("secret"), "nothing else is left")
  }

  @Test(
    "Other parts stay",
    arguments: [
      "<p style='display:none;display:block'>shown</p>", "<p hidden=until-found>shown</p>",
      "<p class='tag-sr-only not-sr-only'>shown</p>", "<p style='opacity:0'>shown</p>",
      "<p aria-hidden=true>shown</p>", "<span aria-hidden=true>shown</span>",
    ])
  func shownParts(html: String) {
    #expect(HTMLContent.sanitise("<p>A</p>\(html)<p>B</p>").contains("shown"))
  }

  @Test(
    "A formula is kept once, as MathML",
    arguments: [
      "<span class=katex><span class=katex-mathml>%</span><span class=katex-html aria-hidden=true>"
        + "<span>C</span></span></span>",
      "<mjx-container><mjx-math aria-hidden=true><mjx-mi>C</mjx-mi></mjx-math>"
        + "<mjx-assistive-mml>%</mjx-assistive-mml></mjx-container>",
      "<mjx-container jax=SVG><svg aria-hidden=true><text>C</text></svg>"
        + "<mjx-assistive-mml>%</mjx-assistive-mml></mjx-container>",
      "<span class=MathJax_Preview>C</span><span class=MathJax><nobr aria-hidden=true><span>C</span>"
        + "</nobr><span class=assistive>%</span></span><script type='math/tex'>C</script>",
      "<span class=mwe-math-element><span class=mwe-math-inline style='display: none;'>%</span>"
        + "<img src=/C.svg class=mwe-math-fallback-image-inline aria-hidden=true alt=C></span>",
      "<span style='display:none'>%</span><img src=/C.png alt=C>",
    ])
  func formulasOnce(html: String) {
    let formula = html.replacing("%", with: "<math><mi>x</mi></math>")
    let clean = HTMLContent.sanitise("<p>A \(formula) B</p>")
    #expect(HTMLContent.plainText(clean) == "A x B", "\(clean)")
    #expect(!clean.contains("C"), "\(clean)")
  }

  @Test("A copy of a formula without MathML stays") func copyAlone() {
    let html = "<p><span class=katex><span class=katex-html aria-hidden=true>x=1</span></span></p>"
    #expect(HTMLContent.plainText(HTMLContent.sanitise(html)) == "x=1")
    let stars = "<p><math><mi>x</mi></math> has <span aria-hidden=true>three stars</span></p>"
    #expect(HTMLContent.plainText(HTMLContent.sanitise(stars)) == "x has three stars")
    let content =
      "<math><semantics><mi>x</mi><annotation-xml><ci>y</ci></annotation-xml></semantics></math>"
    #expect(HTMLContent.plainText(HTMLContent.sanitise(content)) == "x")
  }

  @Test(
    "Line numbers of code are left out",
    arguments: [
      "<td class=lntd><pre><code><span class=lnt>1\n</span><span class=lnt>2\n</span></code></pre></td>",
      "<td class='gutter gl'><pre class=lineno>1\n2\n</pre></td>",
      "<td class=linenos><div class=linenodiv><pre> 8\n 9\n10</pre></div></td>",
      "<td><span style='-webkit-user-select:none;color:#7f7f7f'>&nbsp;10\n</span></td>",
      "<td class=hljs-ln-numbers>7</td>", "<td class=blob-num>7</td>",
    ])
  func lineNumbers(cell: String) {
    let clean = HTMLContent.sanitise("<table><tr>\(cell)<td><pre>let x = y</pre></td></tr></table>")
    #expect(HTMLContent.plainText(clean) == "let x = y", "\(clean)")
  }

  @Test(
    "Other text in an element named like line numbers stays",
    arguments: [
      ("<div class=gutter>text 1</div>", "text 1"),
      ("<pre class=line-numbers><code>42</code></pre>", "42"),
      ("<span style='user-select:none'>$ </span>", "$"),
    ])
  func codeStays(html: String, expected: String) {
    #expect(HTMLContent.plainText(HTMLContent.sanitise("<p>A</p>\(html)")).hasSuffix(expected))
  }

  @Test(
    "The time of new rules grows with the text and no faster",
    arguments: [
      "<span hidden>x</span>", "<span hidden>", "<b aria-hidden=true>x</b> <math><mi>x</mi></math>",
      "<b aria-hidden=true>", "<math></math><img aria-hidden=true src=/x>", "<td class=ln>1",
      "<i aria-hidden=true></i> ", "<img src=blank.gif> <noscript><img src=/x></noscript>",
      "<noscript><img src=/x>", "<img data-src=/x data-srcset='/y 1w, /z 2w'>",
      "<NOSCRIPT></NOSCRIPT>",
      "<picture><source srcset='/y 1w'><img></picture>", "<p class='a b sr-only c'>x",
      "<noscript><img src=/x></noscript><img src=data:>",
    ])
  func growth(piece: String) {
    let growth = ThreadTime.growth {
      Array(String(repeating: piece, count: $0).utf8)
    } _: {
      _ = HTMLContent.sanitise($0)
    }
    #expect(growth < ThreadTime.linear)
  }
}
