import FeedModel
import TerminalKit

extension PixelImage {
  func upright(_ orientation: PictureOrientation) -> PixelImage {
    if orientation == .upright { return self }
    let (source, target) = (
      (width: width, height: height),
      orientation.swapsSides ? (width: height, height: width) : (width: width, height: height)
    )
    let turned = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
      bytes.withUnsafeBufferPointer { old in
        for y in 0..<target.height {
          for x in 0..<target.width {
            let (column, row) = orientation.source(x, y, of: source)
            let (from, to) = ((row * source.width + column) * 4, (y * target.width + x) * 4)
            for part in 0..<4 { buffer[to + part] = old[from + part] }
          }
        }
      }
      count = bytes.count
    }
    return PixelImage(width: target.width, height: target.height, bytes: turned) ?? self
  }
}

extension PictureOrientation {
  /// Returns the position, in a file of this size, of the pixel that is shown at (x, y).
  fileprivate func source(
    _ x: Int, _ y: Int, of size: (width: Int, height: Int)
  ) -> (column: Int, row: Int) {
    let (right, bottom) = (size.width - 1, size.height - 1)
    return switch self {
    case .upright: (x, y)
    case .mirrored: (right - x, y)
    case .turnedHalf: (right - x, bottom - y)
    case .flipped: (x, bottom - y)
    case .transposed: (y, x)
    case .turnedRight: (y, bottom - x)
    case .transversed: (right - y, bottom - x)
    case .turnedLeft: (right - y, x)
    }
  }
}
