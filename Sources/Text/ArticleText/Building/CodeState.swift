/// The part of a preformatted element that has been read.
struct CodeState {
  /// The language, if the page states it, and whether the page marks the tokens itself.
  var language: CodeLanguage?
  var hasOwnTokens = false
  private var lexer: CodeLexer?
  private var hasContent = false
  private var isBegun = false
  /// Number of empty lines that are added before the next text, but dropped at the end.
  private var heldBlankLines = 0

  private static let mostBlankLines = 1_000
  /// Length in bytes at which a line is divided.
  private static let longestLine = 65_536

  /// Returns true if a line must be divided; tabs count as spaces.
  static func isTooLong(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.count > longestLine / 4 else { return false }
    return line.count + 3 * line.count { $0 == 0x09 } > longestLine
  }

  /// Removes the complete lines of a growing text.
  static func removeLines(from text: inout InlineText) -> InlineText {
    var lines = text
    var end = lines.bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    if isTooLong(lines.bytes[end...]) {
      end = lines.bytes.count - 1_024
      while lines.bytes[end] & 0xC0 == 0x80 { end -= 1 }
    }
    text = lines.split(at: end)
    return lines
  }

  /// Returns the lines of the next block, coloured; `nil` if there are only empty ones so far.
  /// `isContinued` is true if an earlier block contains the lines before.
  /// - Parameter outer: the language that an enclosing element names.
  mutating func block(
    of text: InlineText, isLast: Bool, outer: CodeLanguage?
  ) -> (lines: [InlineText], isContinued: Bool)? {
    var lines = CodeLines.split(text, isFirst: !hasContent)
    hasContent = true
    // A final line break separates this line from the next.
    if !isLast, lines.last?.isEmpty == true { lines.removeLast() }
    let blanks = lines.reversed().prefix { $0.isBlank }.count
    let held = heldBlankLines
    guard blanks < lines.count else {
      heldBlankLines += blanks
      return nil
    }
    lines.removeLast(blanks)
    colour(&lines, language ?? outer)
    lines.insert(
      contentsOf: repeatElement(InlineText(), count: min(held, Self.mostBlankLines)), at: 0)
    heldBlankLines = blanks
    defer { isBegun = true }
    return (lines, isBegun)
  }

  /// Styles code by the page's tokens, else by the language.
  private mutating func colour(_ lines: inout [InlineText], _ language: CodeLanguage?) {
    guard !hasOwnTokens else { return }
    if lexer == nil { lexer = language.map(CodeLexer.init) }
    for index in lines.indices {
      guard let parts = lexer?.tokens(in: lines[index].bytes) else { return }
      lines[index].add(parts)
    }
  }
}
