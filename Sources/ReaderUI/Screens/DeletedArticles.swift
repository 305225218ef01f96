import FeedModel
import FeedStore

/// Deleting articles, as both screens that show them do it.
enum DeletedArticles {
  /// - Parameter articles: which; read when the write is due.
  static func delete(
    _ context: ReaderContext,
    _ articles: @escaping @Sendable (FeedStore) throws(StoreError) -> [ArticleID]
  ) {
    context.write({ store throws(StoreError) in try await store.delete(try articles(store)) }) {
      let those = $0 == 1 ? "it" : "them"
      let undo = context.keymap.label(.undo).map { "; \($0) brings \(those) back" } ?? ""
      context.note("\(AmountWording.count($0, "article", "articles")) deleted\(undo)")
    }
  }
}
