import Foundation
import TerminalViews

/// Controls of the engine that several screens share.
enum SyncSteering {
  /// Pauses a feed's refreshes permanently, or resumes them.
  static func pause(_ feed: Feed, _ context: ReaderContext) {
    let (id, name, pauses) = (feed.id, feed.name.shortName, !feed.isPaused)
    context.write(
      noting: pauses
        ? "\(name) is paused\(context.undoHint("resumes"))" : "\(name) is no longer paused"
    ) {
      store in
      try await store.feeds.edit(id) { $0.isPaused = pauses }
      if pauses { try await store.requests.cancel(.feed(id)) }
    }
  }

  static func pauseEverything(_ pauses: Bool, _ context: ReaderContext) {
    let key = context.keymap.label(.pause).map { "; \($0) resumes" } ?? ""
    let paused = "Paused: running refreshes finish, no others start\(key)"
    context.write(noting: pauses ? paused : "Resumed") { store in
      try await store.requests.setPaused(.everything, pauses)
    }
  }

  static func pause(host: String, _ pauses: Bool, _ context: ReaderContext) {
    let state = pauses ? "paused" : "no longer paused"
    context.write(noting: "\(SyncWording.host(host)) is \(state)") { store in
      try await store.requests.setPaused(.host(host), pauses)
    }
  }

  /// Refreshes all failed feeds, except those that are gone for good.
  static func retryFailed(_ context: ReaderContext, _ feeds: @escaping () -> [Feed]) -> Binding {
    let failed = {
      feeds().filter { $0.state.failure.map { $0.kind != .gone } ?? false }.map(\.id)
    }
    return Binding(.refreshAll, unless: failed().isEmpty ? "Nothing to retry" : nil) {
      let ids = failed()
      let feeds = AmountWording.feeds(ids.count)
      context.write(noting: "Trying \(feeds) again") { store in
        try await store.requests.requestRefresh(.feeds(ids))
      }
    }
  }
}
