import Foundation

/// The lines of statements and keys. The TOML library gives the places of syntax errors only, so
/// this type scans the text for headings and keys.
package struct KeyLines {
  /// The limit of dots outside of strings in one statement. No setting has more than two. The
  /// parser limits nested values but not `a.a.a.a…`, whose deinitialisation is recursive, so that a
  /// long line of dots would crash.
  package static let mostDots = 200

  private var lines: [[String]: Int] = [:]
  /// The table to which a key after the text would belong.
  private(set) var lastTable: [String] = []
  private var starts = [0]
  /// The line of a statement beyond the limit, from 1, after which the text is not read.
  package private(set) var excess: Int?

  package init(_ text: String) {
    var scanner = StatementScanner()
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      index += scanner.read(bytes[index...])
      while starts.count < scanner.line { starts.append(scanner.statement - 1) }
      if scanner.dots > Self.mostDots {
        excess = scanner.line
        return
      }
    }
    noteNames(text)
  }

  private mutating func noteNames(_ text: String) {
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where starts[index] == index && !line.isEmpty {
      let names = Self.names(Substring(line))
      if names.isHeading {
        lastTable = names.path
        note(names.path, index + 1)
      } else if names.isAssignment {
        // A dotted key or a key of an inline table counts for its parents too.
        for length in 1...names.path.count {
          note(lastTable + names.path.prefix(length), index + 1)
        }
      }
    }
  }

  /// Returns the number of the first line of a line's statement, both from 0.
  func start(of index: Int) -> Int { index < starts.count ? starts[index] : index }

  /// Returns the line of a key, otherwise of the table around the key.
  package func line(of path: [String]) -> Int? {
    lines[path] ?? (path.count > 1 ? line(of: path.dropLast()) : nil)
  }

  /// Returns the lines of the keys in a table, without its name.
  func within(_ table: String) -> KeyLines {
    var inner = self
    inner.lines = [:]
    for (path, line) in lines where path.first == table {
      inner.lines[path.dropFirst() + []] = line
    }
    return inner
  }

  func exactLine(of path: [String]) -> Int? { lines[path] }

  package struct Names {
    var path: [String]
    var isHeading = false
    var isAssignment = false
  }

  /// Returns the table of a heading, or the key of a line.
  package static func names(_ line: some StringProtocol) -> Names {
    var scanner = Scanner(Substring(line).utf8)
    if scanner.consume("[") {
      _ = scanner.consume("[")
      return Names(path: scanner.path(), isHeading: true)
    }
    let path = scanner.path()
    return Names(path: path, isAssignment: !path.isEmpty && scanner.consume("="))
  }

  private mutating func note(_ path: [String], _ line: Int) {
    if lines[path] == nil { lines[path] = line }
  }

  /// Reads `a."b c".d` from the start of a line.
  private struct Scanner {
    var rest: Substring.UTF8View

    init(_ rest: Substring.UTF8View) { self.rest = rest }

    mutating func consume(_ character: Character) -> Bool {
      skipBlanks()
      guard rest.first == character.asciiValue else { return false }
      rest.removeFirst()
      return true
    }

    mutating func path() -> [String] {
      var names: [String] = []
      repeat {
        guard let name = name() else { return [] }
        names.append(name)
      } while consume(".")
      return names
    }

    private mutating func name() -> String? {
      skipBlanks()
      guard let first = rest.first else { return nil }
      if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
        rest.removeFirst()
        guard let end = rest.firstIndex(of: first) else { return nil }
        defer { rest = rest[rest.index(after: end)...] }
        return String(Substring(rest[..<end]))
      }
      let bare = rest.prefix {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      }
      rest = rest.dropFirst(bare.count)
      return bare.isEmpty ? nil : String(Substring(bare))
    }

    private mutating func skipBlanks() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }
  }
}

/// Finds the statements of a TOML text, and counts the dots of their keys.
struct StatementScanner {
  enum Place { case plain, comment, text(quote: UInt8, isLong: Bool) }

  private(set) var place = Place.plain
  private(set) var dots = 0
  private var brackets = 0
  private(set) var line = 1
  private(set) var statement = 1
  private var hasBegun = false
  /// True in a heading, which ends with its line, with or without its closing bracket.
  private var isHeading = false

  /// Reads the first token and returns its length in bytes.
  mutating func read(_ bytes: ArraySlice<UInt8>) -> Int {
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
