import Foundation
import TerminalViews

/// Ends due snoozes while the reader is open. The timer is set only while something is snoozed.
enum SnoozeTimer {
  /// The longest wait, because the clock may be set and the machine may sleep meanwhile.
  private static let longest = Duration.seconds(60)

  static func update(_ context: ReaderContext) {
    let next = context.read(try context.store.plan.nextDueDate())
    context.session.waking = next.map { next in
      let wait = Duration.seconds(max(0, next.timeIntervalSince(context.now)))
      return context.timers.after(min(wait, longest)) { [weak context] in
        if let context { wake(context) }
      }
    }
  }

  private static func wake(_ context: ReaderContext) {
    context.write(isSeen: false) { store in
      try await store.plan.endDueSnoozes()
    } then: { [weak context] in
      if let context { update(context) }
    }
  }
}
