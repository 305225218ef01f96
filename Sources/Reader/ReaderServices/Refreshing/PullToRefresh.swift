import Foundation

/// Refreshes a list by key, or by pressing ↑ once more at its top.
package final class PullToRefresh {
  private let context: ReaderContext
  private let refreshes: RefreshModel
  /// The time of the last ↑ at the top; `nil` after another key.
  private var pulledAt: Date?

  /// Minimum seconds between presses. A held key repeats faster, and must not refresh.
  private static let repeatGap = 0.2

  package init(context: ReaderContext, refreshes: RefreshModel) {
    (self.context, self.refreshes) = (context, refreshes)
  }

  package static let invitation = "↑ again to refresh"
  package var isPulled: Bool { pulledAt != nil }

  /// Handles a key other than ↑.
  package func relax() { pulledAt = nil }

  package func pulled(_ source: ListSource?) {
    guard let source else { return }
    let now = context.now
    let isSecond = pulledAt.map { now.timeIntervalSince($0) >= Self.repeatGap } ?? false
    pulledAt = isSecond ? nil : now
    if isSecond { refresh(source.refreshScope) }
    context.invalidate()
  }

  /// Requests a refresh. If one is running, reports it and the host that it waits for.
  package func refresh(_ scope: RefreshScope) {
    if let running = refreshes.request(for: scope) {
      return context.note(alreadyRunning(running))
    }
    let context = context
    context.write({ store in try await store.requests.requestRefresh(scope) }) {
      self.follow($0)
      if context.configuration.isOffline, self.refreshes.status.quality == .offline {
        context.note("Weir was started with --offline; the next sync refreshes this")
      } else if context.isOffline {
        context.note("You’re offline; Weir refreshes this when you’re online")
      }
    }
  }

  /// Tracks a request, the end of which may be reported before its row is read here.
  func follow(_ request: RefreshRequest) {
    refreshes.track(request)
    context.invalidate()
    context.links.events?.changed(.requests)
  }

  private func alreadyRunning(_ request: RefreshRequest) -> String {
    let progress =
      request.total > 0 ? "\(request.done) of \(request.total) done" : "waiting to begin"
    guard let waiting = refreshes.waitsFor(request) else {
      return "Already refreshing: \(progress)"
    }
    if refreshes.pauses.contains(.everything) { return "Already refreshing: \(progress), paused" }
    if refreshes.status.quality == .offline {
      return "Already refreshing: \(progress); you\u{2019}re offline"
    }
    guard let host = waiting.host else {
      let wait = waiting.count == 1 ? "waits for its turn" : "wait for their turn"
      return "Already refreshing: \(progress), \(AmountWording.grouped(waiting.count)) \(wait)"
    }
    let others = waiting.count - 1
    let beside = others > 0 ? " and \(AmountWording.count(others, "other", "others"))" : ""
    return "Already refreshing: \(progress), waiting for \(SyncWording.host(host))\(beside)"
  }
}
