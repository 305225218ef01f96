import CPictures
import Foundation
import TerminalKit

/// Encodes decoded pixels, so that no byte of a feed's file reaches the terminal's decoder.
enum PictureEncoder {
  @Sendable static func png(_ image: PixelImage) -> [UInt8]? {
    var length = 0
    guard
      let file = weir_picture_png(
        image.bytes, UInt32(image.width), UInt32(image.height), &length)
    else { return nil }
    defer { free(file) }
    return Array(UnsafeBufferPointer(start: file, count: length))
  }

  /// The quality of JPEG files: photographs look as before, at a tenth of their size as PNG.
  private static let quality: Int32 = 82

  /// Encodes a picture without regard to its alpha.
  static func jpeg(_ image: PixelImage) -> [UInt8]? {
    var length = 0
    guard
      let file = weir_picture_jpeg(
        image.bytes, UInt32(image.width), UInt32(image.height), quality, &length)
    else { return nil }
    defer { free(file) }
    return Array(UnsafeBufferPointer(start: file, count: length))
  }
}
