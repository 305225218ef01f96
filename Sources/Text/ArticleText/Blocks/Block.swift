struct Block: Sendable {
  enum Content: Sendable {
    case text(InlineText)
    /// Lines that are not filled, each a block for reading positions.
    case code([InlineText])
    /// Rows of cells, each a block for reading positions.
    case table(Table)
    case rule
  }

  var content: Content
  /// Margin parts at the left of every line, outermost first.
  var margin: [MarginPart]
  /// True if an empty line precedes the block, unless it is the first.
  var isApart: Bool
  /// The number of the block, or of its first line or row.
  var number: Int
  var names: [String] = []
  /// True if the block continues the text of the previous block, which has the same number.
  var isContinued = false
  /// True if the next block continues this block.
  var isUnfinished = false
  /// Rank of a heading from 1 to 6, or 0 for other blocks.
  var rank = 0
  var picture: BlockPicture?
  /// The direction set by the page; `nil` to infer it.
  var direction: TextDirection?
}

/// A picture with its own line.
struct BlockPicture: Sendable {
  var reference: PictureReference
  /// The number at its description, from 1.
  var number: Int?
}

extension Block {
  /// True for a heading of the first ranks with the same text as the title.
  func repeats(_ title: String) -> Bool {
    guard (1...2).contains(rank), !isUnfinished, case .text(let text) = content else {
      return false
    }
    func words(_ text: String) -> [String] {
      text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
    var plain = ""
    var start = 0
    for run in text.runs {
      // Skips link numbers.
      if !run.style.contains(.secondary) {
        plain += String(decoding: text.bytes[start..<run.end], as: UTF8.self)
      }
      start = run.end
    }
    let said = words(plain)
    return !said.isEmpty && said == words(title)
  }
}

struct MarginPart: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    case quote
    case code
    case indent
    case marker
    case term
  }
  var kind: Kind
  /// The text in the first line, such as a marker.
  var first: String
  var rest: String

  static let quote = MarginPart(kind: .quote, first: "┃ ", rest: "┃ ")
  static let code = MarginPart(kind: .code, first: "│ ", rest: "│ ")

  static func indent(_ columns: Int) -> MarginPart {
    let spaces = String(repeating: " ", count: columns)
    return MarginPart(kind: .indent, first: spaces, rest: spaces)
  }

  /// Returns `marker` and a space; the characters of `marker` are one column wide.
  static func marker(_ marker: String) -> MarginPart {
    MarginPart(
      kind: .marker, first: marker + " ", rest: String(repeating: " ", count: marker.count + 1))
  }

  /// Returns a term in the same line as its definition.
  /// - Parameter columns: the distance from the start of the term to the start of the definition.
  static func term(_ term: String, columns: Int) -> MarginPart {
    let used = term.reduce(0) { $0 + TextMeasure.approximateWidth(of: $1) }
    return MarginPart(
      kind: .term, first: term + String(repeating: " ", count: max(1, columns - used)),
      rest: String(repeating: " ", count: columns))
  }

  var continued: MarginPart { MarginPart(kind: kind, first: rest, rest: rest) }

  var style: TextStyle {
    switch kind {
    case .quote: .quoteBar
    case .code: .codeBar
    case .indent, .marker: .secondary
    case .term: .strong
    }
  }
}

/// Rows of cells, of any length. A large table is split into several.
struct Table: Sendable {
  struct Cell: Sendable {
    var text: InlineText
    var isHeader = false
    /// The alignment set by the page.
    var alignment: Alignment?
  }

  enum Alignment: String, Sendable { case left, center, right }
  var caption: InlineText?
  var rows: [[Cell]] = []
  var isContinued = false
  var isUnfinished = false
  /// The header from the first part of a split table.
  var continuedHeader: [Cell]?

  /// Returns the alignment that the page sets for a column, else right for numbers, left for text.
  func alignment(ofColumn column: Int) -> Alignment {
    let cells = rows.filter { column < $0.count }.map { $0[column] }
    let said = (cells.filter { !$0.isHeader } + cells).lazy.compactMap(\.alignment).first
    return said ?? (isNumeric(column) ? .right : .left)
  }

  private func isNumeric(_ column: Int) -> Bool {
    var hasNumber = false
    for row in rows.dropFirst(headerRows) where column < row.count {
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

  var columnCount: Int { rows.map(\.count).max() ?? 0 }

  /// The column names, from the lowest non-empty header cells.
  var header: [Cell]? {
    if let continuedHeader { return continuedHeader }
    guard var header = rows.prefix(headerRows).last else { return nil }
    for row in rows.prefix(headerRows).dropLast().reversed() {
      for column in header.indices where header[column].text.isEmpty && column < row.count {
        header[column] = row[column]
      }
    }
    return header
  }

  var headerRows: Int {
    guard !isContinued, rows.count > 1, let first = rows.first, !first.isEmpty,
      first.allSatisfy(\.isHeader)
    else { return 0 }
    let more = rows.dropFirst().dropLast().prefix(Self.mostHeaderRows - 1).prefix { row in
      let names = row.filter { !$0.text.isEmpty }
      return names.count > 1 && names.allSatisfy(\.isHeader)
    }
    return 1 + more.count
  }

  private static let mostHeaderRows = 4
}
