@Suite("The sanitiser") struct SanitiserTests {
  private func clean(_ html: String, base: String? = "https://example.org/blog/post") -> String {
    HTMLContent.sanitise(html, baseURL: base)
  }

  @Test(
    "Structure is balanced as HTML means it",
    arguments: [
      ("plain", "plain"),
      ("<p>one<p>two", "<p>one</p><p>two</p>"),
      ("<P CLASS='x'>A</P>", "<p class=\"x\">A</p>"),
      ("<ul><li>a<li>b<ul><li>c</ul></ul>", "<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>"),
      ("<dl><dt>a<dd>b<dt>c</dl>", "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>"),
      (
        "<table><tr><td>a<td>b<tr><th>c</table>",
        "<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>"
      ),
      ("<b>bold<i>both</b>tail</i>", "<b>bold<i>both</i></b>tail"),
      ("<p><b>x<p>y</b>z", "<p><b>x</b></p><p>yz</p>"),
      ("<b><p>foo</b> bar</p>", "<b><p>foo</p></b><p> bar</p>"),
      ("<h2>a</h3>b", "<h2>a</h2>b"),
      ("<center>x</center><tt>y</tt>", "<div>x</div><code>y</code>"),
      ("<font color=red>x</font><my-part>y</my-part>", "xy"),
      ("a<br/>b</br>c<hr>", "a<br>b<br>c<hr>"),
      ("<b/>x<br>", "<b></b>x<br>"),
      ("</div></p>x", "x"),
      (
        "<a href=/x>a<a href=/y>b</a>",
        "<a href=\"https://example.org/x\">a</a><a href=\"https://example.org/y\">b</a>"
      ),
      ("<ruby>漢<rt>kan</ruby>", "<ruby>漢<rt>kan</rt></ruby>"),
    ])
  func structureIsBalanced(html: String, expected: String) {
    #expect(clean(html) == expected)
  }

  @Test(
    "What runs, loads or tracks is gone",
    arguments: [
      ("<script>alert(1)</script>x", "x"),
      ("<scr<script>ipt>alert(1)</script>x", "ipt&gt;alert(1)x"),
      ("<style>b{}</style>x", "x"),
      ("<template><p>a</p></template>x", "x"),
      ("<noscript>a</noscript>x", "x"),
      ("<svg><script>alert(1)</script></svg>x", "<svg></svg>x"),
      ("<svg><style><img src=x onerror=alert(1)></style></svg>x", "<svg></svg>x"),
      (
        "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
        "<math><mtext><table></table></mtext></math>"
      ),
      ("<img src=x onerror=alert(1)>", "<img src=\"https://example.org/blog/x\">"),
      ("<p onclick=\"x()\" style=\"background:url(javascript:x)\">a</p>", "<p>a</p>"),
      ("<p>a<img src=\"https://e.org/x\" alt=b style=\"display: none\"></p>", "<p>a</p>"),
      (
        "<p>a<img src=\"https://e.org/x\" alt=b style=\"color:red;DISPLAY:none !important\"></p>",
        "<p>a</p>"
      ),
      ("<p>a<img src=\"https://e.org/x\" alt=b hidden></p>", "<p>a</p>"),
      ("<p>a<img src=\"https://e.org/x\" alt=b width=0></p>", "<p>a</p>"),
      ("<p>a<img src=\"https://e.org/x\" alt=b height=\"0px\" width=100></p>", "<p>a</p>"),
      ("<p>a<img src=\"https://e.org/x\" alt=b style=\"width:0;height:9px\"></p>", "<p>a</p>"),
      (
        "<div style=\"display:none\"><p><img src=\"https://e.org/x\">a</p></div><img src=\"https://e.org/y\">",
        "<img src=\"https://e.org/y\">"
      ),
      (
        "<p style=\"text-align: center; position:fixed\">a</p>",
        "<p style=\"text-align: center\">a</p>"
      ),
      (
        "<iframe src=\"https://v.example/1\">x</iframe>y",
        "<a href=\"https://v.example/1\">https://v.example/1</a>y"
      ),
      ("<iframe src=\"javascript:x\"></iframe>y", "y"),
      ("<embed src=//v.example/a.swf title=Film>", "<a href=\"https://v.example/a.swf\">Film</a>"),
      (
        "<object data=\"https://v.example/a\"><p>no</p></object>y",
        "<a href=\"https://v.example/a\">https://v.example/a</a>y"
      ),
      ("<object><param name=a>fallback</object>y", "fallbacky"),
      ("<form><input name=q><button>Go</button>text</form>", "<div>Gotext</div>"),
      (
        "<ul><li><input type=CheckBox checked onclick=x name=q disabled>a<li><input type=checkbox>b</ul>",
        "<ul><li>☑ a</li><li>☐ b</li></ul>"
      ),
      ("<input type=text value=x><input type='checkbox\"'>y", "y"),
      ("<!--[if IE]><script>x</script><![endif]-->y", "y"),
      ("<?php echo 1 ?>y", "y"),
      ("<plaintext><b>", "<pre>&lt;b&gt;</pre>"),
      ("<xmp><b></xmp>y", "<pre>&lt;b&gt;</pre>y"),
      ("<textarea><img src=x>&amp;</textarea>y", "<pre>&lt;img src=x&gt;&amp;</pre>y"),
      ("<title>t</title>y", "y"),
      ("<img width=1 height=1 src=https://t.example/p.gif>y", "y"),
      ("<img alt=\"年\">", "<img alt=\"年\">"),
      ("<img>y", "y"),
      (
        "<img data-src=a.png src=\"data:image/gif;base64,R0lG\">",
        "<img src=\"https://example.org/blog/a.png\">"
      ),
      (
        "<img srcset=\"/a.png 1x, /b.png 2x\" alt=A>",
        "<img alt=\"A\" src=\"https://example.org/a.png\">"
      ),
    ])
  func runsLoadsTracksGone(html: String, expected: String) {
    #expect(clean(html) == expected)
  }

  @Test(
    "No address of another kind passes",
    arguments: [
      "javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)",
      "java\tscript:alert(1)", "java&#10;script:alert(1)", "&#106;avascript:alert(1)",
      "javascript&colon;alert(1)", "&#x1;javascript:alert(1)", "java\u{0}script:alert(1)",
      "java script:alert(1)", "\u{202E}javascript:x",
      "vbscript:x", "data:text/html,x", "file:///etc/passwd", "about:blank", "http:///x", "https:",
      "view-source:x", "jar:x",
    ])
  func addressAnotherKindPasses(address: String) {
    for base in [nil, "https://example.org/a/", "file:///tmp/x", "javascript:x"] {
      let html = clean("<a href=\"\(address)\">x</a><img alt=a src=\"\(address)\">", base: base)
      let lower = html.lowercased()
      #expect(!lower.contains("script:") || lower.contains("https://example.org/a/"), "\(html)")
      #expect(!lower.contains("data:") && !lower.contains("file:") && !lower.contains("about:"))
    }
  }

  @Test(
    "Addresses are absolute",
    arguments: [
      ("/x", "https://example.org/x"), ("y?a=1&amp;b=2", "https://example.org/blog/y?a=1&amp;b=2"),
      ("//h.example/", "https://h.example/"), ("#fn1", "#fn1"), ("mailto:a@b.c", "mailto:a@b.c"),
      ("HTTP://A.example/../b", "http://A.example/b"), ("?q", "https://example.org/blog/post?q"),
      ("http://a.example/?x=1&copy=2", "http://a.example/?x=1&amp;copy=2"),
    ])
  func addressesAbsolute(address: String, expected: String) {
    #expect(clean("<a href=\"\(address)\">x</a>") == "<a href=\"\(expected)\">x</a>")
  }

  @Test("Places and the links to them stay") func placesLinksThemStay() {
    let html =
      "<sup id=\"ref:1\"><a href=\"#fn:1\">1</a></sup><ol><li id=\"fn:1\"><a name=\"x\">y</a></li></ol>"
    #expect(clean(html) == html)
    #expect(clean("<p id='\"><b>'>a</p>") == "<p id=\"&quot;&gt;&lt;b&gt;\">a</p>")
  }

  @Test("Relative addresses stay where there is no base") func relativeAddressesStay() {
    #expect(clean("<a href=foo>x</a>", base: nil) == "<a href=\"foo\">x</a>")
  }

  @Test(
    "Text is decoded, filtered and escaped",
    arguments: [
      ("a & b &amp; c < d > e \"q\"", "a &amp; b &amp; c &lt; d &gt; e \"q\""),
      ("&lt;b&gt; &copy &copy; &notit; &#x61; &#150; &#0;", "&lt;b&gt; © © ¬it; a – \u{FFFD}"),
      ("&#27;[2J\u{1B}]52;c\u{7}x\u{9B}y\u{85}z", "[2J]52;cx›y…z"),
      ("a\u{202E}b\u{2066}c&#x202E;d\u{E0041}e\u{200F}", "abcde"),
      ("x\r\ny\rz", "x\ny\nz"),
      ("👩‍👩‍👧 e\u{301}", "👩‍👩‍👧 e\u{301}"),
      ("5 < 8, I <3 you, <!' x", "5 &lt; 8, I &lt;3 you, &lt;!' x"),
      ("a<b", "a&lt;b"),
      ("text <a href=\"http://x", "text "),
      (
        "<a title='\"&lt;>' href=\"https://h.example/a\">x</a>",
        "<a title=\"&quot;&lt;&gt;\" href=\"https://h.example/a\">x</a>"
      ),
      ("<p title=\"never closed>x</p>y", "<p title=\"&quot;never\">x</p>y"),
    ])
  func textIsFiltered(html: String, expected: String) {
    #expect(clean(html) == expected)
  }

  @Test("Formulas and drawings keep what is harmless") func formulasAndDrawings() {
    let math = "<math><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow></math>"
    #expect(clean(math) == math)
    #expect(
      clean("<svg viewBox=\"0 0 9 9\"><title>T</title><circle r=\"5px\" fill=\"url(#x)\"/></svg>")
        == "<svg viewbox=\"0 0 9 9\"><desc>T</desc><circle r=\"5px\"></circle></svg>")
    #expect(
      clean(
        "<svg><a xlink:href=\"javascript:x\"><g/></a><foreignObject><p>x</p></foreignObject></svg>")
        == "<svg><a><g></g></a></svg>")
  }

  @Test("Cleaning twice changes nothing") func cleaningIsIdempotent() {
    for seed in 0..<3000 {
      var random = SeededRandom(seed: UInt64(seed))
      let html = RandomHTML.make(&random, pieces: 60)
      let once = clean(html)
      let twice = clean(once)
      #expect(once == twice, "seed \(seed): \(html.debugDescription)")
      if once != twice { return }
    }
  }

  @Test("Any input becomes only allowed elements and attributes") func goesOnlyAllowedComes() {
    for seed in 5000..<6500 {
      var random = SeededRandom(seed: UInt64(seed))
      let html = clean(RandomHTML.make(&random, pieces: 60))
      #expect(!html.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" })
      check(HTMLContent.parse(html), "seed \(seed)")
    }
  }

  private func check(_ nodes: [HTMLNode], _ comment: Comment) {
    for case .element(let element) in nodes {
      #expect(
        !["script", "style", "iframe", "object", "embed", "form", "input", "template", "title"]
          .contains(element.name), comment)
      for (name, value) in element.attributes {
        #expect(!name.hasPrefix("on"), comment)
        if ["href", "src", "poster", "cite", "xlink:href"].contains(name) {
          let allowed = ["http://", "https://", "#"]
          #expect(allowed.contains { value.hasPrefix($0) }, comment)
        }
      }
      check(element.children, comment)
    }
  }
}
