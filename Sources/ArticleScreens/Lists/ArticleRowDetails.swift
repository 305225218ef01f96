import ReaderServices

/// Details of rows beside titles: beginnings of texts, small pictures, and marks of articles that
/// can be read offline.
final class ArticleRowDetails {
  let summaries: ArticleSummaries
  let thumbnails: ArticleThumbnails
  let packs: ArticlePacks

  init(context: ReaderContext) {
    summaries = ArticleSummaries(context: context)
    thumbnails = ArticleThumbnails(context: context)
    packs = ArticlePacks(context: context)
  }

  func articlesChanged() {
    summaries.forget()
    thumbnails.articlesChanged()
  }
}
