/// Names of boxes that speak of the layout or of the text, and boxes that are longer than the text.
@Suite("Boxes of pages") struct PageBoxTests {
  private static let first =
    "<p>The lock opened at six, as on every day, and the barge came in slowly. The keeper, who had "
    + "waited for an hour, counted the crates, wrote a number, and waved.</p>"
  private static let second =
    "<p>By noon the water stood a hand below the mark, which nobody remembered. The miller came to "
    + "look, shook his head, and went home again without a word to anyone.</p>"

  private func text(_ body: String) -> String? {
    let page = "<html><head><title>Locks</title></head><body>\(body)</body></html>"
    return HTMLContent.mainContent(of: Array(page.utf8), url: "https://e.org/1").map {
      HTMLContent.plainText($0.html)
    }
  }

  @Test(
    "A part of the text stays, though its name may mean a box beside it",
    arguments: [
      "id=TOC_TITLE_3", "id=toc-1", "id=related-1", "id=sidebar-left-1", "id=share2",
      "class='elementor-widget elementor-widget-text-editor'", "class=elementor-widget",
      "class='hs_cos_wrapper hs_cos_wrapper_widget'", "class='widget-span widget-type-rich_text'",
      "class='et_pb_module et_pb_text et_pb_text_0'", "class='wpb_text_column wpb_content_element'",
      "class='fl-module fl-module-rich-text'", "class='entry themeform share'",
      "class='toc-content'", "class='content-sidebar-wrap'", "class='post-content related'",
      "class='sqs-block html-block sqs-block-html'", "class='wp-block-group nav-aligned'",
    ])
  func partOfTheText(attribute: String) throws {
    let part = "<div \(attribute)>\(Self.second)</div>"
    let long = String(repeating: Self.first, count: 6)
    for page in [
      "<article><h1>Locks</h1>\(long)\(part)\(Self.first)</article>",
      "<div class=post><h1>Locks</h1>\(Self.first)\(Self.first)\(part)</div>",
      "<div class=post><h1>Locks</h1><div \(attribute)>\(Self.second)\(Self.first)</div></div>",
    ] {
      let found = try #require(text(page))
      #expect(found.contains("By noon") && found.contains("The lock opened"))
    }
  }

  @Test("Parts whose first name is the same are one text, and closing small print is none")
  func numberedParts() throws {
    let long = "<div class='row row-0'>\(Self.first)\(Self.first)</div>"
    let print =
      "<div class='row row-2'><hr><p style='font-size: 12.0px'>Locks Ltd. is a company.</p></div>"
    let found = try #require(
      text(
        "<div id=a><h1>Locks</h1>\(long)<div class='row row-1'>\(Self.second)</div>\(print)</div>"))
    #expect(found.contains("By noon") && found.contains("The lock opened"))
    #expect(!found.contains("Locks Ltd."))
  }

  @Test(
    "A box beside the text goes, though its name is long or numbered",
    arguments: [
      "id=related-1", "id=sidebar-left-1", "class=related-posts", "class='share-buttons-wrap'",
      "class='elementor-widget elementor-widget-share-buttons'", "class='entry related'",
      "class=sidebar-menu", "class='widget'",
    ])
  func boxBeside(attribute: String) throws {
    let links = (1...4).map { "<li><a href=/\($0)>Another story of the river \($0)</a></li>" }
      .joined()
    let box = "<div \(attribute)><ul>\(links)</ul></div>"
    let long = String(repeating: Self.first, count: 4)
    let found = try #require(text("<article><h1>Locks</h1>\(long)\(box)\(Self.second)</article>"))
    #expect(found.contains("By noon") && !found.contains("Another story"))
  }

  @Test(
    "A list of other articles inside the article's box goes, though it is longer than the article",
    arguments: [
      ("<ul class=related-posts>", "<li>", "</li>", "</ul>"),
      ("<div class=related><div>", "<div class=item>", "</div>", "</div></div>"),
      ("<aside>", "<section>", "</section>", "</aside>"),
    ])
  func longList(open: String, before: String, after: String, close: String) throws {
    let items = (1...10).map {
      "\(before)<a href=/other-\($0)/>Another title \($0)</a><br><small>\(Self.second)</small>\(after)"
    }.joined()
    let found = try #require(
      text(
        "<div class=post><h1>Locks</h1><div class=entry>\(Self.first)\(Self.first)\(Self.first)"
          + "\(open)\(items)\(close)</div></div>"))
    #expect(found.contains("The lock opened") && !found.contains("Another title"))
  }

  @Test("An article for browsers without scripts is found if there is no other")
  func withoutScripts() throws {
    let long = String(repeating: Self.first, count: 4)
    let found = try #require(
      text("<div class=post><div class=post-content><noscript>\(long)</noscript></div></div>"))
    #expect(found.contains("The lock opened"))
    let both = try #require(
      text("<article>\(long)</article><noscript>\(Self.second)\(Self.second)</noscript>"))
    #expect(!both.contains("By noon"))
    #expect(text("<noscript><p>Please enable JavaScript to view this page.</p></noscript>") == nil)
  }

  @Test(
    "A notice about cookies is no article",
    arguments: [
      "class=cookie-notice", "id=cookies", "class='gdpr-consent'", "class=consent-box", "class=x",
    ])
  func cookieNotice(attribute: String) {
    let notice =
      "<p>We use cookies to give you the best experience, to measure visits, and to show you what "
      + "you may like. By using this site, you accept them. Read more in our policy, please.</p>"
    let box = "<div \(attribute)>\(notice)\(notice)</div>"
    #expect(text("<div>\(box)<p>Loading</p></div>") == nil)
    let article = "<article><h1>Locks</h1>\(Self.first)</article>"
    #expect(text(box + article)?.contains("cookies") == false)
  }
}
