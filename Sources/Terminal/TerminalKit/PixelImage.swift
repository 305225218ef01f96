/// Decoded pixels: rows from the top, four bytes each (red, green, blue, alpha; not premultiplied).
public struct PixelImage: Sendable, Hashable {
  /// Width in pixels, 1 to 65,536.
  public let width: Int
  /// Height in pixels, 1 to 65,536.
  public let height: Int
  /// `width * height * 4` bytes.
  public let bytes: [UInt8]

  /// Returns `nil` if the number of bytes does not match the size.
  public init?(width: Int, height: Int, bytes: [UInt8]) {
    guard width > 0, height > 0, width <= 1 << 16, height <= 1 << 16,
      bytes.count == width * height * 4
    else { return nil }
    self.width = width
    self.height = height
    self.bytes = bytes
  }

  /// Returns the largest centred part with these proportions.
  public func middle(width: Int, height: Int) -> PixelImage {
    guard width > 0, height > 0 else { return self }
    let columns = max(1, min(self.width, self.height * width / height))
    let rows = max(1, min(self.height, self.width * height / width))
    let (x, y) = ((self.width - columns) / 2, (self.height - rows) / 2)
    var part: [UInt8] = []
    part.reserveCapacity(columns * rows * 4)
    for row in y..<y + rows {
      let start = (row * self.width + x) * 4
      part += bytes[start..<start + columns * 4]
    }
    return PixelImage(width: columns, height: rows, bytes: part) ?? self
  }

  /// True if no pixel is transparent.
  public var isOpaque: Bool {
    stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
  }
}
