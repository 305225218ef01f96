internal import TextRules

/// Splits XML into tags and texts, in one pass and linear time for every input.
///
/// Accepts XML 1.0 and common faults of feeds: unescaped `<`, attributes without quotes, and
/// comments and tags without an end. Skips document types, and does not check that start and end
/// tags match.
struct XMLScanner {
  enum Token {
    /// Text with undecoded references.
    case text(Range<Int>)
    /// Text without references: the content of a CDATA section, or a `<` that begins no markup.
    case literal(Range<Int>)
    case startTag
    case endTag
    case end
  }

  struct Attribute {
    var name: Range<Int>
    /// The value with undecoded references; empty if there is none.
    var value: Range<Int>
  }

  /// Maximum number of attributes of a tag; further ones are ignored.
  static let maximumAttributes = 256

  let bytes: UnsafeBufferPointer<UInt8>
  private var at = 0

  // Results of the last tag.
  private(set) var name = 0..<0
  private(set) var tag = 0..<0
  private(set) var attributes: [Attribute] = []
  /// True for an empty element: `<br/>`.
  private(set) var isEmpty = false

  /// The position before which no tag begins. Prevents quadratic time for many broken tags.
  private var noTagBefore = 0
  // Failed searches are not repeated.
  private var lacksCommentEnd = false
  private var lacksInstructionEnd = false
  private var lacksCDATAEnd = false
  /// The last `]]>` that was found.
  private var cdataEnd = 0

  private var root: Range<Int>?
  /// True if the document ends with the root's end tag; `nil` until checked.
  private var isWhole: Bool?
  /// The element of the last tag; `nil` after an end tag.
  private var holder: Range<Int>?

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func next() -> Token {
    while at < bytes.count {
      guard bytes[at] == UInt8(ascii: "<") else {
        let start = at
        at = bytes.index(of: UInt8(ascii: "<"), from: at) ?? bytes.count
        return .text(start..<at)
      }
      if let token = markup() { return token }
    }
    return .end
  }

  /// Reads a tag or declaration; `nil` if it has no content, such as a comment.
  private mutating func markup() -> Token? {
    guard at >= noTagBefore, at + 1 < bytes.count else { return bareBracket() }
    switch bytes[at + 1] {
    case UInt8(ascii: "/"): return endTag()
    case UInt8(ascii: "!"): return declaration()
    case UInt8(ascii: "?"):
      skipInstruction()
      return nil
    case let byte where byte.isLetter || byte == UInt8(ascii: "_") || byte >= 0x80:
      return startTag()
    default: return bareBracket()
    }
  }

  private mutating func bareBracket() -> Token {
    at += 1
    return .literal((at - 1)..<at)
  }

  // MARK: Declarations

  private func follows(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard at + length <= bytes.count else { return false }
    for index in 0..<length where bytes[at + index] != text.utf8Start[index] { return false }
    return true
  }

  private mutating func skipPastGreater(from start: Int) {
    at = bytes.index(of: UInt8(ascii: ">"), from: start).map { $0 + 1 } ?? bytes.count
  }

  private mutating func declaration() -> Token? {
    if follows("<![CDATA[") { return characterData() }
    guard follows("<!--") else {
      skipPastGreater(from: at)
      return nil
    }
    if !lacksCommentEnd, let end = bytes.index(of: "-->", from: at + 4) {
      at = end + 3
    } else {
      // A comment without an end hides the text up to the next tag, or, in a truncated document,
      // the rest.
      lacksCommentEnd = true
      let next = endsWithRoot() ? bytes.index(of: UInt8(ascii: "<"), from: at + 4) : nil
      at = next ?? bytes.count
    }
    return nil
  }

  /// Reads a CDATA section. If its `]]>` is missing, the section ends at the end tag of its
  /// element. The `]]>` counts as missing if another section begins before it, or if a complete
  /// document has none.
  private mutating func characterData() -> Token {
    let start = at + 9
    if cdataEnd < start, !lacksCDATAEnd {
      cdataEnd = bytes.index(of: "]]>", from: start) ?? 0
      lacksCDATAEnd = cdataEnd == 0
    }
    let end = lacksCDATAEnd ? bytes.count : cdataEnd
    let limit = lacksCDATAEnd ? (endsWithRoot() ? end : nil) : nextSection(in: start..<end)
    if let limit, let holder, let element = endTag(of: holder, in: start..<limit) {
      at = element
      return .literal(start..<element)
    }
    at = min(end + 3, bytes.count)
    return .literal(start..<end)
  }

  private func nextSection(in range: Range<Int>) -> Int? {
    // Searches for the bracket, which is rarer in HTML than `<`.
    guard let bracket = UnsafeBufferPointer(rebasing: bytes[range]).index(of: "[CDATA["),
      bracket >= 2
    else { return nil }
    let start = range.lowerBound + bracket - 2
    return bytes[start...].starts(with: "<!".utf8) ? start : nil
  }

  /// Returns the start of the first end tag of this name.
  private func endTag(of name: Range<Int>, in range: Range<Int>) -> Int? {
    let part = UnsafeBufferPointer(rebasing: bytes[range])
    var from = 0
    while let found = part.index(of: "</", from: from) {
      let rest = part[(found + 2)...]
      if rest.starts(with: bytes[name]), let after = rest.dropFirst(name.count).first,
        !Self.isNameByte(after)
      {
        return range.lowerBound + found
      }
      from = found + 2
    }
    return nil
  }

  /// True if the last tag is the root's end tag, which a truncated document lacks. Checked once.
  private mutating func endsWithRoot() -> Bool {
    guard let root else { return false }
    let ends = isWhole ?? lastTagEnds(root)
    isWhole = ends
    return ends
  }

  private func lastTagEnds(_ root: Range<Int>) -> Bool {
    var limit = bytes.count
    while let last = bytes[..<limit].lastIndex(of: UInt8(ascii: "<")) {
      if bytes[last...].starts(with: "<!--".utf8) {
        limit = last
        continue
      }
      return bytes[last...].starts(with: "</".utf8)
        && bytes[(last + 2)...].starts(with: bytes[root])
    }
    return false
  }

  private mutating func skipInstruction() {
    if !lacksInstructionEnd, let end = bytes.index(of: "?>", from: at + 2) {
      at = end + 2
    } else {
      lacksInstructionEnd = true
      skipPastGreater(from: at)
    }
  }

  // MARK: Tags

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte >= 0x80 || byte == UInt8(ascii: ":")
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }

  private func name(from start: Int) -> Range<Int> {
    var end = start
    while end < bytes.count, Self.isNameByte(bytes[end]) { end += 1 }
    return start..<end
  }

  private func skippingSpaces(from start: Int) -> Int {
    var index = start
    while index < bytes.count, bytes[index].isSpace { index += 1 }
    return index
  }

  /// Reads an end tag, or ignores it at the end of the document, as its name may be incomplete.
  private mutating func endTag() -> Token {
    let name = name(from: at + 2)
    guard !name.isEmpty else { return bareBracket() }
    self.name = name
    holder = nil
    if name.upperBound < bytes.count, bytes[name.upperBound] == UInt8(ascii: ">") {
      at = name.upperBound + 1
      return .endTag
    }
    guard let end = bytes.index(of: UInt8(ascii: ">"), from: name.upperBound) else {
      at = bytes.count
      return .end
    }
    at = end + 1
    return .endTag
  }

  /// Reads a start tag. Requires a `>` before the next `<`; ignores a tag at the document's end.
  private mutating func startTag() -> Token {
    name = name(from: at + 1)
    if !attributes.isEmpty { attributes.removeAll(keepingCapacity: true) }
    isEmpty = false
    var index = name.upperBound
    while true {
      index = skippingSpaces(from: index)
      guard index < bytes.count else {
        at = bytes.count
        return .end
      }
      switch bytes[index] {
      case UInt8(ascii: ">"):
        tag = at..<(index + 1)
        at = index + 1
        if root == nil { root = name }
        holder = name
        return .startTag
      case UInt8(ascii: "<"):
        noTagBefore = index
        return bareBracket()
      case UInt8(ascii: "/"):
        index += 1
        isEmpty = index < bytes.count && bytes[index] == UInt8(ascii: ">")
      default:
        guard let next = attribute(from: index) else {
          return bareBracket()
        }
        index = next
      }
    }
  }

  /// Returns the end of the attribute; `nil` if its quote is never closed.
  private mutating func attribute(from start: Int) -> Int? {
    let name = name(from: start)
    guard !name.isEmpty else { return start + 1 }
    var value = name.upperBound..<name.upperBound
    var index = name.upperBound
    let equals = skippingSpaces(from: index)
    if equals < bytes.count, bytes[equals] == UInt8(ascii: "=") {
      index = skippingSpaces(from: equals + 1)
      guard index < bytes.count else { return index }
      let quote = bytes[index]
      if let quoted = curlyQuoted(at: index, isNamespace: isNamespace(name)) {
        (value, index) = quoted
      } else if quote == 0x22 || quote == 0x27 {
        guard let end = bytes.index(of: quote, from: index + 1) else {
          noTagBefore = index
          return nil
        }
        value = (index + 1)..<end
        index = end + 1
      } else {
        let begin = index
        while index < bytes.count, !bytes[index].isSpace, bytes[index] != UInt8(ascii: ">") {
          index += 1
        }
        value = begin..<index
      }
    }
    if attributes.count < Self.maximumAttributes {
      attributes.append(Attribute(name: name, value: value))
    }
    return index
  }

  // MARK: Curly quotes

  /// True for `xmlns` and `xmlns:prefix`.
  private func isNamespace(_ name: Range<Int>) -> Bool {
    name.count >= 5 && UnsafeBufferPointer(rebasing: bytes[name.prefix(5)]).matches("xmlns")
  }

  /// Returns a value in typographic quotes, as text processors write them: `xmlns=”…”`. In a
  /// namespace's address, which is ASCII, one of the two may be straight.
  private func curlyQuoted(at start: Int, isNamespace: Bool) -> (value: Range<Int>, end: Int)? {
    let opening = quoteLength(at: start)
    guard opening > 1 || (opening == 1 && isNamespace) else { return nil }
    var index = start + opening
    while index < bytes.count, bytes[index] != UInt8(ascii: "<"), bytes[index] != UInt8(ascii: ">")
    {
      let closing = quoteLength(at: index)
      if opening == 1, closing == 1, bytes[index] == bytes[start] { return nil }
      if closing > 1 || (closing == 1 && isNamespace) {
        return ((start + opening)..<index, index + closing)
      }
      index += 1
    }
    return nil
  }

  /// Returns the bytes of the quotation mark at `index`, or 0.
  private func quoteLength(at index: Int) -> Int {
    switch bytes[index] {
    case 0x22, 0x27: return 1
    case 0xE2:
      guard index + 2 < bytes.count, bytes[index + 1] == 0x80 else { return 0 }
      switch bytes[index + 2] {
      case 0x98...0x9F, 0xB2...0xB7: return 3  // U+2018–201F, primes U+2032–2037
      default: return 0
      }
    default: return 0
    }
  }
}
