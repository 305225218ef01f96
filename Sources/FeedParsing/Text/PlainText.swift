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
  static func read(
    _ bytes: UnsafeBufferPointer<UInt8>, isHTML: Bool, limit: Int = maximumTitle
  ) -> String? {
    // Entities and markup shrink, so more than the limit is read; but not a megabyte of it.
    let inner = UnsafeBufferPointer(rebasing: bytes.prefix(limit * 8).trimmed)
    guard !inner.isEmpty else { return nil }
    var text: String
    if isAlreadyPlain(inner) {
      text = inner.string
    } else {
      text = mappingControls(inner) { mapped in
        let isMarkup =
          isHTML && mapped.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }
        return isMarkup ? HTMLContent.plainText(mapped) : clean(mapped)
      }
    }
    if text.utf8.count > limit { text = cut(text, to: limit) }
    return text.isEmpty ? nil : text
  }

  static func read(_ bytes: some Collection<UInt8>, isHTML: Bool, limit: Int = maximumTitle)
    -> String?
  {
    Array(bytes).withUnsafeBufferPointer { read($0, isHTML: isHTML, limit: limit) }
  }

  static func read(_ text: String?, isHTML: Bool, limit: Int = maximumTitle) -> String? {
    guard var text else { return nil }
    return text.withUTF8 { read($0, isHTML: isHTML, limit: limit) }
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

  /// Text that is no HTML: control and bidi-control characters go, runs of white space become one
  /// space.
  private static func clean(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var owesSpace = false
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte.isSpace {
        owesSpace = !out.isEmpty
        index += 1
        continue
      }
      let hidden = controlLength(bytes, at: index)
      if hidden > 0 {
        index += hidden
        continue
      }
      if owesSpace { out.append(0x20) }
      owesSpace = false
      out.append(byte)
      index += 1
    }
    return out.string
  }

  /// Bytes of the control character at `index`; 0 where there is another.
  private static func controlLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    func byte(_ ahead: Int) -> UInt8 { index + ahead < bytes.count ? bytes[index + ahead] : 0 }
    switch byte(0) {
    case 0..<0x20, 0x7F: return 1
    case 0xC2 where byte(1) <= 0x9F: return 2
    case 0xD8 where byte(1) == 0x9C: return 2  // U+061C
    case 0xE2 where byte(1) == 0x80 && (0x8E...0x8F).contains(byte(2)): return 3  // U+200E–200F
    case 0xE2 where byte(1) == 0x80 && (0xAA...0xAE).contains(byte(2)): return 3  // U+202A–202E
    case 0xE2 where byte(1) == 0x81 && (0xA6...0xAF).contains(byte(2)): return 3  // U+2066–206F
    case 0xEF where byte(1) == 0xBB && byte(2) == 0xBF: return 3  // U+FEFF
    case 0xEF where byte(1) == 0xBF && (0xB9...0xBB).contains(byte(2)): return 3  // U+FFF9–FFFB
    case 0xEF where byte(1) == 0xBF && byte(2) >= 0xBE: return 3  // U+FFFE, U+FFFF
    case 0xF3 where byte(1) == 0xA0 && byte(2) <= 0x81: return 4  // U+E0000–E007F
    default: return 0
    }
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
  private static func isAlreadyPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
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
  static func mappingControls<Result>(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    guard var index = firstC1(bytes, from: 0) else { return body(bytes) }
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count * 3 / 2)
    var copied = 0
    while true {
      out.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[copied..<index]))
      out.append(contentsOf: String(windows1252[Int(bytes[index + 1] - 0x80)]).utf8)
      copied = index + 2
      guard let next = firstC1(bytes, from: copied) else { break }
      index = next
    }
    out.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[copied...]))
    return out.withUnsafeBufferPointer(body)
  }

  private static func firstC1(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var from = start
    while let index = bytes.index(of: 0xC2, from: from) {
      if index + 1 < bytes.count, bytes[index + 1] <= 0x9F { return index }
      from = index + 1
    }
    return nil
  }

  /// What windows-1252 has at 0x80–0x9F; its five holes become a replacement character.
  static let windows1252: [Unicode.Scalar] = Array(
    "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)
}
