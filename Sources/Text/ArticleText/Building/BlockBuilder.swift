import HTMLContent

/// Builds blocks from HTML as it is read, by the meaning of elements.
///
/// Complete elements are entered and left at once; incomplete ones stay in `frames`.
struct BlockBuilder {
  var output: BlockOutput
  var targets: LinkTargets
  var files: Set<String> = []
  /// Puts inline code between backquotes, if styles cannot show it.
  let marksCode: Bool
  /// Puts short definitions in one line with their terms.
  var joinsDefinitions = true

  var inline = InlineText()
  /// The texts around open cells, captions and scripts. They are not stored in frames, where a
  /// second reference would copy a growing text.
  var outerTexts: [InlineText] = []
  var lists = ListStack()
  /// The open table; tables are not nested.
  var table: TableState?
  var frames: [Frame] = []
  /// Unread nodes: those of the part, then the children of each open element.
  private var unread: [ArraySlice<HTMLNode>] = []
  /// The description of the last picture, and the value of `output.produced` after it.
  var lastPicture = (text: "", end: -1)

  /// Approximate bytes of a piece of text.
  private static let pieceSize = 4_096
  /// Longest cell, caption or script in bytes.
  private static let mostInCell = 65_536

  struct Context {
    var style: TextStyle = []
    var link: LinkTarget?
    var isPreformatted = false
    var whiteSpace = WhiteSpace.collapses
    /// True to turn blocks into line breaks: in cells, captions, terms.
    var isInlineOnly = false
    var language: CodeLanguage?
  }

  /// The CSS property `white-space` of text outside code.
  enum WhiteSpace {
    case collapses
    /// Only line breaks count.
    case keepsBreaks
    case isKept

    init?(_ value: String?) {
      switch value {
      case "pre", "pre-wrap", "break-spaces": self = .isKept
      case "pre-line": self = .keepsBreaks
      case "normal", "nowrap", "initial": self = .collapses
      default: return nil
      }
    }
  }

  init(
    pages: [String] = [], limits: ArticleLimits, marksCode: Bool = false,
    numbers: LinkNumbers = .bracketed
  ) {
    self.marksCode = marksCode
    output = BlockOutput(limits: limits)
    targets = LinkTargets(pages: pages, mostLinks: limits.links, numbers: numbers)
  }

  // MARK: Reading

  /// Begins to read a part; `readNode` continues.
  mutating func begin(_ part: HTMLPart, from stream: HTMLStream) {
    switch part {
    case .node(let node): unread.append([node])
    case .open(let element):
      if frames.last?.kind == .skipped || !enter(element, isWhole: false, stream) {
        frames.append(Frame(kind: .skipped, context: context))
      }
      unread.append(element.children[...])
    case .close: exit()
    }
  }

  /// Reads the next text or start of an element. Returns false at the end of the part.
  mutating func readNode(_ stream: HTMLStream) -> Bool {
    while let last = unread.indices.last {
      if let node = unread[last].popFirst() {
        read(node, stream)
        handOnPiece()
        return true
      }
      unread.removeLast()
      // The part itself has no frame.
      if last > 0 { exit() }
    }
    return false
  }

  mutating func readWhole(_ part: HTMLPart, from stream: HTMLStream) {
    begin(part, from: stream)
    while readNode(stream) {}
  }

  /// Returns the remaining blocks, at the end of the document or a limit.
  mutating func finish() -> [Block] {
    while !frames.isEmpty { exit() }
    flush()
    return output.finish(names: inline.removeMarksAtEnd())
  }

  private mutating func read(_ node: HTMLNode, _ stream: HTMLStream) {
    guard !output.isFull, frames.last?.kind != .skipped else { return }
    switch node {
    case .text(let text): add(text)
    case .element(let element):
      if enter(element, isWhole: true, stream) { return unread.append(element.children[...]) }
    }
    endChild()
  }

  var context: Context { frames.last?.context ?? Context() }

  // MARK: Text

  private mutating func add(_ text: String) {
    let context = context
    // White space between the items of a list in code is no line.
    if context.isPreformatted, frames.last?.isList == true, text.utf8.allSatisfy({ $0 <= 0x20 }) {
      return
    }
    if context.isInlineOnly, inline.bytes.count > Self.mostInCell {
      if output.cuts.insert(.tables).inserted {
        inline.append(verbatim: "…", style: .secondary, link: nil)
      }
      return
    }
    append(withoutBox(text, context), context)
    guard !context.isInlineOnly, inline.bytes.count > Self.pieceSize else { return }
    if context.isPreformatted, let code = frames.lastIndex(where: { $0.kind == .code }) {
      // Waits for complete lines, which alone can become blocks.
      guard
        text.utf8.contains(0x0A) || inline.bytes.suffix(Self.pieceSize).contains(0x0A)
          || CodeState.isTooLong(inline.bytes[...])
      else { return }
      addCode(isLast: false, frame: code)
    }
  }

  /// Replaces the bullet of a task in a list by its checkbox.
  private mutating func withoutBox(_ text: String, _ context: Context) -> String {
    guard inline.isEmpty, !lists.open.isEmpty, !context.isInlineOnly, !context.isPreformatted else {
      return text
    }
    let start = text.drop { $0 == " " || $0 == "\n" }
    guard let sign = start.first, sign == "☐" || sign == "☑", start.dropFirst().first == " ",
      lists.open.last?.isOrdered == false, output.replaceBullet(by: String(sign))
    else { return text }
    return String(start.dropFirst(2))
  }

  /// Ends the collected paragraph.
  mutating func flush() {
    inline.trim()
    guard !inline.isEmpty || output.hasOpenText else { return }
    var text = inline
    inline = InlineText()
    let names = text.removeMarksAtEnd()
    output.add(text: text, isLast: true, marksOf: &inline)
    inline.mark(names)
  }

  /// Adds a piece of a long text, which may include scripts and signs of pictures.
  private mutating func handOnPiece() {
    let context = context
    guard inline.bytes.count > Self.pieceSize, !context.isInlineOnly, !context.isPreformatted else {
      return
    }
    addPiece()
  }

  /// Adds the beginning of a long text, up to the last word.
  private mutating func addPiece() {
    let bytes = inline.bytes
    let tail = bytes.count - 1_024
    var end = bytes.dropLast().lastIndex { $0 == 0x20 || $0 == 0x0A }.map { $0 + 1 } ?? 0
    if end < tail {
      end = tail
      while bytes[end] & 0xC0 == 0x80 { end -= 1 }
    }
    let rest = inline.split(at: end)
    let text = inline
    inline = rest
    output.add(text: text, isLast: false, marksOf: &inline)
  }

  // MARK: Blocks

  mutating func add(_ content: Block.Content) {
    output.add(content, marksOf: &inline)
  }

  /// Adds complete lines of code; with `isLast`, all of them.
  /// - Parameter frame: the index of the frame of the element that contains them.
  mutating func addCode(isLast: Bool, frame: Int) {
    var text = inline
    inline = InlineText()
    if !isLast {
      inline = text
      text = CodeState.removeLines(from: &inline)
    }
    inline.mark(text.names)
    let outer = frames[frame].context.language
    guard let block = frames[frame].code.block(of: text, isLast: isLast, outer: outer) else {
      return
    }
    if block.isContinued { output.nextStandsApart = false }
    output.beginMargin(.code)
    add(.code(block.lines))
    output.endMargin()
  }
}

// Targets of internal links: footnotes, headings, and the way back.
extension BlockBuilder {
  /// Returns the link targets of an element.
  static func names(of element: HTMLElement) -> [String] {
    var names: [String] = []
    for (name, value) in element.attributes where !value.isEmpty {
      if name == "id" || (name == "name" && element.name == "a") { names.append(value) }
    }
    return names
  }

  /// Marks the next text as the target of links to the element.
  mutating func mark(_ element: HTMLElement) { inline.mark(Self.names(of: element)) }
}

/// Numbers texts from 0 in the order of their first mention.
struct Numbering {
  private(set) var texts: [String] = []
  private var numbers: [String: Int] = [:]

  /// Returns the number of a text; `nil` for a new text at the limit.
  mutating func number(of text: String, below limit: Int) -> Int? {
    if let number = numbers[text] { return number }
    let number = texts.count
    guard number < limit else { return nil }
    texts.append(text)
    numbers[text] = number
    return number
  }

  mutating func shorten(to count: Int) {
    while texts.count > count, let last = texts.popLast() { numbers[last] = nil }
  }
}
