import ArgumentParser
import Foundation
import Wording

struct MarkCommand: SessionCommand {
  private static let marks = Mark.allCases.flatMap { mark in
    [(mark.words.with, mark, true), (mark.words.without, mark, false)]
  }

  static let configuration = CommandConfiguration(
    commandName: "mark",
    abstract: "Mark articles read, unread, starred or for later, or tag them.",
    usage: """
      weir mark read|unread|starred|unstarred|later|not-later ARTICLE...
      weir mark read|unread --feed FEED
      weir mark read --older-than 30d [--feed FEED]
      weir mark --tag TAG|--untag TAG ARTICLE...
      """,
    discussion: "weir undo, or u in the reader, takes it back.")

  @Argument(
    help: ArgumentHelp(
      "read, unread, starred, unstarred, later or not-later; then the numbers of articles.",
      valueName: "article"), completion: .list(Self.marks.map(\.0)))
  var words: [String] = []

  @Option(help: ArgumentHelp("Add a tag; may be repeated.", valueName: "tag"), completion: .tags)
  var tag: [String] = []

  @Option(help: ArgumentHelp("Remove a tag; may be repeated.", valueName: "tag"), completion: .tags)
  var untag: [String] = []

  @Option(
    help: "All articles of this feed: number, address, or part of its name.", completion: .feeds)
  var feed: String?

  @Option(
    name: .customLong("older-than"),
    help: ArgumentHelp("Articles older than this: 30d, 12h, 2w.", valueName: "age"))
  var olderThan: Age?

  @OptionGroup(title: "Global options") var global: GlobalOptions

  private var mark: (word: String, mark: Mark, isSet: Bool)? {
    words.first.flatMap { word in Self.marks.first { $0.0 == word.lowercased() } }
  }
  private var articles: [String] { Array(mark == nil ? words[...] : words.dropFirst()) }

  func validate() throws {
    let isBulk = feed != nil || olderThan != nil
    let changesTags = !tag.isEmpty || !untag.isEmpty
    if mark == nil, !changesTags {
      let names = Self.marks.map(\.0).joined(separator: ", ")
      throw ValidationError("Say what to set: \(names), --tag or --untag.")
    }
    if articles.isEmpty, !isBulk {
      throw ValidationError("Say which articles: by number, --feed or --older-than.")
    }
    if isBulk, !articles.isEmpty || changesTags {
      throw ValidationError("Give articles by number, or --feed and --older-than, not both.")
    }
    if olderThan != nil, mark?.word != "read" {
      throw ValidationError("--older-than goes with \u{201C}mark read\u{201D} only.")
    }
    if feed != nil, mark?.mark != .read {
      throw ValidationError(
        "--feed goes with \u{201C}mark read\u{201D} and \u{201C}mark unread\u{201D}.")
    }
  }

  func run(in session: Session) async throws {
    let store = session.store
    guard !articles.isEmpty else { return try say(try await markMany(store)) }
    // All articles are found before any is marked.
    let ids = try ArticleArgument.find(articles, in: store)
    if !tag.isEmpty || !untag.isEmpty {
      let states = store.reader.states
      let before = try ids.map { try states.tags(of: [$0]) }
      try await states.changeTags(of: ids, adding: tag, removing: untag)
      let changed = try zip(ids, before).count { try states.tags(of: [$0]) != $1 }
      try Console.print("Changed the tags of \(AmountWording.articles(changed))")
    }
    guard let mark else { return }
    let marked = try await store.reader.states.set(mark.mark, ids, mark.isSet)
    try say(marked.articles, marked.duplicates)
  }

  /// Prints how many articles changed.
  private func say(_ count: Int, _ duplicates: Int = 0) throws {
    let done =
      mark?.mark == .later
      ? mark?.isSet == true ? "kept for later" : "removed from Later"
      : "marked \(mark?.word ?? "")"
    try Console.print("\(MarkWording.amount(count, duplicates: duplicates)) \(done)")
  }

  private func markMany(_ store: FeedStore) async throws -> Int {
    let target = try feed.map { try FeedArgument.find($0, in: store).id }
    if let olderThan {
      return try await store.reader.states.markShownRead(
        ArticleQuery(scope: target.map { .feed($0) } ?? .all),
        .olderThan(Date() - olderThan.seconds)
      ).changed
    }
    guard let target else { return 0 }
    let query = ArticleQuery(
      scope: .feed(target), asOf: try store.reader.articles.latestArticleID())
    if mark?.isSet == true {
      return try await store.reader.states.markShownRead(query).changed
    }

    let rows = try store.reader.articles.page(query, .top, limit: .max)
    let ids = rows.filter(\.status.isRead).map(\.id)
    try await store.reader.states.set(.read, ids, false)
    return ids.count
  }
}
