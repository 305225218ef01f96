private let rows = "<tr><td>Aalen</td><td>14</td></tr><tr><td>Bergen</td><td>27</td></tr>"
private let linkedRow = """
  <tr><td><a href=/towns/aalen>The trams of Aalen</a></td><td><a href=/rides>14 rides</a></td></tr>
  """
private let headings = "<tr><th>Town</th><th>Rides</th></tr>"
private let prose = String(
  repeating: """
    <p>The survey went on for eleven months, in four towns, and its results are not what anybody \
    had expected when it began.</p>
    """, count: 5)

@Suite("Tables of data in the article of a page") struct DataTableTests {
  private func article(_ body: String) throws -> String {
    let page = "<html><title>Trams</title><body><div><h1>Trams</h1>\(body)</div></body></html>"
    let url = "https://site.example/trams"
    return try #require(HTMLContent.mainContent(of: [UInt8](page.utf8), url: url)).html
  }

  @Test(
    "A table with headings or a caption is kept anywhere in the article",
    arguments: [
      "\(prose)<div><table>\(headings)\(rows)</table></div>",
      "<div><table>\(headings)\(rows)</table></div>\(prose)",
      "\(prose)<table class=widget>\(headings)\(rows)</table>\(prose)",
      "\(prose)<div class=meta><table>\(headings)\(rows)</table></div>\(prose)",
      "<div class=text>\(prose)</div><table>\(headings)\(rows)</table>",
      "\(prose)<div><table><caption>Rides</caption><tbody>\(rows)</tbody></table></div>",
      "\(prose)<div><table>\(headings)\(rows)\(linkedRow)\(linkedRow)</table></div>\(prose)",
    ])
  func kept(body: String) throws {
    let html = try article(body)
    #expect(html.contains("<td>Aalen</td><td>14</td>"), "\(html)")
  }

  @Test("No column is dropped because of its name or heading") func columns() throws {
    let cells = "<td class=date>1 May</td><td>14</td><td class=rating>4</td>"
    let table = """
      <table><tr><th>Date</th><th>Share</th><th>Rating</th></tr><tr>\(cells)</tr><tr>\(cells)</tr>\
      </table>
      """
    let html = try article(prose + table + prose)
    #expect(html.contains("<th>Date</th><th>Share</th><th>Rating</th>"), "\(html)")
    #expect(html.contains("<td>1 May</td><td>14</td><td>4</td>"), "\(html)")
  }

  @Test("A table with most of the text is not mistaken for the article")
  func proseInCells() throws {
    let row = "<tr><td>Aalen</td><td>\(prose)</td></tr>"
    let table = "<table><tr><th>Town</th><th>Finding</th></tr>\(row)\(row)</table>"
    let html = try article("<div>Before the table.</div>\(prose)\(table)")
    #expect(html.contains("<table>") && html.contains("<th>Finding</th>"), "\(html)")
  }

  @Test("Navigation tables, and tables without headings at the edges, are left out")
  func leftOut() throws {
    let navigation = "<table class=navbox>\(headings)\(rows)</table>"
    let layout = "<div><table>\(rows)</table></div>"
    #expect(try !article(prose + navigation).contains("Aalen"))
    #expect(try !article(prose + layout).contains("Aalen"))
  }
}
