/// The blocks of an article in their order, each with the margin and the distance in force when it
/// was added.
struct BlockOutput {
  private(set) var blocks: [Block] = []
  private(set) var nextBlock = 0
  /// Number of blocks and pieces so far; a change means visible output.
  private(set) var produced = 0
  private(set) var textSize = 0
  var cuts: ArticleCuts = []
  let limits: ArticleLimits

  /// True if parts of the text that is being collected are already blocks.
  private(set) var hasOpenText = false
  /// The direction set by the page (`dir`).
  var direction: TextDirection?
  private var margin: [MarginPart] = []
  /// Number of margin parts past their first line.
  private var continuedMargin = 0
  /// True to put an empty line before blocks, as everywhere except in tight lists.
  var standsApart = true
  /// The value of `standsApart` for the next block, if different.
  var nextStandsApart: Bool?
  var describedPicture: BlockPicture?

  /// Maximum number of margin parts; inner ones are kept.
  private static let mostMarginParts = 32

  init(limits: ArticleLimits) { self.limits = limits }

  var isFull: Bool { cuts.contains(.text) }

  /// Adds a text, or a piece of a text that continues.
  /// - Parameter next: receives the link targets at the end of the block.
  mutating func add(text: InlineText, isLast: Bool, marksOf next: inout InlineText) {
    append(
      .text(text), size: isLast ? 1 : 0, marksOf: &next, isContinued: hasOpenText,
      isUnfinished: !isLast)
    hasOpenText = !isLast
  }

  /// - Parameter next: receives the link targets at the end of the block.
  mutating func add(_ content: Block.Content, marksOf next: inout InlineText) {
    let size =
      switch content {
      case .code(let lines): max(1, lines.count)
      case .table(let table): max(1, table.rows.count)
      case .text, .rule: 1
      }
    append(content, size: size, marksOf: &next)
  }

  private mutating func append(
    _ content: Block.Content, size: Int, marksOf next: inout InlineText, isContinued: Bool = false,
    isUnfinished: Bool = false
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
        names: next.removeMarksAtEnd(), isContinued: isContinued, isUnfinished: isUnfinished,
        rank: content.rank,
        picture: describedPicture, direction: direction))
    describedPicture = nil
    nextBlock += size
    produced += 1
    nextStandsApart = nil
    while continuedMargin < margin.count {
      margin[continuedMargin] = margin[continuedMargin].continued
      continuedMargin += 1
    }
  }

  mutating func changeLastText(_ body: (inout InlineText) -> Void) {
    guard let last = blocks.indices.last, case .text(var text) = blocks[last].content else {
      return
    }
    body(&text)
    blocks[last].content = .text(text)
  }

  mutating func removeFinishedBlocks() -> [Block] {
    // Keeps a complete block, to which a link number may still be added.
    guard let last = blocks.last, blocks.count > 1 || last.isUnfinished else { return [] }
    let held = last.isUnfinished ? [] : [last]
    defer { blocks = held }
    return Array(blocks.dropLast(held.count))
  }

  /// - Parameter names: the link targets after the last text, which belong to its block.
  mutating func finish(names: [String]) -> [Block] {
    if let last = blocks.indices.last { blocks[last].names += names }
    defer { blocks = [] }
    return blocks
  }

  mutating func beginMargin(_ part: MarginPart) { margin.append(part) }

  mutating func endMargin() {
    margin.removeLast()
    continuedMargin = min(continuedMargin, margin.count)
  }

  /// Replaces the bullet of an item without a block. Returns false if there is no such bullet.
  mutating func replaceBullet(by sign: String) -> Bool {
    guard !hasOpenText, continuedMargin < margin.count, let last = margin.indices.last,
      margin[last].kind == .marker
    else { return false }
    margin[last] = .marker(sign)
    return true
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
