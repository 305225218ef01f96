import ArticleText
import FeedModel
import Foundation
import Wording

/// An article as text for other programs.
nonisolated enum ProgramText {
  /// As the reader shows it, but with whole addresses, and lines that end only where the text says
  /// so.
  static func text(_ article: Article, _ html: String, _ dates: DateWording) -> String {
    let width = UnwrappedText.width
    let head = ArticleHead(article, ReadingFacts(html: html), note: nil, dates: dates)
    var text = lines(head.lines(width: width))
    var layout = ArticleLayout(
      ArticleBody(html: html), width: width, style: TextSetting(), limits: .unlimited)
    var isLast = false
    while !isLast {
      let piece = layout.advance(by: ArticlePage.nextPiece)
      text += lines(piece.lines)
      isLast = piece.isLast
    }
    let end = layout.end(
      enclosures: article.enclosures, fileNotes: [:], remedy: nil, width: width)
    return text + lines(end.notes + end.files + end.linkList)
  }

  @concurrent static func longText(
    _ article: Article, _ html: String, _ dates: DateWording
  ) async -> String {
    text(article, html, dates)
  }

  private static func lines(_ lines: [ArticleDocument.Line]) -> String {
    var text = ""
    for line in lines {
      for run in line.runs { text += run.text }
      while text.last == " " { text.removeLast() }
      text += "\n"
    }
    return text
  }
}
