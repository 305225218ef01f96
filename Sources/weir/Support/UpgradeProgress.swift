import FeedStore
import Synchronization
import Wording

/// Shows the steps of updating a database on a terminal.
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
