import ArticleScreens
import FeedModel
import FeedStore
import ReaderServices

/// Changes how mixed lists treat the selected feed or folder.
struct ListingChange {
  let context: ReaderContext
  let model: FeedListModel

  /// Gives the selected feed or folder a listing, or the normal one if it has that listing.
  func toggle(_ listing: FeedListing) {
    guard let source = model.selectedSource else { return }
    let current: FeedListing?
    switch source {
    case .feed(let id): current = model.feed(id)?.listing
    case .folder(let id): current = model.subscriptions.folders.first { $0.id == id }?.listing
    default: return
    }
    let isSet = current != listing
    let new = isSet ? listing : .normal
    let (context, name) = (context, model.name(source))
    context.write({ store throws(StoreError) in
      switch source {
      case .feed(let id): try await store.feeds.setListing(id, new)
      case .folder(let id): try await store.folders.setListing(id, new)
      default: break
      }
    }) {
      let words =
        listing == .apart
        ? (isSet ? "kept out of Unread" : "listed in Unread")
        : (isSet ? "important" : "no longer important")
      context.note("\(name.shortName) is \(words)\(context.undoHint())")
    }
  }
}
