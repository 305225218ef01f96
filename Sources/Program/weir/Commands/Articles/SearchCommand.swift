import ArgumentParser
import Foundation
import ProgramSettings

struct SearchCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Search titles, authors and texts, the best hits first.",
    discussion: """
      Finds articles with all words; "a phrase"; -without; one OR other; begin*; /a regular expression/; \
      title: author: tag: feed: in: (a folder) is:unread|read|starred|later|duplicate|asleep \
      has:audio|video|picture|discussion minutes:<3 lang: before: and after: a date (2026-03-21), \
      today, yesterday or an age (7d). Quotes and slashes are best quoted for the shell. In a pipe: \
      number, marks, date, feed, title, address and passage, separated by tabs. Lists 20 articles \
      unless --limit says otherwise.
      """)

  @OptionGroup var query: QueryArguments
  @OptionGroup var most: LimitOption
  @Flag(help: "Sort by date, not by best match.") var newest = false
  @Option(
    help: ArgumentHelp(
      "Save the search under this name, as a list above the feeds.", valueName: "name"))
  var save: String?

  @Flag(help: "As JSON.") var json = false
  @Flag(help: "As an Atom feed, with texts.") var atom = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  private static let pageSize = 100

  func validate() throws {
    if query.text.isEmpty { throw ValidationError("Type at least one word to search for.") }
    if json, atom { throw ValidationError("Give --json or --atom, not both.") }
  }

  func run(in session: Session) async throws {
    let store = session.store
    let search = try SearchQuery(typed: query.text)
    try await store.prepareIndex(for: search)
    if let save {
      try await store.search.saveSearch(query.text, name: save)
      return try Console.print(
        "Saved the search \u{201C}\(save.isEmpty ? query.text : save)\u{201D}")
    }
    let found = try await store.hits(
      search, order: newest ? .newest : .best, limit: most.limit ?? 20)
    if atom {
      var document = AtomDocument(title: query.text)
      for id in found {
        if let article = try store.reader.articles.article(id) { try document.add(article) }
      }
      return try document.end()
    }
    try print(found, search, store)
  }

  private func print(_ ids: [ArticleID], _ query: SearchQuery, _ store: FeedStore) throws {
    var elements = JSONOutput.Elements()
    let (dates, subscriptions) = (DateWording.current, try store.reader.feeds.subscriptions())
    for start in stride(from: 0, to: ids.count, by: Self.pageSize) {
      for found in try store.search.found(Array(ids[start...].prefix(Self.pageSize)), by: query) {
        if json {
          try elements.add(
            store.reader.json([found.row])[0].adding("snippet", JSONObject.pieces(found.snippet)))
        } else if Console.outputIsTerminal {
          try printLines(found, subscriptions, dates)
        } else {
          let feed = subscriptions.name(of: found.row.feed, found.row.feedName)
          var table = Table(Array(repeating: .last, count: 7))
          table.add(found.row.cells(feed: feed) + [found.snippet.text])
          try table.print()
        }
      }
    }
    if json { return try elements.end() }
    if ids.isEmpty { Console.note("No results.") }
  }

  private func printLines(
    _ found: FoundArticle, _ subscriptions: Subscriptions, _ dates: DateWording
  ) throws {
    let row = found.row
    let head = "\(row.id.rawValue)  "
    let tail =
      "  \(subscriptions.name(of: row.feed, row.feedName)) \u{B7} \(dates.age(row.sortDate))"
    try Console.print([.init(head[...])] + found.title.pieces + [.init(tail[...])])
    let indent = String(repeating: " ", count: head.utf8.count)
    try Console.print([.init(indent[...])] + found.snippet.pieces)
  }
}

extension SearchQuery {
  init(typed text: String) throws(CommandFailure) {
    do throws(Problem) {
      self = try SearchQuery(text)
    } catch {
      throw CommandFailure(SearchWording.sentence(error) + ".", code: .usage)
    }
    // In quotes, a word with a colon is text.
    let unquoted = text.replacing(/"[^"]*("|$)/, with: "\"")
    for word in unquoted.matches(of: /(?:^|\s)-?([A-Za-z][A-Za-z-]+):[^\s:\/"]/) {
      let name = word.1.lowercased()
      guard !SearchQuery.fields.contains(name) else { continue }
      Console.note(
        "\(name): is no field, so its word is found as text. The fields are "
          + SearchQuery.fields.map { $0 + ":" }.joined(separator: " "))
    }
  }
}

extension FeedStore {
  private static let timeout = Duration.seconds(3)

  /// Completes the index as far as the time allows.
  /// - Throws: if the query has no condition.
  func prepareIndex(for query: SearchQuery) async throws {
    guard !query.isEmpty else {
      throw CommandFailure("Type at least one word to search for.", code: .usage)
    }
    guard try await !search.catchUpIndex(within: Self.timeout) else { return }
    Console.note(
      "The search index is \(try search.searchProgress().percent) % built; some articles may "
        + "be missing from the results. Search again to continue building it.")
  }

  /// Reads as many pages of hits as the limit requires.
  func hits(
    _ query: SearchQuery, order: SearchOrder, limit: Int
  ) async throws -> [ArticleID] {
    let list = ArticleQuery(scope: .all, asOf: try reader.articles.latestArticleID())
    var ids: [ArticleID] = []
    var olderThan: ArticleID?
    repeat {
      let hits = try await search.hits(
        query, in: list, order: order, olderThan: olderThan,
        limit: min(SearchCache.mostHits, max(100, limit - ids.count)))
      guard let hits else { break }
      ids += hits.ids
      olderThan = hits.continuesBefore
    } while ids.count < limit && olderThan != nil
    return Array(ids.prefix(limit))
  }
}
