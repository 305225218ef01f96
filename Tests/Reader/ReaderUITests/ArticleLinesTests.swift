@testable import ArticleScreens
@testable import ReaderUI

@Suite("Lines of a long article") struct ArticleLinesTests {
  private func lines(_ count: Int, from first: Int = 0) -> [ArticleDocument.Line] {
    (first..<first + count).map { ArticleDocument.Line(block: $0) }
  }

  @Test("The lines are in the order in which they were added, whatever the size of the pieces")
  func order() {
    var random = SeededRandom(seed: 7)
    var (found, expected) = (ArticleLines(), [Int]())
    found.head = lines(3, from: -3)
    for _ in 0..<40 {
      let piece = lines(
        Int.random(in: 0...3 * ArticleLines.blockSize, using: &random), from: expected.count)
      found.append(piece)
      expected += piece.map(\.block)
    }
    found.files = lines(2, from: expected.count)
    #expect(found.map(\.block) == [-3, -2, -1] + expected + [expected.count, expected.count + 1])
    #expect(found.bodyEnd == expected.count + 3)
    found.head = lines(1, from: -1)
    #expect(found[1].block == 0 && found.count == expected.count + 3)
  }

  @Test("A longer body copies none of the earlier lines, and a new head moves none")
  func duplicates() {
    func addresses(_ lines: ArticleLines) -> [UnsafePointer<ArticleDocument.Line>?] {
      lines.body.dropLast().map { $0.withUnsafeBufferPointer(\.baseAddress) }
    }
    var lines = ArticleLines()
    var before: [UnsafePointer<ArticleDocument.Line>?] = []
    for piece in 0..<200 {
      lines.append(self.lines(900, from: piece * 900))
      lines.head = self.lines(piece % 5)
      let now = addresses(lines)
      #expect(Array(now.prefix(before.count)) == before)
      before = now
    }
    #expect(lines.count == 200 * 900 + 4)
    #expect(lines.body.allSatisfy { $0.count <= ArticleLines.blockSize })
  }

  @Test("The text of an article is not read again when only its state changes")
  func text() async throws {
    let cache = try await TestCache.daily()
    let article = try #require(try cache.articles.page(.all, .top, limit: 1).first)
    let store = cache.store.reader
    let old = try #require(try OpenArticle.load(article.id, store))
    // A text that differs shows that it was not read.
    var shown = old
    shown.article.bodyHTML = "<p>as it was</p>"
    try await store.states.set(.starred, [article.id], true)
    let new = try #require(try shown.updated(.statuses, store)).article
    #expect(new.row.status.isStarred && new.bodyHTML == "<p>as it was</p>")
    #expect(try shown.updated(.articles, store)?.article.bodyHTML == old.article.bodyHTML)
  }
}
