import HTMLContent

/// HTML → a sequence of blocks, as it is read. Follows the elements' meaning, not their looks.
///
/// Each element is entered and left: those that are read to their end in one go, those that are
/// still being read stay in `frames`.
struct BlockBuilder {
  private var blocks: [Block] = []
  var links = Numbering()
  /// Names of the places that links within the article lead to.
  var places = Numbering()
  /// The number of the block that comes next.
  private(set) var nextBlock = 0
  /// Blocks and pieces of blocks so far: something was shown where this has changed.
  private(set) var produced = 0
  private(set) var textSize = 0
  var cuts: ArticleCuts = []
  let limits: ArticleLimits
  /// Code in a line is between backquotes, as nothing else tells it from the text.
  let marksCode: Bool
  let numbers: LinkNumbers

  /// Short definitions are in one line with their terms.
  var joinsDefinitions = true

  /// The article's own address, without its part behind `#`.
  let page: String?
  /// All names in the article that a link could lead to, from the first such link on.
  private var names: Set<String>?

  var inline = InlineText()
  /// Cells, captions and raised texts are gathered apart: the texts around those that are open. Not
  /// in their frames: a text that is held twice is copied whenever it grows.
  var outerTexts: [InlineText] = []
  /// Pieces of the text in `inline` have become blocks already.
  private var hasOpenText = false
  /// As the page says (`dir`); nil: nothing.
  var direction: TextDirection?
  private var margin: [MarginPart] = []
  /// So many parts of the margin are past their first line.
  private var continuedMargin = 0
  /// Blocks stand apart from what comes before; not so in tight lists.
  var standsApart = true
  /// Whether the next block does, where it differs.
  var nextStandsApart: Bool?
  var listDepth = 0
  var bulletDepth = 0
  var lists: [ListState] = []
  /// The table that is open: tables are not nested.
  var table: TableState?
  var frames: [Frame] = []
  /// What is left of the part that is being read: its own nodes first, then the children of each
  /// element in it that is open.
  private var unread: [ArraySlice<HTMLNode>] = []
  /// The description of the last picture, and what `produced` was after it.
  var pictureText = ""
  var pictureEnd = -1
  var describedPicture: BlockPicture?

  /// Texts are handed on in pieces of about this size in bytes.
  private static let pieceSize = 4_096
  /// A line of code that is longer is divided.
  private static let longestCodeLine = 65_536
  /// A cell, a caption or a raised text has at most this many bytes.
  private static let mostInCell = 65_536
  /// Margins have at most this many parts: those next to the text.
  private static let mostMarginParts = 32
  /// Tags that are searched for names of places, at most.
  private static let mostNameTags = 100_000

  /// How inline text is meant where it stands.
  struct Context {
    var style: TextStyle = []
    var link: LinkTarget?
    var isPreformatted = false
    /// Blocks become breaks: in cells, captions, terms.
    var isInlineOnly = false
    /// What code in it is written in, where that is said.
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

  /// Begins to read a part; `readNode` goes on, until nothing is left of it.
  ///
  /// - Parameter stream: where the part comes from.
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

  /// Reads the next text or beginning of an element in the part that was taken. False if nothing
  /// is left of it.
  mutating func readNode(_ stream: HTMLStream) -> Bool {
    while let last = unread.indices.last {
      if let node = unread[last].popFirst() {
        read(node, stream)
        handOnPiece()
        return true
      }
      unread.removeLast()
      // The outermost nodes are those of the part, which is left by a part of its own.
      if last > 0 { leave() }
    }
    return false
  }

  mutating func takeWhole(_ part: HTMLPart, from stream: HTMLStream) {
    take(part, from: stream)
    while readNode(stream) {}
  }

  /// The rest of the blocks, at the end of the document or where it is cut.
  mutating func finish() -> [Block] {
    while !frames.isEmpty { leave() }
    flush()
    // After the last text there is nothing to lead to.
    if let last = blocks.indices.last { blocks[last].names += inline.takeMarksAtEnd() }
    defer { blocks = [] }
    return blocks
  }

  /// The blocks that nothing will change any more.
  mutating func takeBlocks() -> [Block] {
    // A number may still be added to a block that is complete.
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

  /// What is read of a text in one place; nil if `#part` leads to no place in this article.
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
      // Without a line's end there is nothing to hand on.
      guard text.utf8.contains(0x0A) || Self.isTooLong(inline.bytes[...]) else { return }
      addCode(isLast: false, frame: code)
    }
  }

  /// A task in a list has its box in place of the bullet.
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

  /// What has been gathered becomes a paragraph.
  mutating func flush() {
    inline.trim()
    guard !inline.isEmpty || hasOpenText else { return }
    var text = inline
    inline = InlineText()
    let names = text.takeMarksAtEnd()
    add(text: text, isLast: true)
    inline.mark(names)
  }

  /// Raised texts and signs of pictures make a paragraph long, too.
  private mutating func handOnPiece() {
    let context = context
    guard inline.bytes.count > Self.pieceSize, !context.isInlineOnly, !context.isPreformatted else {
      return
    }
    addPiece()
  }

  /// Hands on the beginning of a long text, up to the last word.
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

  /// Puts another marker in front of the item whose first text is still to come. False if there
  /// is none, or where the marker is a number.
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

  /// A link around whole blocks shows its number at the end of the last of them.
  mutating func appendNumberToLastBlock(_ link: Int) {
    guard let last = blocks.indices.last, case .text(var text) = blocks[last].content else {
      return
    }
    append(numberOf: link, to: &text)
    blocks[last].content = .text(text)
  }

  /// Whether a line of code is divided; a tab counts as the spaces that it becomes.
  private static func isTooLong(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.count > longestCodeLine / 4 else { return false }
    return line.count + 3 * line.count { $0 == 0x09 } > longestCodeLine
  }

  /// Lines of code that are complete; with `isLast` all of them.
  ///
  /// - `frame`: of the element that they are in.
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
    // A line break at the end is between this and the next line.
    if !isLast, lines.last?.isEmpty == true { lines.removeLast() }
    let blanks = lines.reversed().prefix { $0.isBlank }.count
    // Empty lines at the end are dropped; whether this is the end is not known yet.
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
  /// The rank of a heading, from 1 to 6; 0: not a heading.
  var rank: Int {
    guard case .text(let text) = self,
      let style = text.runs.lazy.map(\.style).first(where: { $0.contains(.heading) })
    else { return 0 }
    return style.contains(.majorHeading) ? 2 : style.contains(.minorHeading) ? 4 : 3
  }

  /// Bytes of text.
  var size: Int {
    switch self {
    case .text(let text): text.bytes.count
    case .code(let lines): lines.reduce(0) { $0 + $1.bytes.count }
    case .table(let table): table.rows.reduce(0) { $0 + $1.reduce(0) { $0 + $1.text.bytes.count } }
    case .rule: 0
    }
  }
}
