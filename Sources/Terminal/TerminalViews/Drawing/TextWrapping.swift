/// Breaks plain text into lines with a maximum number of columns: at spaces, before and after wide
/// characters, and inside a word only if the word alone is too long. No-break spaces break nothing.
public nonisolated enum TextWrapping {
  /// Returns at least one line, each without spaces at its end.
  public static func lines(_ text: some StringProtocol, columns: Int) -> [String] {
    let columns = max(1, columns)
    var lines: [String] = []
    var line = ""
    var width = 0
    // The last place where `line` may be broken, and the width up to that place.
    var breakAt: (index: String.Index, width: Int)?
    for character in text {
      let isSpace = character.isWhitespace && character != "\u{A0}"
      let size = character.isWhitespace ? 1 : GraphemeWidth.width(of: character)
      if isSpace && line.isEmpty { continue }
      if width + size > columns {
        if isSpace {
          lines.append(line)
          (line, width, breakAt) = ("", 0, nil)
          continue
        }
        if size == 2 || breakAt == nil {
          lines.append(trimmed(line))
          (line, width) = ("", 0)
        } else if let place = breakAt {
          lines.append(trimmed(String(line[..<place.index])))
          line = String(line[place.index...])
          width -= place.width
        }
        breakAt = nil
      }
      line.append(character.isWhitespace ? " " : character)
      width += size
      if isSpace || size == 2 { breakAt = (line.endIndex, width) }
    }
    line = trimmed(line)
    if !line.isEmpty || lines.isEmpty { lines.append(line) }
    return lines
  }

  private static func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }
}
