/// The statements of a TOML text: headings and `key = value`, over as many lines as brackets and
/// long texts carry them. Where the parser, which stops at the first mistake, finds one, the
/// statement is taken out, so that the rest is read and every mistake is reported.
struct Statements {
  /// A statement that was taken out.
  struct Removed {
    /// The line on which it begins, from 1.
    var line: Int
    /// Its table and its key as far as they can be read; of a heading the table alone.
    var path: [String]
    var isHeading: Bool
    /// Whether it is a name, an equals sign and something behind that.
    var isAssignment: Bool
    /// The line on which the same name comes before it.
    var earlier: Int?
  }

  private var lines: [String]
  /// For each line the one on which its statement begins, both from 0.
  private let starts: [Int]

  init(_ text: String) {
    // The parser allows a byte order mark, which is part of no name.
    var text = text
    if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    starts = KeyDepth.statementStarts(in: text)
  }

  /// What is left.
  var text: String { lines.joined(separator: "\n") }

  /// Takes out the first heading that names no table. The parser must not see it: at its first
  /// character that can begin no name a check of its own would end the program.
  mutating func removeNamelessHeading() -> Removed? {
    let index = lines.indices.first { index in
      guard start(of: index) == index else { return false }
      let names = KeyLines.names(lines[index])
      return names.isHeading && names.path.isEmpty
    }
    return index.flatMap { remove(at: $0 + 1) }
  }

  /// Takes out the statement on a line, or the last one above an empty line; a heading goes with
  /// all that is under it, which belongs to no table then.
  /// - Parameter line: from 1.
  /// - Returns: nil if nothing is left there.
  mutating func remove(at line: Int) -> Removed? {
    var index = min(line, lines.count) - 1
    while index > 0, isEmpty(index) { index -= 1 }
    guard index >= 0, !isEmpty(index) else { return nil }
    let start = start(of: index)
    let names = KeyLines.names(lines[start])
    let before = KeyLines(lines[..<start].joined(separator: "\n"))
    let path = names.isHeading ? names.path : before.lastTable + names.path
    let removed = Removed(
      line: start + 1, path: path, isHeading: names.isHeading, isAssignment: names.isAssignment,
      earlier: before.exactLine(of: path))
    var end = start + 1
    while end < lines.count,
      names.isHeading
        ? !(self.start(of: end) == end && KeyLines.names(lines[end]).isHeading)
        : self.start(of: end) == start
    {
      end += 1
    }
    for line in start..<end { lines[line] = "" }
    return removed
  }

  private func start(of index: Int) -> Int { index < starts.count ? starts[index] : index }

  private func isEmpty(_ index: Int) -> Bool {
    let text = lines[index].drop { $0.isWhitespace }
    return text.isEmpty || text.first == "#"
  }
}
