/// A table as aligned columns where they fit, else as records.
struct TableLayout {
  let table: Table
  let width: Int
  let breaker: LineBreaker

  struct Line {
    var runs: [StyledRun]
    var row: Int
  }

  private static let gap = 2
  /// Narrower columns of broken words are worse than records.
  private static let narrowestColumn = 12

  mutating func lines() -> [Line] {
    var lines: [Line] = []
    if let caption = table.caption {
      for line in breaker.lines(caption.bytes, width: width) {
        lines.append(Line(runs: RunCutter.runs(caption, line, width), row: 0))
      }
    }
    if let widths = columnWidths() {
      addColumns(widths, to: &lines)
    } else {
      addRecords(to: &lines)
    }
    return lines
  }

  /// Natural widths where they fit; else what is left goes to the wide columns in equal parts. Nil where
  /// a column would have to break its words.
  private func columnWidths() -> [Int]? {
    let count = table.columnCount
    guard count > 0, count <= width else { return nil }
    var natural = [Int](repeating: 1, count: count)
    var minimal = [Int](repeating: 1, count: count)
    for row in table.rows {
      for (column, cell) in row.enumerated() {
        let extent = breaker.extent(cell.text.bytes)
        natural[column] = max(natural[column], extent.line)
        minimal[column] = max(minimal[column], min(extent.word, Self.narrowestColumn))
      }
    }
    let available = width - Self.gap * (count - 1)
    if natural.reduce(0, +) <= available { return natural }
    guard minimal.reduce(0, +) <= available else { return nil }
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
    let isRight = widths.indices.map(isNumeric)
    for (index, row) in table.rows.enumerated() {
      let cells = widths.indices.map { column -> [(runs: [StyledRun], width: Int)] in
        guard column < row.count else { return [] }
        let text = row[column].text
        return breaker.lines(text.bytes, width: widths[column]).map {
          (RunCutter.runs(text, $0, widths[column]), min($0.width, widths[column]))
        }
      }
      let height = max(1, cells.map(\.count).max() ?? 1)
      for level in 0..<height {
        var runs: [StyledRun] = []
        var owed = 0
        for column in widths.indices {
          let part = level < cells[column].count ? cells[column][level] : (runs: [], width: 0)
          let padding = widths[column] - part.width
          if isRight[column] { owed += padding }
          if !part.runs.isEmpty {
            if owed > 0 { runs.append(StyledRun(String(repeating: " ", count: owed))) }
            owed = 0
            runs.append(contentsOf: part.runs)
          } else {
            owed += part.width
          }
          if !isRight[column] { owed += padding }
          owed += Self.gap
        }
        lines.append(Line(runs: runs, row: index))
      }
      if index == 0, table.header != nil {
        let total = widths.reduce(0, +) + Self.gap * (widths.count - 1)
        lines.append(
          Line(runs: [StyledRun(String(repeating: "─", count: total), style: .secondary)], row: 0))
      }
    }
  }

  /// Numbers stand under each other at their ends.
  private func isNumeric(_ column: Int) -> Bool {
    var hasNumber = false
    for row in table.rows.dropFirst(table.header == nil ? 0 : 1) where column < row.count {
      let bytes = row[column].text.bytes
      if bytes.isEmpty { continue }
      guard
        bytes.allSatisfy({ (0x30...0x39).contains($0) || " .,+-%".utf8.contains($0) }),
        bytes.contains(where: { (0x30...0x39).contains($0) })
      else { return false }
      hasNumber = true
    }
    return hasNumber
  }

  /// Each record says its headers again: of a longer one the beginning does.
  private static let headerLimit = 200

  /// One line or more for each cell: "header: value".
  private func addRecords(to lines: inout [Line]) {
    let header = table.header?.map { $0.text.shortened(to: Self.headerLimit) }
    for (index, row) in table.rows.enumerated() where header == nil || index > 0 {
      if index > (header == nil ? 0 : 1) { lines.append(Line(runs: [], row: index)) }
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
