import ArgumentParser
import ArticleText
import ProgramSettings

/// Begins packs with the hits of a query, or without a query with the articles kept for later, then
/// starred unread ones, then other unread ones.
enum PackSelection {
  private static let most = 2_000
  static let mostPictures = 30

  /// Parses "20M", "1.5G" or "800k", in powers of ten; bytes if there is no unit.
  @Sendable static func size(_ text: String) throws -> Int64 {
    let lowercase = text.lowercased()
    let digits = lowercase.prefix { !"bkmg".contains($0) }
    let units = ["": 1, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9]
    guard let value = Double(digits), let unit = units[String(lowercase.dropFirst(digits.count))],
      10_000...1e12 ~= value * unit
    else { throw ValidationError("\u{201C}\(text)\u{201D} is not a size such as 20M or 1.5G.") }
    return Int64(value * unit)
  }

  static func begin(
    _ query: String, budget: Int64, audio: Bool, _ store: FeedStore
  ) async throws -> Pack {
    let articles = try await candidates(query, store).prefix(most).compactMap {
      try article($0, audio: audio, store.reader)
    }
    guard !articles.isEmpty else {
      throw CommandFailure("Nothing to pack: the search found no unread article.")
    }
    return try await store.reader.packs.startPack(articles, query: query, budget: budget)
  }

  private static func candidates(_ query: String, _ store: FeedStore) async throws -> [ArticleID] {
    guard query.isEmpty else {
      let query = try SearchQuery(typed: query)
      _ = try await store.search.catchUpIndex(within: .seconds(3))
      return try await store.hits(query, order: .newest, limit: most)
    }
    let later = try store.reader.articles.sorted(
      ArticleQuery(scope: .smart(.later)), by: .later, atMost: most)
    let unread = try store.reader.articles.page(
      ArticleQuery(scope: .exceptQuiet, filter: .unread), .top, limit: most * 2
    ).filter { !$0.status.isLater }
    return later.ids
      + (unread.filter(\.status.isStarred) + unread.filter { !$0.status.isStarred }).map(\.id)
  }

  /// Takes the page of an article of at most a minute, which is probably an excerpt of four.
  private static func article(
    _ id: ArticleID, audio: Bool, _ store: ReaderCache
  ) throws -> PackArticle? {
    guard let article = try store.articles.article(id) else { return nil }
    var (html, page) = (article.bodyHTML, article.row.url)
    if let text = try store.fullTexts.fullText(id), case .found(let found) = text.state {
      (html, page) = (found, nil)
    }
    let minutes = store.plan.minutes(ofWords: ReadingTime.words(in: html))
    if minutes > 1 || !WebAddress(page ?? "").isHTTP { page = nil }
    // Several files of one article are mostly formats of one recording.
    let sound = article.enclosures.first { $0.mimeType.lowercased().hasPrefix("audio/") }
    return PackArticle(
      id: id, minutes: max(minutes, page == nil ? 1 : 4), page: page,
      pictures: PictureReference.all(in: html, limit: mostPictures).map(\.address),
      audio: audio ? sound?.url : nil)
  }
}

extension ReaderRun {
  func startPack(_ request: PackRequest) async throws(ActionFailure) -> String {
    let store = session.store
    return try await wordingErrors(otherwise: "The pack can\u{2019}t be begun") {
      let budget = try PackSelection.size(request.budget)
      let pack = try await Task.detached {
        try await PackSelection.begin(request.query, budget: budget, audio: request.audio, store)
      }.value
      return PackWording.plan(pack)
    }
  }
}
