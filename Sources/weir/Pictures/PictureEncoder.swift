import CPictures
import Foundation
import TerminalKit

/// Writes pixels as a file. Only what the child has decoded is written: no byte of a feed's file
/// reaches the terminal's own decoder.
enum PictureEncoder {
  /// Nil if memory runs out.
  @Sendable static func png(_ image: PixelImage) -> [UInt8]? {
    var length = 0
    guard
      let file = weir_picture_png(
        image.bytes, UInt32(image.width), UInt32(image.height), &length)
    else { return nil }
    defer { free(file) }
    return Array(UnsafeBufferPointer(start: file, count: length))
  }
}
