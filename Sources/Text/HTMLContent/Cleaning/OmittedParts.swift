internal import TextRules

/// Finds the parts of clean HTML to leave out: hidden ones, line numbers of code, and copies of
/// formulas beside their MathML. Only tags and spaces stand between a copy and its formula.
struct OmittedParts {
  private struct Part {
    var effects: HiddenPart
    var start: Int
    var depth: Int
    /// The state before the part, to which its removal returns.
    var before: State
  }

  private struct State {
    /// The end of the last text that is not a number, outside formulas.
    var proseEnd = 0
    var mathEnd = -1
    /// True after a formula until the next text or end of a block.
    var isAfterMath = false
    var isMathHidden = false
    /// Copies of a formula that may follow.
    var copies: [Range<Int>] = []

    mutating func endFormula() { (isAfterMath, copies) = (false, []) }

    mutating func add(copy: Range<Int>) {
      // A copy may contain others. A few suffice, and a long list would be copied often.
      copies = copies.suffix(7).filter { $0.lowerBound < copy.lowerBound } + [copy]
    }
  }

  struct Picture {
    var range: Range<Int>
    var description: Range<Int>
    /// False if scripts set the source.
    var isFinal: Bool
    var isInNoscript: Bool
  }

  private var parts: [Part] = []
  private var state = State()
  private var depth = 0
  private var mathDepth: Int?
  private var cuts: [(range: Range<Int>, isHidden: Bool)] = []
  /// The last picture, until a text or an element begins.
  var picture: Picture?

  /// - Parameter start: the beginning of the start tag in the output.
  mutating func open(_ tag: HTMLTag, _ effects: HiddenPart, at start: Int) {
    picture = nil
    var effects = effects
    if tag == .pre || tag == .code { effects.remove(.numbersLines) }
    if tag.traits.contains(.isBlock) {
      state.isAfterMath = false
      effects.remove(.isCopy)
    }
    if tag == .math, mathDepth == nil {
      mathDepth = depth
      cuts += state.copies.map { (range: $0, isHidden: false) }
      state.copies = []
    }
    if !effects.isDisjoint(with: [.isHidden, .numbersLines, .isCopy]) {
      parts.append(Part(effects: effects, start: start, depth: depth, before: state))
    }
    depth += 1
  }

  /// - Parameter end: the length of the output with the end tag.
  mutating func close(_ tag: HTMLTag, at end: Int) {
    depth -= 1
    if mathDepth == depth {
      mathDepth = nil
      (state.mathEnd, state.isAfterMath, state.isMathHidden) = (end, true, false)
    } else if tag.traits.contains(.isBlock) {
      state.endFormula()
    }
    guard let part = parts.last, part.depth == depth else { return }
    parts.removeLast()
    let hasMath = state.mathEnd > part.start
    let hasProse = state.proseEnd > part.start
    let isHidden = part.effects.contains(.isHidden)
    let isCopy = part.effects.contains(.isCopy) && !hasMath
    if isHidden, hasMath, !hasProse {
      // A picture shows a copy of the formula.
      state.isMathHidden = true
    } else if isHidden || part.effects.contains(.numbersLines) && !hasProse
      || isCopy && part.before.isAfterMath
    {
      cuts.append((part.start..<end, isHidden))
      (state, picture) = (part.before, nil)
    } else if isCopy {
      state.add(copy: part.start..<end)
    }
  }

  /// Follows an element without content.
  mutating func add(_ tag: HTMLTag, isCopy: Bool, at range: Range<Int>) {
    if tag == .img, state.isAfterMath && (isCopy || state.isMathHidden) {
      cuts.append((range, false))
      picture = nil
      return
    }
    if isCopy { state.add(copy: range) } else if tag != .wbr { state.endFormula() }
    if mathDepth == nil { state.proseEnd = range.upperBound }
  }

  /// Follows the replacement of the last picture, which moves the places after it.
  mutating func forgetPicture() {
    picture = nil
    state.endFormula()
  }

  /// Follows a text at the end of the output.
  mutating func add(text: ArraySlice<UInt8>) {
    guard !parts.isEmpty || state.isAfterMath || !state.copies.isEmpty || picture != nil,
      mathDepth == nil, !text.allSatisfy({ $0.isSpace || "\u{A0}".utf8.contains($0) })
    else { return }
    if !text.allSatisfy({ $0.isDigit || $0.isSpace || ".:|\u{A0}".utf8.contains($0) }) {
      state.proseEnd = text.endIndex
    }
    picture = nil
    if !parts.contains(where: { $0.effects.contains(.isCopy) }) { state.endFormula() }
  }

  /// Returns the output without the parts; with the hidden ones if nothing else is left.
  func removed(from html: [UInt8]) -> [UInt8] {
    guard !cuts.isEmpty else { return html }
    let clean = Self.html(html, without: cuts.map(\.range))
    let visible = cuts.filter { !$0.isHidden }
    guard visible.count < cuts.count, !Self.isVisible(clean) else { return clean }
    return Self.html(html, without: visible.map(\.range))
  }

  private static func html(_ html: [UInt8], without cuts: [Range<Int>]) -> [UInt8] {
    var kept: [UInt8] = []
    var end = 0
    // Parts within parts follow these.
    for cut in cuts.sorted(by: { $0.lowerBound < $1.lowerBound }) where cut.lowerBound >= end {
      kept += html[end..<cut.lowerBound]
      end = cut.upperBound
    }
    return kept + html[end...]
  }

  /// True if clean HTML has text, pictures, films or sounds.
  private static func isVisible(_ html: [UInt8]) -> Bool {
    html.withUnsafeBufferPointer { html in
      !PlainTextReader.line(html).bytes.isEmpty
        || ["<img", "<video", "<audio", "<svg"].contains { html.index(of: $0) != nil }
    }
  }
}
