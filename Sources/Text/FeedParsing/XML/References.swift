internal import TextRules

/// Decodes character references in place. Other ampersands are kept.
enum References {
  /// Decodes `text` from `start`, in place, because no reference is shorter than its character.
  static func decode(_ text: inout [UInt8], from start: Int) {
    let end = text.withUnsafeMutableBufferPointer { decode($0, from: start) }
    text.removeLast(text.count - end)
  }

  /// - Returns: the end of the decoded text.
  private static func decode(_ bytes: UnsafeMutableBufferPointer<UInt8>, from start: Int) -> Int {
    let source = UnsafeBufferPointer(bytes)
    guard let base = bytes.baseAddress,
      var read = source.index(of: UInt8(ascii: "&"), from: start)
    else { return bytes.count }
    var write = read
    while true {
      if let (character, length) = CharacterReferences.predefined(
        source, at: read, end: source.count)
      {
        base[write] = character
        write += 1
        read += length
      } else if let match = CharacterReferences.xmlMatch(source, at: read) {
        write += put(match.first, base + write)
        read += match.length
      } else {
        base[write] = UInt8(ascii: "&")
        write += 1
        read += 1
      }
      moveText(bytes, from: &read, to: &write)
      guard read < bytes.count else { return write }
    }
  }

  /// Moves the bytes before the next ampersand, 16 at a time: over such short distances the C
  /// library is slower.
  @inline(__always)
  private static func moveText(
    _ bytes: UnsafeMutableBufferPointer<UInt8>, from read: inout Int, to write: inout Int
  ) {
    typealias Block = SIMD16<UInt8>
    let raw = UnsafeMutableRawBufferPointer(bytes)
    let ampersand = UInt8(ascii: "&")
    while read + 16 <= bytes.count {
      let block = raw.loadUnaligned(fromByteOffset: read, as: Block.self)
      let found = unsafeBitCast(block .== Block(repeating: ampersand), to: SIMD2<UInt64>.self)
      guard found.x | found.y == 0 else { break }
      raw.storeBytes(of: block, toByteOffset: write, as: Block.self)
      read += 16
      write += 16
    }
    while read < bytes.count, bytes[read] != ampersand {
      bytes[write] = bytes[read]
      read += 1
      write += 1
    }
  }

  /// Returns an attribute's text, with white space as spaces (XML 1.0, §3.3.3).
  static func value(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    let isPlain = bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "&") }
    if isPlain { return bytes.string }
    var text = bytes.map { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
    decode(&text, from: 0)
    return text.string
  }

  /// Writes UTF-8 and returns the number of bytes.
  private static func put(_ scalar: UInt32, _ target: UnsafeMutablePointer<UInt8>) -> Int {
    if scalar < 0x80 {
      target.pointee = UInt8(scalar)
      return 1
    }
    var count = 0
    for unit in Unicode.Scalar(scalar).flatMap(UTF8.encode) ?? UTF8.encodedReplacementCharacter {
      target[count] = unit
      count += 1
    }
    return count
  }
}
