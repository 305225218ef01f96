/// Blocks → lines of one width.
struct BlockLayout {
  let width: Int
  let justified: Bool
  let breaker: LineBreaker
  private(set) var lines: [TextLine] = []
  /// By the name that links call it: the line where a place is.
  private(set) var places: [String: Int] = [:]
  private var previousMargin: [MarginPart] = []

  init(width: Int, justified: Bool, measure: @escaping @Sendable (Character) -> Int) {
    self.width = width
    self.justified = justified
    breaker = LineBreaker(measure: measure)
  }

  mutating func add(_ block: Block) {
    let margin = fitting(block.margin)
    let available = width - Self.columns(of: margin)
    if block.isApart, !lines.isEmpty { addGap(before: margin, block.number) }
    previousMargin = margin
    note(block.names, at: lines.count)
    switch block.content {
    case .text(let text): add(text, margin, available, block.number)
    case .rule:
      let rule = StyledRun(String(repeating: "─", count: available), style: .secondary)
      append([rule], margin, isFirst: true, block.number)
    case .code(let code): add(code: code, margin, available, block.number)
    case .table(let table):
      var layout = TableLayout(table: table, width: available, breaker: breaker)
      note(table.caption?.names ?? [], at: lines.count)
      var rows = table.rows[...]
      for (index, line) in layout.lines().enumerated() {
        while rows.startIndex <= line.row, let row = rows.popFirst() {
          note(row.flatMap(\.text.names), at: lines.count)
        }
        append(line.runs, margin, isFirst: index == 0, block.number + line.row)
      }
    }
  }

  private mutating func add(
    _ text: InlineText, _ margin: [MarginPart], _ available: Int, _ number: Int
  ) {
    let pieces = breaker.lines(text.bytes, width: available)
    note(text.marks, in: pieces)
    for (index, line) in pieces.enumerated() {
      var runs = RunCutter.runs(text, line, available)
      if justified, !line.isLast { Justifier.fill(&runs, line.width, to: available) }
      let joint: TextLine.Joint =
        index == 0 ? .begins : Self.joint(pieces[index - 1], line, of: text)
      append(runs, margin, isFirst: index == 0, number, joint)
    }
  }

  /// How a line of a text goes on from the one before.
  private static func joint(
    _ previous: LineBreaker.Line, _ line: LineBreaker.Line, of text: InlineText
  ) -> TextLine.Joint {
    if previous.isHyphenated { return .hyphen }
    let between = text.bytes[previous.range.upperBound..<line.range.lowerBound]
    return between.isEmpty || between.elementsEqual("\u{200B}".utf8) ? .nothing : .space
  }

  /// Lines of code keep their shape; what is too wide goes on after a mark.
  private mutating func add(
    code: [InlineText], _ margin: [MarginPart], _ available: Int, _ number: Int
  ) {
    let mark = available >= 8 ? "↪ " : ""
    let continued =
      mark.isEmpty ? margin : margin + [MarginPart(kind: .marker, first: mark, rest: mark)]
    for (row, text) in code.enumerated() {
      let extent = breaker.extent(text.bytes).line
      let width = extent <= available ? available : available - mark.count
      let pieces = breaker.lines(text.bytes, width: width, mayBreakAnywhere: true)
      for (index, line) in pieces.enumerated() {
        append(
          RunCutter.runs(text, line, width), index == 0 ? margin : continued,
          isFirst: row == 0 && index == 0, number + row, index == 0 ? .begins : .nothing)
      }
    }
  }

  // MARK: Places

  private mutating func note(_ names: [String], at line: Int) {
    for name in names where places[name] == nil { places[name] = line }
  }

  /// The marks of a text that comes next, in these lines.
  private mutating func note(_ marks: [InlineText.Mark], in pieces: [LineBreaker.Line]) {
    var index = 0
    for mark in marks {
      while index + 1 < pieces.count, pieces[index].range.upperBound <= mark.offset { index += 1 }
      note([mark.name], at: lines.count + index)
    }
  }

  // MARK: Margins

  private mutating func append(
    _ runs: [StyledRun], _ margin: [MarginPart], isFirst: Bool, _ number: Int,
    _ joint: TextLine.Joint = .begins
  ) {
    guard !margin.isEmpty else {
      lines.append(TextLine(runs: runs, block: number, joint: joint))
      return
    }
    var all: [StyledRun] = []
    all.reserveCapacity(margin.count + runs.count)
    for part in margin {
      all.append(StyledRun(isFirst ? part.first : part.rest, style: part.style))
    }
    all.append(contentsOf: runs)
    lines.append(
      TextLine(runs: all, block: number, joint: joint, marginRuns: margin.count))
  }

  /// An empty line, in which the rules of quotations that go on go on.
  private mutating func addGap(before margin: [MarginPart], _ number: Int) {
    var runs: [StyledRun] = []
    for (above, below) in zip(previousMargin, margin) {
      guard above.kind == below.kind || above.kind != .quote && below.kind != .quote,
        above.rest.count == below.rest.count
      else { break }
      runs.append(StyledRun(below.rest, style: below.style))
    }
    while let last = runs.last, !last.style.contains(.quote) { runs.removeLast() }
    lines.append(TextLine(runs: runs, block: number, marginRuns: runs.count))
  }

  /// In a narrow window the text comes first: outer margins go until a third of the width is left.
  private func fitting(_ margin: [MarginPart]) -> [MarginPart] {
    var columns = Self.columns(of: margin)
    guard columns > width * 2 / 3 else { return margin }
    var rest = margin[...]
    while columns > width * 2 / 3, let first = rest.popFirst() { columns -= first.rest.count }
    return Array(rest)
  }

  private static func columns(of margin: [MarginPart]) -> Int {
    margin.reduce(0) { $0 + $1.rest.count }
  }
}

/// Lines of bytes → styled runs.
enum RunCutter {
  static func runs(_ text: InlineText, _ line: LineBreaker.Line, _ width: Int) -> [StyledRun] {
    var result: [StyledRun] = []
    var start = line.range.lowerBound
    let end = line.range.upperBound
    var low = 0
    var high = text.runs.count
    while low < high {
      let middle = (low + high) / 2
      if text.runs[middle].end <= start { low = middle + 1 } else { high = middle }
    }
    while start < end, low < text.runs.count {
      let run = text.runs[low]
      let stop = min(run.end, end)
      let piece = shown(text.bytes[start..<stop])
      if !piece.isEmpty { result.append(StyledRun(piece, style: run.style, link: run.link)) }
      start = stop
      low += 1
    }
    if line.isHyphenated, let last = result.indices.last { result[last].text += "-" }
    // A character of two columns in a window of one.
    if line.width > width, !result.isEmpty {
      return [StyledRun("?", style: result[0].style, link: result[0].link)]
    }
    return result
  }

  /// Without what only told where to break; no-break spaces look like spaces.
  private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(where: { $0 == 0xC2 || $0 == 0xE2 }) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    var scalars = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0xAD, 0x200B, 0x2060: continue
      case 0xA0, 0x202F, 0x2007: scalars.append(" ")
      default: scalars.append(scalar)
      }
    }
    return String(scalars)
  }
}

/// Widens the spaces of a line.
enum Justifier {
  static func fill(_ runs: inout [StyledRun], _ columns: Int, to width: Int) {
    let missing = width - columns
    guard missing > 0 else { return }
    let spaces = runs.reduce(0) { $0 + $1.text.utf8.count { $0 == 0x20 } }
    // Beyond two more per space the eye falls through.
    guard spaces > 0, missing <= spaces * 2 else { return }
    var seen = 0
    for index in runs.indices {
      var bytes: [UInt8] = []
      for byte in runs[index].text.utf8 {
        bytes.append(byte)
        guard byte == 0x20 else { continue }
        let extra = missing * (seen + 1) / spaces - missing * seen / spaces
        bytes.append(contentsOf: repeatElement(0x20, count: extra))
        seen += 1
      }
      runs[index].text = String(decoding: bytes, as: UTF8.self)
    }
  }
}
