import FeedModel

/// What an article shows where its item leaves a gap, and how much of an item is kept.
enum ItemText {
  /// Bytes of UTF-8. What is longer is cut between characters; an address that is longer is none.
  enum Limit {
    static let title = 2_000
    static let address = 8_192
    static let identifier = 1_024
    static let summary = 65_536
    static let body = 4_194_304
    static let label = 512
  }

  /// At most so many authors, tags, enclosures.
  static let mostParts = 64

  static func cut(_ text: String, _ limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: limit)
    // Never inside a character's bytes.
    while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
      end = text.utf8.index(before: end)
    }
    return String(text[..<end])
  }

  /// At most `Limit.label` of it.
  static func label(_ text: String) -> String { cut(text, Limit.label) }

  static func address(_ text: String?) -> String? {
    guard let text, !text.isEmpty, text.utf8.count <= Limit.address else { return nil }
    return text
  }

  // MARK: Titles

  /// Never empty: the item's title, else the start of its text, else its address, else its id.
  static func title(_ item: ParsedItem) -> String {
    if let title = nonBlank(item.title) { return cut(title, Limit.title) }
    let candidates = [item.contentText, item.summary, item.contentHTML.map(plainStart(html:))]
    for candidate in candidates {
      if let text = nonBlank(candidate) { return start(of: text) }
    }
    return cut(nonBlank(item.url) ?? nonBlank(visible(item.id)) ?? "·", Limit.title)
  }

  /// An id is kept as it was written; what is read of it is not.
  private static func visible(_ text: String) -> String {
    var kept = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: continue
      default: kept.append(scalar)
      }
    }
    return String(kept)
  }

  private static func nonBlank(_ text: String?) -> String? {
    guard let text, text.utf8.contains(where: { $0 > 0x20 }) else { return nil }
    return text
  }

  /// The first words, on one line.
  private static func start(of text: String) -> String {
    let head = cut(text, 1_024)
    var out = ""
    var length = 0
    for word in head.split(whereSeparator: \.isWhitespace) {
      if length + word.count > 100, length > 0 { return out + "…" }
      if length > 0 { out += " " }
      out += word.prefix(100)
      length += word.count + 1
      if length > 100 { return out + "…" }
    }
    return head.utf8.count < text.utf8.count ? out + "…" : out
  }

  /// The text at the head of sanitised HTML: tags away, the few entities that a sanitiser writes
  /// decoded. Only for a title; readers render the tree.
  private static func plainStart(html: String) -> String {
    var out: [UInt8] = []
    var isTag = false
    var entity: [UInt8]?
    for byte in html.utf8.prefix(16_384) where out.count < 2_048 {
      if isTag {
        if byte == UInt8(ascii: ">") {
          isTag = false
          out.append(UInt8(ascii: " "))
        }
      } else if let name = entity {
        if byte == UInt8(ascii: ";") {
          out += decoded(name)
          entity = nil
        } else if name.count > 9 || byte == UInt8(ascii: "<") || byte <= 0x20 {
          out += [UInt8(ascii: "&")] + name
          entity = nil
          if byte == UInt8(ascii: "<") { isTag = true } else { out.append(byte) }
        } else {
          entity = name + [byte]
        }
      } else if byte == UInt8(ascii: "<") {
        isTag = true
      } else if byte == UInt8(ascii: "&") {
        entity = []
      } else {
        out.append(byte)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  private static func decoded(_ name: [UInt8]) -> [UInt8] {
    let text = String(decoding: name, as: UTF8.self)
    switch text {
    case "amp": return Array("&".utf8)
    case "lt": return Array("<".utf8)
    case "gt": return Array(">".utf8)
    case "quot": return Array("\"".utf8)
    case "apos": return Array("'".utf8)
    case "nbsp": return Array(" ".utf8)
    default:
      guard text.hasPrefix("#") else { return [UInt8(ascii: "&")] + name + [UInt8(ascii: ";")] }
      let digits = text.dropFirst()
      let isHexadecimal = digits.first == "x" || digits.first == "X"
      let code =
        isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      guard let code, code >= 0x20, let scalar = Unicode.Scalar(code) else { return [] }
      return Array(String(scalar).utf8)
    }
  }

  // MARK: Bodies

  /// Sanitised HTML of what an item says; empty where it says no more than a summary.
  static func body(_ item: ParsedItem) -> String {
    if let html = nonBlank(item.contentHTML) { return cut(html, Limit.body) }
    if let text = nonBlank(item.contentText) { return html(plain: cut(text, Limit.body)) }
    return ""
  }

  /// Plain text as HTML: a blank line parts paragraphs, a line end stays one.
  static func html(plain text: String) -> String {
    var out: [UInt8] = []
    var lineEnds = 0
    var isOpen = false
    for byte in text.utf8 {
      if byte == 0x0D { continue }
      if byte == 0x0A {
        lineEnds += 1
        continue
      }
      if isOpen, lineEnds > 1 {
        out += Array("</p>".utf8)
        isOpen = false
      }
      if !isOpen {
        out += Array("<p>".utf8)
        isOpen = true
      } else if lineEnds == 1 {
        out += Array("<br>".utf8)
      }
      lineEnds = 0
      switch byte {
      case UInt8(ascii: "&"): out += Array("&amp;".utf8)
      case UInt8(ascii: "<"): out += Array("&lt;".utf8)
      case UInt8(ascii: ">"): out += Array("&gt;".utf8)
      default: out.append(byte)
      }
    }
    if isOpen { out += Array("</p>".utf8) }
    return String(decoding: out, as: UTF8.self)
  }
}
