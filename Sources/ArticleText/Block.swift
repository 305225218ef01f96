/// One block of an article.
struct Block: Sendable {
  enum Content: Sendable {
    case text(InlineText)
    /// Lines that are not filled; each is a block of its own to the reading position.
    case code([InlineText])
    /// Rows of cells; each is a block of its own to the reading position.
    case table(Table)
    case rule
  }

  var content: Content
  /// What is at the left of every line, from the outside in.
  var margin: [MarginPart]
  /// An empty line comes before, unless this is the first.
  var isApart: Bool
  /// The number of the block, or of its first line or row.
  var number: Int
  var names: [String] = []
  /// A text that goes on from the block before, whose number it has.
  var isContinued = false
  /// A text that goes on in the next block.
  var isUnfinished = false
  /// From 1 to 6; 0: no heading.
  var rank = 0
  var picture: BlockPicture?
  /// As the page says; nil: as its letters tell.
  var direction: TextDirection?
}

/// A picture with a line of its own.
struct BlockPicture: Sendable {
  var reference: PictureReference
  /// The number beside its description, from 1.
  var number: Int?
}

extension Block {
  /// It is a heading of the first ranks that says what the title above the article says.
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
      // The numbers of links are no words of the heading.
      if !run.style.contains(.secondary) {
        plain += String(decoding: text.bytes[start..<run.end], as: UTF8.self)
      }
      start = run.end
    }
    let said = words(plain)
    return !said.isEmpty && said == words(title)
  }
}

/// A piece of the left margin.
struct MarginPart: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    case quote
    case code
    case indent
    case marker
    case term
  }
  var kind: Kind
  /// In the first line; markers appear there alone.
  var first: String
  var rest: String

  static let quote = MarginPart(kind: .quote, first: "┃ ", rest: "┃ ")
  static let code = MarginPart(kind: .code, first: "│ ", rest: "│ ")

  static func indent(_ columns: Int) -> MarginPart {
    let spaces = String(repeating: " ", count: columns)
    return MarginPart(kind: .indent, first: spaces, rest: spaces)
  }

  /// `marker` and a space; its characters are one column wide.
  static func marker(_ marker: String) -> MarginPart {
    MarginPart(
      kind: .marker, first: marker + " ", rest: String(repeating: " ", count: marker.count + 1))
  }

  /// A term that its definition follows in the same line.
  /// - Parameter columns: from the beginning of the term to that of the definition.
  static func term(_ term: String, columns: Int) -> MarginPart {
    let used = term.reduce(0) { $0 + TextMeasure.approximate($1) }
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

/// Rows of cells; rows may be of different length. A table that is too large to be held comes in
/// several.
struct Table: Sendable {
  struct Cell: Sendable {
    var text: InlineText
    var isHeader = false
    /// As the page says; nil: it says nothing.
    var alignment: Alignment?
  }

  enum Alignment: String, Sendable { case left, center, right }
  var caption: InlineText?
  var rows: [[Cell]] = []
  var isContinued = false
  var isUnfinished = false
  /// The header of a table that goes on: it is in the first part.
  var continuedHeader: [Cell]?

  /// As the page aligns the cells of a column, those below its header first; else numbers stand
  /// under each other at their ends.
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

  /// What names the columns: of several rows the lowest name of each.
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

  /// So many rows at the beginning name the columns.
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
