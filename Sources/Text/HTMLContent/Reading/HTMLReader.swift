internal import TextRules

/// The treatment of an element by a consumer.
enum HTMLDisposition {
  /// Keeps the element as this one, with balanced tags.
  case keep(HTMLTag)
  /// Drops the element and keeps its content.
  case unwrap
  case skip
  /// Passes on only the start tag, to be replaced by a link; keeps the content.
  case replace
  /// Replaces the element like `replace` and drops its content.
  case replaceAndSkip
}

/// Receives the balanced events of a document.
protocol HTMLSink {
  mutating func disposition(of tag: HTMLTag, _ tokeniser: borrowing HTMLTokeniser)
    -> HTMLDisposition
  /// Handles a void element, or an element to replace. May produce no output.
  mutating func empty(_ tag: HTMLTag, _ tokeniser: borrowing HTMLTokeniser)
  mutating func open(_ tag: HTMLTag, _ tokeniser: borrowing HTMLTokeniser)
  /// Continues an element split by a misplaced end tag, without attributes.
  mutating func reopen(_ tag: HTMLTag)
  mutating func close(_ tag: HTMLTag)
  /// Handles text; `decodes` is true if it contains character references.
  mutating func text(_ range: Range<Int>, decodes: Bool, _ tokeniser: borrowing HTMLTokeniser)
}

/// Balances tokens: supplies optional end tags, ignores stray ones, and flattens beyond
/// `HTMLContent.maximumDepth`.
///
/// Follows WHATWG HTML §13.2.6 where it affects the meaning; omits the rest of tree construction
/// (foster parenting, reconstruction of formatting), which can grow output and time beyond linear.
/// Rules depend only on open elements, so parsing the output again changes nothing.
struct HTMLReader<Sink: HTMLSink> {
  private var tokeniser: HTMLTokeniser
  var sink: Sink
  private let tags = HTMLTag.byName

  private struct OpenElement {
    var tag: HTMLTag
    var name: PackedName
  }
  private var stack: [OpenElement] = []
  private var openParagraphs = 0
  private var openDrawings = 0
  /// Flattened elements by tag; their end tags must not end other elements.
  private var flattened: [Int] = []
  private var hasFlattened = false

  /// Maximum number of blocks that a misplaced inline end tag splits, to bound the output.
  private static var maximumReopened: Int { 3 }

  init(_ bytes: UnsafeBufferPointer<UInt8>, sink: Sink) {
    tokeniser = HTMLTokeniser(bytes)
    self.sink = sink
    stack.reserveCapacity(64)
  }

  /// - Parameter isWanted: returns false to leave out the rest of the document.
  mutating func run(while isWanted: (borrowing Sink) -> Bool = { _ in true }) {
    while isWanted(sink), step() {}
    pop(to: 0)
  }

  /// Reads one token. Returns false at the end of the document.
  mutating func step() -> Bool {
    switch tokeniser.next() {
    case .text(let range): sink.text(range, decodes: true, tokeniser)
    case .startTag: start()
    case .endTag: end()
    case .unfinished(let range):
      // Text is "a<b" at the end of a title, but not half a link.
      if tokeniser.bytes[range.lowerBound + 1].isLetter, !tokeniser.isCutTag(range) {
        sink.text(range, decodes: true, tokeniser)
      }
    case .end:
      pop(to: 0)
      return false
    }
    return true
  }

  /// Number of bytes read so far.
  var position: Int { tokeniser.position }

  // MARK: Start tags

  private mutating func start() {
    let tag = tags[tokeniser.name] ?? .unknown
    switch sink.disposition(of: tag, tokeniser) {
    case .keep(let kept): open(kept, writtenAs: tag)
    case .unwrap: break
    case .skip: skip(tag)
    case .replace: replace(tag)
    case .replaceAndSkip:
      replace(tag)
      skip(tag)
    }
  }

  /// Replaces an element by a link, which follows the rules of links.
  private mutating func replace(_ tag: HTMLTag) {
    supplyEnds(before: .a)
    if stack.count < HTMLContent.maximumDepth { sink.empty(tag, tokeniser) }
  }

  private mutating func open(_ tag: HTMLTag, writtenAs written: HTMLTag) {
    supplyEnds(before: tag)
    if tag.traits.contains(.isVoid) {
      sink.empty(tag, tokeniser)
      return
    }
    guard stack.count < HTMLContent.maximumDepth else {
      if !tokeniser.isSelfClosing {
        if flattened.isEmpty { flattened = Array(repeating: 0, count: HTMLTag.allCases.count) }
        flattened[Int(tag.rawValue)] += 1
        hasFlattened = true
      }
      readContentIfRaw(written)
      return
    }
    let name = tag == written ? tokeniser.name : PackedName(tag.name)
    stack.append(OpenElement(tag: tag, name: name))
    count(tag, 1)
    sink.open(tag, tokeniser)
    if tokeniser.isSelfClosing || readContentIfRaw(written) { pop(to: stack.count - 1) }
  }

  @discardableResult
  private mutating func readContentIfRaw(_ tag: HTMLTag) -> Bool {
    if tag == .plaintext {
      sink.text(tokeniser.readRest(), decodes: false, tokeniser)
      return true
    }
    guard !tokeniser.isSelfClosing, tag.traits.contains(.isRawText),
      !(tag == .title && openDrawings > 0)
    else { return false }
    let content = tokeniser.readRawText()
    if !content.isEmpty {
      sink.text(content, decodes: tag == .title || tag == .textarea, tokeniser)
    }
    return true
  }

  /// Skips past the end tag of the new element.
  private mutating func skip(_ tag: HTMLTag) {
    if tokeniser.isSelfClosing || tag.traits.contains(.isVoid) { return }
    if tag.traits.contains(.isRawText), tag != .title || openDrawings == 0 {
      _ = tokeniser.readRawText()
      return
    }
    tokeniser.skipContent()
  }

  private mutating func supplyEnds(before tag: HTMLTag) {
    let traits = tag.traits
    if tag == .body || traits.contains(.closesParagraph), stack.last?.tag == .head {
      pop(to: stack.count - 1)
    }
    // This must be first: it may expose elements that end too.
    if openParagraphs > 0, traits.contains(.closesParagraph) { close(.p, within: .isScope) }
    switch tag {
    case .li: close(.li, within: .isSpecial)
    case .dt, .dd: close(.dt, or: .dd, within: .isSpecial)
    case .a: endFormatting(.a, name: nil)
    case .td, .th: closePart([.td, .th], within: [.tr, .table])
    case .tr: closePart([.tr], within: [.table])
    case .tbody, .thead, .tfoot: closePart([.tbody, .thead, .tfoot, .caption], within: [.table])
    case .rt, .rp: closePart([.rt, .rp], within: [.ruby])
    case .option: closePart([.option], within: [.select])
    default: break
    }
    if traits.contains(.isHeading), let top = stack.last, top.tag.traits.contains(.isHeading) {
      pop(to: stack.count - 1)
    }
  }

  private mutating func close(
    _ wanted: HTMLTag, or other: HTMLTag? = nil, within limit: HTMLTraits
  ) {
    var index = stack.count - 1
    while index >= 0 {
      let tag = stack[index].tag
      if tag == wanted || tag == other { return pop(to: index) }
      if tag.traits.contains(limit) { return }
      index -= 1
    }
  }

  /// Closes the outermost of `tags` within `limits`, and thereby all of them.
  private mutating func closePart(_ tags: [HTMLTag], within limits: [HTMLTag]) {
    var outermost: Int?
    var index = stack.count - 1
    while index >= 0 {
      let tag = stack[index].tag
      if tags.contains(tag) { outermost = index }
      if limits.contains(tag) || tag == .table { break }
      index -= 1
    }
    if let outermost { pop(to: outermost) }
  }

  // MARK: End tags

  private mutating func end() {
    let written = tags[tokeniser.name] ?? .unknown
    var tag = written
    switch sink.disposition(of: written, tokeniser) {
    case .keep(let kept): tag = kept
    default: return
    }
    if tag == .br {
      sink.empty(.br, tokeniser)
      return
    }
    if tag.traits.contains(.isVoid) { return }
    if hasFlattened, flattened[Int(tag.rawValue)] > 0 {
      flattened[Int(tag.rawValue)] -= 1
      return
    }
    let name = tag == .unknown ? tokeniser.name : nil
    if tag.traits.contains(.isFormatting) {
      endFormatting(tag, name: name)
      return
    }
    var index = stack.count - 1
    while index >= 0 {
      let open = stack[index]
      if matches(open, tag, name) {
        pop(to: index)
        return
      }
      if stops(tag, at: open.tag) { return }
      index -= 1
    }
  }

  private func matches(_ open: OpenElement, _ tag: HTMLTag, _ name: PackedName?) -> Bool {
    // An "</h2>" ends an <h3> too.
    open.tag == tag && (name == nil || open.name == name)
      || tag.traits.contains(.isHeading) && open.tag.traits.contains(.isHeading)
  }

  /// True if the search for an open `tag` ends at `other`.
  private func stops(_ tag: HTMLTag, at other: HTMLTag) -> Bool {
    if tag.traits.contains(.isTablePart) { return other == .table }
    if tag == .li, other == .ul || other == .ol { return true }
    return other.traits.contains(.isScope)
  }

  /// Ends an inline element; blocks opened inside it continue.
  private mutating func endFormatting(_ tag: HTMLTag, name: PackedName?) {
    var blocks: [OpenElement] = []
    var index = stack.count - 1
    while index >= 0 {
      let open = stack[index]
      if open.tag == tag, name == nil || open.name == name {
        pop(to: index)
        for block in blocks.reversed() {
          // Supplies the implied end tags that the next reading would supply.
          supplyEnds(before: block.tag)
          stack.append(block)
          count(block.tag, 1)
          sink.reopen(block.tag)
        }
        return
      }
      if open.tag.traits.contains(.isScope) { return }
      if !open.tag.traits.contains(.isFormatting) {
        if blocks.count == Self.maximumReopened { return }
        blocks.append(open)
      }
      index -= 1
    }
  }

  // MARK: The stack

  private mutating func pop(to depth: Int) {
    while stack.count > depth, let top = stack.popLast() {
      count(top.tag, -1)
      sink.close(top.tag)
    }
    if hasFlattened {
      for index in flattened.indices { flattened[index] = 0 }
      hasFlattened = false
    }
  }

  private mutating func count(_ tag: HTMLTag, _ change: Int) {
    if tag == .p { openParagraphs += change }
    if tag == .svg { openDrawings += change }
  }
}
