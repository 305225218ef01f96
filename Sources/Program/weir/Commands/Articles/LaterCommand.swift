import ArgumentParser
import FeedStore

struct LaterCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "later",
    abstract: "List the articles kept for later, the last kept first.",
    discussion:
      "The lines are those of \u{201C}weir articles is:later\u{201D}, which lists them by date.")

  @Flag(help: "As JSON.") var json = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    let articles = session.store.reader.articles
    var query = ArticleQuery(scope: .smart(.later))
    query.hits = try articles.sorted(query, by: .later, atMost: .max - 1)
    let rows = try articles.page(query, .top, limit: .max)
    if json { return try JSONOutput.print(elements: rows.lazy.map(\.json)) }
    try ArticlesCommand.RowPrinter.print(rows, session.store)
  }
}
