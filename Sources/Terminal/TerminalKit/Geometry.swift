/// Columns and rows.
public struct Size: Sendable, Hashable {
  public var width: Int
  public var height: Int
  public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
}

/// A rectangle of cells; (0, 0) is the upper left.
public struct Rect: Sendable, Hashable {
  public var x: Int
  public var y: Int
  /// Width in columns; the rectangle is empty if it is not positive.
  public var width: Int
  /// Height in rows; the rectangle is empty if it is not positive.
  public var height: Int
  public init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  public func contains(x px: Int, y py: Int) -> Bool {
    px >= x && px < x + width && py >= y && py < y + height
  }

  /// Returns the common part; its width or height is 0 if there is none.
  public func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    let right = min(Rect.end(x, width), Rect.end(other.x, other.width))
    let bottom = min(Rect.end(y, height), Rect.end(other.y, other.height))
    return Rect(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
  }

  private static func end(_ start: Int, _ length: Int) -> Int {
    let (end, overflow) = start.addingReportingOverflow(max(0, length))
    return overflow ? .max : end
  }
}

/// The content of one column of a row.
public struct Cell: Sendable, Hashable {
  /// A grapheme cluster; empty in the second column of a wide cluster.
  public var text = " "
  public var style = Style.plain
  /// The target of a hyperlink (OSC 8).
  public var link: String?
}
