/// Writes XHTML elements of a feed out as HTML text, for the sanitiser to read.
enum HTMLWriter {
  /// Appends text with `&`, `<`, `>` and `"` escaped.
  static func escape(_ bytes: some Sequence<UInt8>, into out: inout [UInt8]) {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "&"): out.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): out.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): out.append(contentsOf: "&gt;".utf8)
      case UInt8(ascii: "\""): out.append(contentsOf: "&quot;".utf8)
      default: out.append(byte)
      }
    }
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
