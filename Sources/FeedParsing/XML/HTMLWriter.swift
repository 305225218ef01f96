/// Writes XHTML elements of a feed out as HTML text, for the sanitiser to read.
enum HTMLWriter {
  /// Appends text with `&`, `<`, `>` and `"` escaped.
  static func escape(_ bytes: UnsafeBufferPointer<UInt8>, into out: inout [UInt8]) {
    var start = 0
    for index in 0..<bytes.count {
      let escape: StaticString
      switch bytes[index] {
      case UInt8(ascii: "&"): escape = "&amp;"
      case UInt8(ascii: "<"): escape = "&lt;"
      case UInt8(ascii: ">"): escape = "&gt;"
      case UInt8(ascii: "\""): escape = "&quot;"
      default: continue
      }
      out.append(contentsOf: bytes[start..<index])
      out.append(
        contentsOf: UnsafeBufferPointer(
          start: escape.utf8Start, count: escape.utf8CodeUnitCount))
      start = index + 1
    }
    out.append(contentsOf: bytes[start...])
  }

  static func escape(_ text: String, into out: inout [UInt8]) {
    var text = text
    text.withUTF8 { escape($0, into: &out) }
  }

  /// Elements that HTML never closes: `<br></br>` would be two line breaks.
  static func isVoid(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    switch name.count {
    case 2: name.matches("br") || name.matches("hr")
    case 3: name.matches("img") || name.matches("col") || name.matches("wbr")
    case 4:
      name.matches("area") || name.matches("base") || name.matches("link")
        || name.matches("meta")
    case 5:
      name.matches("embed") || name.matches("input") || name.matches("param")
        || name.matches("track")
    case 6: name.matches("source")
    default: false
    }
  }

  /// Attributes whose value is one address.
  static func holdsAddress(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    switch name.count {
    case 3: name.matches("src")
    case 4: name.matches("href") || name.matches("cite") || name.matches("data")
    case 6: name.matches("poster") || name.matches("action")
    case 8: name.matches("longdesc")
    default: false
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether these bytes are the given ASCII word, in whatever case; `word` in lower case.
  func matches(_ word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    for index in 0..<count where self[index].asciiLowercased != word.utf8Start[index] {
      return false
    }
    return true
  }
}
