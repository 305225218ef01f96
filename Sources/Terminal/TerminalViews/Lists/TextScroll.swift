/// The scrolling of lines that cannot be selected.
public struct TextScroll {
  public private(set) var top = 0
  private var count = 0
  private var height = 1

  public init() {}

  /// Sets the number of lines and the height of the window.
  public mutating func update(count: Int, height: Int) {
    self.count = count
    self.height = max(1, height)
    top = min(top, max(0, count - self.height))
  }

  /// Returns the lines in view.
  public func visible<Line>(_ lines: [Line]) -> ArraySlice<Line> {
    lines.dropFirst(top).prefix(height)
  }

  /// Scrolls by a movement of a list.
  public mutating func move(_ movement: ListMovement) {
    switch movement {
    case .top: top = 0
    case .bottom, .row: scroll(by: count)
    case .rows, .halfPages, .pages: scroll(by: movement.distance(height: height))
    }
  }

  /// Scrolls by some lines, negative for up.
  public mutating func scroll(by lines: Int) {
    top = min(max(0, top + lines), max(0, count - height))
  }
}
