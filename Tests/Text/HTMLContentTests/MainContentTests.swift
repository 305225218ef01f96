@testable import HTMLContent

@Suite("The article of a page") struct MainContentTests {
  private static func text(_ html: String) -> String {
    var out = ""
    func collect(_ nodes: [HTMLNode]) {
      for node in nodes {
        switch node {
        case .text(let text): out += text
        case .element(let element): collect(element.children)
        }
      }
    }
    collect(HTMLContent.parse(html))
    return out
  }

  @Test("The article of a page is found, and nothing else of it", arguments: PageFixture.articles)
  func articlePageFoundNothing(fixture: PageFixture) throws {
    let found = HTMLContent.mainContent(
      of: try PageFixture.page(fixture.file), url: "https://site.example/dir/page")
    let content = try #require(found, "no main content in \(fixture.file)")
    let text = Self.text(content.html).trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(content.title == fixture.title)
    #expect(text.prefix(fixture.first.count) == fixture.first)
    #expect(text.suffix(fixture.last.count) == fixture.last)
    #expect(fixture.holds.filter { !text.contains($0) } == [], "missing from the text")
    #expect(fixture.lacks.filter { text.contains($0) } == [], "left in the text")
    #expect(fixture.markup.filter { !content.html.contains($0) } == [], "not in \(content.html)")
  }

  @Test(
    "A page without an article has none", arguments: ["shell", "frontpage", "archive", "login"])
  func pageWithoutArticleNone(file: String) throws {
    let found = HTMLContent.mainContent(
      of: try PageFixture.page(file), url: "https://valley.example/")
    #expect(found == nil, "\(found?.html ?? "")")
  }

  private static let paragraph =
    "<p>The lock opened at six, as it had every morning, and the first barge was through by ten past. "
    + "Nobody on the towpath looked up, because nothing about it was new.</p>"

  /// Names for the layout, a state or any box, which ancestors of articles have on real pages.
  @Test(
    "The name of a box alone hides no article",
    arguments: [
      "widget Blog", "elementor-widget-container", "field field--label-hidden",
      "content-with-sidebar",
      "advertising", "modal-enabled", "td-content-and-menu", "non-ad-column", "flex--gutter",
      "paywall",
      "pagination-first", "has-newsletter", "is-hidden-mobile", "social-media-embed", "sidebar",
      "related",
    ])
  func nameBoxAloneHides(name: String) throws {
    let script = "<script>" + String(repeating: "var a = 1, b = 2; ", count: 300) + "</script>"
    let article = String(repeating: Self.paragraph, count: 6)
    let comment = "<li><p>I was there too, and the lock keeper waved at me, I think.</p></li>"
    let page =
      "<html><body>\(script)<div class='\(name)'>\(article)</div>"
      + "<div id='comments'><ol>\(String(repeating: comment, count: 20))</ol></div>"
      + "<style>\(script)</style></body></html>"
    let found = HTMLContent.mainContent(of: Array(page.utf8), url: "https://e.org/1")
    let text = Self.text(try #require(found).html)
    #expect(text.components(separatedBy: "The lock opened").count == 7)
    #expect(!text.contains("waved") && !text.contains("var a"))
  }

  @Test(
    "A name in a sentence stays, and its pop-up goes, even if the name's link is named like it",
    arguments: [
      "<span class='tooltip'><a href='/p/ines'>Ines Marsh</a><span class='tooltip-text'>"
        + "Ines Marsh has kept the lock since 1998. <a href='/p/ines'>More</a></span></span>",
      "<span class='rollover-people'><a class='rollover-people-link' href='/p/ines'>Ines Marsh</a>"
        + "<span class='rollover-people-block'><a href='/p/ines'>Articles</a></span></span>",
    ])
  func nameSentenceStaysPop(name: String) throws {
    let page =
      "<article>\(Self.paragraph)<p>It was \(name) who opened it, as on every other day, by hand.</p>"
      + "\(Self.paragraph)</article>"
    let found = HTMLContent.mainContent(of: Array(page.utf8), url: "https://e.org/1")
    let text = Self.text(try #require(found).html)
    #expect(text.contains("It was Ines Marsh who opened it"))
    #expect(!text.contains("since 1998"))
  }

  @Test(
    "Labels of widgets and players without a file are left out",
    arguments: [
      "<div>Caption</div><div>Close</div>", "<video controls></video>",
      "<div style='position:absolute; left:-9999px'><a href=/x>Free premium themes</a></div>",
      "<p>Filed under: <a href='https://e.org/tag/locks'>Locks</a> |</p>",
      "<div><div><span>Advert</span><br><img src=https://ads.example/view?zone=908></div></div>",
    ])
  func widgetLabelsAreLeftOut(box: String) throws {
    let page = "<article>\(Self.paragraph)\(box)\(Self.paragraph)</article>"
    let plain = "<article>\(Self.paragraph)\(Self.paragraph)</article>"
    let url = "https://e.org/1"
    #expect(
      HTMLContent.mainContent(of: Array(page.utf8), url: url)?.html
        == HTMLContent.mainContent(of: Array(plain.utf8), url: url)?.html)
  }

  @Test(
    "A picture that a script loads is shown once",
    arguments: [
      "<img src='data:,' alt=Gate data-src=/2.jpg><noscript><img src=/2.jpg alt=Gate></noscript>",
      "<noscript><img src=/2.jpg alt=Gate></noscript><img src='data:,' alt=Gate data-src=/2.jpg>",
      "<noscript><img src=/2.jpg alt=Gate></noscript>\n<img src='data:,' alt=Gate data-src=/2.jpg>",
    ])
  func pictureScriptLoadsShown(picture: String) throws {
    let page =
      "<article>\(Self.paragraph)<p><img src=/1.jpg alt=Lock></p>\(Self.paragraph)<p>\(picture)</p>"
      + "\(Self.paragraph)</article>"
    let found = HTMLContent.mainContent(of: Array(page.utf8), url: "https://e.org/1")
    let html = try #require(found).html
    #expect(html.components(separatedBy: "<img").count == 3, "\(html)")
    #expect(html.contains("src=\"https://e.org/2.jpg\""))
  }

  /// Pieces that could slow down a parser: twice as many take twice the work, and no more.
  @Test(
    "The work grows with the page and no faster",
    arguments: [
      "<div>", "<p>a, b", "<article><p>text, text, text, text, text, text, text", "<noscript><img>",
      "<img data-src=x><noscript><img src=y></noscript>", "<div class=\"a b c d e f\">x</div>",
      "<h2>Related</h2>", "<h2><a href=/x>Related</a></h2><p>Some, text.</p>",
      "<table><tr><td>a, b",
      "<div itemscope itemtype=Article><span itemprop=author>", "<iframe src=//omny.fm/x>",
      "<form><input>", "<section class=card><a href=/1>x</a></section>", "<a href=x><div>",
    ])
  func workGrowsPageFaster(piece: String) {
    func visits(_ count: Int) -> Int {
      let page = Array(String(repeating: piece, count: count).utf8)
      let counter = VisitCounter()
      VisitCounter.$current.withValue(counter) {
        _ = HTMLContent.mainContent(of: page, url: "https://e.org/")
      }
      return counter.visits
    }
    let (small, large) = (visits(400), visits(3_200))
    #expect(small > 0 && large < small * 10, "\(small) for 400, \(large) for 3,200")
  }

  @Test("An empty page has no article") func emptyPageArticle() {
    #expect(HTMLContent.mainContent(of: [], url: "https://e.org/") == nil)
    #expect(HTMLContent.mainContent(of: Array("x".utf8), url: "") == nil)
  }
}
