import Foundation

/// Finds the lines of keys. The TOML library gives the places of syntax errors only, so this type
/// scans the text for headings and keys.
package struct KeyLines {
  private var lines: [[String]: Int] = [:]
  /// The table to which a key after the text would belong.
  private(set) var lastTable: [String] = []

  package init(_ text: String) {
    let starts = KeyDepth.statementStarts(in: text)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where starts[index] == index {
      let names = Self.names(line)
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

  /// Returns the line of a key, otherwise of the table around the key.
  package func line(of path: [String]) -> Int? {
    lines[path] ?? (path.count > 1 ? line(of: path.dropLast()) : nil)
  }

  func exactLine(of path: [String]) -> Int? { lines[path] }

  /// The names at the start of a line.
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
