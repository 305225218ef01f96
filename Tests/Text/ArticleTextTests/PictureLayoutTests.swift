import FeedModel

@testable import ArticleText

@Suite("Rows of pictures in the text") struct PictureLayoutTests {
  private static let address = "https://example.org/a.jpg"

  private func setting(
    _ sizes: [String: PictureSize] = [:], mostRows: Int = 24, hidden: Set<String> = [],
    refused: Set<String> = []
  ) -> PictureSetting {
    PictureSetting(
      cell: PictureSize(width: 10, height: 20), maximumRows: mostRows, sizes: sizes, hidden: hidden,
      refused: refused)
  }

  private func lines(_ html: String, _ pictures: PictureSetting?, width: Int = 40) -> [TextLine] {
    ArticleBody(html: html).layout(width: width, pictures: pictures).lines
  }

  private func text(_ lines: [TextLine]) -> [String] {
    lines.map { line in
      line.runs.map(\.text).joined() + (line.picture?.row.map { "<\($0)>" } ?? "")
    }
  }

  @Test(
    "A picture is as wide as the text, but not enlarged, and has a limited number of rows",
    arguments: [
      (900, 600, 40, 24, 40, 13), (200, 100, 40, 24, 20, 5), (900, 600, 80, 24, 72, 24),
      (100, 4_000, 40, 24, 1, 24), (4_000, 10, 40, 24, 40, 1), (1, 1, 40, 24, 1, 1),
      (900, 600, 1, 24, 1, 1), (0, 10, 40, 24, 0, 0), (600, 600, 40, 5, 10, 5),
    ])
  func cells(
    width: Int, height: Int, columns: Int, most: Int, wantedColumns: Int, wantedRows: Int
  ) {
    let found = setting(mostRows: most)
      .cells(of: PictureSize(width: width, height: height), columns: columns)
    #expect((found.columns, found.rows) == (wantedColumns, wantedRows))
  }

  @Test("Rows are reserved from width and height, with the description below")
  func reserved() {
    let html =
      "<p>One</p><img src=\"\(Self.address)\" alt=\"Hills\" width=\"200\" height=\"60\"><p>Two</p>"
    #expect(
      text(lines(html, setting()))
        == ["One", "", "<0>", "<1>", "<2>", "Hills[1]", "", "Two"])
    let row = lines(html, setting())[3].picture
    #expect(row == PictureRow(address: Self.address, row: 1, columns: 20, rows: 3, number: 1))
    // Without pictures the text is unchanged.
    #expect(text(lines(html, nil)) == ["One", "", "Hills[1]", "", "Two"])
  }

  @Test("The known size of a picture overrides the size that the page states")
  func knownSize() {
    let html = "<img src=\"\(Self.address)\" width=\"200\" height=\"60\">"
    let known = [Self.address: PictureSize(width: 100, height: 40)]
    #expect(text(lines(html, setting(known))) == ["<0>", "<1>", "picture[1]"])
  }

  @Test("A picture without a size has no rows, and its description refers to it")
  func unknownSize() {
    for size in ["", "width=\"100%\" height=\"60\"", "width=\"200\""] {
      let found = lines("<p>One</p><img src=\"\(Self.address)\" alt=\"Hills\" \(size)>", setting())
      #expect(text(found).last == "Hills[1]")
      #expect(found.last?.picture == PictureRow(address: Self.address, row: nil, number: 1))
    }
  }

  @Test("A hidden or refused picture has only the line of its description")
  func withoutRows() {
    let html = "<img src=\"\(Self.address)\" alt=\"Hills\" width=\"200\" height=\"60\">"
    let hidden = lines(html, setting(hidden: [Self.address]))
    #expect(text(hidden) == ["Hills[1]"] && hidden[0].picture == nil)
    let refused = lines(html, setting(refused: [Self.address]))
    #expect(text(refused) == ["Hills[1]"] && refused[0].picture?.row == nil)
  }

  @Test(
    "Formulas, smileys and icons stay in their line as plain text and are not requested",
    arguments: [
      "style=\"height: 2.843ex; width:9ex\"", "style=\"height:1em\"", "class=\"wp-smiley\"",
      "class=\"mwe-math-fallback-image-inline\"", "height=\"20\"", "class=\"tex\"",
    ])
  func small(attributes: String) {
    let html = "<p>Where <img src=\"\(Self.address)\" alt=\"E = mc2\" \(attributes)> holds.</p>"
    #expect(text(lines(html, setting())) == ["Where E = mc2 holds."])
    #expect(PictureReference.all(in: html).isEmpty)
  }

  @Test("A file name is not used as a caption, and buttons of feed services are not shown")
  func captions() {
    for name in ["IMG_1234.JPG", "a-b.png", "IMG_1220", "DSC01234"] {
      let html = "<img src=\"\(Self.address)\" alt=\"\(name)\">"
      #expect(text(lines(html, nil)) == ["picture[1]"])
    }
    let buttons = """
      <p>Text <a href="http://feeds.feedburner.com/~ff/x?a=1"><img
      src="http://feeds.feedburner.com/~ff/x?d=2" border="0"></a></p>
      """
    #expect(text(lines(buttons, nil)) == ["Text"])
    #expect(PictureReference.all(in: buttons).isEmpty)
  }

  @Test("In a quotation or list item the rows are after the margin")
  func margins() {
    let image = "<img src=\"\(Self.address)\" alt=\"x\" width=\"200\" height=\"60\">"
    let quoted = lines("<blockquote>\(image)</blockquote>", setting(), width: 22)
    #expect(text(quoted) == ["┃ <0>", "┃ <1>", "┃ <2>", "┃ x[1]"])
    #expect(quoted[0].picture?.columns == 20)
    let item = lines("<ul><li>\(image)</li></ul>", setting())
    #expect(text(item) == ["• <0>", "  <1>", "  <2>", "  x[1]"])
  }

  @Test("A paragraph has the same block number with and without pictures")
  func positions() {
    let html =
      "<p>One</p><figure><img src=\"\(Self.address)\" alt=\"Hills\" width=\"200\" height=\"60\">"
      + "<figcaption>Seen at noon</figcaption></figure><p>Two</p><p>Three</p>"
    let with = lines(html, setting())
    let without = lines(html, nil)
    for word in ["One", "Two", "Three", "  Seen at noon"] {
      let first = with.first { $0.runs.map(\.text).joined() == word }?.block
      let second = without.first { $0.runs.map(\.text).joined() == word }?.block
      #expect(first == second && first != nil)
    }
  }

  @Test("A picture in a link has the number of the link")
  func linked() {
    let html =
      "<p><a href=\"https://example.org/page\"><img src=\"\(Self.address)\" alt=\"x\" width=\"90\" height=\"60\"></a></p>"
    let row = lines(html, setting()).first?.picture
    #expect(row?.number == 1)
  }

  @Test("Pictures are found by their tags, except tracking pixels")
  func references() {
    let html = """
      <p>a &lt;img&gt; <IMG src="https://example.org/1.png" alt="a > b"></p><imgs src="no">
      <img src="https://t.example/p.gif" width="1" height="1"><img alt="none">
      <img src='https://example.org/2.png?a=1&amp;b=2' width="200px" height="100"><img src="data:x">
      <img src="https://example.org/1.png">
      """
    #expect(
      PictureReference.all(in: html) == [
        PictureReference(address: "https://example.org/1.png"),
        PictureReference(
          address: "https://example.org/2.png?a=1&b=2", size: PictureSize(width: 200, height: 100)),
      ])
    #expect(PictureReference.all(in: "<img src=\"unfinished").isEmpty)
    #expect(PictureReference.all(in: html, limit: 1).count == 1)
  }

  @Test("A bounded number of different picture tags is examined, and repeated tags cost nothing")
  func manyTags() {
    let picture = "<img src=\"\(Self.address)\">"
    let icon = "<img src=\"https://example.org/icon.png\" width=\"16\">"
    let repeated = String(repeating: icon, count: 3_000)
    #expect(PictureReference.all(in: repeated + picture).map(\.address) == [Self.address])
    let different = (0..<3_000).map {
      "<img src=\"https://example.org/\($0).png\" width=\"16\">"
    }
    #expect(PictureReference.all(in: different.joined() + picture).isEmpty)
  }
}
