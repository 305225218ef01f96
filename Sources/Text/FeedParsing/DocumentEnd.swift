/// Checks that a feed document is complete, if nothing else proves it: the parser also accepts a
/// truncated document.
package enum DocumentEnd {
  package static func isReached(_ bytes: [UInt8]) -> Bool {
    // Markup is ASCII; wider encodings have zeros between the characters.
    let text = bytes.filter { $0 != 0 }
    let isJSON = text.first { $0 > 0x20 && $0 < 0x80 } == UInt8(ascii: "{")
    return isJSON ? closesBrackets(text) : closesRoot(text)
  }

  private static let roots: Set<String> = ["rss", "rdf", "feed", "channel", "entry"]

  /// Ignores content after the root element, such as a comment or script of the server.
  private static func closesRoot(_ text: [UInt8]) -> Bool {
    var rest = text[...]
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = text[(open + 1)...]
      let name = rest.prefix { !isEndOfName($0) && $0 != UInt8(ascii: "/") }
      let local = name.split(separator: UInt8(ascii: ":")).last ?? name
      if roots.contains(String(decoding: local, as: UTF8.self).lowercased()) {
        return closes(name, rest)
      }
    }
    return true
  }

  /// Searches backwards for an end tag of this name.
  private static func closes(_ name: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
    let tag = lowercased(Array("</".utf8) + name)
    var rest = text
    while let open = rest.lastIndex(of: UInt8(ascii: "<")) {
      let found = text[open...]
      if lowercased(found.prefix(tag.count)) == tag,
        found.dropFirst(tag.count).first.map(isEndOfName) ?? false
      {
        return true
      }
      rest = rest[..<open]
    }
    return false
  }

  private static func lowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    bytes.map { $0 | 0x20 }
  }

  private static func isEndOfName(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: ">")
  }

  private static func closesBrackets(_ text: [UInt8]) -> Bool {
    var depth = 0
    var (isInString, isEscaped) = (false, false)
    for byte in text {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isInString: isEscaped = true
      case UInt8(ascii: "\""): isInString.toggle()
      case _ where isInString: break
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
    return depth <= 0 && !isInString
  }
}
