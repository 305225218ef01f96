/// Reads JSON, strictly or leniently.
struct JSONReader {
  let bytes: UnsafeBufferPointer<UInt8>
  /// True if every fault damages the value. A lenient reader tolerates missing and repeated commas,
  /// control characters, unknown escapes, broken encodings and numbers of other notations.
  let isStrict: Bool
  let maximumDepth: Int
  /// The member of the root whose elements are passed on, with the root's members before it.
  var list: (name: String, apply: (JSONValue, JSONValue) -> Void)?
  private(set) var isDamaged = false
  private var at = 0
  var isAtEnd: Bool { at >= bytes.count }

  init(bytes: UnsafeBufferPointer<UInt8>, isStrict: Bool, maximumDepth: Int) {
    (self.bytes, self.isStrict, self.maximumDepth) = (bytes, isStrict, maximumDepth)
  }

  /// Returns true if nothing follows an undamaged value.
  mutating func hasEnded() -> Bool {
    skipSpaces()
    return isAtEnd && !isDamaged
  }

  private mutating func skipSpaces() {
    while at < bytes.count, bytes[at] <= 0x20 {
      let byte = bytes[at]
      requireInStrict(byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D)
      at += 1
    }
  }

  private mutating func fail() { isDamaged = true }

  private mutating func requireInStrict(_ isCorrect: @autoclosure () -> Bool) {
    if isStrict, !isCorrect() { fail() }
  }

  mutating func value(depth: Int) -> JSONValue? {
    skipSpaces()
    guard at < bytes.count, depth < maximumDepth else {
      fail()
      return nil
    }
    switch bytes[at] {
    case UInt8(ascii: "{"): return object(depth: depth)
    case UInt8(ascii: "["):
      var elements: [JSONValue] = []
      array(depth: depth, keepsCut: true) { elements.append($0) }
      return .array(elements)
    case UInt8(ascii: "\""): return .string(string())
    default: return word()
    }
  }

  private mutating func object(depth: Int) -> JSONValue {
    at += 1
    var members: [String: JSONValue] = [:]
    var isFirst = true
    while beginsEntry(before: UInt8(ascii: "}"), &isFirst) {
      guard bytes[at] == UInt8(ascii: "\"") else {
        fail()
        break
      }
      let name = string()
      skipSpaces()
      guard at < bytes.count, bytes[at] == UInt8(ascii: ":") else {
        fail()
        break
      }
      at += 1
      skipSpaces()
      if depth == 0, let list, name == list.name, at < bytes.count, bytes[at] == UInt8(ascii: "[") {
        let before = JSONValue.object(members)
        array(depth: 1) { list.apply($0, before) }
        members[name] = .array([])
      } else if let value = value(depth: depth + 1) {
        members[name] = value
      }
    }
    return .object(members)
  }

  /// Skips commas. Returns false after the bracket, at the end of the text and after a fault.
  private mutating func beginsEntry(before bracket: UInt8, _ isFirst: inout Bool) -> Bool {
    var commas = 0
    while !isDamaged {
      skipSpaces()
      guard at < bytes.count else {
        fail()
        break
      }
      guard bytes[at] == bracket || bytes[at] == UInt8(ascii: ",") else {
        requireInStrict(commas == (isFirst ? 0 : 1))
        isFirst = false
        return !isDamaged
      }
      at += 1
      if bytes[at - 1] == bracket {
        requireInStrict(commas == 0)
        break
      }
      commas += 1
    }
    return false
  }

  /// - Parameter keepsCut: true to pass on a truncated element, too.
  private mutating func array(
    depth: Int, keepsCut: Bool = false, _ apply: (JSONValue) -> Void
  ) {
    at += 1
    var isFirst = true
    while beginsEntry(before: UInt8(ascii: "]"), &isFirst) {
      if let value = value(depth: depth + 1), keepsCut || !isDamaged || !isAtEnd { apply(value) }
    }
  }

  /// Reads `true`, `false`, `null` or a number; `nil` for anything else.
  private mutating func word() -> JSONValue? {
    let start = at
    while at < bytes.count, Self.isPartOfWord(bytes[at]) { at += 1 }
    let text = String(decoding: bytes[start..<at], as: UTF8.self)
    switch text {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    default:
      // "-0" stays as written.
      if let number = Int64(text), String(number) == text { return .integer(number) }
      guard let first = text.utf8.first, (0x30...0x39).contains(first) || first == 0x2D,
        Double(text) != nil
      else {
        fail()
        return nil
      }
      requireInStrict(Self.isStandard(text))
      return .number(text)
    }
  }

  /// Returns true if a number that Swift reads has the notation of RFC 8259, §6. The cache stores
  /// numbers of each feed; a regular expression took a third of a sync without news.
  private static func isStandard(_ number: String) -> Bool {
    let bytes = Array(number.utf8)
    func isDigit(_ place: Int) -> Bool {
      bytes.indices.contains(place) && (0x30...0x39).contains(bytes[place])
    }
    let start = bytes[0] == UInt8(ascii: "-") ? 1 : 0
    return !(bytes[start] == 0x30 && isDigit(start + 1))
      && bytes.indices.allSatisfy { place in
        switch bytes[place] {
        case UInt8(ascii: "."): isDigit(place - 1) && isDigit(place + 1)
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "e"), UInt8(ascii: "E"): true
        default: isDigit(place)
        }
      }
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  private mutating func string() -> String {
    at += 1
    var out: [UInt8] = []
    while true {
      let start = at
      while at < bytes.count, bytes[at] != UInt8(ascii: "\""), bytes[at] != UInt8(ascii: "\\") {
        at += 1
      }
      let run = UnsafeBufferPointer(rebasing: bytes[start..<at])
      requireInStrict(run.allSatisfy { $0 >= 0x20 })
      guard at < bytes.count else {
        fail()
        return text(out + run)
      }
      at += 1
      if bytes[at - 1] == UInt8(ascii: "\"") { return out.isEmpty ? text(run) : text(out + run) }
      out.append(contentsOf: run)
      escape(into: &out)
    }
  }

  private mutating func text(_ utf8: some Collection<UInt8>) -> String {
    requireInStrict(String(validating: utf8, as: UTF8.self) != nil)
    return String(decoding: utf8, as: UTF8.self)
  }

  private mutating func escape(into out: inout [UInt8]) {
    guard at < bytes.count else { return }
    let byte = bytes[at]
    at += 1
    switch byte {
    case UInt8(ascii: "n"): out.append(0x0A)
    case UInt8(ascii: "t"): out.append(0x09)
    case UInt8(ascii: "r"): out.append(0x0D)
    case UInt8(ascii: "b"): out.append(isStrict ? 0x08 : 0x20)
    case UInt8(ascii: "f"): out.append(isStrict ? 0x0C : 0x20)
    case UInt8(ascii: "u"):
      let number = hex()
      requireInStrict(number != nil)
      var value = number ?? 0xFFFD
      if value >= 0xD800, value < 0xDC00, at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"),
        bytes[at + 1] == UInt8(ascii: "u")
      {
        let mark = at
        at += 2
        if let low = hex(), low >= 0xDC00, low < 0xE000 {
          value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        } else {
          at = mark
        }
      }
      let scalar = Unicode.Scalar(value)
      requireInStrict(scalar != nil)
      out.append(contentsOf: String(Character(scalar ?? "\u{FFFD}")).utf8)
    default:
      requireInStrict("\"\\/".utf8.contains(byte))
      out.append(byte)
    }
  }

  private mutating func hex() -> UInt32? {
    guard at + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for offset in 0..<4 {
      let scalar = Character(Unicode.Scalar(bytes[at + offset]))
      guard let digit = scalar.hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    at += 4
    return value
  }
}
