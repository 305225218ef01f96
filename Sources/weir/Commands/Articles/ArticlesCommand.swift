import ArgumentParser
import FeedModel
import FeedStore
import Foundation
import Wording

struct ArticlesCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "articles",
    abstract: "List articles, newest first.",
    discussion: "In a pipe: number, marks, date, feed, title and address, separated by tabs.")

  @Option(
    help: ArgumentHelp("Only this feed’s: number, address, or part of its name."),
    completion: .feeds)
  var feed: String?

  @Flag(help: "Only unread ones.") var unread = false
  @Flag(help: "Only starred ones.") var starred = false
  @Option(help: ArgumentHelp("The most articles to list.", valueName: "n")) var limit: Int?
  @Flag(help: "As JSON.") var json = false
  @Flag(help: "As an Atom feed, with texts.") var atom = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  private static let pageSize = 500

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
    if unread, starred { throw ValidationError("Give --unread or --starred, not both.") }
    if json, atom { throw ValidationError("Give --json or --atom, not both.") }
  }

  func run(in session: Session) async throws {
    let scope: ArticleQuery.Scope =
      if let feed {
        .feed(try FeedArgument.find(feed, in: session.store).id)
      } else {
        unread ? .exceptApart : .all
      }
    // The list is frozen at this moment, so that a concurrent sync shifts no page.
    let query = ArticleQuery(
      scope: scope, filter: unread ? .unread : starred ? .starred : .all,
      asOf: try session.store.reader.articles.latestArticleID())

    var elements = JSONOutput.Elements()
    var document = AtomDocument(title: title)
    var printer = RowPrinter(subscriptions: try session.store.reader.feeds.subscriptions())
    var left = limit ?? .max
    var start = PageStart.top
    while left > 0 {
      let size = min(left, Self.pageSize)
      let rows = try session.store.reader.articles.page(query, start, limit: size)
      for row in rows {
        if json {
          try elements.add(row.json)
        } else if atom {
          if let article = try session.store.reader.articles.article(row.id) {
            try document.add(article)
          }
        } else {
          printer.add(row)
        }
      }
      if !json, !atom { try printer.flush() }
      left -= rows.count
      guard rows.count == size, let last = rows.last else { break }
      start = .after(last.key)
    }
    if json { try elements.end() }
    if atom { try document.end() }
  }

  /// The title of the Atom feed.
  private var title: String {
    let words = [
      unread ? "unread" : starred ? "starred" : nil, "articles", feed.map { "of \($0)" },
    ]
    return words.compactMap(\.self).joined(separator: " ")
  }

  struct RowPrinter {
    let subscriptions: Subscriptions
    var table = Table(
      Console.outputIsTerminal
        ? [.number, .text(limit: 2), .text(limit: 11), .text(limit: 24), .last]
        : [.number, .last, .last, .last, .last, .last])
    let dates = DateWording.current

    mutating func add(_ row: ArticleRow) {
      let feed = subscriptions.name(of: row.feed, row.feedName)
      let isUnread = !row.status.isRead
      if Console.outputIsTerminal {
        let marks = (isUnread ? "\u{25CF}" : " ") + (row.status.isStarred ? "\u{2605}" : " ")
        table.add(
          [String(row.id.rawValue), marks, dates.age(row.sortDate), feed, row.title],
          isEmphasised: isUnread)
      } else {
        table.add(row.cells(feed: feed))
      }
    }

    mutating func flush() throws { try table.print() }
  }
}

extension ArticleRow {
  /// Returns the cells of a line in a pipe.
  func cells(feed: String) -> [String] {
    let marks = (status.isRead ? "read" : "unread") + (status.isStarred ? ",starred" : "")
    return [
      String(id.rawValue), marks, sortDate.formatted(.iso8601), feed, title, url ?? "",
    ]
  }
}
