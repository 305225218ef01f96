@Suite("Places and links within an article") struct PlaceTests {
  private func layout(_ html: String, _ width: Int, address: String? = nil) -> LaidOutArticle {
    ArticleBody(html: HTMLContent.sanitise(html, baseURL: address), address: address)
      .layout(width: width)
  }

  @Test("A footnote and the way back are links to lines, without a number")
  func footnoteWayBackLinks() {
    let layout = layout(
      """
      <p>Some words<sup id="ref1"><a href="#fn1">1</a></sup> and <a href="https://a.example/">A</a>.</p>\
      <ol><li id="fn1">A note. <a href="#ref1">↩</a></li></ol>
      """, 12)
    #expect(
      layout.lines.map { $0.runs.map(\.text).joined() } == [
        "Some words ¹", "and A[1].", "", "1. A note. ↩",
      ])
    #expect(layout.links == ["https://a.example/"])
    #expect(layout.places == [3, 0])
    #expect(layout.lines[0].runs.last == StyledRun("¹", style: .note, link: .place(0)))
    #expect(layout.lines[3].runs.last == StyledRun("↩", style: .link, link: .place(1)))
  }

  @Test("A place is the line that it is on, at every width") func placeLineEveryWidth() {
    let html = ##"<p>one two three <a name="x"></a>four</p><p><a href="#x">up</a></p>"##
    #expect(layout(html, 80).places == [0])
    #expect(layout(html, 9).places == [2])
    let noted = ##"<p>one two<sup><a id="x" href="#x">1</a></sup> three</p>"##
    #expect(layout(noted, 9).places == [0])
    #expect(layout(noted, 8).places == [1])
    #expect(layout(noted, 4).places == [1])
  }

  @Test("Every kind of block can be led to") func everyKindBlockCan() {
    let layout = layout(
      """
      <p>text</p><h2 id=a>H</h2><pre id=b>x\ny</pre>\
      <table id=c><tr><td>1<td>2<tr id=d><td>3<td id=e>4</table>\
      <dl><dt id=f>T<dd id=g>D</dl><ul><li id=h></ul><a id=i></a><blockquote id=j>q</blockquote>\
      <p><a href=#a>a</a><a href=#b>b</a><a href=#c>c</a><a href=#d>d</a><a href=#e>e</a>\
      <a href=#f>f</a><a href=#g>g</a><a href=#h>h</a><a href=#i>i</a><a href=#j>j</a>\
      <a href=#k>k</a></p><a id=k></a>
      """, 40)
    let lines = layout.lines.map { $0.runs.map(\.text).joined() }
    #expect(
      layout.places.map { lines[$0] } == [
        "H", "│ x", "1  2", "3  4", "3  4", "T  D", "T  D", "• ", "┃ q", "┃ q", "abcdefghijk",
      ])
  }

  @Test("Addresses of the article itself lead to its places, where it has them")
  func fragmentsLeadToPositions() {
    let layout = layout(
      """
      <p id="x">t</p><a href="/post#x">in</a> <a href="https://e.org/post#y">not there</a> \
      <a href="/other#x">elsewhere</a> <a href="/post">whole</a> <a href="#y">nothing</a>
      """, 80, address: "https://e.org/post#top")
    #expect(layout.places == [0])
    #expect(
      layout.links == ["https://e.org/post#y", "https://e.org/other#x", "https://e.org/post"])
    #expect(layout.lines.last?.runs.last == StyledRun("nothing", style: .link))
  }

  @Test("Names may be written with per cent signs") func namesMayWrittenPer() {
    #expect(layout(##"<p>a</p><p id="注 1">b</p><a href="#%E6%B3%A8%201">x</a>"##, 80).places == [2])
    #expect(layout(##"<p id="a%20b">b</p><a href="#a%20b">x</a>"##, 80).places == [0])
  }

  @Test("A link without text leads nowhere") func linkWithoutTextLeads() {
    #expect(layout(##"<h2 id="x"><a href="#x"></a>Title</h2>"##, 80).places.isEmpty)
    #expect(layout(##"<a href="#">top</a>"##, 80).places.isEmpty)
  }

  @Test(
    "A line says how it goes on from the one before",
    arguments: [
      ("<p>aa bb</p>", 2, TextLine.Joint.space), ("<p>aa<br>bb</p>", 9, .space),
      ("<p>ex&shy;tra</p>", 4, .hyphen), ("<p>aaaa</p>", 3, .nothing), ("<p>日本語</p>", 4, .nothing),
      ("<p>long<wbr>word</p>", 5, .nothing), ("<pre>0123456789abcdef</pre>", 12, .nothing),
      ("<pre>a\nb</pre>", 12, .begins), ("<p>a</p>b", 9, .begins),
    ])
  func lineSaysHowGoes(html: String, width: Int, joint: TextLine.Joint) {
    let lines = layout(html, width).lines
    #expect(lines.first?.joint == .begins)
    #expect(lines.last?.joint == joint)
  }

  @Test("Margins are distinguished from the text") func marginsToldText() {
    #expect(layout("<blockquote>b c d</blockquote>", 5).lines.map(\.marginRuns) == [1, 1])
    #expect(layout("<pre>0123456789abcdef</pre>", 12).lines.map(\.marginRuns) == [1, 2])
    #expect(layout("<p>a b</p>", 1).lines.map(\.marginRuns) == [0, 0])
  }
}
