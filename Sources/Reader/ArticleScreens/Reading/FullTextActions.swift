package import FeedModel
import FeedStore
package import ReaderServices
import TerminalViews
import Wording

/// Actions on the full text of an article, shared by the list and the reader.
package enum FullTextActions {
  /// Requests the full text, or switches between it and the text of the feed.
  static func turn(_ article: ArticleID, _ context: ReaderContext) {
    context.write({ store throws(StoreError) in try await store.fullTexts.turnFullText(article) }) {
      text in
      context.note(wording(context).answer(text, isOffline: context.isOffline))
    }
  }

  /// Toggles a feed's setting to fetch every page.
  package static func turnAlways(_ feed: Feed, _ context: ReaderContext) {
    let (id, options) = (
      feed.id, context.read(try context.store.feeds.options(of: feed.id).effective)
    )
    let fetches = !(options?.fullText ?? feed.fetchesFullText)
    context.write({ store throws(StoreError) in
      try await store.fullTexts.setFetchesFullText(id, fetches)
    }) {
      context.note(
        fetches
          ? "Weir fetches the full text of new articles in \(feed.name)"
          : "New articles in \(feed.name.shortName) show the feed\u{2019}s version")
    }
  }

  static func wording(_ context: ReaderContext) -> FullTextWording {
    FullTextWording(dates: context.dates, key: context.keymap.label(.fullText))
  }
}
