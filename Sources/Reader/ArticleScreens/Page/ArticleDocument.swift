import ArticleText
import TerminalViews

/// Settings of an article's layout besides its width.
nonisolated struct TextSetting: Equatable, Sendable {
  var wrapsCode = true
  var marksCode = false
  var numbers = LinkNumbers.bracketed
  var pictures: PictureSetting?

  /// Content that scrolls sideways; always includes tables that do not fit.
  var wide: WideContent { wrapsCode ? .tables : [.tables, .code] }
}

/// An article laid out at one width: its head, its body as far as it is laid out, its files and
/// links.
nonisolated struct ArticleDocument: Sendable {
  struct Run: Equatable, Sendable {
    var text: String
    var roles: [Role]
    /// Index into `links` or the places within the article.
    var link: LinkTarget?
    /// An address that is not in `links`.
    var address: String?
    var isLinkNumber = false
  }

  struct Line: Sendable {
    var runs: [Run] = []
    /// The number of its block, ascending from line to line.
    var block: Int
    var joint = TextLine.Joint.begins
    var marginRuns = 0
    var marginRunsAtEnd = 0
    /// True if the line must stay with the text that follows it.
    var isHeading = false
    /// True if the line may be wider than the document, and scrolls sideways.
    var isWide = false
    var picture: PictureRow?

    /// True if the line shows only its margin.
    var isBlank: Bool {
      picture?.row == nil
        && textRuns.allSatisfy { $0.text.utf8.allSatisfy { $0 == 0x20 } }
    }
    var textRuns: ArraySlice<Run> { runs.dropFirst(marginRuns).dropLast(marginRunsAtEnd) }
    var width: Int { runs.reduce(0) { $0 + GraphemeWidth.width(of: $1.text) } }
    var marginColumns: Int {
      runs.prefix(marginRuns).reduce(0) { $0 + GraphemeWidth.width(of: $1.text) }
    }
  }

  private(set) var lines = ArticleLines()
  private(set) var links: [String] = []
  /// Lines of the body to which links within the article lead, by number; `nil` if not known yet.
  private var places: [Int?] = []
  private(set) var isComplete = false
  let width: Int
  let style: TextSetting

  init(width: Int, style: TextSetting) {
    self.width = max(1, width)
    self.style = style
  }

  static let headBlock = -1

  /// Changes the document in place, without a copy.
  mutating func change(_ body: (inout ArticleDocument) -> Void) { body(&self) }

  mutating func setHead(_ head: [Line]) { lines.head = head }

  mutating func append(_ body: [Line], links: [String], places: [Int?]) {
    lines.append(body)
    self.links = links
    self.places = places
  }

  mutating func finish(_ end: ArticleEnd) {
    links = end.links
    lines.append(end.notes)
    lines.files = end.files
    isComplete = true
  }

  mutating func setFiles(_ files: [Line]) {
    guard isComplete else { return }
    lines.files = files
  }

  var lastBodyBlock: Int {
    lines.bodyEnd > 0 ? max(0, lines[lines.bodyEnd - 1].block) : 0
  }

  /// The targets of all links, in the order of their numbers.
  var targets: [LinkTarget] { (0..<targetCount).compactMap { target(number: $0 + 1) } }
  var targetCount: Int { links.count + places.count }

  /// Returns the target of a number, counted from 1.
  func target(number: Int) -> LinkTarget? {
    guard (1...max(1, targetCount)).contains(number), targetCount > 0 else { return nil }
    return number <= links.count ? .address(number - 1) : .place(number - 1 - links.count)
  }

  /// Returns the number of a link, counted from 1.
  func number(of link: LinkTarget) -> Int? {
    switch link {
    case .address(let index): links.indices.contains(index) ? index + 1 : nil
    case .place(let index): places.indices.contains(index) ? links.count + index + 1 : nil
    }
  }

  func address(of run: Run) -> String? { run.address ?? address(of: run.link) }

  func address(of link: LinkTarget?) -> String? {
    guard case .address(let index) = link, links.indices.contains(index) else { return nil }
    return links[index]
  }

  /// Returns the line of a place within the article; `nil` if it has not been laid out yet.
  func line(ofPlace place: Int) -> Int? {
    guard places.indices.contains(place) else { return nil }
    // Places in content that could not be laid out, such as a drawing, lead to the beginning.
    return (places[place] ?? (isComplete ? 0 : nil)).map { lines.head.count + $0 }
  }

  func position(line: Int) -> ReadingPosition {
    guard lines.indices.contains(line) else {
      return ReadingPosition(block: Self.headBlock, share: 0)
    }
    let block = lines[line].block
    let range = range(ofBlock: block)
    return ReadingPosition(
      block: block, share: Double(line - range.lowerBound) / Double(max(1, range.count)))
  }

  /// Returns the line of a position; `nil` if it has not been laid out yet.
  func line(_ position: ReadingPosition) -> Int? {
    let range = range(ofBlock: position.block)
    guard isComplete || range.upperBound < lines.bodyEnd else { return nil }
    if range.lowerBound == lines.count { return max(0, lines.count - 1) }
    guard !range.isEmpty else { return range.lowerBound }
    let share = Int((position.share * Double(range.count)).rounded())
    return range.lowerBound + min(range.count - 1, share)
  }

  /// Returns the lines of a block; if there are none, an empty range before the next block.
  private func range(ofBlock block: Int) -> Range<Int> {
    let first = firstLine { $0.block >= block }
    return first..<max(first, firstLine { $0.block > block })
  }

  private func firstLine(where isBehind: (Line) -> Bool) -> Int {
    var (low, high) = (0, lines.count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(lines[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// The lines of an article: its head, its body in blocks, and its end. Appending to the body copies
/// no existing lines, and replacing the head moves none.
nonisolated struct ArticleLines: RandomAccessCollection, Sendable {
  typealias Line = ArticleDocument.Line

  var head: [Line] = []
  /// Blocks of lines; all except the last one are full.
  private(set) var body: [[Line]] = []
  private var bodyCount = 0
  var files: [Line] = []

  /// The most lines of a block, as a power of two.
  private static let blockBits = 10
  static var blockSize: Int { 1 << blockBits }

  var startIndex: Int { 0 }
  var endIndex: Int { bodyEnd + files.count }
  var bodyEnd: Int { head.count + bodyCount }

  subscript(index: Int) -> Line {
    if index < head.count { return head[index] }
    let place = index - head.count
    return place < bodyCount
      ? body[place >> Self.blockBits][place & (Self.blockSize - 1)] : files[place - bodyCount]
  }

  mutating func append(_ new: [Line]) {
    var rest = new[...]
    while !rest.isEmpty {
      if bodyCount & (Self.blockSize - 1) == 0 {
        body.append([])
        // The first piece is often the whole article.
        if body.count > 1 { body[body.count - 1].reserveCapacity(Self.blockSize) }
      }
      let part = rest.prefix(Self.blockSize - body[body.count - 1].count)
      body[body.count - 1] += part
      rest = rest.dropFirst(part.count)
      bodyCount += part.count
    }
  }
}
