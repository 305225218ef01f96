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
      ArticleBody(html: html, title: article.row.title), width: width, style: TextSetting(),
      limits: .unlimited)
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
    _ article: Article, _ html: String, _ dates: DateWording, isMarkdown: Bool = false
  ) async -> String {
    isMarkdown ? markdown(article, html, dates) : text(article, html, dates)
  }

  /// Its links are those of Markdown, so that they need no numbers.
  static func markdown(_ article: Article, _ html: String, _ dates: DateWording) -> String {
    let title = article.row.title
    let names = article.authors.compactMap(\.name).filter { !$0.isEmpty }
    let facts =
      [article.row.feedName] + names + [
        dates.full(article.publishedAt ?? article.row.sortDate)
      ]
    var text = "# \(title)\n\n\(facts.joined(separator: " · "))"
    if let url = article.row.url { text += "\\\n<\(url)>" }
    text += "\n\n" + ArticleBody(html: html, address: article.row.url, title: title).markdown
    for file in article.enclosures {
      let facts = ReadingWording.file(
        type: file.mimeType, size: file.size, duration: file.duration)
      text += "\n- [\(facts)](<\(file.url)>)"
    }
    return article.enclosures.isEmpty ? text : text + "\n"
  }

  /// A file with this name is to be Markdown.
  static func isMarkdown(path: String) -> Bool {
    let path = path.lowercased()
    return path.hasSuffix(".md") || path.hasSuffix(".markdown")
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
