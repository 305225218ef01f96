import Foundation

/// A JSON value (RFC 8259), read strictly: a fault anywhere yields no value at all.
package enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A number that is not a 64-bit integer, as written.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Maximum depth of nesting.
  static let maximumDepth = 16

  /// Returns `nil` unless the bytes are one value in valid UTF-8.
  package init?(_ bytes: some Collection<UInt8>) {
    let parsed = Array(bytes).withUnsafeBufferPointer { buffer -> JSONValue? in
      var reader = JSONReader(bytes: buffer)
      let value = reader.value(depth: 0)
      reader.skipSpaces()
      return reader.at == buffer.count ? value : nil
    }
    guard let parsed else { return nil }
    self = parsed
  }

  package var members: [String: JSONValue]? { if case .object(let all) = self { all } else { nil } }
  package var elements: [JSONValue]? { if case .array(let all) = self { all } else { nil } }
  package var text: String? { if case .string(let text) = self { text } else { nil } }
  package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

  /// The canonical text: members in the order of their bytes, no spaces, few escapes.
  package var bytes: [UInt8] {
    var out: [UInt8] = []
    append(to: &out)
    return out
  }

  func append(to out: inout [UInt8]) {
    switch self {
    case .null: out += "null".utf8
    case .bool(let value): out += (value ? "true" : "false").utf8
    case .integer(let number): out += String(number).utf8
    case .number(let text): out += text.utf8
    case .string(let text): Self.append(text, to: &out)
    case .array(let elements):
      var start = UInt8(ascii: "[")
      for element in elements {
        out.append(start)
        element.append(to: &out)
        start = UInt8(ascii: ",")
      }
      out += (elements.isEmpty ? "[]" : "]").utf8
    case .object(let members): Self.append(Self.sorted(members), to: &out)
    }
  }

  /// Returns an object with its members in the given order, as a line.
  static func line(_ members: [(String, JSONValue)]) -> [UInt8] {
    var out: [UInt8] = []
    append(members, to: &out)
    out.append(0x0A)
    return out
  }

  /// Sorts members by the bytes of their names: the order of Strings depends on Unicode's version.
  static func sorted(_ members: [String: JSONValue]) -> [(String, JSONValue)] {
    members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { ($0, $1) }
  }

  private static func append(_ members: [(String, JSONValue)], to out: inout [UInt8]) {
    var start = UInt8(ascii: "{")
    for (name, value) in members {
      out.append(start)
      append(name, to: &out)
      out.append(UInt8(ascii: ":"))
      value.append(to: &out)
      start = UInt8(ascii: ",")
    }
    out += (members.isEmpty ? "{}" : "}").utf8
  }

  private static func append(_ text: String, to out: inout [UInt8]) {
    out.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): out += [UInt8(ascii: "\\"), byte]
      case 0..<0x20: out += ((byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16)).utf8
      default: out.append(byte)
      }
    }
    out.append(UInt8(ascii: "\""))
  }
}

private struct JSONReader {
  let bytes: UnsafeBufferPointer<UInt8>
  var at = 0

  mutating func skipSpaces() {
    while at < bytes.count, Self.isSpace(bytes[at]) { at += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte <= 0x20 && (byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D)
  }

  /// Consumes spaces and the character. Returns false before another character.
  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    skipSpaces()
    guard at < bytes.count, bytes[at] == UInt8(ascii: character) else { return false }
    at += 1
    return true
  }

  mutating func value(depth: Int) -> JSONValue? {
    guard depth < JSONValue.maximumDepth else { return nil }
    if skip("{") {
      var members: [String: JSONValue] = [:]
      let isWhole = list(until: "}") { reader in
        reader.skipSpaces()
        guard let name = reader.string(), reader.skip(":") else { return false }
        members[name] = reader.value(depth: depth + 1)
        return members[name] != nil
      }
      return isWhole ? .object(members) : nil
    }
    if skip("[") {
      var elements: [JSONValue] = []
      let isWhole = list(until: "]") { reader in
        guard let element = reader.value(depth: depth + 1) else { return false }
        elements.append(element)
        return true
      }
      return isWhole ? .array(elements) : nil
    }
    let isString = at < bytes.count && bytes[at] == UInt8(ascii: "\"")
    return isString ? string().map { .string($0) } : word()
  }

  /// Reads elements that commas separate. Returns false at a fault.
  private mutating func list(
    until bracket: Unicode.Scalar, _ readElement: (inout JSONReader) -> Bool
  ) -> Bool {
    if skip(bracket) { return true }
    repeat { guard readElement(&self) else { return false } } while skip(",")
    return skip(bracket)
  }

  private mutating func word() -> JSONValue? {
    let start = at
    while at < bytes.count, !Self.isSpace(bytes[at]), !",]}".utf8.contains(bytes[at]) { at += 1 }
    let text = String(decoding: bytes[start..<at], as: UTF8.self)
    switch text {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default:
      // "-0" stays as written.
      if let number = Int64(text), String(number) == text { return .integer(number) }
      let isNumber = text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil
      return isNumber ? .number(text) : nil
    }
  }

  private mutating func string() -> String? {
    guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else { return nil }
    let start = at
    var hasEscapes = false
    at += 1
    while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
      guard bytes[at] >= 0x20 else { return nil }
      let isEscape = bytes[at] == UInt8(ascii: "\\")
      hasEscapes = hasEscapes || isEscape
      at += isEscape ? 2 : 1
    }
    guard at < bytes.count else { return nil }
    at += 1
    // Foundation decodes escapes, which are rare.
    if hasEscapes {
      return try? JSONDecoder().decode(String.self, from: Data(bytes[start..<at]))
    }
    return String(validating: bytes[(start + 1)..<(at - 1)], as: UTF8.self)
  }
}
