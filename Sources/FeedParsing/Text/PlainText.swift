internal import HTMLContent

/// Bytes of a feed → the plain text of a title, a name, a label.
enum PlainText {
  /// A title longer than this is cut; bytes of UTF-8.
  static let maximumTitle = 4096
  /// Names, labels and languages are cut here.
  static let maximumLabel = 512
  /// Summaries are cut here.
  static let maximumSummary = 1 << 16

  /// - Parameters:
  ///   - isHTML: whether markup and entities in it mean something.
  ///   - limit: bytes of UTF-8 that are kept.
  /// - Returns: nil where nothing is left.
  static func read(_ bytes: some Collection<UInt8>, isHTML: Bool, limit: Int = maximumTitle)
    -> String?
  {
    // Entities and markup shrink, so more than the limit is read; but not a megabyte of it.
    let source = bytes.count > limit * 8 ? Array(bytes.prefix(limit * 8)) : Array(bytes)
    let inner = source.trimmed
    guard !inner.isEmpty else { return nil }
    var text: String
    if isAlreadyPlain(inner) {
      text = inner.string
    } else if isHTML, inner.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") })
    {
      text = HTMLContent.plainText(Self.mappingControls(Array(inner)).string)
    } else {
      text = Self.clean(Self.mappingControls(Array(inner)).string, keepsLines: false)
    }
    if text.utf8.count > limit { text = cut(text, to: limit) }
    return text.isEmpty ? nil : text
  }

  /// A label. Feeds do not say that these are HTML, but many escape them twice (`R&amp;amp;D`): the
  /// entities are decoded, what looks like tags is text.
  static func label(_ bytes: some Collection<UInt8>) -> String? {
    guard bytes.contains(UInt8(ascii: "&")), bytes.count <= 4096 else {
      return read(bytes, isHTML: false, limit: maximumLabel)
    }
    var escaped: [UInt8] = []
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "<"): escaped.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): escaped.append(contentsOf: "&gt;".utf8)
      default: escaped.append(byte)
      }
    }
    return read(escaped, isHTML: true, limit: maximumLabel)
  }

  static func read(_ text: String?, isHTML: Bool, limit: Int = maximumTitle) -> String? {
    guard let text else { return nil }
    return read(text.utf8, isHTML: isHTML, limit: limit)
  }

  /// Text that is no HTML: control and bidi-control characters go, runs of white space become one
  /// space, or stay where lines matter.
  static func clean(_ text: String, keepsLines: Bool) -> String {
    var out = String.UnicodeScalarView()
    var pendingSpace = false
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x20, 0x09, 0x0A, 0x0D, 0x0C:
        if !keepsLines {
          pendingSpace = !out.isEmpty
        } else if scalar != "\r", scalar != "\u{0C}" {
          out.append(scalar)
        }
        continue
      case 0..<0x20, 0x7F...0x9F, 0x61C, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF,
        0xE0000...0xE007F:
        continue
      default: break
      }
      if pendingSpace {
        out.append(" ")
        pendingSpace = false
      }
      out.append(scalar)
    }
    return String(out)
  }

  /// The first `limit` bytes, to a whole character.
  static func cut(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var end = text.utf8.index(text.utf8.startIndex, offsetBy: limit)
    while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
      end = text.utf8.index(before: end)
    }
    return String(text[..<end])
  }

  /// Nothing in it that HTML, white space or the terminal would take otherwise than as it stands.
  /// Errs on the side of no: characters whose first byte may begin a control go the long way.
  private static func isAlreadyPlain(_ bytes: ArraySlice<UInt8>) -> Bool {
    var previous: UInt8 = 0
    for byte in bytes {
      switch byte {
      case 0x20: if previous == 0x20 { return false }
      case UInt8(ascii: "<"), UInt8(ascii: "&"), 0..<0x20, 0x7F: return false
      case 0xC2, 0xCC, 0xD8, 0xE1, 0xE2, 0xE3, 0xEF, 0xF3: return false
      default: break
      }
      previous = byte
    }
    return true
  }

  /// The C1 controls U+0080–U+009F are windows-1252 characters written by number (`&#150;`), as
  /// every browser takes them (HTML, "numeric character reference end state").
  static func mappingControls(_ bytes: [UInt8]) -> [UInt8] {
    guard holdsC1(bytes) else { return bytes }
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == 0xC2, index + 1 < bytes.endIndex, bytes[index + 1] >= 0x80,
        bytes[index + 1] <= 0x9F
      {
        let scalar = windows1252[Int(bytes[index + 1] - 0x80)]
        out.append(contentsOf: String(scalar).utf8)
        index += 2
      } else {
        out.append(byte)
        index += 1
      }
    }
    return out
  }

  private static func holdsC1(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var from = 0
      while let index = bytes.index(of: 0xC2, from: from) {
        if index + 1 < bytes.count, bytes[index + 1] <= 0x9F { return true }
        from = index + 1
      }
      return false
    }
  }

  /// What windows-1252 has at 0x80–0x9F; its five holes become a replacement character.
  static let windows1252: [Unicode.Scalar] = Array(
    "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)
}
