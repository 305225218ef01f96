import Foundation
import TerminalViews

/// Controls of the engine that several screens share.
enum SyncSteering {
  /// Pauses a feed's refreshes permanently, or resumes them.
  static func pause(_ feed: Feed, _ context: ReaderContext) {
    let (id, pauses) = (feed.id, !feed.isPaused)
    context.write({ store in
      try await store.feeds.setPaused(id, pauses)
      if pauses { try await store.requests.cancel(.feed(id)) }
    }) {
      let key =
        context.keymap.label(.pauseThis).map { "; \($0) in the list of feeds resumes" } ?? ""
      let name = feed.name.shortName
      context.note(pauses ? "\(name) is paused\(key)" : "\(name) is no longer paused")
    }
  }

  /// Pauses all refreshes, or resumes them.
  static func pauseEverything(_ pauses: Bool, _ context: ReaderContext) {
    context.write({ store in try await store.requests.setPaused(.everything, pauses) }) {
      let key = context.keymap.label(.pauseSync).map { "; \($0) resumes" } ?? ""
      context.note(pauses ? "Paused: running refreshes finish, no others start\(key)" : "Resumed")
    }
  }

  /// Pauses the refreshes from a host, or resumes them.
  static func pause(host: String, _ pauses: Bool, _ context: ReaderContext) {
    context.write({ store in try await store.requests.setPaused(.host(host), pauses) }) {
      let name = SyncWording.host(host)
      context.note(pauses ? "\(name) is paused" : "\(name) is no longer paused")
    }
  }

  /// Refreshes all failed feeds, except those that are gone for good.
  static func retryFailed(
    _ context: ReaderContext, _ feeds: @escaping () -> [Feed]
  ) -> Binding {
    let failed = {
      feeds().filter { $0.state.failure.map { $0.kind != .gone } ?? false }.map(\.id)
    }
    return Binding(.retryFailed, unless: failed().isEmpty ? "Nothing to retry" : nil) {
      let ids = failed()
      context.write({ store in try await store.requests.requestRefresh(.feeds(ids)) }) {
        _ in
        context.note("Trying \(AmountWording.count(ids.count, "feed", "feeds")) again")
      }
    }
  }
}
