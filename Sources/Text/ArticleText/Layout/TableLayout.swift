/// Lays out a table as aligned columns if they fit or may scroll, else as records.
struct TableLayout {
  let table: Table
  let width: Int
  let mayBeWide: Bool
  let breaker: LineBreaker

  struct Line {
    var runs: [StyledRun]
    var row: Int
    /// True for a rule above or below a row.
    var isRule = false
  }

  private static let gap = 2
  /// The minimum width of a column in which words are broken. If a column would be narrower, the
  /// table becomes records.
  private static let narrowestColumn = 12
  /// The same minimum for a table that may scroll. If a column would be narrower, the table
  /// scrolls.
  private static let narrowestWord = 18
  /// Width of a column in a scrolling table, unless its words are longer.
  private static let widestColumn = 32
  private static let widestTable = 2_000
  /// The minimum width of the text in which a table scrolls.
  private static let leastToScroll = 40

  /// Column widths; `nil` for records.
  private(set) var columns: [Int]?
  private(set) var isWide = false

  init(table: Table, width: Int, mayBeWide: Bool, breaker: LineBreaker) {
    self.table = table
    self.width = width
    self.mayBeWide = mayBeWide && width >= Self.leastToScroll
    self.breaker = breaker
  }

  private static func totalWidth(_ columns: [Int]) -> Int {
    columns.reduce(0, +) + gap * max(0, columns.count - 1)
  }

  /// - Parameter previous: the columns of the previous part of a split table.
  mutating func lines(previous: [Int]?) -> [Line] {
    var lines: [Line] = []
    if let caption = table.caption {
      for line in breaker.lines(caption.bytes, width: width) {
        lines.append(Line(runs: RunCutter.runs(caption, line, width), row: 0))
      }
    }
    columns = columnWidths()
    if table.isContinued, (previous?.count ?? 0) >= table.columnCount || previous == nil {
      columns = previous
    }
    if let columns {
      isWide = Self.totalWidth(columns) > width
      addColumns(columns, to: &lines)
    } else {
      addRecords(to: &lines)
    }
    return lines
  }

  /// Returns natural widths if they fit; otherwise wide columns share the rest equally. `nil` if
  /// words would be broken.
  private func columnWidths() -> [Int]? {
    let count = table.columnCount
    guard count > 0, count <= width || mayBeWide else { return nil }
    var natural = [Int](repeating: 1, count: count)
    var minimal = [Int](repeating: 1, count: count)
    for row in table.rows {
      for (column, cell) in row.enumerated() {
        let extent = breaker.extent(cell.text.bytes)
        natural[column] = max(natural[column], extent.line)
        let least = mayBeWide ? Self.narrowestWord : Self.narrowestColumn
        minimal[column] = max(minimal[column], min(extent.word, least))
      }
    }
    let available = width - Self.gap * (count - 1)
    if natural.reduce(0, +) <= available { return natural }
    guard minimal.reduce(0, +) <= available else {
      let wide = zip(natural, minimal).map { min($0, max($1, Self.widestColumn)) }
      return mayBeWide && Self.totalWidth(wide) <= Self.widestTable ? wide : nil
    }
    var widths = minimal
    var left = available - minimal.reduce(0, +)
    while left > 0 {
      let open = widths.indices.filter { widths[$0] < natural[$0] }
      guard !open.isEmpty else { break }
      let share = max(1, left / open.count)
      for column in open where left > 0 {
        let more = min(share, natural[column] - widths[column], left)
        widths[column] += more
        left -= more
      }
    }
    return widths
  }

  private func addColumns(_ widths: [Int], to lines: inout [Line]) {
    let alignments = widths.indices.map(table.alignment(ofColumn:))
    let total = Self.totalWidth(widths)
    func rule(_ row: Int, _ character: String = "─") -> Line {
      Line(
        runs: [StyledRun(String(repeating: character, count: total), style: .secondary)], row: row,
        isRule: true)
    }
    let rows = table.rows.map { cells(of: $0, widths) }
    let headerRows = table.headerRows
    for (index, cells) in rows.enumerated() {
      let isBehindHeader = index > 0 && index <= headerRows
      // Rows of several lines need a visible separator.
      if index > 0, !isBehindHeader, rows[index - 1].contains(where: { $0.count > 1 }) {
        lines.append(rule(index, "┄"))
      }
      for level in 0..<max(1, cells.map(\.count).max() ?? 1) {
        lines.append(Line(runs: Self.line(level, of: cells, widths, alignments), row: index))
      }
      if index + 1 == headerRows { lines.append(rule(index)) }
    }
  }

  private typealias CellLine = (runs: [StyledRun], width: Int)

  private func cells(of row: [Table.Cell], _ widths: [Int]) -> [[CellLine]] {
    widths.indices.map { column in
      guard column < row.count else { return [] }
      let text = row[column].text
      return breaker.lines(text.bytes, width: widths[column]).map {
        (RunCutter.runs(text, $0, widths[column]), min($0.width, widths[column]))
      }
    }
  }

  /// Returns a single line through all cells of a row.
  private static func line(
    _ level: Int, of cells: [[CellLine]], _ widths: [Int], _ alignments: [Table.Alignment]
  ) -> [StyledRun] {
    var runs: [StyledRun] = []
    var owed = 0
    for column in widths.indices {
      let part = level < cells[column].count ? cells[column][level] : (runs: [], width: 0)
      let padding = widths[column] - part.width
      let before =
        switch alignments[column] {
        case .left: 0
        case .center: padding / 2
        case .right: padding
        }
      owed += before
      if !part.runs.isEmpty {
        if owed > 0 { runs.append(StyledRun(String(repeating: " ", count: owed))) }
        owed = 0
        runs.append(contentsOf: part.runs)
      } else {
        owed += part.width
      }
      owed += padding - before + gap
    }
    return runs
  }

  /// Longest header in bytes that each record repeats.
  private static let headerLimit = 200

  /// Adds at least one line "header: value" for each cell.
  private func addRecords(to lines: inout [Line]) {
    let header = table.header?.map { $0.text.shortened(to: Self.headerLimit) }
    let first = table.headerRows
    for (index, row) in table.rows.enumerated() where index >= first {
      if index > first || table.isContinued { lines.append(Line(runs: [], row: index)) }
      for (column, cell) in row.enumerated() where !cell.text.isEmpty {
        var text = InlineText()
        if let header, column < header.count, !header[column].isEmpty {
          text.append(header[column])
          text.append(verbatim: ": ", style: .strong, link: nil)
        }
        text.append(cell.text)
        for line in breaker.lines(text.bytes, width: width) {
          lines.append(Line(runs: RunCutter.runs(text, line, width), row: index))
        }
      }
    }
  }
}
