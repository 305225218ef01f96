/// The rotation or mirroring that makes a picture upright: values of the tag `Orientation` (CIPA
/// DC-008, Exif 2.32, §4.6.4).
public enum PictureOrientation: Int, Sendable, CaseIterable {
  /// Row 0 is the top, column 0 the left side.
  case upright = 1
  /// The left and right sides are exchanged.
  case mirrored = 2
  /// The picture is turned by 180°.
  case turnedHalf = 3
  /// The top and bottom are exchanged.
  case flipped = 4
  /// The picture is mirrored along the diagonal from the upper left.
  case transposed = 5
  /// The picture must be turned by 90° clockwise.
  case turnedRight = 6
  /// The picture is mirrored along the other diagonal.
  case transversed = 7
  /// The picture must be turned by 90° anticlockwise.
  case turnedLeft = 8

  public var swapsSides: Bool { rawValue >= 5 }

  /// Reads the first segments of a JPEG; upright for other kinds or if the tag is missing.
  public init(of bytes: [UInt8]) {
    self = Self.find(bytes) ?? .upright
  }

  private static func find(_ bytes: [UInt8]) -> PictureOrientation? {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    var place = 2
    while place + 4 <= bytes.count, bytes[place] == 0xFF {
      let marker = bytes[place + 1]
      // Data after the start of scan are not segments.
      if marker == 0xDA || marker == 0xD9 { return nil }
      let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
      guard length >= 2 else { return nil }
      let end = min(bytes.count, place + 2 + length)
      if marker == 0xE1, bytes[(place + 4)..<max(end, place + 4)].starts(with: "Exif\0\0".utf8) {
        return orientation(in: bytes[(place + 10)..<max(end, place + 10)])
      }
      place += 2 + length
    }
    return nil
  }

  /// - Parameter data: a TIFF header and the bytes after it.
  private static func orientation(in data: ArraySlice<UInt8>) -> PictureOrientation? {
    let isLittle = data.starts(with: "II".utf8)
    guard isLittle || data.starts(with: "MM".utf8) else { return nil }
    func number(_ offset: Int, _ count: Int) -> Int? {
      let start = data.startIndex + offset
      guard offset >= 0, offset <= data.count - count else { return nil }
      let bytes = data[start..<start + count]
      return (isLittle ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | Int($1) }
    }
    guard number(2, 2) == 42, let directory = number(4, 4), let count = number(directory, 2) else {
      return nil
    }
    // An entry has twelve bytes: tag, type, number of values, value.
    for index in 0..<min(count, 200) {
      let entry = directory + 2 + 12 * index
      guard let tag = number(entry, 2) else { return nil }
      guard tag == 0x0112 else { continue }
      guard number(entry + 2, 2) == 3, let value = number(entry + 8, 2) else { return nil }
      return PictureOrientation(rawValue: value)
    }
    return nil
  }
}
