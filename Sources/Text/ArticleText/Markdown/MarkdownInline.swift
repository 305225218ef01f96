/// The text of a paragraph as Markdown, with its line breaks.
struct MarkdownInline {
  private(set) var text = ""

  /// - Parameters:
  ///   - links: the addresses by link number.
  ///   - isHeading: true to omit bold.
  init(_ inline: InlineText, _ links: [String], isHeading: Bool = false) {
    var start = 0
    var link: LinkTarget?
    var isPicture = false
    var inside = ""
    for run in inline.runs {
      var piece = String(decoding: inline.bytes[start..<run.end], as: UTF8.self)
      start = run.end
      // Skips link numbers of the screen.
      if run.style.contains(.secondary), let number = piece.firstRange(of: "\u{2060}[") {
        piece.removeSubrange(number.lowerBound...)
      }
      // Skips the mark of a summary.
      if run.style.contains(.secondary), piece == "▾ " { continue }
      if run.link != link {
        text += Self.linked(inside, link, links, isPicture)
        (inside, link, isPicture) = ("", run.link, run.style.contains(.picture))
      }
      inside += Self.styled(piece, run.style, isHeading: isHeading)
    }
    text += Self.linked(inside, link, links, isPicture)
    if let first = text.first, "#+-=>".contains(first) { text = "\\" + text }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    if !digits.isEmpty, text.dropFirst(digits.count).first.map({ ".)".contains($0) }) == true {
      text.insert("\\", at: digits.endIndex)
    }
  }

  /// Returns an inline link (CommonMark, 6.3).
  static func link(_ text: String, to address: String) -> String {
    let address = address.replacing("\\", with: "%5C").replacing("<", with: "%3C")
      .replacing(">", with: "%3E")
    let needsBrackets = address.contains { " ()".contains($0) }
    return "[\(escaped(text))](\(needsBrackets ? "<\(address)>" : address))"
  }

  private static func linked(
    _ text: String, _ link: LinkTarget?, _ links: [String], _ isPicture: Bool
  ) -> String {
    guard !text.isEmpty, case .address(let number)? = link, links.indices.contains(number) else {
      return text
    }
    let needsBrackets = links[number].contains { " ()<>".contains($0) }
    let address =
      needsBrackets
      ? "<\(links[number].replacing("<", with: "%3C").replacing(">", with: "%3E"))>"
      : links[number]
    if text.replacing("\\", with: "") == links[number], !needsBrackets { return "<\(address)>" }
    if isPicture { return "![\(text)](\(address))" }
    return "[\(text)](\(address))"
  }

  private static func styled(_ piece: String, _ style: TextStyle, isHeading: Bool) -> String {
    // Markdown marks must touch the letters.
    let lead = piece.prefix { $0 == " " || $0 == "\n" }
    let body = piece.dropFirst(lead.count)
    let trail = String(body.reversed().prefix { $0 == " " || $0 == "\n" })
    let core = String(body.dropLast(trail.count))
    guard !core.isEmpty else { return piece }
    var text = escaped(core)
    if !style.isDisjoint(with: [.code, .key]) {
      let fence = fence(around: core, least: 1)
      let space = core.hasPrefix("`") || core.hasSuffix("`") ? " " : ""
      text = fence + space + core + space + fence
    }
    if style.contains(.emphasis) { text = "*\(text)*" }
    if style.contains(.strong), !isHeading { text = "**\(text)**" }
    if style.contains(.strikethrough) { text = "~~\(text)~~" }
    return lead + text + String(trail.reversed())
  }

  /// Returns a run of backticks longer than any in the code.
  static func fence(around code: String, least: Int) -> String {
    var longest = 0
    var run = 0
    for byte in code.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    return String(repeating: "`", count: max(least, longest + 1))
  }

  private static func escaped(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "`", "*", "_", "[", "]", "<", "~": out.append("\\")
      // Drops characters that only allow or prevent breaks.
      case "\u{2060}", "\u{200B}", "\u{AD}": continue
      default: break
      }
      out.unicodeScalars.append(scalar)
    }
    return out
  }
}
