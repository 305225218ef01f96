/// A row of a surface, from left to right. `Cell`s are created on access; `style` is faster.
public struct SurfaceRow: RandomAccessCollection, Sendable, Equatable {
  private let surface: Surface
  private let first: Int
  public var startIndex: Int { 0 }
  /// The number of columns; 0 for a row outside the surface.
  public let endIndex: Int

  init(_ y: Int, of surface: Surface) {
    self.surface = surface
    let isInside = y >= 0 && y < surface.size.height
    first = isInside ? y * surface.size.width : 0
    endIndex = isInside ? surface.size.width : 0
  }

  /// - Parameter column: from 0, below `endIndex`.
  public subscript(column: Int) -> Cell { surface.cell(stored(column)) }

  /// Returns the text's scalar; `nil` if there are several or none.
  public func scalar(_ column: Int) -> Unicode.Scalar? {
    let cell = stored(column)
    return cell.isSecondHalf ? nil : Unicode.Scalar(cell.text)
  }

  /// Returns the style of the cell.
  public func style(_ column: Int) -> Style { stored(column).style }

  /// Returns true in the second column of a wide cluster.
  public func isSecondHalf(_ column: Int) -> Bool { stored(column).isSecondHalf }

  /// Compares the cells.
  public static func == (a: SurfaceRow, b: SurfaceRow) -> Bool { a.elementsEqual(b) }

  func stored(_ column: Int) -> StoredCell {
    precondition(column >= 0 && column < endIndex)
    return surface.cells[first + column]
  }
}
