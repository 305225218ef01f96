/// The scrolling of lines that cannot be selected.
package struct TextScroll {
  package private(set) var top = 0
  private var count = 0
  private var height = 1

  package init() {}

  package mutating func update(count: Int, height: Int) {
    self.count = count
    self.height = max(1, height)
    top = min(top, max(0, count - self.height))
  }

  package mutating func move(_ movement: ListMovement) {
    switch movement {
    case .top: top = 0
    case .bottom, .row: scroll(count)
    case .rows, .halfPages, .pages: scroll(movement.distance(height: height))
    }
  }

  package mutating func scroll(_ lines: Int) {
    top = min(max(0, top + lines), max(0, count - height))
  }
}
