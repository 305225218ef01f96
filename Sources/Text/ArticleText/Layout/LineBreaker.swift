/// Breaks an `InlineText` into lines greedily, by the rules of UAX #14 that matter in running text,
/// in linear time for any width.
struct LineBreaker {
  struct Line {
    var range: Range<Int>
    var width: Int
    var isHyphenated = false
  }

  let measure: @Sendable (Character) -> Int

  enum Kind {
    case letter
    case digit
    case space
    /// A character that joins words: no-break space, word joiner.
    case glue
    case newline
    case hyphen
    case dash
    /// A zero-width space, which allows a break.
    case gap
    case softHyphen
    /// A character of a script without spaces: breaks are allowed on both sides.
    case ideograph
    /// An `ideograph` that must not begin a line.
    case closing
    /// An `ideograph` that must not end a line.
    case opening
    /// An opening quotation mark, which must not end a line. Unlike `opening`, allows no break
    /// after a letter.
    case openingQuote
    /// A closing quotation mark, or dots, which must not begin a line.
    case closingQuote
    case other
  }

  /// Breaks `bytes` into lines; widths are in columns.
  func lines(_ bytes: [UInt8], width: Int) -> [Line] {
    var state = State(width: width)
    forEachCharacter(bytes) { range, columns, kind in
      state.append(range, columns, kind)
    }
    state.finish(bytes.count)
    return state.lines
  }

  /// Returns the columns of the longest line and of the longest word, without breaking.
  func extent(_ bytes: [UInt8]) -> (line: Int, word: Int) {
    var line = 0
    var word = 0
    var longestLine = 0
    var longestWord = 0
    forEachCharacter(bytes) { _, columns, kind in
      switch kind {
      case .newline:
        line = 0
        word = 0
      case .space, .gap, .softHyphen:
        line += kind == .space ? columns : 0
        word = 0
      case .ideograph, .closing, .opening:
        line += columns
        word = columns
      default:
        line += columns
        word += columns
      }
      longestLine = max(longestLine, line)
      longestWord = max(longestWord, word)
    }
    return (longestLine, longestWord)
  }

  private struct State {
    let width: Int
    var lines: [Line] = []

    private var start = 0
    private var end = 0
    /// Columns from `start` to `end`, without final spaces.
    private var columns = 0
    /// Columns of the spaces after `end`.
    private var spaces = 0
    private var previous = Kind.newline
    private var beforeHyphen = Kind.newline
    private var previousSpaces = false

    // The last allowed break: the end of the line and the start of the next.
    private var hasBreak = false
    private var breakEnd = 0
    private var breakColumns = 0
    private var breakNext = 0
    private var breakNextColumns = 0
    private var breakIsHyphen = false

    init(width: Int) { self.width = width }

    mutating func append(_ range: Range<Int>, _ characterColumns: Int, _ kind: Kind) {
      switch kind {
      case .newline:
        emit(Line(range: start..<end, width: columns))
        begin(at: range.upperBound)
        return
      case .space:
        if end == start {
          // Skips a space at the beginning of a line.
          begin(at: range.upperBound, after: .space)
          return
        }
        spaces += characterColumns
        previousSpaces = true
        return
      case .gap:
        noteBreak(at: range.lowerBound, next: range.upperBound, hyphen: false)
        return
      case .softHyphen:
        if columns + spaces + 1 <= width {
          noteBreak(at: range.lowerBound, next: range.upperBound, hyphen: true)
        }
        return
      default: break
      }
      if previousSpaces {
        hasBreak = true
        breakEnd = end
        breakColumns = columns
        breakNext = range.lowerBound
        breakNextColumns = columns + spaces
        breakIsHyphen = false
      } else if end > start, mayBreak(before: kind) {
        noteBreak(at: range.lowerBound, next: range.lowerBound, hyphen: false)
      }
      // Repeats if a wide character follows a break near the start of the line.
      while columns + spaces + characterColumns > width, end > start {
        breakLine(before: range.lowerBound)
      }
      columns += spaces + characterColumns
      spaces = 0
      previousSpaces = false
      end = range.upperBound
      beforeHyphen = previous
      previous = kind
    }

    mutating func finish(_ count: Int) {
      if end > start || lines.isEmpty {
        emit(Line(range: start..<end, width: columns))
      }
    }

    private func mayBreak(before kind: Kind) -> Bool {
      switch (previous, kind) {
      case (.glue, _), (_, .glue), (.opening, _), (_, .closing), (.openingQuote, _),
        (_, .closingQuote):
        return false
      case (.ideograph, _), (.closing, _), (_, .ideograph), (_, .opening): return true
      case (.hyphen, .letter): return beforeHyphen == .letter || beforeHyphen == .digit
      case (.dash, .letter), (.dash, .digit): return true
      default: return false
      }
    }

    private mutating func noteBreak(at place: Int, next: Int, hyphen: Bool) {
      guard place > start else { return }
      hasBreak = true
      breakEnd = previousSpaces ? end : place
      breakColumns = previousSpaces ? columns : columns + spaces
      breakNext = next
      breakNextColumns = columns + spaces
      breakIsHyphen = hyphen && !previousSpaces
    }

    private mutating func breakLine(before place: Int) {
      guard hasBreak else {
        emit(Line(range: start..<end, width: columns))
        start = place
        end = place
        columns = 0
        spaces = 0
        return
      }
      hasBreak = false
      emit(
        Line(
          range: start..<breakEnd, width: breakColumns + (breakIsHyphen ? 1 : 0),
          isHyphenated: breakIsHyphen))
      start = breakNext
      columns = max(0, columns - breakNextColumns)
      if breakNext >= end {
        end = breakNext
        columns = 0
        spaces = 0
      }
    }

    private mutating func emit(_ line: Line) { lines.append(line) }

    private mutating func begin(at place: Int, after kind: Kind = .newline) {
      start = place
      end = place
      columns = 0
      spaces = 0
      previousSpaces = false
      hasBreak = false
      previous = kind
      beforeHyphen = kind
    }
  }

  // MARK: Characters

  func forEachCharacter(_ bytes: [UInt8], _ body: (Range<Int>, Int, Kind) -> Void) {
    let count = bytes.count
    var index = 0
    while index < count {
      let byte = bytes[index]
      if byte < 0x80, index + 1 == count || bytes[index + 1] < 0x80 {
        body(index..<index + 1, byte == 0x0A ? 0 : 1, Self.kind(ofASCII: byte))
        index += 1
        continue
      }
      // A combining mark may follow an ASCII letter, so the stretch begins with it.
      var end = index + 1
      while end < count, bytes[end] >= 0x80 || end + 1 < count && bytes[end + 1] >= 0x80 {
        end += 1
      }
      var place = index
      for character in String(decoding: bytes[index..<end], as: UTF8.self) {
        let length = character.utf8.count
        let scalar = character.unicodeScalars.first?.value ?? 0
        let kind = scalar < 0x80 ? Self.kind(ofASCII: UInt8(scalar)) : Self.kind(of: scalar)
        body(place..<place + length, columns(of: character, kind), kind)
        place += length
      }
      index = end
    }
  }

  private func columns(of character: Character, _ kind: Kind) -> Int {
    switch kind {
    case .gap, .softHyphen, .newline: 0
    default: max(0, measure(character))
    }
  }

  private static func kind(ofASCII byte: UInt8) -> Kind {
    switch byte {
    case 0x20, 0x09: .space
    case 0x0A: .newline
    case 0x30...0x39: .digit
    case 0x41...0x5A, 0x61...0x7A: .letter
    case 0x2D: .hyphen
    default: .other
    }
  }

  private static func kind(of scalar: UInt32) -> Kind {
    switch scalar {
    case 0xA0, 0x2007, 0x202F, 0x2060, 0x2011: return .glue
    case 0xAD: return .softHyphen
    case 0x200B: return .gap
    case 0x1680, 0x2000...0x200A, 0x205F, 0x3000: return .space
    case 0x2010: return .hyphen
    case 0x2014, 0x2E3A, 0x2E3B: return .dash
    case 0x2018, 0x201C: return .openingQuote
    case 0x2019, 0x201D, 0x2025, 0x2026: return .closingQuote
    case 0xC0...0x24F, 0x370...0x1FFF: return .letter
    default: break
    }
    if scalar < 0x2E80 { return .other }
    if closing.contains(scalar) { return .closing }
    if opening.contains(scalar) { return .opening }
    switch scalar {
    case 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFFEF,
      0x1F000...0x1FAFF, 0x20000...0x3FFFD:
      return .ideograph
    default: return .letter
    }
  }

  /// Small kana, length and iteration marks, closing brackets, full stops (JIS X 4051).
  private static let closing = Set(
    "、。，．・：；？！）］｝」』】〉》〕〗〙ー々〻ゝゞヽヾぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ％〜～｠".unicodeScalars.map(\.value))
  private static let opening = Set("（［｛「『【〈《〔〖〘｟".unicodeScalars.map(\.value))
}
