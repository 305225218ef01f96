internal import TextRules

/// Removes parts of clean HTML when they end: hidden ones, line numbers of code, and copies of
/// formulas beside their MathML. Takes linear time: only tags and spaces follow a removed part.
struct OmittedParts {
  enum Kind {
    /// Kept if it is a formula, of which a picture shows a copy.
    case hidden
    /// Omitted if there are only digits.
    case lineNumbers
    /// Omitted if it adjoins MathML.
    case formulaCopy
  }

  private struct Part {
    var kind: Kind
    var start: Int
    var depth: Int
    /// The state before the part, to which its removal returns.
    var before: State
  }

  private struct State {
    /// The end of the last text that is not a number, outside formulas.
    var proseEnd = 0
    /// The end of the last formula.
    var mathEnd = -1
    /// True after a formula until the next text or end of a block.
    var isAfterMath = false
    var isMathHidden = false
    /// Copies before a possible formula, with the values of `proseEnd` before them.
    var copies: [(range: Range<Int>, proseBefore: Int)] = []
  }

  struct Picture {
    var range: Range<Int>
    var description: [UInt8]
    /// False if scripts set the source.
    var isFinal: Bool
    /// True for the first picture in `noscript`.
    var isFallback = false
  }

  private var parts: [Part] = []
  private var state = State()
  private var depth = 0
  private var mathDepth: Int?
  /// True if anything was omitted that a browser does not show.
  private(set) var hasOmitted = false
  /// The last picture, until a text or an element begins.
  var picture: Picture?

  /// - Parameter start: the beginning of the start tag, which is written already.
  mutating func open(_ tag: HTMLTag, _ kind: Kind?, from start: Int, _ out: inout [UInt8]) {
    picture = nil
    if tag.traits.contains(.isBlock) { state.isAfterMath = false }
    let length = out.count
    if tag == .math, mathDepth == nil {
      mathDepth = depth
      removeCopies(&out)
    }
    if let kind {
      let start = start + out.count - length
      parts.append(Part(kind: kind, start: start, depth: depth, before: state))
    }
    depth += 1
  }

  /// Ends the innermost element. Returns true if it was removed.
  /// - Parameter endTag: the length of the end tag, which is written if the element is kept.
  mutating func close(_ tag: HTMLTag, _ endTag: Int, _ out: inout [UInt8]) -> Bool {
    depth -= 1
    if mathDepth == depth {
      mathDepth = nil
      (state.mathEnd, state.isAfterMath, state.isMathHidden) = (out.count, true, false)
    } else if tag.traits.contains(.isBlock) {
      endFormula()
    }
    guard let part = parts.last, part.depth == depth else { return false }
    parts.removeLast()
    let hasMath = state.mathEnd > part.start
    let hasProse = state.proseEnd > part.start
    switch part.kind {
    case .hidden where hasMath && !hasProse: state.isMathHidden = true
    case .lineNumbers where hasProse: break
    case .formulaCopy where hasMath: break
    case .formulaCopy where !part.before.isAfterMath:
      add(copy: part.start..<(out.count + endTag), part.before.proseEnd)
    default:
      if part.kind != .formulaCopy { hasOmitted = true }
      out.removeSubrange(part.start...)
      (state, picture) = (part.before, nil)
      return true
    }
    return false
  }

  /// Follows an element without content. Returns true if it must be removed.
  mutating func add(_ tag: HTMLTag, isCopy: Bool, at range: Range<Int>) -> Bool {
    if tag == .img, state.isAfterMath && (isCopy || state.isMathHidden) { return true }
    if isCopy { add(copy: range, state.proseEnd) } else if tag != .wbr { endFormula() }
    if mathDepth == nil { state.proseEnd = range.upperBound }
    return false
  }

  /// Follows a text.
  /// - Parameter end: the length of the output after it.
  mutating func addText(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, end: Int) {
    let isWatched =
      !parts.isEmpty || state.isAfterMath || !state.copies.isEmpty || picture != nil
    guard isWatched, mathDepth == nil else { return }
    var index = range.lowerBound
    var isBlank = true
    while index < range.upperBound {
      let byte = bytes[index]
      if byte.isDigit || ".:|".utf8.contains(byte) {
        isBlank = false
      } else if bytes[index..<range.upperBound].starts(with: "&nbsp;".utf8) {
        index += 5
      } else if !byte.isSpace {
        (state.proseEnd, isBlank) = (end, false)
        break
      }
      index += 1
    }
    if isBlank { return }
    picture = nil
    if !parts.contains(where: { $0.kind == .formulaCopy }) { endFormula() }
  }

  /// Replaces the last picture.
  mutating func replacePicture(by html: [UInt8], _ out: inout [UInt8]) {
    guard let range = picture?.range else { return }
    out.replaceSubrange(range, with: html)
    picture = nil
    endFormula()
  }

  private mutating func removeCopies(_ out: inout [UInt8]) {
    for (range, proseBefore) in state.copies.reversed() {
      out.removeSubrange(range)
      let isLast = state.proseEnd <= range.upperBound
      state.proseEnd = isLast ? proseBefore : state.proseEnd - range.count
      for index in parts.indices where parts[index].start >= range.upperBound {
        parts[index].start -= range.count
        (parts[index].before.copies, parts[index].before.proseEnd) = ([], proseBefore)
      }
    }
    state.copies = []
  }

  private mutating func add(copy range: Range<Int>, _ proseBefore: Int) {
    // A copy may contain others.
    state.copies.removeAll { $0.range.lowerBound >= range.lowerBound }
    if state.copies.count == 8 { state.copies = [] }
    state.copies.append((range, proseBefore))
  }

  private mutating func endFormula() {
    state.isAfterMath = false
    if !state.copies.isEmpty { state.copies = [] }
  }
}
