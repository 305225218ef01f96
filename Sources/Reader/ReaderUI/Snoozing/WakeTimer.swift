import FeedStore
import Foundation
import ReaderServices
import TerminalViews

/// Wakes what is due while the reader is open. The timer is set only while something is asleep.
enum WakeTimer {
  /// The longest wait, because the clock may be set and the machine may sleep meanwhile.
  private static let longest = Duration.seconds(60)

  /// Sets the timer for the next sleeper.
  static func update(_ context: ReaderContext) {
    let next = context.read(try context.store.plan.nextWake())
    context.session.waking = next.map { next in
      let wait = Duration.seconds(max(0, next.timeIntervalSince(context.now)))
      return context.timers.after(min(wait, longest)) { [weak context] in
        if let context { wake(context) }
      }
    }
  }

  private static func wake(_ context: ReaderContext) {
    context.write(isSeen: false) { store throws(StoreError) in
      try await store.plan.wakeDue()
    } then: { [weak context] in
      if let context { update(context) }
    }
  }
}
