import FeedStore
import ReaderServices

/// Details of rows beside titles: beginnings of texts, small pictures, and marks of articles that
/// can be read offline.
final class ArticleRowDetails {
  let summaries: ArticleSummaries
  let thumbnails: ArticleThumbnails
  let packs: ArticlePacks
  let end: PageEnd

  init(context: ReaderContext) {
    summaries = ArticleSummaries(context: context)
    thumbnails = ArticleThumbnails(context: context)
    packs = ArticlePacks(context: context)
    end = PageEnd(context: context)
  }

  /// Reads what the whole list needs, in the background.
  func read(for model: ArticleListModel) {
    packs.read(model.query)
    if model.headings.hasEnd { end.read() }
  }

  func modelUpdated(_ change: StoreChange) {
    if !change.isDisjoint(with: [.articles, .subscriptions]) {
      summaries.forget()
      thumbnails.articlesChanged()
    }
    if change.contains(.requests) { thumbnails.picturesChanged() }
    if !change.isDisjoint(with: [.articles, .requests]) { packs.changed() }
    if !change.isDisjoint(with: [.articles, .statuses, .subscriptions]) { end.changed() }
  }
}
