/// One row of a surface, left to right. A cell is made when it is asked for; what a cell holds can
/// be asked for alone, which is faster.
public struct SurfaceRow: RandomAccessCollection, Sendable, Equatable {
  private let surface: Surface
  private let first: Int
  public var startIndex: Int { 0 }
  /// As many as the surface has columns; 0: the row is outside of it.
  public let endIndex: Int

  init(_ y: Int, of surface: Surface) {
    self.surface = surface
    let isInside = y >= 0 && y < surface.size.height
    first = isInside ? y * surface.size.width : 0
    endIndex = isInside ? surface.size.width : 0
  }

  /// - Parameter column: from 0, below `endIndex`.
  public subscript(column: Int) -> Cell { surface.cell(stored(column)) }

  /// The only scalar of the text; nil: it has several or none.
  public func scalar(_ column: Int) -> Unicode.Scalar? {
    let cell = stored(column)
    return cell.isSecondHalf ? nil : Unicode.Scalar(cell.text)
  }

  /// How the cell looks.
  public func style(_ column: Int) -> Style { stored(column).style }

  /// Whether the column is the second one of a wide cluster.
  public func isSecondHalf(_ column: Int) -> Bool { stored(column).isSecondHalf }

  /// The same cells.
  public static func == (a: SurfaceRow, b: SurfaceRow) -> Bool { a.elementsEqual(b) }

  func stored(_ column: Int) -> StoredCell {
    precondition(column >= 0 && column < endIndex)
    return surface.cells[first + column]
  }
}
