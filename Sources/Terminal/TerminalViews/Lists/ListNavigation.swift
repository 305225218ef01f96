/// The selected row of a list and the visible part of the list: moving, paging, scrolling.
package nonisolated struct ListNavigation: Equatable {
  /// Indices of rows; 0 if there are no rows.
  package private(set) var selected = 0
  package private(set) var top = 0

  package init() {}

  /// Moves the selection and the view. Returns `false` if the selection was at the end already.
  /// - Parameters:
  ///   - page: Rows of a page; `nil` for the height of the window.
  ///   - overlap: Rows of a page that stay in view.
  @discardableResult
  package mutating func move(
    _ movement: ListMovement, page: Int? = nil, overlap: Int = 1, in rows: ListScrolling
  ) -> Bool {
    let before = selected
    switch movement {
    case .rows(let count): select(selected + count, in: rows)
    case .top: select(0, in: rows)
    case .bottom: select(rows.count - 1, in: rows)
    case .row(let index): select(index, in: rows)
    case .halfPages, .pages:
      self.page(by: movement.distance(height: page ?? rows.height, overlap: overlap), in: rows)
    }
    return selected != before
  }

  /// Moves the view and the selection together. At the end of the list only the selection moves.
  private mutating func page(by count: Int, in rows: ListScrolling) {
    let offset = selected - top
    let newTop = min(max(0, top + count), rows.lastTop)
    if newTop == top { return select(count > 0 ? rows.count - 1 : 0, in: rows) }
    top = newTop
    select(top + offset, in: rows)
  }

  /// Selects a row, or the nearest one, and moves the view as little as possible.
  package mutating func select(_ index: Int, in rows: ListScrolling) {
    selected = min(max(0, index), max(0, rows.count - 1))
    top = rows.count > 0 ? rows.top(showing: selected, from: min(max(0, top), rows.count - 1)) : 0
  }

  /// Returns the new index of a row, of the next row that remains, or of the nearest one above;
  /// `nil` if none remains.
  package static func index<ID: Hashable>(
    of index: Int, in old: [ID], after new: [ID]
  ) -> Int? {
    let places = Dictionary(
      new.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    let start = min(index, old.count)
    let candidates = old[start...] + old[..<start].reversed()
    return candidates.lazy.compactMap { places[$0] }.first
  }

  /// Moves the selection and the view into changed rows.
  package mutating func update(in rows: ListScrolling) { select(selected, in: rows) }

  /// Scrolls without selecting; the selection stays on its row while that row is visible.
  package mutating func scroll(by count: Int, in rows: ListScrolling) {
    guard rows.count > 0 else { return }
    top = min(max(0, top + count), rows.lastTop)
    selected = max(selected, top)
    while selected > top, !rows.isVisible(selected, from: top) { selected -= 1 }
  }

  /// Adjusts to `count` rows inserted above, or removed if negative.
  package mutating func shift(by count: Int) {
    selected += count
    top += count
  }

  /// Moves the view and selects a row, which moves the view again if the row is outside.
  package mutating func show(_ newTop: Int, selecting index: Int, in rows: ListScrolling) {
    top = newTop
    select(index, in: rows)
  }

  /// Removes empty lines below the rows while there are rows above the view.
  package mutating func fillWindow(in rows: ListScrolling) {
    top = min(top, rows.lastTop)
    update(in: rows)
  }
}

/// Calculates the visible rows of a list from the selection, the top row and the window, for rows
/// that may have a heading above them. The cost depends on the window, not on the list.
package nonisolated struct ListScrolling {
  let count: Int
  let height: Int
  /// Returns the lines of a row with its heading, inside the window or at its top.
  let lines: (_ index: Int, _ isTop: Bool) -> Int

  package init(count: Int, height: Int, lines: @escaping (_ index: Int, _ isTop: Bool) -> Int) {
    (self.count, self.height, self.lines) = (count, height, lines)
  }

  /// Returns the top row with which row `index` is visible, moved as little as possible from `top`.
  func top(showing index: Int, from top: Int) -> Int {
    guard index > top else { return max(0, index) }
    var rest = 0
    var row = index
    while row > top {
      rest += lines(row, false)
      if rest + lines(row - 1, true) > height { return row }
      row -= 1
    }
    return top
  }

  /// The last row that may be at the top: the list's end is then at the window's bottom.
  package var lastTop: Int { count > 0 ? top(showing: count - 1, from: 0) : 0 }

  package func isVisible(_ index: Int, from top: Int) -> Bool {
    index >= top && index < count && self.top(showing: index, from: top) == top
  }
}
