/// What stands for the title of an item that has none: the beginning of its text, or its address.
public enum DerivedTitle {
  /// Characters after which a title ends at the next word.
  private static let longest = 100

  /// The start of the item's text, its summary or its HTML, on one line, else its address; nil
  /// where it has none of these.
  public static func of(_ item: ParsedItem) -> String? {
    for candidate in [item.contentText, item.summary, item.contentHTML.map(plainStart(html:))] {
      if let text = nonBlank(candidate) { return start(of: text) }
    }
    return nonBlank(item.url)
  }

  /// The text itself; nil where nothing of it can be seen.
  public static func nonBlank(_ text: String?) -> String? {
    guard let text, text.utf8.contains(where: { $0 > 0x20 }) else { return nil }
    return text
  }

  /// At most so many bytes of UTF-8; cut between characters.
  public static func cut(_ text: String, _ limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: limit)
    // Never inside a character's bytes.
    while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
      end = text.utf8.index(before: end)
    }
    return String(text[..<end])
  }

  /// The first words, on one line.
  private static func start(of text: String) -> String {
    let head = cut(text, 1_024)
    var out = ""
    var length = 0
    for word in head.split(whereSeparator: \.isWhitespace) {
      if length + word.count > longest, length > 0 { return out + "…" }
      if length > 0 { out += " " }
      out += word.prefix(longest)
      length += word.count + 1
      if length > longest { return out + "…" }
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
}
