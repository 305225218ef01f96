/// Caches margins as runs for the lines of a block.
struct MarginRuns {
  private var margin: [MarginPart] = []
  private var first: [StyledRun] = []
  private var rest: [StyledRun] = []

  /// - Parameter isFirst: true for the first line of its block.
  mutating func of(_ margin: [MarginPart], isFirst: Bool) -> [StyledRun] {
    if self.margin != margin {
      self.margin = margin
      first = Self.joined(margin.map { StyledRun($0.first, style: $0.style) })
      rest = Self.joined(margin.map { StyledRun($0.rest, style: $0.style) })
    }
    return isFirst ? first : rest
  }

  /// Returns the margin at the right of a right-to-left line.
  static func turned(_ margin: [MarginPart], isFirst: Bool) -> [StyledRun] {
    joined(
      margin.reversed().map { part in
        StyledRun(turned(isFirst ? part.first : part.rest), style: part.style)
      })
  }

  static func columns(of margin: [MarginPart]) -> Int {
    margin.reduce(0) { $0 + $1.rest.count }
  }

  /// Merges neighbours of one style, which deep quotations have.
  private static func joined(_ parts: [StyledRun]) -> [StyledRun] {
    parts.reduce(into: []) { runs, part in
      if runs.last?.style == part.style {
        runs[runs.count - 1].text += part.text
      } else {
        runs.append(part)
      }
    }
  }

  /// Converts "• " to " •". Numbers become circled (①) if possible: terminals with bidi support
  /// move digits after right-to-left text to its other end (UAX #9, W2 and N1), but not symbols.
  private static func turned(_ text: String) -> String {
    var sign = text.trimming { $0 == " " }
    if sign.hasSuffix("."), let number = UInt32(sign.dropLast()), (1...20).contains(number),
      let circled = Unicode.Scalar(0x2460 + number - 1)
    {
      sign = String(circled)
    }
    return String(repeating: " ", count: max(0, text.count - sign.count)) + sign
  }
}
