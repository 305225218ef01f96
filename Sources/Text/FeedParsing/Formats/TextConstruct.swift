internal import Foundation
internal import HTMLContent
internal import TextRules

/// The type of an Atom text or content element (RFC 4287, §3.1.1 and §4.1.3.3; Atom 0.3, §3.1:
/// `type` and `mode`).
enum TextConstruct {
  case text
  case html
  case xhtml
  /// Base64; `isHTML` is `nil` if the type is neither text nor HTML.
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
    case .text: .xhtml  // Text that contains elements is read as XHTML.
    case .html, .base64: .html
    case .xhtml: .xhtml
    }
  }

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

/// Detects wrong types: text without `type` is plain in Atom (RFC 4287, §3.1.1), but many
/// generators write HTML.
enum HTMLEvidence {
  /// True if the text has a closed or void HTML element, or a character reference.
  static func isFound(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var from = 0
    while let open = bytes.index(of: UInt8(ascii: "<"), from: from) {
      if isTag(bytes, at: open) { return true }
      from = open + 1
    }
    return holdsReference(bytes)
  }

  /// True if the text has paragraphs, but no tags or character references. `<https://example.org>`
  /// is not a tag.
  static func isMissing(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    !holdsMarkup(bytes) && holdsBlankLine(bytes) && !holdsReference(bytes)
  }

  /// True if the text has an HTML tag, comment or declaration. Stops at the first.
  private static func holdsMarkup(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var from = 0
    while let open = bytes.index(of: UInt8(ascii: "<"), from: from) {
      from = open + 1
      guard from < bytes.count else { return false }
      if bytes[from] == UInt8(ascii: "!") { return true }
      let start = bytes[from] == UInt8(ascii: "/") ? from + 1 : from
      guard let (name, end) = name(bytes, from: start),
        bytes[end].isSpace || "/>".utf8.contains(bytes[end])
      else { continue }
      if HTMLContent.isElement(name) { return true }
    }
    return false
  }

  /// True if a blank line separates other lines.
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

  /// True for tags such as `</p>`, `<br>`, `<img …>`, `<hr/>`.
  private static func isTag(_ bytes: UnsafeBufferPointer<UInt8>, at open: Int) -> Bool {
    let isEnd = open + 1 < bytes.count && bytes[open + 1] == UInt8(ascii: "/")
    guard let (name, end) = name(bytes, from: open + (isEnd ? 2 : 1)) else { return false }
    if isEnd { return bytes[end] == UInt8(ascii: ">") && HTMLContent.isElement(name) }
    guard HTMLContent.isVoid(name) else { return false }
    return bytes[end] == UInt8(ascii: ">") || bytes[end] == UInt8(ascii: "/")
      || (bytes[end].isSpace && bytes.index(of: UInt8(ascii: ">"), from: end) != nil)
  }

  /// Returns a name of at most 12 letters and digits, and its end; `nil` if nothing follows.
  private static func name(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> (UnsafeBufferPointer<UInt8>, end: Int)? {
    guard start < bytes.count else { return nil }
    let name = bytes[start...].prefix(12).prefix { $0.isLetter || $0.isDigit }
    guard !name.isEmpty, name.endIndex < bytes.count else { return nil }
    return (UnsafeBufferPointer(rebasing: name), name.endIndex)
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
  /// Decodes RFC 4648, §4 and §5, ignoring white space and padding; `nil` if malformed.
  static func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var digits = bytes.filter { !$0.isSpace && $0 != UInt8(ascii: "=") }.map { byte in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: byte
      }
    }
    while digits.count % 4 != 0 { digits.append(UInt8(ascii: "=")) }
    return Data(base64Encoded: Data(digits)).map(Array.init)
  }
}
