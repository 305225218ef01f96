@testable import TerminalViews

@Suite("Lists of rows") struct RowListTests {
  private struct Row: Identifiable { var id: Int }

  private func list(_ count: Int, height: Int = 10) -> RowList<Row> {
    var list = RowList((0..<count).map { Row(id: $0) })
    list.window = Rect(x: 0, y: 0, width: 10, height: height)
    return list
  }

  private func update(_ list: inout RowList<Row>, _ ids: [Int]) {
    list.update(ids.map { Row(id: $0) })
  }

  private func selects(_ line: Int, _ list: inout RowList<Row>) -> Bool { list.select(line: line) }

  /// Draws the list, and returns each drawn row with its line.
  @discardableResult private func draw(
    _ list: inout RowList<Row>, height: Int = 10, lines: @escaping (Int) -> Int = { _ in 1 }
  ) -> [[Int]] {
    let canvas = Canvas(size: Size(width: 10, height: height), theme: .mono)
    var drawn: [[Int]] = []
    list.draw(on: canvas, lines: lines) { row, y in drawn.append([row.id, y]) }
    return drawn
  }

  @Test("A list without rows has no selection") func empty() {
    var list = list(0)
    #expect(list.selected == nil && list.selectedIndex == 0 && list.top == 0)
    list.move(.rows(3))
    list.scroll(by: 3)
    #expect(list.selected == nil && list.selectedIndex == 0 && list.top == 0)
    #expect(draw(&list) == [])
    update(&list, [7])
    #expect(list.selected?.id == 7)
  }

  @Test("Movements go by rows, by the rows of a page, and to given rows") func movements() {
    var list = list(100)
    func place(_ movement: ListMovement, rowHeight: Int = 1) -> Int {
      list.move(movement, rowHeight: rowHeight)
      return list.selectedIndex
    }
    #expect(place(.rows(3)) == 3)
    #expect(place(.rows(-2)) == 1)
    #expect(place(.pages(1)) == 10)
    #expect(place(.halfPages(1)) == 15)
    #expect(place(.pages(1), rowHeight: 2) == 19)
    // A page of rows that are higher than the window moves by one row.
    #expect(place(.pages(1), rowHeight: 20) == 20)
    #expect(place(.bottom) == 99)
    #expect(place(.row(5)) == 5)
    #expect(place(.top) == 0)
    #expect(place(.rows(-1)) == 0)
  }

  @Test("The selection stays on its row and its line while other rows are added and removed")
  func updates() {
    var list = list(30)
    list.move(.row(20))
    draw(&list)
    #expect(list.top == 11)
    update(&list, Array(-5..<30))
    #expect(list.selected?.id == 20 && list.selectedIndex == 25 && list.top == 16)
    // If its row is removed, the next remaining row is selected, on the same line.
    update(&list, Array(0..<20) + Array(23..<30))
    #expect(list.selected?.id == 23 && list.selectedIndex == 20 && list.top == 11)
    // If no row follows, the previous one is selected.
    update(&list, Array(0..<10))
    #expect(list.selected?.id == 9 && list.top == 0)
    update(&list, [])
    #expect(list.selected == nil)
    update(&list, [4, 5])
    #expect(list.selected?.id == 4)
  }

  @Test(
    "The selection stays on its row below new rows, and goes to the same end of a replaced list")
  func rowsAtTheTop() {
    var list = list(3)
    update(&list, Array(-1..<3))
    #expect(list.selected?.id == 0)
    list.move(.top)
    update(&list, [8, 9])
    #expect(list.selected?.id == 8)
    var other = self.list(3)
    other.move(.row(2))
    update(&other, [8, 9])
    #expect(other.selected?.id == 9)
    // It stays on its line, too: here on the second of the window.
    var long = self.list(30)
    draw(&long)
    long.scroll(by: 14)
    long.move(.row(15))
    update(&long, Array(100..<110))
    #expect(long.selected?.id == 109 && long.top == 8)
  }

  @Test("An update with the same rows keeps the view and the selection") func sameRows() {
    var list = list(30)
    list.move(.row(20))
    draw(&list)
    list.scroll(by: 5)
    let (top, selected) = (list.top, list.selectedIndex)
    update(&list, Array(0..<30))
    #expect(list.top == top && list.selectedIndex == selected)
  }

  @Test("The rows that fit are drawn, and a line selects the row that is drawn on it")
  func drawing() {
    var list = list(30)
    list.window = Rect(x: 0, y: 3, width: 10, height: 5)
    let lines = { (index: Int) in index % 2 == 0 ? 2 : 1 }
    #expect(draw(&list, height: 5, lines: lines) == [[0, 0], [1, 2], [2, 3]])
    #expect(!selects(2, &list))
    #expect(selects(3, &list) && list.selectedIndex == 0)
    #expect(selects(4, &list) && list.selectedIndex == 0)
    #expect(selects(5, &list) && list.selectedIndex == 1)
    #expect(selects(7, &list) && list.selectedIndex == 2)
    #expect(!selects(8, &list))
    list.move(.bottom)
    #expect(draw(&list, height: 5, lines: lines) == [[27, 0], [28, 1], [29, 3]])
    #expect(list.top == 27)
    // A higher window shows more rows above, and no empty lines below.
    #expect(draw(&list, height: 8, lines: lines).first == [25, 0])
  }

  @Test("Only the selected row is marked, and only if marks are requested") func marks() {
    var list = list(3)
    list.move(.row(1))
    for isMarked in [true, false] {
      let canvas = Canvas(size: Size(width: 2, height: 3), theme: .mono)
      list.draw(on: canvas, isMarked: isMarked) { row, y in
        canvas.write("\(row.id)", x: 0, y: y)
      }
      let plain = Canvas(size: Size(width: 2, height: 3), theme: .mono)
      for y in 0..<3 { plain.write("\(y)", x: 0, y: y) }
      if isMarked { plain.select(row: 1) }
      #expect(canvas.surface == plain.surface)
    }
  }

  @Test("Scrolling moves the view up to the ends of the list, and the selection stays in view")
  func scrolling() {
    var list = list(30)
    draw(&list)
    list.scroll(by: 4)
    #expect(list.top == 4 && list.selectedIndex == 4)
    list.scroll(by: 100)
    #expect(list.top == 20 && list.selectedIndex == 20)
    list.scroll(by: 100) { _ in 2 }
    #expect(list.top == 25)
    list.scroll(by: -100)
    #expect(list.top == 0 && list.selectedIndex == 9)
  }

  @Test("A removed first row gives the selection to the new first row, any other to the next row")
  func firstRow() {
    var first = list(3)
    update(&first, [8, 1, 2])
    #expect(first.selected?.id == 8)
    var other = list(3)
    other.move(.row(1))
    update(&other, [8, 0, 2])
    #expect(other.selected?.id == 2)
  }

  @Test("The selection stays on its row when the rows above it are removed") func removedAbove() {
    var list = list(4)
    list.move(.row(2))
    update(&list, [2, 3])
    #expect(list.selected?.id == 2 && list.selectedIndex == 0)
  }

  @Test("Unless requested otherwise, a row has one line and the selected row is marked")
  func defaults() {
    var list = list(30)
    list.move(.pages(1))
    #expect(list.selectedIndex == 9)
    list.move(.row(1))
    let drawn = Canvas(size: Size(width: 2, height: 3), theme: .mono)
    list.draw(on: drawn) { row, y in drawn.write("\(row.id)", x: 0, y: y) }
    let expected = Canvas(size: Size(width: 2, height: 3), theme: .mono)
    for y in 0..<3 { expected.write("\(y)", x: 0, y: y) }
    expected.select(row: 1)
    #expect(drawn.surface == expected.surface)
  }

  @Test("A list that was not drawn has a window of one line") func undrawn() {
    var list = RowList((0..<30).map { Row(id: $0) })
    list.scroll(by: 100)
    #expect(list.top == 29 && list.selectedIndex == 29)
    list.move(.top)
    list.move(.pages(1))
    #expect(list.selectedIndex == 1)
    draw(&list)
    #expect(selects(0, &list) && list.selectedIndex == 0)
  }
}
