import TerminalKit

/// A terminal's screen as an SVG picture, made from the output of `tmux capture-pane -e`.
struct TerminalPicture {
  private struct Look: Equatable {
    var foreground: String?
    var background: String?
    var isBold = false
    var isDim = false
    var isItalic = false
    var isUnderlined = false
    var isReversed = false
  }

  private struct Run {
    var look: Look
    var text: String
    var column: Int
    var width: Int
  }

  private static let cell = (width: 8.4, height: 18.0)
  private static let margin = 14.0
  private static let size = 14

  private let rows: [[Run]]
  private let columns: Int
  private let ground: String
  private let ink: String

  /// - Parameters:
  ///   - ground: The terminal's own background, as `#rrggbb`.
  ///   - ink: The terminal's own foreground.
  init(_ capture: String, columns: Int, ground: String, ink: String) {
    (self.columns, self.ground, self.ink) = (columns, ground, ink)
    var look = Look()
    var lines = capture.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    rows = lines.map { Self.runs(in: $0, &look) }
  }

  // MARK: Reading

  /// Returns the runs of a line. tmux continues the style of one line in the next.
  private static func runs(in line: Substring, _ look: inout Look) -> [Run] {
    var (runs, column) = ([Run](), 0)
    var rest = line
    while let character = rest.first {
      if character == "\u{1B}" {
        rest = sequence(rest.dropFirst(), &look)
        continue
      }
      rest.removeFirst()
      let width = GraphemeWidth.width(of: character)
      // A wide character is a run of its own, because fonts differ in its width.
      if width == 1, let last = runs.last, last.look == look, last.width == last.text.count {
        runs[runs.count - 1].text.append(character)
        runs[runs.count - 1].width += 1
      } else {
        runs.append(Run(look: look, text: String(character), column: column, width: width))
      }
      column += width
    }
    return runs
  }

  /// Removes one control sequence, and applies it if it sets a style.
  private static func sequence(_ text: Substring, _ look: inout Look) -> Substring {
    if text.first == "[", let end = text.dropFirst().firstIndex(where: \.isLetter) {
      let body = text[text.index(after: text.startIndex)..<end]
      if text[end] == "m" { apply(body.split(whereSeparator: { $0 == ";" || $0 == ":" }), &look) }
      return text[text.index(after: end)...]
    }
    if text.first == "]" {
      let end = text.firstIndex { $0 == "\u{7}" || $0 == "\\" } ?? text.endIndex
      return text[end...].dropFirst()
    }
    return text.dropFirst()
  }

  private static func apply(_ words: [Substring], _ look: inout Look) {
    var numbers = words.map { Int($0) ?? 0 }[...]
    if numbers.isEmpty { look = Look() }
    while let number = numbers.popFirst() {
      switch number {
      case 0: look = Look()
      case 1: look.isBold = true
      case 2: look.isDim = true
      case 3: look.isItalic = true
      case 4: look.isUnderlined = true
      case 7: look.isReversed = true
      case 22: (look.isBold, look.isDim) = (false, false)
      case 23: look.isItalic = false
      case 24: look.isUnderlined = false
      case 27: look.isReversed = false
      case 38: look.foreground = color(&numbers)
      case 39: look.foreground = nil
      case 48: look.background = color(&numbers)
      case 49: look.background = nil
      default: break
      }
    }
  }

  /// Returns the colour of `2;r;g;b`. The themes in the pictures set all their colours; palette
  /// colours are the terminal's own.
  private static func color(_ numbers: inout ArraySlice<Int>) -> String? {
    guard numbers.popFirst() == 2, numbers.count >= 3 else {
      _ = numbers.popFirst()
      return nil
    }
    return "#"
      + (0..<3).map { _ in
        let text = String(numbers.removeFirst() & 0xFF, radix: 16)
        return text.count < 2 ? "0" + text : text
      }.joined()
  }

  // MARK: Writing

  var svg: String {
    let width = Double(columns) * Self.cell.width + 2 * Self.margin
    let height = Double(rows.count) * Self.cell.height + 2 * Self.margin
    var out = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width.shown)" height="\(height.shown)" \
      viewBox="0 0 \(width.shown) \(height.shown)" xml:space="preserve" font-size="\(Self.size)" \
      font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, 'Noto Sans Mono CJK SC', monospace">
      <rect width="100%" height="100%" rx="8" fill="\(ground)"/>

      """
    for (y, row) in rows.enumerated() {
      for run in row { out += element(run, y) }
    }
    return out + "</svg>\n"
  }

  private func element(_ run: Run, _ row: Int) -> String {
    var (front, back) = (run.look.foreground ?? ink, run.look.background ?? ground)
    if run.look.isReversed { swap(&front, &back) }
    let x = Self.margin + Double(run.column) * Self.cell.width
    let y = Self.margin + Double(row) * Self.cell.height
    let width = Double(run.width) * Self.cell.width
    var out = ""
    if back != ground {
      out +=
        "<rect x=\"\(x.shown)\" y=\"\(y.shown)\" width=\"\((width + 0.3).shown)\" "
        + "height=\"\(Self.cell.height.shown)\" fill=\"\(back)\"/>"
    }
    guard run.text.contains(where: { $0 != " " }) else { return out.isEmpty ? "" : out + "\n" }
    var attributes = "fill=\"\(front)\""
    if run.look.isBold { attributes += " font-weight=\"bold\"" }
    if run.look.isDim { attributes += " opacity=\"0.65\"" }
    if run.look.isItalic { attributes += " font-style=\"italic\"" }
    if run.look.isUnderlined { attributes += " text-decoration=\"underline\"" }
    if run.width == run.text.count {
      attributes += " textLength=\"\(width.shown)\" lengthAdjust=\"spacingAndGlyphs\""
    }
    return out + "<text x=\"\(x.shown)\" y=\"\((y + 13.5).shown)\" \(attributes)>"
      + run.text.replacing("&", with: "&amp;").replacing("<", with: "&lt;") + "</text>\n"
  }
}

extension Double {
  /// The number rounded to a tenth.
  fileprivate var shown: String {
    let tenths = Int((self * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
