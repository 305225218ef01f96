@Suite("Headlines of pages without a feed") struct HeadlinesTests {
  static let town = """
    <!doctype html><html><head><title>Town paper</title></head><body>
    <header><a href="/">The paper of our little town</a></header>
    <nav><ul><li><a href="/politics">Everything about politics</a><li><a href="/sport">Everything about
    sport here</a><li><a href="/weather">Everything about weather</a></ul></nav>
    <main><div class="lead">
    <article class="odd"><h2><a href="/1">The bridge is <b>open</b> again</a></h2><p>… <a href="/1">more</a></article>
    <article class="even"><h2><a href="/2">A market in the old station</a></h2><p>… <a href="/2">more</a></article>
    <article class="odd"><h2><a href="/3#c">Council votes on the new school</a></h2><p>… <a href="/3">more</a></article>
    </div>
    <div class="brief"><div><h2><a href="/b1">Lost cat found at the harbour</a></h2></div>
    <div><h2><a href="/b2">Library opens on Sundays now</a></h2></div>
    <div><h2><a href="/b3">Swimming pool closed until June</a></h2></div>
    <div><h2><a href="/b4">Road works in Mill Street</a></h2></div></div></main>
    <footer><a href="/imprint">Imprint and legal information</a></footer></body></html>
    """

  private func find(_ html: String) -> (title: String?, groups: [HeadlineGroup]) {
    HTMLContent.headlineGroups(in: Array(html.utf8), url: "https://town.example/news")
  }

  private func titles(_ place: String, _ html: String) -> [String] {
    HTMLContent.headlines(at: place, in: Array(html.utf8), url: "https://town.example/news")
      .headlines.map(\.title)
  }

  @Test("Links with the same structure are a group without repeated addresses and navigation")
  func groups() throws {
    let found = find(Self.town)
    #expect(found.title == "Town paper")
    #expect(
      found.groups.map { $0.headlines.map(\.url) } == [
        ["b1", "b2", "b3", "b4"].map { "https://town.example/\($0)" },
        ["1", "2", "3"].map { "https://town.example/\($0)" },
      ])
    #expect(found.groups[1].headlines.first?.title == "The bridge is open again")
    #expect(found.groups[1].selector == "html./body./main./div.lead/article/h2/a")
  }

  @Test(
    "A head without an end tag ends at the beginning of the body",
    arguments: ["</head><body>": "<body>", "<body>\n<header>": "<header>"])
  func unendedHead(written: String, instead: String) {
    let page = Self.town.replacing(written, with: instead).replacing("</head>", with: "")
    #expect(find(page).groups.map(\.headlines.count) == [4, 3])
  }

  @Test("A group is found again by its place when its links have changed")
  func foundAgain() throws {
    let place = find(Self.town).groups[1].selector
    let other = Self.town.replacing("The bridge is <b>open</b> again", with: "Fire in the mill")
      .replacing("/1", with: "/9").replacing("class=\"odd\"", with: "class=\"new\"")
    #expect(
      titles(place, other) == [
        "Fire in the mill", "A market in the old station", "Council votes on the new school",
      ])
    #expect(titles(place, Self.town.replacing("\"lead\"", with: "\"top\"")).isEmpty)
    #expect(titles(place, Self.town.replacing("<h2>", with: "<h3>")).isEmpty)
  }

  @Test("Class names with digits are not part of a place") func generatedNames() throws {
    let page = Self.town.replacing("class=\"lead\"", with: "class=\"css-1x9 lead\" id=\"x\"")
    #expect(find(page).groups[1].selector == "html./body./main./div.lead/article/h2/a")
    let made = Self.town.replacing("class=\"lead\"", with: "class=\"css-1x9\" id=\"top\"")
    #expect(find(made).groups[1].selector == "html./body./main./div~top/article/h2/a")
  }

  @Test("The heading of a card is its headline") func cards() {
    let cards = (1...4).map {
      "<li><a href=/\($0)><img src=x><h3>Story number \($0) of the day</h3><p>Teaser text</p></a>"
    }
    let found = find("<ul>" + cards.joined() + "</ul>")
    #expect(found.groups.map { $0.headlines.count } == [4])
    #expect(found.groups.first?.headlines.first?.title == "Story number 1 of the day")
  }

  @Test("The title of an empty link over a card is the card's heading, or the link's label")
  func overlays() {
    let cards = (1...4).map {
      "<article><h2>Story \($0) of the day</h2><p>Teaser</p><a aria-label='Read on' href=/\($0)></a>"
        + "</article>"
    }
    let titles = find(cards.joined()).groups.first?.headlines.map(\.title)
    #expect(titles == (1...4).map { "Story \($0) of the day" })
    let labels = (1...4).map {
      "<div><a aria-label='The story number \($0)' href=/\($0)></a></div>"
    }
    #expect(find(labels.joined()).groups.first?.headlines.first?.title == "The story number 1")
  }

  @Test(
    "Short headings and short titles in East Asian scripts are headlines",
    arguments: [
      ["Go 1.23", "Go 1.24", "Go 1.25"], ["新学校开学", "市场重新开放", "大桥通车了"],
      [
        "\u{AC15}\u{C218} \u{C608}\u{BCF4}", "\u{C2DC}\u{C7A5} \u{AC1C}\u{C7A5}",
        "\u{B2E4}\u{B9AC} \u{AC1C}\u{D1B5}",
      ],
    ])
  func shortTitles(titles: [String]) {
    let html = titles.enumerated().map { "<h3><a href=/\($0.offset)>\($0.element)</a></h3>" }
    #expect(find(html.joined()).groups.first?.headlines.map(\.title) == titles)
  }

  @Test(
    "A list of short titles in Chinese without headings is a group",
    arguments: [["新学校开学", "市场重新开放", "大桥通车了"], ["学校开学", "市场开放", "大桥通车"]])
  func chineseList(titles: [String]) {
    let html = titles.enumerated().map { "<li><a href=/\($0.offset)>\($0.element)</a></li>" }
    #expect(find("<ul>\(html.joined())</ul>").groups.first?.headlines.count == 3)
  }

  @Test("Titles in a table are a group without the links of the details below them")
  func table() throws {
    let rows = (1...30).map {
      """
      <tr class=athing id=\($0)><td class=title><span class=rank>\($0).</span></td><td class=votelinks>
      <a id=up_\($0) href='vote?id=\($0)'><div class=votearrow title=upvote></div></a></td>
      <td class=title><span class=titleline><a href=https://s\($0).example/>The title of story \($0)</a>
      <span class=sitebit> (<a href='from?site=s\($0)'><span>s\($0).example</span></a>)</span></span></td></tr>
      <tr><td colspan=2></td><td class=subtext><span class=subline><span>\($0) points</span> by
      <a href='user?id=u\($0)' class=hnuser>u\($0)</a> <span class=age><a href='item?id=\($0)'>\($0) hours ago</a></span>
      | <a href='hide?id=\($0)'>hide</a> | <a href='item?id=\($0)'>\($0 * 7 % 5) comments</a></span></td></tr>
      <tr class=spacer style=height:5px></tr>
      """
    }
    let page = "<center><table id=hnmain><tr><td><table>\(rows.joined())</table></td></tr></table>"
    let group = try #require(find(page).groups.first)
    #expect(group.headlines.map(\.title) == (1...30).map { "The title of story \($0)" })
    #expect(titles(group.selector, page).count == 30)
  }

  @Test("Links in the texts of posts come after the headings of the posts") func linksInPosts() {
    let posts = (1...3).map { post in
      let links = (1...9).map {
        "<p>See <a href=/x\(post)\($0)>a long explanation of number \($0) in post \(post)</a></p>"
      }
      let list = (1...9).map {
        "<ul><li><a href=/y\(post)\($0)>another long explanation, \($0) of \(post)</a></li></ul>"
      }
      return "<article><h2><a href=/\(post)>Post \(post)</a></h2>\(links.joined())\(list.joined())"
        + "</article>"
    }
    #expect(
      find(posts.joined()).groups.first?.headlines.map(\.title) == ["Post 1", "Post 2", "Post 3"])
  }

  @Test(
    "Repeated links that are not headlines are not a group",
    arguments: [
      "<ul><li><a href=/1>One</a><li><a href=/2>Two</a><li><a href=/3>Three</a></ul>",
      "<p><a href=/1>Read more about this</a><p><a href=/2>Read more about this</a><p><a href=/3>"
        + "Read more about this</a>",
      "<p><a href=/1>A long enough headline</a><p><a href=/2>Another headline as long</a>",
      "<p><a href=javascript:a>A long enough headline</a><p><a href=mailto:b>Another as long as "
        + "it</a><p><a href=#c>And a third that is long</a>", "", "<a", "plain text",
    ])
  func none(html: String) { #expect(find(html).groups.isEmpty) }

  @Test("Endlessly nested anchors take time in proportion to the page") func hostile() {
    let nested = String(repeating: "<div><a href=/x>", count: 20_000)
    #expect(find(nested).groups.isEmpty)
    let many = (0..<20_000).map { "<p><a href=/\($0)>Headline of the number \($0)</a>" }.joined()
    #expect(find(many).groups.first?.headlines.count == 5_000)
  }
}
