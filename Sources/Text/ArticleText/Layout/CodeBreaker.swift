/// Breaks a long line of code at blanks, else after punctuation, else in a word, in linear time.
struct CodeBreaker {
  /// Columns of the first line, and of the lines that continue it.
  let width: Int
  let continuedWidth: Int

  private typealias Line = LineBreaker.Line

  /// The end of a line and the start of the next.
  private struct Place {
    var end: Int
    var columns: Int
    var next: Int
    var nextColumns: Int
  }

  private var lines: [Line] = []
  private var start = 0
  private var end = 0
  /// Columns of the line so far.
  private var columns = 0
  private var hasText = false
  private var blank: Place?
  private var punctuation: Place?
  private var previous: UInt8 = 0x20
  private var beforeBlanks = 0
  private var columnsBeforeBlanks = 0

  static func lines(
    _ bytes: [UInt8], _ breaker: LineBreaker, width: Int, continuedWidth: Int
  ) -> [LineBreaker.Line] {
    var state = CodeBreaker(width: width, continuedWidth: continuedWidth)
    breaker.forEachCharacter(bytes) { range, columns, kind in
      state.append(range, columns, kind, bytes[range.lowerBound])
    }
    // Final blanks are invisible.
    if state.previous == 0x20, state.end > state.start {
      (state.end, state.columns) =
        state.hasText ? (state.beforeBlanks, state.columnsBeforeBlanks) : (state.start, 0)
    }
    state.lines.append(Line(range: state.start..<state.end, width: state.columns))
    return state.lines
  }

  private var limit: Int { lines.isEmpty ? width : continuedWidth }

  private mutating func append(
    _ range: Range<Int>, _ count: Int, _ kind: LineBreaker.Kind, _ byte: UInt8
  ) {
    let isBlank = kind == .space
    if isBlank {
      if previous != 0x20 { (beforeBlanks, columnsBeforeBlanks) = (end, columns) }
      // The next line does not begin with the blanks at which the line was broken.
      if !lines.isEmpty, end == start {
        (start, end) = (range.upperBound, range.upperBound)
        previous = 0x20
        return
      }
    } else if hasText {
      if previous == 0x20 {
        blank = Place(
          end: beforeBlanks, columns: columnsBeforeBlanks, next: end, nextColumns: columns)
      } else if Self.breaks(between: previous, byte) {
        punctuation = Place(end: end, columns: columns, next: end, nextColumns: columns)
      }
    }
    if !isBlank {
      while columns + count > limit, end > start { breakLine() }
      hasText = true
    }
    columns += count
    end = range.upperBound
    previous = isBlank ? 0x20 : byte
  }

  private mutating func breakLine() {
    let here = Place(end: end, columns: columns, next: end, nextColumns: columns)
    // Ignores places after which the rest is too wide for the next line, which is narrower, and a
    // blank in the first quarter, which would leave most of the line empty.
    let places = [blank, punctuation].compactMap(\.self).filter {
      columns - $0.nextColumns <= continuedWidth
    }
    var place = places.first ?? here
    if places.count > 1, place.columns < limit / 4, places[1].end > place.end { place = places[1] }
    lines.append(Line(range: start..<place.end, width: place.columns))
    start = place.next
    columns -= place.nextColumns
    hasText = end > start
    blank = moved(blank, after: place)
    punctuation = moved(punctuation, after: place)
    columnsBeforeBlanks -= place.nextColumns
  }

  private func moved(_ other: Place?, after place: Place) -> Place? {
    guard var other, other.end > place.next else { return nil }
    other.columns -= place.nextColumns
    other.nextColumns -= place.nextColumns
    return other
  }

  /// True after punctuation, but not before more punctuation or in a number.
  private static func breaks(between a: UInt8, _ b: UInt8) -> Bool {
    guard isPunctuation(a), !isPunctuation(b) else { return false }
    return !(a == UInt8(ascii: ".") && (0x30...0x39).contains(b))
  }

  private static func isPunctuation(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x5F, 0x24, 0x40, 0x23, 0x22, 0x27, 0x60, 0x5C: false
    case 0x21...0x2F, 0x3A...0x3F, 0x5B...0x5E, 0x7B...0x7E: true
    default: false
    }
  }
}
