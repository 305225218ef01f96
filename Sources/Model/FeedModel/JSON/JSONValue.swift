/// A JSON value (RFC 8259).
package enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A number that is not a 64-bit integer, as written.
  case number(String)
  case string(String)
  case array([JSONValue])
  /// The members; the last one of each name.
  case object([String: JSONValue])

  /// The place where lenient reading ended.
  package enum End {
    case whole
    /// The text ends with open brackets.
    case cut
    case damaged
  }

  /// Reads strictly: `nil` unless the bytes are one value in valid UTF-8, of a small depth.
  package init?(_ bytes: some Collection<UInt8>) {
    let parsed = Array(bytes).withUnsafeBufferPointer { buffer -> JSONValue? in
      var reader = JSONReader(bytes: buffer, isStrict: true, maximumDepth: 16)
      let value = reader.value(depth: 0)
      return reader.hasEnded() ? value : nil
    }
    guard let parsed else { return nil }
    self = parsed
  }

  /// Reads leniently: values before a fault are kept.
  /// - Parameters:
  ///   - list: a member of the root whose elements are passed on one by one and not stored. A
  ///     truncated element is omitted.
  ///   - apply: receives each element, and the root's members before the list.
  /// - Returns: `nil` if no value begins.
  package static func read(
    _ bytes: [UInt8], list: String,
    _ apply: @escaping (_ element: JSONValue, _ before: JSONValue) -> Void
  ) -> (root: JSONValue, end: End)? {
    bytes.withUnsafeBufferPointer { buffer in
      var reader = JSONReader(bytes: buffer, isStrict: false, maximumDepth: 128)
      reader.list = (list, apply)
      guard let root = reader.value(depth: 0) else { return nil }
      return (root, reader.isDamaged ? (reader.isAtEnd ? .cut : .damaged) : .whole)
    }
  }

  package subscript(name: String) -> JSONValue? { members?[name] }
  package var members: [String: JSONValue]? { if case .object(let all) = self { all } else { nil } }
  package var elements: [JSONValue]? { if case .array(let all) = self { all } else { nil } }
  package var text: String? { if case .string(let text) = self { text } else { nil } }
  package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

  /// A string, or a number or Boolean as written.
  package var scalar: String? {
    switch self {
    case .string(let text), .number(let text): text
    case .integer(let number): String(number)
    case .bool(let value): value ? "true" : "false"
    case .null, .array, .object: nil
    }
  }

  /// The canonical text: members in the order of their bytes, no spaces, few escapes.
  package var bytes: [UInt8] {
    var out: [UInt8] = []
    append(to: &out)
    return out
  }

  private func append(to out: inout [UInt8]) {
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
  package static func line(_ members: [(String, JSONValue)]) -> [UInt8] {
    var out: [UInt8] = []
    append(members, to: &out)
    out.append(0x0A)
    return out
  }

  /// Sorts members by the bytes of their names: the order of Strings depends on Unicode's version.
  package static func sorted(_ members: [String: JSONValue]) -> [(String, JSONValue)] {
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
