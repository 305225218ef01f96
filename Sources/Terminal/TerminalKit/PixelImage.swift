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

  public var isOpaque: Bool {
    stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
  }
}
