/// Pages of frameworks, whose class names have no meaning.
@Suite("Repeated parts of pages") struct RepeatedPartsTests {
  private static let paragraph =
    "<p>The lock opened at six, as it had every morning, and the first barge was through by ten past. "
    + "Nobody on the towpath looked up, because nothing about it was new.</p>"
  private static let article = String(repeating: paragraph, count: 3)

  private static func repeated(_ count: Int, _ part: (Int) -> String) -> String {
    (1...count).map(part).joined()
  }

  private func html(_ body: String) throws -> String {
    let page = "<html><body><h1>Lock</h1>\(body)</body></html>"
    return try #require(HTMLContent.mainContent(of: Array(page.utf8), url: "https://e.org/news/1"))
      .html
  }

  private func isArticleAlone(_ html: String) -> Bool {
    html.components(separatedBy: "The lock opened").count == 4 && !html.contains("heron")
  }

  private static let teaser =
    "The heron of the upper basin has been seen again, on the same post, at the same hour of the day."

  @Test(
    "Teasers after the article are left out, whatever they are called",
    arguments: [
      {
        "<div class=xq><a href=/news/\($0)9><h3>Title \($0) of a story</h3></a><p>\(teaser)</p></div>"
      },
      {
        "<article><a href=/news/\($0)9><img src=/\($0).jpg></a><h2><a href=/news/\($0)9>Title \($0)</a></h2><p>\(teaser)</p></article>"
      },
      {
        "<li class=kv><span>Sport</span><div><a href=/news/\($0)9>A long title, number \($0)</a></div><p>\(teaser)</p></li>"
      },
      {
        "<div class='z z\($0)'><time>Today</time><h4><a href=/news/\($0)9>Title \($0) of a story</a></h4><div>\(teaser)</div></div>"
      },
    ] as [@Sendable (Int) -> String])
  func teasersAfterArticleLeft(card: @Sendable (Int) -> String) throws {
    let cards = Self.repeated(8, card)
    for body in [
      "<div class=ab>\(Self.article)</div><div class=cd><h2>Qirem vosta</h2>\(cards)</div>",
      "<div class=ab>\(Self.article)<div class=cd><h2>Qirem vosta</h2>\(cards)</div></div>",
      "<article>\(Self.article)</article>\(cards)",
    ] {
      let found = try html(body)
      #expect(isArticleAlone(found), "\(found)")
    }
  }

  @Test(
    "Comments longer than the article are left out, whatever they are called",
    arguments: [
      {
        "<div class=xq><a href=/u/\($0)>Jo</a> <time>\($0) days ago</time><p>\(teaser) \(teaser)</p></div>"
      },
      {
        "<li><div><b>Jo</b> <time>\($0) days ago</time></div><div><p>\(teaser)</p><p>\(teaser)</p></div></li>"
      },
      {
        "<section><img src=/a.png><span><a href=/u/\($0)>Jo</a></span><div>\(teaser)</div><a href='#r'>Odpověz</a></section>"
      },
      { "<div class='comment x\($0)'><p>\(teaser)</p><p>\(teaser)</p></div>" },
      {
        "<div class=xq><div><b>Jo \($0)</b></div><p>\(teaser)</p><div><button>Odpověz</button></div></div>"
      },
      { "<div class=xq><i>Jo \($0)</i><div>\(teaser)</div><a href='#re\($0)'>Odpověz</a></div>" },
    ] as [@Sendable (Int) -> String])
  func longCommentsAreLeftOut(comment: @Sendable (Int) -> String) throws {
    let comments = Self.repeated(30, comment)
    for body in [
      "<div class=ab>\(Self.article)</div><div class=cd><h3>Zalum</h3>\(comments)</div>",
      "<div class=ab>\(Self.article)<div class=cd>\(comments)</div></div>",
      "<article>\(Self.article)</article><div class=comments-area>\(comments)</div>",
      "<main><article>\(Self.article)<div id=comments>\(comments)</div></article></main>",
    ] {
      let found = try html(body)
      #expect(isArticleAlone(found), "\(found)")
    }
  }

  @Test(
    "Names alone reveal comments under a heading that announces them",
    arguments: [
      "<h2>Comments (7)</h2>", "<div class=qp><h4>7 Kommentare</h4></div>", "<h3>Комментарии</h3>",
      "<h3>コメント</h3>",
    ])
  func namesAloneRevealComments(heading: String) throws {
    let comments = Self.repeated(7) { "<div class=xq><b>Jo \($0)</b><p>\(Self.teaser)</p></div>" }
    #expect(isArticleAlone(try html("<div>\(Self.article)</div><div>\(heading)\(comments)</div>")))
    let found = try html("<div>\(Self.article)</div><div><h2>Crew</h2>\(comments)</div>")
    #expect(found.contains("heron") && found.contains("Jo 7"))
  }

  @Test("Teasers after a table of results are left out") func teasersAfterTableResults() throws {
    let rows = Self.repeated(40) { "<tr><td>\($0)</td><td>Jo Marsh</td><td>\($0 * 3)</td></tr>" }
    let cards = Self.repeated(8) {
      "<div class=xq><h3><a href=/news/\($0)9>Title \($0) of a story</a></h3><p>\(Self.teaser)</p></div>"
    }
    let found = try html(
      "<meta property=og:type content=article><div>\(Self.paragraph)<table>\(rows)</table></div>"
        + "<div><h2>Qirem</h2>\(cards)</div>")
    #expect(found.contains("<td>120</td>") && !found.contains("heron"), "\(found)")
  }

  /// The content of the page, which partly has the structure of comments or teasers.
  @Test(
    "Posts, answers, sections and terms stay",
    arguments: [
      // A forum: nothing precedes the posts.
      repeated(6) {
        "<div class=xq><b>Jo</b> <time>\($0) days ago</time><p>Post \($0) of the heron. \(teaser)</p></div>"
      },
      // A forum with links to its members.
      repeated(6) {
        "<div class=xq><a href=/u/jo>Jo</a> <time>\($0) days ago</time><p>Post \($0) of the heron. \(teaser)</p></div>"
      },
      repeated(6) {
        "<tr><td><a href='/member.php?u=\($0)'><img src=/a.png>Jo</a></td><td>Post \($0) of the heron. \(teaser)</td></tr>"
      },
      // A live blog.
      article
        + repeated(6) {
          "<div class=xq><time>1\($0):05</time><h3>Post \($0) of the heron</h3><p>\(teaser)</p></div>"
        },
      // An interview.
      article
        + repeated(6) {
          "<div class=xq><b>Jo Marsh:</b><p>Post \($0) of the heron. \(teaser)</p></div>"
        },
      // A list of people with headings between the parts.
      article
        + repeated(6) {
          "<div class=h><h2>Jo \($0)</h2></div><div class=xq><p><a href=/u/\($0)>@jo</a></p><p>Post \($0) of the heron. \(teaser)</p></div>"
        },
      // A glossary.
      article + "<ul>"
        + repeated(6) { "<li><a href=/term/\($0)>Term</a> Post \($0) of the heron. \(teaser)</li>" }
        + "</ul>",
    ])
  func postsAndAnswersStay(body: String) throws {
    let found = try html("<div class=ab>\(body)</div>")
    for number in 1...6 { #expect(found.contains("Post \(number) of the heron"), "\(found)") }
  }

  @Test("Text between line breaks counts beside the box below it")
  func textBetweenLineBreaks() throws {
    let lines = String(
      repeating: "The lock opened at six, as it had every morning.<br><br>", count: 9)
    let found = try html(
      "<div class=ab>\(lines)<div class=cd><p>\(Self.teaser)</p><p>\(Self.teaser)</p></div></div>")
    #expect(found.contains("The lock opened at six"))
  }
}
