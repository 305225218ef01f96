import FeedModel

/// The styled text of a paragraph, cell or line of code.
struct InlineText: Sendable, Equatable {
  struct Run: Sendable, Equatable {
    var end: Int
    var style: TextStyle
    var link: LinkTarget?
  }

  /// A link target.
  struct Mark: Sendable, Equatable {
    var name: String
    /// The offset of the byte after the mark.
    var offset: Int
  }

  private(set) var bytes: [UInt8] = []
  private(set) var runs: [Run] = []
  /// The marks by ascending offset.
  private(set) var marks: [Mark] = []
  /// White space that becomes a space if more text follows, with its style.
  private var owedSpace: Run?

  var isEmpty: Bool { bytes.isEmpty }
  var isBlank: Bool { bytes.allSatisfy { $0 == 0x20 } }
  var endsLine: Bool { bytes.last == 0x0A }
  var names: [String] { marks.map(\.name) }

  init() {}

  init(_ text: String, style: TextStyle = []) { append(verbatim: text, style: style, link: nil) }

  /// Appends HTML text: white space collapses, also across elements.
  mutating func append(_ text: String, style: TextStyle, link: LinkTarget?) {
    var text = text
    text.withUTF8 { utf8 in
      var index = 0
      while index < utf8.count {
        if Self.isSpace(utf8[index]) {
          index += 1
          while index < utf8.count, Self.isSpace(utf8[index]) { index += 1 }
          oweSpace(style, link)
          continue
        }
        if Self.isNoBreakSpace(utf8, at: index) {
          // Keeps a no-break space only if no space precedes it.
          if !bytes.isEmpty, !endsLine, owedSpace == nil, !endsInSpace {
            bytes.append(contentsOf: [0xC2, 0xA0])
            extendRun(style, link)
          }
          index += 2
          continue
        }
        paySpace()
        let start = index
        while index < utf8.count, !Self.isSpace(utf8[index]),
          !Self.isNoBreakSpace(utf8, at: index)
        {
          index += 1
        }
        bytes.append(contentsOf: utf8[start..<index])
        // Handles the common case first: a single space between words of one style.
        if index + 1 < utf8.count, utf8[index] == 0x20, !Self.isSpace(utf8[index + 1]),
          !Self.isNoBreakSpace(utf8, at: index + 1)
        {
          bytes.append(0x20)
          index += 1
        }
        extendRun(style, link)
      }
    }
  }

  mutating func append(verbatim text: String, style: TextStyle, link: LinkTarget?) {
    guard !text.isEmpty else { return }
    paySpace()
    bytes.append(contentsOf: text.utf8)
    extendRun(style, link)
  }

  mutating func breakLine() {
    owedSpace = nil
    guard !bytes.isEmpty else { return }
    bytes.append(0x0A)
    extendRun(runs.last?.style ?? [], runs.last?.link)
  }

  /// Removes final breaks.
  mutating func trim() {
    owedSpace = nil
    while let last = bytes.last {
      if last == 0x0A || last == 0x20 {
        bytes.removeLast()
      } else if endsInSpace {
        bytes.removeLast(2)
      } else {
        break
      }
    }
    shortenRuns()
    var index = marks.count - 1
    while index >= 0, marks[index].offset > bytes.count {
      marks[index].offset = bytes.count
      index -= 1
    }
  }

  func shortened(to limit: Int) -> InlineText {
    guard bytes.count > limit else { return self }
    var end = limit
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    var short = self
    short.bytes.removeSubrange(end...)
    short.trim()
    short.append(verbatim: "…", style: short.runs.last?.style ?? [], link: short.runs.last?.link)
    return short
  }

  /// Keeps the first bytes and returns the rest.
  mutating func split(at offset: Int) -> InlineText {
    var rest = InlineText()
    rest.bytes = Array(bytes[offset...])
    (rest.owedSpace, owedSpace) = (owedSpace, nil)
    let firstRun = runs.start { $0.end > offset }
    rest.runs = runs[firstRun...].map {
      Run(end: $0.end - offset, style: $0.style, link: $0.link)
    }
    let firstMark = marks.start { $0.offset >= offset }
    rest.marks = marks[firstMark...].map { Mark(name: $0.name, offset: $0.offset - offset) }
    bytes.removeSubrange(offset...)
    marks.removeSubrange(firstMark...)
    shortenRuns()
    return rest
  }

  /// Limits grapheme clusters: measuring one takes time in proportion to its length.
  mutating func limitClusters() {
    let excess = bytes.withUnsafeBufferPointer { GraphemeLimit.excess(in: $0) }
    guard !excess.isEmpty else { return }
    bytes = GraphemeLimit.removing(excess, from: bytes)
    var index = 0
    var removed = 0
    /// Returns the new position of an offset; must be called in ascending order.
    func moved(_ offset: Int) -> Int {
      while index < excess.count, excess[index].upperBound <= offset {
        removed += excess[index].count
        index += 1
      }
      let inside = index < excess.count ? max(0, offset - excess[index].lowerBound) : 0
      return offset - removed - inside
    }
    for number in runs.indices { runs[number].end = moved(runs[number].end) }
    (index, removed) = (0, 0)
    for number in marks.indices { marks[number].offset = moved(marks[number].offset) }
  }

  private mutating func shortenRuns() {
    while let run = runs.last, run.end > bytes.count {
      runs.removeLast()
      let start = runs.last?.end ?? 0
      if start < bytes.count {
        runs.append(Run(end: bytes.count, style: run.style, link: run.link))
      }
    }
  }

  /// Marks the current end with link targets.
  mutating func mark(_ names: [String]) {
    marks += names.map { Mark(name: $0, offset: bytes.count) }
  }

  mutating func removeMarksAtEnd() -> [String] {
    let first = marks.start { $0.offset >= bytes.count }
    guard first < marks.count else { return [] }
    defer { marks.removeSubrange(first...) }
    return marks[first...].map(\.name)
  }

  mutating func addStyle(_ style: TextStyle) {
    for index in runs.indices { runs[index].style.formUnion(style) }
  }

  mutating func append(_ other: InlineText) {
    paySpace()
    let offset = bytes.count
    bytes.append(contentsOf: other.bytes)
    for run in other.runs {
      if let last = runs.last, last.style == run.style, last.link == run.link { runs.removeLast() }
      runs.append(Run(end: run.end + offset, style: run.style, link: run.link))
    }
    marks += other.marks.map { Mark(name: $0.name, offset: $0.offset + offset) }
  }

  /// Adds a space before the next text, unless there is one.
  mutating func oweSpace(_ style: TextStyle, _ link: LinkTarget?) {
    guard !bytes.isEmpty, !endsLine, owedSpace == nil else { return }
    owedSpace = Run(end: 0, style: style, link: link)
  }

  /// Returns false if there is none.
  mutating func removeOwedSpace() -> Bool {
    defer { owedSpace = nil }
    return owedSpace != nil
  }

  /// True for a space or a no-break space at the end.
  var endsInSpace: Bool {
    bytes.last == 0x20 || bytes.last == 0xA0 && bytes.dropLast().last == 0xC2
  }

  private mutating func paySpace() {
    guard let space = owedSpace else { return }
    owedSpace = nil
    if endsInSpace { return }
    bytes.append(0x20)
    extendRun(space.style, space.link)
  }

  private mutating func extendRun(_ style: TextStyle, _ link: LinkTarget?) {
    if let last = runs.last, last.style == style, last.link == link {
      runs[runs.count - 1].end = bytes.count
    } else {
      runs.append(Run(end: bytes.count, style: style, link: link))
    }
  }

  /// Removes the link from spaces at both ends of its text and from punctuation after it.
  /// - Parameter outside: the style around the link.
  /// - Returns: the end of the link.
  mutating func unlinkEdges(from start: Int, outside style: TextStyle) -> Int {
    var (first, end) = (start, bytes.count)
    while first < end, let length = Self.spaceLength(bytes[first..<end]) { first += length }
    while end > first {
      if Self.endsSentence.contains(bytes[end - 1]) {
        end -= 1
      } else if bytes[first..<end].suffix(2).elementsEqual([0xC2, 0xA0]) {
        end -= 2
      } else {
        break
      }
    }
    // Keeps the link if the text has nothing else.
    guard first < end else { return bytes.count }
    guard first > start || end < bytes.count else { return end }
    var tail: [Run] = []
    while let run = runs.last, run.end > start {
      tail.append(run)
      runs.removeLast()
    }
    if let run = tail.last, (runs.last?.end ?? 0) < start {
      runs.append(Run(end: start, style: run.style, link: run.link))
    }
    func add(_ end: Int, _ style: TextStyle, _ link: LinkTarget?) {
      if end > (runs.last?.end ?? 0) { runs.append(Run(end: end, style: style, link: link)) }
    }
    for run in tail.reversed() {
      let inner = run.style.subtracting(.link).union(style)
      if first > start { add(min(run.end, first), inner, nil) }
      add(min(run.end, end), run.style, run.link)
      add(run.end, inner, nil)
    }
    return end
  }

  /// Returns the length of a space or no-break space at the beginning.
  private static func spaceLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    if bytes.first == 0x20 { return 1 }
    return bytes.prefix(2).elementsEqual([0xC2, 0xA0]) ? 2 : nil
  }

  private static let endsSentence = Set(" .,;:!?".utf8)

  /// - Parameter parts: in ascending order, without overlap.
  mutating func add(_ parts: [(range: Range<Int>, style: TextStyle)]) {
    guard !parts.isEmpty else { return }
    var new: [Run] = []
    var (start, next) = (0, 0)
    for run in runs {
      while start < run.end {
        while next < parts.count, parts[next].range.upperBound <= start { next += 1 }
        var (end, style) = (run.end, run.style)
        if next < parts.count, parts[next].range.lowerBound < end {
          let part = parts[next]
          if part.range.lowerBound > start {
            end = part.range.lowerBound
          } else {
            end = min(end, part.range.upperBound)
            style.formUnion(part.style)
          }
        }
        new.append(Run(end: end, style: style, link: run.link))
        start = end
      }
    }
    runs = new
  }

  private static func isNoBreakSpace(_ utf8: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    utf8[index] == 0xC2 && index + 1 < utf8.count && utf8[index + 1] == 0xA0
  }

  /// True for HTML white space, without no-break spaces.
  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D || byte == 0x0C
  }
}

extension Array {
  /// Returns the start of the suffix that satisfies a monotonic condition, by binary search;
  /// `count` if empty.
  fileprivate func start(of isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// Widths of characters in columns, without a terminal.
public enum TextMeasure {
  /// Returns the columns of a character by the main rules of UAX #11: 0 for combining marks, 2 for
  /// East Asian wide characters and emoji, else 1. Screens use a finer measure.
  public static func approximateWidth(of character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    switch first.value {
    case 0..<0x20, 0x7F..<0xA0: return 0
    case 0x20..<0x300: return 1
    case 0x300...0x36F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F, 0xFEFF:
      return 0
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
      0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default:
      if character.unicodeScalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
      return first.properties.isEmojiPresentation ? 2 : 1
    }
  }
}
