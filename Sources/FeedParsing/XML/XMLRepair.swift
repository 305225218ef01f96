/// Damaged XML → well-formed XML that says as much of the same as can be saved.
///
/// Knows no feed format but for one thing: which elements cannot nest in themselves and which hold
/// only text, so that a forgotten end tag costs one item instead of all that follow. Reads forwards
/// once; the work per byte is bounded.
struct XMLRepair {
  /// - Parameter start: where the root element begins.
  static func mend(_ bytes: [UInt8], from start: Int) -> [UInt8] {
    bytes.withUnsafeBufferPointer { buffer in
      var repair = XMLRepair(bytes: buffer, from: start)
      repair.run()
      return repair.out
    }
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var at: Int
  private var out: [UInt8] = []
  private var open: [OpenElement] = []
  /// How many elements of each name are open, in lower case.
  private var openCounts: [String: Int] = [:]
  private var entities = Entities()
  /// Namespaces declared in the elements that are open.
  private var declarations = 0
  /// Once searched for in vain, never again: a thousand open comments would cost squares.
  private var lacksCommentEnd = false

  private struct OpenElement {
    var name: Range<Int>
    var isWritten: Bool
    /// How many namespaces were declared before it.
    var declarations: Int
  }

  private init(bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
    self.bytes = bytes
    at = start
    out.reserveCapacity(bytes.count - start + 1024)
  }

  private mutating func run() {
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "<"):
        markup()
        if open.isEmpty, !out.isEmpty { return }
      case UInt8(ascii: "&"): reference()
      case UInt8(ascii: ">"):
        out.append(contentsOf: "&gt;".utf8)
        at += 1
      default: character()
      }
    }
    while !open.isEmpty { closeLast() }
  }

  // MARK: Text

  /// Copies one byte of text, or drops it where XML has no such character (XML 1.0, §2.2).
  private mutating func character() {
    let byte = bytes[at]
    if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D {
      at += 1
      return
    }
    if byte == 0xEF, at + 2 < bytes.count, bytes[at + 1] == 0xBF, bytes[at + 2] >= 0xBE {
      at += 3
      return
    }
    out.append(byte)
    at += 1
  }

  /// `&amp;`, `&#8212;`, `&eacute;` as they are or as their character; any other `&` escaped.
  private mutating func reference() {
    let limit = min(bytes.count, at + 34)
    var end = at + 1
    while end < limit, bytes[end].isLetter || bytes[end].isDigit || bytes[end] == UInt8(ascii: "#")
    {
      end += 1
    }
    let name = Array(bytes[(at + 1)..<end])
    let isEnded = end < bytes.count && bytes[end] == UInt8(ascii: ";")
    if isEnded, name.first == UInt8(ascii: "#") {
      if let scalar = Self.scalar(name) {
        if Self.isAllowed(scalar) { Self.escape(scalar, into: &out) }
        at = end + 1
        return
      }
    } else if isEnded {
      switch name.string {
      case "amp", "lt", "gt", "quot", "apos":
        out.append(contentsOf: bytes[at...end])
        at = end + 1
        return
      default:
        if let character = entities.character(name[...]) {
          out.append(contentsOf: character)
          at = end + 1
          return
        }
      }
    }
    out.append(contentsOf: "&amp;".utf8)
    at += 1
  }

  /// The character of `#8212` or `#x2014`; windows-1252 for the C1 controls.
  private static func scalar(_ name: [UInt8]) -> Unicode.Scalar? {
    var value: UInt32 = 0
    var digits = name.dropFirst()
    let isHex = digits.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
    if isHex { digits = digits.dropFirst() }
    guard !digits.isEmpty, digits.count < 10 else { return nil }
    for byte in digits {
      guard let digit = byte.hexValue, isHex || digit < 10 else { return nil }
      value = value &* (isHex ? 16 : 10) &+ digit
    }
    if value >= 0x80, value <= 0x9F { return PlainText.windows1252[Int(value) - 0x80] }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: true
    case 0..<0x20, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  private static func escape(_ scalar: Unicode.Scalar, into out: inout [UInt8]) {
    HTMLWriter.escape(String(Character(scalar)), into: &out)
  }

  // MARK: Markup

  private func follows(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard at + length <= bytes.count else { return false }
    for index in 0..<length where bytes[at + index] != text.utf8Start[index] { return false }
    return true
  }

  /// Where `text` begins, from `start` on.
  private func find(_ text: StaticString, from start: Int) -> Int? {
    let length = text.utf8CodeUnitCount
    let first = text.utf8Start[0]
    var index = start
    while index + length <= bytes.count {
      if bytes[index] == first {
        var same = 1
        while same < length, bytes[index + same] == text.utf8Start[same] { same += 1 }
        if same == length { return index }
      }
      index += 1
    }
    return nil
  }

  private mutating func markup() {
    if follows("<![CDATA[") {
      cdata()
    } else if follows("<!--") {
      comment()
    } else if follows("<?") {
      at = find(">", from: at).map { $0 + 1 } ?? bytes.count
    } else if follows("<!") {
      at = find(">", from: at).map { $0 + 1 } ?? bytes.count
    } else if follows("</") {
      endTag()
    } else if !startTag() {
      out.append(contentsOf: "&lt;".utf8)
      at += 1
    }
  }

  /// A comment without an end hides only its first tag.
  private mutating func comment() {
    if !lacksCommentEnd, let end = find("-->", from: at + 4) {
      at = end + 3
    } else {
      lacksCommentEnd = true
      at = find(">", from: at).map { $0 + 1 } ?? bytes.count
    }
  }

  private mutating func cdata() {
    let start = at + 9
    let end = find("]]>", from: start)
    out.append(contentsOf: "<![CDATA[".utf8)
    at = start
    let stop = end ?? bytes.count
    while at < stop { character() }
    out.append(contentsOf: "]]>".utf8)
    at = end.map { $0 + 3 } ?? bytes.count
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }

  private func name(from start: Int) -> Range<Int> {
    var end = start
    while end < bytes.count, Self.isNameByte(bytes[end]) { end += 1 }
    return start..<end
  }

  private func same(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
    guard a.count == b.count else { return false }
    for index in 0..<a.count
    where bytes[a.lowerBound + index].asciiLowercased
      != bytes[b.lowerBound + index].asciiLowercased
    {
      return false
    }
    return true
  }

  private func matches(_ name: Range<Int>, _ word: StaticString) -> Bool {
    UnsafeBufferPointer(rebasing: bytes[name]).matches(word)
  }

  private mutating func closeLast() {
    guard let last = open.popLast() else { return }
    openCounts[key(last.name), default: 1] -= 1
    declarations = last.declarations
    guard last.isWritten else { return }
    out.append(contentsOf: "</".utf8)
    out.append(contentsOf: bytes[last.name])
    out.append(UInt8(ascii: ">"))
  }

  /// A name in lower case.
  private func key(_ name: Range<Int>) -> String { bytes[name].map(\.asciiLowercased).string }

  /// The innermost open element of that name. What is found is closed, with all that it holds, so
  /// the search costs no more than the opening did; what is not open is not searched for.
  private func innermost(_ name: Range<Int>) -> Int? {
    guard openCounts[key(name), default: 0] > 0 else { return nil }
    return open.indices.last { same(open[$0].name, name) }
  }

  private mutating func endTag() {
    let name = name(from: at + 2)
    guard !name.isEmpty else {
      out.append(contentsOf: "&lt;".utf8)
      at += 1
      return
    }
    at = find(">", from: name.upperBound).map { $0 + 1 } ?? bytes.count
    if let match = innermost(name) {
      while open.count > match { closeLast() }
    } else if let last = open.last, holdsOnlyText(last.name) {
      closeLast()
    }
  }

  /// A start tag that can be read to its end is copied with its attributes mended.
  private mutating func startTag() -> Bool {
    guard at + 1 < bytes.count, bytes[at + 1].isLetter || bytes[at + 1] == UInt8(ascii: "_") else {
      return false
    }
    let name = name(from: at + 1)
    var attributes: [(name: Range<Int>, value: Range<Int>?)] = []
    var index = name.upperBound
    var isEmpty = false
    scan: while true {
      while index < bytes.count, bytes[index].isSpace { index += 1 }
      guard index < bytes.count else {
        at = bytes.count  // Cut short within a tag: nothing follows that could be read.
        return true
      }
      switch bytes[index] {
      case UInt8(ascii: ">"):
        index += 1
        break scan
      case UInt8(ascii: "<"): return false
      case UInt8(ascii: "/"):
        isEmpty = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: ">")
        index += 1
      default:
        let key = self.name(from: index)
        guard !key.isEmpty else {
          index += 1
          continue
        }
        index = key.upperBound
        while index < bytes.count, bytes[index].isSpace { index += 1 }
        guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else {
          attributes.append((key, nil))
          continue
        }
        index += 1
        while index < bytes.count, bytes[index].isSpace { index += 1 }
        guard index < bytes.count else { continue }
        let quote = bytes[index]
        if quote == 0x22 || quote == 0x27 {
          var end = index + 1
          while end < bytes.count, bytes[end] != quote { end += 1 }
          guard end < bytes.count else { return false }
          attributes.append((key, (index + 1)..<end))
          index = end + 1
        } else {
          var end = index
          while end < bytes.count, !bytes[end].isSpace, bytes[end] != UInt8(ascii: ">") {
            end += 1
          }
          attributes.append((key, index..<end))
          index = end
        }
      }
    }
    closeForgotten(before: name)
    let before = declarations
    write(name, attributes)
    at = index
    openCounts[key(name), default: 0] += 1
    open.append(
      OpenElement(
        name: name, isWritten: open.count < XMLReader.maximumDepth, declarations: before))
    if isEmpty { closeLast() }
    return true
  }

  private mutating func write(
    _ name: Range<Int>, _ attributes: [(name: Range<Int>, value: Range<Int>?)]
  ) {
    guard open.count < XMLReader.maximumDepth else { return }
    out.append(UInt8(ascii: "<"))
    out.append(contentsOf: bytes[name])
    for (place, attribute) in attributes.prefix(XMLReader.maximumAttributes).enumerated() {
      guard bytes[attribute.name.lowerBound].isLetter, mayDeclare(attribute.name),
        !attributes[..<place].contains(where: { same($0.name, attribute.name) })
      else { continue }
      out.append(UInt8(ascii: " "))
      out.append(contentsOf: bytes[attribute.name])
      out.append(contentsOf: "=\"".utf8)
      if let value = attribute.value {
        let after = at
        at = value.lowerBound
        while at < value.upperBound {
          switch bytes[at] {
          case UInt8(ascii: "&"): reference()
          case UInt8(ascii: "<"), UInt8(ascii: ">"), 0x22:
            HTMLWriter.escape(UnsafeBufferPointer(rebasing: bytes[at...at]), into: &out)
            at += 1
          default: character()
          }
        }
        at = after
      }
      out.append(UInt8(ascii: "\""))
    }
    out.append(UInt8(ascii: ">"))
  }

  /// Namespaces are declared as long as there are not too many in force.
  private mutating func mayDeclare(_ name: Range<Int>) -> Bool {
    guard bytes[name].starts(with: "xmlns".utf8) else { return true }
    guard declarations < XMLReader.maximumNamespaces else { return false }
    declarations += 1
    return true
  }

  // MARK: What feeds never do

  /// An item inside an item means that an end tag is missing.
  private mutating func closeForgotten(before name: Range<Int>) {
    guard matches(name, "item") || matches(name, "entry") else { return }
    guard let outer = innermost(name) else { return }
    while open.count > outer { closeLast() }
  }

  /// Elements without markup inside: a wrong end tag can only be theirs, misspelt.
  private func holdsOnlyText(_ name: Range<Int>) -> Bool {
    let words: [StaticString] = [
      "title", "link", "guid", "id", "pubdate", "author", "category", "comments", "url", "name",
      "language", "updated", "published", "dc:date", "dc:creator", "email", "uri",
    ]
    return words.contains { matches(name, $0) }
  }
}
