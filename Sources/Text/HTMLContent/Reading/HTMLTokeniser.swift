internal import TextRules

/// Splits UTF-8 into tags and texts by WHATWG HTML §13.2.5, in one pass and linear time for every
/// input.
///
/// Unlike in a browser, an unclosed quote or tag does not hide the rest of the text, and `<` is
/// text unless a name follows.
struct HTMLTokeniser {
  enum Token {
    /// Text with undecoded references.
    case text(Range<Int>)
    case startTag
    case endTag
    /// A tag, comment or declaration truncated by the end of input.
    case unfinished(Range<Int>)
    case end
  }

  struct Attribute {
    var name: Range<Int>
    /// The value; empty if there is none.
    var value: Range<Int>
  }

  /// Maximum number of attributes of a tag; further ones are ignored.
  static let maximumAttributes = 512

  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var position = 0

  // Results of the last tag.
  private(set) var name = PackedName("")
  private(set) var nameRange = 0..<0
  private(set) var tagRange = 0..<0
  private(set) var attributes: [Attribute] = []
  private(set) var isSelfClosing = false

  // Positions that are computed once, so that searches for missing ends are not repeated.
  private lazy var lastGreater = bytes.lastIndex(of: UInt8(ascii: ">")) ?? -1
  private lazy var lastDoubleQuote = bytes.lastIndex(of: UInt8(ascii: "\"")) ?? -1
  private lazy var lastSingleQuote = bytes.lastIndex(of: UInt8(ascii: "'")) ?? -1
  private var sawUnfinishedTag = false
  private var lacksCommentEnd = false

  /// Starts at the first byte. `bytes` must outlive the tokeniser.
  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func next() -> Token {
    let count = bytes.count
    var start = position
    var index = start
    while index < count {
      guard let open = bytes.index(of: UInt8(ascii: "<"), from: index) else { break }
      index = open
      guard opensMarkup(at: index) else {
        index += 1
        continue
      }
      if index > start {
        position = index
        return .text(start..<index)
      }
      if let token = readMarkup(at: index, bytes[index + 1]) { return token }
      start = position
      index = start
    }
    position = count
    return start < count ? .text(start..<count) : .end
  }

  private func opensMarkup(at index: Int) -> Bool {
    guard !sawUnfinishedTag, index + 1 < bytes.count else { return false }
    let following = bytes[index + 1]
    if following.isLetter || following == UInt8(ascii: "?") { return true }
    guard index + 2 < bytes.count else { return false }
    let third = bytes[index + 2]
    switch following {
    case UInt8(ascii: "/"):
      // A browser reads "</3" as a comment, but people write it in text.
      return !third.isDigit
    case UInt8(ascii: "!"):
      return third.isLetter || third == UInt8(ascii: "-") || third == UInt8(ascii: "[")
        || third == UInt8(ascii: ">")
    default: return false
    }
  }

  private mutating func readMarkup(at start: Int, _ following: UInt8) -> Token? {
    switch following {
    case UInt8(ascii: "!"), UInt8(ascii: "?"):
      guard skipDeclaration(at: start) else { return unfinished(from: start) }
      return nil
    case UInt8(ascii: "/"):
      guard bytes[start + 2].isLetter else {
        guard skipPastGreater(from: start + 2) else { return unfinished(from: start) }
        return nil
      }
      guard readTag(nameAt: start + 2, from: start) else { return unfinished(from: start) }
      return .endTag
    default:
      guard readTag(nameAt: start + 1, from: start) else { return unfinished(from: start) }
      return .startTag
    }
  }

  private mutating func unfinished(from start: Int) -> Token {
    sawUnfinishedTag = true
    position = bytes.count
    return .unfinished(start..<bytes.count)
  }

  private mutating func skipPastGreater(from start: Int) -> Bool {
    guard let greater = bytes.index(of: UInt8(ascii: ">"), from: start) else { return false }
    position = greater + 1
    return true
  }

  /// Skips comments, document types, processing instructions (§13.2.5.43 to 13.2.5.52).
  private mutating func skipDeclaration(at start: Int) -> Bool {
    let dash = UInt8(ascii: "-")
    let greater = UInt8(ascii: ">")
    guard start + 3 < bytes.count, bytes[start + 1] == UInt8(ascii: "!"),
      bytes[start + 2] == dash, bytes[start + 3] == dash
    else { return skipPastGreater(from: start + 2) }
    var index = start + 4
    if index < bytes.count, bytes[index] == greater {
      position = index + 1
      return true
    }
    if index + 1 < bytes.count, bytes[index] == dash, bytes[index + 1] == greater {
      position = index + 2
      return true
    }
    while index < lastGreater, !lacksCommentEnd {
      if bytes[index] == dash, bytes[index + 1] == dash {
        var end = index + 2
        if end < bytes.count, bytes[end] == UInt8(ascii: "!") { end += 1 }
        if end < bytes.count, bytes[end] == greater {
          position = end + 1
          return true
        }
      }
      index += 1
    }
    // An unclosed comment hides only its first tag.
    lacksCommentEnd = true
    return skipPastGreater(from: start + 4)
  }

  /// Reads a tag; false if the input ends first.
  private mutating func readTag(nameAt nameStart: Int, from start: Int) -> Bool {
    guard nameStart <= lastGreater else { return false }
    let count = bytes.count
    let greater = UInt8(ascii: ">")
    let slash = UInt8(ascii: "/")
    var index = nameStart
    while index < count {
      let byte = bytes[index]
      if byte == greater || byte == slash || byte.isSpace { break }
      index += 1
    }
    nameRange = nameStart..<index
    name = PackedName(bytes, nameRange)
    if !attributes.isEmpty { attributes.removeAll(keepingCapacity: true) }
    isSelfClosing = false
    while index < count {
      let byte = bytes[index]
      if byte == greater {
        position = index + 1
        tagRange = start..<position
        return true
      }
      if byte == slash {
        isSelfClosing = index + 1 < count && bytes[index + 1] == greater
        index += 1
      } else if byte.isSpace {
        index += 1
      } else {
        index = readAttribute(at: index)
      }
    }
    return false
  }

  /// Reads an attribute and returns the index after it.
  private mutating func readAttribute(at start: Int) -> Int {
    let count = bytes.count
    var index = start + 1  // An equals sign in first place belongs to the name.
    while index < count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "=") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
        || byte.isSpace
      {
        break
      }
      index += 1
    }
    let name = start..<index
    var value = index..<index
    var probe = index
    while probe < count, bytes[probe].isSpace { probe += 1 }
    if probe < count, bytes[probe] == UInt8(ascii: "=") {
      probe += 1
      while probe < count, bytes[probe].isSpace { probe += 1 }
      (value, index) = readValue(at: probe)
    }
    if attributes.count < Self.maximumAttributes {
      attributes.append(Attribute(name: name, value: value))
    }
    return index
  }

  private mutating func readValue(at start: Int) -> (value: Range<Int>, end: Int) {
    let count = bytes.count
    guard start < count else { return (start..<start, start) }
    let quote = bytes[start]
    let isClosed =
      switch quote {
      case UInt8(ascii: "\""): start < lastDoubleQuote
      case UInt8(ascii: "'"): start < lastSingleQuote
      default: false
      }
    if isClosed {
      let end = bytes.index(of: quote, from: start + 1) ?? count
      return (start + 1..<end, end + 1)
    }
    var index = start
    while index < count, bytes[index] != UInt8(ascii: ">"), !bytes[index].isSpace {
      index += 1
    }
    return (start..<index, index)
  }

  /// Reads the content of an element such as script, style or title, with its end tag (§13.2.5.2 to
  /// 13.2.5.5).
  mutating func readRawText() -> Range<Int> {
    let start = position
    let length = nameRange.count
    var index = start
    while index < lastGreater {
      guard bytes[index] == UInt8(ascii: "<"), bytes[index + 1] == UInt8(ascii: "/") else {
        index += 1
        continue
      }
      let end = index + 2 + length
      if end < bytes.count, PackedName(bytes, index + 2..<end) == name,
        bytes[end].isSpace || bytes[end] == UInt8(ascii: ">")
          || bytes[end] == UInt8(ascii: "/")
      {
        if !skipPastGreater(from: end) { position = bytes.count }
        return start..<index
      }
      index += 2
    }
    position = bytes.count
    return start..<bytes.count
  }

  var isStartTag: Bool { bytes[tagRange.lowerBound + 1] != UInt8(ascii: "/") }

  /// True for an unfinished tag or comment, perhaps with the dots of the program that cut the text;
  /// false for text such as "a<b".
  func isCutTag(_ range: Range<Int>) -> Bool {
    let rest = bytes[range].dropFirst()
    if rest.starts(with: "!--".utf8) || rest.contains(UInt8(ascii: "=")) { return true }
    let words = rest.drop { $0 == UInt8(ascii: "/") }.split {
      $0.isSpace || ".[]\u{2026}".utf8.contains($0)
    }
    // Without any tag, the text is hardly HTML. At most one attribute has no value yet.
    guard !tagRange.isEmpty, words.count < 3, let name = words.first?.map(\.asciiLowercased)
    else { return false }
    return HTMLTag.allCases.contains { $0.name.utf8.starts(with: name) }
  }

  /// Skips past the end tag of the last start tag.
  mutating func skipContent() {
    let outer = name
    var depth = 1
    while depth > 0 {
      switch next() {
      case .startTag where isSelfClosing: break
      case .startTag where name == outer: depth += 1
      case .startTag:
        if let tag = HTMLTag.byName[name], tag.traits.contains(.isRawText), tag != .title {
          _ = readRawText()
        }
      case .endTag: if name == outer { depth -= 1 }
      case .text: break
      case .unfinished, .end: return
      }
    }
  }

  mutating func readRest() -> Range<Int> {
    defer { position = bytes.count }
    return position..<bytes.count
  }
}
