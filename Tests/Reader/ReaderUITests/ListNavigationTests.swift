@testable import TerminalViews

@Suite("Movement in lists") struct ListNavigationTests {
  @Test("The selected row moves as far as requested, and is in view after every movement")
  func theSelectionStaysInView() {
    var random = SeededRandom(seed: 11)
    for _ in 0..<200 {
      let count = Int.random(in: 0...40, using: &random)
      let height = Int.random(in: 1...12, using: &random)
      let rows = ListScrolling(count: count, height: height) { _, _ in 1 }
      var navigation = ListNavigation()
      for _ in 0..<30 {
        let before = navigation
        let step = Int.random(in: -50...50, using: &random)
        let movement: ListMovement =
          [.rows(step), .halfPages(step), .pages(step), .top, .bottom, .row(step)]
          .randomElement(using: &random) ?? .top
        let hasMoved = navigation.move(movement, in: rows)
        #expect(hasMoved == (navigation.selected != before.selected))
        let last = max(0, count - 1)
        #expect((0...last).contains(navigation.selected))
        #expect(count == 0 || rows.isVisible(navigation.selected, from: navigation.top))
        switch movement {
        case .rows(let steps):
          #expect(navigation.selected == min(max(0, before.selected + steps), last))
        case .top: #expect(navigation.selected == 0)
        case .bottom: #expect(navigation.selected == last)
        case .row(let index): #expect(navigation.selected == min(max(0, index), last))
        case .halfPages, .pages: break
        }
      }
    }
  }

  @Test("Scrolling keeps the selected row while it is in view") func scrollingKeepsRow() {
    let rows = ListScrolling(count: 30, height: 10) { _, _ in 1 }
    var navigation = ListNavigation()
    navigation.select(5, in: rows)
    navigation.scroll(by: 3, in: rows)
    #expect(navigation.top == 3 && navigation.selected == 5)
    navigation.scroll(by: 3, in: rows)
    #expect(navigation.top == 6 && navigation.selected == 6)
    navigation.scroll(by: 100, in: rows)
    #expect(navigation.top == 20 && navigation.selected == 20)
    navigation.scroll(by: -19, in: rows)
    #expect(navigation.top == 1 && navigation.selected == 10)
  }

  @Test("Paging stops when the end of the list is at the bottom of the window")
  func pagesStopAtTheEnd() {
    let rows = ListScrolling(count: 25, height: 10) { _, _ in 1 }
    var navigation = ListNavigation()
    navigation.select(2, in: rows)
    var places: [[Int]] = []
    for _ in 0..<4 {
      navigation.move(.pages(1), in: rows)
      places.append([navigation.top, navigation.selected])
    }
    #expect(places == [[9, 11], [15, 17], [15, 24], [15, 24]])
    places = []
    for _ in 0..<3 {
      navigation.move(.pages(-1), in: rows)
      places.append([navigation.top, navigation.selected])
    }
    #expect(places == [[6, 15], [0, 9], [0, 0]])
  }

  @Test("Half pages and pages move by the rows of a page, and keep the overlap in view")
  func distances() {
    let rows = ListScrolling(count: 100, height: 10) { _, _ in 1 }
    func selected(_ movement: ListMovement, page: Int? = nil, overlap: Int = 1) -> Int {
      var navigation = ListNavigation()
      navigation.move(movement, page: page, overlap: overlap, in: rows)
      return navigation.selected
    }
    #expect(selected(.halfPages(1)) == 5)
    #expect(selected(.pages(2)) == 18)
    #expect(selected(.pages(1), overlap: 2) == 8)
    #expect(selected(.pages(1), page: 5) == 4)
    #expect(selected(.halfPages(1), page: 1) == 1)
  }

  @Test("A short page reaches the last row, and scrolling back selects the lowest visible row")
  func smallSteps() {
    let rows = ListScrolling(count: 30, height: 10) { _, _ in 1 }
    var navigation = ListNavigation()
    navigation.show(20, selecting: 20, in: rows)
    navigation.move(.pages(1), page: 2, in: rows)
    #expect(navigation.selected == 29)
    navigation = ListNavigation()
    navigation.select(10, in: rows)
    navigation.scroll(by: -1, in: rows)
    #expect(navigation.top == 0 && navigation.selected == 9)
  }

  @Test("Rows inserted above move the selection and the view alike") func shifting() {
    let rows = ListScrolling(count: 30, height: 10) { _, _ in 1 }
    var navigation = ListNavigation()
    navigation.show(4, selecting: 7, in: rows)
    #expect(navigation.top == 4 && navigation.selected == 7)
    navigation.shift(by: 3)
    #expect(navigation.top == 7 && navigation.selected == 10)
    navigation.shift(by: -2)
    #expect(navigation.top == 5 && navigation.selected == 8)
    navigation.show(20, selecting: 5, in: rows)
    #expect(navigation.top == 5 && navigation.selected == 5)
  }

  @Test("A list that became shorter fills the window and keeps a row selected") func shorterList() {
    let rows = ListScrolling(count: 30, height: 10) { _, _ in 1 }
    let shorter = ListScrolling(count: 12, height: 10) { _, _ in 1 }
    let none = ListScrolling(count: 0, height: 10) { _, _ in 1 }
    var navigation = ListNavigation()
    navigation.show(20, selecting: 25, in: rows)
    var settled = navigation
    settled.update(in: shorter)
    #expect(settled.top == 11 && settled.selected == 11)
    settled.fillWindow(in: shorter)
    #expect(settled.top == 2 && settled.selected == 11)
    settled.scroll(by: 1, in: none)
    #expect(settled.top == 2 && settled.selected == 11)
    settled.update(in: none)
    #expect(settled.top == 0 && settled.selected == 0)
    #expect(none.lastTop == 0 && shorter.lastTop == 2)
    // Rows that fit in the window are not scrolled.
    #expect(ListScrolling(count: 5, height: 10) { _, _ in 1 }.lastTop == 0)
    #expect(!none.isVisible(0, from: 0))
    #expect(!shorter.isVisible(12, from: 2) && !shorter.isVisible(1, from: 2))
    // There is no row after the last one, although the window has room for it.
    #expect(shorter.isVisible(11, from: 5) && !shorter.isVisible(12, from: 5))
  }

  @Test("Scrolling a list that has only one row left selects that row") func oneRow() {
    var navigation = ListNavigation()
    navigation.select(5, in: ListScrolling(count: 30, height: 10) { _, _ in 1 })
    navigation.scroll(by: 1, in: ListScrolling(count: 1, height: 10) { _, _ in 1 })
    #expect(navigation.top == 0 && navigation.selected == 0)
  }
}

@Suite("Scrolling in lists") struct ListScrollingTests {
  /// Compares with the plain definition: the top row moves down until the row fits in the window.
  @Test("The top row moves no further than needed to show the row") func topRowMovesLittle() {
    var random = SeededRandom(seed: 5)
    for _ in 0..<2_000 {
      let count = Int.random(in: 1...30, using: &random)
      let height = Int.random(in: 1...12, using: &random)
      func headings() -> [Int] {
        (0..<count).map { _ in Int.random(in: 0...3, using: &random) == 0 ? 1 : 0 }
      }
      // A row may have a heading inside the window, at its top, in both places or in none.
      let (inside, atTop) = (headings(), headings())
      let scrolling = ListScrolling(count: count, height: height) { index, isTop in
        1 + (isTop ? atTop : inside)[index]
      }
      func fits(_ top: Int, _ index: Int) -> Bool {
        top == index || ((top + 1)...index).reduce(1 + atTop[top]) { $0 + 1 + inside[$1] } <= height
      }
      let (top, index) = (
        Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random)
      )
      var expected = min(top, index)
      while !fits(expected, index) { expected += 1 }
      #expect(scrolling.top(showing: index, from: top) == expected)
      #expect(scrolling.isVisible(index, from: top) == (index >= top && expected == top))
    }
  }
}
