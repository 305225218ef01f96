internal import TextRules

/// JSON (RFC 8259), read leniently: values before a fault are kept.
indirect enum JSONValue {
  case null
  case bool(Bool)
  /// A number as written: a Double cannot hold a 64-bit identity.
  case number(String)
  case string(String)
  case array([JSONValue])
  /// Members in the order of the document. Of equal names, the last counts.
  case object([(name: String, value: JSONValue)])

  /// Reads a document.
  /// - Parameters:
  ///   - list: a member of the root whose elements are passed on one by one and not stored. A
  ///     truncated element is omitted.
  ///   - apply: receives each element, and the root's members before the list.
  /// - Returns: `nil` if no value begins.
  static func read(
    _ bytes: [UInt8], list: String,
    _ apply: @escaping (_ element: JSONValue, _ before: JSONValue) -> Void
  ) -> (root: JSONValue, end: End)? {
    bytes.withUnsafeBufferPointer { buffer in
      var reader = JSONReader(bytes: buffer, list: list, apply: apply)
      guard let root = reader.value(depth: 0) else { return nil }
      return (root, reader.isDamaged ? (reader.isAtEnd ? .cut : .damaged) : .whole)
    }
  }

  /// The place where reading ended.
  enum End {
    case whole
    /// The text ends with open brackets.
    case cut
    case damaged
  }

  subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == name }?.value
  }

  /// A string, or a number or Boolean as written.
  var text: String? {
    switch self {
    case .string(let text), .number(let text): text
    case .bool(let value): value ? "true" : "false"
    case .null, .array, .object: nil
    }
  }

  var elements: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }
}

private struct JSONReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let list: String
  private let apply: (JSONValue, JSONValue) -> Void
  private var at = 0
  var isAtEnd: Bool { at >= bytes.count }
  private(set) var isDamaged = false

  /// Maximum depth of nesting.
  private static let maximumDepth = 128

  init(
    bytes: UnsafeBufferPointer<UInt8>, list: String,
    apply: @escaping (JSONValue, JSONValue) -> Void
  ) {
    self.bytes = bytes
    self.list = list
    self.apply = apply
  }

  private mutating func skipSpaces() {
    while at < bytes.count, bytes[at] <= 0x20 { at += 1 }
  }

  private mutating func fail() { isDamaged = true }

  mutating func value(depth: Int) -> JSONValue? {
    skipSpaces()
    guard at < bytes.count, depth < Self.maximumDepth else {
      fail()
      return nil
    }
    switch bytes[at] {
    case UInt8(ascii: "{"): return object(depth: depth)
    case UInt8(ascii: "["): return array(depth: depth)
    case UInt8(ascii: "\""): return string().map { .string($0) }
    default: return word()
    }
  }

  private mutating func object(depth: Int) -> JSONValue {
    at += 1
    var members: [(name: String, value: JSONValue)] = []
    while beginsEntry(before: UInt8(ascii: "}")) {
      guard bytes[at] == UInt8(ascii: "\""), let name = string() else {
        fail()
        break
      }
      skipSpaces()
      guard at < bytes.count, bytes[at] == UInt8(ascii: ":") else {
        fail()
        break
      }
      at += 1
      skipSpaces()
      if depth == 0, name == list, at < bytes.count, bytes[at] == UInt8(ascii: "[") {
        let before = JSONValue.object(members)
        let apply = apply
        array(depth: 1) { apply($0, before) }
        members.append((name, .array([])))
      } else if let value = value(depth: depth + 1) {
        members.append((name, value))
      }
    }
    return .object(members)
  }

  /// Skips commas. Returns false after the bracket, at the end of the text and after a fault.
  private mutating func beginsEntry(before bracket: UInt8) -> Bool {
    while !isDamaged {
      skipSpaces()
      guard at < bytes.count else {
        fail()
        break
      }
      guard bytes[at] == bracket || bytes[at] == UInt8(ascii: ",") else { return true }
      at += 1
      if bytes[at - 1] == bracket { break }
    }
    return false
  }

  private mutating func array(depth: Int) -> JSONValue {
    var elements: [JSONValue] = []
    array(depth: depth, keepsCut: true) { elements.append($0) }
    return .array(elements)
  }

  /// - Parameter keepsCut: true to pass on a truncated element, too.
  private mutating func array(
    depth: Int, keepsCut: Bool = false, _ apply: (JSONValue) -> Void
  ) {
    at += 1
    while beginsEntry(before: UInt8(ascii: "]")) {
      if let value = value(depth: depth + 1), keepsCut || !isDamaged || !isAtEnd { apply(value) }
    }
  }

  /// Reads `true`, `false`, `null` or a number; `nil` for anything else.
  private mutating func word() -> JSONValue? {
    let start = at
    while at < bytes.count,
      bytes[at].isLetter || bytes[at].isDigit || "+-.".utf8.contains(bytes[at])
    {
      at += 1
    }
    let text = bytes[start..<at].string
    switch text {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    default:
      if let first = text.utf8.first, first.isDigit || first == UInt8(ascii: "-"),
        Double(text) != nil
      {
        return .number(text)
      }
      fail()
      return nil
    }
  }

  private mutating func string() -> String? {
    at += 1
    var out: [UInt8] = []
    while true {
      let start = at
      while at < bytes.count, bytes[at] != UInt8(ascii: "\""), bytes[at] != UInt8(ascii: "\\") {
        at += 1
      }
      let run = UnsafeBufferPointer(rebasing: bytes[start..<at])
      guard at < bytes.count else {
        fail()
        return (out + run).string
      }
      at += 1
      if bytes[at - 1] == UInt8(ascii: "\"") {
        return out.isEmpty ? run.string : (out + run).string
      }
      out.append(contentsOf: run)
      escape(into: &out)
    }
  }

  private mutating func escape(into out: inout [UInt8]) {
    guard at < bytes.count else { return }
    let byte = bytes[at]
    at += 1
    switch byte {
    case UInt8(ascii: "n"): out.append(0x0A)
    case UInt8(ascii: "t"): out.append(0x09)
    case UInt8(ascii: "r"): out.append(0x0D)
    case UInt8(ascii: "b"), UInt8(ascii: "f"): out.append(0x20)
    case UInt8(ascii: "u"):
      var value = hex() ?? 0xFFFD
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
      out.append(contentsOf: String(Character(Unicode.Scalar(value) ?? "\u{FFFD}")).utf8)
    default: out.append(byte)
    }
  }

  private mutating func hex() -> UInt32? {
    guard at + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for offset in 0..<4 {
      guard let digit = bytes[at + offset].hexValue else { return nil }
      value = value << 4 | digit
    }
    at += 4
    return value
  }
}
