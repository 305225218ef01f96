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
    let ids = try await store.hits(
      search, order: newest ? .newest : .best, limit: most.limit ?? 20)
    var printer = try ArticlePrinter(store, json: json, atom: atom ? query.text : nil)
    for start in stride(from: 0, to: ids.count, by: Self.pageSize) {
      let found = try store.search.found(Array(ids[start...].prefix(Self.pageSize)), by: search)
      try printer.print(found.map(\.row), found: found)
    }
    try printer.end(orNote: "No results.")
  }
}

extension SearchQuery {
  init(typed text: String) throws(CommandFailure) {
    do throws(Problem) {
      self = try SearchQuery(text)
    } catch {
      throw CommandFailure(SearchWording.sentence(error) + ".", code: .usage)
    }
    if let note = SearchWording.unknownField(in: text) { Console.note(note) }
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
