/// Calculates the visible rows of a list from the selection, the top row and the window, for rows
/// that may have a heading above them. The cost depends on the window, not on the list.
package nonisolated struct ListScrolling {
  let count: Int
  let height: Int
  /// Returns the lines of a row with its heading, inside the window or at its top.
  let lines: (_ index: Int, _ isTop: Bool) -> Int

  package init(
    count: Int, height: Int, lines: @escaping (_ index: Int, _ isTop: Bool) -> Int
  ) {
    self.count = count
    self.height = height
    self.lines = lines
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
