internal import HTMLContent
internal import TextRules

/// How an Atom text or content element is to be understood (RFC 4287, §3.1.1 and §4.1.3.3; Atom
/// 0.3, §3.1: `type` and `mode`).
enum TextConstruct {
  case text
  case html
  case xhtml
  /// nil: of a kind that is neither text nor HTML.
  case base64(isHTML: Bool?)

  init(_ element: XMLElement) {
    let type = element[.type]?.trimmedOrNil?.lowercased() ?? ""
    let media = MediaType.normalised(type) ?? type
    switch element[.mode]?.trimmedOrNil?.lowercased() {
    case "base64":
      self = .base64(isHTML: Self.isMarkup(media))
      return
    case "escaped":
      self = media == "text/plain" || media == "text" ? .text : .html
      return
    case "xml":
      self = Self.isMarkup(media) || media.isEmpty ? .xhtml : .text
      return
    default: break
    }
    switch media {
    case "", "text", "text/plain": self = .text
    case "html", "text/html": self = .html
    case "xhtml": self = .xhtml
    case _ where Self.isMarkup(media): self = .xhtml
    case _ where media.hasPrefix("text/"): self = .text
    case _ where media.contains("/"): self = .base64(isHTML: nil)
    default: self = .html
    }
  }

  private static func isMarkup(_ media: String) -> Bool {
    media.hasSuffix("+xml") || media.hasSuffix("/xml") || media == "xhtml" || media == "text/html"
      || media == "html"
  }

  var mode: TextMode {
    switch self {
    case .text: .xhtml  // Text that holds elements nevertheless is read as what it is.
    case .html, .base64: .html
    case .xhtml: .xhtml
    }
  }

  /// The text, and whether it is HTML.
  func read<Result>(
    _ text: XMLText, _ body: (UnsafeBufferPointer<UInt8>, Body.Form) -> Result
  ) -> Result {
    switch self {
    case .text: return body(text.bytes, text.hasMarkup ? .html : .text)
    case .html: return body(text.bytes, .html)
    case .xhtml: return body(text.withoutWrapper, text.hasMarkup ? .html : .text)
    case .base64(let isHTML):
      guard !text.hasMarkup, let decoded = Base64.decode(text.bytes),
        TextDecoding.isUTF8(decoded)
      else { return body(text.bytes, text.hasMarkup ? .html : .text) }
      return decoded.withUnsafeBufferPointer { body($0, isHTML == true ? .html : .text) }
    }
  }
}

/// Atom says that text without a `type` is plain (RFC 4287, §3.1.1); many generators leave the type
/// out and write HTML all the same.
enum HTMLEvidence {
  /// Whether a plain text is evidently HTML: an element that is closed, one that HTML never closes,
  /// or a character reference.
  static func isFound(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var from = 0
    while let open = bytes.index(of: UInt8(ascii: "<"), from: from) {
      if isTag(bytes, at: open) { return true }
      from = open + 1
    }
    return holdsReference(bytes)
  }

  /// Whether a text that should be HTML is evidently plain: it has paragraphs, and neither tags nor
  /// character references. `<https://example.org>` is no tag.
  static func isMissing(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    !holdsMarkup(bytes) && holdsBlankLine(bytes) && !holdsReference(bytes)
  }

  /// Whether there is a tag of HTML, or a comment or declaration. The first tag of HTML ends the
  /// search.
  private static func holdsMarkup(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var from = 0
    while let open = bytes.index(of: UInt8(ascii: "<"), from: from) {
      from = open + 1
      guard from < bytes.count else { return false }
      if bytes[from] == UInt8(ascii: "!") { return true }
      let start = bytes[from] == UInt8(ascii: "/") ? from + 1 : from
      var end = start
      while end < bytes.count, end - start < 12, bytes[end].isLetter || bytes[end].isDigit {
        end += 1
      }
      guard end > start, end < bytes.count, bytes[end].isSpace || "/>".utf8.contains(bytes[end])
      else { continue }
      let name = UnsafeBufferPointer(rebasing: bytes[start..<end])
      if HTMLContent.isElement(name) { return true }
    }
    return false
  }

  /// Between other lines.
  private static func holdsBlankLine(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var lineEnds = 0
    var hasText = false
    for byte in bytes {
      if byte == 0x0A {
        lineEnds += 1
      } else if !byte.isSpace {
        if hasText, lineEnds > 1 { return true }
        (hasText, lineEnds) = (true, 0)
      }
    }
    return false
  }

  /// `</p>`, `<br>`, `<img …>`, `<hr/>`.
  private static func isTag(_ bytes: UnsafeBufferPointer<UInt8>, at open: Int) -> Bool {
    let isEnd = open + 1 < bytes.count && bytes[open + 1] == UInt8(ascii: "/")
    let start = open + (isEnd ? 2 : 1)
    var end = start
    while end < bytes.count, end - start < 12, bytes[end].isLetter || bytes[end].isDigit {
      end += 1
    }
    guard end > start, end < bytes.count else { return false }
    let name = UnsafeBufferPointer(rebasing: bytes[start..<end])
    if isEnd { return bytes[end] == UInt8(ascii: ">") && HTMLContent.isElement(name) }
    guard HTMLContent.isVoid(name) else { return false }
    return bytes[end] == UInt8(ascii: ">") || bytes[end] == UInt8(ascii: "/")
      || (bytes[end].isSpace && bytes.index(of: UInt8(ascii: ">"), from: end) != nil)
  }

  private static func holdsReference(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var from = 0
    while let open = bytes.index(of: UInt8(ascii: "&"), from: from) {
      if CharacterReferences.xmlMatch(bytes, at: open) != nil { return true }
      from = open + 1
    }
    return false
  }
}

enum Base64 {
  /// RFC 4648, §4, with white space anywhere; nil for anything else.
  static func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var out: [UInt8] = []
    var accumulator: UInt32 = 0
    var bits = 0
    for byte in bytes {
      let value: UInt32
      switch byte {
      case 0x41...0x5A: value = UInt32(byte - 0x41)
      case 0x61...0x7A: value = UInt32(byte - 0x61) + 26
      case 0x30...0x39: value = UInt32(byte - 0x30) + 52
      case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
      case UInt8(ascii: "="): continue
      case _ where byte.isSpace: continue
      default: return nil
      }
      accumulator = accumulator << 6 | value
      bits += 6
      if bits >= 8 {
        bits -= 8
        out.append(UInt8(truncatingIfNeeded: accumulator >> UInt32(bits)))
      }
    }
    return out
  }
}
