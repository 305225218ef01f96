import SoakSupport

@testable import HTMLContent

@Suite("Hostile pages") struct HostilePageTests {
  private static let article = String(
    repeating: """
      <p>The lock opened at six, as it had every morning, and the first barge was through by ten past. \
      Nobody on the towpath looked up, because nothing about it was new.</p>
      """, count: 12)

  private static func content(_ page: String) -> MainContent? {
    HTMLContent.mainContent(of: Array(page.utf8), url: "https://e.org/a")
  }

  private static let base =
    "<base href=\"http://a.example/\(String(repeating: "A", count: 100_000))/\">"
  private static let fittingBase =
    "<base href=\"http://a.example/\(String(repeating: "A", count: 4_000))/\">"

  /// Elements with an address, which a base makes longer.
  private static let addresses = [
    "<img src=x.png>", "<a href=x>y</a>", "<video poster=x></video>", "<q cite=x>y</q>",
    "<object data=x></object>", "<iframe src=x></iframe>", "<img srcset='x 100w, y 900w'>",
    "<img data-src=x>", "<picture><source srcset=x><img></picture>", "<embed src=x>",
    "<audio><source src=x></audio>", "<ins cite=x>y</ins>", "<svg><a xlink:href=x>y</a></svg>",
    "<a rel=next href=a-2>y</a>", "<link rel=canonical href=x>",
  ]

  @Test("A base that is too long is ignored, and the article stays", arguments: addresses)
  func longBase(element: String) throws {
    let flood = String(repeating: element, count: 1_000)
    let found = try #require(Self.content(Self.base + Self.article + flood + Self.article))
    #expect(!found.html.utf8.isEmpty && found.html.utf8.count < 2_000_000)
    #expect(!found.html.contains("a.example"))
    #expect(found.html.components(separatedBy: "The lock").count == 25)
  }

  @Test("A base is repeated in proportion to the page, and every text stays", arguments: addresses)
  func repeatedBase(element: String) throws {
    let page = Self.fittingBase + Self.article + String(repeating: element, count: 1_000)
    let found = try #require(Self.content(page + Self.article))
    #expect(found.html.utf8.count < page.utf8.count * 4 + 70_000)
    #expect(found.html.components(separatedBy: "The lock").count == 25)
  }

  @Test("The other readers of a page ignore a base that is too long") func otherReaders() {
    let links = (0..<2_000).map {
      "<div><h2><a href=/\($0)>A headline of some length \($0)</a></h2></div>"
    }
    let page = Array(
      (Self.base + links.joined() + "<link rel=alternate type=application/rss+xml href=f>").utf8)
    let headlines = HTMLContent.headlineGroups(in: page, url: "https://e.org/a").groups
    let feeds = HTMLContent.announcedFeeds(in: page, url: "https://e.org/a")
    #expect(feeds.map(\.url) == ["https://e.org/f"])
    #expect(headlines.first?.headlines.first?.url == "https://e.org/0")
  }

  @Test(
    "Clean text has at most four times the length of its source, and at most about 16 MiB",
    arguments: [
      "<a title='\"\"\"\"\"\"\"\"'>", "<i><p></i>", "<b><div></b>", "<p>", "<li>", "<td>", "<",
      "<a href=x>y",
      "<q cite=x>", "<table>",
    ])
  func lengthIsLimited(piece: String) {
    for count in [1, 10_000, Soak.length(short: 40_000, long: 400_000)] {
      let html = String(repeating: piece, count: count)
      let clean = HTMLContent.sanitise(
        html, baseURL: "https://e.org/" + String(repeating: "b", count: 4_000) + "/")
      #expect(clean.utf8.count <= html.utf8.count * 4 + 66_000 && clean.utf8.count < 17 << 20)
      if count < 20_000 { #expect(HTMLContent.sanitise(clean) == clean) }
    }
  }

  /// A quadratic removal at the edges, or a slow search in each element, multiplies the time.
  @Test(
    "The time grows with the elements around an article and no faster",
    arguments: [
      "<br>", "<hr>", "<b></b>", "<li>x", "<p></p>", "<p>x</p>", "<div></div>", "<span></span>",
      "<a href=/x>y</a>", "<h2>x</h2>", "<ul><li><a href=/x>y</a></ul>",
      "<blockquote></blockquote>",
      "<table><tr><td>x</table>", "<dl><dt>x</dl>", "<iframe></iframe>", "<figure></figure>",
      "<section></section>", "<img>", "<p>By x</p>", "<p>2 May 2026</p>", "<p>Follow us</p>",
      "<option>x", "<p>Share this</p>", "<p>advertisement</p>", "&nbsp;<i></i>", " <!-- -->",
      "<noscript><img src=x></noscript>", "<p class=share>x</p>",
    ])
  func edges(piece: String) {
    let growth = ThreadTime.growth(times: Soak.length(short: 8, long: 128)) {
      let flood = String(repeating: piece, count: $0 / 2)
      return "<article>" + flood + Self.article + flood + "</article>"
    } _: {
      _ = Self.content($0)
    }
    #expect(growth < ThreadTime.linear)
  }
}
