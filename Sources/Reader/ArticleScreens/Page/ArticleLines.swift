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
