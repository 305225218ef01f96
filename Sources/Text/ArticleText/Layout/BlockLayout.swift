/// Lays out blocks as lines of one width.
struct BlockLayout {
  let width: Int
  let wide: WideContent
  let pictures: PictureSetting?
  /// The title above the text; a heading that repeats it is left out.
  let title: String?
  let breaker: LineBreaker
  private var lines: [TextLine] = []
  private var taken = 0
  /// Lines of link targets, by name.
  private(set) var places: [String: Int] = [:]
  private var previousMargin: [MarginPart] = []
  /// The direction of the last block, also used for blocks without letters.
  private var direction = TextDirection.leftToRight
  private var marginRuns = MarginRuns()
  /// Columns of the last table, if it has any.
  private var columns: [Int]?
  private var open: OpenText?
  private var isBehindHeading = false

  /// The text after the last complete line, if more will follow.
  private struct OpenText {
    var text: InlineText
    var margin: [MarginPart]
    var joint: TextLine.Joint
    var isFirst: Bool
    var isHeading: Bool
    var direction: TextDirection
    /// Number of bytes without a line end. Breaking is tried again only at twice the length, to
    /// avoid quadratic time.
    var triedBytes = 0
  }

  private static let mostPlaces = 50_000
  /// The columns of a rule where lines are not wrapped.
  private static let longestRule = 72

  init(
    width: Int, wide: WideContent, pictures: PictureSetting? = nil,
    title: String? = nil,
    measure: @escaping @Sendable (Character) -> Int
  ) {
    self.width = width
    self.wide = wide
    self.pictures = pictures
    self.title = title
    breaker = LineBreaker(measure: measure)
  }

  var count: Int { taken + lines.count }
  var readyCount: Int { lines.count }

  mutating func removeLines() -> [TextLine] {
    defer {
      taken += lines.count
      lines = []
    }
    return lines
  }

  mutating func add(_ block: Block) {
    if block.isContinued {
      note(block.names, at: count)
      if case .text(let text) = block.content { add(text, block) }
      return
    }
    if let title, count == 0, block.number == 0, block.repeats(title) {
      open = nil
      return note(block.names, at: 0)
    }
    let isUncaptioned = isUncaptioned(block)
    if isUncaptioned, let pictures, let address = block.picture?.reference.address,
      !pictures.refused.union(pictures.hidden).isDisjoint(with: [address])
    {
      return note(block.names, at: count)
    }
    let own = direction(of: block)
    let (parts, term) = placed(block, own)
    let margin = fitting(parts)
    let available = width - MarginRuns.columns(of: margin)
    if block.isApart, count > 0 {
      // Headings have more space above than below.
      let isChapter = (1...2).contains(block.rank) && !isBehindHeading
      for _ in 0..<(isChapter ? 2 : 1) { addGap(before: margin, own, block.number) }
    }
    (previousMargin, direction) = (margin, own)
    isBehindHeading = block.rank > 0
    note(block.names, at: count)
    let before = lines.count
    if let term { add(term: term, margin.dropLast(), block.number) }
    let described = block.picture.flatMap { addRows(of: $0, margin, available, block.number) }
    let first = lines.count
    if isUncaptioned, first > before { return }
    defer { if let described, first < lines.count { lines[first].picture = described } }
    switch block.content {
    case .text(let text):
      open = OpenText(
        text: InlineText(), margin: margin, joint: .begins, isFirst: lines.count == before,
        isHeading: block.rank > 0, direction: direction)
      add(text, block)
    case .rule:
      let isUnwrapped = available > UnwrappedText.width / 2
      let rule = String(repeating: "─", count: isUnwrapped ? Self.longestRule : available)
      append([StyledRun(rule, style: .secondary)], margin, isFirst: true, block.number)
    case .code(let code): add(code: code, margin, available, block.number)
    case .table(let table): add(table, margin, available, block.number)
    }
  }

  /// True for a picture with neither description nor number.
  private func isUncaptioned(_ block: Block) -> Bool {
    guard block.picture != nil, case .text(let text) = block.content else { return false }
    return text.bytes.elementsEqual(BlockBuilder.uncaptioned.utf8)
  }

  /// Adds the lines of a text, except the last if more will follow.
  private mutating func add(_ added: InlineText, _ block: Block) {
    guard var open else { return }
    // Takes the only reference, so that appending does not copy.
    self.open = nil
    var text = open.text
    open.text = InlineText()
    text.append(added)
    if block.isUnfinished, text.bytes.count < 2 * open.triedBytes {
      open.text = text
      self.open = open
      return
    }
    text.limitClusters()
    let available = width - MarginRuns.columns(of: open.margin)
    let pieces = breaker.lines(text.bytes, width: available)
    let complete = block.isUnfinished ? pieces.dropLast() : pieces[...]
    let end = block.isUnfinished ? complete.last?.range.upperBound ?? 0 : .max
    note(text.marks.prefix { $0.offset < end }, in: pieces)
    for (index, line) in complete.enumerated() {
      let runs = RunCutter.runs(text, line, available)
      let joint = index == 0 ? open.joint : Self.joint(pieces[index - 1], line, of: text)
      append(runs, open.margin, isFirst: open.isFirst, block.number, joint)
      if open.direction == .rightToLeft { turnLast(runs, open.margin, isFirst: open.isFirst) }
      if open.isHeading { lines[lines.count - 1].isHeading = true }
      open.isFirst = false
    }
    guard block.isUnfinished else { return }
    if let last = pieces.last, let before = complete.last {
      open.joint = Self.joint(before, last, of: text)
      open.text = text.split(at: last.range.lowerBound)
      open.triedBytes = 0
    } else {
      open.text = text
      open.triedBytes = text.bytes.count
    }
    self.open = open
  }

  private mutating func add(
    _ table: Table, _ margin: [MarginPart], _ available: Int, _ number: Int
  ) {
    var table = table
    table.caption?.limitClusters()
    for row in table.rows.indices {
      for cell in table.rows[row].indices { table.rows[row][cell].text.limitClusters() }
    }
    var layout = TableLayout(
      table: table, width: available, mayBeWide: wide.contains(.tables), breaker: breaker)
    note(table.caption?.names ?? [], at: count)
    var rows = table.rows[...]
    for (index, line) in layout.lines(previous: columns).enumerated() {
      while !line.isRule, rows.startIndex <= line.row, let row = rows.popFirst() {
        note(row.flatMap(\.text.names), at: count)
      }
      append(line.runs, margin, isFirst: index == 0, number + line.row)
      if layout.isWide { lines[lines.count - 1].isWide = true }
    }
    columns = layout.columns
  }

  private static func joint(
    _ previous: LineBreaker.Line, _ line: LineBreaker.Line, of text: InlineText
  ) -> TextLine.Joint {
    if previous.isHyphenated { return .hyphen }
    let between = text.bytes[previous.range.upperBound..<line.range.lowerBound]
    return between.isEmpty || between.elementsEqual("\u{200B}".utf8) ? .nothing : .space
  }

  /// Number of columns at which scrolling lines of code are wrapped.
  private static let widestCode = 2_000

  /// Adds lines of code without filling. A continuation line has a mark and the same indentation.
  private mutating func add(
    code: [InlineText], _ margin: [MarginPart], _ available: Int, _ number: Int
  ) {
    let mark = available >= 8 ? "↪ " : ""
    let isWide = wide.contains(.code)
    let first = isWide ? max(available, Self.widestCode) : available
    for (row, var text) in code.enumerated() {
      text.limitClusters()
      let blanks = text.bytes.prefix { $0 == 0x20 }.count
      let indent = mark.isEmpty ? 0 : min(blanks, max(0, first / 2 - mark.count))
      let lead = String(repeating: " ", count: indent) + mark
      let rest = first - lead.count
      let continued =
        lead.isEmpty ? margin : margin + [MarginPart(kind: .marker, first: lead, rest: lead)]
      let pieces = CodeBreaker.lines(text.bytes, breaker, width: first, continuedWidth: rest)
      for (index, line) in pieces.enumerated() {
        append(
          RunCutter.runs(text, line, index == 0 ? first : rest), index == 0 ? margin : continued,
          isFirst: row == 0 && index == 0, number + row,
          index == 0 ? .begins : Self.joint(pieces[index - 1], line, of: text))
        if isWide { lines[lines.count - 1].isWide = true }
      }
    }
  }

  // MARK: Pictures

  /// Adds the rows of a picture above its description.
  /// - Returns: the mark of the description if the picture has no rows.
  private mutating func addRows(
    of picture: BlockPicture, _ margin: [MarginPart], _ available: Int, _ number: Int
  ) -> PictureRow? {
    let reference = picture.reference
    guard let pictures, !pictures.hidden.contains(reference.address), !reference.isTracker else {
      return nil
    }
    var row = PictureRow(address: reference.address, row: nil, number: picture.number)
    guard !pictures.refused.contains(reference.address),
      let size = pictures.sizes[reference.address] ?? reference.size
    else { return row }
    (row.columns, row.rows) = pictures.cells(of: size, columns: available)
    for index in 0..<row.rows {
      append([], margin, isFirst: index == 0, number)
      row.row = index
      lines[lines.count - 1].picture = row
    }
    return nil
  }

  // MARK: Places

  private mutating func note(_ names: [String], at line: Int) {
    for name in names where places[name] == nil && places.count < Self.mostPlaces {
      places[name] = line
    }
  }

  /// Records the lines of the marks of a text before it is added.
  private mutating func note(_ marks: ArraySlice<InlineText.Mark>, in pieces: [LineBreaker.Line]) {
    var index = 0
    for mark in marks {
      while index + 1 < pieces.count, pieces[index].range.upperBound <= mark.offset { index += 1 }
      note([mark.name], at: count + index)
    }
  }

  // MARK: Margins

  private mutating func append(
    _ runs: [StyledRun], _ margin: [MarginPart], isFirst: Bool, _ number: Int,
    _ joint: TextLine.Joint = .begins
  ) {
    let own = margin.isEmpty ? [] : marginRuns.of(margin, isFirst: isFirst)
    lines.append(
      TextLine(runs: own + runs, block: number, joint: joint, marginRuns: own.count))
  }

  /// Moves the last line and its margin to the right edge.
  private mutating func turnLast(_ runs: [StyledRun], _ margin: [MarginPart], isFirst: Bool) {
    let columns = runs.reduce(0) { $0 + $1.text.reduce(0) { $0 + breaker.measure($1) } }
    let space = max(0, width - MarginRuns.columns(of: margin) - columns)
    let left = space > 0 ? [StyledRun(String(repeating: " ", count: space))] : []
    let right = MarginRuns.turned(margin, isFirst: isFirst)
    let last = lines.count - 1
    lines[last].runs = left + runs + right
    (lines[last].marginRuns, lines[last].marginRunsAtEnd) = (left.count, right.count)
  }

  /// Adds an empty line with the bars of continuing quotations.
  private mutating func addGap(
    before margin: [MarginPart], _ next: TextDirection, _ number: Int
  ) {
    var parts: [MarginPart] = []
    for (above, below) in zip(previousMargin, margin) where direction == next {
      guard above.kind == below.kind || above.kind != .quote && below.kind != .quote,
        above.kind != .code || below.kind != .code,
        above.rest.count == below.rest.count
      else { break }
      parts.append(below)
    }
    while let last = parts.last, last.kind != .quote { parts.removeLast() }
    append([], parts, isFirst: false, number)
    if next == .rightToLeft, !parts.isEmpty { turnLast([], parts, isFirst: false) }
  }

  /// Returns the inner margins that leave at least a third of the width for the text.
  private func fitting(_ margin: [MarginPart]) -> [MarginPart] {
    var columns = MarginRuns.columns(of: margin)
    guard columns > width * 2 / 3 else { return margin }
    var rest = margin[...]
    while columns > width * 2 / 3, let first = rest.popFirst() { columns -= first.rest.count }
    return Array(rest)
  }

  // MARK: Directions and terms

  private func direction(of block: Block) -> TextDirection {
    // Treats lines of unlimited width, which have no right edge, as left to right.
    guard case .text(let text) = block.content, width < UnwrappedText.width else {
      return .leftToRight
    }
    return block.direction ?? TextDirection.of(text.bytes.prefix(TextDirection.sample)) ?? direction
  }

  /// Returns the margin of a block, and its term if that needs a separate line.
  private func placed(
    _ block: Block, _ direction: TextDirection
  ) -> (margin: [MarginPart], term: String?) {
    if block.rank > 3 { return (block.margin + [.indent(2)], nil) }
    guard let last = block.margin.last, last.kind == .term, last.first != last.rest,
      case .text(let text) = block.content
    else { return (block.margin, nil) }
    let available = width - MarginRuns.columns(of: block.margin)
    if direction == .leftToRight, available > 0 {
      let count = breaker.lines(text.bytes, width: available).count
      if count == 1 || count <= Self.mostLinesBesideTerm && available >= Self.leastBesideTerm {
        return (block.margin, nil)
      }
    }
    let term = last.first.trimming { $0 == " " }
    return (block.margin.dropLast() + [.indent(2)], term)
  }

  /// Limits of lines and columns; a longer or narrower definition begins below its term.
  private static let mostLinesBesideTerm = 6
  private static let leastBesideTerm = 32

  private mutating func add(term: String, _ margin: [MarginPart], _ number: Int) {
    let text = InlineText(term, style: .strong)
    let available = max(1, width - MarginRuns.columns(of: margin))
    for (index, line) in breaker.lines(text.bytes, width: available).enumerated() {
      let runs = RunCutter.runs(text, line, available)
      append(runs, margin, isFirst: index == 0, number)
      if direction == .rightToLeft { turnLast(runs, margin, isFirst: index == 0) }
    }
  }
}
