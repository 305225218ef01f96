import TestSupport
import Testing

@testable import ReaderUI

@Suite struct ListNavigationTests {
  @Test("The selected row is in view after every movement, and moves by as much as was asked")
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

  @Test("Scrolling keeps the selected row while that is in view")
  func scrollingKeepsTheSelection() {
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
}
