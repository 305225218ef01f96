/// An article with all content of its page, from one snapshot of the cache.
struct OpenArticle: Equatable {
  var article: Article
  var fullText: FullText?
  var downloads: [Download]
  var playbacks: [String: Playback]
  var notes: [ArticleNote]
  var judgements: [RuleJudgement]
  /// True if the text has changed since the article arrived.
  let hasChanged: Bool
  let place: ReadingPosition?

  /// Reads an article; returns `nil` if it no longer exists.
  static func load(_ id: ArticleID, _ store: ReaderCache) throws(StoreError) -> OpenArticle? {
    try store.joiningReads { () -> Result<OpenArticle?, StoreError> in
      Result {
        guard let article = try store.articles.article(id) else { return nil }
        return OpenArticle(
          article: article, fullText: try store.fullTexts.fullText(id),
          downloads: try store.downloads.files(of: id),
          playbacks: try store.downloads.playbacks(of: id), notes: try store.states.notes(of: id),
          judgements: try store.rules.judgements(of: id),
          hasChanged: try store.articles.revisionCount(of: id) > 0,
          place: try store.plan.readingPosition(id))
      }.mapError { StoreError($0) }
    }.get()
  }

  /// Reads the parts that a change may affect; returns `nil` if the article no longer exists. The
  /// text, which may be long, is read again only if it may have changed.
  func updated(_ change: StoreChange, _ store: ReaderCache) throws(StoreError) -> OpenArticle? {
    var new = self
    let id = article.id
    if change.contains(.articles) {
      guard let article = try store.articles.article(id) else { return nil }
      new.article = article
    } else {
      guard let row = try store.articles.articleRow(id) else { return nil }
      new.article.row = row
    }
    new.fullText = try store.fullTexts.fullText(id)
    new.downloads = try store.downloads.files(of: id)
    new.notes = try store.states.notes(of: id)
    new.judgements = try store.rules.judgements(of: id)
    return new
  }
}

extension Article {
  /// Returns the text of the page if it was fetched and is wanted, otherwise the feed's text.
  nonisolated func shownHTML(with fullText: FullText?) -> String {
    guard let fullText, case .found(let html) = fullText.state, fullText.isShown else {
      return bodyHTML
    }
    return html + FullTextWording.endingHTML(fullText)
  }
}
