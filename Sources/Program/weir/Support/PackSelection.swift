import ArticleText
import ProgramSettings

/// Selects the articles of a pack: the hits of a query, or without a query articles kept for later,
/// then starred unread ones, then other unread ones.
enum PackSelection {
  private static let most = 2_000
  static let mostPictures = 30
  /// The most minutes of a text that counts as an excerpt.
  private static let excerpt = 1
  /// The assumed minutes of a page before it is fetched.
  private static let usualArticle = 4

  /// - Parameter budget: bytes on the wire.
  static func begin(
    _ query: String, budget: Int64, audio: Bool, _ store: FeedStore
  ) async throws -> Pack {
    let articles = try await candidates(query, store).prefix(most).compactMap {
      try article($0, audio: audio, store.reader)
    }
    guard !articles.isEmpty else {
      throw CommandFailure("There is nothing to pack: no article is unread or found.")
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

  private static func article(
    _ id: ArticleID, audio: Bool, _ store: ReaderCache
  ) throws -> PackArticle? {
    guard let article = try store.articles.article(id) else { return nil }
    var (html, page) = (article.bodyHTML, article.row.url)
    if let text = try store.fullTexts.fullText(id), case .found(let found) = text.state {
      (html, page) = (found, nil)
    }
    let minutes = store.plan.minutes(ofWords: ReadingTime.words(in: html))
    if minutes > excerpt || !WebAddress(page ?? "").isHTTP { page = nil }
    // Several files of one article are mostly formats of one recording.
    let sound = article.enclosures.first { $0.mimeType.lowercased().hasPrefix("audio/") }
    return PackArticle(
      id: id, minutes: max(minutes, page == nil ? 1 : usualArticle), page: page,
      pictures: PictureReference.all(in: html, limit: mostPictures).map(\.address),
      audio: audio ? sound?.url : nil)
  }
}
