import FeedParsing
import Foundation
import Importers
import ProgramSettings

/// Saves the parts of another reader's library and prints a report.
struct LibraryImport {
  let session: Session
  /// True to accept feeds from programs and files.
  let mayBeOwn: Bool
  static let commands = Command.allCases.map { (name: $0.name, keys: $0.keys) }
  /// Reads a file of another reader's directory, without waiting for a pipe.
  static let read: @Sendable (String) throws -> [UInt8] = {
    try TextFile.readAtRest($0, name: $0, largest: 16 << 20)
  }
  private var store: FeedStore { session.store }

  /// Runs `weir import --newsboat DIR`.
  func importNewsboat(_ folder: String) async throws {
    let library = NewsboatLibrary(
      folder, home: Environment.home, mayBeOwn: mayBeOwn, read: Self.read)
    guard let library else {
      throw CommandFailure(
        "\(folder) has no urls, cache.db or config of newsboat\u{2019}s. It is usually ~/.newsboat or "
          + "~/.config/newsboat.")
    }
    do {
      if let outline = try library.list() {
        for line in outline.skipped { Console.note("Skipped: \(line)") }
        let list = SubscriptionList(
          entries: outline.entries, skipped: [], queries: outline.queries)
        try await subscribe(to: list, at: library.urls ?? "", mayBeOwn: mayBeOwn)
      }
      if let cache = library.cache { try await importArticles(cache) }
      if let settings = try library.settings(commands: Self.commands) {
        try await propose(settings)
      }
    } catch ForeignFileError.notNewsboats(let path, let kind, let error) {
      throw CommandFailure("\(path) isn\u{2019}t newsboat\u{2019}s \(kind): \(error.reason)")
    }
  }

  /// Subscribes to the feeds of a list, saves its queries, and prints a report.
  func subscribe(to list: SubscriptionList, at place: String, mayBeOwn: Bool) async throws {
    let result = try await store.reader.feeds.subscribe(
      list.entries, mayBeOwn: mayBeOwn, from: list.foreignAddress)
    session.log.info("imported \(place): \(result.added.count) added, \(result.known) known")
    let searches = try await save(list.queries)
    let more =
      searches > 0
      ? "; \(AmountWording.count(searches, "saved search", "saved searches")) added" : ""
    try Console.print(list.sentence(added: result.added.count, known: result.known) + more)
  }

  /// Saves new queries and reports those that the search language cannot express.
  /// - Returns: the number of saved searches.
  private func save(_ queries: [OutlineQuery]) async throws -> Int {
    var known = Set(try store.reader.feeds.subscriptions().searches.map(\.query))
    var saved = 0
    for query in queries {
      guard let search = NewsboatTranslation.search(query.condition),
        (try? SearchQuery(search)) != nil
      else {
        Console.note(
          "Skipped: Line \(query.line): the search language has no words for "
            + "\u{201C}\(SafeText.line(query.name))\u{201D} (\(SafeText.line(query.condition))).")
        continue
      }
      guard known.insert(search).inserted else { continue }
      try await store.search.saveSearch(search, name: query.name)
      saved += 1
    }
    return saved
  }

  // MARK: Articles

  /// Runs `weir import --newsboat-cache`: subscribes to missing feeds and imports the articles.
  func importArticles(_ path: String) async throws {
    do {
      try await importArticles(NewsboatArticles(path: path, mayBeOwn: mayBeOwn))
    } catch StoreError.notACache {
      throw CommandFailure(
        "\(path) isn\u{2019}t newsboat\u{2019}s cache. It is usually ~/.newsboat/cache.db or "
          + "~/.local/share/newsboat/cache.db.")
    } catch StoreError.corrupt(let detail) {
      throw CommandFailure(
        "newsboat\u{2019}s cache \(path) is damaged (\(StoreWording.words(detail))).")
    }
    session.log.info("imported newsboat\u{2019}s cache \(path)")
  }

  private func importArticles(_ library: NewsboatArticles) async throws {
    let feeds = try library.feeds()
    for feed in feeds where feed.url == nil {
      let isOwn = LocalSource(feed.foreignURL) != nil
      let reason =
        isOwn ? "needs --with-programs" : "only http and https addresses can be imported"
      Console.note("Skipped: \(SafeText.withoutSecrets(feed.foreignURL)): \(reason).")
    }
    let entries = feeds.compactMap { feed in
      feed.url.map { OutlineEntry(url: $0, homePageURL: feed.homePageURL) }
    }
    let result = try await store.reader.feeds.subscribe(entries, mayBeOwn: mayBeOwn)
    var total = ImportOutcome()
    for feed in feeds {
      guard let url = feed.url, let subscription = try store.reader.feeds.feed(url: url) else {
        continue
      }
      try await store.maintenance.importTitle(subscription.id, feed.title)
      var last: Int64?
      while let (page, end) = try library.articles(of: feed, after: last) {
        let outcome = try await store.maintenance.importArticles(subscription.id, page)
        total.added += outcome.added
        total.marked += outcome.marked
        last = end
      }
    }
    var parts = ["Imported \(AmountWording.articles(total.added)) from newsboat"]
    if total.marked > 0 {
      parts.append("updated the marks of \(AmountWording.articles(total.marked))")
    }
    if !result.added.isEmpty {
      parts.append("added \(AmountWording.feeds(result.added.count))")
    }
    try Console.print(parts.joined(separator: "; "))
  }

  /// Runs `weir import --starred`. Nothing is imported if a part of the file is damaged.
  func importStarred(_ path: String) async throws {
    let bytes = try TextFile.read(path)
    let found: StarredItems
    do throws(ParseError) {
      found = try StarredItems.parse(bytes)
    } catch {
      let reason = error == .otherJSON ? "it is JSON without them." : error.reason
      throw CommandFailure(
        "\(TextFile.name(path)) isn\u{2019}t a file of starred articles: \(reason)")
    }
    let outcome = try await store.maintenance.importStarred(
      found.feeds.map { feed in
        ImportedFeed(
          url: feed.url, title: feed.title, homePageURL: feed.homePageURL,
          articles: feed.articles.map {
            var article = ImportedArticle(item: $0.item, isRead: true, isStarred: true)
            article.tags = $0.labels
            return article
          })
      })
    session.log.info("imported starred articles of \(path)")
    var parts = [
      "Imported \(AmountWording.count(outcome.added, "starred article", "starred articles"))"
    ]
    if outcome.archived > 0 {
      parts.append(
        "\(AmountWording.grouped(outcome.archived)) of feeds you do not follow are in Kept")
    }
    if outcome.marked > 0 {
      parts.append("starred \(AmountWording.count(outcome.marked, "known one", "known ones"))")
    }
    if found.skipped > 0 {
      parts.append("\(AmountWording.grouped(found.skipped)) without an address skipped")
    }
    try Console.print(parts.joined(separator: "; "))
  }

  // MARK: Settings

  /// Adds rules as disabled, and writes the settings to a separate file.
  private func propose(
    _ settings: (rules: [RuleDraft], proposal: ConfigurationProposal)
  ) async throws {
    for line in settings.proposal.report { try Console.print(line) }
    let known = Set(try store.reader.rules.all().map(\.query))
    let drafts = settings.rules.filter { !known.contains($0.query) }
    for draft in drafts { try await store.reader.rules.addRule(draft, reach: nil) }
    if !drafts.isEmpty {
      try Console.print("")
      try Console.print(
        "\(AmountWording.count(drafts.count, "rule", "rules")) added, not enabled yet: gW in the reader "
          + "or weir rule list shows them, weir rule test tries one.")
    }
    guard !settings.proposal.isEmpty, let configuration = session.paths.config else { return }
    let written = try settings.proposal.write(beside: configuration, from: "newsboat")
    try Console.print("")
    try Console.print(
      "These settings are in \(written). Copy what you want into \(configuration).")
  }
}

extension ConfigurationProposal {
  /// Writes the proposal beside the configuration, but never overwrites a file.
  /// - Returns: the path of the new file.
  func write(beside configuration: String, from name: String) throws -> String {
    let folder = URL(filePath: configuration).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let head = """
      # What \(name)\u{2019}s configuration becomes in Weir. None of this is active yet: copy what you want
      # into \(configuration).

      """
    for number in 1...1_000 {
      let suffix = number == 1 ? "" : "-\(number)"
      let path = folder.appending(path: "from-\(name)\(suffix).toml").path
      let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard file >= 0 else {
        guard errno == EEXIST else {
          throw CommandFailure("\(path): \(String(cString: strerror(errno))).")
        }
        continue
      }
      let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
      try handle.write(contentsOf: Data((head + text).utf8))
      try handle.close()
      return path
    }
    throw CommandFailure("\(folder.path) has too many files from-\(name).toml. Remove some.")
  }
}
