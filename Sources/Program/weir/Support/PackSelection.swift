import ArticleText
import Wording

/// Selects the articles of a pack: the hits of a query, or without a query articles kept for later,
/// then starred unread ones, then other unread ones. Stops when there is enough to read, or when
/// the expected size reaches the budget.
struct PackSelection {
  private(set) var articles: [PackArticle] = []
  /// Further articles, for a pack that is smaller than expected.
  private(set) var reserve: [PackArticle] = []
  private(set) var minutes = 0
  private(set) var rest = 0
  private(set) var isEnough = false

  private static let most = 2_000
  static let mostPictures = 30
  /// The most minutes of a text that counts as an excerpt.
  private static let excerpt = 1
  /// The assumed minutes of a page before it is fetched.
  private static let usualArticle = 4
  /// Factors by which a plan's amounts are multiplied to include the reserve.
  private static let reserves: (bytes: Int64, minutes: Int) = (8, 2)

  /// - Parameters:
  ///   - network: on a slow one, pictures do not count for the budget; `nil` if unknown.
  ///   - candidates: articles to take in place of those of the plan's query.
  init(
    _ plan: PackPlan, _ store: FeedStore, on network: PackNetwork?,
    among candidates: [ArticleID]? = nil
  ) async throws {
    let countsPictures = network?.isSlow != true
    let packs = try store.reader.packs.recent()
    let (text, picture) = (Pack.Stage.text.size(in: packs), Pack.Stage.picture.size(in: packs))
    let ids = if let candidates { candidates } else { try await Self.candidates(plan.query, store) }
    var (expected, reserveMinutes): (Int64, Int) = (0, 0)
    for (index, id) in ids.enumerated() {
      let isFull = minutes >= plan.minutes || expected >= plan.budget
      if isFull, rest == 0 {
        rest = ids.count - index
        isEnough = minutes >= plan.minutes
      }
      guard articles.count + reserve.count < Self.most,
        minutes + reserveMinutes < plan.minutes * Self.reserves.minutes,
        expected < plan.budget * Self.reserves.bytes
      else {
        if rest == 0 { rest = ids.count - index }
        return
      }
      guard let article = try Self.article(id, store.reader, extras: plan.extras) else { continue }
      if isFull {
        reserve.append(article)
        reserveMinutes += article.minutes
      } else {
        articles.append(article)
        minutes += article.minutes
      }
      expected += article.page == nil ? 0 : text
      // Discussions and audio are fetched last and do not count for the budget.
      let pictures = countsPictures ? article.pictures.count : 0
      expected += Int64(pictures) * picture
    }
  }

  private static func candidates(_ query: String, _ store: FeedStore) async throws -> [ArticleID] {
    guard query.isEmpty else { return try await hits(query, store) }
    let later = try store.reader.articles.sorted(
      ArticleQuery(scope: .smart(.later)), by: .later, atMost: most)
    let unread = try store.reader.articles.page(
      ArticleQuery(scope: .exceptQuiet, filter: .unread), .top, limit: most * 2
    ).filter { !$0.status.isLater }
    return later.ids
      + (unread.filter(\.status.isStarred) + unread.filter { !$0.status.isStarred }).map(\.id)
  }

  private static func hits(_ text: String, _ store: FeedStore) async throws -> [ArticleID] {
    let query = try SearchQuery(typed: text)
    _ = try await store.search.catchUpIndex(within: .seconds(3))
    return try await store.hits(query, order: .newest, limit: most)
  }

  private static func article(
    _ id: ArticleID, _ store: ReaderCache, extras: Set<Pack.Stage>
  ) throws -> PackArticle? {
    guard let article = try store.articles.article(id) else { return nil }
    var html = article.bodyHTML
    var isWhole = false
    if let text = try store.fullTexts.fullText(id), case .found(let found) = text.state {
      (html, isWhole) = (found, true)
    }
    let minutes = store.plan.minutes(ofWords: ReadingTime.words(in: html))
    let address = article.row.url.flatMap { WebAddress($0).isHTTP ? $0 : nil }
    let needsPage = !isWhole && minutes <= excerpt && address != nil
    let pictures = PictureReference.all(in: html, limit: mostPictures).map(\.address)
    // Several files of one article are mostly formats of one recording.
    let audio = article.enclosures.first { $0.mimeType.lowercased().hasPrefix("audio/") }
    return PackArticle(
      id: id, minutes: needsPage ? max(minutes, usualArticle) : max(1, minutes),
      page: needsPage ? address : nil, pictures: pictures,
      discussion: extras.contains(.discussion) ? article.discussionAddress(in: html) : nil,
      audio: extras.contains(.audio) ? audio?.url : nil)
  }
}
