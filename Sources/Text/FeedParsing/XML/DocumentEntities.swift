internal import TextRules

/// Entities declared in the document type (`<!ENTITY co "Company">`; XML 1.0, §4.2).
///
/// Only entities for a short plain text are expanded: no markup, no external entities, at most one
/// level of nesting. The limit on expansions bounds growth to a megabyte. Other references are not
/// changed.
struct DocumentEntities {
  private static let maximumExpansions = 1000
  /// Longest text of an entity in bytes; longer ones are ignored.
  private static let maximumLength = 1024
  private static let maximumDeclarations = 1000

  private var texts: [[UInt8]: [UInt8]] = [:]
  private var expansions = 0

  /// Returns the document from its root element, with expanded references.
  /// - Returns: `nil` if no such entity is declared or used, the usual case.
  static func expanded(_ text: [UInt8], root: Int) -> [UInt8]? {
    guard let subset = internalSubset(text[..<root]) else { return nil }
    var entities = DocumentEntities()
    entities.declare(text[subset])
    guard !entities.texts.isEmpty else { return nil }
    let out = entities.expand(text[root...])
    return entities.expansions > 0 ? out : nil
  }

  /// Returns the text between the brackets of the document type.
  private static func internalSubset(_ prolog: ArraySlice<UInt8>) -> Range<Int>? {
    guard let open = prolog.lastRange(ofWord: "<!DOCTYPE"),
      let bracket = prolog[open.upperBound...].firstIndex(of: UInt8(ascii: "["))
    else { return nil }
    let end = prolog.lastIndex(of: UInt8(ascii: "]")) ?? prolog.endIndex
    return bracket < end ? (bracket + 1)..<end : nil
  }

  // MARK: Declarations

  private mutating func declare(_ subset: ArraySlice<UInt8>) {
    var literals: [[UInt8]: [UInt8]] = [:]
    var index = subset.startIndex
    while literals.count < Self.maximumDeclarations,
      let open = subset[index...].firstIndex(of: UInt8(ascii: "<"))
    {
      index = open + 1
      let rest = subset[open...]
      if rest.starts(with: "<!--".utf8) {
        guard let end = rest.firstRange(of: Array("-->".utf8)) else { return }
        index = end.upperBound
      } else if rest.starts(with: "<!ENTITY".utf8),
        let (name, literal, end) = Self.declaration(rest.dropFirst(8))
      {
        index = end
        // The first declaration counts (§4.2).
        if literals[name] == nil { literals[name] = literal }
      }
    }
    for (name, literal) in literals {
      guard let text = Self.text(of: literal, among: literals), !Self.isHTML(name, text) else {
        continue
      }
      texts[name] = Self.escapingQuotes(text)
    }
  }

  /// Escapes quotes, for use in attributes.
  private static func escapingQuotes(_ text: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    for byte in text {
      switch byte {
      case 0x22: out += "&quot;".utf8
      case 0x27: out += "&apos;".utf8
      default: out.append(byte)
      }
    }
    return out
  }

  /// Parses `co "Company">`; `nil` for parameter and external entities.
  private static func declaration(_ bytes: ArraySlice<UInt8>)
    -> (name: [UInt8], literal: [UInt8], end: Int)?
  {
    guard bytes.first?.isSpace == true else { return nil }
    var rest = bytes.drop { $0.isSpace }
    let name = rest.prefix { isNameByte($0) }
    guard !name.isEmpty, name.count <= 32 else { return nil }
    rest = rest[name.endIndex...]
    guard rest.first?.isSpace == true else { return nil }
    rest = rest.drop { $0.isSpace }
    guard let quote = rest.first, quote == 0x22 || quote == 0x27,
      let end = rest.dropFirst().firstIndex(of: quote),
      rest[(end + 1)...].first(where: { !$0.isSpace }) == UInt8(ascii: ">")
    else { return nil }
    return (Array(name), Array(rest[(rest.startIndex + 1)..<end]), end + 1)
  }

  /// Returns the text of an entity; `nil` if it is not plain text.
  private static func text(
    of literal: [UInt8], among literals: [[UInt8]: [UInt8]], isNested: Bool = false
  ) -> [UInt8]? {
    guard literal.count <= maximumLength, !literal.contains(UInt8(ascii: "<")),
      !literal.contains(UInt8(ascii: "%"))
    else { return nil }
    var out: [UInt8] = []
    var rest = literal[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
      out += rest[..<start]
      guard let (name, end) = reference(rest, at: start) else { return nil }
      if let inner = literals[Array(name)], !predefined.contains(Array(name)) {
        guard !isNested, let text = text(of: inner, among: literals, isNested: true) else {
          return nil
        }
        out += text
      } else {
        // A numeric reference must not produce markup either.
        var character = Array(rest[start..<end])
        let isNumber = name.first == UInt8(ascii: "#")
        if isNumber {
          References.decode(&character, from: 0)
          guard character != [UInt8(ascii: "<")], character != [UInt8(ascii: "&")] else {
            return nil
          }
        }
        out += character
      }
      guard out.count <= maximumLength else { return nil }
      rest = rest[end...]
    }
    out += rest
    return out.count <= maximumLength ? out : nil
  }

  /// Entities that cannot be redefined.
  private static let predefined: Set<[UInt8]> = Set(
    ["amp", "lt", "gt", "quot", "apos"].map { Array($0.utf8) })

  /// True for HTML's own definition, which needs no expansion.
  private static func isHTML(_ name: [UInt8], _ text: [UInt8]) -> Bool {
    guard !predefined.contains(name) else { return true }
    var reference = Array("&".utf8) + name + Array(";".utf8)
    References.decode(&reference, from: 0)
    return reference == text
  }

  // MARK: References

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte >= 0x80 || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":")
  }

  /// Returns the name and the end of the reference at the ampersand `start`.
  private static func reference(_ bytes: ArraySlice<UInt8>, at start: Int)
    -> (name: ArraySlice<UInt8>, end: Int)?
  {
    let name = bytes[(start + 1)...].prefix(33).prefix {
      isNameByte($0) || $0 == UInt8(ascii: "#")
    }
    guard !name.isEmpty, name.endIndex < bytes.endIndex,
      bytes[name.endIndex] == UInt8(ascii: ";")
    else { return nil }
    return (name, name.endIndex + 1)
  }

  private mutating func expand(_ text: ArraySlice<UInt8>) -> [UInt8] {
    text.withUnsafeBufferPointer { bytes in
      var out: [UInt8] = []
      out.reserveCapacity(bytes.count + 4096)
      var copied = 0
      var index = 0
      while index < bytes.count, expansions < Self.maximumExpansions {
        switch bytes[index] {
        case UInt8(ascii: "&"):
          guard let (text, end) = replacement(bytes, at: index) else { break }
          out.append(contentsOf: bytes[copied..<index])
          out.append(contentsOf: text)
          expansions += 1
          (copied, index) = (end, end)
          continue
        case UInt8(ascii: "<"):
          // Skips CDATA, which contains no references.
          if let end = endOfCDATA(bytes, at: index) {
            index = end
            continue
          }
        default: break
        }
        index += 1
      }
      out.append(contentsOf: bytes[copied...])
      return out
    }
  }

  private func replacement(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int)
    -> (text: [UInt8], end: Int)?
  {
    var end = start + 1
    while end < bytes.count, end - start <= 33, Self.isNameByte(bytes[end]) { end += 1 }
    guard end < bytes.count, bytes[end] == UInt8(ascii: ";"), end > start + 1,
      let text = texts[Array(bytes[(start + 1)..<end])]
    else { return nil }
    return (text, end + 1)
  }

  private func endOfCDATA(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
    guard bytes[start...].starts(with: "<![CDATA[".utf8) else { return nil }
    var from = start
    while let index = bytes.index(of: UInt8(ascii: "]"), from: from) {
      if bytes[index...].starts(with: "]]>".utf8) { return index + 3 }
      from = index + 1
    }
    return bytes.count
  }
}

extension ArraySlice<UInt8> {
  /// Returns the last occurrence of an ASCII word, ignoring case.
  fileprivate func lastRange(ofWord word: StaticString) -> Range<Int>? {
    let length = word.utf8CodeUnitCount
    var rest = self
    while let open = rest.lastIndex(of: word.utf8Start[0]) {
      let candidate = self[open...].prefix(length)
      if candidate.count == length,
        zip(candidate, 0..<length).allSatisfy({
          $0.asciiLowercased == word.utf8Start[$1].asciiLowercased
        })
      {
        return open..<(open + length)
      }
      rest = rest[..<open]
    }
    return nil
  }
}
