internal import FeedModel

/// Builds one line of plain text: removes invisible characters, collapses and trims white space.
package struct PlainText {
  package private(set) var out: [UInt8] = []
  private var owesSpace = false
  /// True if the last character may continue a cluster.
  private var mayPile = false

  package init(capacity: Int) { out.reserveCapacity(capacity) }

  package var text: String { bytes.string }

  /// The line as UTF-8.
  package var bytes: [UInt8] {
    var end = out.count
    // Each space other than U+0020 that a line may contain has three bytes.
    out.withUnsafeBufferPointer { out in
      while end >= 3, out[end - 3] >= 0xE1,
        ForbiddenCharacters.isWideSpace(UTF8Scalar.read(out, at: end - 3, end: end).value)
      {
        end -= 3
        while end > 0, out[end - 1] == 0x20 { end -= 1 }
      }
    }
    let line = end == out.count ? out : Array(out[..<end])
    return mayPile ? GraphemeLimit.limited(line) : line
  }

  /// Ends a word.
  package mutating func space() { owesSpace = !out.isEmpty }

  package mutating func write(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, decodes: Bool
  ) {
    let isCopied = Self.isCopied
    let end = range.upperBound
    var index = range.lowerBound
    while index < end {
      let byte = bytes[index]
      if isCopied[Int(byte)] {
        paySpace()
        let start = index
        repeat {
          index += 1
        } while index < end && isCopied[Int(bytes[index])]
        out.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
        continue
      }
      if byte == UInt8(ascii: "&"), decodes,
        let match = CharacterReferences.match(bytes, at: index, end: end, inAttribute: false)
      {
        write(scalar: match.first)
        if let second = match.second { write(scalar: second) }
        index += match.length
        continue
      }
      let (scalar, length) = UTF8Scalar.read(bytes, at: index, end: end)
      write(scalar: scalar)
      index += length
    }
  }

  private mutating func write(scalar: UInt32) {
    switch ForbiddenCharacters.lineVerdict(scalar) {
    case .drop: return
    case .space, .newline: space()
    case .keep:
      if out.isEmpty, ForbiddenCharacters.isWideSpace(scalar) { return }
      mayPile = mayPile || !GraphemeLimit.beginsCluster(scalar)
      paySpace()
      UTF8Scalar.append(scalar, to: &out)
    case .replace(let other):
      paySpace()
      UTF8Scalar.append(other, to: &out)
    }
  }

  private mutating func paySpace() {
    guard owesSpace else { return }
    out.append(0x20)
    owesSpace = false
  }

  package static func line(_ text: UnsafeBufferPointer<UInt8>) -> String {
    if isClean(text, isHTML: false) { return text.string }
    var plain = PlainText(capacity: text.count)
    plain.write(text, text.indices, decodes: false)
    return plain.text
  }

  /// Returns true if `bytes` certainly need no change: they have only single spaces and copied
  /// characters, and no markup if `isHTML`.
  package static func isClean(_ bytes: UnsafeBufferPointer<UInt8>, isHTML: Bool) -> Bool {
    let isCopied = isCopied
    var previous: UInt8 = 0x20
    for byte in bytes {
      if !isCopied[Int(byte)] {
        switch byte {
        case 0x20 where previous != 0x20: break
        case UInt8(ascii: "&") where !isHTML: break
        default: return false
        }
      } else if byte == UInt8(ascii: "<"), isHTML {
        return false
      }
      previous = byte
    }
    return previous != 0x20 || bytes.isEmpty
  }

  /// First bytes of characters that are copied and begin a cluster: printable ASCII except the
  /// ampersand, Latin, Greek and Cyrillic letters, Chinese characters, most Hangul.
  private static let isCopied: [Bool] = (0..<256).map { byte in
    switch byte {
    case 0x26: false
    case 0x21...0x7E, 0x80...0xBF, 0xC3...0xCB, 0xCE...0xD1, 0xE4...0xE9, 0xEB, 0xEC: true
    default: false
    }
  }

  /// Returns the first `limit` bytes, to a whole character.
  package static func cut(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var end = text.utf8.index(text.utf8.startIndex, offsetBy: limit)
    while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
      end = text.utf8.index(before: end)
    }
    return String(text[..<end])
  }
}
