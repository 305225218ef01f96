import CZlib
import Foundation

/// A ZIP file that is written entry by entry (APPNOTE.TXT 6.3.10, PKWARE). It has no times, so that
/// the same entries make the same file.
struct ZipArchive {
  private let write: ([UInt8]) throws -> Void
  private var directory: [UInt8] = []
  private var entries = 0
  private var offset = 0

  /// - Parameter write: receives the bytes of the file in order; its errors end the writing.
  init(write: @escaping ([UInt8]) throws -> Void) { self.write = write }

  /// The first day that a ZIP file can name, 1 January 1980.
  private static let date: UInt16 = 1 << 5 | 1
  private static let version: UInt16 = 20

  /// - Parameters:
  ///   - name: ASCII, with "/" between folders.
  ///   - isCompressed: false for files that are compressed already.
  /// - Throws: `BookFailure.tooLarge` beyond the sizes of a ZIP file without extensions: 65,535
  ///   files and 4 GiB.
  mutating func add(_ name: String, _ bytes: [UInt8], isCompressed: Bool) throws {
    let data = isCompressed ? Self.deflated(bytes) ?? bytes : bytes
    let method: UInt16 = isCompressed && data.count < bytes.count ? 8 : 0
    let stored = method == 0 ? bytes : data
    guard entries < Int(UInt16.max), bytes.count <= UInt32.max,
      offset + stored.count + directory.count + 1_024 <= UInt32.max
    else { throw BookFailure.tooLarge }
    var entry: [UInt8] = []
    Self.append(Self.version, to: &entry)
    Self.append(0 as UInt16, to: &entry)
    Self.append(method, to: &entry)
    Self.append(0 as UInt16, to: &entry)
    Self.append(Self.date, to: &entry)
    Self.append(bytes.withUnsafeBufferPointer { weir_crc32($0.baseAddress, $0.count) }, to: &entry)
    Self.append(UInt32(stored.count), to: &entry)
    Self.append(UInt32(bytes.count), to: &entry)
    Self.append(UInt16(name.utf8.count), to: &entry)
    Self.append(0 as UInt16, to: &entry)

    var header: [UInt8] = []
    Self.append(0x0403_4B50 as UInt32, to: &header)
    header += entry + Array(name.utf8)

    Self.append(0x0201_4B50 as UInt32, to: &directory)
    Self.append(Self.version, to: &directory)
    directory += entry
    // No comment, the first disk, and no attributes.
    directory += [UInt8](repeating: 0, count: 10)
    Self.append(UInt32(offset), to: &directory)
    directory += Array(name.utf8)

    try write(header + stored)
    offset += header.count + stored.count
    entries += 1
  }

  /// Writes the directory, which ends the file.
  mutating func finish() throws {
    var end = directory
    Self.append(0x0605_4B50 as UInt32, to: &end)
    Self.append(0 as UInt32, to: &end)
    Self.append(UInt16(entries), to: &end)
    Self.append(UInt16(entries), to: &end)
    Self.append(UInt32(directory.count), to: &end)
    Self.append(UInt32(offset), to: &end)
    Self.append(0 as UInt16, to: &end)
    try write(end)
  }

  private static func deflated(_ bytes: [UInt8]) -> [UInt8]? {
    var length = 0
    guard
      let data = bytes.withUnsafeBufferPointer({ weir_deflate($0.baseAddress, $0.count, &length) })
    else { return nil }
    defer { free(data) }
    return Array(UnsafeBufferPointer(start: data, count: length))
  }

  private static func append<Number: FixedWidthInteger>(_ number: Number, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
