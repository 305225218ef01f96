import FeedModel
import FeedStore
import ReaderServices
import Wording

enum DeletedArticles {
  /// Deletes the articles that `articles` returns within the write.
  static func delete(
    _ context: ReaderContext,
    _ articles: @escaping @Sendable (ReaderCache) throws(StoreError) -> [ArticleID]
  ) {
    context.write({ store throws(StoreError) in try await store.states.delete(try articles(store)) }
    ) {
      let those = $0 == 1 ? "it" : "them"
      context.note(
        "\(AmountWording.count($0, "article", "articles")) deleted\(context.undoHint("brings \(those) back"))"
      )
    }
  }
}
