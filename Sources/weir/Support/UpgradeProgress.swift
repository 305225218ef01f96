import FeedStore
import Synchronization
import Wording

/// Says on standard error, where that is a terminal, what is done to a cache of an earlier version
/// before the reader or a command starts.
final class UpgradeProgress: Sendable {
  private let form = SyncProgressLine.Form.ofTerminal
  private let hasSpoken = Mutex(false)

  func show(_ step: UpgradeStep) {
    guard let form else { return }
    let isFirst = hasSpoken.withLock { spoken in
      defer { spoken = true }
      return !spoken
    }
    guard let text = StoreWording.sentence(step) else {
      if form == .bar { Console.showProgress("") }
      return
    }
    if case .withoutCopy = step {
      Console.note(text)
    } else if form == .bar {
      Console.showProgress(text)
    } else if isFirst {
      Console.note(text)
    }
  }
}
