/// How an Atom text or content element is to be understood (RFC 4287, §3.1.1 and §4.1.3.3; Atom 0.3,
/// §3.1: `type` and `mode`).
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
