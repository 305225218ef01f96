import ArticleText
import Foundation

/// The text and the facts of an article, as other programs receive them.
public nonisolated enum ProgramText {
  /// Returns the text of an article as shown in the reader.
  /// - Parameter fullText: The text of its page; `nil` for the text of the feed.
  public static func text(
    _ article: Article, with fullText: FullText?, _ dates: DateWording
  ) -> String {
    text(article, article.shownHTML(with: fullText), dates)
  }

  /// Returns the text as in the reader, but with whole addresses, and with lines that end only at
  /// the text's own line breaks.
  static func text(_ article: Article, _ html: String, _ dates: DateWording) -> String {
    let width = UnwrappedText.width
    let head = ArticleHead(article, ReadingFacts(html: html), note: nil, dates: dates)
    var text = lines(head.lines(width: width))
    var layout = ArticleLayout(
      ArticleBody(article, html: html), width: width, style: TextSetting(),
      limits: .unlimited)
    var isLast = false
    while !isLast {
      let piece = layout.advance(by: ArticlePage.nextPiece)
      text += lines(piece.lines)
      isLast = piece.isLast
    }
    let end = layout.end(
      enclosures: article.enclosures, fileNotes: [:], remedies: ArticleEnd.Remedies(), width: width)
    return text + lines(end.notes + end.files) + linkList(end.links)
  }

  private static func linkList(_ links: [String]) -> String {
    guard !links.isEmpty else { return "" }
    let digits = String(links.count).count
    return links.enumerated().reduce(into: "\n") { text, link in
      let number = String(link.offset + 1)
      text += String(repeating: " ", count: digits - number.count)
      text += "[\(number)] \(Confusables.shown(link.element))\n"
    }
  }

  public static func environment(_ article: Article, of feed: Feed?) -> [String: String] {
    func encoded(_ address: String?) -> String { address.map { WebAddress($0).encoded } ?? "" }
    return [
      "WEIR_TITLE": article.row.title,
      "WEIR_URL": encoded(article.row.url ?? article.externalURL),
      "WEIR_FEED": article.row.feedName,
      // Other programs can read a program's environment.
      "WEIR_FEED_URL": encoded(feed.map { WebAddress.withoutUserInfo($0.url) }),
      "WEIR_ENCLOSURE": encoded(article.enclosures.first?.url),
      "WEIR_LINK": encoded(article.externalURL ?? article.row.url),
      "WEIR_COMMENTS": encoded(article.commentsURL),
      "WEIR_AUTHOR": article.authors.compactMap(\.name).joined(separator: ", "),
      "WEIR_DATE": (article.date).formatted(.iso8601),
    ]
  }

  @concurrent static func longText(
    _ article: Article, _ html: String, _ dates: DateWording, isMarkdown: Bool = false
  ) async -> String {
    isMarkdown ? markdown(article, html, dates) : text(article, html, dates)
  }

  /// Returns the article as Markdown, in which links need no numbers.
  static func markdown(_ article: Article, _ html: String, _ dates: DateWording) -> String {
    let title = article.row.title
    let names = article.authors.compactMap(\.name).filter { !$0.isEmpty }
    let facts =
      [article.row.feedName] + names + [
        dates.full(article.date)
      ]
    var text = "# \(title)\n\n\(facts.joined(separator: " · "))"
    if let url = article.row.url { text += "\\\n<\(url)>" }
    text += "\n\n" + ArticleBody(article, html: html).markdown
    for file in article.enclosures {
      let facts = ReadingWording.file(type: file.mimeType, size: file.size, duration: file.duration)
      text += "\n- [\(facts)](<\(file.url)>)"
    }
    return article.enclosures.isEmpty ? text : text + "\n"
  }

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

extension ArticleBody {
  /// A text of an article, whose links to its page, id or external page lead to places.
  nonisolated init(_ article: Article, html: String) {
    self.init(
      html: html, address: article.row.url,
      otherAddresses: article.otherAddresses, title: article.row.title)
  }
}
