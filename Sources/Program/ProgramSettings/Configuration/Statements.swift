/// The statements of a TOML text: headings and `key = value`. The parser stops at the first
/// mistake, so a wrong statement is removed and the rest parsed again, to report every mistake.
struct Statements {
  struct Removed {
    /// The first line of the statement, from 1.
    var line: Int
    /// The table and the key as far as they can be read; only the table for a heading.
    var path: [String]
    var isHeading: Bool
    var isAssignment: Bool
    var earlier: Int?
  }

  private var lines: [String]
  private let keys: KeyLines

  init(_ text: String) {
    // The parser accepts a byte order mark, which belongs to no name.
    var text = text
    if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    self.lines = lines.map { String(Substring($0)) }
    keys = KeyLines(text)
  }

  var text: String { lines.joined(separator: "\n") }

  /// Removes the first heading without a name, which would fail an assertion of the parser and end
  /// the program.
  mutating func removeNamelessHeading() -> Removed? {
    let index = lines.indices.first { index in
      guard keys.start(of: index) == index, !lines[index].isEmpty else { return false }
      let names = KeyLines.names(lines[index])
      return names.isHeading && names.path.isEmpty
    }
    return index.flatMap { remove(at: $0 + 1) }
  }

  /// Removes the statement on a line, or the last one above an empty line. Also removes the content
  /// of a heading, which would belong to no table.
  /// - Parameter line: the line, from 1.
  mutating func remove(at line: Int) -> Removed? {
    var index = min(line, lines.count) - 1
    while index > 0, isEmpty(index) { index -= 1 }
    guard index >= 0, !isEmpty(index) else { return nil }
    let start = keys.start(of: index)
    let names = KeyLines.names(lines[start])
    let before = KeyLines(lines[..<start].joined(separator: "\n"))
    let path = names.isHeading ? names.path : before.lastTable + names.path
    let removed = Removed(
      line: start + 1, path: path, isHeading: names.isHeading, isAssignment: names.isAssignment,
      earlier: before.exactLine(of: path))
    var end = start + 1
    while end < lines.count,
      names.isHeading
        ? !(keys.start(of: end) == end && KeyLines.names(lines[end]).isHeading)
        : keys.start(of: end) == start
    {
      end += 1
    }
    for line in start..<end { lines[line] = "" }
    return removed
  }

  private func isEmpty(_ index: Int) -> Bool {
    let text = lines[index].drop { $0.isWhitespace }
    return text.isEmpty || text.first == "#"
  }
}
