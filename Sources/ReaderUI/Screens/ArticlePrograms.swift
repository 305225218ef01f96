import ArticleText
import FeedModel
import FeedStore
import Foundation

/// Giving an article to another program: its text on standard input, its facts in the environment.
enum ArticlePrograms {
  /// Columns of the text that programs are given.
  private static let width = 80

  /// Takes the commands that give an article away. False where it is none of them.
  static func respond(
    to event: InterfaceEvent, article id: ArticleID?, _ context: ReaderContext
  ) -> Bool {
    let program: ProgramTask.Program
    var opensAddress = false
    switch event {
    case .given(.pipe, let line): program = .typed(line)
    case .given(.openWith, let line): (program, opensAddress) = (.typed(line), true)
    case .command(.bookmark, _): (program, opensAddress) = (.bookmark, true)
    default: return false
    }
    guard let id, let article = try? context.store.article(id) else {
      context.note("Select an article first")
      return true
    }
    let url = article.row.url ?? article.externalURL
    if opensAddress, url == nil {
      context.note("This article has no address")
      return true
    }
    context.run(
      ProgramTask(
        program, environment: environment(article, context),
        input: opensAddress ? nil : text(article, context), address: opensAddress ? url : nil))
    return true
  }

  private static func environment(_ article: Article, _ context: ReaderContext) -> [String: String]
  {
    let feed = (try? context.store.feed(article.row.feed)) ?? nil
    return [
      "WEIR_TITLE": article.row.title,
      "WEIR_URL": article.row.url ?? article.externalURL ?? "",
      "WEIR_FEED": article.row.feedName,
      // Other programs see a program's environment.
      "WEIR_FEED_URL": feed.map { WebAddress.withoutUserInfo($0.url) } ?? "",
      "WEIR_AUTHOR": article.authors.compactMap(\.name).joined(separator: ", "),
      "WEIR_DATE": (article.publishedAt ?? article.row.sortDate).formatted(.iso8601),
    ]
  }

  /// As the reader shows it.
  static func text(_ article: Article, _ context: ReaderContext) -> String {
    let fullText = (try? context.store.fullText(article.id)) ?? nil
    let body = ArticleBlocks(html: article.shownHTML(with: fullText))
    let document = ArticleDocument(article, body: body, width: width, dates: context.dates)
    return document.lines.map { runs in
      var line = runs.map(\.text).joined()
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}
