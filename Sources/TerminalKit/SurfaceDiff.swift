/// What must be written to turn one surface into another.
public struct SurfaceDiff: Sendable, Equatable {
  /// Neighbouring cells of one row. It begins and ends at cluster boundaries of the new surface.
  public struct Run: Sendable, Hashable {
    public var x: Int
    public var y: Int
    public var width: Int
    public init(x: Int, y: Int, width: Int) {
      self.x = x
      self.y = y
      self.width = width
    }
  }

  /// From top to bottom, from left to right.
  public var runs: [Run]

  /// Unchanged cells between two changes are written again where there are fewer than this: moving
  /// the cursor costs about as many bytes.
  static let gap = 6

  /// - Parameter old: what is on the screen; nil, or of another size: nothing that is known, so that
  ///   everything is written.
  public init(from old: Surface?, to new: Surface) {
    runs = []
    for y in 0..<new.size.height {
      guard let old, old.size == new.size else {
        if new.size.width > 0 { runs.append(Run(x: 0, y: y, width: new.size.width)) }
        continue
      }
      SurfaceDiff.compare(old.row(y), new.row(y), y: y, into: &runs)
    }
  }

  private static func compare(
    _ old: ArraySlice<Cell>, _ new: ArraySlice<Cell>, y: Int, into runs: inout [Run]
  ) {
    if old == new { return }
    let width = new.count
    var run: Range<Int>?
    var uncertain = false
    for x in 0..<width {
      let before = old[old.startIndex + x]
      let after = new[new.startIndex + x]
      if before == after { continue }
      uncertain =
        uncertain || GraphemeWidth.isUncertain(before.text) || GraphemeWidth.isUncertain(after.text)
      if let current = run, x - current.upperBound < gap {
        run = current.lowerBound..<x + 1
      } else {
        if let current = run { append(current, y, new, &runs) }
        run = x..<x + 1
      }
      if uncertain { break }
    }
    guard var last = run else { return }
    // Where the terminal may have put the rest of the row elsewhere, the rest is written again.
    if uncertain { last = last.lowerBound..<width }
    append(last, y, new, &runs)
  }

  /// Widened to whole clusters.
  private static func append(
    _ range: Range<Int>, _ y: Int, _ cells: ArraySlice<Cell>, _ runs: inout [Run]
  ) {
    var lower = range.lowerBound
    var upper = range.upperBound
    while lower > 0, cells[cells.startIndex + lower].text.isEmpty { lower -= 1 }
    while upper < cells.count, cells[cells.startIndex + upper].text.isEmpty { upper += 1 }
    runs.append(Run(x: lower, y: y, width: upper - lower))
  }
}
