/// Converts plain text to HTML: paragraphs, lists, quotations of mails, and text in columns.
public struct PlainBody {
  private typealias Lines = ArraySlice<Substring>
  private var out = ""

  /// Converts text. Blank lines separate paragraphs. Line ends within a paragraph are kept, unless
  /// the text was filled to a width: then the screen fills it again.
  public static func html(_ text: String) -> String {
    var body = PlainBody()
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    body.add(dedented(lines)[...], depth: 0)
    return body.out
  }

  /// Maximum depth of quotations; deeper ones are kept as written.
  private static let mostDepth = 8
  /// Widths of filled text, in characters.
  private static let filledWidths = 56...84
  /// Longest line of code in bytes.
  private static let longestCode = 120

  /// Removes the common indentation of the lines after the first, which comes from the indented
  /// XML of the feed.
  private static func dedented(_ lines: [Substring]) -> [Substring] {
    let depth = lines.dropFirst().lazy.filter { !isBlank($0) }.map(indent).min() ?? 0
    guard depth > 0 else { return lines }
    return lines.map { $0.dropFirst(min(depth, indent($0))) }
  }

  // MARK: Parts

  private mutating func add(_ lines: Lines, depth: Int) {
    var rest = lines
    while let first = rest.first {
      if Self.isBlank(first) {
        rest = rest.dropFirst()
      } else if depth < Self.mostDepth, Self.isQuoted(first) {
        let quoted = rest.prefix(while: Self.isQuoted)
        rest = rest.dropFirst(quoted.count)
        out += "<blockquote>"
        add(quoted.map(Self.unquoted)[...], depth: depth + 1)
        out += "</blockquote>"
      } else {
        let part = Self.part(rest, depth)
        if Self.isCode(part) {
          rest = addCode(rest, depth)
        } else {
          rest = rest.dropFirst(part.count)
          addParagraph(part)
        }
      }
    }
  }

  /// Adds the code at the beginning, with its blank lines, and returns the rest.
  private mutating func addCode(_ lines: Lines, _ depth: Int) -> Lines {
    var (end, next) = (lines.startIndex, lines.startIndex)
    while next < lines.endIndex {
      let part = Self.part(lines[next...], depth)
      if !part.isEmpty {
        guard Self.isCode(part) else { break }
        end = part.endIndex
      }
      next = max(part.endIndex, next + 1)
    }
    let code = lines[..<end]
    let indent = code.lazy.filter { !Self.isBlank($0) }.map(Self.indent).min() ?? 0
    out += "<pre>"
    for line in code {
      add(String(line.dropFirst(min(indent, Self.indent(line)))))
      out += "\n"
    }
    out += "</pre>"
    return lines[end...]
  }

  private mutating func addParagraph(_ lines: Lines) {
    var text = lines
    while let start = text.indices.first(where: { Marker(text[$0]) != nil }) {
      let list = Self.list(text[start...])
      let items = list.count { Marker($0) != nil }
      guard items > 1 || start == text.startIndex && list.endIndex == text.endIndex else { break }
      addText(text[..<start])
      addList(list)
      text = text[list.endIndex...]
    }
    addText(text)
  }

  private mutating func addText(_ lines: Lines) {
    guard !lines.isEmpty else { return }
    let joint = Self.isFilled(lines) ? " " : "<br>"
    out += "<p>"
    for (index, line) in lines.enumerated() {
      if index > 0 { out += joint }
      add(String(line))
    }
    out += "</p>"
  }

  private mutating func addList(_ lines: Lines) {
    let first = lines.first.flatMap { Marker($0) }
    let name = first?.number == nil ? "ul" : "ol"
    out += "<\(name)"
    if let number = first?.number, number != 1 { out += " start=\"\(number)\"" }
    out += ">"
    for (index, line) in lines.enumerated() {
      let marker = Marker(line)
      if let marker, marker.indent == first?.indent {
        out += index > 0 ? "</li><li>" : "<li>"
        add(String(line.dropFirst(marker.length)))
      } else {
        // An item of a nested list has its own line.
        out += marker == nil ? " " : "<br>"
        add(String(line.drop { $0 == " " || $0 == "\t" }))
      }
    }
    out += "</li></\(name)>"
  }

  private mutating func add(_ text: String) { out += TextHTML.escaped(text) }

  // MARK: Lines

  private static func isBlank(_ line: Substring) -> Bool { line.allSatisfy(\.isWhitespace) }

  private static func indent(_ line: Substring) -> Int {
    line.prefix { $0 == " " || $0 == "\t" }.count
  }

  /// True for “> ” of quoted mails, but not for the prompt of an interpreter.
  private static func isQuoted(_ line: Substring) -> Bool {
    line.first == ">" && !line.hasPrefix(">>> ")
  }

  private static func unquoted(_ line: Substring) -> Substring {
    let rest = line.dropFirst()
    return rest.first == " " ? rest.dropFirst() : rest
  }

  /// Returns the lines up to a blank line or a quotation.
  private static func part(_ lines: Lines, _ depth: Int) -> Lines {
    lines.prefix { !isBlank($0) && !(depth < mostDepth && isQuoted($0)) }
  }

  /// True for code: only indented lines, or mostly lines with columns set by spaces.
  private static func isCode(_ lines: Lines) -> Bool {
    guard !lines.isEmpty, lines.allSatisfy({ $0.utf8.count <= longestCode }) else { return false }
    if lines.allSatisfy({ $0.hasPrefix("    ") || $0.hasPrefix("\t") }) { return true }
    let columns = lines.count { line in
      line.drop { $0 == " " }.contains("   ") || line.drop { $0 == "\t" }.contains("\t")
    }
    return columns > 1 && columns * 3 >= lines.count * 2
  }

  /// True if the first word of each line did not fit in the line above.
  private static func isFilled(_ lines: Lines) -> Bool {
    let lengths = lines.map(\.count)
    guard lines.count > 1, let width = lengths.max(), filledWidths.contains(width) else {
      return false
    }
    return zip(lengths, lines.dropFirst()).allSatisfy { length, next in
      length + 1 + next.prefix { $0 != " " }.count > width
    }
  }

  /// Returns the items at the beginning; lines that are indented further belong to the item above.
  private static func list(_ lines: Lines) -> Lines {
    guard let first = lines.first.flatMap({ Marker($0) }) else { return lines.prefix(0) }
    return lines.prefix { line in
      if let marker = Marker(line), marker.indent == first.indent {
        return (marker.number == nil) == (first.number == nil)
      }
      return indent(line) > first.indent
    }
  }

  /// The beginning of a list item: "- ", "* ", "• ", "1. ", "1) ".
  private struct Marker {
    var indent: Int
    /// The number; `nil` for a bullet.
    var number: Int?
    /// Length with the spaces around the marker.
    var length: Int

    init?(_ line: Substring) {
      indent = PlainBody.indent(line)
      let text = line.dropFirst(indent)
      let digits = text.prefix(3).prefix { $0.isASCII && $0.isNumber }
      let sign = text.dropFirst(digits.count)
      guard indent < 4, let first = sign.first, sign.dropFirst().first == " ",
        digits.isEmpty ? "-*•".contains(first) : ".)".contains(first)
      else { return nil }
      number = Int(digits)
      length = indent + digits.count + 1 + sign.dropFirst().prefix { $0 == " " }.count
    }
  }
}
