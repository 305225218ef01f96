import HTMLContent

/// Builds blocks from HTML as it is read, by the meaning of elements.
///
/// Elements are entered and left: at once if complete; otherwise they stay in `frames`.
struct BlockBuilder {
  private var blocks: [Block] = []
  var links = Numbering()
  /// Names of the targets of internal links.
  var places = Numbering()
  private(set) var nextBlock = 0
  /// The number of blocks and pieces so far; a change means visible output.
  private(set) var produced = 0
  private(set) var textSize = 0
  var cuts: ArticleCuts = []
  let limits: ArticleLimits
  /// Puts inline code between backquotes, if styles cannot show it.
  let marksCode: Bool
  let numbers: LinkNumbers

  /// Puts short definitions in one line with their terms.
  var joinsDefinitions = true

  /// The article's address without fragment.
  let page: String?
  /// All possible link targets; collected at the first internal link.
  private var names: Set<String>?

  var inline = InlineText()
  /// The texts around open cells, captions and scripts. Not stored in frames, since a second
  /// reference would copy a growing text.
  var outerTexts: [InlineText] = []
  /// Parts of the text in `inline` are already blocks.
  private var hasOpenText = false
  /// The direction set by the page (`dir`).
  var direction: TextDirection?
  private var margin: [MarginPart] = []
  /// The number of margin parts past their first line.
  private var continuedMargin = 0
  /// Puts an empty line before blocks, except in tight lists.
  var standsApart = true
  /// The value for the next block, if different.
  var nextStandsApart: Bool?
  var listDepth = 0
  var bulletDepth = 0
  var lists: [ListState] = []
  /// The open table; tables are not nested.
  var table: TableState?
  var frames: [Frame] = []
  /// Unread nodes: those of the part, then the children of each open element.
  private var unread: [ArraySlice<HTMLNode>] = []
  /// The description of the last picture, and `produced` after it.
  var pictureText = ""
  var pictureEnd = -1
  var describedPicture: BlockPicture?

  /// The approximate bytes of a piece of text.
  private static let pieceSize = 4_096
  /// Bytes at which a line of code is divided.
  private static let longestCodeLine = 65_536
  /// The most bytes of a cell, caption or script.
  private static let mostInCell = 65_536
  /// The most parts of a margin; inner ones are kept.
  private static let mostMarginParts = 32
  /// The most tags searched for names.
  private static let mostNameTags = 100_000

  /// The interpretation of inline text.
  struct Context {
    var style: TextStyle = []
    var link: LinkTarget?
    var isPreformatted = false
    /// Turns blocks into line breaks: in cells, captions, terms.
    var isInlineOnly = false
    /// The language of code, if stated.
    var language: CodeLanguage?
  }

  init(
    page: String?, limits: ArticleLimits, marksCode: Bool = false,
    numbers: LinkNumbers = .bracketed
  ) {
    self.page = page
    self.marksCode = marksCode
    self.numbers = numbers
    self.limits = limits
  }

  // MARK: Reading

  /// Begins to read a part; `readNode` continues.
  ///
  /// - Parameter stream: the source of the part.
  mutating func take(_ part: HTMLPart, from stream: HTMLStream) {
    switch part {
    case .node(let node): unread.append([node])
    case .open(let element):
      if frames.last?.kind == .skipped || !enter(element, isWhole: false, stream) {
        frames.append(Frame(kind: .skipped, context: context))
      }
      unread.append(element.children[...])
    case .close: leave()
    }
  }

  /// Reads the next text or start of an element; false at the end of the part.
  mutating func readNode(_ stream: HTMLStream) -> Bool {
    while let last = unread.indices.last {
      if let node = unread[last].popFirst() {
        read(node, stream)
        handOnPiece()
        return true
      }
      unread.removeLast()
      // The part itself has no frame.
      if last > 0 { leave() }
    }
    return false
  }

  mutating func takeWhole(_ part: HTMLPart, from stream: HTMLStream) {
    take(part, from: stream)
    while readNode(stream) {}
  }

  /// Returns the remaining blocks, at the end of the document or a limit.
  mutating func finish() -> [Block] {
    while !frames.isEmpty { leave() }
    flush()
    // Marks after the last text belong to its block.
    if let last = blocks.indices.last { blocks[last].names += inline.takeMarksAtEnd() }
    defer { blocks = [] }
    return blocks
  }

  /// Removes and returns the blocks that can no longer change.
  mutating func takeBlocks() -> [Block] {
    // A link number may still be added to a complete block.
    guard let last = blocks.last, blocks.count > 1 || last.isUnfinished else { return [] }
    let held = last.isUnfinished ? [] : [last]
    defer { blocks = held }
    return Array(blocks.dropLast(held.count))
  }

  var isFull: Bool { cuts.contains(.text) }

  private mutating func read(_ node: HTMLNode, _ stream: HTMLStream) {
    guard !isFull, frames.last?.kind != .skipped else { return }
    switch node {
    case .text(let text): add(text)
    case .element(let element):
      if enter(element, isWhole: true, stream) { return unread.append(element.children[...]) }
    }
    endChild()
  }

  var context: Context { frames.last?.context ?? Context() }

  /// The link target of `#part`; `nil` if it is not in this article.
  mutating func place(at address: String, _ stream: HTMLStream) -> String? {
    guard address.utf8.contains(UInt8(ascii: "#")) else { return nil }
    let names = self.names ?? stream.placeNames(inTags: Self.mostNameTags)
    self.names = names
    return Self.place(at: address, page: page, names: names)
  }

  // MARK: Text

  private mutating func add(_ text: String) {
    let context = context
    if context.isInlineOnly, inline.bytes.count > Self.mostInCell {
      if !cuts.contains(.tables) { inline.append(verbatim: "…", style: .secondary, link: nil) }
      cuts.insert(.tables)
      return
    }
    append(withoutBox(text, context), context)
    guard !context.isInlineOnly, inline.bytes.count > Self.pieceSize else { return }
    if context.isPreformatted, let code = frames.lastIndex(where: { $0.kind == .code }) {
      // Only complete lines can become blocks.
      guard text.utf8.contains(0x0A) || Self.isTooLong(inline.bytes[...]) else { return }
      addCode(isLast: false, frame: code)
    }
  }

  /// Replaces the bullet of a task in a list by its checkbox.
  private mutating func withoutBox(_ text: String, _ context: Context) -> String {
    guard inline.isEmpty, !lists.isEmpty, !context.isInlineOnly, !context.isPreformatted else {
      return text
    }
    let start = text.drop { $0 == " " || $0 == "\n" }
    guard let sign = start.first, sign == "☐" || sign == "☑", start.dropFirst().first == " ",
      replaceBullet(by: String(sign))
    else { return text }
    return String(start.dropFirst(2))
  }

  /// Ends the collected paragraph.
  mutating func flush() {
    inline.trim()
    guard !inline.isEmpty || hasOpenText else { return }
    var text = inline
    inline = InlineText()
    let names = text.takeMarksAtEnd()
    add(text: text, isLast: true)
    inline.mark(names)
  }

  /// Counts scripts and signs of pictures too.
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
    add(text: text, isLast: false)
  }

  // MARK: Blocks

  private mutating func add(text: InlineText, isLast: Bool) {
    append(.text(text), size: isLast ? 1 : 0, isContinued: hasOpenText, isUnfinished: !isLast)
    hasOpenText = !isLast
  }

  mutating func add(_ content: Block.Content) {
    switch content {
    case .code(let lines): append(content, size: max(1, lines.count))
    case .table(let table): append(content, size: max(1, table.rows.count))
    case .text, .rule: append(content, size: 1)
    }
  }

  private mutating func append(
    _ content: Block.Content, size: Int, isContinued: Bool = false, isUnfinished: Bool = false
  ) {
    guard !isFull else { return }
    textSize += content.size
    if nextBlock >= limits.blocks || textSize > limits.text {
      cuts.insert(.text)
      return
    }
    blocks.append(
      Block(
        content: content, margin: margin.suffix(Self.mostMarginParts),
        isApart: nextStandsApart ?? standsApart, number: nextBlock,
        names: inline.takeMarksAtEnd(), isContinued: isContinued, isUnfinished: isUnfinished,
        rank: content.rank, picture: describedPicture, direction: direction))
    describedPicture = nil
    nextBlock += size
    produced += 1
    nextStandsApart = nil
    while continuedMargin < margin.count {
      margin[continuedMargin] = margin[continuedMargin].continued
      continuedMargin += 1
    }
  }

  mutating func beginMargin(_ part: MarginPart) { margin.append(part) }

  /// Replaces the bullet of an item without text so far. False if there is none, or a number.
  mutating func replaceBullet(by sign: String) -> Bool {
    guard inline.isEmpty, !hasOpenText, continuedMargin < margin.count,
      lists.last?.isOrdered == false,
      let last = margin.indices.last, margin[last].kind == .marker
    else { return false }
    margin[last] = .marker(sign)
    return true
  }

  mutating func endMargin() {
    margin.removeLast()
    continuedMargin = min(continuedMargin, margin.count)
  }

  /// Puts the number of a link around blocks at the end of the last one.
  mutating func appendNumberToLastBlock(_ link: Int) {
    guard let last = blocks.indices.last, case .text(var text) = blocks[last].content else {
      return
    }
    append(numberOf: link, to: &text)
    blocks[last].content = .text(text)
  }

  /// True if a line of code must be divided; tabs count as spaces.
  private static func isTooLong(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.count > longestCodeLine / 4 else { return false }
    return line.count + 3 * line.count { $0 == 0x09 } > longestCodeLine
  }

  /// Adds complete lines of code; with `isLast` all of them.
  ///
  /// - `frame`: of the element that contains them.
  mutating func addCode(isLast: Bool, frame: Int) {
    var text = inline
    inline = InlineText()
    if !isLast {
      var end = text.bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
      if Self.isTooLong(text.bytes[end...]) {
        end = text.bytes.count - 1_024
        while text.bytes[end] & 0xC0 == 0x80 { end -= 1 }
      }
      inline = text.split(at: end)
    }
    inline.mark(text.names)
    var lines = CodeLines.split(text, isFirst: !frames[frame].hasContent)
    // A final line break separates this line from the next.
    if !isLast, lines.last?.isEmpty == true { lines.removeLast() }
    let blanks = lines.reversed().prefix { $0.isBlank }.count
    // Empty lines are dropped at the end, so they are held back until more follows.
    let held = frames[frame].heldBlankLines
    guard blanks < lines.count else {
      frames[frame].heldBlankLines += blanks
      frames[frame].hasContent = true
      return
    }
    lines.removeLast(blanks)
    colour(&lines, frame: frame)
    lines.insert(contentsOf: repeatElement(InlineText(), count: min(held, 1_000)), at: 0)
    frames[frame].heldBlankLines = blanks
    if frames[frame].isCodeBegun { nextStandsApart = false }
    frames[frame].hasContent = true
    frames[frame].isCodeBegun = true
    beginMargin(.code)
    add(.code(lines))
    endMargin()
  }
}

extension Block.Content {
  /// The rank of a heading, from 1 to 6; 0 otherwise.
  var rank: Int {
    guard case .text(let text) = self,
      let style = text.runs.lazy.map(\.style).first(where: { $0.contains(.heading) })
    else { return 0 }
    return style.contains(.majorHeading) ? 2 : style.contains(.minorHeading) ? 4 : 3
  }

  var size: Int {
    switch self {
    case .text(let text): text.bytes.count
    case .code(let lines): lines.reduce(0) { $0 + $1.bytes.count }
    case .table(let table): table.rows.reduce(0) { $0 + $1.reduce(0) { $0 + $1.text.bytes.count } }
    case .rule: 0
    }
  }
}
