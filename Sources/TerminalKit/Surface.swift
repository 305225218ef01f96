/// Columns and rows.
public struct Size: Sendable, Hashable {
  public var width: Int
  public var height: Int
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// A rectangle of cells; (0, 0) is the upper left.
public struct Rect: Sendable, Hashable {
  public var x: Int
  public var y: Int
  public var width: Int
  public var height: Int
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
  public func contains(x px: Int, y py: Int) -> Bool {
    px >= x && px < x + width && py >= y && py < y + height
  }
}

/// What stands in one column of one row.
public struct Cell: Sendable, Hashable {
  /// One grapheme cluster; empty in the second column of a wide one.
  public var text: String
  public var style: Style
  /// Where the text leads (OSC 8), where the terminal can.
  public var link: String?
  public init(text: String = " ", style: Style = .plain, link: String? = nil) {
    self.text = text
    self.style = style
    self.link = link
  }
}

/// A grid of cells that screens draw into; a value. Drawing outside of it is clipped, never an error.
public struct Surface: Sendable, Equatable {
  public private(set) var size: Size
  private var cells: [Cell]
  /// Where the text cursor shows; nil: hidden.
  public var cursor: (x: Int, y: Int)?

  public init(size: Size) {
    self.size = Size(width: max(0, size.width), height: max(0, size.height))
    cells = Array(repeating: Cell(), count: self.size.width * self.size.height)
  }

  /// A blank cell for coordinates outside.
  public subscript(x: Int, y: Int) -> Cell {
    get {
      guard x >= 0, y >= 0, x < size.width, y < size.height else { return Cell() }
      return cells[y * size.width + x]
    }
    set {
      guard x >= 0, y >= 0, x < size.width, y < size.height else { return }
      cells[y * size.width + x] = newValue
    }
  }

  public static func == (a: Surface, b: Surface) -> Bool {
    a.size == b.size && a.cells == b.cells && a.cursor?.x == b.cursor?.x
      && a.cursor?.y == b.cursor?.y
  }
}
