internal import Foundation

extension UnsafeBufferPointer<UInt8> {
  /// Where the byte first stands from `start` on; by the C library, which looks at many at a time.
  package func index(of byte: UInt8, from start: Int) -> Int? {
    guard start < count, let base = baseAddress,
      let found = memchr(base + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }
}
