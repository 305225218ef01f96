import TerminalKit

/// A selection held by identity over rows that come and go, and the part of them that is in view.
struct RowSelection<ID: Hashable> {
  private(set) var ids: [ID] = []
  private(set) var selected = 0
  private(set) var top = 0

  var id: ID? { ids.indices.contains(selected) ? ids[selected] : nil }

  /// Other rows: the selection stays on its row, or goes to the next one still there; and it stays on
  /// its line of the screen.
  mutating func update(_ new: [ID]) {
    guard new != ids else { return }
    let offset = selected - top
    if !ids.isEmpty, !(selected == 0 && top == 0) || new.contains(ids[0]) {
      let places = Dictionary(
        new.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
      let candidates =
        ids[min(selected, ids.count)...] + ids[..<min(selected, ids.count)].reversed()
      selected = candidates.lazy.compactMap { places[$0] }.first ?? selected
    }
    ids = new
    select(selected)
    top = max(0, selected - offset)
  }

  mutating func select(_ index: Int) { selected = min(max(0, index), max(0, ids.count - 1)) }

  /// Takes the commands that move. False where it is none of them.
  /// - Parameter page: rows that a page holds.
  mutating func respond(to command: Command, _ count: Int?, page: Int) -> Bool {
    let repetitions = count ?? 1
    switch command {
    case .moveDown: select(selected + repetitions)
    case .moveUp: select(selected - repetitions)
    case .halfPageDown: select(selected + max(1, page / 2) * repetitions)
    case .halfPageUp: select(selected - max(1, page / 2) * repetitions)
    case .pageDown: select(selected + max(1, page - 1) * repetitions)
    case .pageUp: select(selected - max(1, page - 1) * repetitions)
    case .top: select(0)
    case .bottom: select(count.map { $0 - 1 } ?? ids.count - 1)
    default: return false
    }
    return true
  }

  /// Scrolls without choosing: the selection stays on its row while that is visible.
  mutating func scroll(by rows: Int, in scrolling: ListScrolling) {
    guard !ids.isEmpty else { return }
    top = min(max(0, top + rows), scrolling.lastTop(count: ids.count))
    selected = max(selected, top)
    while selected > top, !scrolling.isVisible(selected, from: top) { selected -= 1 }
  }

  /// The wheel scrolls, a press takes what is under it. False where that is nothing.
  /// - Parameter wheelRows: rows per wheel step.
  mutating func respond(
    to action: MouseEvent.Action, on row: Int?, wheelRows: Int, in scrolling: ListScrolling
  ) -> Bool {
    switch action {
    case .wheelDown: scroll(by: wheelRows, in: scrolling)
    case .wheelUp: scroll(by: -wheelRows, in: scrolling)
    case .press, .doubleClick:
      guard let row else { return false }
      select(row)
    case .release: return false
    }
    return true
  }

  /// Brings the selected row into a view of so many lines.
  /// - Parameter lines: how many each row takes.
  mutating func show(in height: Int, lines: (Int) -> Int = { _ in 1 }) {
    guard !ids.isEmpty else {
      top = 0
      return
    }
    top = min(max(0, top), selected)
    var used = (top...selected).reduce(0) { $0 + lines($1) }
    while used > height, top < selected {
      used -= lines(top)
      top += 1
    }
    // No empty lines below while there are rows above.
    var rest = (top..<ids.count).reduce(0) { $0 + lines($1) }
    while top > 0, rest + lines(top - 1) <= height {
      top -= 1
      rest += lines(top)
    }
  }
}
