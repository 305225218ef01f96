import HTMLContent

enum MarkdownText {
  static func text(_ html: String, pages: [String], title: String?) -> String {
    var stream = HTMLStream(html)
    var builder = BlockBuilder(pages: pages, limits: .unlimited)
    builder.joinsDefinitions = false
    var writer = MarkdownWriter(title: title)
    var isOpen = true
    while isOpen {
      isOpen = !builder.output.isFull && stream.step()
      while let part = stream.popPart() {
        builder.readWhole(part, from: stream)
        for block in builder.output.removeFinishedBlocks() {
          writer.add(block, builder.targets.links.texts)
        }
      }
    }
    for block in builder.finish() { writer.add(block, builder.targets.links.texts) }
    return writer.text
  }
}

struct MarkdownWriter {
  private(set) var text = ""
  private let title: String?
  private var open: InlineText?
  private var isEmpty = true
  private var margin: [MarginPart] = []

  init(title: String?) { self.title = title }

  mutating func add(_ block: Block, _ links: [String]) {
    if isEmpty, block.number == 0, let title, block.repeats(title) { return }
    if block.isContinued, case .text(let more) = block.content, var whole = open {
      whole.append(more)
      open = whole
      if !block.isUnfinished { finish(rank: block.rank, links) }
      return
    }
    begin(block)
    switch block.content {
    case .text(let inline):
      open = inline
      if !block.isUnfinished { finish(rank: block.rank, links) }
    case .rule: write(["---"])
    case .code(let lines):
      let code = lines.map { String(decoding: $0.bytes, as: UTF8.self) }
      let fence = MarkdownInline.fence(around: code.joined(separator: "\n"), least: 3)
      write([fence] + code + [fence])
    case .table(let table): write(rows(of: table, links))
    }
  }

  /// Begins a block with a blank line, which continues the bars of quotations.
  private mutating func begin(_ block: Block) {
    let new = block.margin.filter { $0.kind != .code }
    // Paragraphs need a blank line between them; list items do not.
    let isItem = new.last.map { $0.kind == .marker && $0.first != $0.rest } == true
    if !isEmpty, block.isApart || !isItem {
      let common = zip(margin, new).prefix { $0.kind == $1.kind && $1.kind == .quote }.map { $1 }
      text += prefix(common, isFirst: false).trimmingTrailingSpaces + "\n"
    }
    margin = new
    isEmpty = false
  }

  private mutating func finish(rank: Int, _ links: [String]) {
    guard let inline = open else { return }
    open = nil
    let marks = rank > 0 ? String(repeating: "#", count: max(2, rank)) + " " : ""
    let inlineText = MarkdownInline(inline, links, isHeading: rank > 0).text
    let lines = inlineText.split(separator: "\n", omittingEmptySubsequences: false)
    let last = lines.count - 1
    // A backslash at the end of a line is a break.
    write(
      lines.enumerated().map { index, line in
        (index == 0 ? marks : "") + line + (index < last ? (rank > 0 ? " " : "\\") : "")
      })
  }

  private mutating func write(_ lines: [String]) {
    for (index, line) in lines.enumerated() {
      text += (prefix(margin, isFirst: index == 0) + line).trimmingTrailingSpaces + "\n"
    }
  }

  private func prefix(_ margin: [MarginPart], isFirst: Bool) -> String {
    margin.map { part in
      switch part.kind {
      case .quote: "> "
      case .code, .indent, .term: ""
      case .marker: isFirst ? Self.marker(part.first) : part.rest
      }
    }.joined()
  }

  private static func marker(_ marker: String) -> String {
    switch marker.first {
    case "☐": "- [ ] "
    case "☑": "- [x] "
    case " ": marker
    case "▾": ""
    case let first? where first.isNumber: marker
    default: "-" + marker.dropFirst()
    }
  }

  private func rows(of table: Table, _ links: [String]) -> [String] {
    func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
    let columns = 0..<max(1, table.columnCount)
    func cells(_ row: [Table.Cell]) -> [String] {
      columns.map { column in
        guard column < row.count else { return "" }
        return MarkdownInline(row[column].text, links, isHeading: row[column].isHeader).text
          .replacing("|", with: "\\|").replacing("\n", with: "<br>")
      }
    }
    var rows = table.rows.map(cells)
    guard !table.isContinued else { return rows.map(row) }
    let rules = columns.map { column in
      switch table.alignment(ofColumn: column) {
      case .left: "---"
      case .center: ":---:"
      case .right: "---:"
      }
    }
    let header = table.headerRows > 0 ? rows.removeFirst() : columns.map { _ in "" }
    let caption = table.caption.map { [MarkdownInline($0, links).text, ""] } ?? []
    return caption + ([header, rules] + rows).map(row)
  }
}

extension String {
  fileprivate var trimmingTrailingSpaces: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
