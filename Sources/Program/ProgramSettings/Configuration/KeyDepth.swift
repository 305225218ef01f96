/// Measures the depth of tables in a TOML text by dotted keys. The parser limits nested values but
/// not `a.a.a.a…`, whose deinitialisation is recursive, so that a long line of dots would crash.
package struct KeyDepth {
  /// The limit of dots outside of strings in one statement. No setting has more than two.
  package static let limit = 200

  private enum Place { case plain, comment, text(quote: UInt8, isLong: Bool) }

  private var place = Place.plain
  private var dots = 0
  private var brackets = 0
  private var line = 1
  private var statement = 1
  private var hasBegun = false
  /// True in a heading, which ends with its line, with or without its closing bracket.
  private var isHeading = false

  /// Returns the line of a statement beyond the limit, from 1; `nil` if there is none.
  package static func excess(in text: String) -> Int? {
    var depth = KeyDepth()
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      index += depth.read(bytes[index...])
      if depth.dots > limit { return depth.line }
    }
    return nil
  }

  /// Returns, for each line, the number of its statement's first line, from 0.
  static func statementStarts(in text: String) -> [Int] {
    var depth = KeyDepth()
    var starts = [0]
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      index += depth.read(bytes[index...])
      while starts.count < depth.line { starts.append(depth.statement - 1) }
    }
    return starts
  }

  /// Reads the first token and returns its length in bytes.
  private mutating func read(_ bytes: ArraySlice<UInt8>) -> Int {
    guard let byte = bytes.first else { return 1 }
    if byte == UInt8(ascii: "\n") { endLine() }
    switch place {
    case .comment: return 1
    case .text(let quote, let isLong):
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        // An escaped line feed still ends a line.
        return bytes.dropFirst().first == UInt8(ascii: "\n") ? 1 : 2
      }
      guard byte == quote else { return 1 }
      if isLong, !Self.isTriple(bytes, quote) { return 1 }
      place = .plain
      return isLong ? 3 : 1
    case .plain: return readPlain(byte, bytes)
    }
  }

  private mutating func readPlain(_ byte: UInt8, _ bytes: ArraySlice<UInt8>) -> Int {
    if !hasBegun, byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t"), byte != UInt8(ascii: "\n")
    {
      (hasBegun, isHeading) = (true, byte == UInt8(ascii: "["))
    }
    switch byte {
    case UInt8(ascii: "."): dots += 1
    case UInt8(ascii: "["), UInt8(ascii: "{"): brackets += 1
    case UInt8(ascii: "]"), UInt8(ascii: "}"): brackets -= 1
    case UInt8(ascii: "#"): place = .comment
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let isLong = Self.isTriple(bytes, byte)
      place = .text(quote: byte, isLong: isLong)
      return isLong ? 3 : 1
    default: break
    }
    return 1
  }

  /// Ends a line. Only strings in three quotes and brackets continue in the next line.
  private mutating func endLine() {
    line += 1
    if case .text(_, isLong: true) = place { return }
    place = .plain
    guard brackets <= 0 || isHeading else { return }
    (brackets, dots) = (0, 0)
    (hasBegun, isHeading) = (false, false)
    statement = line
  }

  private static func isTriple(_ bytes: ArraySlice<UInt8>, _ quote: UInt8) -> Bool {
    bytes.count >= 3 && bytes.prefix(3).allSatisfy { $0 == quote }
  }
}
