import FeedModel
import FeedStore
import Foundation

// How the engine is steered from the screens: pauses and cancellations, as rows. A boost and a retry
// are requests like any other.
extension NetworkController {
  /// Seconds between two looks whether those who laid a pause still live.
  static let pauseInterval = 15.0
  /// Seconds that a refresh which the user has ended is not begun again by itself.
  static let cancelledRest = 3_600.0

  /// Everything that waits is held by the user, so that there is nothing to tick for.
  var isHeld: Bool {
    if pauses.contains(.everything) {
      return !queue.waiting.values.contains {
        $0.served == .p0 && !queue.heldHosts.contains($0.item.host)
      }
    }
    return !queue.heldHosts.isEmpty
      && queue.waiting.values.allSatisfy { queue.heldHosts.contains($0.item.host) }
  }

  func steer(_ wakes: Wake, into group: inout DiscardingTaskGroup, _ now: Double) {
    guard wakes.contains(.steering) || now - pausesTakenAt >= Self.pauseInterval && !pauses.isEmpty
    else { return }
    pausesTakenAt = now
    do throws(StoreError) {
      takePauses(try store.syncPauses())
      let cancellations = try store.cancellations()
      guard !cancellations.isEmpty else { return }
      let feeds = Set(cancellations.flatMap(cancel))
      cancelled.formUnion(feeds)
      group.addTask { await self.settle(cancellations, feeds) }
    } catch {
      rest(after: error, now)
    }
  }

  private func takePauses(_ rows: [SyncPause]) {
    let scopes = Set(rows.map(\.scope))
    guard scopes != pauses else { return }
    pauses = scopes
    queue.hold(
      Set(
        pauses.compactMap { scope in
          if case .host(let host) = scope { host } else { nil }
        }))
    telemetry.isStale = true
  }

  /// Takes out of the queue, or off the line, what is to end; what is under way to the cache arrives.
  private func cancel(_ cancellation: SyncCancellation) -> [FeedID] {
    switch cancellation {
    case .feed(let feed):
      if let flight = flights[.refresh(feed)] {
        if flight.stage == .fetching { flights[.refresh(feed)]?.cancel() }
      } else {
        removeWaiting(feed)
      }
      return [feed]
    case .waiting:
      let keys = queue.waitingKeys + doubtful.keys + releases.keys.map(WorkKey.refresh)
      let feeds = keys.compactMap { if case .refresh(let feed) = $0 { feed } else { nil } }
      for feed in feeds { removeWaiting(feed) }
      return feeds
    }
  }

  private func removeWaiting(_ feed: FeedID) {
    let key = WorkKey.refresh(feed)
    releases[feed] = nil
    telemetry.isStale = true
    let isDoubtful = doubtful.removeValue(forKey: key) != nil
    guard queue.removeWaiting(key) != nil || isDoubtful else { return }
    progress.withdrawn()
    phases[feed] = .idle
  }

  private func settle(_ cancellations: [SyncCancellation], _ feeds: Set<FeedID>) async {
    do throws(StoreError) {
      try await store.settle(
        cancellations, of: feeds.sorted(),
        next: clock.date().addingTimeInterval(Self.cancelledRest),
        reason: "stopped by hand")
    } catch {
      if !Task.isCancelled { rest(after: error, clock.uptime()) }
    }
    cancelled.subtract(feeds)
    dueIsStale = true
    signal.raise(.operations)
  }
}
