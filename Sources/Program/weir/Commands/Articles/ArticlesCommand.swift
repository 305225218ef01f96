import ArgumentParser
import Foundation
import ProgramSettings

struct ArticlesCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "articles",
    abstract: "List articles, newest first.",
    discussion: """
      With a query in the language of \u{201C}weir search\u{201D}, only its hits. In a pipe: number, \
      marks, date, feed, title and address, separated by tabs. :copy-command in the reader copies \
      the command that prints a list.
      """)

  @OptionGroup var query: QueryArguments

  @Option(
    help: ArgumentHelp("Only this feed’s: number, address, or part of its name."),
    completion: .feeds)
  var feed: String?

  @Option(
    help: ArgumentHelp("Only articles of the folder with this path.", valueName: "path"),
    completion: .folders)
  var folder: String?

  @Flag(help: "Only articles of today, as in the list Today.") var today = false
  @Flag(help: "Only those kept for later, the last kept first.") var later = false
  @Flag(help: "Only those of high priority, as in the list High priority.") var high = false
  @Flag(help: "Only those of unsubscribed feeds, as in the list Kept.") var kept = false
  @Option(help: ArgumentHelp("Only with this text in title, author or feed.", valueName: "text"))
  var filter: String?
  @Flag(help: "Only unread ones.") var unread = false
  @Flag(help: "Only read ones.") var read = false
  @Flag(help: "Only starred ones.") var starred = false
  @OptionGroup var most: LimitOption
  @Flag(help: "As JSON.") var json = false
  @Flag(help: "As an Atom feed, with texts.") var atom = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  private static let pageSize = 500

  func validate() throws {
    if [unread, read, starred].count(where: \.self) > 1 {
      throw ValidationError("Give only one of --unread, --read and --starred.")
    }
    if [feed != nil, folder != nil, today, later, high, kept].count(where: \.self) > 1 {
      throw ValidationError(
        "Give only one of --feed, --folder, --today, --later, --high and --kept.")
    }
    if json, atom { throw ValidationError("Give --json or --atom, not both.") }
  }

  func run(in session: Session) async throws {
    let store = session.store
    // The list is frozen at this moment, so that a concurrent sync shifts no page.
    var list = ArticleQuery(
      scope: try scope(store), filter: unread ? .unread : starred ? .starred : .all,
      asOf: try store.reader.articles.latestArticleID())
    let search: SearchQuery? = text.isEmpty ? nil : try SearchQuery(typed: text)
    if let search {
      try await store.prepareIndex(for: search)
    } else if later {
      list.hits = try store.reader.articles.sorted(list, by: .later, atMost: .max - 1)
    }
    var printer = try ArticlePrinter(store, json: json, atom: atom ? title : nil)
    var left = most.limit ?? .max
    var olderThan: ArticleID?
    repeat {
      var query = list
      if let search {
        query.hits = try await store.search.hits(search, in: list, olderThan: olderThan)
        olderThan = query.hits?.continuesBefore
      }
      if let filter { query.hits = try await store.search.hits(holding: filter, in: query) }
      var start: PageStart? = .top
      while left > 0, let place = start {
        let size = min(left, Self.pageSize)
        let page = try store.reader.articles.page(query, place, limit: size)
        try printer.print(page)
        left -= page.count
        start = page.count == size ? page.last.map { PageStart.after($0.key) } : nil
      }
    } while olderThan != nil && left > 0
    try printer.end(orNote: "No articles.")
  }

  private var text: String { query.text + (read ? " is:read" : "") }

  private func scope(_ store: FeedStore) throws -> ArticleQuery.Scope {
    if let feed { return .feed(try FeedArgument.find(feed, in: store).id) }
    if let folder {
      let all = try store.reader.feeds.subscriptions()
      guard let found = FolderArgument.find(folder, in: all).folder else {
        throw CommandFailure("There is no folder \u{201C}\(folder)\u{201D}.")
      }
      return .folder(found.id)
    }
    if today { return .smart(.today) }
    if later { return .smart(.later) }
    if high { return .smart(.high) }
    if kept { return .smart(.archived) }
    return unread && text.isEmpty ? .exceptQuiet : .all
  }

  /// The title of the Atom feed.
  private var title: String {
    let words = [
      unread ? "unread" : read ? "read" : starred ? "starred" : nil,
      high ? "high priority" : nil, kept ? "kept" : nil, later ? "later" : nil, "articles",
      (feed ?? folder).map { "of \($0)" },
      today ? "of today" : nil,
      query.text.isEmpty ? nil : "with " + query.text,
    ]
    return words.compactMap(\.self).joined(separator: " ")
  }
}
