internal import FeedModel

/// One line of plain text in the making: invisible characters out, white space collapsed and
/// trimmed.
package struct PlainText {
  package private(set) var out: [UInt8] = []
  private var owesSpace = false

  package init(capacity: Int) { out.reserveCapacity(capacity) }

  package var text: String {
    var end = out.count
    // The spaces that a line may hold have three bytes each.
    out.withUnsafeBufferPointer { out in
      while end >= 3, out[end - 3] >= 0xE1,
        ForbiddenCharacters.isWideSpace(UTF8Scalar.read(out, at: end - 3, end: end).value)
      {
        end -= 3
        while end > 0, out[end - 1] == 0x20 { end -= 1 }
      }
    }
    return GraphemeLimit.limited(out[..<end].string)
  }

  /// A word boundary.
  package mutating func space() { owesSpace = !out.isEmpty }

  package mutating func write(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, decodes: Bool
  ) {
    let end = range.upperBound
    var index = range.lowerBound
    while index < end {
      let byte = bytes[index]
      // Printable ASCII but the ampersand.
      if byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "&") {
        paySpace()
        let start = index
        repeat {
          index += 1
        } while index < end && bytes[index] > 0x20 && bytes[index] < 0x7F
          && bytes[index] != UInt8(ascii: "&")
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

  // MARK: Whole texts

  /// Text that is no markup, as one line.
  package static func line(_ text: UnsafeBufferPointer<UInt8>) -> String {
    if isClean(text, isHTML: false) { return text.string }
    var plain = PlainText(capacity: text.count)
    plain.write(text, text.indices, decodes: false)
    return plain.text
  }

  /// Whether `bytes` come out as they go in: single spaces inside, no markup where that counts, and
  /// no character that is looked at or that could pile up in a cluster. Errs on the side of no.
  package static func isClean(_ bytes: UnsafeBufferPointer<UInt8>, isHTML: Bool) -> Bool {
    let needsLook = needsLook
    var previous: UInt8 = 0x20
    for byte in bytes {
      if needsLook[Int(byte)] {
        switch byte {
        case 0x20 where previous != 0x20: break
        case UInt8(ascii: "&") where !isHTML, UInt8(ascii: "<") where !isHTML: break
        default: return false
        }
      }
      previous = byte
    }
    return previous != 0x20 || bytes.isEmpty
  }

  /// All but printable ASCII without markup, Latin, Greek and Cyrillic letters and Chinese
  /// characters, by the first byte of the character.
  private static let needsLook: [Bool] = (0..<256).map { byte in
    switch byte {
    case 0x26, 0x3C: true
    case 0x21...0x7E, 0x80...0xBF, 0xC3...0xCB, 0xCE...0xD1, 0xE4...0xE9, 0xEB, 0xEC: false
    default: true
    }
  }

  /// The first `limit` bytes, to a whole character.
  package static func cut(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var end = text.utf8.index(text.utf8.startIndex, offsetBy: limit)
    while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
      end = text.utf8.index(before: end)
    }
    return String(text[..<end])
  }
}
