import FeedModel
import FeedStore
import TerminalKit

/// What several screens do alike with an address or a feed.
enum AddressActions {
  /// Copies by the terminal (OSC 52); where it does not take it, the address is shown instead.
  static func copy(_ url: String, _ context: ReaderContext) {
    let shown = Confusables.shown(url)
    context.note(context.terminal.copy(url) ? "Copied \(shown)" : shown)
  }

  /// Opens an http(s) address. Others go through `ConfirmPrompt` first; see `Browser`.
  static func open(_ url: String, _ context: ReaderContext) {
    do throws(ActionFailure) {
      try context.actions.openInBrowser(url)
      context.note("Opened \(Confusables.shown(url))")
    } catch {
      context.show(.failure(error.sentence))
    }
  }

  static func unsubscribe(_ feed: Feed, _ context: ReaderContext) {
    let id = feed.id
    context.write({ store throws(StoreError) in try await store.unsubscribe([id]) }) {
      let undo = context.keymap.label(.undo).map { "; \($0) brings it back" } ?? ""
      context.note("Unsubscribed from \(feed.name)\(undo)")
    }
  }

  /// Takes the address that a feed has moved to.
  static func useMovedAddress(_ feed: Feed?, _ context: ReaderContext) {
    guard let feed, let address = feed.state.movedTo else {
      return context.note("This feed has not announced another address")
    }
    let id = feed.id
    context.write({ store throws(StoreError) in try await store.useMovedAddress(id) }) {
      context.note("\(feed.name) is now fetched from \(address)")
    }
  }
}
